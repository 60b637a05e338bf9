"""What a candidate shares with its references, n-gram by n-gram, for whole corpora at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.text import TextPipeline, Vocabulary

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NgramOverlap:
    """N-gram counts of candidates and of what their references confirm.

    Arrays have one row per segment; those of n-grams have one column per order n = 1..N.

    Attributes:
        clipped: Matches, each n-gram counted at most as often as in the reference that has it most often.
        distinct: Different n-grams of the candidate.
        distinct_shared: Those of them that occur in any reference.
        candidate_lengths: Tokens of the candidate.
        reference_lengths: Tokens of each reference of each segment, in order.
    """

    clipped: Counts
    distinct: Counts
    distinct_shared: Counts
    candidate_lengths: Counts
    reference_lengths: tuple[Counts, ...]

    @property
    def totals(self) -> Counts:
        """All n-grams of the candidates: ``max(0, length - n + 1)`` for each order."""
        return ngram_totals(self.candidate_lengths, self.clipped.shape[1])

    def closest_reference_lengths(self) -> Counts:
        """Return for each segment the reference length nearest to the candidate's; of two, the shorter."""
        return np.array(
            [
                min(lengths.tolist(), key=lambda length: (abs(length - own), length))
                for own, lengths in zip(self.candidate_lengths.tolist(), self.reference_lengths, strict=True)
            ],
            dtype=np.int64,
        )


def ngram_totals(lengths: Counts, max_order: int) -> Counts:
    """Return how many n-grams sentences of these *lengths* have, one column per order."""
    orders = np.arange(1, max_order + 1)
    totals: Counts = np.maximum(0, lengths[:, None] - orders[None, :] + 1)
    return totals


def ngram_overlap(
    pipeline: TextPipeline,
    candidates: Iterable[str],
    references: Sequence[Sequence[str]],
    max_order: int,
) -> NgramOverlap:
    """Return the overlap of each candidate with its references; linear in the number of tokens."""
    vocabulary = Vocabulary()
    encoded = vocabulary.encode(map(pipeline, candidates))
    flat = vocabulary.encode(pipeline(text) for group in references for text in group)
    groups = np.zeros(len(references) + 1, dtype=np.int64)
    np.cumsum([len(group) for group in references], out=groups[1:])
    overlap = _core.ngram_overlap(encoded.arrays, flat.arrays, groups, max_order)
    return NgramOverlap(
        clipped=overlap[:, 0],
        distinct=overlap[:, 1],
        distinct_shared=overlap[:, 2],
        candidate_lengths=encoded.lengths,
        reference_lengths=tuple(np.split(flat.lengths, groups[1:-1])),
    )
