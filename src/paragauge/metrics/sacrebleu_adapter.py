"""chrF, computed by sacreBLEU.

sacreBLEU also separates statistics from scores, but only internally: the underscored methods called here are those
that its significance tests use. The version that computed a score is in the signature.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, SentenceMetric

# sacreBLEU rejects a segment without reference text; a blank is a reference in which nothing matches.
_BLANK = " "


def reference_streams(segments: Segments) -> list[list[str | None]]:
    """Return references as sacreBLEU expects them: one list per reference, ``None`` where a segment has fewer."""
    groups = [tuple(text or _BLANK for text in group) for group in segments.references or ()]
    width = max(len(group) for group in groups)
    return [[group[k] if k < len(group) else None for group in groups] for k in range(width)]


class SacrebleuMetric(SentenceMetric):
    """A metric whose statistics and formula come from sacreBLEU; subclasses build sacreBLEU's metric."""

    def build(self) -> Any:
        """Return a new sacreBLEU metric with these options."""
        raise TypeError(f"{type(self).__name__} does not implement building its sacreBLEU metric")

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        rows = _built(self)._extract_corpus_statistics(segments.candidates, reference_streams(segments))
        return np.array(rows, dtype=np.float64)

    def measure(self, totals: Sequence[float]) -> Measurement:
        score = _built(self)._compute_score_from_stats(list(totals))
        return Measurement(float(score.score), self.components(score))

    def components(self, score: Any) -> dict[str, float]:
        """Return the other components of sacreBLEU's *score*."""
        return {}


@lru_cache(maxsize=64)
def _built(metric: SacrebleuMetric) -> Any:
    return metric.build()


def sacrebleu_version() -> str:
    """Return the version of sacreBLEU in use."""
    import sacrebleu

    version: str = sacrebleu.__version__
    return version
