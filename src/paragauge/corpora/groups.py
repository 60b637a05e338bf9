"""Groups of sentences that mean the same: several translations of one text, or pairs of paraphrases."""

from __future__ import annotations

from paragauge.corpora.lines import read_filled_lines
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name


def read_groups(path: PathLike, *, encoding: str = "utf-8") -> list[tuple[str, ...]]:
    """Return the groups of a file with one group on each line, tabs between its sentences; empty sentences are missing.

    Raises:
        DataError: No line has two sentences.
    """
    lines = read_filled_lines(path, "a group of sentences on each line, tabs between them", encoding)
    groups = [tuple(text for text in line.split("\t") if text.strip()) for line in lines]
    if not any(len(group) > 1 for group in groups):
        raise DataError(
            "no line has two sentences, expected groups of sentences that mean the same, tabs between them",
            path=display_name(path),
        )
    return groups
