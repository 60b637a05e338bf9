"""A complete meta-evaluation: rankings of systems, agreement with people, similarity of metrics, and the candidates on
which metrics and people disagree most. `paragauge.report` presents it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from typing import Literal, TypeAlias

import numpy as np

from paragauge.corpora.judgments import Judgments
from paragauge.errors import DataError
from paragauge.meta.agreement import correlate_judges
from paragauge.meta.choices import LEVELS, Level, Method, Statistic
from paragauge.meta.comparison import MetricComparison, cluster_metrics, compare_metrics
from paragauge.meta.correlation import Correlation, correlate, correlate_metric, correlate_metrics, ranks
from paragauge.meta.direction import lower_metrics
from paragauge.meta.evaluation import Evaluation, Matrix, ScoreMatrices, join_scores, row_means, score_matrices
from paragauge.meta.groups import GroupAgreement, agreement_by_group
from paragauge.meta.rankings import Rankings, compare_with_rankings, correlate_with_rankings
from paragauge.meta.scores import ScoreTable
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.metrics.base import Interval
from paragauge.progress import Progress, watched

_MOST_PERMUTATIONS = 1000
_watched = partial(watched, every=1)  # each item of a study takes long
_MOST_DISPUTED = 3  # pairs of metrics whose disputes are shown
# What metrics are ranked by: of candidates for a segment, and of systems.
_RANKING_STATISTICS: tuple[tuple[Level, Statistic], ...] = (("segment", "acc-eq"), ("system", "spa"))
_OF_WHOLE_SYSTEMS: tuple[tuple[Level, Statistic], ...] = (("system", "pairwise-accuracy"),)

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


@dataclass(frozen=True, slots=True)
class RankedMetric:
    """A metric in the ranking of metrics by one statistic.

    Attributes:
        cluster: Number of its significance cluster, from 1 for the best; ``None`` if nothing was resampled.
    """

    criterion: str
    correlation: Correlation
    cluster: int | None


@dataclass(frozen=True, slots=True)
class MetricDispute:
    """A candidate on which two metrics disagree: the relative ranks that they give it, from 0 (worst) to 1 (best)."""

    one: str
    other: str
    system: str
    segment: str
    one_score: float
    other_score: float
    one_place: float
    other_place: float


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
        ranked: Metrics by criterion and statistic, best first, in clusters.
        disputes: Candidates on which two metrics disagree most, for the pairs of metrics that are least alike.
        groups: Agreement with people by group of segments.
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
    ranked: tuple[RankedMetric, ...] = field(default=())
    disputes: tuple[MetricDispute, ...] = field(default=())
    groups: tuple[GroupAgreement, ...] = field(default=())

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
    groups: Mapping[str, Mapping[str, str]] | None = None,
    progress: Progress | None = None,
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
        groups: Group of each segment, by what they are grouped by.
        progress: Called with the number of scores, correlations, permutations and so on that are done, step by step.
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
        score
        for name in _watched(names, progress, total=len(names), what="scores of systems")
        for score in _of_metric(numbers, name, name in lower, intervals or {}, resamples, seed)
    ]
    for criterion, evaluation in evaluations.items():
        if rankings is None:
            ranked += _means(criterion, evaluation.systems, evaluation.human, False, resamples, seed)
        else:
            ranked += _wins(rankings, resamples, seed)
    agreements = (
        Agreement(criterion, each)
        for criterion, evaluation in evaluations.items()
        for each in (
            _with_judgments(evaluation, methods, resamples, seed)
            if rankings is None
            else _with_rankings(scores, numbers, rankings, lower, methods, resamples, seed)
        )
    )
    by_group = (
        each
        for criterion, evaluation in evaluations.items()
        for kind, members in (groups or {}).items()
        for each in agreement_by_group(evaluation, criterion, kind, members, resamples=resamples, seed=seed)
    )
    return Study(
        metrics=names,
        criteria=criteria,
        systems=numbers.systems,
        segments=numbers.segments,
        scores=tuple(ranked),
        agreements=tuple(_watched(agreements, progress, what="correlations with people")),
        likenesses=tuple(_likenesses(numbers, names, lower, methods[0], progress)),
        judges=(
            () if rankings is not None or judgments is None else tuple(_judges(judgments, criteria, methods, progress))
        ),
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
        ranked=tuple(_ranked_metrics(scores, evaluations, rankings, lower, resamples, seed, progress)),
        disputes=() if people is None else tuple(_disputes(numbers, names, lower, disagreements, progress)),
        groups=tuple(_watched(by_group, progress, what="correlations by group")),
    )


def _ranked_metrics(
    scores: ScoreTable,
    evaluations: Mapping[str, Evaluation],
    rankings: Rankings | None,
    lower: Collection[str],
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> Iterator[RankedMetric]:
    """Yield metrics in clusters: by acc-eq and soft pairwise accuracy, or by WMT's tau where people ranked.

    Where metrics or people have only scores of whole systems, it is by pairwise accuracy.
    """
    permutations = min(resamples, _MOST_PERMUTATIONS)
    for criterion, evaluation in evaluations.items():
        names = list(evaluation.metrics or evaluation.names)
        if len(names) < 2 or len(evaluation.systems) < 2:
            continue
        if rankings is not None:
            taus = correlate_with_rankings(scores, rankings, lower_is_better=lower, resamples=resamples, seed=seed)
            found = list(_watched(taus, progress, what="kendall of metrics"))
            tests = (
                list(
                    compare_with_rankings(
                        scores,
                        rankings,
                        lower_is_better=lower,
                        permutations=permutations,
                        seed=seed,
                        progress=progress,
                    )
                )
                if permutations
                else []
            )
            yield from _in_clusters(criterion, found, tests)
            continue
        for level, method in _RANKING_STATISTICS if evaluation.metrics else _OF_WHOLE_SYSTEMS:
            found = [
                correlate_metric(
                    evaluation,
                    metric,
                    method=method,
                    level=level,
                    resamples=resamples,
                    seed=seed,
                    systems=evaluation.of_whole_systems,
                )
                for metric in _watched(names, progress, total=len(names), what=f"{method} of metrics")
            ]
            tests = (
                compare_metrics(
                    evaluation,
                    names,
                    method=method,
                    level=level,
                    resamples=0,
                    permutations=permutations,
                    seed=seed,
                    progress=progress,
                )
                if permutations
                else []
            )
            yield from _in_clusters(criterion, found, tests)


def _in_clusters(
    criterion: str, found: Sequence[Correlation], tests: Sequence[MetricComparison]
) -> Iterator[RankedMetric]:
    values = {each.metric: each.value for each in found}
    numbers = cluster_metrics(values, tests) if tests else {}
    for each in sorted(found, key=lambda one: (math.isnan(one.value), -one.value, one.metric)):
        yield RankedMetric(criterion, each, numbers.get(each.metric))


def _disputes(
    numbers: ScoreMatrices, names: Sequence[str], lower: Collection[str], count: int, progress: Progress | None
) -> Iterator[MetricDispute]:
    """Yield the candidates on which two metrics disagree most, for the pairs of metrics that are least alike."""
    pairs = []
    known = [name for name in names if name in numbers.metrics]
    for one, other in _pairs_of(known, "disputes of metrics", progress):
        both = ~np.isnan(numbers.metrics[one]) & ~np.isnan(numbers.metrics[other])
        if both.sum() < 2:
            continue
        x, y = ((-1 if name in lower else 1) * numbers.metrics[name][both] for name in (one, other))
        places = [(ranks(side) - 1) / (len(side) - 1) for side in (x, y)]
        pairs.append((float(np.abs(places[0] - places[1]).mean()), one, other, both, places))
    for _, one, other, both, (x, y) in sorted(pairs, key=lambda pair: (-pair[0], pair[1:3]))[:_MOST_DISPUTED]:
        rows, columns = np.nonzero(both)
        order = sorted(range(len(x)), key=lambda k: (-abs(float(x[k] - y[k])), k))[:count]
        for k in order:
            if x[k] != y[k]:
                row, column = rows[k], columns[k]
                yield MetricDispute(
                    one,
                    other,
                    numbers.systems[row],
                    numbers.segments[column],
                    float(numbers.metrics[one][row, column]),
                    float(numbers.metrics[other][row, column]),
                    float(x[k]),
                    float(y[k]),
                )


def _pairs_of(names: Sequence[str], what: str, progress: Progress | None) -> Iterator[tuple[str, str]]:
    return _watched(combinations(names, 2), progress, total=math.comb(len(names), 2), what=what)


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
    if resamples and matrix.shape[1] > 1:  # there is nothing to resample where people judged whole systems
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
        yield from correlate_metrics(
            evaluation,
            methods=methods,
            level="system",
            resamples=resamples,
            seed=seed,
            systems=evaluation.of_whole_systems,
        )


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
    numbers: ScoreMatrices, names: Sequence[str], lower: Collection[str], method: Method, progress: Progress | None
) -> Iterator[Likeness]:
    of_systems = {name: numbers.of_systems(name) for name in names}
    for one, other in _pairs_of(names, "likeness of metrics", progress):
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


def _judges(
    judgments: Judgments, criteria: Sequence[str], methods: Sequence[Method], progress: Progress | None
) -> Iterator[JudgeAgreement]:
    questions = list(product(criteria, LEVELS, methods))
    for criterion, level, method in _watched(questions, progress, total=len(questions), what="agreement of judges"):
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
