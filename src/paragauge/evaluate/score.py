"""Scores of systems and of segments, based on statistics that are computed once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from paragauge.errors import OptionError
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, bootstrap_option, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.progress import Counter

if TYPE_CHECKING:
    from paragauge.corpora.candidate_files import CandidateFiles
    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.compare import SystemComparison
    from paragauge.evaluate.measured import Measured
    from paragauge.evaluate.texts import Candidates, References, Texts
    from paragauge.io import PathLike
    from paragauge.meta.scores import ScoreTable
    from paragauge.metrics.base import Score, SentenceMetric
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable
    from paragauge.spark.engine import SparkEngine
    from paragauge.storage.remote import RunSummary

    MetricLike: TypeAlias = str | SentenceMetric
else:
    MetricLike = str  # all that a command line can give


def is_metric(value: Any) -> bool:
    """Return whether *value* is a sentence metric rather than the name of one."""
    from paragauge.metrics.base import SentenceMetric

    return isinstance(value, SentenceMetric)


@dataclass(frozen=True, kw_only=True)
class MetricsRequest(Request):
    """Base of requests that compute sentence metrics."""

    metrics: tuple[MetricLike, ...] = option(
        flags=("-m", "--metric"),
        metavar="METRIC",
        help="Metric to compute, with options in brackets if needed, or several separated by commas: bleu, "
        "'pem,chrf(word_order=2)'. 'paragauge metrics' lists all metrics.",
        allows=is_metric,
    )

    target_lang: str | None = option(
        None,
        metavar="LANG",
        help="Language of the candidates, such as zh or ja. Languages without spaces get a suitable tokeniser from "
        "metrics that name none.",
        default_help="that of the test set, if it says so",
    )

    def load_metrics(self, language: str | None = None) -> list[SentenceMetric]:
        """Return the metrics without duplicates; *language* is that of the test set, if known."""
        from paragauge.metrics.registry import parse_sentence_metrics

        if not self.metrics:
            raise OptionError("no metric was given; name at least one, such as bleu or pem")
        return parse_sentence_metrics(self.metrics, language=self.target_lang or language)


def metric_names(metrics: MetricLike | Iterable[MetricLike]) -> tuple[MetricLike, ...]:
    """Return one or several metrics as a tuple."""
    if isinstance(metrics, str) or is_metric(metrics):
        return (metrics,)  # type: ignore[return-value]  # one metric
    return tuple(metrics)  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class ScoreRequest(MetricsRequest):
    """Options for scoring."""

    bootstrap: int = bootstrap_option()
    test: Literal["bootstrap", "permutation"] = option(
        "bootstrap",
        help="Significance test against the first system, shown if there are several: paired bootstrap, or permutation "
        "(approximate randomisation). sacreBLEU's --paired-bs and --paired-ar mean the same.",
    )
    seed: int = seed_option()


@dataclass(frozen=True)
class SystemScore:
    """Score of a system by a metric.

    Attributes:
        metric: The metric.
        system: Name of the system.
        score: Score with its interval and signature.
        measured: Statistics behind the score; ``None`` if they were added up in files or on a cluster.
    """

    metric: SentenceMetric
    system: str
    score: Score
    measured: Measured | None = field(default=None, repr=False, compare=False)

    @property
    def resources(self) -> dict[str, str]:
        """Digests of the models and tables behind the score, by name."""
        return {key: value for key, value in self.score.signature.items if key in self.metric.resource_keys}

    @property
    def statistics(self) -> Measured:
        """The statistics behind the score.

        Raises:
            OptionError: The score was computed from files or on a cluster, and they were not kept.
        """
        if self.measured is None:
            raise OptionError(
                "scores of files and from a cluster do not include scores of segments; write those with "
                "write_segment_scores()"
            )
        return self.measured

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain data for JSON."""
        return {"system": self.system, **self.score.to_dict()}


@dataclass(frozen=True)
class ScoreResult(Result):
    """Scores of systems; the scores of segments are in ``segments``.

    Attributes:
        scores: One score per metric and system, grouped by metric.
        ids: Names of the segments; empty if a cluster computed the scores.
        bootstrap: Number of resamples behind the intervals; 0 if there are no intervals.
        warnings: Possible problems with the texts, such as an unsuitable language.
        test: Test behind the comparisons with the first system.
        seed: Seed of resamples and permutations.
    """

    scores: tuple[SystemScore, ...]
    ids: tuple[str, ...] = field(repr=False)
    bootstrap: int = 0
    warnings: tuple[str, ...] = ()
    test: Literal["bootstrap", "permutation"] = ScoreRequest.test
    seed: int = ScoreRequest.seed

    @property
    def metrics(self) -> tuple[SentenceMetric, ...]:
        """The metrics, in order."""
        return tuple(dict.fromkeys(each.metric for each in self.scores))

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order."""
        return tuple(dict.fromkeys(each.system for each in self.scores))

    @cached_property
    def comparisons(self) -> tuple[SystemComparison, ...]:
        """Tests of each system against the first, by metric; none without resampling or from a cluster."""
        resampled = self.bootstrap or self.test == "permutation"
        if not resampled or len(self.systems) < 2 or any(each.measured is None for each in self.scores):
            return ()
        from paragauge.evaluate.compare import compare

        trials = self.bootstrap if self.test == "bootstrap" else None
        return compare(self, tests=self.test, trials=trials, seed=self.seed).comparisons

    @cached_property
    def segments(self) -> SegmentResult:
        """Scores of segments."""
        return SegmentResult(self.scores, self.ids)

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric and system."""
        return [
            {
                "metric": str(each.metric),
                "system": each.system,
                "score": each.score.value,
                "low": None if each.score.interval is None else each.score.interval.low,
                "high": None if each.score.interval is None else each.score.interval.high,
                "signature": str(each.score.signature),
            }
            for each in self.scores
        ]

    def score_table(self) -> ScoreTable:
        """Return the scores of systems and of segments, as input for `paragauge.correlate`."""
        from paragauge.meta.scores import ScoreRow, ScoreTable
        from paragauge.report.table import finite

        rows = [ScoreRow(str(each.metric), each.system, None, finite(each.score.value)) for each in self.scores]
        if self.ids:  # a cluster does not return the scores of segments
            rows += self.segments.score_table()
        return ScoreTable(tuple(rows))

    def grid(self, *, digits: int | None = None) -> ResultTable:
        """Return systems by metrics, with intervals, the best of each metric and tests against the first system."""
        from paragauge.evaluate.grid import score_grid

        return score_grid(self, digits=digits)

    def bare(self, *, digits: int | None = None) -> str:
        """Return only the numbers: one line per system, one number per metric, separated by tabs."""
        from paragauge.evaluate.grid import bare_scores

        return bare_scores(self, digits=digits)

    def shortfalls(self, limits: Mapping[str, float]) -> list[str]:
        """Return a sentence for each score that is worse than the limit of its metric, such as ``{"pem": 3.0}``."""
        from paragauge.evaluate.limits import parse_limits, shortfalls

        return shortfalls(self, parse_limits((f"{name}={value}" for name, value in limits.items()), self.metrics))

    def __str__(self) -> str:
        return self.grid().to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.grid().to_html()

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        columns = ["metric", "system", "score", *(["low", "high"] if self.bootstrap else [])]
        return ResultTable(
            columns,
            rows,
            notes=list(dict.fromkeys(str(row["signature"]) for row in rows)),
            details=[each.to_dict() for each in self.scores],
            machine_columns=[*columns, "signature"],
        )


@dataclass(frozen=True)
class SegmentResult(Result):
    """Scores of segments.

    Attributes:
        systems: Scores of the systems that the segments belong to, for each metric.
        ids: Names of the segments.
    """

    systems: tuple[SystemScore, ...]
    ids: tuple[str, ...] = field(repr=False)

    @cached_property
    def _components(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for _, _, score in self.items() for name in score.components))

    @property
    def signatures(self) -> dict[str, str]:
        """Signature of each metric's segment scores."""
        return {str(each.metric): str(each.statistics.segment_scores[0].signature) for each in self.systems}

    def items(self) -> Iterator[tuple[SystemScore, str, Score]]:
        """Yield the system, name and score of each segment."""
        for each in self.systems:
            for segment, score in zip(self.ids, each.statistics.segment_scores, strict=True):
                yield each, segment, score

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric, system and segment, with the components after the score."""
        blank: dict[str, Cell] = dict.fromkeys(self._components)
        return [
            {
                "metric": str(each.metric),
                "system": each.system,
                "segment": segment,
                "score": score.value,
                **blank,
                **score.components,
            }
            for each, segment, score in self.items()
        ]

    def score_table(self) -> ScoreTable:
        """Return the scores for a meta-evaluation; undefined scores are missing values."""
        from paragauge.meta.scores import ScoreRow, ScoreTable
        from paragauge.report.table import finite

        rows = (
            ScoreRow(str(each.metric), each.system, segment, finite(score.value))
            for each, segment, score in self.items()
        )
        return ScoreTable(tuple(rows))

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        columns = ["metric", "system", "segment", "score"]
        return ResultTable(
            columns,
            self.rows(),
            notes=list(dict.fromkeys(str(each.statistics.segment_scores[0].signature) for each in self.systems)),
            details=[
                {"system": each.system, "segment": segment, **score.to_dict()} for each, segment, score in self.items()
            ],
            machine_columns=[*columns, *self._components],
        )


def score(
    candidates: Candidates | Mapping[str, Any],
    references: References | None = None,
    *,
    originals: Texts | None = None,
    metrics: MetricLike | Iterable[MetricLike],
    bootstrap: int | None = None,
    test: Literal["bootstrap", "permutation"] = ScoreRequest.test,
    seed: int = ScoreRequest.seed,
    target_lang: str | None = ScoreRequest.target_lang,
    ids: Iterable[str | int] | None = None,
    engine: SparkEngine | None = None,
    progress: Progress | None = None,
) -> ScoreResult:
    """Score one or more systems.

    Args:
        candidates: One text, the texts of one system, or a mapping or frame with the texts of each system.
        references: ``references[i]`` belongs to ``candidates[i]``: one text or several. A mapping or a frame has one
            column per reference.
        originals: Sentences that the candidates paraphrase or translate.
        metrics: One metric or several, by name (``"chrf(word_order=2)"``) or as objects.
        bootstrap: Number of resamples for 95% confidence intervals; 0 for none. 1000 by default, but 0 on a cluster.
        test: Test against the first system, shown if there are several: ``bootstrap`` or ``permutation``.
        seed: Seed of the random number generator.
        target_lang: Language of the candidates, such as ``zh``, which chooses the tokeniser of metrics that name none.
        ids: Names of the segments; by default, ``1``, ``2`` and so on.
        engine: Spark engine; the texts are then given as paths of files that Spark reads.
        progress: Called with the number of segments done.

    Raises:
        DataError: The texts do not match, or a metric needs other texts.
        OptionError: A metric or an option is invalid.
    """
    if bootstrap is None:
        bootstrap = ScoreRequest.bootstrap if engine is None else 0
    request = ScoreRequest(
        metrics=metric_names(metrics), bootstrap=bootstrap, test=test, seed=seed, target_lang=target_lang
    )
    if engine is not None:
        if ids is not None or progress is not None:
            raise OptionError(
                "ids and progress cannot be combined with engine; pass progress to SparkOptions(progress=...)"
            )
        return score_files(_candidate_files(candidates, references, originals), request, engine)
    from paragauge.evaluate.texts import make_testset

    for metric in request.load_metrics():
        metric.check_order(references, originals)
    return score_testset(make_testset(candidates, references, originals, ids), request, progress=progress)


def score_testset(testset: TestSet, request: ScoreRequest, *, progress: Progress | None = None) -> ScoreResult:
    """Score the systems of a test set."""
    from paragauge.evaluate.measured import measure_systems

    resampled = request.bootstrap or request.test == "permutation"
    refuse_idle(request, {"seed": None if resampled else "applies only to intervals, which --bootstrap 0 disables"})
    measured, warnings = measure_systems(
        testset,
        request.load_metrics(testset.target_language),
        totals_only=not request.bootstrap or len(testset) == 1,
        progress=progress,
    )
    resampling = Counter(progress if request.bootstrap else None, len(measured))
    scores = []
    for each in measured:
        resampling.now(f"intervals of {each.metric.name}")
        score = each.with_interval(request.bootstrap, request.seed) if request.bootstrap else each.score
        scores.append(SystemScore(each.metric, each.system, score, each))
        resampling.advance()
    return ScoreResult(tuple(scores), tuple(testset.ids), request.bootstrap, warnings, request.test, request.seed)


def score_files(
    systems: Mapping[str, CandidateFiles],
    request: ScoreRequest,
    engine: SparkEngine | None = None,
    *,
    progress: Progress | None = None,
) -> ScoreResult:
    """Score systems whose texts stay in files, without intervals or scores of segments.

    Without an *engine*, this process reads the files in blocks, in memory that does not grow with their length. With
    one, Spark reads them.
    """
    place = "files" if engine is None else "a cluster"
    if request.bootstrap:
        raise OptionError(f"scores from {place} have no intervals; set bootstrap=0")
    idle = f"applies only to intervals and tests, and scores from {place} have none"
    refuse_idle(request, {"seed": idle, "test": idle})
    metrics = request.load_metrics()
    if engine is None:
        from paragauge.evaluate.stream import score_stream

        found, said = score_stream(metrics, systems, progress)
        return ScoreResult(
            tuple(SystemScore(metric, name, found[metric, name]) for metric in metrics for name in systems),
            (),
            warnings=said,
        )
    from paragauge.spark.score import score_corpus

    warnings = _warn_of_files(engine, metrics, systems)
    scores = tuple(
        SystemScore(metric, system, score_corpus(engine, metric, files))
        for metric in metrics
        for system, files in systems.items()
    )
    return ScoreResult(scores, (), warnings=warnings)


def write_segment_scores(
    systems: Mapping[str, CandidateFiles],
    request: MetricsRequest,
    engine: SparkEngine | None,
    output: PathLike,
    *,
    progress: Progress | None = None,
) -> RunSummary:
    """Score each segment of systems whose texts stay in files, and write the scores: as TSV, or as Parquet by Spark."""
    metrics = request.load_metrics()
    if engine is None:
        from paragauge.evaluate.stream import write_segments
        from paragauge.io import atomic_output

        with atomic_output(output) as file:
            return write_segments(metrics, systems, file, progress)
    from paragauge.spark.score import score_segments

    _warn_of_files(engine, metrics, systems)
    return score_segments(engine, metrics, systems, output)


def _warn_of_files(
    engine: SparkEngine, metrics: Sequence[SentenceMetric], systems: Mapping[str, CandidateFiles]
) -> tuple[str, ...]:
    from paragauge.spark.score import warn_of_candidates

    if not logging.getLogger("paragauge").isEnabledFor(logging.WARNING):
        return ()  # warnings are off, and finding them means reading the files
    return tuple(warn_of_candidates(engine, metrics, systems))


def _candidate_files(candidates: Any, references: Any, originals: Any) -> dict[str, CandidateFiles]:
    """Return the files of each system from paths in any form."""
    from paragauge.corpora.candidate_files import CandidateFiles
    from paragauge.corpora.plain import system_names

    def paths(given: Any) -> list[Any]:
        return [given] if isinstance(given, str | PurePath) else list(given)

    named = candidates
    if not isinstance(candidates, Mapping):
        files = paths(candidates)
        named = dict(zip(system_names(files), files, strict=True))
    others = () if references is None else tuple(paths(references))
    return {name: CandidateFiles(path, others, originals) for name, path in named.items()}
