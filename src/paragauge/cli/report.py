"""``paragauge report``: systems, and metrics with human judgments, as a page or as tables."""

from __future__ import annotations

import codecs
import json
import re
from typing import TYPE_CHECKING

import click

from paragauge.cli.inputs import Inputs, TextsCommand, read_inputs
from paragauge.cli.options import encoding_option, format_option, output_to, quiet_option
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.study import StudyRequest, make_report, read_groups
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.report.model import Report

KIND = "report"
FORMAT = 1


@click.command(cls=TextsCommand)
@click.argument("files", nargs=-1, metavar="[SYSTEMS|SCORES]...", type=click.Path(allow_dash=True))
@click.option(
    "--judgments", metavar="FILE", type=click.Path(), help="Human judgments: TSV, CSV, JSONL or WMT rankings."
)
@click.option("--testset", metavar="FILE", type=click.Path(), help="The texts (JSONL, TSV, CSV, SGML or WMT XML).")
@click.option(
    "--candidates",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="Texts of a system, one per line: the same as an argument. Repeat it for each system.",
)
@click.option(
    "--ref",
    "references",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="References, one per line. Repeat it for each file of references.",
)
@click.option("--original", metavar="FILE", type=click.Path(), help="What the systems paraphrase, one per line.")
@click.option(
    "--name", "names", multiple=True, metavar="SYSTEM", help="Name of a system; once for each file of candidates."
)
@click.option(
    "--groups",
    metavar="FILE",
    type=click.Path(),
    help="With judgments: agreement by group of segments, such as phenomenon or domain: TSV with segment and group.",
)
@request_options(StudyRequest)
@encoding_option
@format_option(
    "html",
    "table",
    "tsv",
    "json",
    "latex",
    help="A page, or one of the other formats by itself.",
)
@output_to(
    "FILE",
    "Output: a page (FILE.html), or a folder with a page and all other formats.  [default: standard output, but not "
    "for HTML]",
    default=STANDARD_STREAM,
)
@quiet_option
def report(
    files: tuple[str, ...],
    judgments: str | None,
    testset: str | None,
    candidates: tuple[str, ...],
    references: tuple[str, ...],
    original: str | None,
    names: tuple[str, ...],
    groups: str | None,
    request: StudyRequest,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Report on systems and, with human judgments, on metrics.

    SYSTEMS are files with one text per line. With --original or --ref (or --testset), the report compares them: scores
    with intervals, significance, what got better and worse, distributions, checks of the data. Without -m, it uses
    pem+ and pinc for originals, bleu and chrf for references. The first system is the baseline.

    SCORES are files that 'paragauge score --segments --format tsv' wrote; several are combined. With judgments, the
    report adds agreement with people, metrics compared with each other, plots, and the candidates on which a metric and
    people disagree most.

    The page needs no network and no server. It shows the summary first; details unfold.

    \b
    Example:
      paragauge report --original original.txt prompt-a.txt prompt-b.txt -o report.html
      paragauge report -m bleu,ter --ref ref.txt system-a.txt system-b.txt --format latex
      paragauge report scores.tsv --judgments judgments.tsv --testset testset.jsonl -o report
    """
    from paragauge.evaluate.people import as_people
    from paragauge.meta.scores import read_scores

    if form == "html" and output == STANDARD_STREAM:
        raise click.UsageError("a page is a file or a folder; give it with -o FILE.html, or choose another --format")
    if files.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    beside = bool(references) or original is not None  # texts beside which files can be systems
    scores = tuple(file for file in files if file == STANDARD_STREAM or _has_scores(file, beside=beside))
    if len(scores) < len(files) and not beside:
        raise click.UsageError(
            f"{next(file for file in files if file not in scores)} contains no scores; to report on systems, give "
            "--original or --ref"
        )
    inputs = Inputs(
        (*candidates, *(file for file in files if file not in scores)), references, original, testset, names, encoding
    )
    if not scores and not request.metrics:
        request = request.changed(metrics=_usual_metrics(inputs))
    tables = [read_scores(path, encoding=encoding) for path in scores]
    people = None if judgments is None else as_people(judgments, pair=request.pair, encoding=encoding)
    texts = _texts(request, inputs)
    if groups is not None and people is None:
        raise click.UsageError("--groups needs --judgments: it shows the agreement with people by group")
    kinds = None if groups is None else read_groups(groups, encoding=encoding)
    with progress_bar("steps", quiet=quiet) as bar:
        made = make_report(request, tables, people, testset=texts, groups=kinds, progress=bar).report()
    _write(made, form, output)


def _write(made: Report, form: str, output: str) -> None:
    from paragauge.report.html import report_html, write_html
    from paragauge.report.latex import report_latex
    from paragauge.report.text import report_json, report_text, report_tsv
    from paragauge.resource import write_resource

    if form == "html" and not output.lower().endswith((".html", ".htm", ".html.gz")):
        with write_resource(output, KIND, format=FORMAT, options={"title": made.title}) as folder:
            write_html(made, folder)
        return
    render = {
        "html": report_html,
        "table": report_text,
        "tsv": report_tsv,
        "json": report_json,
        "latex": report_latex,
    }
    emit(render[form](made), output)


def _has_scores(file: str, *, beside: bool) -> bool:
    """Return whether *file* contains scores rather than the texts of a system: its header or first record says so.

    Without other texts *beside* it, it can be no system; the reader of scores reports what is wrong with it.
    """
    from paragauge.corpora.formats import first_line
    from paragauge.io import read_bytes

    data = read_bytes(file).removeprefix(codecs.BOM_UTF8)
    if data.lstrip()[:1] in (b"[", b"{", b""):
        return not beside or _is_json_of_scores(data)
    columns = re.split(r"[\t,]", first_line(data))
    return len(columns) > 1 and "score" in [column.strip('"') for column in columns]


def _is_json_of_scores(data: bytes) -> bool:
    """Return whether *data* is JSON or JSON Lines whose first record has a score; sentences may begin so, too."""
    lines = data.lstrip()
    try:
        found = json.loads(lines if lines.startswith(b"[") else lines.partition(b"\n")[0])
    except ValueError:
        return False
    first = found[0] if isinstance(found, list) and found else found
    return isinstance(first, dict) and "score" in first


def _usual_metrics(inputs: Inputs) -> tuple[str, ...]:
    """Return the metrics of a report that names none."""
    if not inputs.references and inputs.original is None:
        raise click.UsageError(
            "expected SYSTEMS with --original or --ref, SCORES, or -m METRIC and a test set to compute it from"
        )
    paraphrase = ("pem+", "pinc") if inputs.original is not None else ()
    return (*paraphrase, *(("bleu", "chrf") if inputs.references else ()))


def _texts(request: StudyRequest, inputs: Inputs) -> TestSet | None:
    """Return the texts, if any were given."""
    from paragauge.metrics.registry import parse_sentence_metrics

    if inputs.testset is None and not inputs.candidates:
        for flag, given in (("--ref", inputs.references), ("--original", inputs.original), ("--name", inputs.names)):
            if given:
                raise click.UsageError(f"{flag} needs the texts of systems; give their files as arguments")
        if request.metrics:
            raise click.UsageError(
                "-m computes a metric from texts; give --testset, or systems and --ref or --original"
            )
        return None
    return read_inputs(inputs, parse_sentence_metrics(request.metrics))
