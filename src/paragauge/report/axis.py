"""Axes of drawings: where a number lies in a picture, and how it is written."""

from __future__ import annotations

import math
from collections.abc import Sequence


class Axis:
    """A mapping from a range of numbers to a range of the picture."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        margin = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
        self.low, self.high, self.start, self.end = low - margin, high + margin, start, end

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Return three to six round numbers."""
        size = 10.0 ** math.floor(math.log10((self.high - self.low) / 2))
        step = next(step for step in (size, 2 * size, 5 * size, 10 * size) if (self.high - self.low) / step <= 6)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def written(value: float) -> str:
    """Return a number as axes show it."""
    return f"{value:.4g}"


def short(text: str, length: int) -> str:
    """Return a label of at most *length* letters."""
    return text if len(text) <= length else text[: length - 1] + "…"
