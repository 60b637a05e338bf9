"""``paragauge pairwise``: every line of one file against every line of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, load_metrics, metric_option, output_options, quieten
from paragauge.cli.output import emit, progress
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.report.table import Cell, Format


@click.command()
@metric_option
@click.argument("candidates", type=click.Path(allow_dash=True))
@click.argument("others", type=click.Path(allow_dash=True))
@encoding_option
@output_options
def pairwise(
    metrics: tuple[str, ...], candidates: str, others: str, encoding: str, form: Format, output: str, quiet: bool
) -> None:
    """Score every line of CANDIDATES against every line of OTHERS, each pair by itself.

    For reranking, minimum Bayes risk and finding near-duplicates. OTHERS are references for metrics of translations
    and originals for metrics of paraphrases; the two files may be the same.

    \b
    Example:
      paragauge pairwise -m bleu samples.txt samples.txt --format tsv
    """
    from paragauge.io import read_lines
    from paragauge.report.table import ResultTable

    quieten(quiet)
    chosen = load_metrics(metrics)
    if candidates == others == STANDARD_STREAM:
        raise click.UsageError("standard input ('-') can be read only once")
    texts = list(read_lines(candidates, encoding=encoding))
    compared = texts if others == candidates else list(read_lines(others, encoding=encoding))
    rows: list[dict[str, Cell]] = []
    with progress(len(chosen), "metrics", quiet=quiet) as bar:
        for metric in chosen:
            for i, values in enumerate(metric.pairwise(texts, compared).tolist(), start=1):
                rows += [
                    {"metric": str(metric), "candidate": i, "other": j, "score": value}
                    for j, value in enumerate(values, start=1)
                ]
            bar.update(1)
    signatures = [str(metric.for_segments().signature_of_pairs()) for metric in chosen]
    emit(ResultTable(["metric", "candidate", "other", "score"], rows, notes=signatures).render(form), output)
