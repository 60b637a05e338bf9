"""The paraphrasing methods of ``paragauge parametric``, those that its paper compares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.options import (
    encoding_option,
    engine_options,
    exclude_option,
    output_option,
    output_to,
    quiet_option,
    threads_option,
)
from paragauge.cli.requests import request_options
from paragauge.evaluate.methods import LatticeRequest, MatchRequest, SmtRequest, SyntacticRequest, ThroughRequest

if TYPE_CHECKING:
    from paragauge.align import Alignment
    from paragauge.evaluate.methods import Found

_table_option = output_to(
    "TABLE", "Paraphrase table to write: a folder, or TSV if the name ends in .tsv or .tsv.gz or is '-'."
)
_align_option = click.option(
    "--align",
    nargs=2,
    metavar="GOLD LINKS",
    type=click.Path(),
    help="Also align the sentence pairs of GOLD (links not needed) and write one Pharaoh line per pair to LINKS.",
)


@click.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@_table_option
@_align_option
@click.option("--save-model", metavar="DIR", type=click.Path(file_okay=False), help="Save the trained aligner.")
@request_options(SmtRequest)
@exclude_option
@encoding_option
@engine_options
@quiet_option
def smt(
    groups: str,
    output: str | None,
    align: tuple[str, str] | None,
    save_model: str | None,
    request: SmtRequest,
    exclude: tuple[str, ...],
    encoding: str,
    quiet: bool,
    **engine: Any,
) -> None:
    """Monolingual SMT: align all pairs of sentences of each group, and extract phrase pairs (Quirk et al. 2004).

    GROUPS has one group of sentences with the same meaning per line, separated by tabs; tokens are separated by spaces.

    \b
    Example:
      paragauge parametric smt versions.tsv -o smt.paraphrases --align gold.json smt.align
    """
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate import methods
    from paragauge.storage.engine import EngineOptions

    if not (output or align or save_model):
        raise click.UsageError("nothing to write; pass -o TABLE, --align GOLD LINKS or --save-model DIR")
    with progress_bar("iterations", quiet=quiet) as show:
        found = methods.smt(
            groups, request, gold=align and align[0], table=output is not None, output=_folder(output),
            exclude=exclude, encoding=encoding, engine=EngineOptions(**engine), progress=show,
        )  # fmt: skip
    if save_model is not None and found.aligner is not None:
        found.aligner.save(save_model)
    _write(found, align, output, quiet)


@click.command()
@click.argument("links", nargs=-1, required=True, metavar="FIRST SECOND...", type=click.Path())
@output_option
@request_options(ThroughRequest)
def through(links: tuple[str, ...], output: str, request: ThroughRequest) -> None:
    """Parallel corpora: align sentence pairs through foreign sentences that both translate.

    FIRST holds the links from the first sentences to the foreign ones, SECOND those from the second sentences to the
    same ones; give two files per foreign language. Paraphrase tables of this method come from 'paragauge pivot'.

    \b
    Example:
      paragauge parametric through one-fr.align two-fr.align one-de.align two-de.align -o through.align --votes 2
    """
    from paragauge.evaluate import methods

    if len(links) % 2:
        raise click.UsageError(f"found {len(links)} files, expected two per foreign language")
    found = methods.through(list(zip(links[::2], links[1::2], strict=True)), request)
    _write_links(output, found.links or (), one_based=request.one_based)


@click.command()
@click.argument("gold", metavar="GOLD", type=click.Path(allow_dash=True))
@click.argument("table", metavar="TABLE", type=click.Path())
@output_option
@request_options(MatchRequest)
@encoding_option
@threads_option
def match(gold: str, table: str, output: str, request: MatchRequest, encoding: str, threads: int | None) -> None:
    """Align the sentence pairs of GOLD with a paraphrase TABLE: first equal words, then phrases that it pairs.

    Use it for methods that produce no alignment of their own, such as pivoting without the foreign sentences.

    \b
    Example:
      paragauge parametric match gold.json pivot.paraphrases -o pivot.align
    """
    from paragauge.evaluate import methods

    _write_links(output, methods.match(gold, table, request, encoding=encoding, threads=threads).links or ())


@click.command()
@click.argument("groups", metavar="[GROUPS]", required=False, type=click.Path(allow_dash=True))
@_table_option
@_align_option
@request_options(SyntacticRequest)
@exclude_option
@encoding_option
@threads_option
@quiet_option
def syntactic(
    groups: str | None,
    output: str | None,
    align: tuple[str, str] | None,
    request: SyntacticRequest,
    exclude: tuple[str, ...],
    encoding: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Syntactic alignment: merge the trees of each group into a word lattice (Pang, Knight and Marcu 2003).

    GROUPS is as for 'smt'. Paths between the same two states of a lattice are paraphrases. With --align, lattices are
    also built from the groups of GOLD. Sentences are parsed first and lower-cased afterwards.

    \b
    Example:
      paragauge parametric syntactic versions.tsv -o syntactic.paraphrases
      paragauge parametric syntactic --align gold.json syntactic.align
    """
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate import methods

    if (groups is None) != (output is None) or not (output or align):
        raise click.UsageError("expected GROUPS and -o TABLE, or --align GOLD LINKS, or both")
    with progress_bar("groups", quiet=quiet) as show:
        found = methods.syntactic(
            groups, request, gold=align and align[0], output=_folder(output), exclude=exclude, encoding=encoding,
            threads=threads, progress=show,
        )  # fmt: skip
    _write(found, align, output, quiet)


@click.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@click.option(
    "--group", default=1, show_default=True, type=click.IntRange(min=1), metavar="N", help="Line number of the group."
)
@click.option(
    "--drawing", type=click.Choice(["text", "svg", "dot"]), default="text", show_default=True, help="Output format."
)
@request_options(LatticeRequest)
@output_option
@encoding_option
def lattice(groups: str, group: int, drawing: str, request: LatticeRequest, output: str, encoding: str) -> None:
    """Show the word lattice of a group: one line per edge, a drawing (SVG), or Graphviz.

    \b
    Example:
      paragauge parametric lattice versions.tsv --group 12 --drawing svg -o lattice.svg
    """
    from paragauge.cli.output import emit
    from paragauge.evaluate import methods
    from paragauge.report.lattice import lattice_svg

    found = methods.lattice(groups, group, request, encoding=encoding)
    emit(lattice_svg(found) if drawing == "svg" else found.to_dot() if drawing == "dot" else found.to_text(), output)


def _folder(output: str | None) -> str | None:
    """Return the folder that a table goes to; none for text."""
    from paragauge.phrases.formats import is_paraphrase_tsv

    return None if output is None or is_paraphrase_tsv(output) else output


def _write(found: Found, align: tuple[str, str] | None, output: str | None, quiet: bool) -> None:
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.cli.phrases import describe, left_out
    from paragauge.phrases.tsv import write_paraphrase_tsv

    if align is not None and found.links is not None:
        _write_links(align[1], found.links)
    if output is None or found.table is None:
        return
    if _folder(output) is None:
        with closed_pipe_ends_quietly():
            write_paraphrase_tsv(found.table, output)
    if not quiet:
        click.echo(f"paragauge: {output}: {describe(found.table)}{left_out(found.table.options)}", err=True)


def _write_links(path: str, alignments: Iterable[Alignment], *, one_based: bool = False) -> None:
    from paragauge.align.alignment import write_pharaoh
    from paragauge.cli.output import closed_pipe_ends_quietly

    with closed_pipe_ends_quietly():
        write_pharaoh(path, alignments, one_based=one_based)
