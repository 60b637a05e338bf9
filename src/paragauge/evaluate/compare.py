"""Comparisons of systems by paired significance tests, based on the same statistics as their scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from paragauge.errors import OptionError
from paragauge.evaluate.option import option, seed_option
from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, MetricsRequest, ScoreResult, metric_names

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.measured import Measured
    from paragauge.evaluate.segments import SegmentsCompared
    from paragauge.evaluate.texts import Candidates, References, Texts
    from paragauge.meta.significance import Comparison, Test
    from paragauge.metrics.base import Score, SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class CompareRequest(MetricsRequest):
    """Which systems to compare, and by which tests."""

    tests: tuple[Literal["bootstrap", "permutation"], ...] = option(
        ("bootstrap",),
        flags=("--test",),
        help="Significance test: paired bootstrap, or permutation (approximate randomisation).",
    )
    trials: int | None = option(
        None,
        low=1,
        metavar="N",
        help="Number of resamples or permutations.",
        default_help="1000 resamples, 10000 permutations",
    )
    all_pairs: bool = option(False, help="Compare every pair of systems, not only each system with the first.")
    seed: int = seed_option()


@dataclass(frozen=True)
class SystemComparison:
    """Comparison of a system with its baseline.

    Attributes:
        metric: The metric.
        baseline: Name of the baseline.
        system: Name of the system.
        baseline_score: Score of the baseline.
        score: Score of the system.
        outcome: Result of the test.
        signature: Signature of the score, extended by the test.
    """

    metric: SentenceMetric
    baseline: str
    system: str
    baseline_score: Score
    score: Score
    outcome: Comparison
    signature: Signature


@dataclass(frozen=True)
class ClusterRow:
    """A system and its place among the others.

    Attributes:
        metric: The metric.
        cluster: Number of its cluster, from 1 for the best.
        system: Name of the system.
        score: Score of the system.
        beats: Number of systems that it is significantly better than.
        signature: Signature of the score, extended by the test.
    """

    metric: SentenceMetric
    cluster: int
    system: str
    score: Score
    beats: int
    signature: Signature


@dataclass(frozen=True)
class ClusterResult(Result):
    """Clusters of systems: every system of a cluster is significantly better than all systems of later clusters."""

    systems: tuple[ClusterRow, ...]
    test: str

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric and system, best first."""
        return [
            {
                "metric": str(each.metric),
                "cluster": each.cluster,
                "system": each.system,
                "score": each.score.value,
                "beats": each.beats,
                "signature": str(each.signature),
            }
            for each in self.systems
        ]

    def table(self) -> ResultTable:
        from paragauge.meta.choices import SIGNIFICANT
        from paragauge.report.table import ResultTable

        rows = self.rows()
        columns = ["metric", "cluster", "system", "score", "beats"]
        notes = [
            f"clusters: all above are significantly better than all below (paired {self.test}, p < {SIGNIFICANT})",
            *dict.fromkeys(str(row["signature"]) for row in rows),
        ]
        return ResultTable(columns, rows, notes=notes, machine_columns=[*columns, "signature"])


@dataclass(frozen=True)
class CompareResult(Result):
    """Differences between systems.

    Attributes:
        comparisons: One comparison per metric, test and pair of systems.
        warnings: Possible problems with the texts, such as an unsuitable language.
        request: The request that this answers.
        pairs: Statistics of each baseline and system compared, by metric.
        measured: Statistics of all systems, by metric.
        ids: Names of the segments.
    """

    comparisons: tuple[SystemComparison, ...]
    warnings: tuple[str, ...] = ()
    request: CompareRequest | None = field(default=None, repr=False, compare=False)
    pairs: tuple[tuple[Measured, Measured], ...] = field(default=(), repr=False, compare=False)
    measured: tuple[Measured, ...] = field(default=(), repr=False, compare=False)
    ids: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def segments(self) -> SegmentsCompared:
        """What got better and what got worse: both texts, both scores and the difference of each segment."""
        from paragauge.evaluate.segments import compare_segments
        from paragauge.meta.significance import DEFAULT_RESAMPLES

        seed = CompareRequest.seed if self.request is None else self.request.seed
        return compare_segments(self.pairs, self.ids, resamples=DEFAULT_RESAMPLES, seed=seed)

    @cached_property
    def clusters(self) -> ClusterResult:
        """Systems in clusters that differ significantly, by metric, according to the first test of the request."""
        request = CompareRequest(metrics=()) if self.request is None else self.request
        rows: list[ClusterRow] = []
        for metric in dict.fromkeys(each.metric for each in self.measured):
            systems = [each for each in self.measured if each.metric == metric]
            rows += _clusters(systems, request)
        return ClusterResult(tuple(rows), request.tests[0])

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per comparison."""
        return [
            {
                "metric": str(each.metric),
                "test": each.outcome.test,
                "baseline": each.baseline,
                "system": each.system,
                "baseline_score": each.baseline_score.value,
                "score": each.score.value,
                "difference": each.outcome.difference,
                "low": None if each.outcome.interval is None else each.outcome.interval.low,
                "high": None if each.outcome.interval is None else each.outcome.interval.high,
                "wins": each.outcome.win_rate,
                "p_value": each.outcome.p_value,
                "signature": str(each.signature),
            }
            for each in self.comparisons
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        columns = [column for column in rows[0] if column != "signature"]
        notes = list(dict.fromkeys(str(row["signature"]) for row in rows))
        return ResultTable(columns, rows, notes=notes, machine_columns=[*columns, "signature"])


def compare(
    candidates: Candidates | ScoreResult,
    references: References | None = None,
    *,
    originals: Texts | None = None,
    metrics: MetricLike | Iterable[MetricLike] | None = None,
    tests: Literal["bootstrap", "permutation"] | Iterable[Literal["bootstrap", "permutation"]] = CompareRequest.tests,
    trials: int | None = CompareRequest.trials,
    all_pairs: bool = CompareRequest.all_pairs,
    seed: int = CompareRequest.seed,
    target_lang: str | None = CompareRequest.target_lang,
    ids: Iterable[str | int] | None = None,
    progress: Progress | None = None,
) -> CompareResult:
    """Compare systems with the first one, the baseline.

    Args:
        candidates: Mapping or frame with the texts of each system; or the result of `score`, whose statistics are
            reused.
        references: ``references[i]`` belongs to ``candidates[i]``: one text or several. A mapping or a frame has one
            column per reference.
        originals: Sentences that the candidates paraphrase or translate.
        metrics: One metric or several, by name or as objects.
        tests: ``bootstrap``, ``permutation``, or both.
        trials: Number of resamples or permutations; 1000 and 10,000 by default.
        all_pairs: Whether to compare every pair of systems, not only each system with the first.
        seed: Seed of the random number generator.
        target_lang: Language of the candidates, such as ``zh``, which chooses the tokeniser of metrics that name none.
        ids: Names of the segments.
        progress: Called with the number of segments done.

    Raises:
        DataError: The texts do not match, or a metric needs other texts.
        OptionError: There is only one system, or an option is invalid.
    """
    chosen = (tests,) if isinstance(tests, str) else tuple(tests)
    if isinstance(candidates, ScoreResult):
        if not (references is None and originals is None and metrics is None and ids is None):
            raise OptionError("a result of score() already has texts and metrics; do not pass others")
        names = tuple(dict.fromkeys(each.metric for each in candidates.scores))
        request = CompareRequest(metrics=names, tests=chosen, trials=trials, all_pairs=all_pairs, seed=seed)
        measured = [each.statistics for each in candidates.scores]
        return _compare(measured, request, candidates.warnings, candidates.ids)
    if metrics is None:
        raise OptionError("no metric was given; name at least one, as in metrics=['bleu']")
    from paragauge.evaluate.texts import make_testset

    request = CompareRequest(
        metrics=metric_names(metrics),
        tests=chosen,
        trials=trials,
        all_pairs=all_pairs,
        seed=seed,
        target_lang=target_lang,
    )
    for metric in request.load_metrics():
        metric.check_order(references, originals)
    return compare_testset(make_testset(candidates, references, originals, ids), request, progress=progress)


def compare_testset(testset: TestSet, request: CompareRequest, *, progress: Progress | None = None) -> CompareResult:
    """Compare the systems of a test set."""
    from paragauge.evaluate.measured import measure_systems

    metrics = request.load_metrics(testset.target_language)
    _check_systems(len(testset.candidates))
    measured, warnings = measure_systems(testset, metrics, progress=progress)
    return _compare(measured, request, warnings, tuple(testset.ids))


def _check_systems(count: int) -> None:
    if count == 1:
        raise OptionError("a comparison needs at least two systems; found one")


def _compare(
    measured: Sequence[Measured], request: CompareRequest, warnings: tuple[str, ...], ids: tuple[str, ...]
) -> CompareResult:
    comparisons = []
    compared: list[tuple[Measured, Measured]] = []
    for metric in dict.fromkeys(each.metric for each in measured):
        systems = [each for each in measured if each.metric == metric]
        _check_systems(len(systems))
        pairs = [
            (baseline, system)
            for i, baseline in enumerate(systems)
            for system in systems[i + 1 :]
            if request.all_pairs or i == 0
        ]
        compared += pairs
        for test in dict.fromkeys(request.tests):
            for baseline, system in pairs:
                outcome = _outcome(system, baseline, test, request)
                comparisons.append(
                    SystemComparison(
                        metric,
                        baseline.system,
                        system.system,
                        baseline.score,
                        system.score,
                        outcome,
                        system.score.signature.extended(_drawn(outcome)),
                    )
                )
    return CompareResult(tuple(comparisons), warnings, request, tuple(compared), tuple(measured), ids)


def _drawn(outcome: Comparison) -> dict[str, object]:
    """Return what a test adds to signatures."""
    return {"bs" if outcome.test == "bootstrap" else "ar": outcome.trials, "seed": outcome.seed}


def _clusters(systems: Sequence[Measured], request: CompareRequest) -> list[ClusterRow]:
    from paragauge.meta.choices import SIGNIFICANT
    from paragauge.meta.clusters import significance_clusters

    metric = systems[0].metric
    order = sorted(systems, key=lambda each: each.score.value, reverse=metric.better == "higher")
    outcomes = {
        frozenset((one.system, other.system)): _outcome(other, one, request.tests[0], request)
        for place, one in enumerate(order)
        for other in order[place + 1 :]
    }
    p_values = {pair: outcome.p_value for pair, outcome in outcomes.items()}
    drawn = _drawn(next(iter(outcomes.values())))
    names = [each.system for each in order]
    clusters = significance_clusters(names, p_values, level=SIGNIFICANT)
    number = {system: place for place, cluster in enumerate(clusters, start=1) for system in cluster}
    return [
        ClusterRow(
            metric,
            number[each.system],
            each.system,
            each.score,
            sum(p_values[frozenset((each.system, other))] < SIGNIFICANT for other in names[place + 1 :]),
            each.score.signature.extended(drawn),
        )
        for place, each in enumerate(order)
    ]


def _outcome(system: Measured, baseline: Measured, test: Test, request: CompareRequest) -> Comparison:
    from paragauge.meta.significance import DEFAULT_RESAMPLES, bootstrap_comparison, compare_paired

    if test == "permutation":
        return compare_paired(
            system.metric, system.rows, baseline.rows, test=test, trials=request.trials, seed=request.seed
        )
    ours, theirs = (each.resampled(request.trials or DEFAULT_RESAMPLES, request.seed) for each in (system, baseline))
    return bootstrap_comparison(system.score.value - baseline.score.value, ours, theirs, seed=request.seed)
