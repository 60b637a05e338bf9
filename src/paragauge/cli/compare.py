"""``paragauge compare``: is the difference between systems more than chance?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    Inputs,
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
    from paragauge.meta.significance import Test
    from paragauge.report.table import Format


@click.command()
@metric_option
@input_options
@click.option(
    "--test",
    "tests",
    type=click.Choice(["bootstrap", "permutation"]),
    multiple=True,
    default=["bootstrap"],
    show_default=True,
    help="Paired bootstrap, or approximate randomisation. May be repeated.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    metavar="N",
    help="Resamples or permutations.  [default: 1000 resamples, 10000 permutations]",
)
@click.option("--all-pairs", is_flag=True, help="Compare every system with every other, not just with the first.")
@seed_option
@output_options
def compare(
    metrics: tuple[str, ...],
    inputs: Inputs,
    tests: tuple[Test, ...],
    trials: int | None,
    all_pairs: bool,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Compare systems with the first one, the baseline, by paired significance tests.

    The p-value is two-sided; the interval is the 95% bootstrap interval of the difference; 'wins' is the share of
    resamples in which the system scores above the baseline.

    \b
    Example:
      paragauge compare -m bleu -m chrf --ref reference.txt baseline.txt system-a.txt system-b.txt
      paragauge compare -m bleu --ref reference.txt --test permutation a.txt b.txt --format json
    """
    from paragauge.report.scoring import comparison_table

    quieten(quiet)
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    if len(data.candidates) < 2:
        raise click.UsageError("comparing takes at least two systems; found one")
    total = len(chosen) * len(data.candidates) * len(data.ids)
    with progress(total, "segments", quiet=quiet) as bar:
        table = comparison_table(chosen, data, list(dict.fromkeys(tests)), trials, all_pairs, seed, bar)
    emit(table.render(form), output)
