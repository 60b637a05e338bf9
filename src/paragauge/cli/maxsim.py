"""``paragauge maxsim tune``: fit MAXSIM's alpha to judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.groups import WholeSummaries
from paragauge.cli.inputs import Inputs, TextsCommand, input_options, load_testset
from paragauge.cli.options import output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.maxsim import TuneRequest, tune_maxsim

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.group(cls=WholeSummaries)
def maxsim() -> None:
    """Tune MAXSIM. To score with it: paragauge score -m maxsim.

    \b
    Example:
      paragauge maxsim tune --ref reference.txt system-a.txt --judgments judgments.tsv
    """


@maxsim.command(cls=TextsCommand)
@input_options
@click.option(
    "--judgments", required=True, metavar="FILE", help="Judgments file: system, segment, judge, criterion and score."
)
@request_options(TuneRequest)
@output_options
def tune(inputs: Inputs, judgments: str, request: TuneRequest, form: Format, output: str, quiet: bool) -> None:
    """Find the alpha with which MAXSIM agrees best with people.

    The row 'held out' estimates the result on new data: each segment is scored with the alpha that is best on the other
    segments. Do not report results on the data you tune on.

    \b
    Example:
      paragauge maxsim tune --ref reference.txt system-a.txt system-b.txt --judgments judgments.tsv
    """
    from paragauge.corpora import read_judgments

    testset = load_testset(inputs, list(request.settings().values()))
    judged = read_judgments(judgments, encoding=inputs.encoding)
    with progress_bar("segments", quiet=quiet) as bar:
        result = tune_maxsim(request, testset, judged, progress=bar)
    emit(result.table().render(form), output)
