"""A complete meta-evaluation, as shown in a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.correlate import several
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, bootstrap_option, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, ScoreRequest, is_metric, metric_names
from paragauge.meta.choices import Method

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.people import People, Scores
    from paragauge.evaluate.score import ScoreResult
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.scores import ScoreTable
    from paragauge.meta.study import Study
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.model import Report, Section
    from paragauge.report.table import Cell, ResultTable


METRICS_TITLE = "How good are these metrics?"
SYSTEMS_TITLE = "How good are these systems?"  # the default without human judgments


@dataclass(frozen=True, kw_only=True)
class StudyRequest(Request):
    """Options for a meta-evaluation."""

    metrics: tuple[MetricLike, ...] = option(
        (),
        flags=("-m", "--metric"),
        metavar="METRIC",
        help="Metric to compute from the texts, in addition to or instead of SCORES.",
        allows=is_metric,
    )
    methods: tuple[Method, ...] = option(
        ("pearson", "spearman"),
        flags=("--method",),
        help="Correlation coefficient; kendall is tau-b. Heat maps of metrics use the first.",
    )
    pair: str | None = option(
        None, metavar="PAIR", help="Language pair to take from a WMT ranking file, such as Czech-English."
    )
    lower_is_better: tuple[str, ...] = option(
        (),
        metavar="METRIC",
        help="Metric of another program for which lower is better; built-in metrics need not be named.",
    )
    disagreements: int = option(6, low=0, metavar="N", help="Number of disagreements to show per metric and criterion.")
    changes: int = option(
        5, low=0, metavar="N", help="Number of the biggest wins and losses to show per metric and system."
    )
    title: str = option(METRICS_TITLE, metavar="TEXT", help="Title of the report.")
    bootstrap: int = bootstrap_option()
    seed: int = seed_option()


@dataclass(frozen=True)
class StudyResult(Result):
    """A complete meta-evaluation.

    Attributes:
        request: The request that this answers.
        study: Scores and ranks of systems, agreement with people, similarity of metrics, disagreements.
        testset: Sentences behind the numbers, if known.
        scored: Scores computed from the sentences, if metrics were given.
        signature: Everything that affects the numbers.
    """

    request: StudyRequest
    study: Study
    signature: Signature
    testset: TestSet | None = field(default=None, repr=False)
    scored: ScoreResult | None = field(default=None, repr=False)

    @property
    def signatures(self) -> tuple[str, ...]:
        """Signatures of the metrics computed, for systems and for segments, and of the study."""
        metrics: list[str] = []
        if self.scored is not None:
            metrics += [str(each.score.signature) for each in self.scored.scores]
            metrics += self.scored.segments.signatures.values()
        return (*dict.fromkeys(metrics), str(self.signature))

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per score of a system, by a metric or by people."""
        return [
            {
                "by": each.name,
                "rank": each.rank,
                "system": each.system,
                "score": each.value,
                "low": None if each.interval is None else each.interval.low,
                "high": None if each.interval is None else each.interval.high,
                "source": each.source,
            }
            for each in self.study.scores
        ]

    def correlations(self) -> list[dict[str, Cell]]:
        """Return one row per correlation of a metric with people."""
        return [
            {
                "criterion": each.criterion,
                "metric": each.correlation.metric,
                "level": each.correlation.level,
                "method": each.correlation.method,
                "correlation": each.correlation.value,
                "low": None if each.correlation.interval is None else each.correlation.interval.low,
                "high": None if each.correlation.interval is None else each.correlation.interval.high,
                "items": each.correlation.items,
            }
            for each in self.study.agreements
        ]

    def report(self) -> Report:
        """Return the report, which `paragauge.report` renders as a page, text, TSV, JSON or LaTeX."""
        from paragauge.evaluate.systems import systems_view
        from paragauge.report.model import study_report
        from paragauge.report.systems import systems_sections

        sections: list[Section] = []
        if self.scored is not None and self.testset is not None:
            sections = systems_sections(systems_view(self.scored, self.testset, changes=self.request.changes))
        title = self.request.title
        if sections and title == METRICS_TITLE and not self.study.criteria:
            title = SYSTEMS_TITLE
        return study_report(self.study, testset=self.testset, title=title, signatures=self.signatures, systems=sections)

    def table(self) -> ResultTable:
        from paragauge.report.model import study_notes
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=[*study_notes(self.study), *self.signatures])

    def to_dict(self) -> dict[str, object]:
        """Return the whole report as plain data for JSON."""
        from paragauge.report.text import report_dict

        return report_dict(self.report())

    def __str__(self) -> str:
        from paragauge.report.text import report_text

        return report_text(self.report()).rstrip("\n")

    def _repr_html_(self) -> str:
        from paragauge.report.html import report_tables

        return report_tables(self.report())


def study(
    scores: Scores | Sequence[Scores] = (),
    judgments: People = None,
    *,
    testset: TestSet | str | PathLike[str] | None = None,
    metrics: MetricLike | Iterable[MetricLike] = StudyRequest.metrics,
    method: Method | Iterable[Method] = StudyRequest.methods,
    pair: str | None = StudyRequest.pair,
    lower_is_better: str | Iterable[str] = StudyRequest.lower_is_better,
    disagreements: int = StudyRequest.disagreements,
    changes: int = StudyRequest.changes,
    title: str = StudyRequest.title,
    bootstrap: int = StudyRequest.bootstrap,
    seed: int = StudyRequest.seed,
    groups: Mapping[str, str] | str | PathLike[str] | None = None,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> StudyResult:
    """Return a complete meta-evaluation of metrics on some systems, with human judgments if there are any.

    Args:
        scores: File, table or frame of scores, or the result of `paragauge.score`; or a list of these.
        judgments: File, table or frame of judgments, or file or table of WMT rankings.
        testset: Test set, or its file: the sentences behind the numbers, from which *metrics* are computed.
        metrics: Metrics to compute, by name (``"chrf(word_order=2)"``) or as objects.
        method: One or more of ``pearson``, ``spearman``, ``kendall``.
        pair: Language pair to take from a file of WMT rankings.
        lower_is_better: Metrics of other programs for which lower is better.
        disagreements: Number of disagreements to show per metric and criterion.
        changes: Number of the biggest wins and losses to show per metric and system, if texts are scored.
        title: Title of the report.
        bootstrap: Number of resamples for 95% confidence intervals; 0 for none.
        seed: Seed of the random number generator.
        groups: Group of each segment, such as its phenomenon or domain, or a TSV file with the columns segment and
            group.
        encoding: Encoding of the files.
        progress: Called with the number of segments scored, then with what is done of each step of the study.
    """
    from paragauge.corpora import read_testset
    from paragauge.evaluate.people import as_people, as_score_table

    request = StudyRequest(
        metrics=metric_names(metrics),
        methods=several(method),
        pair=pair,
        lower_is_better=several(lower_is_better),
        disagreements=disagreements,
        changes=changes,
        title=title,
        bootstrap=bootstrap,
        seed=seed,
    )
    given = scores if isinstance(scores, list | tuple) and not _is_rows(scores) else [scores]
    return make_report(
        request,
        [as_score_table(each, encoding=encoding) for each in given],
        None if judgments is None else as_people(judgments, pair=pair, encoding=encoding),
        testset=read_testset(testset, encoding=encoding) if isinstance(testset, str | PathLike) else testset,
        groups=read_groups(groups, encoding=encoding) if isinstance(groups, str | PathLike) else groups,
        progress=progress,
    )


def _is_rows(values: Sequence[object]) -> bool:
    return bool(values) and isinstance(values[0], dict)


def make_report(
    request: StudyRequest,
    scores: Sequence[ScoreTable] = (),
    people: Judgments | Rankings | None = None,
    *,
    testset: TestSet | None = None,
    groups: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> StudyResult:
    """Return the result of *request*.

    Args:
        request: Options of the meta-evaluation.
        scores: Tables of scores, which are combined.
        people: Human judgments or rankings.
        testset: Sentences behind the numbers, from which the metrics of *request* are computed.
        groups: Group of each segment, such as its phenomenon or domain, for the agreement by group.
        progress: Called with the number of segments scored, then with what is done of each step of the study.
    """
    from paragauge.evaluate.score import score_testset
    from paragauge.meta.scores import ScoreTable
    from paragauge.meta.study import make_study
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    _refuse_idle_options(request, people)
    scored = None
    tables = list(scores)
    if request.metrics:
        if testset is None:
            raise DataError(
                "metrics were given without texts to score; give texts or a test set, or scores instead of metrics"
            )
        asked = ScoreRequest(metrics=request.metrics, bootstrap=request.bootstrap, seed=request.seed)
        scored = score_testset(testset, asked, progress=progress)
        tables.append(scored.score_table())
    if not tables:
        raise DataError("no scores were given; give files of scores, or metrics and texts to score")
    try:
        table = ScoreTable(tuple(row for each in tables for row in each))
    except DataError as error:
        raise DataError(f"{error}; check whether two of the files contain the same scores") from error
    intervals = (
        {}
        if scored is None
        else {
            (str(each.metric), each.system): each.score.interval
            for each in scored.scores
            if each.score.interval is not None
        }
    )
    methods: tuple[Method, ...] = tuple(dict.fromkeys(request.methods))
    found = make_study(
        table,
        people,
        methods=methods,
        lower_is_better=request.lower_is_better,
        disagreements=request.disagreements,
        resamples=request.bootstrap,
        seed=request.seed,
        intervals=intervals,
        groups={} if people is None else _groups(testset, groups),
        progress=progress,
    )
    items = {"methods": ",".join(methods), "bs": request.bootstrap, "seed": request.seed, "version": package_version()}
    return StudyResult(request, found, Signature.of("report", items), testset, scored)


def _groups(testset: TestSet | None, given: Mapping[str, str] | None) -> dict[str, Mapping[str, str]]:
    """Return what segments are grouped by: what was given, their documents, their length."""
    from paragauge.meta.groups import length_groups

    found: dict[str, Mapping[str, str]] = {} if given is None else {"group": given}
    if testset is not None:
        documents = testset.documents
        if documents is not None and 1 < len(set(documents)) < len(documents):
            found["document"] = {k: v for k, v in zip(testset.ids, documents, strict=True) if v is not None}
        texts = next(iter(testset.references.values()), testset.originals)
        if texts is not None and len(texts) > 2:
            found["length"] = length_groups(testset.ids, texts)
    return found


def read_groups(path: str | PathLike[str], *, encoding: str = "utf-8") -> dict[str, str]:
    """Return the group of each segment in a TSV file with the columns segment and group."""
    from paragauge.corpora.tables import parse_tsv
    from paragauge.io import read_bytes

    table = parse_tsv(read_bytes(path), path, encoding)
    names, groups = table.filled_column("segment"), table.filled_column("group")
    if names is None or groups is None:
        raise DataError("lacks a column; expected segment and group", path=str(path), line=1)
    return dict(zip(names, groups, strict=True))


def _refuse_idle_options(request: StudyRequest, people: Judgments | Rankings | None) -> None:
    from paragauge.meta.rankings import Rankings

    if not request.methods:
        raise OptionError("no correlation method was given; give at least one")
    alone = "needs judgments; none were given" if people is None else None
    ranked = isinstance(people, Rankings)
    refuse_idle(
        request,
        {
            "pair": alone if alone or ranked else "applies only to WMT rankings; these are judgments",
            "disagreements": alone,
            "changes": None if request.metrics else "needs texts and metrics to compute from them",
            "seed": None if request.bootstrap else "applies only to intervals, which --bootstrap 0 disables",
        },
    )
