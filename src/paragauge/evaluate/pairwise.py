"""Scores of every candidate against every text of another list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, MetricsRequest, metric_names
from paragauge.progress import Counter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class PairwiseRequest(MetricsRequest):
    """Metrics to compute for each pair."""


@dataclass(frozen=True)
class PairScores:
    """Scores of all pairs under a metric.

    Attributes:
        metric: The metric.
        signature: Signature of the scores.
        values: Array of shape (candidates, others).
    """

    metric: SentenceMetric
    signature: Signature
    values: NDArray[np.float64] = field(repr=False, compare=False)


@dataclass(frozen=True)
class PairwiseResult(Result):
    """Scores of pairs, by metric."""

    scores: tuple[PairScores, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric, candidate and other text; both texts are numbered from 1."""
        return [
            {"metric": str(each.metric), "candidate": i, "other": j, "score": value}
            for each in self.scores
            for i, values in enumerate(each.values.tolist(), start=1)
            for j, value in enumerate(values, start=1)
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        notes = [str(each.signature) for each in self.scores]
        return ResultTable(["metric", "candidate", "other", "score"], self.rows(), notes=notes)


def pairwise(
    candidates: Iterable[str],
    others: Iterable[str],
    *,
    metrics: MetricLike | Iterable[MetricLike],
    progress: Progress | None = None,
) -> PairwiseResult:
    """Score every candidate against every text in *others*, each pair separately, for reranking and MBR.

    *Others* are references for translation metrics and originals for paraphrase metrics.
    """
    chosen = PairwiseRequest(metrics=metric_names(metrics)).load_metrics()
    texts, compared = tuple(candidates), tuple(others)
    counter = Counter(progress, len(chosen) * len(texts))
    scores = []
    for metric in chosen:
        counter.now(metric.name)
        scores.append(
            PairScores(
                metric, metric.for_segments().signature_of_pairs(), metric.pairwise(texts, compared, counter.advance)
            )
        )
    return PairwiseResult(tuple(scores))
