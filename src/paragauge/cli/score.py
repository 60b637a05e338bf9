"""``paragauge score``: one number a system, or one a segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.cluster import Cluster, cluster_options, refuse, refuse_streams, say, spark_engine, temp_option
from paragauge.cli.options import (
    Inputs,
    bootstrap_option,
    check_needs,
    input_options,
    load_metrics,
    load_testset,
    metric_option,
    output_options,
    quieten,
    seed_option,
)
from paragauge.cli.output import emit, progress
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.metrics.base import Score, SentenceMetric
    from paragauge.report.table import Cell, Format, ResultTable


@click.command()
@metric_option
@input_options
@click.option("--segments", is_flag=True, help="One row for each segment instead of one for each system.")
@bootstrap_option
@seed_option
@cluster_options
@temp_option
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
    cluster: Cluster | None,
    temp: str | None,
) -> None:
    """Score CANDIDATES, files with one segment a line, one file a system.

    Files may be gzipped; '-' is standard input. Metrics of translations want --ref, metrics of paraphrases
    --original; some want both. With --engine spark, files may lie on any file system that Spark reads, scores of
    systems come without intervals, and those of segments (-o FOLDER) as Parquet.

    \b
    Example:
      paragauge score -m bleu -m chrf --ref reference.txt system-a.txt system-b.txt
      paragauge score -m pinc --original original.txt paraphrases.txt --segments --format tsv
      paragauge score -m pem --original o.gz c.gz --segments -o scores.parquet --engine spark --master yarn
    """
    from paragauge.report.scoring import segment_table, system_table

    quieten(quiet)
    chosen = load_metrics(metrics)
    if cluster is not None:
        return _on_spark(cluster, chosen, inputs, segments, form, output, temp, quiet)
    data = load_testset(inputs, chosen)
    total = len(chosen) * len(data.candidates) * len(data.ids)
    with progress(total, "segments", quiet=quiet) as bar:
        table = segment_table(chosen, data, bar) if segments else system_table(chosen, data, bootstrap, seed, bar)
    emit(table.render(form), output)
    return None


def _on_spark(
    cluster: Cluster,
    metrics: list[SentenceMetric],
    inputs: Inputs,
    segments: bool,
    form: Format,
    output: str,
    temp: str | None,
    quiet: bool,
) -> None:
    from paragauge.corpora.plain import system_names
    from paragauge.spark.score import Candidates, score_corpus, score_segments, warn_of_candidates

    check_needs(metrics, inputs)
    refuse(cluster, {"--testset": inputs.testset})
    refuse_streams(*inputs.candidates, *inputs.references, inputs.original)
    names = inputs.names or system_names(inputs.candidates)
    systems = {
        name: Candidates(path, inputs.references, inputs.original, inputs.encoding)
        for name, path in zip(names, inputs.candidates, strict=True)
    }
    if segments and output == STANDARD_STREAM:
        raise click.UsageError("scores of segments are written as Parquet on a cluster; name a folder with -o")
    with spark_engine(cluster, temp, quiet=quiet) as engine:
        if not quiet:
            warn_of_candidates(engine, metrics, systems)
        if segments:
            return say(score_segments(engine, metrics, systems, output), output, quiet=quiet)
        scores = [
            (metric, system, score_corpus(engine, metric, given))
            for metric in metrics
            for system, given in systems.items()
        ]
    return emit(_score_table(scores).render(form), output)


def _score_table(scores: list[tuple[SentenceMetric, str, Score]]) -> ResultTable:
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = [
        {"metric": str(metric), "system": system, "score": score.value, "signature": str(score.signature)}
        for metric, system, score in scores
    ]
    details = [{"system": system, **score.to_dict()} for _, system, score in scores]
    columns = ["metric", "system", "score"]
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows))
    return ResultTable(columns, rows, notes=notes, details=details, machine_columns=[*columns, "signature"])
