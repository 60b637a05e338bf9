"""N-gram overlap of candidates with their references, for whole corpora at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.text import TextPipeline
from paragauge.threads import thread_count

Counts = NDArray[np.int64]
EncodedArrays: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class NgramOverlap:
    """N-gram counts of candidates and of their matches in the references.

    Arrays have one row per segment; n-gram arrays have one column per order n = 1..N.

    Attributes:
        clipped: Matches, each n-gram counted at most as often as in the reference that contains it most often.
        distinct: Number of distinct n-grams of the candidate.
        distinct_shared: Number of those that occur in any reference.
        candidate_lengths: Number of tokens of the candidate.
        reference_lengths: Number of tokens of each reference of each segment, in order.
    """

    clipped: Counts
    distinct: Counts
    distinct_shared: Counts
    candidate_lengths: Counts
    reference_lengths: tuple[Counts, ...]

    @property
    def totals(self) -> Counts:
        """The number of n-grams of the candidates: ``max(0, length - n + 1)`` for each order."""
        return ngram_totals(self.candidate_lengths, self.clipped.shape[1])


def ngram_totals(lengths: Counts, max_order: int) -> Counts:
    """Return the number of n-grams in sentences of these *lengths*, one column per order."""
    orders = np.arange(1, max_order + 1)
    totals: Counts = np.maximum(0, lengths[:, None] - orders[None, :] + 1)
    return totals


def encode_groups(
    pipeline: TextPipeline, candidates: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[EncodedArrays, EncodedArrays, Counts]:
    """Return candidates and references as numbers, and where the references of each candidate begin."""
    encoded, flat = pipeline.encode(candidates, [text for group in references for text in group])
    groups = np.zeros(len(references) + 1, dtype=np.int64)
    np.cumsum([len(group) for group in references], out=groups[1:])
    return encoded.arrays, flat.arrays, groups


def ngram_overlap(
    pipeline: TextPipeline,
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    max_order: int,
) -> NgramOverlap:
    """Return the overlap of each candidate with its references; linear in the number of tokens."""
    encoded, flat, groups = encode_groups(pipeline, candidates, references)
    overlap = _core.ngram_overlap(encoded, flat, groups, max_order, thread_count(None))
    return NgramOverlap(
        clipped=overlap[:, 0],
        distinct=overlap[:, 1],
        distinct_shared=overlap[:, 2],
        candidate_lengths=np.diff(encoded[1]),
        reference_lengths=tuple(np.split(np.diff(flat[1]), groups[1:-1])),
    )
