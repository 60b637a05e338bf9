"""Groups of sentences with the same meaning: several translations of one text, or pairs of paraphrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from paragauge.corpora.lines import decode_lines, empty_file
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_bytes


def read_groups(path: PathLike, *, encoding: str = "utf-8") -> list[tuple[str, ...]]:
    """Return the groups of a file with one group of tab-separated sentences per line; empty sentences count as missing.

    Raises:
        DataError: No line has two sentences.
    """
    return parse_groups(read_bytes(path), path, encoding)


def parse_groups(data: bytes, path: PathLike, encoding: str = "utf-8") -> list[tuple[str, ...]]:
    """Return the groups in *data*, which came from *path*; see `read_groups`."""
    lines = decode_lines(data, path, encoding)
    if not lines:
        raise empty_file(path, "one group of tab-separated sentences on each line")
    groups = [tuple(text for text in line.split("\t") if text.strip()) for line in lines]
    if not any(len(group) > 1 for group in groups):
        raise DataError(
            "no line has two sentences; expected groups of tab-separated sentences with the same meaning",
            path=display_name(path),
        )
    return groups


def pairs_of_groups(groups: Iterable[Sequence[str]], *, first: bool = False) -> ParaphrasePairs:
    """Return all pairs of sentences of each group, or only those of its *first* sentence; groups have numbers from 1.

    >>> pairs_of_groups([["a", "b", "c"], ["d", "e"]], first=True)
    ParaphrasePairs(source=('a', 'a', 'd'), target=('b', 'c', 'e'), groups=('1', '1', '2'))
    """
    rows = [
        (str(number), *pair)
        for number, group in enumerate(groups, start=1)
        for pair in (((group[0], other) for other in group[1:]) if first else combinations(group, 2))
    ]
    return ParaphrasePairs(tuple(row[1] for row in rows), tuple(row[2] for row in rows), tuple(row[0] for row in rows))
