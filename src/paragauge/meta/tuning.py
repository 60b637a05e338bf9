"""Tuning of a metric's option to human judgments, and the performance of the choice on held-out segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from paragauge.corpora.judgments import Judgments
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError, OptionError
from paragauge.meta.correlation import Level, Method, correlate_metric
from paragauge.meta.evaluation import Evaluation, join_scores
from paragauge.meta.scores import ScoreRow, ScoreTable
from paragauge.metrics.base import SentenceMetric
from paragauge.progress import Counter, Progress


@dataclass(frozen=True, slots=True)
class Tuning:
    """Correlation reached with each setting.

    Attributes:
        correlations: Correlation with all judgments, by the name of the setting.
        best: Setting with the highest correlation; the first if several are equal.
        held_out: Correlation of scores that were each computed with the setting that is best on the *other* segments,
            which estimates the correlation of the best setting on new data.
    """

    correlations: Mapping[str, float]
    best: str
    held_out: float


def tune(
    settings: Mapping[str, SentenceMetric],
    testset: TestSet,
    judgments: Judgments,
    *,
    criterion: str | None = None,
    level: Level = "segment",
    method: Method = "pearson",
    folds: int = 5,
    progress: Progress | None = None,
) -> Tuning:
    """Return how well each of *settings* agrees with people, and which is best.

    Args:
        settings: Metrics by name.
        testset: Candidates of one or more systems, with references.
        judgments: Judgments of these candidates.
        criterion: Criterion to use; optional if there is only one.
        level: Whether items are candidates or systems.
        method: Pearson's r, Spearman's rho or Kendall's tau-b.
        folds: Number of folds for `Tuning.held_out`.
        progress: Called with the number of segments scored.
    """
    if folds < 2:
        raise OptionError(f"folds must be at least 2; got {folds}")
    counter = Counter(progress, len(settings) * len(testset.candidates) * len(testset))
    rows = []
    for name, metric in settings.items():
        counter.now(name)
        for system in testset.candidates:
            segments = testset.segments(system)
            metric.check(segments)
            # Passing the rows avoids repeating the same warning for every setting.
            scores = metric.score_segments(segments, metric.for_segments().statistics(segments))
            rows += [
                ScoreRow(name, system, segment, score.value) for segment, score in zip(testset.ids, scores, strict=True)
            ]
            counter.advance(len(scores))
    evaluation = join_scores(ScoreTable(tuple(rows)), judgments, criterion=criterion)

    def correlations(part: Evaluation) -> dict[str, float]:
        return {name: correlate_metric(part, name, method=method, level=level).value for name in settings}

    found = correlations(evaluation)
    best = _best(found)
    mixed = np.full_like(evaluation.human, np.nan)
    fold_of = np.arange(len(evaluation.segments)) % folds
    for fold in range(folds):
        inside = fold_of == fold
        if not inside.any() or inside.all():
            continue
        setting = _best(correlations(_columns(evaluation, ~inside)))
        mixed[:, inside] = evaluation.metrics[setting][:, inside]
    joined = replace(evaluation, metrics={"held out": mixed})
    held_out = correlate_metric(joined, "held out", method=method, level=level).value
    return Tuning(found, best, held_out)


def _best(correlations: Mapping[str, float]) -> str:
    defined = {name: value for name, value in correlations.items() if not np.isnan(value)}
    if not defined:
        raise DataError("no correlation is defined for these judgments; expected at least two different scores")
    return max(defined, key=defined.__getitem__)


def _columns(evaluation: Evaluation, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Evaluation:
    return replace(
        evaluation,
        segments=tuple(segment for segment, keep in zip(evaluation.segments, chosen, strict=True) if keep),
        human=evaluation.human[:, chosen],
        metrics={name: matrix[:, chosen] for name, matrix in evaluation.metrics.items()},
    )
