"""``paragauge correlate``: how well metrics agree with people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.correlate import CorrelateRequest, DataSet, correlate_sets

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@click.argument("scores", required=False, type=click.Path(allow_dash=True))
@click.argument("judgments", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--set",
    "sets",
    nargs=3,
    multiple=True,
    metavar="NAME SCORES JUDGMENTS",
    help="A named data set instead of SCORES and JUDGMENTS; may be repeated. Correlations are averaged over the sets.",
)
@request_options(CorrelateRequest)
@encoding_option
@output_options
def correlate(
    scores: str | None,
    judgments: str | None,
    sets: tuple[tuple[str, str, str], ...],
    request: CorrelateRequest,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate SCORES of metrics with JUDGMENTS of people.

    SCORES is what 'paragauge score --segments --format tsv' writes (metric, system, segment, score), or scores of whole
    systems without the segment. JUDGMENTS has the columns system, segment (unless whole systems were judged), judge,
    criterion and score; or is a published file: direct assessments, MQM errors, rankings. Both can be the same folder
    of mt-metrics-eval. Missing judgments stay missing; what could not be used is reported on standard error.

    Metrics for which lower is better (ter) change their sign, so that 1 means full agreement. docs/meta.md says which
    statistic answers which question.

    At system level, a system's score is the one that SCORES has for the whole system, else the mean of its segments.
    Intervals resample segments; scores of whole systems stay as they are.

    \b
    Example:
      paragauge correlate scores.tsv judgments.tsv --level system --method spearman
      paragauge correlate scores.tsv judgments.tsv --level system --method spa --method pairwise-accuracy
      paragauge correlate scores.tsv mqm.tsv --method acc-eq --clusters
      paragauge correlate scores.tsv judgments.tsv --criterion overall --where 'adequacy>=4' --compare
    """
    data = [DataSet(*each) for each in sets]
    if (scores is None) != (judgments is None) or (scores is None and not data):
        raise click.UsageError("expected SCORES and JUDGMENTS, or --set NAME SCORES JUDGMENTS")
    if scores is not None and judgments is not None:
        data.insert(0, DataSet("", scores, judgments))
    with progress_bar("sets", quiet=quiet) as bar:
        result = correlate_sets(data, request, encoding=encoding, progress=bar)
    emit(result.table().render(form), output)
