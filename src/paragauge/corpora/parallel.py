"""Files that belong together line by line."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name


def check_parallel(files: Sequence[tuple[PathLike, Sequence[str]]]) -> None:
    """Raise an error if a file differs in length from the first."""
    (first, first_lines), *others = files
    for other, lines in others:
        if len(lines) != len(first_lines):
            error = unequal_lengths(display_name(first), len(first_lines), display_name(other), len(lines))
            raise DataError(str(error) + _length_hint(files[0], (other, lines)))


def _length_hint(one: tuple[PathLike, Sequence[str]], other: tuple[PathLike, Sequence[str]]) -> str:
    """Return the likely cause of unequal lengths: blank lines at the end, or several texts per segment."""
    longer, shorter = (one, other) if len(one[1]) > len(other[1]) else (other, one)
    name, count = display_name(longer[0]), len(shorter[1])
    if not any(line.strip() for line in longer[1][count:]):
        return f"; every line of {name} from there on is blank: remove these lines if they are not segments"
    if count > 1 and len(longer[1]) % count == 0:
        times = len(longer[1]) // count
        return (
            f"; {name} has exactly {times} lines per segment: if it holds {times} texts for each segment, "
            f"split it into {times} files with one segment per line"
        )
    return ""
