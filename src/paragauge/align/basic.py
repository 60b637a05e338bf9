"""Basic phrase pairs: the smallest phrases that links connect, such as "some" and "there are those who"."""

from __future__ import annotations

from typing import TypeAlias

from paragauge.align.alignment import Alignment

Box: TypeAlias = tuple[int, int, int, int]  # first and last source word, first and last target word


def basic_phrase_pairs(alignment: Alignment) -> dict[Box, frozenset[tuple[int, int]]]:
    """Return the smallest pair of spans around each link that no link leaves, together with the links that it covers.

    >>> sorted(basic_phrase_pairs(Alignment.from_pharaoh("0-0 0-1 1-2 2-2")))
    [(0, 0, 0, 1), (1, 2, 2, 2)]
    """
    by_source: dict[int, list[int]] = {}
    by_target: dict[int, list[int]] = {}
    for i, j in alignment:
        by_source.setdefault(i, []).append(j)
        by_target.setdefault(j, []).append(i)
    found: dict[Box, set[tuple[int, int]]] = {}
    for i, linked in by_source.items():  # all links of a word share their box
        box = _closed((i, i, linked[0], linked[0]), by_source, by_target)
        found.setdefault(box, set()).update((i, j) for j in linked)
    return {box: frozenset(links) for box, links in found.items()}


def _closed(box: Box, by_source: dict[int, list[int]], by_target: dict[int, list[int]]) -> Box:
    """Return the smallest box around *box* that no link leaves; every word is visited once."""
    i1, i2, j1, j2 = box
    rows, columns = [i1], [j1]  # words that were added but not visited yet
    while rows or columns:
        reached = [j for i in rows for j in by_source.get(i, ())]
        new_j1, new_j2 = min([j1, *reached]), max([j2, *reached])
        columns += [*range(new_j1, j1), *range(j2 + 1, new_j2 + 1)]
        j1, j2 = new_j1, new_j2
        reached = [i for j in columns for i in by_target.get(j, ())]
        new_i1, new_i2 = min([i1, *reached]), max([i2, *reached])
        rows = [*range(new_i1, i1), *range(i2 + 1, new_i2 + 1)]
        i1, i2 = new_i1, new_i2
        columns = []
    return i1, i2, j1, j2
