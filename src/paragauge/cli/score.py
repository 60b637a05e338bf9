"""``paragauge score``: one number for each system, or for each segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.cluster import Cluster, cluster_options, refuse, refuse_streams, say, spark_engine, temp_option
from paragauge.cli.options import Inputs, check_needs, input_options, output_options, read_inputs
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import refuse_given, request_options
from paragauge.evaluate.score import ScoreRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@request_options(ScoreRequest)
@input_options
@click.option("--segments", is_flag=True, help="Print one row for each segment instead of one for each system.")
@cluster_options
@temp_option
@output_options
def score(
    request: ScoreRequest,
    inputs: Inputs,
    segments: bool,
    form: Format,
    output: str,
    quiet: bool,
    cluster: Cluster | None,
    temp: str | None,
) -> None:
    """Score CANDIDATES, files with one segment per line and one file per system.

    Files may be gzipped; '-' is standard input. Metrics of translations need --ref, metrics of paraphrases
    --original; some need both. With --engine spark, files may be on any file system that Spark reads, scores of
    systems come without intervals, and scores of segments are written as Parquet (-o FOLDER).

    \b
    Example:
      paragauge score -m bleu -m chrf --ref reference.txt system-a.txt system-b.txt
      paragauge score -m pinc --original original.txt paraphrases.txt --segments --format tsv
      paragauge score -m pem --original o.gz c.gz --segments -o scores.parquet --engine spark --master yarn
    """
    from paragauge.evaluate.score import score_testset

    if segments:
        refuse_given("scores of segments have no intervals", "bootstrap", "seed")
        request = request.changed(bootstrap=0)
    if not request.bootstrap:
        refuse_given("it goes with intervals, and --bootstrap 0 asks for none", "seed")
    if cluster is not None:
        return _on_spark(cluster, request, inputs, segments, form, output, temp, quiet)
    refuse_given("only --engine spark writes temporary files", "temp")
    testset = read_inputs(inputs, request.load_metrics())
    with progress_bar("segments", quiet=quiet) as progress:
        result = score_testset(testset, request, progress=progress)
    emit((result.segments if segments else result).table().render(form), output)
    return None


def _on_spark(
    cluster: Cluster,
    request: ScoreRequest,
    inputs: Inputs,
    segments: bool,
    form: Format,
    output: str,
    temp: str | None,
    quiet: bool,
) -> None:
    from paragauge.corpora.plain import system_names
    from paragauge.evaluate.score import score_files, write_segment_scores
    from paragauge.spark.score import Candidates

    refuse_given("scores from a cluster have no intervals", "bootstrap", "seed")
    request = request.changed(bootstrap=0)
    check_needs(request.load_metrics(), inputs)
    refuse(cluster, {"--testset": inputs.testset})
    refuse_streams(*inputs.candidates, *inputs.references, inputs.original)
    names = inputs.names or system_names(inputs.candidates)
    systems = {
        name: Candidates(path, inputs.references, inputs.original, inputs.encoding)
        for name, path in zip(names, inputs.candidates, strict=True)
    }
    if segments:
        refuse_given("a cluster writes scores of segments as Parquet", "form")
        if output == STANDARD_STREAM:
            raise click.UsageError("a cluster writes segment scores as Parquet; give a folder with -o")
    with spark_engine(cluster, temp, quiet=quiet) as engine:
        if segments:
            return say(write_segment_scores(systems, request, engine, output), output, quiet=quiet)
        result = score_files(systems, request, engine)
    return emit(result.table().render(form), output)
