"""``paragauge parametric``: how good is a paraphrasing method? ParaMetric, and the methods that it compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.groups import WholeSummaries
from paragauge.cli.options import encoding_option, output_options
from paragauge.cli.paraphrasing import lattice, match, smt, syntactic, through
from paragauge.cli.requests import request_options
from paragauge.evaluate.parametric import ParametricRequest
from paragauge.evaluate.parametric_study import CurveRequest, TuningRequest

if TYPE_CHECKING:
    from paragauge.report.table import Format

F = TypeVar("F", bound=Callable[..., Any])


def _gold_options(command: F) -> F:
    """Add the options that name the gold."""
    for option in reversed(
        [
            click.option(
                "--gold", metavar="GOLD", type=click.Path(allow_dash=True), help="File of hand-aligned sentence pairs."
            ),
            click.option(
                "--links",
                metavar="FILE",
                type=click.Path(),
                help="The links of GOLD as Pharaoh lines, if GOLD has none.",
            ),
            click.option(
                "--possible",
                metavar="GOLD2",
                type=click.Path(),
                help="Second file with the same pairs, whose links are all possible links.",
            ),
            encoding_option,
        ]
    ):
        command = option(command)
    return command


_align_option = click.option(
    "--align", is_flag=True, help="Also score the English aligner that ships, as the method 'words'."
)
_tables_option = click.option(
    "--paraphrases",
    multiple=True,
    metavar="TABLE",
    type=click.Path(),
    help="A paraphrase table or grammar: a folder, TSV, PPDB or Moses text. May be repeated.",
)


@click.group(cls=WholeSummaries, invoke_without_command=True)
@click.option(
    "--alignment",
    "alignments",
    multiple=True,
    metavar="LINKS",
    type=click.Path(),
    help="An alignment as Pharaoh lines. May be repeated.",
)
@_align_option
@_tables_option
@_gold_options
@request_options(ParametricRequest)
@click.option("--by-length", is_flag=True, help="Also print a row for each length of phrases.")
@output_options
@click.pass_context
def parametric(
    context: click.Context,
    /,
    alignments: tuple[str, ...],
    paraphrases: tuple[str, ...],
    by_length: bool,
    form: Format,
    output: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Score paraphrasing methods with ParaMetric (Callison-Burch, Cohn and Lapata 2008).

    GOLD holds sentence pairs that people aligned word by word: JSON, TSV with the columns source, target, links and
    optionally group, MultiMWA's TSV, Microsoft's text, or pairs with their links in a Pharaoh file. An alignment has
    one Pharaoh line per pair of GOLD. The subcommands are the paper's methods, 'compare', 'curve' and 'tune'.

    \b
    Example:
      paragauge parametric --gold gold.json --alignment mine.align --align
      paragauge parametric --gold gold.json --paraphrases mine.paraphrases --by-length
      paragauge parametric compare --gold gold.json --alignment smt=smt.align --paraphrases smt=smt.tsv
    """
    if context.invoked_subcommand is not None:
        if given["gold"] or alignments or paraphrases or given["align"]:
            raise click.UsageError(f"options of {context.invoked_subcommand!r} must follow its name")
        return
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.parametric import parametric as evaluate

    if given["gold"] is None or not (alignments or paraphrases or given["align"]):
        raise click.UsageError(
            "expected --gold GOLD and at least one --alignment LINKS or --paraphrases TABLE, or --align"
        )
    with progress_bar("scores", quiet=quiet) as show:
        found = evaluate(alignments=alignments, paraphrases=paraphrases, progress=show, **given)
    emit((found if by_length else found.overall()).table().render(form), output)


@parametric.command()
@click.option(
    "--alignment", "alignments", multiple=True, metavar="NAME=LINKS", help="A method's alignment. May be repeated."
)
@_align_option
@click.option("--paraphrases", multiple=True, metavar="NAME=TABLE", help="A method's paraphrases. May be repeated.")
@_gold_options
@request_options(ParametricRequest)
@output_options
def compare(
    alignments: tuple[str, ...], paraphrases: tuple[str, ...], form: Format, output: str, quiet: bool, **given: Any
) -> None:
    """Compare methods side by side: the paper's table 2 (all four scores) and table 3 (by phrase length).

    A method may have an alignment, a paraphrase table, or both under one NAME.

    \b
    Example:
      paragauge parametric compare --gold gold.json --alignment smt=smt.align \\
          --paraphrases smt=smt.paraphrases --paraphrases pivot=pivot.paraphrases
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.parametric import parametric as evaluate

    if given["gold"] is None or not (alignments or paraphrases or given["align"]):
        raise click.UsageError(
            "expected --gold GOLD and at least one --alignment NAME=LINKS or --paraphrases NAME=TABLE, or --align"
        )
    with progress_bar("scores", quiet=quiet) as show:
        found = evaluate(alignments=_named(alignments), paraphrases=_named(paraphrases), progress=show, **given)
    emit(found.comparison().render(form), output)


@parametric.command()
@_tables_option
@_gold_options
@request_options(CurveRequest)
@output_options
def curve(
    paraphrases: tuple[str, ...], request: CurveRequest, form: Format, output: str, quiet: bool, **given: Any
) -> None:
    """Show how many sentences a group needs: references, precision and recall by number of sentences.

    The groups of GOLD pair a first sentence with several others (column 'group'). With k of them chosen at random, how
    many reference paraphrases are there, and what would be the scores of each TABLE? The answers are expected values,
    computed from the number of sentences that contain each paraphrase.

    \b
    Example:
      paragauge parametric curve --gold groups.tsv
      paragauge parametric curve --gold groups.tsv --paraphrases pivot.paraphrases --min-prob 0.01
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.parametric_study import curve as evaluate

    if given["gold"] is None:
        raise click.UsageError("expected --gold GOLD")
    with progress_bar("points", quiet=quiet) as show:
        found = evaluate(paraphrases=paraphrases, request=request, progress=show, **given)
    emit(found.table().render(form), output)


@parametric.command()
@_tables_option
@_gold_options
@request_options(TuningRequest)
@click.option("--every", is_flag=True, help="Print every setting, not only those that are best on a part of the gold.")
@output_options
def tune(
    paraphrases: tuple[str, ...],
    request: TuningRequest,
    every: bool,
    form: Format,
    output: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Tune a method by ParaMetric: which TABLE, which least score, how many paraphrases for a phrase.

    Give one table, or several that were made with different parameters. The row 'held out' says what to expect on other
    data: each part of GOLD is scored with the setting that is best on the others.

    \b
    Example:
      paragauge parametric tune --gold gold.json --paraphrases pivot.paraphrases
      paragauge parametric tune --gold gold.json --paraphrases agreement.tsv --paraphrases apart.tsv --value precision
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.parametric_study import tune as evaluate

    if given["gold"] is None or not paraphrases:
        raise click.UsageError("expected --gold GOLD and at least one --paraphrases TABLE")
    with progress_bar("tables", quiet=quiet) as show:
        found = evaluate(paraphrases=paraphrases, request=request, progress=show, **given)
    emit(found.table(every=every).render(form), output)


def _named(texts: Iterable[str]) -> dict[str, str]:
    files: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise click.UsageError(f"{text!r} has no name; expected NAME=FILE")
        if name in files:
            raise click.UsageError(f"the name {name!r} occurs twice for the same kind of file")
        files[name] = path
    return files


for _method in (smt, through, match, syntactic, lattice):
    parametric.add_command(_method)
