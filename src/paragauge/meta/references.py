"""The effect of references on a metric: the experiments of the ParaEval paper (Zhou, Lin & Hovy, 2006), for any metric.

- Correlation with people for each single reference and for all references together (tables 3, 5 and 6).
- References against each other: how far each differs from the rest (table 4).
- References among the systems: whether a metric ranks people above machines (figure 5).

Scores are those of whole systems, computed from summed statistics. As in the paper's bootstrap, a resample draws
segments (or documents), scores every system on them and correlates the scores with the human ranking, which does not
change. Human scores of systems count as such a ranking, so the sign of metrics for which lower is better is reversed
(`paragauge.meta.direction`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judgments import Judgments
from paragauge.corpora.segments import Segments
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError
from paragauge.meta.choices import Method
from paragauge.meta.correlation import correlate, correlate_rows
from paragauge.meta.direction import sign_of
from paragauge.meta.evaluation import select
from paragauge.meta.rankings import Rankings
from paragauge.meta.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    bootstrap_values,
    centred_p_value,
    percentile_interval,
)
from paragauge.metrics.base import Interval, SentenceMetric, Statistics
from paragauge.metrics.bleu import Bleu
from paragauge.progress import Counter, Progress

ALL = "all"

Advance: TypeAlias = Callable[[int], object]

# BLEU in three steps: modified unigram precision, geometric mean of precisions, times the brevity penalty.
BLEU_STEPS: tuple[Bleu, ...] = (Bleu(max_order=1, brevity_penalty=False), Bleu(brevity_penalty=False), Bleu())


@dataclass(frozen=True, slots=True)
class ReferenceCorrelation:
    """Agreement of a metric with people on systems, given certain references.

    Attributes:
        references: Name of a single reference, or ``all``.
        criterion: Criterion of the human judgments.
        interval: Percentiles of resamples: where the correlation may lie.
        systems: Number of systems correlated.
        mean_interval: The paper's interval: that of the mean of the resamples (Student's t), which shrinks with their
            number. It says how exactly the mean was computed, not how far the correlation may lie from it.
    """

    metric: str
    references: str
    criterion: str
    method: Method
    value: float
    interval: Interval | None
    systems: int
    mean_interval: Interval | None = None
    resampled: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ReferenceComparison:
    """Comparison of two metrics by their agreement with people, given the same references.

    Attributes:
        difference: Correlation of *metric* minus that of *other*.
        interval: Percentiles of the differences in the same resamples: where the difference may lie.
        bootstrap_p: Two-sided p-value of these differences, centred on zero.
        t: Student's t of the mean difference of the resamples, paired: the paper's test.
        t_p: Its two-sided p-value. Like the interval of the mean, it shrinks with the number of resamples, and does not
            say whether other segments would give the same order of metrics; *bootstrap_p* does.
    """

    metric: str
    other: str
    references: str
    criterion: str
    method: Method
    difference: float
    interval: Interval
    bootstrap_p: float
    t: float
    t_p: float


@dataclass(frozen=True, slots=True)
class RankedScore:
    """Score of a system, or of a reference treated as a system.

    Attributes:
        rank: Rank, from 1 for the best.
    """

    metric: str
    name: str
    human: bool
    value: float
    interval: Interval | None
    rank: int


def human_scores(people: Judgments | Rankings, criterion: str | None = None) -> dict[str, float]:
    """Return the human score of each system: the mean over segments, or the share of comparisons won."""
    if isinstance(people, Rankings):
        return people.system_scores()
    found: dict[str, list[float]] = {}
    for row in select(people, criterion=criterion).mean_over_judges():
        if row.score is not None:
            found.setdefault(row.system, []).append(row.score)
    return {system: math.fsum(values) / len(values) for system, values in found.items()}


def correlate_by_reference(
    metrics: Sequence[SentenceMetric],
    testset: TestSet,
    human: Mapping[str, Mapping[str, float]],
    *,
    methods: Sequence[Method] = ("spearman",),
    by_document: bool = False,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> list[ReferenceCorrelation]:
    """Return the correlation of each metric with people, for each single reference and for all references.

    Args:
        metrics: Metrics that use references.
        testset: Systems and references.
        human: Human scores of systems, by criterion.
        methods: Correlation coefficients.
        by_document: Resample documents instead of segments; the test set must have document names.
        resamples: Number of bootstrap resamples for intervals; 0 for none.
        seed: Seed for resampling.
        progress: Called with the number of segments scored.
    """
    judged = {criterion: [name for name in testset.candidates if name in scores] for criterion, scores in human.items()}
    for criterion, systems in judged.items():
        if len(systems) < 2:
            raise DataError(
                f"people judged {len(systems)} of the systems ({', '.join(testset.candidates)}) by {criterion}, "
                "expected at least two; use the same names for systems"
            )
    documents = _documents(testset, by_document)
    names = (*testset.references, *([ALL] if len(testset.references) > 1 else []))
    compared = list(dict.fromkeys(system for systems in judged.values() for system in systems))
    counter = Counter(progress, len(metrics) * len(names) * len(compared) * len(testset))
    found = []
    for metric in metrics:
        sign = sign_of(metric)
        for name in names:
            counter.now(f"{metric.name}, reference {name}")
            chosen = testset if name == ALL else replace(testset, references={name: testset.references[name]})
            values: dict[str, float] = {}
            drawn: dict[str, NDArray[np.float64]] = {}
            for system in compared:
                rows = _rows(metric, chosen.segments(system), documents, counter.advance)
                values[system] = sign * metric.measure_rows(rows).value
                if resamples:
                    drawn[system] = sign * bootstrap_values(metric, rows, resamples, seed)
            for criterion, systems in judged.items():
                people = [human[criterion][system] for system in systems]
                for method in methods:
                    value = correlate([values[system] for system in systems], people, method)
                    correlation = ReferenceCorrelation(str(metric), name, criterion, method, value, None, len(systems))
                    if resamples:
                        samples = np.array([drawn[system] for system in systems]).T
                        correlation = _with_intervals(correlation, samples, people)
                    found.append(correlation)
    return found


def _with_intervals(
    correlation: ReferenceCorrelation, drawn: NDArray[np.float64], people: Sequence[float]
) -> ReferenceCorrelation:
    """Add the resampled correlations, their percentiles and the interval of their mean."""
    values = correlate_rows(drawn, np.tile(np.array(people), (len(drawn), 1)), correlation.method)
    defined = values[~np.isnan(values)]
    return replace(
        correlation,
        interval=percentile_interval(defined) if len(defined) else None,
        mean_interval=mean_interval(defined) if len(defined) > 1 else None,
        resampled=values,
    )


def compare_by_reference(correlations: Sequence[ReferenceCorrelation]) -> list[ReferenceComparison]:
    """Return the comparison of each pair of metrics that have resampled correlations with the same references."""
    from scipy.stats import ttest_1samp

    groups: dict[tuple[str, str, Method], list[ReferenceCorrelation]] = {}
    for each in correlations:
        groups.setdefault((each.criterion, each.references, each.method), []).append(each)
    found = []
    for (criterion, references, method), members in groups.items():
        for one, other in combinations(members, 2):
            if one.resampled is None or other.resampled is None:
                raise DataError("metrics are compared by resamples; there are none")
            gaps = one.resampled - other.resampled
            gaps = gaps[~np.isnan(gaps)]
            observed = one.value - other.value
            if len(gaps) < 2:
                raise DataError(f"{one.metric} and {other.metric} are hardly ever defined in the same resample")
            # All differences equal: the mean is known exactly, and a test has nothing to divide by.
            varies = bool(gaps.std() > 0)
            test = ttest_1samp(gaps, 0.0) if varies else None
            found.append(
                ReferenceComparison(
                    one.metric, other.metric, references, criterion, method, observed, percentile_interval(gaps),
                    centred_p_value(gaps, observed),
                    math.nan if test is None else float(test.statistic),
                    (1.0 if gaps[0] == 0 else 0.0) if test is None else float(test.pvalue),
                )
            )  # fmt: skip
    return found


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Return Student's interval of the mean of *values*."""
    from scipy.stats import t as student

    half = float(student.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return Interval(float(values.mean()) - half, float(values.mean()) + half, level)


def compare_references(
    metrics: Sequence[SentenceMetric],
    testset: TestSet,
    *,
    by_document: bool = False,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> list[RankedScore]:
    """Return the score of each reference against all the others."""
    documents = _documents(testset, by_document)
    names = _several(testset)
    counter = Counter(progress, len(metrics) * len(names) * len(testset))
    found: list[RankedScore] = []
    for metric in metrics:
        counter.now(metric.name)
        rows = {name: _reference_rows(metric, testset, name, documents, counter.advance) for name in names}
        found += _ranked(metric, rows, set(rows), resamples, seed)
    return found


def humans_among_systems(
    metrics: Sequence[SentenceMetric],
    testset: TestSet,
    *,
    by_document: bool = False,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> list[RankedScore]:
    """Return the scores of systems and references in one ranking.

    A reference is scored against all others. So that all are scored with the same number of references, a system is
    scored against each set that lacks one reference, and its statistics are summed over these sets.
    """
    documents = _documents(testset, by_document)
    names = _several(testset)
    for name in names:
        if name in testset.candidates:
            raise DataError(f"a system and a reference are both named {name!r}; rename one")
    counter = Counter(progress, len(metrics) * len(names) * (len(testset.candidates) + 1) * len(testset))
    found: list[RankedScore] = []
    for metric in metrics:
        counter.now(metric.name)
        rows: dict[str, Statistics] = {
            system: sum(  # type: ignore[misc]  # arrays of one shape
                _rows(metric, _without(testset, name).segments(system), documents, counter.advance) for name in names
            )
            for system in testset.candidates
        }
        rows |= {name: _reference_rows(metric, testset, name, documents, counter.advance) for name in names}
        found += _ranked(metric, rows, set(names), resamples, seed)
    return found


def _several(testset: TestSet) -> tuple[str, ...]:
    if len(testset.references) < 2:
        raise DataError(f"found {len(testset.references)} reference(s), expected at least two to compare")
    return tuple(testset.references)


def _without(testset: TestSet, name: str) -> TestSet:
    return replace(testset, references={other: texts for other, texts in testset.references.items() if other != name})


def _reference_rows(
    metric: SentenceMetric, testset: TestSet, name: str, documents: Sequence[str] | None, advance: Advance
) -> Statistics:
    as_system = replace(_without(testset, name), candidates={name: testset.references[name]})
    return _rows(metric, as_system.segments(name), documents, advance)


def _ranked(
    metric: SentenceMetric, rows: Mapping[str, Statistics], human: set[str], resamples: int, seed: int
) -> list[RankedScore]:
    values = {name: metric.measure_rows(each).value for name, each in rows.items()}
    sign = sign_of(metric)
    scores = [
        RankedScore(
            str(metric),
            name,
            name in human,
            value,
            percentile_interval(bootstrap_values(metric, rows[name], resamples, seed)) if resamples else None,
            1 + sum(sign * other > sign * value for other in values.values()),
        )
        for name, value in values.items()
    ]
    return sorted(scores, key=lambda score: (score.rank, score.name))


def _documents(testset: TestSet, by_document: bool) -> Sequence[str] | None:
    if by_document and testset.documents is None:
        raise DataError("the test set has no document names to resample by; add them, or leave out --by-document")
    return testset.documents if by_document else None


def _rows(metric: SentenceMetric, segments: Segments, documents: Sequence[str] | None, advance: Advance) -> Statistics:
    """Return the statistics of segments, or their sums by document."""
    rows = metric.statistics_in_blocks(segments, advance)
    if documents is None:
        return rows
    names, of_segment = np.unique(np.array(documents), return_inverse=True)
    sums = np.zeros((len(names), rows.shape[1]))
    np.add.at(sums, of_segment, rows)
    return sums
