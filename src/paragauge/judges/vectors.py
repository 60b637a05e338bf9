"""Words as vectors of what they are translated into: near where translations are shared, whatever the spelling.

A stem's row holds the square roots of its translations' probabilities in all pivot languages side by side, as word
alignment counts them; singular value decomposition makes a hundred numbers of it (`vector_training`). Words that nobody
translates alike are far apart even if they stand in the same places: "hot" and "cold", "cat" and "dog".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import DataError
from paragauge.storage.store import Columns, open_columns, pack_strings, write_columns

_COLUMNS = {"text": "<u1", "offsets": "<i8", "counts": "<i8", "codes": "|i1", "scales": "<f4"}
_MOST_OCCURRENCES = 2.0**53


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of stems, stored as one byte per number.

    Attributes:
        stems: Stems in order of frequency.
        counts: Occurrences of each stem in the parallel text.
        codes: An array (stems, dimensions) of whole numbers.
        scales: Factor that makes each row a unit vector.
    """

    stems: tuple[str, ...]
    counts: NDArray[np.int64]
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        """The codes as floats; a row of zeros follows the last stem, so that row -1 is that of unknown words."""
        rows = np.zeros((len(self.stems) + 1, self.codes.shape[1]), dtype=np.float32)
        rows[:-1] = self.codes
        return rows

    @cached_property
    def _scales(self) -> NDArray[np.float32]:
        return np.append(self.scales, np.float32(0))

    def cosines(self, ours: Sequence[int], theirs: Sequence[int]) -> NDArray[np.float32]:
        """Return the cosine of each row of *ours* with each of *theirs*; 0 for row -1, that of unknown words.

        Codes are whole numbers whose products add up to less than 2^24 for up to 1,000 dimensions. Sums of these are
        exact, so the result is the same on every machine, in whatever order its processor adds.
        """
        products: NDArray[np.float32] = self._rows[ours] @ self._rows[theirs].T
        return products * (self._scales[ours][:, None] * self._scales[theirs])

    def trust(self, half: float) -> NDArray[np.float32]:
        """Return the reliability of each row, from 0 to 1: rare words have accidental translations.

        Args:
            half: Number of occurrences at which the reliability is one half.
        """
        trust = np.zeros(len(self.stems) + 1, dtype=np.float32)
        trust[:-1] = self.counts / (self.counts + half)
        return trust

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {stem: row for row, stem in enumerate(self.stems)}

    @cached_property
    def _total(self) -> int:
        return int(self.counts.sum())

    def look_up(self, stem: str) -> tuple[int, int, float]:
        """Return the row of a *stem* (-1 for none), its count, and its information, from 0 to 1."""
        row = self._numbers.get(stem, -1)
        count = int(self.counts[row]) if row >= 0 else 0
        return row, count, log((self._total + 2) / (count + 2)) / log((self._total + 2) / 2)

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of two stems, 0 if one is unknown."""
        return float(self.cosines([self._numbers.get(one, -1)], [self._numbers.get(other, -1)])[0, 0])

    def save(self, folder: Path) -> None:
        """Write the vectors as files into an empty *folder*."""
        text, offsets = pack_strings(self.stems)
        columns: Columns = {
            "text": text,
            "offsets": offsets,
            "counts": self.counts,
            "codes": self.codes.ravel(),
            "scales": self.scales,
        }
        write_columns(folder, columns, _COLUMNS)

    @classmethod
    def open(cls, folder: Path) -> WordVectors:
        """Return the vectors in *folder*, checked.

        Raises:
            DataError: They are damaged.
        """
        columns = open_columns(folder, _COLUMNS)
        offsets, scales, counts = columns["offsets"], columns["scales"], columns["counts"]
        count = len(scales)
        codes = columns["codes"]
        whole = count > 0 and len(codes) % count == 0 and len(offsets) == count + 1 == len(counts) + 1
        if not whole or offsets[0] != 0 or offsets[-1] != len(columns["text"]) or bool(np.any(np.diff(offsets) < 0)):
            raise DataError("the word vectors are damaged", path=str(folder))
        if (
            counts.min() < 0
            or not 0 < counts.sum(dtype=np.float64) < _MOST_OCCURRENCES
            or not np.isfinite(scales).all()
        ):
            raise DataError("the word vectors are damaged: impossible counts or factors", path=str(folder))
        raw = columns["text"].tobytes()
        try:
            stems = [raw[begin:end].decode("utf-8") for begin, end in pairwise(offsets.tolist())]
        except UnicodeDecodeError as error:
            raise DataError("the word vectors are damaged", path=str(folder)) from error
        return cls(tuple(stems), counts, codes.reshape(count, -1), scales)
