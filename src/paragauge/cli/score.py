"""``paragauge score``: one number a system, or one a segment."""

from __future__ import annotations

from dataclasses import replace
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
from paragauge.cli.output import Progress, emit, progress

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Cell, Format, ResultTable


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
    quieten(quiet)
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    total = len(chosen) * len(data.candidates) * len(data.ids)
    with progress(total, "segments", quiet=quiet) as bar:
        table = segment_table(chosen, data, bar) if segments else system_table(chosen, data, bootstrap, seed, bar)
    emit(table.render(form), output)


def system_table(
    metrics: list[SentenceMetric], testset: TestSet, bootstrap: int, seed: int, bar: Progress
) -> ResultTable:
    """Return one row for each metric and system."""
    from paragauge.meta.significance import bootstrap_interval
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    details = []
    for metric in metrics:
        for system in testset.candidates:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics = metric.statistics_in_blocks(data, bar.update)
            score = metric.score_corpus(data, statistics)
            low = high = None
            if bootstrap:
                interval = bootstrap_interval(metric, statistics, resamples=bootstrap, seed=seed)
                signature = score.signature.extended({"bs": bootstrap, "seed": seed})
                score = replace(score, interval=interval, signature=signature)
                low, high = interval.low, interval.high
            rows.append(
                {
                    "metric": str(metric),
                    "system": system,
                    "score": score.value,
                    "low": low,
                    "high": high,
                    "signature": str(score.signature),
                }
            )
            details.append({"system": system, **score.to_dict()})
    signatures = list(dict.fromkeys(str(row["signature"]) for row in rows))
    columns = ["metric", "system", "score", *(["low", "high"] if bootstrap else [])]
    return ResultTable(columns, rows, notes=signatures, details=details, machine_columns=[*columns, "signature"])


def segment_table(metrics: list[SentenceMetric], testset: TestSet, bar: Progress) -> ResultTable:
    """Return one row for each metric, system and segment, with the components after the score."""
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    details = []
    components: dict[str, None] = {}
    signatures: dict[str, None] = {}
    for metric in metrics:
        for system in testset.candidates:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics = metric.for_segments().statistics_in_blocks(data, bar.update)
            for segment, score in zip(testset.ids, metric.score_segments(data, statistics), strict=True):
                place: dict[str, Cell] = {"metric": str(metric), "system": system, "segment": segment}
                rows.append({**place, "score": score.value, **score.components})
                details.append({"system": system, "segment": segment, **score.to_dict()})
                components.update(dict.fromkeys(score.components))
                signatures[str(score.signature)] = None
    columns = ["metric", "system", "segment", "score"]
    return ResultTable(columns, rows, notes=list(signatures), details=details, machine_columns=[*columns, *components])
