"""A whole meta-evaluation at once: rankings of systems, agreement with people, metrics beside one another, and the
candidates about which metric and people disagree most. `paragauge.report` shows it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paragauge.corpora.judgments import Judgments
from paragauge.errors import DataError
from paragauge.meta.agreement import correlate_judges
from paragauge.meta.correlation import Correlation, Level, Method, correlate, correlate_metric, ranks
from paragauge.meta.evaluation import Evaluation, Matrix, ScoreMatrices, join_scores, score_matrices
from paragauge.meta.rankings import Rankings, correlate_wins, ranking_tau
from paragauge.meta.scores import ScoreTable
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.metrics.base import Interval

RANKING = "wins"  # the criterion of rankings: the share of comparisons that a system won


@dataclass(frozen=True, slots=True)
class SystemScore:
    """What a metric, or people by one criterion, gave a system.

    Attributes:
        name: The metric or the criterion.
        value: The mean over segments, unless a score of the whole system was given.
        rank: From 1, the best; ties share the better rank.
    """

    name: str
    system: str
    value: float
    interval: Interval | None
    rank: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a metric agrees with people by one criterion."""

    criterion: str
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far two metrics, or two criteria, agree with one another."""

    one: str
    other: str
    level: Level
    value: float


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """The mean correlation of pairs of judges."""

    criterion: str
    level: Level
    method: Method
    value: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A candidate that a metric and people see differently.

    Attributes:
        score: The metric's.
        human: People's.
        place: Where the metric puts the candidate among all, from 0 (worst) to 1 (best).
        human_place: Where people do.
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
        metrics: Their names, in order of appearance.
        criteria: What people judged; empty if nobody did.
        scores: Of systems, by metrics and by people.
        agreements: Metrics with people.
        likenesses: Metrics with one another, over all candidates that both scored.
        judges: People with one another, where several judged.
        disagreements: The worst, for each metric and criterion.
        evaluations: The numbers behind it, by criterion.
        lower_is_better: Metrics for which less is better.
        dropped: What could not be used, in words.
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
    methods: tuple[Method, ...]
    resamples: int
    seed: int
    dropped: tuple[str, ...] = field(default=())


def make_study(
    scores: ScoreTable,
    people: Judgments | Rankings | None = None,
    *,
    methods: Sequence[Method] = ("pearson", "spearman"),
    lower_is_better: Collection[str] = (),
    disagreements: int = 5,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> Study:
    """Return all that can be said about *scores* of metrics and what *people* said.

    Args:
        scores: Of segments, of whole systems, or both.
        people: Judgments of any number of criteria, or rankings.
        methods: Of correlation.
        lower_is_better: Metrics for which less is better.
        disagreements: How many candidates to show for each metric and criterion, half of them that the metric likes
            better than people do and half the other way round.
        resamples: For bootstrap intervals; 0 for none.
        seed: Of the resamples.
    """
    if not methods:
        raise DataError("a study needs at least one method of correlation")
    numbers = score_matrices(scores)
    names = tuple(dict.fromkeys(row.metric for row in scores))
    lower = frozenset(lower_is_better) & frozenset(names)
    judgments = people.judgments(RANKING) if isinstance(people, Rankings) else people
    criteria = () if judgments is None else tuple(dict.fromkeys(judgments.criteria))
    evaluations = {
        criterion: join_scores(scores, judgments, criterion=criterion)
        for criterion in criteria
        if judgments is not None
    }
    ranked = [score for name in names for score in _metric_scores(numbers, name, name in lower, resamples, seed)]
    for criterion, evaluation in evaluations.items():
        if isinstance(people, Rankings):
            ranked += _wins(people, resamples, seed)
        else:
            ranked += _ranked(criterion, evaluation.systems, evaluation.human, False, resamples, seed)
    agreements = [
        Agreement(criterion, found)
        for criterion, evaluation in evaluations.items()
        for found in (
            _ranking_correlations(scores, numbers, people, names, lower, methods, resamples, seed)
            if isinstance(people, Rankings)
            else _correlations(evaluation, methods, resamples, seed)
        )
    ]
    return Study(
        names,
        criteria,
        numbers.systems,
        numbers.segments,
        tuple(ranked),
        tuple(agreements),
        tuple(_likenesses(numbers, names, methods[0])),
        () if isinstance(people, Rankings) or people is None else tuple(_judges(people, criteria, methods)),
        tuple(
            each
            for criterion, evaluation in evaluations.items()
            for metric in evaluation.metrics
            for each in _disagreements(evaluation, metric, criterion, metric in lower, disagreements)
        ),
        evaluations,
        lower,
        tuple(methods),
        resamples,
        seed,
        tuple(
            dict.fromkeys(
                f"{criterion}: {dropped}" if len(criteria) > 1 else dropped
                for criterion, evaluation in evaluations.items()
                for dropped in evaluation.dropped
            )
        ),
    )


def _metric_scores(numbers: ScoreMatrices, name: str, lower: bool, resamples: int, seed: int) -> Iterator[SystemScore]:
    if name in numbers.metrics:
        yield from _ranked(name, numbers.systems, numbers.metrics[name], lower, resamples, seed)
    else:
        yield from _ranked(name, numbers.systems, numbers.system_scores[name][:, None], lower, 0, seed)


def _ranked(
    name: str, systems: Sequence[str], matrix: Matrix, lower: bool, resamples: int, seed: int
) -> Iterator[SystemScore]:
    """Yield the mean of each system that has any score, with its interval and rank."""
    known = ~np.isnan(matrix)
    filled = np.where(known, matrix, 0.0)
    means = [
        math.fsum(row[have]) / int(have.sum()) if have.any() else math.nan
        for row, have in zip(matrix, known, strict=True)
    ]
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
            yield SystemScore(name, system, mean, intervals[position], place[position])


def _places(values: Sequence[float]) -> list[int]:
    return [1 + sum(other > value for other in values) for value in values]


def _wins(rankings: Rankings, resamples: int, seed: int) -> Iterator[SystemScore]:
    shares = rankings.system_scores()
    intervals = rankings.system_intervals(resamples, seed) if resamples else {}
    for (system, share), place in zip(shares.items(), _places(list(shares.values())), strict=True):
        yield SystemScore(RANKING, system, share, intervals.get(system), place)


def _correlations(
    evaluation: Evaluation, methods: Sequence[Method], resamples: int, seed: int
) -> Iterator[Correlation]:
    levels: tuple[Level, Level] = ("segment", "system")
    for level in levels:
        if level == "system" and len(evaluation.systems) < 2:
            continue
        for metric in evaluation.names if level == "system" else evaluation.metrics:
            for method in methods:
                yield correlate_metric(evaluation, metric, method=method, level=level, resamples=resamples, seed=seed)


def _ranking_correlations(
    scores: ScoreTable,
    numbers: ScoreMatrices,
    rankings: Rankings,
    names: Sequence[str],
    lower: Collection[str],
    methods: Sequence[Method],
    resamples: int,
    seed: int,
) -> Iterator[Correlation]:
    for name in names:
        if name in numbers.metrics:
            yield ranking_tau(scores, name, rankings, lower_is_better=name in lower, resamples=resamples, seed=seed)
    for name in names:
        sign = -1.0 if name in lower else 1.0
        means = {each.system: sign * each.value for each in _metric_scores(numbers, name, False, 0, seed)}
        for method in methods:
            yield correlate_wins(means, name, rankings, method=method, resamples=resamples, seed=seed)


def _likenesses(numbers: ScoreMatrices, names: Sequence[str], method: Method) -> Iterator[Likeness]:
    means = {name: {each.system: each.value for each in _metric_scores(numbers, name, False, 0, 0)} for name in names}
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            if one in numbers.metrics and other in numbers.metrics:
                x, y = numbers.metrics[one].ravel(), numbers.metrics[other].ravel()
                both = ~np.isnan(x) & ~np.isnan(y)
                yield Likeness(one, other, "segment", correlate(x[both], y[both], method))
            common = sorted(means[one].keys() & means[other].keys())
            if len(common) > 1:
                value = correlate([means[one][s] for s in common], [means[other][s] for s in common], method)
                yield Likeness(one, other, "system", value)


def _judges(judgments: Judgments, criteria: Sequence[str], methods: Sequence[Method]) -> Iterator[JudgeAgreement]:
    levels: tuple[Level, Level] = ("segment", "system")
    for criterion in criteria:
        for level in levels:
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
