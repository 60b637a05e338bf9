r"""Interpolated modified Kneser-Ney smoothing (Kneser and Ney, 1995; Chen and Goodman, 1998), as in lmplz.

Notation: h is a context of n - 1 words, h' the same without its first word, c(hw) the adjusted count of an n-gram
(`NgramCounts.adjusted`: occurrences in the highest order and after ``<s>``, else distinct words to the left), n_k the
number of n-grams of this order with c = k, D(c) the discount.

.. code-block:: text

    p(w|h)   = (c(hw) - D(c(hw))) / sum_v c(hv) + gamma(h) p(w|h')
    gamma(h) = sum_v D(c(hv)) / sum_v c(hv)
    p(w)     = (c(w) - D(c(w))) / sum_v c(v) + gamma / |V|

    Y = n_1 / (n_1 + 2 n_2);   D(k) = k - (k + 1) Y n_(k+1) / n_k  for k = 1, 2;   D(k) = D(3) for k >= 3

V holds all words, ``</s>`` and ``<unk>``, but not ``<s>``; c(<unk>) = 0, so an unknown word gets gamma / |V|. N-grams
that occur less often than a minimum count are left out at the end; their probability goes to gamma(h), so that
probabilities still sum to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import DataError, OptionError

if TYPE_CHECKING:
    from paragauge.lm.counts import NgramCounts
    from paragauge.lm.model import ModelArrays

Discounts: TypeAlias = tuple[float, float, float]

FALLBACK: Discounts = (0.5, 1.0, 1.5)  # lmplz's --discount_fallback


def modified_discounts(counts_of_counts: Sequence[int]) -> Discounts:
    """Return D(1), D(2) and D(3) from n_1, n_2, n_3 and n_4.

    Raises:
        ValueError: A count of counts that the formula divides by is zero, or a discount is out of range.

    >>> modified_discounts([8, 4, 2, 1])
    (0.5, 1.25, 2.0)
    """
    n = (0, *counts_of_counts)
    for k in (1, 2, 3):
        if n[k] == 0:
            raise ValueError(f"no n-gram has the adjusted count {k}")
    y = n[1] / (n[1] + 2 * n[2])
    one, two, three = (k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))
    for k, discount in enumerate((one, two, three), 1):
        if not 0 <= discount <= k:
            raise ValueError(f"the discount of the adjusted count {k} would be {discount:.4g}, not between 0 and {k}")
    return one, two, three


def estimate_discounts(counts: NgramCounts, fallback: Discounts | None = None) -> list[Discounts]:
    """Return the discounts of each order; *fallback* where they cannot be estimated.

    Raises:
        DataError: They cannot be estimated, and there is no fallback.
        OptionError: The fallback is out of range.
    """
    if fallback is not None:
        _check_fallback(fallback)
    discounts = []
    for order in range(1, counts.order + 1):
        counts_of_counts = counts.counts_of_counts(order, 4, adjusted=True)
        try:
            discounts.append(modified_discounts(counts_of_counts))
        except ValueError as error:
            if fallback is None:
                listed = ", ".join(f"n{k}={n}" for k, n in enumerate(counts_of_counts, 1))
                raise DataError(
                    f"cannot estimate the Kneser-Ney discounts of {order}-grams: {error} ({listed}); the text is small "
                    "or artificial. Use more text, a lower order, Katz smoothing (--smoothing katz), or fixed "
                    f"discounts (--discount-fallback: {', '.join(f'{d:g}' for d in FALLBACK)})"
                ) from error
            discounts.append(fallback)
    return discounts


def _check_fallback(fallback: Discounts) -> None:
    if len(fallback) != 3 or not all(0 < discount <= k for k, discount in enumerate(fallback, 1)):
        raise OptionError(
            "fallback discounts must be three numbers above 0 and at most 1, 2 and 3, as in 0.5, 1, 1.5; "
            f"got {', '.join(f'{discount:g}' for discount in fallback)}"
        )


def estimate(
    counts: NgramCounts, discounts: Sequence[Discounts], min_counts: Sequence[int], threads: int
) -> ModelArrays:
    """Return the model estimated by the formulas above, computed natively."""
    from paragauge.lm.model import ModelArrays

    model = counts.native.kneser_ney([list(d) for d in discounts], list(min_counts), threads)
    return ModelArrays.assembled(counts.native.vocabulary(), model)
