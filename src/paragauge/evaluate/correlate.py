"""Agreement of metrics with people: correlations with judgments or rankings, and comparisons of metrics."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, bootstrap_option, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Average, Level, Statistic, Ties

if TYPE_CHECKING:
    from os import PathLike

    from paragauge.corpora.judgments import Judgments
    from paragauge.evaluate.people import People, Scores
    from paragauge.meta.comparison import MetricComparison
    from paragauge.meta.correlation import Correlation
    from paragauge.meta.evaluation import Evaluation
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.scores import ScoreTable
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

logger = logging.getLogger("paragauge")

ALL_JUDGES = "mean"  # value of the judge column for the mean of all judges
NO_PAIRS = "applies only to WMT rankings and other data of several language pairs"
MEAN = "mean"  # value of the set column for the mean over all sets


@dataclass(frozen=True, kw_only=True)
class CorrelateRequest(Request):
    """Options for correlations."""

    level: Level = option("segment", help="Items to correlate: candidates (segment) or systems.")
    methods: tuple[Statistic, ...] = option(
        (),
        flags=("--method",),
        help="Statistic: a correlation (kendall is tau-b); or over pairs of candidates for a segment, kendall-wmt "
        "or acc-eq; or over pairs of systems, pairwise-accuracy or spa.",
        default_help="pearson",
    )
    average: Average = option(
        "none",
        help="At segment level: correlate all candidates together (none), or average over segments or systems.",
    )
    criterion: str | None = option(
        None,
        metavar="NAME",
        help="Criterion to use; required if the judgments have several. The mean of several: 'adequacy,fluency'.",
    )
    each_criterion: bool = option(
        False,
        help="One row per criterion (all, or those that --criterion names) and means over criteria and sets, as in "
        "table 1 of the MAXSIM paper.",
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
    clusters: bool = option(
        False, help="Rank the metrics, best first, in clusters of those that do not differ significantly (as WMT does)."
    )
    permutations: int = option(1000, low=1, metavar="N", help="Number of permutations for --compare and --clusters.")
    documents: str | None = option(
        None, metavar="FILE", help="Resample documents, not segments: a TSV file with the columns segment and document."
    )
    resample: Literal["segments", "systems"] = option(
        "segments",
        help="What intervals resample: segments (or documents, with --documents), or systems; always systems if whole "
        "systems were judged.",
    )
    pair: str | None = option(
        None,
        metavar="PAIR",
        help="Language pair to take from rankings, published judgments or a folder of mt-metrics-eval.",
    )
    ties: Ties | None = option(
        None, help="How to count a metric's ties in kendall-wmt and against rankings.", default_help="discordant"
    )
    min_difference: float = option(
        0.0,
        low=0,
        metavar="X",
        help="For kendall-wmt: smallest difference of judgments that is a preference (WMT: 25 of 100).",
    )
    lower_is_better: tuple[str, ...] = option(
        (),
        metavar="METRIC",
        help="Reverse the sign of another program's metric, for which lower is better; always done for ter.",
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
        criterion: Criterion, if each has correlations of its own.
    """

    set: str
    judge: str
    correlation: Correlation
    criterion: str | None = None


@dataclass(frozen=True, slots=True)
class MeanCorrelation:
    """Mean of a metric's correlations over data sets, or over criteria and data sets.

    Attributes:
        sets: Number of correlations that are defined.
        criterion: Criterion, if the mean is that of a single one; ``mean`` for the mean over all.
    """

    metric: str
    judge: str
    level: Level
    method: Statistic
    value: float
    sets: int
    criterion: str | None = None


@dataclass(frozen=True)
class CorrelateResult(Result):
    """Agreement of metrics with people.

    Attributes:
        request: The request that this answers.
        correlations: One correlation per set, metric, method and judge, and per criterion if requested; empty for a
            comparison. Best first if they are in clusters.
        means: Means over the sets, if there are several; with a row per criterion, also over criteria.
        comparisons: One comparison per pair of metrics and method, if metrics were compared.
        clusters: Cluster of each metric by set and method, if requested; 1 is the best.
        turned: Metrics whose sign was reversed because lower is better.
        dropped: Descriptions of data that could not be used.
        signature: Everything that affects the numbers.
    """

    request: CorrelateRequest
    correlations: tuple[SetCorrelation, ...]
    means: tuple[MeanCorrelation, ...]
    comparisons: tuple[MetricComparison, ...]
    clusters: Mapping[tuple[str, Statistic], Mapping[str, int]]
    turned: tuple[str, ...]
    dropped: tuple[str, ...]
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per correlation, means over sets last; or one per comparison of two metrics."""
        if self.request.compare:
            return [_comparison_row(each) for each in self.comparisons]
        rows = [*map(self._correlation_row, self.correlations), *map(_mean_row, self.means)]
        if self.request.each_criterion:
            criteria = [*(each.criterion for each in self.correlations), *(each.criterion for each in self.means)]
            rows = [{**row, "criterion": criterion} for row, criterion in zip(rows, criteria, strict=True)]
        return rows

    def _correlation_row(self, each: SetCorrelation) -> dict[str, Cell]:
        row = _correlation_row(each)
        if self.request.clusters and each.judge == ALL_JUDGES:
            row["cluster"] = self.clusters[each.set, each.correlation.method].get(each.correlation.metric)
        return row

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
            *(["criterion"] if self.request.each_criterion else []),
            *(["cluster"] if self.request.clusters else []),
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
        "cluster": None,
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
        "cluster": None,
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
        "one_sided_p": found.one_sided_p,
        "williams_p": found.williams_p,
    }


def correlate(
    scores: Scores = None,
    judgments: People = None,
    *,
    sets: Mapping[str, tuple[Scores, People]] | None = None,
    level: Level = CorrelateRequest.level,
    method: Statistic | Iterable[Statistic] = CorrelateRequest.methods,
    average: Average = CorrelateRequest.average,
    criterion: str | None = CorrelateRequest.criterion,
    each_criterion: bool = CorrelateRequest.each_criterion,
    each_judge: bool = CorrelateRequest.each_judge,
    where: str | Iterable[str] = CorrelateRequest.where,
    exclude_systems: str | Iterable[str] = CorrelateRequest.exclude_systems,
    column: str = CorrelateRequest.column,
    compare: bool = CorrelateRequest.compare,
    clusters: bool = CorrelateRequest.clusters,
    permutations: int = CorrelateRequest.permutations,
    documents: str | PathLike[str] | None = CorrelateRequest.documents,
    resample: Literal["segments", "systems"] = CorrelateRequest.resample,
    pair: str | None = CorrelateRequest.pair,
    ties: Ties | None = CorrelateRequest.ties,
    min_difference: float = CorrelateRequest.min_difference,
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
        method: One or more statistics; by default ``pearson``.
        average: At segment level: correlate all candidates together (``none``), or average over segments or systems.
        criterion: Criterion to use; required if the judgments have several. Several are averaged: ``"a,b"``.
        each_criterion: Whether each criterion (all, or those named) gets a row of its own, and their means.
        each_judge: Add one correlation per judge to the one for the mean of all judges.
        where: Conditions that candidates must meet, such as ``fluency>=4``.
        exclude_systems: Systems to exclude.
        column: Column of the file or frame of scores to use.
        compare: Compare metrics pairwise: differences, with three significance tests.
        clusters: Rank the metrics in clusters of those that do not differ significantly.
        permutations: Number of permutations for comparisons and clusters.
        documents: TSV file with the columns segment and document, to resample documents instead of segments.
        resample: What intervals resample: ``segments`` or ``systems``; always systems if whole systems were judged.
        pair: Language pair to take from rankings, published judgments or a folder of mt-metrics-eval.
        ties: How to count a metric's ties in ``kendall-wmt`` and against rankings: ``discordant`` (default),
            ``ignored`` or ``neutral``.
        min_difference: For ``kendall-wmt``: smallest difference of judgments that is a preference.
        lower_is_better: Metrics of other programs whose sign is reversed.
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
        each_criterion=each_criterion,
        each_judge=each_judge,
        where=several(where),
        exclude_systems=several(exclude_systems),
        column=column,
        compare=compare,
        clusters=clusters,
        permutations=permutations,
        documents=None if documents is None else str(documents),
        resample=resample,
        pair=pair,
        ties=ties,
        min_difference=min_difference,
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
    from paragauge.meta.rankings import has_pairs
    from paragauge.progress import Counter

    if len({each.name for each in data}) < len(data):
        raise OptionError("two sets have the same name; give each set a different one")
    if request.compare and len(data) > 1:
        raise OptionError("--compare takes a single data set; leave out the others")
    _refuse_idle_options(request)
    read: list[tuple[str, ScoreTable, Judgments | Rankings]] = []
    for each in data:
        pair = request.pair or each.name or None
        scores = as_score_table(each.scores, column=request.column, pair=pair, encoding=encoding)
        people = as_people(each.judgments, pair=pair, encoding=encoding)
        read.append((each.name, scores, people))
    if not any(has_pairs(each.judgments, encoding=encoding) for each in data):
        refuse_idle(request, {"pair": NO_PAIRS})
    _refuse_idle_here(request, [people for _, _, people in read])
    testing = request.compare or request.clusters  # permutations are what takes long
    counter = Counter(None if testing else progress, len(read))
    answer = _Answer(request, encoding, progress if testing else None)
    for name, scores, people in read:
        counter.now(name)
        answer.add(name, scores, people)
        counter.advance()
    return answer.result()


class _Answer:
    """Collects correlations, set by set."""

    def __init__(self, request: CorrelateRequest, encoding: str, progress: Progress | None) -> None:
        self._request = request
        self._encoding = encoding
        self._progress = progress
        self._methods: tuple[Statistic, ...] = request.methods or ("pearson",)
        self._clusters: dict[tuple[str, Statistic], Mapping[str, int]] = {}
        self._correlations: list[SetCorrelation] = []
        self._comparisons: list[MetricComparison] = []
        self._turned: dict[str, None] = {}
        self._dropped: list[str] = []
        self._sets = 0
        self._rankings = False
        self._units: set[str] = set()

    def add(self, name: str, scores: ScoreTable, people: Judgments | Rankings) -> None:
        from paragauge.meta.rankings import Rankings

        self._sets += 1
        if isinstance(people, Rankings):
            self._rankings = True
            self._turn(scores)
            if self._request.compare:
                self._comparisons += self._ranked_comparisons(scores, people)
                return
            found = list(self._with_rankings(name, scores, people))
            if self._request.clusters:
                found = self._in_clusters(name, found, list(self._ranked_comparisons(scores, people)))
            self._correlations += found
            return
        self._turn(scores)
        for criterion in self._criteria(people) if self._request.each_criterion else [None]:
            self._add_judgments(name, scores, people, criterion)

    def _criteria(self, judgments: Judgments) -> list[str]:
        """Return the criteria that get rows of their own: those asked for, or all."""
        known = list(dict.fromkeys(judgments.criteria))
        asked = self._request.criterion
        return known if asked is None else [name.strip() for name in asked.split(",")]

    def _add_judgments(self, name: str, scores: ScoreTable, people: Judgments, criterion: str | None) -> None:
        from paragauge.meta.evaluation import doubt_segments

        evaluation = self._evaluation(scores, people, criterion=criterion)
        self._units.add(self._unit(evaluation))
        prefix = "".join(f"{each}: " for each in (name, criterion) if each)
        for dropped in evaluation.dropped:
            logger.warning("%snot used: %s", prefix, dropped)
            self._dropped.append(prefix + dropped)
        doubt = doubt_segments(evaluation) if self._request.level == "segment" else None
        if doubt is not None:
            logger.warning("%s%s", prefix, doubt)
        if self._request.compare:
            self._comparisons += self._compared(evaluation)
            return
        found = list(self._with_judgments(name, ALL_JUDGES, evaluation))
        if self._request.clusters:
            found = self._in_clusters(name, found, list(self._compared(evaluation)))
        if self._request.each_judge:
            for judge in sorted(set(people.judges)):
                found += self._with_judgments(name, judge, self._evaluation(scores, people, judge, criterion))
        self._correlations += [replace(each, criterion=criterion) for each in found] if criterion else found

    def result(self) -> CorrelateResult:
        return CorrelateResult(
            self._request,
            tuple(self._correlations),
            tuple(self._means()),
            tuple(self._comparisons),
            self._clusters,
            tuple(self._turned),
            tuple(self._dropped),
            self._signature(),
        )

    def _means(self) -> Iterator[MeanCorrelation]:
        if self._request.each_criterion:
            if self._sets > 1:
                for criterion in dict.fromkeys(each.criterion for each in self._correlations):
                    own = [each for each in self._correlations if each.criterion == criterion]
                    yield from (replace(mean, criterion=criterion) for mean in _means(own))
            yield from (replace(mean, criterion=MEAN) for mean in _means(self._correlations))
        elif self._sets > 1:
            yield from _means(self._correlations)

    def _turn(self, scores: ScoreTable) -> None:
        from paragauge.meta.direction import lower_metrics

        lower = lower_metrics(scores.metrics, self._request.lower_is_better)
        self._turned |= dict.fromkeys(metric for metric in scores.metrics if metric in lower)

    def _in_clusters(
        self, name: str, found: Sequence[SetCorrelation], comparisons: Sequence[MetricComparison]
    ) -> list[SetCorrelation]:
        """Return correlations by method, best first, and remember the cluster of each metric."""
        from math import isnan

        from paragauge.meta.comparison import cluster_metrics

        ordered = []
        for method in dict.fromkeys(each.correlation.method for each in found):
            own = [each for each in found if each.correlation.method == method]
            values = {each.correlation.metric: each.correlation.value for each in own}
            tests = [each for each in comparisons if each.method == method]
            self._clusters[name, method] = cluster_metrics(values, tests)
            ordered += sorted(own, key=lambda each: (isnan(each.correlation.value), -each.correlation.value))
        return ordered

    def _ranked_comparisons(self, scores: ScoreTable, rankings: Rankings) -> Iterator[MetricComparison]:
        from paragauge.meta.rankings import compare_with_rankings

        request = self._request
        return compare_with_rankings(
            scores,
            rankings,
            level=request.level,
            methods=self._methods,
            ties=request.ties or "discordant",
            lower_is_better=request.lower_is_better,
            resamples=request.bootstrap if request.compare else 0,
            permutations=request.permutations,
            seed=request.seed,
            progress=self._progress,
        )

    def _with_rankings(self, name: str, scores: ScoreTable, rankings: Rankings) -> Iterator[SetCorrelation]:
        from paragauge.meta.rankings import correlate_with_rankings

        request = self._request
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

    def _evaluation(
        self, scores: ScoreTable, judgments: Judgments, judge: str | None = None, criterion: str | None = None
    ) -> Evaluation:
        from paragauge.meta.evaluation import join_scores
        from paragauge.meta.subset import Condition, subset

        conditions = [Condition.parse(text) for text in self._request.where]
        keep = subset(judgments, conditions, self._request.exclude_systems)
        return join_scores(
            scores,
            judgments,
            criterion=criterion or self._request.criterion,
            judge=judge,
            keep=keep,
            lower_is_better=self._request.lower_is_better,
        )

    def _with_judgments(self, name: str, judge: str, evaluation: Evaluation) -> Iterator[SetCorrelation]:
        from paragauge.meta.correlation import correlate_metrics

        request = self._request
        for found in correlate_metrics(
            evaluation,
            methods=self._methods,
            level=request.level,
            average=request.average,
            ties=request.ties or "discordant",
            min_difference=request.min_difference,
            resamples=request.bootstrap,
            seed=request.seed,
            documents=self._documents(evaluation),
            systems=self._resamples_systems(evaluation),
        ):
            yield SetCorrelation(name, judge, found)

    def _compared(self, evaluation: Evaluation) -> Iterator[MetricComparison]:
        from paragauge.meta.comparison import compare_metrics

        request = self._request
        found = [
            compare_metrics(
                evaluation,
                method=method,
                level=request.level,
                average=request.average,
                ties=request.ties or "discordant",
                min_difference=request.min_difference,
                resamples=request.bootstrap if request.compare else 0,
                permutations=request.permutations,
                seed=request.seed,
                documents=self._documents(evaluation) if request.compare else None,
                systems=self._resamples_systems(evaluation),
                progress=self._progress,
            )
            for method in self._methods
        ]
        for of_one_pair in zip(*found, strict=True):
            yield from of_one_pair

    def _resamples_systems(self, evaluation: Evaluation) -> bool:
        """Return whether systems are resampled; where whole systems were judged, there is nothing else to resample."""
        return self._request.resample == "systems" or evaluation.of_whole_systems

    def _unit(self, evaluation: Evaluation) -> str:
        if self._resamples_systems(evaluation):
            return "system"
        return "document" if self._request.documents else "segment"

    def _documents(self, evaluation: Evaluation) -> list[str] | None:
        from paragauge.corpora.tables import parse_tsv
        from paragauge.io import read_bytes
        from paragauge.meta.task_folder import is_task_folder, read_task_documents

        path = self._request.documents
        if path is None:
            return None
        if evaluation.of_whole_systems:
            raise OptionError("--documents resamples documents; these judgments are of whole systems")
        if is_task_folder(path):
            known = read_task_documents(path, pair=self._request.pair, encoding=self._encoding)
            return [known[segment] for segment in evaluation.segments]
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
        if request.each_criterion:
            items["each-criterion"] = "yes"
        if request.where:
            items["where"] = " and ".join(request.where)
        if request.exclude_systems:
            items["without"] = ",".join(request.exclude_systems)
        if request.pair is not None:
            items["pair"] = request.pair
        if (self._rankings and request.level == "segment") or "kendall-wmt" in request.methods:
            items["ties"] = request.ties or "discordant"
        if request.min_difference:
            items["min-difference"] = request.min_difference
        if request.column != "score":
            items["column"] = request.column
        if request.bootstrap:
            items |= {"bs": request.bootstrap, "unit": ",".join(sorted(self._units)) or "segment"}
        if request.compare or request.clusters:
            items["permutations"] = request.permutations
            if "acc-eq" in request.methods:
                items["acc-eq-swaps"] = "pairs"
        if request.bootstrap or request.compare or request.clusters or "spa" in request.methods:
            items["seed"] = request.seed
        return Signature.of("correlate", {**items, "version": package_version()})


def _means(correlations: Sequence[SetCorrelation]) -> Iterator[MeanCorrelation]:
    from math import fsum, isnan

    groups: dict[tuple[str, str, Level, Statistic], list[float]] = {}
    for each in correlations:
        found = each.correlation
        if not isnan(found.value):
            groups.setdefault((found.metric, each.judge, found.level, found.method), []).append(found.value)
    for (metric, judge, level, method), values in groups.items():
        yield MeanCorrelation(metric, judge, level, method, fsum(values) / len(values), len(values))


def _refuse_idle_options(request: CorrelateRequest) -> None:
    """Reject options that have no effect whatever the data."""
    if request.compare and request.clusters:
        raise OptionError("--compare lists differences and --clusters ranks metrics; give one of them")
    if request.documents is not None and request.resample == "systems":
        raise OptionError("--documents resamples documents and --resample systems does not; give one of them")
    resampled = "applies only to intervals, which --bootstrap 0 disables"
    tested = request.compare or request.clusters
    drawn = request.bootstrap or tested or "spa" in request.methods
    wmt = "kendall-wmt" in request.methods
    refuse_idle(
        request,
        {
            "each_judge": "has no effect with --compare, which compares metrics" if request.compare else None,
            "each_criterion": "has no effect with --compare and --clusters, which need one criterion"
            if tested
            else None,
            "average": "applies only to --level segment" if request.level == "system" else None,
            "documents": None if request.bootstrap else resampled,
            "resample": None if request.bootstrap else resampled,
            "permutations": None if tested else "applies only to --compare and --clusters",
            "min_difference": None if wmt else "applies only to --method kendall-wmt",
            "seed": None if drawn else resampled,
        },
    )


def _refuse_idle_here(request: CorrelateRequest, people: Sequence[Judgments | Rankings]) -> None:
    """Reject options for judgments if all data are rankings, and options for rankings if all are judgments."""
    from paragauge.meta.rankings import Rankings

    ranked = [isinstance(each, Rankings) for each in people]
    if not any(ranked) and "kendall-wmt" not in request.methods:
        refuse_idle(request, {"ties": "applies only to rankings and to --method kendall-wmt"})
    if all(ranked):
        reason = "applies only to judgments; these are WMT rankings"
        if request.level == "system" and request.ties is not None:
            raise OptionError("--ties applies only to pairs of candidates; --level system has none")
        if request.level == "segment" and not set(request.methods) <= {"kendall", "kendall-wmt"}:
            raise OptionError(
                "--method applies only to --level system; against WMT rankings, segments are always correlated by "
                "Kendall's tau over pairs"
            )
        names = (
            "average",
            "criterion",
            "each_criterion",
            "each_judge",
            "where",
            "exclude_systems",
            "documents",
            "resample",
        )
        refuse_idle(request, dict.fromkeys((*names, "min_difference"), reason))
