"""From meaning, fluency and difference to one value from 1 to 5.

    value = 1 + meaning * fluency * (1 + 3 * difference)

Each judge gives a number from 0 to 1, and the value rises with all three. The rule is fixed by what PEM's protocol says
of its control candidates: a copy (all of the meaning, fluent, no difference) is worth 2, an unrelated sentence and a
word salad 1, and a perfect paraphrase 5.

Difference comes from the wording that candidate and original share, as F1 of their n-grams:

    difference = 1 - shared^2

The square credits the first changes most: a paraphrase that keeps half of the wording is already a different sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOWEST, HIGHEST = 1.0, 5.0

Number = TypeVar("Number", "float", "NDArray[np.float64]")


def verdict(meaning: Number, fluency: Number, difference: Number) -> Number:
    """Return the value, from 1 to 5, of numbers or arrays from 0 to 1.

    >>> verdict(1.0, 1.0, 0.0), verdict(1.0, 1.0, 1.0), verdict(0.0, 1.0, 1.0)
    (2.0, 5.0, 1.0)
    """
    return LOWEST + meaning * fluency * (1 + 3 * difference)


def difference(shared: Number) -> Number:
    """Return how differently something is said, from 0 to 1, given the F1 of *shared* wording.

    >>> difference(1.0), difference(0.5), difference(0.0)
    (0.0, 0.75, 1.0)
    """
    return 1 - shared * shared
