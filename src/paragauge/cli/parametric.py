"""``paragauge parametric``: how good is a way to find paraphrases? ParaMetric, and the methods that it compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.options import (
    bootstrap_option,
    encoding_option,
    engine_options,
    output_option,
    output_options,
    quieten,
    seed_option,
    threads_option,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.align import AlignedPairs, Alignment
    from paragauge.grammar.lattice import Lattice
    from paragauge.metrics.base import Measurement
    from paragauge.metrics.parametric import Parametric, ParametricAlignment
    from paragauge.report.table import Cell, ResultTable

F = TypeVar("F", bound=Callable[..., Any])

METHODS = ("agreement", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")
ALL = "all"  # lengths
NOTE = "LB-Precision is a lower bound and Rel-Recall is relative: the gold has not all the paraphrases there are"
_COUNTS = ("found", "posited", "gold")
_MEASURES = {
    ("parametric-alignment", "precision"): "AlignPrec",
    ("parametric-alignment", "recall"): "AlignRecall",
    ("parametric", "precision"): "LB-Precision",
    ("parametric", "recall"): "Rel-Recall",
}


def gold_options(command: F) -> F:
    """Add what says where the gold comes from and what of it counts."""
    for option in reversed(
        [
            click.option("--gold", metavar="GOLD", type=click.Path(allow_dash=True), help="Hand-aligned pairs."),
            click.option(
                "--links",
                metavar="FILE",
                type=click.Path(),
                help="The links of GOLD as Pharaoh lines, if it is pairs without links.",
            ),
            click.option(
                "--possible",
                metavar="GOLD2",
                type=click.Path(),
                help="A second file of the same pairs, whose links are all possible.",
            ),
            click.option("--one-based", is_flag=True, help="Links in Pharaoh's form count words from 1."),
            click.option(
                "--max-length",
                type=click.IntRange(min=0),
                metavar="N",
                help="The most words of a phrase; 0: any.  [default: any for alignments, 5 for paraphrases]",
            ),
            click.option("--lowercase", is_flag=True, help="Lower-case the sentences of GOLD."),
            click.option("--min-prob", type=float, metavar="P", help="Leave out paraphrases below this score."),
            click.option("--feature", metavar="NAME", help="The feature of a PPDB file that scores its paraphrases."),
            encoding_option,
            bootstrap_option,
            seed_option,
        ]
    ):
        command = option(command)
    return command


@click.group(invoke_without_command=True)
@click.option(
    "--alignment", "alignments", multiple=True, metavar="LINKS", type=click.Path(), help="Pharaoh lines; repeatable."
)
@click.option(
    "--paraphrases",
    multiple=True,
    metavar="TABLE",
    type=click.Path(),
    help="A paraphrase table: a folder, TSV, PPDB or Moses text; repeatable.",
)
@gold_options
@click.option("--by-length", is_flag=True, help="A row for each length of phrases, too.")
@output_options
@click.pass_context
def parametric(
    context: click.Context,
    /,
    alignments: tuple[str, ...],
    paraphrases: tuple[str, ...],
    by_length: bool,
    form: Any,
    output: str,
    quiet: bool,
    **gold: Any,
) -> None:
    """Score ways to find paraphrases with ParaMetric (Callison-Burch, Cohn and Lapata 2008).

    GOLD holds pairs of sentences that people aligned word by word: JSON, TSV with the columns source, target, links and
    perhaps group, MultiMWA's TSV, Microsoft's text, or pairs with their links in a Pharaoh file. An alignment has a
    Pharaoh line for each pair of GOLD. The commands below are the methods of the paper, and 'compare'.

    \b
    Example:
      paragauge parametric --gold gold.json --alignment mine.align
      paragauge parametric --gold gold.json --paraphrases mine.paraphrases --by-length
      paragauge parametric compare --gold gold.json --alignment smt=smt.align --paraphrases smt=smt.tsv
    """
    if context.invoked_subcommand is not None:
        if gold["gold"] or alignments or paraphrases:
            raise click.UsageError(f"options of {context.invoked_subcommand!r} stand behind its name")
        return
    from paragauge.cli.output import emit

    quieten(quiet)
    if gold["gold"] is None or not (alignments or paraphrases):
        raise click.UsageError("expected --gold GOLD and at least one --alignment LINKS or --paraphrases TABLE")
    named = [(_name(path, (*alignments, *paraphrases)), path) for path in alignments]
    tables = [(_name(path, (*alignments, *paraphrases)), path) for path in paraphrases]
    rows = score_rows(named, tables, by_length=by_length, quiet=quiet, **gold)
    emit(score_table(rows, gold["bootstrap"]).render(form), output)


@parametric.command()
@click.option(
    "--alignment", "alignments", multiple=True, metavar="NAME=LINKS", help="A method's alignment; repeatable."
)
@click.option("--paraphrases", multiple=True, metavar="NAME=TABLE", help="A method's paraphrases; repeatable.")
@gold_options
@output_options
def compare(
    alignments: tuple[str, ...], paraphrases: tuple[str, ...], form: Any, output: str, quiet: bool, **gold: Any
) -> None:
    """Put methods side by side: the paper's table 2 (all four scores) and table 3 (by length of phrases).

    A method may have an alignment, a paraphrase table, or both under one NAME.

    \b
    Example:
      paragauge parametric compare --gold gold.json --alignment smt=smt.align \\
          --paraphrases smt=smt.paraphrases --paraphrases pivot=pivot.paraphrases
    """
    from paragauge.cli.output import emit

    quieten(quiet)
    if gold["gold"] is None or not (alignments or paraphrases):
        raise click.UsageError(
            "expected --gold GOLD and at least one --alignment NAME=LINKS or --paraphrases NAME=TABLE"
        )
    rows = score_rows(_pairs(alignments), _pairs(paraphrases), by_length=True, quiet=quiet, **gold)
    emit(comparison_text(rows) if form == "table" else score_table(rows, gold["bootstrap"]).render(form), output)


def _name(path: str, among: Sequence[str]) -> str:
    """Return what to call a file: its name, or its path where that would be somebody else's name."""
    if among.count(path) > 1:
        raise click.UsageError(f"{path} is given twice")
    name = Path(path).name
    return path if [Path(other).name for other in among].count(name) > 1 else name


def _pairs(texts: Iterable[str]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise click.UsageError(f"{text!r} has no name; expected NAME=FILE")
        if name in [known for known, _ in pairs]:
            raise click.UsageError(f"the name {name!r} is given twice for the same kind of file")
        pairs.append((name, path))
    return pairs


def read_gold_pairs(gold: str, links: str | None, possible: str | None, one_based: bool, encoding: str) -> AlignedPairs:
    """Return the gold that the options name."""
    from paragauge.align.annotated import read_aligned_pairs

    return read_aligned_pairs(gold, links=links, possible=possible, one_based=one_based, encoding=encoding)


def score_rows(
    alignments: Sequence[tuple[str, str]],
    tables: Sequence[tuple[str, str]],
    *,
    gold: str,
    links: str | None,
    possible: str | None,
    one_based: bool,
    max_length: int | None,
    lowercase: bool,
    min_prob: float | None,
    feature: str | None,
    encoding: str,
    bootstrap: int,
    seed: int,
    by_length: bool,
    quiet: bool,
) -> list[dict[str, Cell]]:
    """Return a row for each resource, each kind of links and, if wanted, each length of phrases."""
    from paragauge.align.alignment import read_pharaoh
    from paragauge.cli.output import progress
    from paragauge.cli.paraphrases import read_paraphrase_table
    from paragauge.io import digest_file
    from paragauge.metrics.parametric import Parametric, ParametricAlignment
    from paragauge.phrases.opening import table_digest

    people = read_gold_pairs(gold, links, possible, one_based, encoding)
    kinds = ["sure", "possible"] if people.has_possible else ["sure"]
    given: dict[str, Any] = {} if max_length is None else {"max_length": max_length or None}
    lengths = people.lengths()
    read = [
        (name, list(read_pharaoh(path, one_based=one_based, lengths=lengths)), {"align": digest_file(path)})
        for name, path in alignments
    ]
    opened = [(name, read_paraphrase_table(path, feature)) for name, path in tables]
    rows: list[dict[str, Cell]] = []
    metric: ParametricAlignment | Parametric

    def add(
        metric: ParametricAlignment | Parametric, name: str, found: NDArray[np.int64], resource: dict[str, str]
    ) -> None:
        items: dict[str, object] = {"gold": people.digest, **resource}
        whole = {
            **_described(metric, name, metric.measure_rows(found), ALL),
            **_intervals(metric, found, bootstrap, seed),
        }
        if bootstrap:
            items |= {"bs": bootstrap, "seed": seed}
        rows.append({**whole, "signature": _signature(metric, items)})
        if by_length:
            rows.extend(
                _described(metric, name, measured, length)
                for length, measured in metric.by_length(found).items()
                if any(measured.components[count] for count in _COUNTS)
            )

    with progress(len(kinds) * (len(read) + len(opened)), "scores", quiet=quiet) as bar:
        for kind in kinds:
            metric = ParametricAlignment(links=kind, lowercase=lowercase, **given)
            reference = metric.reference(people) if read else []
            for name, links_of_method, resource in read:
                add(metric, name, metric.statistics(links_of_method, people, reference=reference), resource)
                bar.update()
            listed = Parametric(links=kind, lowercase=lowercase, min_score=min_prob, **given)
            known = listed.reference(people) if opened else []
            for name, table in opened:
                found = listed.statistics(table, people, reference=known)
                add(listed, name, found, {"table": table_digest(table)})
                bar.update()
    return rows


def _described(
    metric: ParametricAlignment | Parametric, name: str, measured: Measurement, length: str
) -> dict[str, Cell]:
    components = {key: int(value) if key in _COUNTS else value for key, value in measured.components.items()}
    return {
        "metric": str(metric), "system": name, "score": measured.value, "links": metric.links, "length": length,
        **components,
    }  # fmt: skip


def _intervals(
    metric: ParametricAlignment | Parametric, found: NDArray[np.int64], bootstrap: int, seed: int
) -> dict[str, Cell]:
    from dataclasses import replace

    from paragauge.meta.significance import bootstrap_interval

    cells: dict[str, Cell] = {}
    for value in ("precision", "recall") if bootstrap else ():
        interval = bootstrap_interval(replace(metric, value=value), found, resamples=bootstrap, seed=seed)
        cells |= {f"{value}_low": interval.low, f"{value}_high": interval.high}
    return cells


def _signature(metric: ParametricAlignment | Parametric, items: dict[str, object]) -> str:
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    return str(Signature.of(metric.name, {**metric.signature_items(), **items, "version": package_version()}))


def score_table(rows: Sequence[dict[str, Cell]], bootstrap: int) -> ResultTable:
    """Return the rows as a table, with what precision and recall are called for each metric."""
    from paragauge.report.table import ResultTable

    shown = [{**row, "measure": _kind(row)} for row in rows]
    people = ["system", "measure", "links", "length", "found", "posited", "gold"]
    if len({row["length"] for row in rows}) == 1:
        people.remove("length")
    for value in ("precision", "recall"):
        people += [value, *((f"{value}_low", f"{value}_high") if bootstrap else ())]
    machine = list(dict.fromkeys(["metric", "system", "score", *(name for row in rows for name in row)]))
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows if "signature" in row))
    if any(_kind(row) == "paraphrases" for row in rows):
        notes = [NOTE, "", *notes]
    return ResultTable(people, shown, notes=notes, machine_columns=machine)


def _kind(row: dict[str, Cell]) -> str:
    return "alignment" if str(row["metric"]).startswith("parametric-alignment") else "paraphrases"


def comparison_text(rows: Sequence[dict[str, Cell]]) -> str:
    """Return the paper's tables 2 and 3 for each kind of links."""
    from paragauge.report.table import ResultTable

    parts = []
    systems = list(dict.fromkeys(row["system"] for row in rows))
    for kind in dict.fromkeys(row["links"] for row in rows):
        chosen = [row for row in rows if row["links"] == kind]
        by_system: list[dict[str, Cell]] = []
        by_length: list[dict[str, Cell]] = []
        for system in systems:
            summary: dict[str, Cell] = {"method": system}
            for (metric, value), measure in _MEASURES.items():
                own = [row for row in chosen if row["system"] == system and str(row["metric"]).split("(")[0] == metric]
                if own:
                    summary[measure] = _with_interval(next(row for row in own if row["length"] == ALL), value)
                    lengths = {str(row["length"]): row[value] for row in own if row["length"] != ALL}
                    by_length.append({"method": system, "measure": measure, **lengths})
            by_system.append(summary)
        measures = [name for name in _MEASURES.values() if any(name in row for row in by_system)]
        columns = list(dict.fromkeys(name for row in by_length for name in row))
        title = "Sure links" if kind == "sure" else "Sure and possible links"
        parts += [
            f"{title}\n\n{ResultTable(['method', *measures], by_system).to_text()}",
            f"By words of the phrase\n\n{ResultTable(columns, by_length).to_text()}",
        ]
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows if "signature" in row))
    if any(_kind(row) == "paraphrases" for row in rows):
        notes = [NOTE, "", *notes]
    return "\n".join([*parts, "\n".join(notes) + "\n"])


def _with_interval(row: dict[str, Cell], value: str) -> Cell:
    if f"{value}_low" not in row:
        return row[value]
    return f"{row[value]:.4f} [{row[f'{value}_low']:.4f}, {row[f'{value}_high']:.4f}]"


# The methods


def _table_option(required: bool) -> Callable[[F], F]:
    return click.option(
        "-o",
        "--output",
        required=required,
        metavar="TABLE",
        type=click.Path(allow_dash=True),
        help="The paraphrase table to write: a folder; TSV if the name ends in .tsv or .tsv.gz, or is '-'.",
    )


_align_option = click.option(
    "--align",
    nargs=2,
    metavar="GOLD LINKS",
    type=click.Path(),
    help="Align the sentence pairs of GOLD, and write a Pharaoh line for each to LINKS.",
)
_lowercase_option = click.option("--lowercase", is_flag=True, help="Lower-case all sentences first.")
_quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary, no warnings.")


@parametric.command()
@click.argument("groups", metavar="GROUPS", type=click.Path(allow_dash=True))
@_table_option(False)
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
    from paragauge.phrases.engine import EngineOptions
    from paragauge.phrases.monolingual import monolingual_smt

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
        as_text = _is_text(output)
        found = learned.paraphrases(
            max_length=max_length, min_prob=min_prob, engine=engine, output=None if as_text else output
        )
        _write_table(found, output, as_text, quiet)


@parametric.command()
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


@parametric.command()
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
    from paragauge.cli.paraphrases import read_paraphrase_table
    from paragauge.matching.words import LinkRules, link_words

    sides = _to_align((gold, output), lowercase, encoding)
    paraphrases = read_paraphrase_table(table, feature)
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


@parametric.command()
@click.argument("groups", metavar="[GROUPS]", required=False, type=click.Path(allow_dash=True))
@_table_option(False)
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
    from paragauge.analysis.providers import provider as provider_named
    from paragauge.cli.output import progress
    from paragauge.grammar.lattice import build_lattices, syntactic_alignments, syntactic_paraphrases

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
        pairs = read_gold_pairs(align[0], None, None, False, encoding).pairs
        _write_links(align[1], syntactic_alignments(pairs, lattices))
    if groups is not None and output is not None:
        as_text = _is_text(output)
        texts = _read_groups(groups, False, encoding)
        found = syntactic_paraphrases(
            lattices(texts), max_length=max_length, mixed=mixed, output=None if as_text else output
        )
        _write_table(found, output, as_text, quiet)


@parametric.command()
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
    if align is None:
        return [], []
    pairs = read_gold_pairs(align[0], None, None, False, encoding).pairs
    sides = [[text.lower() if lowercase else text for text in side] for side in (pairs.source, pairs.target)]
    return sides[0], sides[1]


def _write_links(path: str, alignments: Iterable[Alignment], *, one_based: bool = False) -> None:
    from paragauge.align.alignment import write_pharaoh
    from paragauge.cli.output import closed_pipe_ends_quietly

    with closed_pipe_ends_quietly():
        write_pharaoh(path, alignments, one_based=one_based)


def _is_text(output: str) -> bool:
    from paragauge.io import STANDARD_STREAM

    return output == STANDARD_STREAM or output.removesuffix(".gz").endswith(".tsv")


def _write_table(found: Any, output: str, as_text: bool, quiet: bool) -> None:
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.cli.phrases import describe
    from paragauge.phrases.tsv import write_paraphrase_tsv

    if as_text:
        with closed_pipe_ends_quietly():
            write_paraphrase_tsv(found, output)
    if not quiet:
        click.echo(f"paragauge: {output}: {describe(found)}", err=True)
