"""A whole meta-evaluation: what a report shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    from paragauge.report.model import Report
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class StudyRequest(Request):
    """What to compute, and how."""

    metrics: tuple[MetricLike, ...] = option(
        (),
        flags=("-m", "--metric"),
        metavar="METRIC",
        help="Metric to compute from the texts, beside or instead of SCORES.",
        allows=is_metric,
    )
    methods: tuple[Method, ...] = option(
        ("pearson", "spearman"),
        flags=("--method",),
        help="Coefficient; Kendall's is tau-b. Heat maps of metrics use the first.",
    )
    pair: str | None = option(None, metavar="PAIR", help="Language pair of a WMT ranking file, as in Czech-English.")
    lower_is_better: tuple[str, ...] = option(
        (), metavar="METRIC", help="A metric of another program for which lower is better; paragauge knows its own."
    )
    disagreements: int = option(6, low=0, metavar="N", help="Candidates to show for each metric and criterion.")
    title: str = option("How good are these metrics?", metavar="TEXT", help="Heading of the report.")
    bootstrap: int = bootstrap_option()
    seed: int = seed_option()


@dataclass(frozen=True)
class StudyResult(Result):
    """A whole meta-evaluation.

    Attributes:
        request: What was asked for.
        study: Scores and ranks of systems, agreement with people, likeness of metrics, disagreements.
        testset: The sentences behind the numbers, if they are known.
        scored: What was computed from them, if metrics were given.
        signature: All that can move the numbers.
    """

    request: StudyRequest
    study: Study
    signature: Signature
    testset: TestSet | None = field(default=None, repr=False)
    scored: ScoreResult | None = field(default=None, repr=False)

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signatures of the metrics that were computed, for systems and for segments, and that of the study."""
        metrics: list[str] = []
        if self.scored is not None:
            metrics += [str(each.score.signature) for each in self.scored.scores]
            metrics += self.scored.segments.signatures.values()
        return (*dict.fromkeys(metrics), str(self.signature))

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row for each score of a system, by a metric or by people."""
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
        """Return one row for each correlation of a metric with people."""
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
        """Return the report, which `paragauge.report` turns into a page, text, TSV, JSON or LaTeX."""
        from paragauge.report.model import study_report

        return study_report(self.study, testset=self.testset, title=self.request.title, signatures=self.signatures)

    def table(self) -> ResultTable:
        from paragauge.report.model import study_notes
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows, notes=[*study_notes(self.study), *self.signatures])

    def to_dict(self) -> dict[str, object]:
        """Return the whole report as plain data, ready for JSON."""
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
    title: str = StudyRequest.title,
    bootstrap: int = StudyRequest.bootstrap,
    seed: int = StudyRequest.seed,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> StudyResult:
    """Return all that can be said about metrics of some systems and, if they judged, people.

    Args:
        scores: A file of scores, a table, what `paragauge.score` returned, or a frame; or a list of these.
        judgments: A file of judgments or WMT rankings, a table of either, or a frame.
        testset: A test set, or its file: the sentences behind the numbers, and what *metrics* are computed from.
        metrics: Metrics to compute, by name (``"chrf(word_order=2)"``) or as objects.
        method: One or more of ``pearson``, ``spearman``, ``kendall``.
        pair: The language pair of a file of WMT rankings.
        lower_is_better: Metrics for which lower is better, beside those that paragauge knows.
        disagreements: How many candidates to show for each metric and criterion.
        title: Of the report.
        bootstrap: Resamples for 95% confidence intervals; 0 for none.
        seed: Of the random number generator.
        encoding: Of files.
        progress: Told how many segments are scored.
    """
    from paragauge.corpora import read_testset
    from paragauge.evaluate.people import as_people, as_score_table

    request = StudyRequest(
        metrics=metric_names(metrics),
        methods=several(method),
        pair=pair,
        lower_is_better=several(lower_is_better),
        disagreements=disagreements,
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
    progress: Progress | None = None,
) -> StudyResult:
    """Return what *request* asks for.

    Args:
        request: What to compute, and how.
        scores: Tables of scores, put together.
        people: What people said.
        testset: The sentences behind the numbers; the metrics of *request* are computed from them.
        progress: Told how many segments are scored.
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
                "there are metrics, but no texts to score; give texts or a test set, or scores instead of metrics"
            )
        asked = ScoreRequest(metrics=request.metrics, bootstrap=request.bootstrap, seed=request.seed)
        scored = score_testset(testset, asked, progress=progress)
        tables.append(scored.score_table())
    if not tables:
        raise DataError("there are no scores; give files of scores, or metrics and texts to score")
    try:
        table = ScoreTable(tuple(row for each in tables for row in each))
    except DataError as error:
        raise DataError(f"{error}; do two of the files hold the same scores?") from error
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
    )
    items = {"methods": ",".join(methods), "bs": request.bootstrap, "seed": request.seed, "version": package_version()}
    return StudyResult(request, found, Signature.of("report", items), testset, scored)


def _refuse_idle_options(request: StudyRequest, people: Judgments | Rankings | None) -> None:
    from paragauge.meta.rankings import Rankings

    if not request.methods:
        raise OptionError("a study needs at least one method of correlation")
    alone = "goes with judgments; there are none" if people is None else None
    ranked = isinstance(people, Rankings)
    refuse_idle(
        request,
        {
            "pair": alone if alone or ranked else "goes with WMT rankings; these are judgments",
            "disagreements": alone,
            "seed": None if request.bootstrap else "goes with intervals, and --bootstrap 0 asks for none",
        },
    )
