"""``paragauge pairwise``: every line of one file against every line of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.pairwise import PairwiseRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@request_options(PairwiseRequest)
@click.argument("candidates", type=click.Path(allow_dash=True))
@click.argument("others", type=click.Path(allow_dash=True))
@encoding_option
@output_options
def pairwise(
    request: PairwiseRequest, candidates: str, others: str, encoding: str, form: Format, output: str, quiet: bool
) -> None:
    """Score every line of CANDIDATES against every line of OTHERS.

    For reranking, minimum Bayes risk and finding near-duplicates. OTHERS are references for metrics of translations
    and originals for metrics of paraphrases; the two files may be the same.

    \b
    Example:
      paragauge pairwise -m bleu samples.txt samples.txt --format tsv
    """
    from paragauge.evaluate.pairwise import pairwise as score_pairs
    from paragauge.io import read_lines

    request.load_metrics()  # before files are read
    if candidates == others == STANDARD_STREAM:
        raise click.UsageError("standard input ('-') can be read only once")
    texts = list(read_lines(candidates, encoding=encoding))
    compared = texts if others == candidates else list(read_lines(others, encoding=encoding))
    with progress_bar("candidates", quiet=quiet) as progress:
        result = score_pairs(texts, compared, metrics=request.metrics, progress=progress)
    emit(result.table().render(form), output)
