"""Agreement of a metric with people, for segments and systems, with intervals: correlations, and the statistics of
pairs in `paragauge.meta.pairs`.

Segment level: every judged candidate is an item. ``average="none"`` correlates all items together (PEM's sentence
level); ``"segment"`` correlates the systems within each segment and averages over segments; ``"system"`` correlates the
segments within each system and averages over systems. System level: each system's score is paired with its mean human
score. The system's score is the metric's score of the whole system if known, otherwise the mean of its segments, over
the candidates that people judged.

Intervals resample segments (or documents) with all their systems, as test sets are sampled; or systems. A resample of
segments is a vector of counts; weighted sums and weighted ranks give exactly the correlation of the resampled items
without creating them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import DataError, OptionError
from paragauge.meta.choices import AVERAGES, LEVELS, METHODS, OF_SEGMENTS, OF_SYSTEMS, STATISTICS, Statistic, Ties
from paragauge.meta.choices import Average as Average
from paragauge.meta.choices import Level as Level
from paragauge.meta.choices import Method as Method
from paragauge.meta.evaluation import Evaluation, Matrix
from paragauge.meta.pairs import (
    Index,
    calibrated_accuracy,
    differences,
    kendall_by_column,
    pairwise_accuracy,
    preferences,
    ratio,
    resampled_calibrated_accuracy,
    resampled_soft_accuracy,
    soft_accuracy,
    wmt_tau_by_segment,
)
from paragauge.meta.significance import DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.metrics.base import Interval
from paragauge.threads import thread_count


@dataclass(frozen=True, slots=True)
class Correlation:
    """Agreement of one metric with people.

    Attributes:
        method: Statistic.
        value: Its value; NaN if it is undefined, as for constant scores.
        items: Number of items compared: candidates or systems, or pairs of them.
        interval: Bootstrap interval, if requested.
    """

    metric: str
    method: Statistic
    level: Level
    average: Average
    value: float
    items: int
    interval: Interval | None = None


def correlate(one: Sequence[float] | Matrix, other: Sequence[float] | Matrix, method: Statistic = "pearson") -> float:
    """Return the correlation of two sequences; NaN if one of them is constant or shorter than two.

    >>> correlate([1, 2, 3, 4], [10, 20, 30, 45], "spearman")
    1.0
    """
    x, y = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise DataError(f"correlation needs two sequences of the same length; found {len(x)} and {len(y)} numbers")
    if method in ("kendall", "kendall-c"):
        return _kendall(x, y, "b" if method == "kendall" else "c")
    if method == "spearman":
        x, y = ranks(x), ranks(y)
    elif method != "pearson":
        raise OptionError(f"no correlation named {method!r}; known: {', '.join([*METHODS, 'kendall-c'])}")
    return float(_pearson_of_rows(x[None, :], y[None, :])[0]) if len(x) > 1 else math.nan


def ranks(values: Matrix) -> Matrix:
    """Return ranks from 1, with the mean rank for ties; for a matrix, row by row. NaN stay NaN."""
    from scipy.stats import rankdata

    result: Matrix = rankdata(values, axis=-1, nan_policy="omit" if np.isnan(values).any() else "propagate")
    return result


def _kendall(x: Matrix, y: Matrix, variant: str = "b") -> float:
    """Return tau-b, which corrects for ties on both sides, or tau-c, which corrects for numbers of categories."""
    from scipy.stats import kendalltau

    if len(x) < 2 or np.all(x == x[0]) or np.all(y == y[0]):
        return math.nan
    return float(kendalltau(x, y, variant=variant).statistic)


def pearson_of_sums(n: Matrix, x: Matrix, y: Matrix, xx: Matrix, yy: Matrix, xy: Matrix) -> Matrix:
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
    return _pearson_of_centred(dx, dy, (x * x).sum(axis=1), (y * y).sum(axis=1))


def _pearson_of_centred(dx: Matrix, dy: Matrix, x_size: Matrix, y_size: Matrix) -> Matrix:
    """Return correlations of rows of deviations from the mean, given the sums of squares before centring."""
    xx, yy, xy = ((a * b).sum(axis=1) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    defined = (xx > 1e-14 * x_size) & (yy > 1e-14 * y_size)
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Matrix = np.where(defined, xy / np.sqrt(xx * yy), np.nan)
    return np.clip(result, -1.0, 1.0)


def correlate_rows(one: Matrix, other: Matrix, method: Statistic) -> Matrix:
    """Return the correlation of each row of *one* with that row of *other*; NaN if undefined. No NaN is allowed."""
    if one.shape[1] < 2:
        return np.full(len(one), np.nan)
    if method in ("kendall", "kendall-c"):
        return kendall_by_column(one.T, other.T, "b" if method == "kendall" else "c")
    return _pearson_of_rows(ranks(one), ranks(other)) if method == "spearman" else _pearson_of_rows(one, other)


def resampled_correlations(
    x: Matrix, y: Matrix, units: NDArray[np.integer], weights: Matrix, method: Statistic
) -> Matrix:
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
    variant = "b" if method == "kendall" else "c"
    return np.array([_kendall(np.repeat(x, row), np.repeat(y, row), variant) for row in counts])


def _int32(numbers: NDArray[np.integer]) -> NDArray[np.int32]:
    return np.ascontiguousarray(numbers, dtype=np.int32)


def _resampled_pearson(x: Matrix, y: Matrix, units: NDArray[np.integer], weights: Matrix) -> Matrix:
    if len(x) < 2 or np.all(x == x[0]) or np.all(y == y[0]):
        return np.full(len(weights), np.nan)
    x, y = x - x.mean(), y - y.mean()
    terms = (np.ones_like(x), x, y, x * x, y * y, x * y)
    by_unit = np.stack([np.bincount(units, term, minlength=weights.shape[1]) for term in terms])
    return pearson_of_sums(*(weights @ by_unit.T).T)


@dataclass(frozen=True, slots=True)
class Question:
    """Matrices of one metric and of people, and how to compare them.

    Attributes:
        metric: Scores (systems, segments), or (systems, 1) for scores of whole systems; higher is better.
        human: Human scores (systems, segments).
        ties: How a metric's ties count in WMT's tau.
        min_difference: Smallest difference of human scores that is a preference in WMT's tau.
        origin: System of each row, if systems were resampled.
    """

    metric: Matrix
    human: Matrix
    method: Statistic
    level: Level
    average: Average
    ties: Ties = "discordant"
    min_difference: float = 0.0
    seed: int = DEFAULT_SEED
    origin: Index | None = None

    def items(self) -> int:
        """Return the number of items compared: candidates, systems, or pairs of them."""
        if self.method == "pairwise-accuracy":
            return self._known_systems() * (self._known_systems() - 1) // 2
        if self.method == "spa":
            known = ~np.isnan(differences(np.where(self.both(), self.human, np.nan)))
            return int(np.count_nonzero(known.any(axis=1)))
        if self.level == "system":
            return self._known_systems()
        if self.method == "kendall-wmt":
            return int(self._tau_counts()[1].sum())
        if self.method == "acc-eq":
            return int(np.count_nonzero(~np.isnan(differences(np.where(self.both(), self.human, np.nan)))))
        return int(np.count_nonzero(self.both()))

    def _known_systems(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.system_means(np.ones((1, self.human.shape[1])))[0][0])))

    def value(self) -> float:
        """Return the statistic for all segments."""
        if self.method == "spa":
            return soft_accuracy(self.metric, self.human, seed=self.seed, origin=self.origin)
        if self.method == "acc-eq":
            return calibrated_accuracy(self.metric, self.human, self.origin).value
        return float(self.values(np.ones((1, self.human.shape[1])))[0])

    def values(self, weights: Matrix) -> Matrix:
        """Return the statistic for each row of *weights*, which count segments."""
        if self.method == "spa":
            return resampled_soft_accuracy(self.metric, self.human, weights)
        if self.level == "system":
            return self._of_systems(weights)
        if self.method == "acc-eq":
            return resampled_calibrated_accuracy(self.metric, self.human, weights)
        if self.method == "kendall-wmt":
            balance, pairs = weights @ self._tau_counts()[0], weights @ self._tau_counts()[1]
            return ratio(balance, pairs)
        if self.average == "none":
            rows, columns = np.nonzero(self.both())
            return resampled_correlations(
                self.metric[rows, columns], self.human[rows, columns], columns, weights, self.method
            )
        if self.average == "segment":
            return _weighted_mean(self.by_segment(), weights)
        parts = [self._of_one_system(i, weights) for i in range(len(self.human))]
        return _mean_of_defined(np.array(parts))

    def of_resampled_systems(self, picks: Index) -> Matrix:
        """Return the statistic for each row of *picks*, the systems in a resample."""
        if self.level == "system" and self.method != "spa":
            metric, human = self.system_means(np.ones((1, self.human.shape[1])))
            own, theirs = np.broadcast_to(metric, human.shape)[0], human[0]
            known = np.flatnonzero(~np.isnan(own) & ~np.isnan(theirs))
            picks = known[picks % len(known)] if len(known) < len(own) else picks
            if self.method != "pairwise-accuracy":
                return correlate_rows(own[picks], theirs[picks], self.method)
            return np.array([pairwise_accuracy(own[None, row], theirs[None, row], row)[0] for row in picks])
        return np.array(
            [replace(self, metric=self.metric[row], human=self.human[row], origin=row).value() for row in picks]
        )

    def both(self) -> NDArray[np.bool_]:
        """Return which candidates have both scores."""
        return ~np.isnan(self.human) & ~np.isnan(np.broadcast_to(self.metric, self.human.shape))

    def by_segment(self) -> Matrix:
        """Return the correlation of the systems within each segment; NaN if undefined."""
        if self.method in ("kendall", "kendall-c"):
            return kendall_by_column(self.metric, self.human, "b" if self.method == "kendall" else "c")
        both = self.both()
        own, theirs = (np.where(both, matrix, np.nan) for matrix in (self.metric, self.human))
        if self.method == "spearman":
            own, theirs = ranks(own.T).T, ranks(theirs.T).T
        counts = both.sum(axis=0)
        centred = [np.where(both, matrix - ratio(np.nansum(matrix, axis=0), counts), 0.0) for matrix in (own, theirs)]
        return _pearson_of_centred(
            *(matrix.T for matrix in centred), *(np.nansum(matrix * matrix, axis=0) for matrix in (own, theirs))
        )

    def _tau_counts(self) -> Matrix:
        wishes = preferences(self.human, self.min_difference, self.origin)
        return wmt_tau_by_segment(self.metric, wishes, self.ties, self.origin)

    def _of_one(self, metric: Matrix, human: Matrix) -> float:
        both = ~np.isnan(metric) & ~np.isnan(human)
        return correlate(metric[both], human[both], self.method) if both.sum() > 1 else math.nan

    def _of_one_system(self, system: int, weights: Matrix) -> Matrix:
        both = self.both()[system]
        if both.sum() < 2:
            return np.full(len(weights), np.nan)
        (columns,) = np.nonzero(both)
        return resampled_correlations(
            self.metric[system, both], self.human[system, both], columns, weights, self.method
        )

    def system_means(self, weights: Matrix) -> tuple[Matrix, Matrix]:
        """Return means (resamples, systems) of the metric and of human scores, over candidates that have both."""
        if self.metric.shape[1] == 1:  # one number per system: only the human side can be resampled
            judged = ~np.isnan(self.human)
            human = ratio(weights @ np.where(judged, self.human, 0.0).T, weights @ judged.T.astype(float))
            metric = np.where(np.isnan(human), np.nan, self.metric[:, 0])
            return metric, np.where(np.isnan(metric), np.nan, human)
        both = self.both()
        count = weights @ both.T.astype(float)
        metric = ratio(weights @ np.where(both, self.metric, 0.0).T, count)
        return metric, ratio(weights @ np.where(both, self.human, 0.0).T, count)

    def _of_systems(self, weights: Matrix) -> Matrix:
        metric, human = self.system_means(weights)
        metric = np.broadcast_to(metric, human.shape)
        if self.method == "pairwise-accuracy":
            return pairwise_accuracy(metric, human, self.origin)
        if np.isnan(metric).any() or np.isnan(human).any():
            return np.array([self._of_one(one, other) for one, other in zip(metric, human, strict=True)])
        return correlate_rows(metric, human, self.method)


def _weighted_mean(values: Matrix, weights: Matrix) -> Matrix:
    defined = ~np.isnan(values)
    return ratio(weights[:, defined] @ values[defined], weights[:, defined].sum(axis=1))


def _mean_of_defined(parts: Matrix) -> Matrix:
    defined = ~np.isnan(parts)
    return ratio(np.where(defined, parts, 0.0).sum(axis=0), defined.sum(axis=0).astype(float))


def check_statistic(method: Statistic, level: Level, average: Average) -> Average:
    """Return how *method* is averaged, or raise an error if it does not exist at this level."""
    for what, given, known in (
        ("statistic", method, STATISTICS),
        ("level", level, LEVELS),
        ("average", average, AVERAGES),
    ):
        if given not in known:
            raise OptionError(f"no {what} named {given!r}; known: {', '.join(known)}")
    if method in OF_SYSTEMS and level == "segment":
        raise OptionError(f"{method} compares systems; choose the level 'system'")
    if method in OF_SEGMENTS and level == "system":
        raise OptionError(f"{method} compares candidates for one segment; choose the level 'segment'")
    if method in OF_SEGMENTS and average == "system":
        raise OptionError(f"{method} compares candidates for one segment and cannot be averaged over systems")
    if method == "acc-eq":
        return "segment"
    return "none" if level == "system" or method == "kendall-wmt" else average


def ask(
    evaluation: Evaluation,
    metric: str,
    method: Statistic,
    level: Level,
    average: Average,
    *,
    ties: Ties = "discordant",
    min_difference: float = 0.0,
    seed: int = DEFAULT_SEED,
) -> Question:
    """Return the question how well *metric* agrees with people."""
    average = check_statistic(method, level, average)
    if level == "system" and metric in evaluation.system_scores and method != "spa":
        own = evaluation.system_scores[metric][:, None]
    elif metric in evaluation.metrics:
        own = evaluation.metrics[metric]
    elif metric in evaluation.system_scores:
        what = "spa needs scores of segments" if method == "spa" else "correlate at system level"
        raise DataError(f"{metric} has only scores of whole systems; {what}")
    else:
        raise OptionError(f"no scores of {metric!r}; known: {', '.join(evaluation.names)}")
    if metric in evaluation.lower_is_better:
        own = -own
    return Question(own, evaluation.human, method, level, average, ties, min_difference, seed)


def correlate_metric(
    evaluation: Evaluation,
    metric: str,
    *,
    method: Statistic = "pearson",
    level: Level = "segment",
    average: Average = "none",
    ties: Ties = "discordant",
    min_difference: float = 0.0,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
    systems: bool = False,
) -> Correlation:
    """Return how well *metric* agrees with people.

    Args:
        evaluation: Scores and judgments.
        metric: One of its metrics.
        method: Statistic, by name.
        level: Whether items are candidates or systems.
        average: At segment level: correlate all items together, or average over segments or systems.
        ties: How a metric's ties count in WMT's tau.
        min_difference: Smallest difference of human scores that is a preference in WMT's tau.
        resamples: Number of bootstrap resamples for the interval; 0 for none.
        seed: Seed for resampling.
        documents: Document of each segment, to resample documents instead of segments.
        systems: Resample systems instead of segments.
    """
    question = ask(evaluation, metric, method, level, average, ties=ties, min_difference=min_difference, seed=seed)
    interval = None
    if resamples:
        values = bootstrap_values_of(question, resamples, seed, documents, systems=systems)
        defined = values[~np.isnan(values)]
        interval = percentile_interval(defined) if len(defined) else None
    return Correlation(metric, method, level, question.average, question.value(), question.items(), interval)


def correlate_metrics(
    evaluation: Evaluation,
    *,
    methods: Sequence[Statistic] = ("pearson",),
    level: Level = "segment",
    average: Average = "none",
    ties: Ties = "discordant",
    min_difference: float = 0.0,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
    systems: bool = False,
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
                ties=ties,
                min_difference=min_difference,
                resamples=resamples,
                seed=seed,
                documents=documents,
                systems=systems,
            )


def bootstrap_values_of(
    question: Question,
    resamples: int,
    seed: int,
    documents: Sequence[str] | None = None,
    *,
    systems: bool = False,
) -> Matrix:
    """Return the statistic for each resample of segments, of documents or of systems."""
    if systems:
        count = len(question.human)
        return question.of_resampled_systems(np.random.default_rng(seed).integers(count, size=(resamples, count)))
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
