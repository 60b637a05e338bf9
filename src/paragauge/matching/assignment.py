"""Items, a similarity between items, and the best matching: MAXSIM's framework on its own.

Items can be anything: n-grams, dependency triples, semantic roles. A similarity gives a number for two items, 0 if they
have nothing in common; `best_matching` pairs them one to one so that the sum is greatest (Kuhn and Munkres).
Similarities are plain functions and can be combined: `nearer` makes any similarity depend on positions also.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from paragauge.errors import DataError

Left = TypeVar("Left")
Right = TypeVar("Right")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matched items, by position, and how similar they are."""

    left: int
    right: int
    weight: float


@dataclass(frozen=True, slots=True)
class Matching:
    """A one-to-one matching: pairs in the order of the left items."""

    pairs: tuple[Pair, ...]

    @property
    def weight(self) -> float:
        """The sum of the weights."""
        from math import fsum

        return fsum(pair.weight for pair in self.pairs)


def best_matching(left: Sequence[Left], right: Sequence[Right], similarity: Callable[[Left, Right], float]) -> Matching:
    """Return the one-to-one matching with the greatest total similarity; pairs with nothing in common are left out.

    >>> shared = lambda one, other: len(set(one) & set(other)) / 3
    >>> best_matching(["abc", "abd"], ["abx", "abc"], shared).pairs
    (Pair(left=0, right=1, weight=1.0), Pair(left=1, right=0, weight=0.6666666666666666))

    Raises:
        DataError: A similarity is negative, infinite or not a number.
    """
    import numpy as np

    from paragauge import _core

    weights = np.array([[similarity(one, other) for other in right] for one in left], dtype=np.float64)
    if not weights.size:
        return Matching(())
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("a similarity must be a finite number of at least 0")
    columns = _core.best_assignment(weights).tolist()
    return Matching(tuple(Pair(i, j, float(weights[i, j])) for i, j in enumerate(columns) if j >= 0))


def nearer(
    similarity: Callable[[Left, Right], float], distance: float, left_count: int, right_count: int
) -> Callable[[tuple[int, Left], tuple[int, Right]], float]:
    """Return *similarity* for items with positions, reduced by *distance* times how far apart they are.

    Positions are relative to the length: the first of ten items and the sixth of twelve are 5/12 apart.

    >>> equal = lambda one, other: float(one == other)
    >>> nearer(equal, 0.5, 2, 2)((0, "a"), (1, "a"))
    0.75
    """

    def similar(one: tuple[int, Left], other: tuple[int, Right]) -> float:
        apart = abs(one[0] / left_count - other[0] / right_count)
        return similarity(one[1], other[1]) * (1 - distance * apart)

    return similar
