"""``paragauge score``: one number a system, or one a segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    Inputs,
    bootstrap_option,
    input_options,
    load_metrics,
    load_testset,
    metric_option,
    output_options,
    quieten,
    seed_option,
)
from paragauge.cli.output import emit, progress

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@metric_option
@input_options
@click.option("--segments", is_flag=True, help="One row for each segment instead of one for each system.")
@bootstrap_option
@seed_option
@output_options
def score(
    metrics: tuple[str, ...],
    inputs: Inputs,
    segments: bool,
    bootstrap: int,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Score CANDIDATES, files with one segment a line, one file a system.

    Files may be gzipped; '-' is standard input. Metrics of translations want --ref, metrics of paraphrases
    --original; some want both.

    \b
    Example:
      paragauge score -m bleu -m chrf --ref reference.txt system-a.txt system-b.txt
      paragauge score -m pinc --original original.txt paraphrases.txt --segments --format tsv
    """
    from paragauge.report.scoring import segment_table, system_table

    quieten(quiet)
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    total = len(chosen) * len(data.candidates) * len(data.ids)
    with progress(total, "segments", quiet=quiet) as bar:
        table = segment_table(chosen, data, bar) if segments else system_table(chosen, data, bootstrap, seed, bar)
    emit(table.render(form), output)
