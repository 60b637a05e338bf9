"""``paragauge score``: one number for each system, or for each segment."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.cluster import Cluster, cluster_options, refuse, refuse_streams, say, spark_engine, temp_option
from paragauge.cli.inputs import Inputs, TextsCommand, check_needs, given_inputs, input_options, read_inputs
from paragauge.cli.options import output_options
from paragauge.cli.output import closed_pipe_ends_quietly, emit, progress_bar
from paragauge.cli.requests import refuse_given, request_options, require_unless
from paragauge.evaluate.score import ScoreRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.candidate_files import CandidateFiles
    from paragauge.evaluate.score import ScoreResult
    from paragauge.report.table import Format

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class View:
    """What to show of the scores, and how."""

    segments: bool
    check: bool
    long: bool
    score_only: bool
    width: int | None
    form: Format


def view_options(command: F) -> F:
    """Add the options that choose what is shown; the command gets them as ``view``."""

    @functools.wraps(command)
    def with_view(**arguments: Any) -> Any:
        return command(view=View(**{name: arguments.pop(name) for name in View.__slots__}), **arguments)

    for option in (
        click.option(
            "-w",
            "--width",
            type=click.IntRange(0, 17),
            metavar="N",
            help="Decimals of the scores.  [default: 2 for scores up to 100, 4 for others]",
        ),
        click.option("-b", "--score-only", is_flag=True, help="Print only the numbers, one line per system."),
        click.option("--long", is_flag=True, help="Print one row per metric and system, with the ends of intervals."),
        click.option("--check", is_flag=True, help="Score nothing; list suspicious texts: empty lines, copies, ..."),
        click.option("--segments", is_flag=True, help="Print one row for each segment instead of one for each system."),
    ):
        with_view = option(with_view)
    return with_view  # type: ignore[return-value]  # the arguments are other ones, by intention


@click.command(cls=TextsCommand)
@request_options(ScoreRequest, unless={"metrics": "--check"})
@input_options
@view_options
@click.option(
    "--fail-under",
    multiple=True,
    metavar="METRIC=X",
    help="Exit with 1 if a system's score is worse than X: lower, or higher if lower is better. May be repeated.",
)
@click.option(
    "--stream",
    is_flag=True,
    help="Read, score and write in blocks, so that memory does not grow with the number of segments: for millions of "
    "them. Systems get no intervals, and --segments writes TSV.",
)
@cluster_options
@temp_option
@output_options
def score(
    request: ScoreRequest,
    inputs: Inputs,
    view: View,
    fail_under: tuple[str, ...],
    stream: bool,
    output: str,
    quiet: bool,
    cluster: Cluster | None,
    temp: str | None,
) -> None:
    """Score CANDIDATES, files with one segment per line and one file per system.

    The table has one row per system and one column per metric. Files may be gzipped; '-' is standard input, which is
    also read if no file is given. Metrics of translations need --ref, metrics of paraphrases --original; some need
    both. With --engine spark, files may be on any file system that Spark reads, scores of
    systems come without intervals, and scores of segments are written as Parquet (-o FOLDER).

    \b
    Example:
      paragauge score -m bleu,chrf --ref reference.txt system-a.txt system-b.txt
      paragauge score -m pem+ --original original.txt --fail-under pem+=3 < paraphrases.txt
      paragauge score -m pinc --original original.txt paraphrases.txt --segments --format tsv
      paragauge score --check --original original.txt paraphrases.txt
      paragauge score -m bleu --ref millions.gz system.gz --stream --segments -o scores.tsv
      paragauge score -m pem --original o.gz c.gz --segments -o scores.parquet --engine spark --master yarn
    """
    from paragauge.evaluate.checks import check_texts_of
    from paragauge.evaluate.limits import parse_limits
    from paragauge.evaluate.score import score_testset

    require_unless(view.check, "metrics")
    _refuse_idle(view)
    if view.segments:
        refuse_given("scores of segments have no intervals", "bootstrap", "seed", "test")
        request = request.changed(bootstrap=0)
    if view.score_only and request.test == "bootstrap":
        request = request.changed(bootstrap=0)  # intervals would not be shown
    elif not request.bootstrap and request.test == "bootstrap":
        refuse_given("it goes with intervals, and --bootstrap 0 asks for none", "seed", "test")
    parse_limits(fail_under, request.load_metrics() if fail_under else ())  # mistakes are reported before the work
    if stream:
        return _in_blocks(request, inputs, view, fail_under, output, quiet)
    if cluster is not None:
        return _on_spark(cluster, request, inputs, view, fail_under, output, temp, quiet)
    refuse_given("only --engine spark writes temporary files", "temp")
    testset = read_inputs(inputs, request.load_metrics() if request.metrics else [])
    if view.check:
        return emit(check_texts_of(testset).table().render(view.form), output)
    with progress_bar("segments", quiet=quiet) as progress:
        result = score_testset(testset, request, progress=progress)
        text = _shown(result, view)
    emit(text, output)
    return _fail_under(result, fail_under)


def _refuse_idle(view: View) -> None:
    if view.check:
        idle = ("segments", "long", "score_only", "width", "fail_under", "bootstrap", "test", "seed", "engine")
        refuse_given("--check scores nothing", *idle)
    if view.segments:
        refuse_given("--segments has a form of its own", "long", "score_only", "width")
    if view.score_only:
        refuse_given("-b prints only numbers", "form", "long")
    if view.form != "table":
        refuse_given("it has one row per metric and system, and full precision", "long", "width")
    if view.long:
        refuse_given("--long has 4 decimals", "width")


def _shown(result: ScoreResult, view: View) -> str:
    if view.segments:
        return result.segments.table().render(view.form)
    if view.score_only:
        return result.bare(digits=view.width)
    if view.form == "table" and not view.long:
        return result.grid(digits=view.width).to_text()
    return result.table().render(view.form)


def _fail_under(result: ScoreResult, limits: tuple[str, ...]) -> None:
    """End with exit code 1 if a score is worse than its limit; the scores have been printed."""
    from paragauge.evaluate.limits import parse_limits, shortfalls

    missed = shortfalls(result, parse_limits(limits, result.metrics))
    for each in missed:
        click.echo(f"paragauge: {each} (--fail-under)", err=True)
    if missed:
        raise click.exceptions.Exit(1)


def _in_blocks(
    request: ScoreRequest, inputs: Inputs, view: View, fail_under: tuple[str, ...], output: str, quiet: bool
) -> None:
    from paragauge.evaluate.score import score_files, write_segment_scores

    refuse_given("intervals need the statistics of all segments, and --stream keeps none", "bootstrap", "seed", "test")
    refuse_given("--stream reads files of text on this machine", "testset", "engine", "temp", "check")
    request = request.changed(bootstrap=0)
    inputs = given_inputs(inputs)
    check_needs(request.load_metrics(), inputs)
    systems = _files(inputs)
    if view.segments:
        refuse_given("scores of segments have none", "fail_under")
        if view.form == "json":
            raise click.UsageError("--stream writes the scores of segments as TSV")
        with progress_bar("segments", quiet=quiet) as progress, closed_pipe_ends_quietly():
            summary = write_segment_scores(systems, request, None, output, progress=progress)
        return say(summary, output, quiet=quiet or output == STANDARD_STREAM)
    with progress_bar("segments", quiet=quiet) as progress:
        result = score_files(systems, request, progress=progress)
    emit(_shown(result, view), output)
    return _fail_under(result, fail_under)


def _files(inputs: Inputs) -> dict[str, CandidateFiles]:
    from paragauge.corpora.candidate_files import CandidateFiles
    from paragauge.corpora.plain import system_names

    names = inputs.names or system_names(inputs.candidates)
    return {
        name: CandidateFiles(path, inputs.references, inputs.original, inputs.encoding)
        for name, path in zip(names, inputs.candidates, strict=True)
    }


def _on_spark(
    cluster: Cluster,
    request: ScoreRequest,
    inputs: Inputs,
    view: View,
    fail_under: tuple[str, ...],
    output: str,
    temp: str | None,
    quiet: bool,
) -> None:
    from paragauge.evaluate.score import score_files, write_segment_scores

    refuse_given("scores from a cluster have no intervals", "bootstrap", "seed", "test")
    request = request.changed(bootstrap=0)
    check_needs(request.load_metrics(), inputs)
    refuse(cluster, {"--testset": inputs.testset})
    refuse_streams(*inputs.candidates, *inputs.references, inputs.original)
    systems = _files(inputs)
    if view.segments:
        refuse_given("a cluster writes scores of segments as Parquet", "form", "fail_under")
        if output == STANDARD_STREAM:
            raise click.UsageError("a cluster writes segment scores as Parquet; give a folder with -o")
    with spark_engine(cluster, temp, quiet=quiet) as engine:
        if view.segments:
            return say(write_segment_scores(systems, request, engine, output), output, quiet=quiet)
        result = score_files(systems, request, engine)
    emit(_shown(result, view), output)
    return _fail_under(result, fail_under)
