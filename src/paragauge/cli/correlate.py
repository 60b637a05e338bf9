"""``paragauge correlate``: how far metrics agree with people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from paragauge.cli.options import bootstrap_option, encoding_option, output_options, quieten, seed_option
from paragauge.cli.output import Progress, emit, progress

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.meta.correlation import Average, Correlation, Level, Method
    from paragauge.meta.evaluation import Evaluation
    from paragauge.meta.rankings import Ties
    from paragauge.meta.scores import ScoreTable
    from paragauge.report.table import Cell, Format, ResultTable


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for, apart from the files."""

    level: Level
    methods: tuple[Method, ...]
    average: Average
    criterion: str | None
    each_judge: bool
    where: tuple[str, ...]
    exclude_systems: tuple[str, ...]
    pair: str | None
    ties: Ties
    lower_is_better: tuple[str, ...]
    bootstrap: int
    seed: int
    documents: str | None
    column: str
    encoding: str


@dataclass(frozen=True, slots=True)
class DataSet:
    """One pair of files: scores, and what people said."""

    name: str
    scores: str
    judgments: str


@click.command()
@click.argument("scores", required=False, type=click.Path(allow_dash=True))
@click.argument("judgments", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--set",
    "sets",
    nargs=3,
    multiple=True,
    metavar="NAME SCORES JUDGMENTS",
    help="A named data set, instead of the two files; may be repeated. Correlations are averaged over the sets.",
)
@click.option("--level", type=click.Choice(["segment", "system"]), default="segment", show_default=True)
@click.option(
    "--method",
    "methods",
    type=click.Choice(["pearson", "spearman", "kendall"]),
    multiple=True,
    default=["pearson"],
    show_default=True,
    help="May be repeated.",
)
@click.option(
    "--average",
    type=click.Choice(["none", "segment", "system"]),
    default="none",
    show_default=True,
    help="At segment level: all candidates at once, or the mean over segments or systems.",
)
@click.option("--criterion", metavar="NAME", help="Which judgments; needed if there are several criteria.")
@click.option("--each-judge", is_flag=True, help="One row for each judge beside the one for their mean.")
@click.option("--where", multiple=True, metavar="CONDITION", help="Only candidates such as 'fluency>=4'; repeatable.")
@click.option("--exclude-system", "exclude_systems", multiple=True, metavar="NAME", help="Leave a system out.")
@click.option("--column", default="score", show_default=True, metavar="NAME", help="Which column of SCORES to take.")
@click.option("--compare", is_flag=True, help="Compare the metrics with one another instead (two files only).")
@click.option("--documents", metavar="FILE", help="TSV with the columns segment and document: resample documents.")
@click.option("--pair", metavar="PAIR", help="Language pair of a WMT ranking file, as in Czech-English.")
@click.option(
    "--ties",
    type=click.Choice(["discordant", "ignored", "neutral"]),
    default="discordant",
    show_default=True,
    help="What a metric's ties count against WMT rankings.",
)
@click.option(
    "--lower-is-better", multiple=True, metavar="METRIC", help="Turn a metric's sign against rankings (ter, ...)."
)
@bootstrap_option
@seed_option
@encoding_option
@output_options
def correlate(
    scores: str | None,
    judgments: str | None,
    sets: tuple[tuple[str, str, str], ...],
    compare: bool,
    form: Format,
    output: str,
    quiet: bool,
    **options: object,
) -> None:
    """Correlate SCORES of metrics with JUDGMENTS of people.

    SCORES is what 'paragauge score --segments --format tsv' writes (metric, system, segment, score), or scores of whole
    systems without the segment. JUDGMENTS has the columns system, segment, judge, criterion and score, or is a file of
    WMT rankings. Missing judgments stay missing; what could not be used is said on standard error.

    \b
    Example:
      paragauge correlate scores.tsv judgments.tsv --level system --method spearman
      paragauge correlate scores.tsv judgments.tsv --criterion overall --where 'adequacy>=4' --compare
    """
    quieten(quiet)
    request = Request(**options)  # type: ignore[arg-type]  # click has checked each of them
    data = [DataSet(*each) for each in sets]
    if (scores is None) != (judgments is None) or (scores is None and not data):
        raise click.UsageError("expected SCORES and JUDGMENTS, or --set NAME SCORES JUDGMENTS")
    if scores is not None and judgments is not None:
        data.insert(0, DataSet("", scores, judgments))
    if len({each.name for each in data}) < len(data):
        raise click.UsageError("two sets have the same name")
    if compare and len(data) > 1:
        raise click.UsageError("--compare takes one pair of files")
    with progress(len(data), "sets", quiet=quiet) as bar:
        table = comparison_table(data[0], request) if compare else correlation_table(data, request, bar)
    emit(table.render(form), output)


def correlation_table(data: list[DataSet], request: Request, bar: Progress) -> ResultTable:
    """Return one row for each set, metric, method and judge, and the means over sets."""
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    for each in data:
        bar.set_postfix_str(each.name)
        rows += _rows_of_set(each, request)
        bar.update(1)
    if len(data) > 1:
        rows += _mean_rows(rows)
    columns = [
        *(["set"] if len(data) > 1 else []),
        "metric",
        *(["judge"] if request.each_judge else []),
        "level",
        "method",
        "correlation",
        *(["low", "high"] if request.bootstrap else []),
        "items",
    ]
    return ResultTable(columns, rows, notes=[_signature(request)])


def _signature(request: Request) -> str:
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    items: dict[str, object] = {"level": request.level, "average": request.average}
    if request.criterion is not None:
        items["criterion"] = request.criterion
    if request.where:
        items["where"] = " and ".join(request.where)
    if request.exclude_systems:
        items["without"] = ",".join(request.exclude_systems)
    if request.pair is not None:
        items |= {"pair": request.pair, "ties": request.ties}
    if request.column != "score":
        items["column"] = request.column
    if request.bootstrap:
        items |= {"bs": request.bootstrap, "unit": "document" if request.documents else "segment", "seed": request.seed}
    return str(Signature.of("correlate", {**items, "version": package_version()}))


def _rows_of_set(data: DataSet, request: Request) -> list[dict[str, Cell]]:
    from paragauge.corpora import read_judgments
    from paragauge.meta.rankings import holds_rankings
    from paragauge.meta.scores import read_scores

    scores = read_scores(data.scores, column=request.column, encoding=request.encoding)
    if holds_rankings(data.judgments, encoding=request.encoding):
        return _ranking_rows(data, scores, request)
    judgments = read_judgments(data.judgments, encoding=request.encoding)
    evaluation = _evaluation(data, scores, judgments, request)
    rows = _correlation_rows(data, evaluation, "", request)
    if request.each_judge:
        for judge in sorted(set(judgments.judges)):
            rows += _correlation_rows(data, _evaluation(data, scores, judgments, request, judge), judge, request)
    return rows


def _evaluation(
    data: DataSet, scores: ScoreTable, judgments: Judgments, request: Request, judge: str | None = None
) -> Evaluation:
    import logging

    from paragauge.meta.evaluation import join_scores
    from paragauge.meta.subset import Condition, subset

    conditions = [Condition.parse(text) for text in request.where]
    keep = subset(judgments, conditions, request.exclude_systems)
    evaluation = join_scores(scores, judgments, criterion=request.criterion, judge=judge, keep=keep)
    if judge is None:
        for dropped in evaluation.dropped:
            logging.getLogger("paragauge").warning("%snot used: %s", f"{data.name}: " if data.name else "", dropped)
    return evaluation


def _correlation_rows(data: DataSet, evaluation: Evaluation, judge: str, request: Request) -> list[dict[str, Cell]]:
    from paragauge.meta.correlation import correlate_metric

    documents = _documents(request, evaluation)
    names = evaluation.names if request.level == "system" else tuple(evaluation.metrics)
    rows = []
    for metric in names:
        for method in request.methods:
            found = correlate_metric(
                evaluation,
                metric,
                method=method,
                level=request.level,
                average=request.average,
                resamples=request.bootstrap,
                seed=request.seed,
                documents=documents,
            )
            rows.append(_row(data.name, judge, found))
    return rows


def _row(name: str, judge: str, found: Correlation) -> dict[str, Cell]:
    return {
        "set": name,
        "metric": found.metric,
        "judge": judge or "mean",
        "level": found.level,
        "method": found.method,
        "correlation": found.value,
        "low": None if found.interval is None else found.interval.low,
        "high": None if found.interval is None else found.interval.high,
        "items": found.items,
    }


def _documents(request: Request, evaluation: Evaluation) -> list[str] | None:
    from paragauge.corpora.documents import read_documents

    if request.documents is None:
        return None
    return read_documents(request.documents, evaluation.segments, encoding=request.encoding)


def _ranking_rows(data: DataSet, scores: ScoreTable, request: Request) -> list[dict[str, Cell]]:
    from paragauge.meta.rankings import correlate_wins, ranking_tau, read_rankings

    rankings = read_rankings(data.judgments, pair=request.pair or data.name or None, encoding=request.encoding)
    rows = []
    for metric in scores.metrics:
        lower = metric in request.lower_is_better
        if request.level == "segment":
            found = ranking_tau(
                scores,
                metric,
                rankings,
                ties=request.ties,
                lower_is_better=lower,
                resamples=request.bootstrap,
                seed=request.seed,
            )
            rows.append(_row(data.name, "", found))
            continue
        means = _system_means(scores, metric, -1.0 if lower else 1.0)
        for method in request.methods:
            found = correlate_wins(
                means, metric, rankings, method=method, resamples=request.bootstrap, seed=request.seed
            )
            rows.append(_row(data.name, "", found))
    return rows


def _system_means(scores: ScoreTable, metric: str, sign: float) -> dict[str, float]:
    from math import fsum

    values: dict[str, list[float]] = {}
    for row in scores:
        if row.metric == metric and row.score is not None:
            values.setdefault(row.system, []).append(sign * row.score)
    return {system: fsum(each) / len(each) for system, each in values.items()}


def _mean_rows(rows: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
    from math import fsum, isnan

    groups: dict[tuple[Cell, ...], list[float]] = {}
    for row in rows:
        value = row["correlation"]
        if isinstance(value, float) and not isnan(value):
            groups.setdefault(tuple(row[key] for key in ("metric", "judge", "level", "method")), []).append(value)
    return [
        {
            "set": "mean",
            "metric": metric,
            "judge": judge,
            "level": level,
            "method": method,
            "correlation": fsum(values) / len(values),
            "items": len(values),
        }
        for (metric, judge, level, method), values in groups.items()
    ]


def comparison_table(data: DataSet, request: Request) -> ResultTable:
    """Return one row for each pair of metrics: the difference of their correlations, and three tests of it."""
    from itertools import combinations

    from paragauge.corpora import read_judgments
    from paragauge.meta.correlation import compare_metrics
    from paragauge.meta.scores import read_scores
    from paragauge.report.table import ResultTable

    scores = read_scores(data.scores, column=request.column, encoding=request.encoding)
    judgments = read_judgments(data.judgments, encoding=request.encoding)
    evaluation = _evaluation(data, scores, judgments, request)
    names = evaluation.names if request.level == "system" else tuple(evaluation.metrics)
    if len(names) < 2:
        raise click.UsageError("--compare takes scores of at least two metrics")
    documents = _documents(request, evaluation)
    rows: list[dict[str, Cell]] = []
    for one, other in combinations(names, 2):
        for method in request.methods:
            found = compare_metrics(
                evaluation,
                one,
                other,
                method=method,
                level=request.level,
                average=request.average,
                resamples=request.bootstrap or 1000,
                seed=request.seed,
                documents=documents,
            )
            rows.append(
                {
                    "metric": one,
                    "other": other,
                    "method": method,
                    "difference": found.difference,
                    "low": None if found.interval is None else found.interval.low,
                    "high": None if found.interval is None else found.interval.high,
                    "bootstrap_p": found.bootstrap_p,
                    "permutation_p": found.permutation_p,
                    "williams_p": found.williams_p,
                }
            )
    return ResultTable(list(rows[0]), rows, notes=[_signature(request)])
