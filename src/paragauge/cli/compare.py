"""``paragauge compare``: is the difference between systems significant?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.inputs import Inputs, TextsCommand, input_options, read_inputs
from paragauge.cli.options import output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.compare import CompareRequest

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command(cls=TextsCommand)
@request_options(CompareRequest)
@input_options
@output_options
def compare(request: CompareRequest, inputs: Inputs, form: Format, output: str, quiet: bool) -> None:
    """Compare systems with the first one, the baseline, by paired significance tests.

    The p-value is two-sided; the interval is the 95% bootstrap interval of the difference; 'wins' is the share of
    resamples in which the system scores above the baseline.

    \b
    Example:
      paragauge compare -m bleu -m chrf --ref reference.txt baseline.txt system-a.txt system-b.txt
      paragauge compare -m bleu --ref reference.txt --test permutation a.txt b.txt --format json
    """
    from paragauge.evaluate.compare import compare_testset

    testset = read_inputs(inputs, request.load_metrics())
    with progress_bar("segments", quiet=quiet) as progress:
        result = compare_testset(testset, request, progress=progress)
    emit(result.table().render(form), output)
