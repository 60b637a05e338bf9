"""Agreement of metrics with people: correlations with judgments or rankings, and comparisons of metrics."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, bootstrap_option, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Average, Level, Method, Ties

if TYPE_CHECKING:
    from os import PathLike

    from paragauge.corpora.judgments import Judgments
    from paragauge.evaluate.people import People, Scores
    from paragauge.meta.correlation import Correlation, MetricComparison
    from paragauge.meta.evaluation import Evaluation
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.scores import ScoreTable
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

logger = logging.getLogger("paragauge")

ALL_JUDGES = "mean"  # value of the judge column for the mean of all judges
KEEPS_SIGN = "applies only to WMT rankings; correlations with judgments keep the metric's sign"
MEAN = "mean"  # value of the set column for the mean over all sets


@dataclass(frozen=True, kw_only=True)
class CorrelateRequest(Request):
    """Options for correlations."""

    level: Level = option("segment", help="Items to correlate: candidates (segment) or systems.")
    methods: tuple[Method, ...] = option(
        (), flags=("--method",), help="Correlation coefficient; kendall is tau-b.", default_help="pearson"
    )
    average: Average = option(
        "none",
        help="At segment level: correlate all candidates together (none), or average over segments or systems.",
    )
    criterion: str | None = option(
        None, metavar="NAME", help="Criterion to use; required if the judgments have several."
    )
    each_judge: bool = option(False, help="Add one row per judge to the row for the mean of all judges.")
    where: tuple[str, ...] = option(
        (),
        metavar="CONDITION",
        help="Use only candidates that meet a condition such as 'fluency>=4'.",
    )
    exclude_systems: tuple[str, ...] = option((), flags=("--exclude-system",), metavar="NAME", help="Exclude a system.")
    column: str = option("score", metavar="NAME", help="Column of SCORES to use.")
    compare: bool = option(False, help="Compare metrics pairwise: differences, with three significance tests.")
    documents: str | None = option(
        None, metavar="FILE", help="Resample documents, not segments: a TSV file with the columns segment and document."
    )
    pair: str | None = option(
        None, metavar="PAIR", help="Language pair to take from a WMT ranking file, such as Czech-English."
    )
    ties: Ties | None = option(
        None, help="How to count a metric's ties against WMT rankings.", default_help="discordant"
    )
    lower_is_better: tuple[str, ...] = option(
        (),
        metavar="METRIC",
        help="Reverse the sign of another program's metric against WMT rankings; always done for ter.",
    )
    bootstrap: int = bootstrap_option()
    seed: int = seed_option()


@dataclass(frozen=True, slots=True)
class DataSet:
    """Scores and human judgments of the same candidates.

    Attributes:
        name: Name of the set; empty if it is the only one. It selects the language pair in rankings of several.
        scores: Path, table, result or frame of scores.
        judgments: Path, table or frame of judgments, or rankings.
    """

    name: str
    scores: Scores
    judgments: People


@dataclass(frozen=True, slots=True)
class SetCorrelation:
    """A correlation with its data set and judge.

    Attributes:
        set: Data set; empty if there is only one.
        judge: Judge; ``mean`` for the mean of all.
    """

    set: str
    judge: str
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class MeanCorrelation:
    """Mean of a metric's correlations over data sets.

    Attributes:
        sets: Number of sets in which it is defined.
    """

    metric: str
    judge: str
    level: Level
    method: Method
    value: float
    sets: int


@dataclass(frozen=True)
class CorrelateResult(Result):
    """Agreement of metrics with people.

    Attributes:
        request: The request that this answers.
        correlations: One correlation per set, metric, method and judge; empty for a comparison.
        means: Means over the sets, if there are several.
        comparisons: One comparison per pair of metrics and method, if metrics were compared.
        turned: Metrics whose sign was reversed against rankings because lower is better.
        dropped: Descriptions of data that could not be used.
        signature: Everything that affects the numbers.
    """

    request: CorrelateRequest
    correlations: tuple[SetCorrelation, ...]
    means: tuple[MeanCorrelation, ...]
    comparisons: tuple[MetricComparison, ...]
    turned: tuple[str, ...]
    dropped: tuple[str, ...]
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per correlation, means over sets last; or one per comparison of two metrics."""
        if self.request.compare:
            return [_comparison_row(each) for each in self.comparisons]
        return [*map(_correlation_row, self.correlations), *map(_mean_row, self.means)]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        notes = [str(self.signature)]
        if self.turned:
            notes.insert(0, f"lower is better, sign reversed: {', '.join(self.turned)}")
        if self.request.compare:
            return ResultTable(list(rows[0]), rows, notes=notes)
        columns = [
            *(["set"] if len({each.set for each in self.correlations}) > 1 else []),
            "metric",
            *(["judge"] if self.request.each_judge else []),
            "level",
            "method",
            "correlation",
            *(["low", "high"] if self.request.bootstrap else []),
            "items",
        ]
        return ResultTable(columns, rows, notes=notes)


def _correlation_row(each: SetCorrelation) -> dict[str, Cell]:
    found = each.correlation
    return {
        "set": each.set,
        "metric": found.metric,
        "judge": each.judge,
        "level": found.level,
        "method": found.method,
        "correlation": found.value,
        "low": None if found.interval is None else found.interval.low,
        "high": None if found.interval is None else found.interval.high,
        "items": found.items,
    }


def _mean_row(mean: MeanCorrelation) -> dict[str, Cell]:
    return {
        "set": MEAN,
        "metric": mean.metric,
        "judge": mean.judge,
        "level": mean.level,
        "method": mean.method,
        "correlation": mean.value,
        "low": None,
        "high": None,
        "items": mean.sets,
    }


def _comparison_row(found: MetricComparison) -> dict[str, Cell]:
    return {
        "metric": found.metric,
        "other": found.other,
        "method": found.method,
        "difference": found.difference,
        "low": None if found.interval is None else found.interval.low,
        "high": None if found.interval is None else found.interval.high,
        "bootstrap_p": found.bootstrap_p,
        "permutation_p": found.permutation_p,
        "williams_p": found.williams_p,
    }


def correlate(
    scores: Scores = None,
    judgments: People = None,
    *,
    sets: Mapping[str, tuple[Scores, People]] | None = None,
    level: Level = CorrelateRequest.level,
    method: Method | Iterable[Method] = CorrelateRequest.methods,
    average: Average = CorrelateRequest.average,
    criterion: str | None = CorrelateRequest.criterion,
    each_judge: bool = CorrelateRequest.each_judge,
    where: str | Iterable[str] = CorrelateRequest.where,
    exclude_systems: str | Iterable[str] = CorrelateRequest.exclude_systems,
    column: str = CorrelateRequest.column,
    compare: bool = CorrelateRequest.compare,
    documents: str | PathLike[str] | None = CorrelateRequest.documents,
    pair: str | None = CorrelateRequest.pair,
    ties: Ties | None = CorrelateRequest.ties,
    lower_is_better: str | Iterable[str] = CorrelateRequest.lower_is_better,
    bootstrap: int = CorrelateRequest.bootstrap,
    seed: int = CorrelateRequest.seed,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> CorrelateResult:
    """Return how well metrics agree with people.

    Args:
        scores: File or table of scores, result of `paragauge.score`, or frame with the columns metric,
            system, segment (unless scores are of whole systems) and score.
        judgments: File or table of judgments or WMT rankings, or frame with the columns system,
            segment, judge and criterion (both optional), and score.
        sets: Several pairs of scores and judgments by name, instead of a single pair; correlations are averaged.
        level: Correlate candidates (``segment``) or systems (``system``).
        method: One or more of ``pearson``, ``spearman``, ``kendall``; by default ``pearson``.
        average: At segment level: correlate all candidates together (``none``), or average over segments or systems.
        criterion: Criterion to use; required if the judgments have several.
        each_judge: Add one correlation per judge to the one for the mean of all judges.
        where: Conditions that candidates must meet, such as ``fluency>=4``.
        exclude_systems: Systems to exclude.
        column: Column of the file or frame of scores to use.
        compare: Compare metrics pairwise: differences, with three significance tests.
        documents: TSV file with the columns segment and document, to resample documents instead of segments.
        pair: Language pair to take from a file of WMT rankings.
        ties: How to count a metric's ties against rankings: ``discordant`` (default), ``ignored`` or ``neutral``.
        lower_is_better: Metrics of other programs whose sign is reversed against rankings.
        bootstrap: Number of resamples for 95% confidence intervals; 0 for none.
        seed: Seed of the random number generator.
        encoding: Encoding of the files.
        progress: Called with the number of sets done.

    Raises:
        DataError: Scores and judgments do not match.
        OptionError: An option is invalid, or has no effect in combination with the others.
    """
    request = CorrelateRequest(
        level=level,
        methods=several(method),
        average=average,
        criterion=criterion,
        each_judge=each_judge,
        where=several(where),
        exclude_systems=several(exclude_systems),
        column=column,
        compare=compare,
        documents=None if documents is None else str(documents),
        pair=pair,
        ties=ties,
        lower_is_better=several(lower_is_better),
        bootstrap=bootstrap,
        seed=seed,
    )
    data = [DataSet(name, *each) for name, each in (sets or {}).items()]
    if (scores is None) != (judgments is None) or (scores is None and not data):
        raise OptionError("expected both scores and judgments, or sets of them")
    if scores is not None:
        data.insert(0, DataSet("", scores, judgments))
    return correlate_sets(data, request, encoding=encoding, progress=progress)


def several(values: Any) -> tuple[Any, ...]:
    """Return one or more values as a tuple."""
    return (values,) if isinstance(values, str) else tuple(values)


def correlate_sets(
    data: Sequence[DataSet],
    request: CorrelateRequest,
    *,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> CorrelateResult:
    """Return how well metrics agree with people in each set and on average."""
    from paragauge.evaluate.people import as_people, as_score_table
    from paragauge.progress import Counter

    if len({each.name for each in data}) < len(data):
        raise OptionError("two sets have the same name; give each set a different one")
    if request.compare and len(data) > 1:
        raise OptionError("--compare takes a single data set; leave out the others")
    _refuse_idle_options(request)
    read: list[tuple[str, ScoreTable, Judgments | Rankings]] = []
    for each in data:
        scores = as_score_table(each.scores, column=request.column, encoding=encoding)
        people = as_people(each.judgments, pair=request.pair or each.name or None, encoding=encoding)
        read.append((each.name, scores, people))
    _refuse_idle_here(request, [people for _, _, people in read])
    counter = Counter(progress, len(read))
    answer = _Answer(request, encoding)
    for name, scores, people in read:
        counter.now(name)
        answer.add(name, scores, people)
        counter.advance()
    return answer.result()


class _Answer:
    """Collects correlations, set by set."""

    def __init__(self, request: CorrelateRequest, encoding: str) -> None:
        self._request = request
        self._encoding = encoding
        self._methods: tuple[Method, ...] = request.methods or ("pearson",)
        self._correlations: list[SetCorrelation] = []
        self._comparisons: list[MetricComparison] = []
        self._turned: dict[str, None] = {}
        self._dropped: list[str] = []
        self._sets = 0
        self._rankings = False

    def add(self, name: str, scores: ScoreTable, people: Judgments | Rankings) -> None:
        from paragauge.meta.rankings import Rankings

        self._sets += 1
        if isinstance(people, Rankings):
            self._rankings = True
            self._correlations += self._with_rankings(name, scores, people)
            return
        evaluation = self._evaluation(scores, people)
        prefix = f"{name}: " if name else ""
        for dropped in evaluation.dropped:
            logger.warning("%snot used: %s", prefix, dropped)
            self._dropped.append(prefix + dropped)
        if self._request.compare:
            self._comparisons += self._compared(evaluation)
            return
        self._correlations += self._with_judgments(name, ALL_JUDGES, evaluation)
        if self._request.each_judge:
            for judge in sorted(set(people.judges)):
                self._correlations += self._with_judgments(name, judge, self._evaluation(scores, people, judge))

    def result(self) -> CorrelateResult:
        return CorrelateResult(
            self._request,
            tuple(self._correlations),
            tuple(_means(self._correlations)) if self._sets > 1 else (),
            tuple(self._comparisons),
            tuple(self._turned),
            tuple(self._dropped),
            self._signature(),
        )

    def _with_rankings(self, name: str, scores: ScoreTable, rankings: Rankings) -> Iterator[SetCorrelation]:
        from paragauge.meta.direction import lower_metrics
        from paragauge.meta.rankings import correlate_with_rankings

        request = self._request
        lower = lower_metrics(scores.metrics, request.lower_is_better)
        self._turned |= dict.fromkeys(metric for metric in scores.metrics if metric in lower)
        for found in correlate_with_rankings(
            scores,
            rankings,
            level=request.level,
            methods=self._methods,
            ties=request.ties or "discordant",
            lower_is_better=request.lower_is_better,
            resamples=request.bootstrap,
            seed=request.seed,
        ):
            yield SetCorrelation(name, ALL_JUDGES, found)

    def _evaluation(self, scores: ScoreTable, judgments: Judgments, judge: str | None = None) -> Evaluation:
        from paragauge.meta.evaluation import join_scores
        from paragauge.meta.subset import Condition, subset

        conditions = [Condition.parse(text) for text in self._request.where]
        keep = subset(judgments, conditions, self._request.exclude_systems)
        return join_scores(scores, judgments, criterion=self._request.criterion, judge=judge, keep=keep)

    def _with_judgments(self, name: str, judge: str, evaluation: Evaluation) -> Iterator[SetCorrelation]:
        from paragauge.meta.correlation import correlate_metrics

        request = self._request
        for found in correlate_metrics(
            evaluation,
            methods=self._methods,
            level=request.level,
            average=request.average,
            resamples=request.bootstrap,
            seed=request.seed,
            documents=self._documents(evaluation),
        ):
            yield SetCorrelation(name, judge, found)

    def _compared(self, evaluation: Evaluation) -> Iterator[MetricComparison]:
        from itertools import combinations

        from paragauge.meta.correlation import compare_metrics

        request = self._request
        names = evaluation.names_at(request.level)
        if len(names) < 2:
            raise OptionError(f"--compare needs scores of at least two metrics; found only {', '.join(names)}")
        documents = self._documents(evaluation)
        for one, other in combinations(names, 2):
            for method in self._methods:
                yield compare_metrics(
                    evaluation,
                    one,
                    other,
                    method=method,
                    level=request.level,
                    average=request.average,
                    resamples=request.bootstrap,
                    seed=request.seed,
                    documents=documents,
                )

    def _documents(self, evaluation: Evaluation) -> list[str] | None:
        from paragauge.corpora.tables import parse_tsv
        from paragauge.io import read_bytes

        path = self._request.documents
        if path is None:
            return None
        table = parse_tsv(read_bytes(path), path, self._encoding)
        names, documents = table.filled_column("segment"), table.filled_column("document")
        if names is None or documents is None:
            raise DataError("lacks a column; expected segment and document", path=path, line=1)
        document_of = dict(zip(names, documents, strict=True))
        for segment in evaluation.segments:
            if segment not in document_of:
                raise DataError(
                    f"has no document for segment {segment!r}; every segment with scores needs one", path=path
                )
        return [document_of[segment] for segment in evaluation.segments]

    def _signature(self) -> Signature:
        from paragauge.metrics.base import package_version
        from paragauge.metrics.signature import Signature

        request = self._request
        items: dict[str, object] = {"level": request.level, "average": request.average}
        if request.criterion is not None:
            items["criterion"] = request.criterion
        if request.where:
            items["where"] = " and ".join(request.where)
        if request.exclude_systems:
            items["without"] = ",".join(request.exclude_systems)
        if request.pair is not None:
            items["pair"] = request.pair
        if request.pair is not None or (self._rankings and request.level == "segment"):
            items["ties"] = request.ties or "discordant"
        if request.column != "score":
            items["column"] = request.column
        if request.bootstrap:
            unit = "document" if request.documents else "segment"
            items |= {"bs": request.bootstrap, "unit": unit, "seed": request.seed}
        return Signature.of("correlate", {**items, "version": package_version()})


def _means(correlations: Sequence[SetCorrelation]) -> Iterator[MeanCorrelation]:
    from math import fsum, isnan

    groups: dict[tuple[str, str, Level, Method], list[float]] = {}
    for each in correlations:
        found = each.correlation
        if not isnan(found.value):
            groups.setdefault((found.metric, each.judge, found.level, found.method), []).append(found.value)
    for (metric, judge, level, method), values in groups.items():
        yield MeanCorrelation(metric, judge, level, method, fsum(values) / len(values), len(values))


def _refuse_idle_options(request: CorrelateRequest) -> None:
    """Reject options that have no effect whatever the data."""
    if request.compare and not request.bootstrap:
        raise OptionError("--compare tests differences by resampling; set --bootstrap to at least 1")
    resampled = "applies only to intervals, which --bootstrap 0 disables"
    refuse_idle(
        request,
        {
            "each_judge": "has no effect with --compare, which compares metrics" if request.compare else None,
            "average": "applies only to --level segment" if request.level == "system" else None,
            "documents": None if request.bootstrap else resampled,
            "seed": None if request.bootstrap else resampled,
        },
    )


def _refuse_idle_here(request: CorrelateRequest, people: Sequence[Judgments | Rankings]) -> None:
    """Reject options for judgments if all data are rankings, and options for rankings if all are judgments."""
    from paragauge.meta.rankings import Rankings

    ranked = [isinstance(each, Rankings) for each in people]
    if not any(ranked):
        reason = "applies only to WMT rankings; these are judgments"
        refuse_idle(request, {"pair": reason, "ties": reason, "lower_is_better": KEEPS_SIGN})
    if all(ranked):
        reason = "applies only to judgments; these are WMT rankings"
        if request.level == "system" and request.ties is not None:
            raise OptionError("--ties applies only to pairs of candidates; --level system has none")
        if request.level == "segment" and not set(request.methods) <= {"kendall"}:
            raise OptionError(
                "--method applies only to --level system; against WMT rankings, segments are always correlated by "
                "Kendall's tau over pairs"
            )
        names = ("average", "criterion", "each_judge", "where", "exclude_systems", "documents", "compare")
        refuse_idle(request, dict.fromkeys(names, reason))
