"""Comparison of metrics by their agreement with people: pair by pair, and in clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import OptionError
from paragauge.meta.choices import Average, Level, Statistic, Ties
from paragauge.meta.correlation import Question, ask, bootstrap_values_of, correlate
from paragauge.meta.evaluation import Evaluation, Matrix
from paragauge.meta.pairs import Preferences
from paragauge.meta.permutation import SwapTest, clusters, swap_tests
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, centred_p_value, percentile_interval
from paragauge.metrics.base import Interval
from paragauge.progress import Progress


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Comparison of two metrics by their agreement with people.

    Attributes:
        difference: Statistic of *metric* minus that of *other*.
        interval: Bootstrap interval of the difference.
        bootstrap_p: Two-sided p-value from the same resamples, centred on zero.
        permutation_p: Two-sided p-value from randomly swapping the two metrics' standardised scores.
        one_sided_p: One-sided p-value from the same permutations that the better metric is better by chance.
        williams_p: Two-sided p-value of Williams' test for correlations that share the human scores; Pearson only.
    """

    metric: str
    other: str
    method: Statistic
    difference: float
    interval: Interval | None
    bootstrap_p: float | None
    permutation_p: float
    one_sided_p: float
    williams_p: float | None


def compare_metrics(
    evaluation: Evaluation,
    metrics: Sequence[str] | None = None,
    *,
    method: Statistic = "pearson",
    level: Level = "segment",
    average: Average = "none",
    ties: Ties = "discordant",
    min_difference: float = 0.0,
    resamples: int = DEFAULT_RESAMPLES,
    permutations: int = 1000,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
    systems: bool = False,
    progress: Progress | None = None,
) -> list[MetricComparison]:
    """Compare each pair of metrics on the candidates that all of them scored.

    Args:
        evaluation: Scores and judgments.
        metrics: Metrics to compare; by default, all that have scores at *level*.
        method: Statistic, by name.
        level: Whether items are candidates or systems.
        average: At segment level: correlate all items together, or average over segments or systems.
        ties: How a metric's ties count in WMT's tau.
        min_difference: Smallest difference of human scores that is a preference in WMT's tau.
        resamples: Number of bootstrap resamples; 0 for none.
        permutations: Number of permutations.
        seed: Seed for resampling and permuting.
        documents: Document of each segment, to resample documents instead of segments.
        systems: Resample systems instead of segments.
        progress: Called with the number of permutations done.
    """
    names = list(evaluation.names_at(level) if metrics is None else metrics)
    if len(names) < 2:
        raise OptionError(f"comparing needs scores of at least two metrics; found only {', '.join(names)}")
    questions = common_items(
        [
            ask(evaluation, name, method, level, average, ties=ties, min_difference=min_difference, seed=seed)
            for name in names
        ]
    )
    drawn = [bootstrap_values_of(each, resamples, seed, documents, systems=systems) for each in questions if resamples]
    values = [each.value() for each in questions]
    tests = swap_tests(questions, permutations=permutations, seed=seed, progress=progress)
    found = comparisons_of(
        method,
        dict(zip(names, values, strict=True)),
        dict(zip(names, drawn, strict=True)) if resamples else {},
        tests,
    )
    if method != "pearson" or questions[0].average != "none":
        return found
    return [
        replace(each, williams_p=_williams_of(questions[test.one], questions[test.other]))
        for each, test in zip(found, tests, strict=True)
    ]


def comparisons_of(
    method: Statistic, values: Mapping[str, float], drawn: Mapping[str, Matrix], tests: Sequence[SwapTest]
) -> list[MetricComparison]:
    """Return comparisons from the statistic of each metric, its resampled values, if any, and permutation tests."""
    names = list(values)
    found = []
    for test in tests:
        one, other = names[test.one], names[test.other]
        observed = values[one] - values[other]
        interval, p_value = _of_resamples(drawn[one] - drawn[other], observed) if drawn else (None, None)
        found.append(
            MetricComparison(one, other, method, observed, interval, p_value, test.two_sided, test.one_sided, None)
        )
    return found


def compare_preferences(
    metrics: Mapping[str, Matrix],
    wishes: Preferences,
    *,
    ties: Ties,
    resamples: int,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[MetricComparison]:
    """Compare each pair of metrics by WMT's tau over the pairs of candidates that people ranked.

    Args:
        metrics: Scores (systems, segments) of each metric; higher is better.
        wishes: How often people preferred one candidate to another.
        ties: How a metric's ties count.
        resamples: Number of bootstrap resamples of segments; 0 for none.
        permutations: Number of permutations.
        seed: Seed for resampling and permuting.
        progress: Called with the number of permutations done.
    """
    from paragauge.meta.pairs import ratio, wmt_tau_by_segment
    from paragauge.meta.significance import resample_weights

    names = list(metrics)
    gaps = np.isnan(np.stack(list(metrics.values()))).any(axis=0)
    questions, counts = [], []
    for matrix in metrics.values():
        kept = np.where(gaps, np.nan, matrix)
        questions.append(Question(kept, kept, "kendall-wmt", "segment", "none", ties, 0.0, seed))
        counts.append(wmt_tau_by_segment(kept, wishes, ties))
    weights = list(resample_weights(gaps.shape[1], resamples, seed)) if resamples else []
    drawn = [np.concatenate([ratio(rows @ each[0], rows @ each[1]) for rows in weights]) for each in counts if weights]
    values = {name: float(ratio(*each.sum(axis=1))) for name, each in zip(names, counts, strict=True)}
    tests = swap_tests(questions, permutations=permutations, seed=seed, wishes=wishes, progress=progress)
    return comparisons_of("kendall", values, dict(zip(names, drawn, strict=True)) if drawn else {}, tests)


def cluster_metrics(values: Mapping[str, float], comparisons: Sequence[MetricComparison]) -> dict[str, int]:
    """Return the significance cluster of each metric, from 1 for the best (see `paragauge.meta.permutation.clusters`).

    Args:
        values: Statistic of each metric.
        comparisons: Comparisons of all pairs of them by that statistic.
    """
    p_values = {frozenset((each.metric, each.other)): each.one_sided_p for each in comparisons}
    names = list(values)

    def better(one: int, other: int) -> float:
        return p_values[frozenset((names[one], names[other]))]

    return dict(zip(names, clusters(list(values.values()), better), strict=True))


def common_items(questions: Sequence[Question]) -> list[Question]:
    """Return the *questions* about the same candidates, or the difference of two metrics would reflect the data."""
    by_shape: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    for each in questions:
        gaps = by_shape.setdefault(each.metric.shape, np.zeros(each.metric.shape, bool))
        gaps |= np.isnan(each.metric)
    return [replace(each, metric=np.where(by_shape[each.metric.shape], np.nan, each.metric)) for each in questions]


def _of_resamples(drawn: Matrix, observed: float) -> tuple[Interval | None, float]:
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn) or math.isnan(observed):
        return None, math.nan
    return percentile_interval(drawn), centred_p_value(drawn, observed)


def _williams_of(one: Question, two: Question) -> float:
    if one.level == "system":
        ones = np.ones((1, one.human.shape[1]))
        (x, human), (y, _) = one.system_means(ones), two.system_means(ones)
        x, y, human = x[0], y[0], human[0]
    else:
        x, y, human = one.metric.ravel(), two.metric.ravel(), one.human.ravel()
    known = ~np.isnan(x) & ~np.isnan(y) & ~np.isnan(human)
    x, y, human = x[known], y[known], human[known]
    return williams_test(correlate(human, x), correlate(human, y), correlate(x, y), len(human))


def williams_test(r_one: float, r_two: float, r_between: float, n: int) -> float:
    """Return the two-sided p-value of Williams' (1959) test that two dependent correlations are equal.

    Args:
        r_one: Correlation of human scores with the first metric.
        r_two: Correlation of human scores with the second metric.
        r_between: Correlation of the two metrics.
        n: Number of items.
    """
    from scipy.stats import t as student

    if n < 4 or any(math.isnan(r) for r in (r_one, r_two, r_between)):
        return math.nan
    determinant = 1 - r_one**2 - r_two**2 - r_between**2 + 2 * r_one * r_two * r_between
    mean = (r_one + r_two) / 2
    spread = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_between) ** 3
    if spread <= 0:
        return 1.0 if r_one == r_two else 0.0
    statistic = (r_one - r_two) * math.sqrt((n - 1) * (1 + r_between) / spread)
    return float(2 * student.sf(abs(statistic), n - 3))
