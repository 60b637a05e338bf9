"""The commands of ``paragauge parametric`` that find paraphrases: the methods that its paper compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.align import METHODS
from paragauge.cli.options import encoding_option, engine_options, output_option, quieten, threads_option

if TYPE_CHECKING:
    from paragauge.align import Alignment
    from paragauge.grammar.lattice import Lattice

F = TypeVar("F", bound=Callable[..., Any])


_table_option = click.option(
    "-o",
    "--output",
    metavar="TABLE",
    type=click.Path(allow_dash=True),
    help="The paraphrase table to write: a folder; TSV if the name ends in .tsv or .tsv.gz, or is '-'.",
)
_align_option = click.option(
    "--align",
    nargs=2,
    metavar="GOLD LINKS",
    type=click.Path(),
    help="Align the sentence pairs of GOLD, which need no links, and write a Pharaoh line for each to LINKS.",
)
_lowercase_option = click.option("--lowercase", is_flag=True, help="Lower-case all sentences first.")
_quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary, no warnings.")


@click.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@_table_option
@_align_option
@click.option("--method", type=click.Choice(METHODS), default="agreement", show_default=True, help="As for 'align'.")
@click.option("--stems", is_flag=True, help="As for 'align'.")
@click.option("--save-model", metavar="DIR", type=click.Path(file_okay=False), help="Save the trained aligner.")
@click.option("--max-length", default=5, show_default=True, type=click.IntRange(min=1), help="Words of a phrase.")
@click.option(
    "--min-prob", default=0.01, show_default=True, type=click.FloatRange(0, 1), help="The least p(e2|e1) that stays."
)
@_lowercase_option
@encoding_option
@engine_options
@_quiet_option
def smt(
    groups: str,
    output: str | None,
    align: tuple[str, str] | None,
    method: str,
    stems: bool,
    save_model: str | None,
    max_length: int,
    min_prob: float,
    lowercase: bool,
    encoding: str,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Monolingual SMT: align all pairs of sentences of each group, and extract phrase pairs (Quirk et al. 2004).

    GROUPS has a group of sentences that mean the same on each line, tabs between them, tokens between spaces.

    \b
    Example:
      paragauge parametric smt versions.tsv -o smt.paraphrases --align gold.json smt.align
    """
    from paragauge.align.options import AlignerOptions
    from paragauge.cli.output import iteration_bar
    from paragauge.phrases.formats import is_paraphrase_tsv
    from paragauge.phrases.monolingual import monolingual_smt
    from paragauge.storage.engine import EngineOptions

    quieten(quiet)
    if not (output or align or save_model):
        raise click.UsageError("nothing to write; pass -o TABLE, --align GOLD LINKS or --save-model DIR")
    gold = _to_align(align, lowercase, encoding)
    texts = _read_groups(groups, lowercase, encoding)
    with iteration_bar(quiet=quiet) as show:
        learned = monolingual_smt(
            texts, method=method, options=AlignerOptions(stems=stems), threads=threads,
            progress=None if show is None else lambda step: show(step.number, step.total, step.model),
        )  # fmt: skip
    if save_model is not None:
        learned.aligner.save(save_model)
    if align is not None:
        _write_links(align[1], learned.aligner.align(*gold, method=method, threads=threads))
    if output is not None:
        engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
        as_text = is_paraphrase_tsv(output)
        found = learned.paraphrases(
            max_length=max_length, min_prob=min_prob, engine=engine, output=None if as_text else output
        )
        _write_table(found, output, as_text, quiet)


@click.command()
@click.argument("links", nargs=-1, required=True, metavar="FIRST SECOND...", type=click.Path())
@output_option
@click.option(
    "--votes",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Languages in which a link must come about.",
)
@click.option("--one-based", is_flag=True, help="Links count words from 1, in and out.")
def through(links: tuple[str, ...], output: str, votes: int, one_based: bool) -> None:
    """Parallel corpora: align sentence pairs through foreign sentences that both translate.

    FIRST has the links from the first sentences to the foreign ones, SECOND those from the second sentences to the same
    foreign ones; two files for each foreign language. Paraphrase tables of this method come from 'paragauge pivot'.

    \b
    Example:
      paragauge parametric through one-fr.align two-fr.align one-de.align two-de.align -o through.align --votes 2
    """
    from paragauge.align.alignment import read_pharaoh
    from paragauge.align.through import align_through

    if len(links) % 2:
        raise click.UsageError(f"found {len(links)} files, expected two for each foreign language")
    read = [list(read_pharaoh(path, one_based=one_based)) for path in links]
    found = align_through(list(zip(read[::2], read[1::2], strict=True)), votes=votes)
    _write_links(output, found, one_based=one_based)


@click.command()
@click.argument("gold", metavar="GOLD", type=click.Path(allow_dash=True))
@click.argument("table", metavar="TABLE", type=click.Path())
@output_option
@click.option("--min-prob", type=float, metavar="P", help="Leave out paraphrases below this score.")
@click.option("--feature", metavar="NAME", help="The feature of a PPDB file that scores its paraphrases.")
@_lowercase_option
@encoding_option
@threads_option
def match(
    gold: str,
    table: str,
    output: str,
    min_prob: float | None,
    feature: str | None,
    lowercase: bool,
    encoding: str,
    threads: int | None,
) -> None:
    """Align the sentence pairs of GOLD by a paraphrase TABLE: equal words, then phrases that it pairs.

    This is for tables of methods that align nothing themselves, such as pivoting, where no foreign sentence is known.

    \b
    Example:
      paragauge parametric match gold.json pivot.paraphrases -o pivot.align
    """
    from paragauge.matching.words import LinkRules, link_words
    from paragauge.phrases.formats import read_paraphrase_table

    sides = _to_align((gold, output), lowercase, encoding)
    paraphrases = read_paraphrase_table(table, feature=feature)
    rules = LinkRules(paraphrases=paraphrases, min_score=min_prob)
    one, other = ([text.split() for text in side] for side in sides)
    _write_links(output, link_words(one, other, rules, threads=threads).alignments())


def _lattice_options(command: F) -> F:
    for option in reversed(
        [
            click.option(
                "--provider", default="builtin", show_default=True, metavar="NAME", help="Who parses; as for 'parse'."
            ),
            click.option(
                "--keywords/--no-keywords",
                default=True,
                show_default=True,
                help="Refuse merges by which content words would change places.",
            ),
            click.option(
                "--squeeze/--no-squeeze",
                default=True,
                show_default=True,
                help="Join equal words that leave or enter a state.",
            ),
        ]
    ):
        command = option(command)
    return command


@click.command()
@click.argument("groups", metavar="[GROUPS]", required=False, type=click.Path(allow_dash=True))
@_table_option
@_align_option
@_lattice_options
@click.option("--mixed/--no-mixed", default=True, show_default=True, help="Take paths that no sentence takes, too.")
@click.option("--max-length", default=5, show_default=True, type=click.IntRange(min=1), help="Words of a phrase.")
@_lowercase_option
@encoding_option
@threads_option
@_quiet_option
def syntactic(
    groups: str | None,
    output: str | None,
    align: tuple[str, str] | None,
    provider: str,
    keywords: bool,
    squeeze: bool,
    mixed: bool,
    max_length: int,
    lowercase: bool,
    encoding: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Syntactic alignment: merge the trees of each group into a word lattice (Pang, Knight and Marcu 2003).

    GROUPS is as for 'smt'. Paths between the same two states of a lattice are paraphrases. With --align, lattices are
    made of the groups of GOLD. Sentences are parsed as they are written, and lower-cased afterwards.

    \b
    Example:
      paragauge parametric syntactic versions.tsv -o syntactic.paraphrases
      paragauge parametric syntactic --align gold.json syntactic.align
    """
    from paragauge.align.annotated import read_sentence_pairs
    from paragauge.analysis.providers import provider as provider_named
    from paragauge.cli.output import progress
    from paragauge.grammar.lattice import build_lattices, syntactic_alignments, syntactic_paraphrases
    from paragauge.phrases.formats import is_paraphrase_tsv

    quieten(quiet)
    if (groups is None) != (output is None) or not (output or align):
        raise click.UsageError("expected GROUPS and -o TABLE, or --align GOLD LINKS, or both")
    parser = provider_named(provider)

    def lattices(texts: list[Any]) -> Iterable[Lattice]:
        with progress(len(texts), "groups", quiet=quiet) as bar:
            made = build_lattices(
                texts, analysis=parser, keywords=keywords, squeeze=squeeze, lowercase=lowercase, threads=threads
            )
            for lattice in made:
                bar.update()
                yield lattice

    if align is not None:
        pairs = read_sentence_pairs(align[0], encoding=encoding)
        _write_links(align[1], syntactic_alignments(pairs, lattices))
    if groups is not None and output is not None:
        as_text = is_paraphrase_tsv(output)
        texts = _read_groups(groups, False, encoding)
        found = syntactic_paraphrases(
            lattices(texts), max_length=max_length, mixed=mixed, output=None if as_text else output
        )
        _write_table(found, output, as_text, quiet)


@click.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@click.option(
    "--group", default=1, show_default=True, type=click.IntRange(min=1), metavar="N", help="Which line of GROUPS."
)
@click.option(
    "--drawing", type=click.Choice(["text", "svg", "dot"]), default="text", show_default=True, help="What to write."
)
@_lattice_options
@output_option
@encoding_option
def lattice(
    groups: str, group: int, drawing: str, provider: str, keywords: bool, squeeze: bool, output: str, encoding: str
) -> None:
    """Show the word lattice of a group: a line for each edge, a drawing (SVG), or Graphviz.

    \b
    Example:
      paragauge parametric lattice versions.tsv --group 12 --drawing svg -o lattice.svg
    """
    from paragauge.analysis.providers import provider as provider_named
    from paragauge.cli.output import emit
    from paragauge.errors import DataError
    from paragauge.grammar.lattice import build_lattices
    from paragauge.report.lattice import lattice_svg

    read = _read_groups(groups, False, encoding)
    if group > len(read):
        raise DataError(f"has {len(read):,} groups, and no group {group:,}", path=groups)
    made = build_lattices([read[group - 1]], analysis=provider_named(provider), keywords=keywords, squeeze=squeeze)
    found = next(iter(made))
    emit(lattice_svg(found) if drawing == "svg" else found.to_dot() if drawing == "dot" else found.to_text(), output)


def _read_groups(path: str, lowercase: bool, encoding: str) -> list[tuple[str, ...]]:
    from paragauge.corpora.groups import read_groups

    found = read_groups(path, encoding=encoding)
    return [tuple(text.lower() for text in group) for group in found] if lowercase else found


def _to_align(align: tuple[str, str] | None, lowercase: bool, encoding: str) -> tuple[list[str], list[str]]:
    """Return both sides of the pairs that are to be aligned."""
    from paragauge.align.annotated import read_sentence_pairs

    if align is None:
        return [], []
    pairs = read_sentence_pairs(align[0], encoding=encoding)
    sides = [[text.lower() if lowercase else text for text in side] for side in (pairs.source, pairs.target)]
    return sides[0], sides[1]


def _write_links(path: str, alignments: Iterable[Alignment], *, one_based: bool = False) -> None:
    from paragauge.align.alignment import write_pharaoh
    from paragauge.cli.output import closed_pipe_ends_quietly

    with closed_pipe_ends_quietly():
        write_pharaoh(path, alignments, one_based=one_based)


def _write_table(found: Any, output: str, as_text: bool, quiet: bool) -> None:
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.cli.phrases import describe
    from paragauge.phrases.tsv import write_paraphrase_tsv

    if as_text:
        with closed_pipe_ends_quietly():
            write_paraphrase_tsv(found, output)
    if not quiet:
        click.echo(f"paragauge: {output}: {describe(found)}", err=True)
