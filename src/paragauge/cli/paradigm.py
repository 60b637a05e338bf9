"""``paragauge paradigm``: how good is a paraphrase grammar? Overlap with a gold grammar, coverage of sentence pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.groups import WholeSummaries
from paragauge.cli.options import encoding_option, engine_options, output_option, output_options, threads_option
from paragauge.cli.requests import request_options
from paragauge.cli.task_scores import correlate
from paragauge.evaluate.gold import PairsRequest
from paragauge.evaluate.paradigm import CoverageRequest, OverlapRequest, ReportRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from paragauge.evaluate.paradigm import CoverageResult
    from paragauge.report.table import Format

_gold_argument = click.argument("gold", metavar="GOLD", type=click.Path())
_grammars_argument = click.argument("grammars", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())


@click.group(cls=WholeSummaries)
def paradigm() -> None:
    """Measure paraphrase grammars with PARADIGM (Weese, Ganitkevitch and Callison-Burch 2014).

    \b
    Example:
      paragauge paradigm report gold.rules some.rules other.rules --pairs pairs.tsv
    """


paradigm.add_command(correlate)


@paradigm.command()
@_gold_argument
@_grammars_argument
@request_options(OverlapRequest, without=("curve",))
@cluster_options
@engine_options
@click.option(
    "--curve", metavar="FILE", type=click.Path(), help="Write precision and recall by number of rules, as TSV."
)
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(),
    help="Draw the curves of all grammars and both matches as SVG.",
)
@output_options
def overlap(
    gold: str,
    grammars: tuple[str, ...],
    request: Callable[..., OverlapRequest],
    cluster: Cluster | None,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    curve: str | None,
    plot: str | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Count the rules of a GOLD grammar that each GRAMMAR contains: relative recall and a lower bound of precision.

    Grammars are folders that 'paragauge grammar' made, or files of rules (Joshua, PPDB), gzipped or not.

    \b
    Example:
      paragauge paradigm overlap gold.grammar msr.grammar ppdb.gz
      paragauge paradigm overlap gold.grammar ppdb.grammar --match strict --curve curve.tsv --plot curve.svg
    """
    from paragauge.cli.cluster import refuse, spark_engine
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.paradigm import overlap as evaluate
    from paragauge.storage.engine import EngineOptions

    asked = request(curve=curve is not None or plot is not None)
    if cluster is not None:
        refuse(cluster, {"--memory-limit": memory_limit, "--threads": threads})
        with spark_engine(cluster, temp, quiet=quiet) as spark:
            found = evaluate(grammars, gold, asked, engine=spark)
    else:
        engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
        with progress_bar("rules", quiet=quiet) as show:
            found = evaluate(grammars, gold, asked, engine=engine, progress=show)
    if curve is not None:
        emit(found.curve_table().render("tsv"), curve)
    if plot is not None:
        emit(found.svg(), plot)
    emit(found.table().render(form), output)


@paradigm.command()
@_grammars_argument
@click.argument("pairs", metavar="PAIRS", type=click.Path(allow_dash=True))
@request_options(CoverageRequest, without=("derivations",))
@click.option(
    "--derivations",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write a derivation of each derived pair: JSON Lines if the name ends in .jsonl or .jsonl.gz, else text.",
)
@click.option("--draw", metavar="DIR", type=click.Path(), help="Draw each derivation to DIR/SYSTEM-SEGMENT.svg.")
@encoding_option
@threads_option
@output_options
def coverage(
    grammars: tuple[str, ...],
    pairs: str,
    request: Callable[..., CoverageRequest],
    derivations: str | None,
    draw: str | None,
    encoding: str,
    threads: int | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Count the sentence pairs that each GRAMMAR derives, by exact synchronous parsing within limits per pair.

    PAIRS is TSV with the columns source, target and optionally group, or 'source TAB target' on each line, or gold
    pairs in any format that 'paragauge parametric' reads. All sentences of a group have the same meaning.

    \b
    Example:
      paragauge paradigm coverage msr.grammar pairs.tsv
      paragauge paradigm coverage msr.grammar gold.json -t penn --lowercase
      paragauge paradigm coverage msr.grammar pairs.tsv --max-span 12 --derivations derivations.jsonl --draw drawings
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.paradigm import coverage as evaluate

    asked = request(derivations=derivations is not None or draw is not None)
    with progress_bar("pairs", quiet=quiet) as show:
        found = evaluate(grammars, pairs, asked, encoding=encoding, threads=threads, progress=show)
    if derivations is not None:
        _write_derivations(found, derivations)
    if draw is not None:
        _draw_derivations(found, Path(draw))
    emit(found.table().render(form), output)


@paradigm.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@request_options(PairsRequest)
@encoding_option
@output_option
def pairs(groups: str, request: PairsRequest, encoding: str, output: str) -> None:
    """Make sentence pairs of groups of sentences with the same meaning, for 'coverage' and 'grammar --gold'.

    GROUPS has one group per line, sentences separated by tabs; or it is a file of pairs in any format that 'paragauge
    parametric' reads. The output is TSV with the columns group, source and target.

    \b
    Example:
      paragauge paradigm pairs versions.tsv -t penn --lowercase -o pairs.tsv
    """
    from paragauge.cli.output import emit
    from paragauge.evaluate.gold import make_pairs

    emit(make_pairs(groups, request, encoding=encoding).to_tsv(), output)


@paradigm.command()
@_gold_argument
@_grammars_argument
@click.option("--pairs", metavar="PAIRS", type=click.Path(), help="Sentence pairs for coverage, as for 'coverage'.")
@request_options(ReportRequest)
@engine_options
@encoding_option
@output_options
def report(
    gold: str,
    grammars: tuple[str, ...],
    pairs: str | None,
    request: ReportRequest,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
    **engine: Any,
) -> None:
    """Compare grammars side by side: sizes, strict and non-strict overlap, overlap by class, and coverage of PAIRS.

    \b
    Example:
      paragauge paradigm report gold.grammar msr.grammar ppdb.grammar --pairs heldout.tsv
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.paradigm import report as evaluate
    from paragauge.storage.engine import EngineOptions

    with progress_bar("steps", quiet=quiet) as show:
        found = evaluate(
            grammars, gold, request, pairs=pairs, encoding=encoding, engine=EngineOptions(**engine), progress=show
        )
    emit(found.render(form), output)


def _write_derivations(found: CoverageResult, path: str) -> None:
    from paragauge.cli.output import emit
    from paragauge.report.derivation import derivation_lines

    as_json = path.removesuffix(".gz").endswith(".jsonl")
    emit("".join(derivation_lines(*each, as_json=as_json) for each in found.derivations()), path)


def _draw_derivations(found: CoverageResult, folder: Path) -> None:
    from paragauge.cli.output import emit
    from paragauge.io import file_error
    from paragauge.report.derivation import derivation_svg

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise file_error(folder, error, "write") from error
    for system, segment, derivation in found.derivations():
        emit(derivation_svg(derivation), str(folder / f"{system.replace('/', '_')}-{segment}.svg"))
