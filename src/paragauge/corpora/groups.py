"""Groups of sentences with the same meaning: several translations of one text, or pairs of paraphrases."""

from __future__ import annotations

from paragauge.corpora.lines import read_filled_lines
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name


def read_groups(path: PathLike, *, encoding: str = "utf-8") -> list[tuple[str, ...]]:
    """Return the groups of a file with one group of tab-separated sentences per line; empty sentences count as missing.

    Raises:
        DataError: No line has two sentences.
    """
    lines = read_filled_lines(path, "one group of tab-separated sentences on each line", encoding)
    groups = [tuple(text for text in line.split("\t") if text.strip()) for line in lines]
    if not any(len(group) > 1 for group in groups):
        raise DataError(
            "no line has two sentences; expected groups of tab-separated sentences with the same meaning",
            path=display_name(path),
        )
    return groups
