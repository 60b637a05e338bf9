r"""Katz back-off with Good-Turing discounting (Katz, 1987), with SRILM's default cut-offs: the model of PEM.

Notation: h is a context of n - 1 words, h' the same without its first word, c(hw) how often an n-gram occurs, n_r the
number of n-grams of this order that occur r times, k the highest count that is discounted (7; 1 for unigrams), d_r the
coefficient of the count r.

.. code-block:: text

    p(w|h)   = d_c(hw) c(hw) / sum_v c(hv)          if hw was seen (often enough)
             = alpha(h) p(w|h')                     otherwise
    alpha(h) = (1 - sum_seen p(v|h)) / (1 - sum_seen p(v|h'))

    d_r = (r*/r - (k+1) n_(k+1) / n_1) / (1 - (k+1) n_(k+1) / n_1)   for r <= k, else 1;   r* = (r + 1) n_(r+1) / n_r

N-grams of three and more words that occur once are cut off: d_1 = 0 there, and their share goes to alpha(h). As in
SRILM: k is lowered while n_(k+1) = 0; a coefficient out of range becomes 1 (that of unigrams always does, since k = 1
makes it 0); and where the seen words would leave no probability, the denominator grows by 1 until some is left. As in
SRILM with ``-unk``, the probability that unigrams leave goes to ``<unk>``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragauge.lm.counts import NgramCounts
    from paragauge.lm.model import ModelArrays

HIGHEST_DISCOUNTED = 7  # SRILM's gtmax for n > 1
HIGHEST_DISCOUNTED_UNIGRAM = 1
_TOLERANCE = 3e-6  # SRILM's tolerance for a sum of probabilities


def default_min_counts(order: int) -> list[int]:
    """Return SRILM's cut-offs: 1 for unigrams and bigrams, 2 for longer n-grams."""
    return [1 if n <= 2 else 2 for n in range(1, order + 1)]


def good_turing_coefficients(counts_of_counts: Sequence[int]) -> list[float]:
    """Return d_1, ..., d_k from n_1, ..., n_(k+1); fewer if the text does not yield as many.

    >>> [round(d, 3) for d in good_turing_coefficients([10, 4, 2])]
    [0.5, 0.375]
    >>> good_turing_coefficients([10, 4, 0, 0])  # k is lowered to 1, where the coefficient is 0: out of range
    [1.0]
    """
    n = (0, *counts_of_counts)
    k = len(counts_of_counts) - 1
    if n[1] == 0:
        return []
    while k > 0 and n[k + 1] == 0:
        k -= 1
    common = (k + 1) * n[k + 1] / n[1]
    return [_coefficient(r, n, common) for r in range(1, k + 1)]


def _coefficient(r: int, n: Sequence[int], common: float) -> float:
    if n[r] == 0 or common == 1:
        return 1.0
    ratio = (r + 1) * n[r + 1] / (r * n[r])
    coefficient = (ratio - common) / (1 - common)
    in_range = math.isfinite(coefficient) and coefficient > _TOLERANCE and ratio <= 1
    return coefficient if in_range else 1.0


def estimate_coefficients(counts: NgramCounts) -> list[list[float]]:
    """Return the coefficients of each order."""
    coefficients = []
    for order in range(1, counts.order + 1):
        k = HIGHEST_DISCOUNTED_UNIGRAM if order == 1 else HIGHEST_DISCOUNTED
        coefficients.append(good_turing_coefficients(counts.counts_of_counts(order, k + 1)))
    return coefficients


def estimate(
    counts: NgramCounts, coefficients: Sequence[Sequence[float]], min_counts: Sequence[int], threads: int
) -> ModelArrays:
    """Return the model estimated by the formulas above, computed natively."""
    from paragauge.lm.model import ModelArrays

    model = counts.native.katz([list(d) for d in coefficients], list(min_counts), threads)
    return ModelArrays.assembled(counts.native.vocabulary(), model)
