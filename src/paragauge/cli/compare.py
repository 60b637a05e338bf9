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
from paragauge.cli.output import Progress, emit, progress

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.meta.significance import Test
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Cell, Format, ResultTable


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
    quieten(quiet)
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    if len(data.candidates) < 2:
        raise click.UsageError("comparing takes at least two systems; found one")
    total = len(chosen) * len(data.candidates) * len(data.ids)
    with progress(total, "segments", quiet=quiet) as bar:
        table = comparison_table(chosen, data, list(dict.fromkeys(tests)), trials, all_pairs, seed, bar)
    emit(table.render(form), output)


def comparison_table(
    metrics: list[SentenceMetric],
    testset: TestSet,
    tests: list[Test],
    trials: int | None,
    all_pairs: bool,
    seed: int,
    bar: Progress,
) -> ResultTable:
    """Return one row for each metric, test and pair of systems."""
    from paragauge.meta.significance import compare_paired
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    signatures: dict[str, None] = {}
    systems = list(testset.candidates)
    pairs = [(one, other) for i, one in enumerate(systems) for other in systems[i + 1 :] if all_pairs or i == 0]
    for metric in metrics:
        statistics = {}
        scores = {}
        for system in systems:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics[system] = metric.statistics_in_blocks(data, bar.update)
            scores[system] = metric.score_corpus(data, statistics[system])
        for test in tests:
            for baseline, system in pairs:
                result = compare_paired(
                    metric, statistics[system], statistics[baseline], test=test, trials=trials, seed=seed
                )
                drawn = {"bs" if test == "bootstrap" else "ar": result.trials, "seed": seed}
                signature = str(scores[system].signature.extended(drawn))
                signatures[signature] = None
                rows.append(
                    {
                        "metric": str(metric),
                        "test": test,
                        "baseline": baseline,
                        "system": system,
                        "baseline_score": scores[baseline].value,
                        "score": scores[system].value,
                        "difference": result.difference,
                        "low": None if result.interval is None else result.interval.low,
                        "high": None if result.interval is None else result.interval.high,
                        "wins": result.win_rate,
                        "p_value": result.p_value,
                        "signature": signature,
                    }
                )
    columns = [column for column in rows[0] if column != "signature"]
    return ResultTable(columns, rows, notes=list(signatures), machine_columns=[*columns, "signature"])
