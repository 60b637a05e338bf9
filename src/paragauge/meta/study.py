"""A complete meta-evaluation: rankings of systems, agreement with people, similarity of metrics, and the candidates on
which metrics and people disagree most. `paragauge.report` presents it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from paragauge.corpora.judgments import Judgments
from paragauge.errors import DataError
from paragauge.meta.agreement import correlate_judges
from paragauge.meta.choices import LEVELS, Level, Method
from paragauge.meta.correlation import Correlation, correlate, correlate_metrics, ranks
from paragauge.meta.direction import lower_metrics
from paragauge.meta.evaluation import Evaluation, Matrix, ScoreMatrices, join_scores, row_means, score_matrices
from paragauge.meta.rankings import Rankings, correlate_with_rankings
from paragauge.meta.scores import ScoreTable
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.metrics.base import Interval

RANKING = "wins"  # criterion for rankings: share of comparisons won

Source: TypeAlias = Literal["whole system", "mean of segments", "share of wins"]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """Score of a system by a metric, or by people under one criterion.

    Attributes:
        name: Metric or criterion.
        value: Score.
        rank: Rank, from 1 for the best; ties share the better rank.
        source: Source of the score: the metric's score of the whole system if known, otherwise the mean of its
            segments. Human scores are means, or shares of comparisons won.
    """

    name: str
    system: str
    value: float
    interval: Interval | None
    rank: int
    source: Source


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a metric with people under one criterion."""

    criterion: str
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Likeness:
    """Agreement of two metrics or two criteria with each other."""

    one: str
    other: str
    level: Level
    value: float


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Mean correlation of pairs of judges."""

    criterion: str
    level: Level
    method: Method
    value: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A candidate on which a metric and people disagree.

    Attributes:
        score: Score by the metric.
        human: Human score.
        place: Relative rank of the candidate by the metric, from 0 (worst) to 1 (best).
        human_place: Relative rank by people.
    """

    metric: str
    criterion: str
    system: str
    segment: str
    score: float
    human: float
    place: float
    human_place: float


@dataclass(frozen=True)
class Study:
    """All results of a meta-evaluation.

    Attributes:
        metrics: Names of the metrics, in order of appearance.
        criteria: Criteria of the human judgments; empty if there are no judgments.
        scores: Scores of systems by metrics and by people.
        agreements: Agreement of metrics with people.
        likenesses: Agreement of metrics with each other, over all candidates that both scored.
        judges: Agreement among judges, if there are several.
        disagreements: Largest disagreements for each metric and criterion.
        evaluations: Underlying scores, by criterion.
        lower_is_better: Metrics for which lower is better.
        turned: Metrics whose sign was reversed in correlations (see `paragauge.meta.direction`).
        dropped: Descriptions of data that could not be used.
    """

    metrics: tuple[str, ...]
    criteria: tuple[str, ...]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scores: tuple[SystemScore, ...]
    agreements: tuple[Agreement, ...]
    likenesses: tuple[Likeness, ...]
    judges: tuple[JudgeAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    evaluations: Mapping[str, Evaluation]
    lower_is_better: frozenset[str]
    turned: tuple[str, ...]
    methods: tuple[Method, ...]
    resamples: int
    seed: int
    dropped: tuple[str, ...] = field(default=())

    def source(self, name: str) -> Source:
        """Return the source of the scores of systems by this metric or criterion."""
        return next(each.source for each in self.scores if each.name == name)


def make_study(
    scores: ScoreTable,
    people: Judgments | Rankings | None = None,
    *,
    methods: Sequence[Method] = ("pearson", "spearman"),
    lower_is_better: Collection[str] = (),
    disagreements: int = 5,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    intervals: Mapping[tuple[str, str], Interval] | None = None,
) -> Study:
    """Return a complete meta-evaluation of *scores* against the judgments of *people*.

    Args:
        scores: Scores of segments, of whole systems, or both. A system's score is that of the whole system if given,
            otherwise the mean of its segments.
        people: Judgments by any number of criteria, or rankings.
        methods: Correlation coefficients.
        lower_is_better: Metrics for which lower is better, in addition to built-in ones.
        disagreements: Number of candidates to show for each metric and criterion; half of them are rated higher by the
            metric, half by people.
        resamples: Number of bootstrap resamples for intervals; 0 for none.
        seed: Seed for resampling.
        intervals: Intervals of scores of whole systems, by metric and system; intervals of means are computed.
    """
    if not methods:
        raise DataError("no correlation method was given; give at least one")
    numbers = score_matrices(scores)
    names = tuple(name for name in scores.metrics if name in numbers.names)
    lower = lower_metrics(names, lower_is_better)
    rankings = people if isinstance(people, Rankings) else None
    judgments = people.judgments(RANKING) if isinstance(people, Rankings) else people
    criteria = () if judgments is None else tuple(dict.fromkeys(judgments.criteria))
    evaluations = {
        criterion: join_scores(scores, judgments, criterion=criterion, lower_is_better=lower)
        for criterion in criteria
        if judgments is not None
    }
    ranked = [
        score for name in names for score in _of_metric(numbers, name, name in lower, intervals or {}, resamples, seed)
    ]
    agreements: list[Agreement] = []
    for criterion, evaluation in evaluations.items():
        if rankings is None:
            ranked += _means(criterion, evaluation.systems, evaluation.human, False, resamples, seed)
            found = _with_judgments(evaluation, methods, resamples, seed)
        else:
            ranked += _wins(rankings, resamples, seed)
            found = _with_rankings(scores, numbers, rankings, lower, methods, resamples, seed)
        agreements += [Agreement(criterion, each) for each in found]
    return Study(
        metrics=names,
        criteria=criteria,
        systems=numbers.systems,
        segments=numbers.segments,
        scores=tuple(ranked),
        agreements=tuple(agreements),
        likenesses=tuple(_likenesses(numbers, names, lower, methods[0])),
        judges=() if rankings is not None or judgments is None else tuple(_judges(judgments, criteria, methods)),
        disagreements=tuple(
            each
            for criterion, evaluation in evaluations.items()
            for metric in evaluation.metrics
            for each in _disagreements(evaluation, metric, criterion, metric in lower, disagreements)
        ),
        evaluations=evaluations,
        lower_is_better=lower,
        turned=tuple(name for name in names if name in lower),
        methods=tuple(methods),
        resamples=resamples,
        seed=seed,
        dropped=tuple(
            dict.fromkeys(
                f"{criterion}: {dropped}" if len(criteria) > 1 else dropped
                for criterion, evaluation in evaluations.items()
                for dropped in evaluation.dropped
            )
        ),
    )


def _of_metric(
    numbers: ScoreMatrices,
    name: str,
    lower: bool,
    intervals: Mapping[tuple[str, str], Interval],
    resamples: int,
    seed: int,
) -> Iterator[SystemScore]:
    if name not in numbers.system_scores:
        yield from _means(name, numbers.systems, numbers.metrics[name], lower, resamples, seed)
        return
    own = numbers.of_systems(name)
    places = _places([-value if lower else value for value in own.values()])
    for (system, value), place in zip(own.items(), places, strict=True):
        yield SystemScore(name, system, value, intervals.get((name, system)), place, "whole system")


def _means(
    name: str, systems: Sequence[str], matrix: Matrix, lower: bool, resamples: int, seed: int
) -> Iterator[SystemScore]:
    """Yield the mean of each system with any score, with its interval and rank."""
    known = ~np.isnan(matrix)
    filled = np.where(known, matrix, 0.0)
    means = row_means(matrix)
    intervals: list[Interval | None] = [None] * len(systems)
    if resamples:
        drawn = []
        for weights in resample_weights(matrix.shape[1], resamples, seed):
            with np.errstate(invalid="ignore", divide="ignore"):
                drawn.append((weights @ filled.T) / (weights @ known.T.astype(float)))
        for position, column in enumerate(np.concatenate(drawn).T):
            defined = column[~np.isnan(column)]
            intervals[position] = percentile_interval(defined) if len(defined) else None
    place = _places([-mean if lower else mean for mean in means])
    for position, (system, mean) in enumerate(zip(systems, means, strict=True)):
        if not math.isnan(mean):
            yield SystemScore(name, system, mean, intervals[position], place[position], "mean of segments")


def _places(values: Sequence[float]) -> list[int]:
    return [1 + sum(other > value for other in values) for value in values]


def _wins(rankings: Rankings, resamples: int, seed: int) -> Iterator[SystemScore]:
    shares = rankings.system_scores()
    intervals = rankings.system_intervals(resamples, seed) if resamples else {}
    for (system, share), place in zip(shares.items(), _places(list(shares.values())), strict=True):
        yield SystemScore(RANKING, system, share, intervals.get(system), place, "share of wins")


def _with_judgments(
    evaluation: Evaluation, methods: Sequence[Method], resamples: int, seed: int
) -> Iterator[Correlation]:
    if evaluation.metrics:
        yield from correlate_metrics(evaluation, methods=methods, level="segment", resamples=resamples, seed=seed)
    if len(evaluation.systems) > 1:
        yield from correlate_metrics(evaluation, methods=methods, level="system", resamples=resamples, seed=seed)


def _with_rankings(
    scores: ScoreTable,
    numbers: ScoreMatrices,
    rankings: Rankings,
    lower: Collection[str],
    methods: Sequence[Method],
    resamples: int,
    seed: int,
) -> Iterator[Correlation]:
    for level in LEVELS:
        if level == "system" or numbers.metrics:
            yield from correlate_with_rankings(
                scores, rankings, level=level, methods=methods, lower_is_better=lower, resamples=resamples, seed=seed
            )


def _likenesses(
    numbers: ScoreMatrices, names: Sequence[str], lower: Collection[str], method: Method
) -> Iterator[Likeness]:
    of_systems = {name: numbers.of_systems(name) for name in names}
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            sign = -1.0 if (one in lower) != (other in lower) else 1.0
            if one in numbers.metrics and other in numbers.metrics:
                own, others = numbers.metrics[one].ravel(), numbers.metrics[other].ravel()
                both = ~np.isnan(own) & ~np.isnan(others)
                yield Likeness(one, other, "segment", sign * correlate(own[both], others[both], method))
            common = sorted(of_systems[one].keys() & of_systems[other].keys())
            if len(common) > 1:
                x, y = ([of_systems[name][system] for system in common] for name in (one, other))
                value = sign * correlate(x, y, method)
                yield Likeness(one, other, "system", value)


def _judges(judgments: Judgments, criteria: Sequence[str], methods: Sequence[Method]) -> Iterator[JudgeAgreement]:
    for criterion in criteria:
        for level in LEVELS:
            for method in methods:
                pairs = correlate_judges(judgments, criterion=criterion, method=method, level=level)
                values = [pair.value for pair in pairs if not math.isnan(pair.value)]
                if values:
                    yield JudgeAgreement(criterion, level, method, math.fsum(values) / len(values), len(values))


def _disagreements(
    evaluation: Evaluation, metric: str, criterion: str, lower: bool, count: int
) -> Iterator[Disagreement]:
    matrix = evaluation.metrics[metric]
    rows, columns = np.nonzero(~np.isnan(matrix) & ~np.isnan(evaluation.human))
    if len(rows) < 2:
        return
    own, human = matrix[rows, columns], evaluation.human[rows, columns]
    place = (ranks(-own if lower else own) - 1) / (len(own) - 1)
    human_place = (ranks(human) - 1) / (len(own) - 1)
    names = [(evaluation.systems[row], evaluation.segments[column]) for row, column in zip(rows, columns, strict=True)]
    gaps = (place - human_place).tolist()
    half = (count + 1) // 2
    liked = sorted(range(len(gaps)), key=lambda k: (-gaps[k], names[k]))[:half]
    disliked = sorted(range(len(gaps)), key=lambda k: (gaps[k], names[k]))[: count - half]
    for k in dict.fromkeys([*liked, *disliked]):
        if place[k] != human_place[k]:
            yield Disagreement(
                metric,
                criterion,
                *names[k],
                float(own[k]),
                float(human[k]),
                float(place[k]),
                float(human_place[k]),
            )
