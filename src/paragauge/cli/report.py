"""``paragauge report``: a whole meta-evaluation as a page or as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.inputs import Inputs, read_inputs
from paragauge.cli.options import encoding_option, format_option, output_to, quiet_option
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.study import StudyRequest, make_report
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet

KIND = "report"
FORMAT = 1


@click.command()
@click.argument("scores", nargs=-1, metavar="[SCORES]...", type=click.Path(allow_dash=True))
@click.option(
    "--judgments", metavar="FILE", type=click.Path(), help="Human judgments: TSV, CSV, JSONL or WMT rankings."
)
@click.option("--testset", metavar="FILE", type=click.Path(), help="The texts (JSONL, TSV, CSV, SGML or WMT XML).")
@click.option(
    "--candidates",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="Texts of a system, one per line, instead of --testset. Repeat it for each system.",
)
@click.option(
    "--ref",
    "references",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="With --candidates: references, one per line. Repeat it for each file of references.",
)
@click.option(
    "--original", metavar="FILE", type=click.Path(), help="With --candidates: what they paraphrase, one per line."
)
@click.option(
    "--name", "names", multiple=True, metavar="SYSTEM", help="Name of a system; once for each file of candidates."
)
@request_options(StudyRequest)
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
    "Output folder (html), or output file (other formats).",
    default=STANDARD_STREAM,
)
@quiet_option
def report(
    scores: tuple[str, ...],
    judgments: str | None,
    testset: str | None,
    candidates: tuple[str, ...],
    references: tuple[str, ...],
    original: str | None,
    names: tuple[str, ...],
    request: StudyRequest,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Report on metrics, with human judgments if there are any.

    SCORES are files that 'paragauge score --segments --format tsv' wrote; several are combined. With -m, metrics
    are computed from the texts, and a system's score is the one that 'paragauge score' gives it; from SCORES of
    segments alone, it is their mean.

    The page needs no network and no server: open DIR/index.html. It shows rankings of systems with intervals, agreement
    with people, metrics compared with each other, plots, and the candidates on which a metric and people disagree most.

    \b
    Example:
      paragauge report scores.tsv --judgments judgments.tsv --testset testset.jsonl -o report
      paragauge report -m bleu -m ter --testset testset.jsonl --judgments judgments.tsv -o report
      paragauge report scores.tsv --judgments judgments.tsv --format latex
    """
    from paragauge.evaluate.people import as_people
    from paragauge.meta.scores import read_scores
    from paragauge.report.html import write_html
    from paragauge.report.latex import report_latex
    from paragauge.report.text import report_json, report_text, report_tsv
    from paragauge.resource import write_resource

    if form == "html" and output == STANDARD_STREAM:
        raise click.UsageError("an HTML report is a folder; give it with -o DIR, or choose another --format")
    if scores.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if not scores and not request.metrics:
        raise click.UsageError("expected SCORES, or -m METRIC and texts to compute it from")
    tables = [read_scores(path, encoding=encoding) for path in scores]
    people = None if judgments is None else as_people(judgments, pair=request.pair, encoding=encoding)
    texts = _texts(request, Inputs(candidates, references, original, testset, names, encoding))
    with progress_bar("segments", quiet=quiet) as bar:
        made = make_report(request, tables, people, testset=texts, progress=bar).report()
    if form == "html":
        with write_resource(output, KIND, format=FORMAT, options={"title": request.title}) as folder:
            write_html(made, folder)
        return
    render = {"table": report_text, "tsv": report_tsv, "json": report_json, "latex": report_latex}[form]
    emit(render(made), output)


def _texts(request: StudyRequest, inputs: Inputs) -> TestSet | None:
    """Return the texts, if any were given."""
    from paragauge.metrics.registry import parse_sentence_metrics

    if inputs.testset is None and not inputs.candidates:
        for flag, given in (("--ref", inputs.references), ("--original", inputs.original), ("--name", inputs.names)):
            if given:
                raise click.UsageError(f"{flag} needs --candidates")
        if request.metrics:
            raise click.UsageError("-m computes a metric from texts; give them with --testset or --candidates")
        return None
    return read_inputs(inputs, parse_sentence_metrics(request.metrics))
