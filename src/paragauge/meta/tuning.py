"""Choosing an option of a metric by what people said, and how the choice does on segments it was not made on."""

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
    """What each setting reaches.

    Attributes:
        correlations: By the name of the setting, with all judgments.
        best: The setting with the highest; of equal ones the first.
        held_out: The correlation of scores that were each made with the setting that is best on the *other* segments:
            what the best setting may be expected to reach on new data.
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
    """Return how well each of *settings* agrees with people, and which does best.

    Args:
        settings: Metrics by name.
        testset: Candidates of one or more systems, with references.
        judgments: Of these candidates.
        criterion: Which criterion; may be left out if there is only one.
        level: Items are candidates, or systems.
        method: Pearson's r, Spearman's rho or Kendall's tau-b.
        folds: Into how many parts segments are divided for `Tuning.held_out`.
        progress: Told how many segments are scored.
    """
    if folds < 2:
        raise OptionError(f"folds must be at least 2, got {folds}")
    counter = Counter(progress, len(settings) * len(testset.candidates) * len(testset))
    rows = []
    for name, metric in settings.items():
        counter.now(name)
        for system in testset.candidates:
            segments = testset.segments(system)
            metric.check(segments)
            # With rows at hand, a metric does not warn for every setting of what is the same in all.
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
        raise DataError("no correlation is defined on these judgments; expected at least two that differ")
    return max(defined, key=defined.__getitem__)


def _columns(evaluation: Evaluation, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Evaluation:
    return replace(
        evaluation,
        segments=tuple(segment for segment, keep in zip(evaluation.segments, chosen, strict=True) if keep),
        human=evaluation.human[:, chosen],
        metrics={name: matrix[:, chosen] for name, matrix in evaluation.metrics.items()},
    )
