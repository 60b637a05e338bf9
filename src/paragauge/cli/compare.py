"""``paragauge compare``: is the difference between systems significant?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.inputs import Inputs, TextsCommand, input_options, read_inputs
from paragauge.cli.options import output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import refuse_given, request_options
from paragauge.evaluate.compare import CompareRequest

if TYPE_CHECKING:
    from paragauge.evaluate.compare import CompareResult
    from paragauge.report.table import Format


@click.command(cls=TextsCommand)
@request_options(CompareRequest)
@input_options
@click.option("--segments", is_flag=True, help="List the segments that got better or worse, with both texts.")
@click.option(
    "--clusters", is_flag=True, help="Sort systems into clusters that differ significantly, by tests of all pairs."
)
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(min=1), metavar="N",
    help="With --segments: how many to show of each kind; TSV and JSON have all.",
)  # fmt: skip
@output_options
def compare(
    request: CompareRequest,
    inputs: Inputs,
    segments: bool,
    clusters: bool,
    top: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Compare systems with the first one, the baseline, by paired significance tests.

    The p-value is two-sided; the interval is the 95% bootstrap interval of the difference; 'wins' is the share of
    resamples in which the system scores above the baseline. --segments shows on which sentences systems differ:
    the biggest losses and wins with both texts, and how often each system wins.

    \b
    Example:
      paragauge compare -m pem+ --original original.txt old.txt new.txt --segments
      paragauge compare -m bleu -m chrf --ref reference.txt baseline.txt system-a.txt system-b.txt
      paragauge compare -m bleu --ref reference.txt --test permutation a.txt b.txt --format json
    """
    from paragauge.evaluate.compare import compare_testset

    if segments and clusters:
        raise click.UsageError("--segments and --clusters are two tables; ask for one at a time")
    if not segments or form != "table":
        refuse_given("it goes with --segments as a table", "top")
    if segments:
        refuse_given("--segments tests nothing but counts segments", "tests", "trials")
    if clusters:
        refuse_given("clusters come from tests of all pairs", "all_pairs")
    testset = read_inputs(inputs, request.load_metrics())
    with progress_bar("segments", quiet=quiet) as progress:
        result = compare_testset(testset, request, progress=progress)
        text = _shown(result, segments, clusters, top, form)
    emit(text, output)


def _shown(result: CompareResult, segments: bool, clusters: bool, top: int, form: Format) -> str:
    if segments:
        return result.segments.text(top) if form == "table" else result.segments.table().render(form)
    return (result.clusters if clusters else result).table().render(form)
