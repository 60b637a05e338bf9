"""Agreement of a metric with people: Pearson, Spearman and Kendall, for segments and systems, with intervals.

Segment level: every judged candidate is an item. ``average="none"`` correlates all items together (PEM's sentence
level); ``"segment"`` correlates the systems within each segment and averages over segments; ``"system"`` correlates the
segments within each system and averages over systems. System level: each system's score is paired with its mean human
score. The system's score is the metric's score of the whole system if known, otherwise the mean of its segments, over
the candidates that people judged.

Intervals resample segments (or documents) with all their systems, as test sets are sampled. A resample is a vector of
counts; weighted sums and weighted ranks give exactly the correlation of the resampled items without creating them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import DataError, OptionError
from paragauge.meta.choices import AVERAGES, LEVELS, METHODS
from paragauge.meta.choices import Average as Average
from paragauge.meta.choices import Level as Level
from paragauge.meta.choices import Method as Method
from paragauge.meta.evaluation import Evaluation, Matrix
from paragauge.meta.significance import DEFAULT_RESAMPLES, DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.metrics.base import Interval
from paragauge.threads import thread_count


@dataclass(frozen=True, slots=True)
class Correlation:
    """Agreement of one metric with people.

    Attributes:
        value: Correlation coefficient; NaN if it is undefined, as for constant scores.
        items: Number of items correlated: candidates or systems.
        interval: Bootstrap interval, if requested.
    """

    metric: str
    method: Method
    level: Level
    average: Average
    value: float
    items: int
    interval: Interval | None = None


def correlate(one: Sequence[float] | Matrix, other: Sequence[float] | Matrix, method: Method = "pearson") -> float:
    """Return the correlation of two sequences; NaN if one of them is constant or shorter than two.

    >>> correlate([1, 2, 3, 4], [10, 20, 30, 45], "spearman")
    1.0
    """
    x, y = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise DataError(f"correlation needs two sequences of the same length; found {len(x)} and {len(y)} numbers")
    if method == "kendall":
        return _kendall(x, y)
    if method == "spearman":
        x, y = ranks(x), ranks(y)
    elif method != "pearson":
        raise OptionError(f"no correlation named {method!r}; known: {', '.join(METHODS)}")
    return float(_pearson_of_rows(x[None, :], y[None, :])[0]) if len(x) > 1 else math.nan


def ranks(values: Matrix) -> Matrix:
    """Return ranks from 1, with the mean rank for ties; for a matrix, row by row."""
    from scipy.stats import rankdata

    result: Matrix = rankdata(values, axis=-1)
    return result


def _kendall(x: Matrix, y: Matrix) -> float:
    """Return tau-b, which corrects for ties on both sides."""
    from scipy.stats import kendalltau

    if len(x) < 2 or np.all(x == x[0]) or np.all(y == y[0]):
        return math.nan
    return float(kendalltau(x, y).statistic)


def _pearson_of_sums(n: Matrix, x: Matrix, y: Matrix, xx: Matrix, yy: Matrix, xy: Matrix) -> Matrix:
    """Return Pearson correlations from sums of (centred) values, squares and products; NaN if a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        own, other = xx - x * x / n, yy - y * y / n
        # Rounding leaves a trace of variance if all values are equal; the correlation is then undefined, not large.
        defined = (own > 1e-14 * xx) & (other > 1e-14 * yy)
        result: Matrix = np.where(defined, (xy - x * y / n) / np.sqrt(own * other), np.nan)
    return np.clip(result, -1.0, 1.0)


def _pearson_of_rows(x: Matrix, y: Matrix) -> Matrix:
    """Return the Pearson correlation of each row of *x* with the same row of *y*."""
    dx, dy = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    xx, yy, xy = ((a * b).sum(axis=1) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    defined = (xx > 1e-14 * (x * x).sum(axis=1)) & (yy > 1e-14 * (y * y).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Matrix = np.where(defined, xy / np.sqrt(xx * yy), np.nan)
    return np.clip(result, -1.0, 1.0)


def correlate_rows(one: Matrix, other: Matrix, method: Method) -> Matrix:
    """Return the correlation of each row of *one* with that row of *other*; NaN if undefined. No NaN is allowed."""
    if method == "kendall" or one.shape[1] < 2:
        return np.array([correlate(x, y, method) for x, y in zip(one, other, strict=True)])
    return _pearson_of_rows(ranks(one), ranks(other)) if method == "spearman" else _pearson_of_rows(one, other)


def _resampled(x: Matrix, y: Matrix, units: NDArray[np.integer], weights: Matrix, method: Method) -> Matrix:
    """Return the correlation of items for each row of *weights*, which says how often each item's unit counts.

    Pearson needs only sums by unit, so a thousand resamples are one matrix product; ranks change with every resample
    and are computed in the native core.
    """
    if method == "pearson":
        return _resampled_pearson(x, y, units, weights)
    if method == "spearman":
        (x_values, x_group), (y_values, y_group) = (np.unique(side, return_inverse=True) for side in (x, y))
        return _core.weighted_spearman(
            _int32(x_group),
            _int32(y_group),
            units=_int32(units),
            x_groups=len(x_values),
            y_groups=len(y_values),
            weights=np.ascontiguousarray(weights),
            threads=thread_count(None),
        )
    counts = weights.astype(np.int64)[:, units]
    return np.array([_kendall(np.repeat(x, row), np.repeat(y, row)) for row in counts])


def _int32(numbers: NDArray[np.integer]) -> NDArray[np.int32]:
    return np.ascontiguousarray(numbers, dtype=np.int32)


def _resampled_pearson(x: Matrix, y: Matrix, units: NDArray[np.integer], weights: Matrix) -> Matrix:
    if len(x) < 2 or np.all(x == x[0]) or np.all(y == y[0]):
        return np.full(len(weights), np.nan)
    x, y = x - x.mean(), y - y.mean()
    terms = (np.ones_like(x), x, y, x * x, y * y, x * y)
    by_unit = np.stack([np.bincount(units, term, minlength=weights.shape[1]) for term in terms])
    return _pearson_of_sums(*(weights @ by_unit.T).T)


@dataclass(frozen=True, slots=True)
class _Question:
    """Matrices of one metric and of people, and how to correlate them."""

    metric: Matrix
    human: Matrix
    method: Method
    level: Level
    average: Average

    def items(self) -> int:
        if self.level == "system":
            return int(np.count_nonzero(~np.isnan(self._system_means(np.ones((1, self.human.shape[1])))[0][0])))
        return int(np.count_nonzero(self._both()))

    def value(self) -> float:
        return float(self.values(np.ones((1, self.human.shape[1])))[0])

    def values(self, weights: Matrix) -> Matrix:
        """Return the correlation for each row of *weights*, which count segments."""
        if self.level == "system":
            return self._of_systems(weights)
        if self.average == "none":
            rows, columns = np.nonzero(self._both())
            return _resampled(self.metric[rows, columns], self.human[rows, columns], columns, weights, self.method)
        if self.average == "segment":
            each = np.array([self._of_one(self.metric[:, j], self.human[:, j]) for j in range(self.human.shape[1])])
            return _weighted_mean(each, weights)
        parts = [self._of_one_system(i, weights) for i in range(len(self.human))]
        return _mean_of_defined(np.array(parts))

    def _both(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.human) & ~np.isnan(np.broadcast_to(self.metric, self.human.shape))

    def _of_one(self, metric: Matrix, human: Matrix) -> float:
        both = ~np.isnan(metric) & ~np.isnan(human)
        return correlate(metric[both], human[both], self.method) if both.sum() > 1 else math.nan

    def _of_one_system(self, system: int, weights: Matrix) -> Matrix:
        both = self._both()[system]
        if both.sum() < 2:
            return np.full(len(weights), np.nan)
        (columns,) = np.nonzero(both)
        return _resampled(self.metric[system, both], self.human[system, both], columns, weights, self.method)

    def _system_means(self, weights: Matrix) -> tuple[Matrix, Matrix]:
        """Return means (resamples, systems) of the metric and of human scores, over candidates that have both."""
        if self.metric.shape[1] == 1:  # one number per system: only the human side can be resampled
            judged = ~np.isnan(self.human)
            human = _ratio(weights @ np.where(judged, self.human, 0.0).T, weights @ judged.T.astype(float))
            metric = np.where(np.isnan(human), np.nan, self.metric[:, 0])
            return metric, np.where(np.isnan(metric), np.nan, human)
        both = self._both()
        count = weights @ both.T.astype(float)
        metric = _ratio(weights @ np.where(both, self.metric, 0.0).T, count)
        return metric, _ratio(weights @ np.where(both, self.human, 0.0).T, count)

    def _of_systems(self, weights: Matrix) -> Matrix:
        metric, human = self._system_means(weights)
        metric = np.broadcast_to(metric, human.shape)
        if np.isnan(metric).any() or np.isnan(human).any():
            return np.array([self._of_one(one, other) for one, other in zip(metric, human, strict=True)])
        return correlate_rows(metric, human, self.method)


def _ratio(sums: Matrix, counts: Matrix) -> Matrix:
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Matrix = np.where(counts > 0, sums / counts, np.nan)
    return result


def _weighted_mean(values: Matrix, weights: Matrix) -> Matrix:
    defined = ~np.isnan(values)
    return _ratio(weights[:, defined] @ values[defined], weights[:, defined].sum(axis=1))


def _mean_of_defined(parts: Matrix) -> Matrix:
    defined = ~np.isnan(parts)
    return _ratio(np.where(defined, parts, 0.0).sum(axis=0), defined.sum(axis=0).astype(float))


def _question(evaluation: Evaluation, metric: str, method: Method, level: Level, average: Average) -> _Question:
    if method not in METHODS:
        raise OptionError(f"no correlation named {method!r}; known: {', '.join(METHODS)}")
    if level not in LEVELS:
        raise OptionError(f"no level named {level!r}; known: {', '.join(LEVELS)}")
    if average not in AVERAGES:
        raise OptionError(f"no average named {average!r}; known: {', '.join(AVERAGES)}")
    if level == "system" and metric in evaluation.system_scores:
        return _Question(evaluation.system_scores[metric][:, None], evaluation.human, method, level, "none")
    if metric in evaluation.metrics:
        return _Question(evaluation.metrics[metric], evaluation.human, method, level, average)
    if metric in evaluation.system_scores:
        raise DataError(f"{metric} has only scores of whole systems; correlate at system level")
    raise OptionError(f"no scores of {metric!r}; known: {', '.join(evaluation.names)}")


def correlate_metric(
    evaluation: Evaluation,
    metric: str,
    *,
    method: Method = "pearson",
    level: Level = "segment",
    average: Average = "none",
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> Correlation:
    """Return how well *metric* agrees with people.

    Args:
        evaluation: Scores and judgments.
        metric: One of its metrics.
        method: Pearson's r, Spearman's rho or Kendall's tau-b.
        level: Whether items are candidates or systems.
        average: At segment level: correlate all items together, or average over segments or systems.
        resamples: Number of bootstrap resamples for the interval; 0 for none.
        seed: Seed for resampling.
        documents: Document of each segment, to resample documents instead of segments.
    """
    question = _question(evaluation, metric, method, level, average)
    interval = None
    if resamples:
        values = _bootstrap(question, resamples, seed, documents)
        defined = values[~np.isnan(values)]
        interval = percentile_interval(defined) if len(defined) else None
    return Correlation(metric, method, level, question.average, question.value(), question.items(), interval)


def correlate_metrics(
    evaluation: Evaluation,
    *,
    methods: Sequence[Method] = ("pearson",),
    level: Level = "segment",
    average: Average = "none",
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> Iterator[Correlation]:
    """Yield how well each metric with scores at *level* agrees with people, by each method."""
    for metric in evaluation.names_at(level):
        for method in methods:
            yield correlate_metric(
                evaluation,
                metric,
                method=method,
                level=level,
                average=average,
                resamples=resamples,
                seed=seed,
                documents=documents,
            )


def _bootstrap(question: _Question, resamples: int, seed: int, documents: Sequence[str] | None) -> Matrix:
    weights = _segment_weights(question.human.shape[1], resamples, seed, documents)
    return np.concatenate([question.values(block) for block in weights])


def _segment_weights(segments: int, resamples: int, seed: int, documents: Sequence[str] | None) -> Iterator[Matrix]:
    if documents is None:
        yield from resample_weights(segments, resamples, seed)
        return
    if len(documents) != segments:
        raise DataError(f"found documents for {len(documents)} segments, expected {segments}")
    names, of_segment = np.unique(np.array(documents), return_inverse=True)
    for weights in resample_weights(len(names), resamples, seed):
        yield weights[:, of_segment]


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Comparison of two metrics by their agreement with people.

    Attributes:
        difference: Correlation of *metric* minus that of *other*.
        interval: Bootstrap interval of the difference.
        bootstrap_p: Two-sided p-value from the same resamples, centred on zero.
        permutation_p: Two-sided p-value from randomly swapping the two metrics' standardised scores.
        williams_p: Two-sided p-value of Williams' test for correlations that share the human scores; Pearson only.
    """

    metric: str
    other: str
    method: Method
    difference: float
    interval: Interval | None
    bootstrap_p: float
    permutation_p: float
    williams_p: float | None


def compare_metrics(
    evaluation: Evaluation,
    metric: str,
    other: str,
    *,
    method: Method = "pearson",
    level: Level = "segment",
    average: Average = "none",
    resamples: int = DEFAULT_RESAMPLES,
    permutations: int = 1000,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> MetricComparison:
    """Compare how well two metrics agree with people on the candidates that both scored."""
    one = _question(evaluation, metric, method, level, average)
    two = _question(evaluation, other, method, level, average)
    if one.metric.shape == two.metric.shape:  # use the same items for both, or the difference would reflect the data
        gaps = np.isnan(one.metric) | np.isnan(two.metric)
        one, two = (_without(question, gaps) for question in (one, two))
    observed = one.value() - two.value()
    drawn = _bootstrap(one, resamples, seed, documents) - _bootstrap(two, resamples, seed, documents)
    drawn = drawn[~np.isnan(drawn)]
    swapped = _swapped_differences(one, two, permutations, seed)
    return MetricComparison(
        metric,
        other,
        method,
        observed,
        percentile_interval(drawn) if len(drawn) else None,
        _p_value(drawn - drawn.mean(), observed) if len(drawn) else math.nan,
        _p_value(swapped, observed),
        _williams_of(one, two) if method == "pearson" and one.average == "none" else None,
    )


def _without(question: _Question, gaps: NDArray[np.bool_]) -> _Question:
    metric = np.where(gaps, np.nan, question.metric)
    return _Question(metric, question.human, question.method, question.level, question.average)


def _p_value(differences: Matrix, observed: float) -> float:
    if math.isnan(observed):
        return math.nan
    reached = np.abs(differences) >= abs(observed) * (1 - 1e-12) - 1e-12
    return float((np.count_nonzero(reached) + 1) / (len(differences) + 1))


def _standardised(matrix: Matrix) -> Matrix:
    spread = np.nanstd(matrix)
    result: Matrix = (matrix - np.nanmean(matrix)) / (spread if spread > 0 else 1.0)
    return result


def _swapped_differences(one: _Question, two: _Question, permutations: int, seed: int) -> Matrix:
    """Return differences after swapping the metrics' scores candidate by candidate (Deutsch et al., 2021)."""
    first, second = _standardised(one.metric), _standardised(two.metric)
    if first.shape != second.shape:
        first, second = (np.broadcast_to(matrix, one.human.shape) for matrix in (first, second))
    rng = np.random.default_rng(seed)
    differences = []
    for _ in range(permutations):
        swap = rng.random(first.shape) < 0.5
        a = _Question(np.where(swap, second, first), one.human, one.method, one.level, one.average)
        b = _Question(np.where(swap, first, second), one.human, one.method, one.level, one.average)
        differences.append(a.value() - b.value())
    values: Matrix = np.array(differences)
    defined: Matrix = values[~np.isnan(values)]
    return defined


def _williams_of(one: _Question, two: _Question) -> float:
    if one.level == "system":
        ones = np.ones((1, one.human.shape[1]))
        (x, human), (y, _) = one._system_means(ones), two._system_means(ones)
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
