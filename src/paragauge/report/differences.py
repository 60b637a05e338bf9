"""Words that differ between two texts."""

from __future__ import annotations

import difflib
import re
from typing import TypeAlias

Marked: TypeAlias = tuple[tuple[str, bool], ...]  # runs of text, each with whether the other text lacks it

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_PIECES = 2000  # comparing longer texts takes quadratic time


def word_differences(old: str, new: str) -> tuple[Marked, Marked]:
    """Return both texts with the words marked that the other one lacks.

    >>> word_differences("a big house", "a large house")
    ((('a ', False), ('big', True), (' house', False)), (('a ', False), ('large', True), (' house', False)))
    """
    one, other = _PIECES.findall(old), _PIECES.findall(new)
    if len(one) + len(other) > _MOST_PIECES:
        return ((old, False),), ((new, False),)
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    marked: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        for texts, run in ((marked[0], one[start:end]), (marked[1], other[other_start:other_end])):
            if run:
                texts.append(("".join(run), kind != "equal"))
    return tuple(marked[0]), tuple(marked[1])
