"""``paragauge judgments``: published human judgments as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, format_option, output_option, quiet_option
from paragauge.cli.output import emit
from paragauge.cli.requests import request_options
from paragauge.evaluate.judgments import JudgmentsRequest, convert_judgments

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command(short_help="Convert published human judgments to a table.")
@click.argument("file", metavar="JUDGMENTS", type=click.Path(allow_dash=True))
@request_options(JudgmentsRequest)
@encoding_option
@format_option("tsv", "table", "json")
@output_option
@quiet_option
def judgments(file: str, request: JudgmentsRequest, encoding: str, form: Format, output: str, quiet: bool) -> None:
    """Convert published human JUDGMENTS to the table that other commands read.

    Recognised by their header: WMT's direct assessments (SYS SID RAW.SCR Z.SCR N), of systems too; MQM errors by rater
    (system, rater, category, severity, ...), scored by Google's weights; any table with a system, a segment and scores
    called raw, z, z_score, human_z or mqm; folders of mt-metrics-eval. All other commands read these, too: this one is
    for other weights, for z-scores by judge, and to see what was read.

    \b
    Example:
      paragauge judgments ad-seg-scores-cs-en.csv --criterion z --strip-numbers -o judgments.tsv
      paragauge judgments mqm_newstest2021_ende.tsv --mqm-weights 'major:10 minor:1 neutral:0' -o mqm.tsv
      paragauge judgments scores-by-worker.tsv --drop-outliers --z-scores -o z.tsv
    """
    result = convert_judgments(file, request, encoding=encoding)
    if result.outliers and not quiet:
        click.echo(f"paragauge: left out as outliers: {', '.join(result.outliers)}", err=True)
    emit(result.table().render(form), output)
