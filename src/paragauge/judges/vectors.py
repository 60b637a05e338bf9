"""Words as vectors of what they are translated into: near where translations are shared, whatever the spelling.

A stem's row holds the square roots of its translations' probabilities in all pivot languages side by side; singular
value decomposition makes a hundred numbers of it (`paragauge.judges.training`). Since words with opposite meanings have
different translations, opposites are far apart, unlike in vectors made from one language alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Vectors of stems.

    Attributes:
        stems: Row numbers by stem.
        counts: How often the parallel text has each stem.
        rows: Unit vectors, an array (stems, dimensions).
        total: Tokens of the parallel text.
    """

    stems: Mapping[str, int]
    counts: Sequence[int]
    rows: NDArray[np.float32]
    total: int
    _rarest: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rarest", log((self.total + 2) / 2))

    def look_up(self, stem: str) -> tuple[int, int, float]:
        """Return the row of a *stem* (-1 for none), its count, and how much it says, from 0 to 1."""
        row = self.stems.get(stem, -1)
        count = self.counts[row] if row >= 0 else 0
        return row, int(count), log((self.total + 2) / (count + 2)) / self._rarest
