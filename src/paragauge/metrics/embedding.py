"""Cosine of sentence embeddings (Reimers & Gurevych, 2019): how close a model holds two sentences to be.

    embedding(c, r) = cos(v(c), v(r))

v is the vector that the model has for a sentence. Of several references, the closest counts. A system's score is the
mean over its sentences. A text without tokens is close to nothing: 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement
from paragauge.metrics.embedding_metric import DECIMALS, ComparingMetric


@dataclass(frozen=True, kw_only=True)
class SentenceEmbedding(ComparingMetric):
    """Cosine of the embeddings of candidate and reference, or candidate and original."""

    name: ClassVar[str] = "embedding"
    summary: ClassVar[str] = "cosine of sentence embeddings, by a model from disk"
    citation: ClassVar[str] = "Reimers & Gurevych (2019)"

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[cosine, 1]``."""
        groups = self.others(segments)
        texts = [*segments.candidates, *(text for group in groups for text in group)]
        vectors = dict(zip(texts, self.embedder.embed(texts), strict=True))
        rows = [
            [max(cosine(vectors[candidate].sentence, vectors[text].sentence) for text in group), 1.0]
            for candidate, group in zip(segments.candidates, groups, strict=True)
        ]
        return np.array(rows)

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(totals[0] / totals[1])


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the cosine of two vectors of length 1 (or 0)."""
    return round(float(np.dot(one.astype(np.float64), other.astype(np.float64))), DECIMALS)
