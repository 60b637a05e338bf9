"""``paragauge report``: a whole meta-evaluation as a page to read, or as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    bootstrap_option,
    encoding_option,
    format_option,
    output_to,
    quiet_option,
    quieten,
    seed_option,
)
from paragauge.cli.output import emit
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.meta.correlation import Method
    from paragauge.meta.scores import ScoreTable

KIND = "report"
FORMAT = 1


@click.command()
@click.argument("scores", nargs=-1, required=True, metavar="SCORES...", type=click.Path(allow_dash=True))
@click.option(
    "--judgments", metavar="FILE", type=click.Path(), help="What people said: TSV, CSV, JSONL or WMT rankings."
)
@click.option("--testset", metavar="FILE", type=click.Path(), help="The sentences (JSONL, TSV, CSV, SGML or WMT XML).")
@click.option(
    "--method",
    "methods",
    type=click.Choice(["pearson", "spearman", "kendall"]),
    multiple=True,
    default=["pearson", "spearman"],
    show_default=True,
    help="May be repeated; heat maps of metrics use the first.",
)
@click.option("--pair", metavar="PAIR", help="Language pair of a WMT ranking file, as in Czech-English.")
@click.option(
    "--lower-is-better",
    multiple=True,
    metavar="METRIC",
    help="A metric for which less is better; ours are known.",
)
@click.option(
    "--disagreements",
    default=6,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Candidates to read for each metric and criterion.",
)
@click.option("--title", default="How good are these metrics?", show_default=True, help="The heading.")
@bootstrap_option
@seed_option
@encoding_option
@format_option(
    "html",
    "table",
    "tsv",
    "json",
    "latex",
    help="A folder with a page and all other formats, or one of the other formats by itself.",
)
@output_to(
    "DIR",
    "The folder to write (html), or a file instead of standard output (other formats).",
    default=STANDARD_STREAM,
)
@quiet_option
def report(
    scores: tuple[str, ...],
    judgments: str | None,
    testset: str | None,
    methods: tuple[Method, ...],
    pair: str | None,
    lower_is_better: tuple[str, ...],
    disagreements: int,
    title: str,
    bootstrap: int,
    seed: int,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Report on SCORES of metrics, beside JUDGMENTS of people if there are any.

    SCORES are files that 'paragauge score --segments --format tsv' wrote; several are put together. The page needs no
    network and no server: open DIR/index.html. It shows rankings of systems with intervals, agreement with people,
    metrics beside one another, plots, and the candidates about which a metric and people disagree most.

    \b
    Example:
      paragauge report scores.tsv --judgments judgments.tsv --testset testset.jsonl -o report
      paragauge report scores.tsv --judgments judgments.tsv --format latex
    """
    from paragauge.corpora import read_testset
    from paragauge.meta.rankings import read_people
    from paragauge.meta.study import make_study
    from paragauge.metrics.registry import lower_is_better as known_lower_is_better
    from paragauge.report.html import write_html
    from paragauge.report.latex import report_latex
    from paragauge.report.model import study_report
    from paragauge.report.text import report_json, report_text, report_tsv
    from paragauge.resource import write_resource

    quieten(quiet)
    if form == "html" and output == STANDARD_STREAM:
        raise click.UsageError("a page is a folder; name it with -o DIR, or choose another --format")
    if scores.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    table = _scores(scores, encoding)
    study = make_study(
        table,
        None if judgments is None else read_people(judgments, pair=pair, encoding=encoding),
        methods=tuple(dict.fromkeys(methods)),
        lower_is_better={*lower_is_better, *filter(known_lower_is_better, table.metrics)},
        disagreements=disagreements,
        resamples=bootstrap,
        seed=seed,
    )
    texts = None if testset is None else read_testset(testset, encoding=encoding)
    made = study_report(study, testset=texts, title=title)
    if form == "html":
        with write_resource(output, KIND, format=FORMAT, options={"title": title}) as folder:
            write_html(made, folder)
        return
    render = {"table": report_text, "tsv": report_tsv, "json": report_json, "latex": report_latex}[form]
    emit(render(made), output)


def _scores(paths: tuple[str, ...], encoding: str) -> ScoreTable:
    from paragauge.errors import DataError
    from paragauge.meta.scores import ScoreTable, read_scores

    tables = [read_scores(path, encoding=encoding) for path in paths]
    try:
        return ScoreTable(tuple(row for table in tables for row in table))
    except DataError as error:
        raise DataError(f"{error}; do two of the files hold the same scores?") from error
