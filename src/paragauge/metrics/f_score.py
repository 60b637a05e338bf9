"""Precision and recall in one number (van Rijsbergen, 1979), weighted as in METEOR and MAXSIM."""

from __future__ import annotations


def f_score(precision: float, recall: float, alpha: float) -> float:
    """Return PR / (alpha P + (1 - alpha) R), 0 if nothing matches; alpha 1 is recall, alpha 0 precision.

    >>> f_score(0.5, 1.0, 0.9)
    0.9090909090909091
    """
    # Numerator and denominator divided by PR: the same value, and exactly 1 if both are 1.
    return 0.0 if precision <= 0 or recall <= 0 else 1 / (alpha / recall + (1 - alpha) / precision)
