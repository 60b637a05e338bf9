"""``paragauge parametric``: how good is a way to find paraphrases? ParaMetric, and the methods that it compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.options import bootstrap_option, encoding_option, output_options, quieten, seed_option
from paragauge.cli.paraphrasing import lattice, match, smt, syntactic, through

if TYPE_CHECKING:
    from paragauge.meta.parametric_tables import MethodScore
    from paragauge.report.table import Cell, ResultTable

F = TypeVar("F", bound=Callable[..., Any])

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
    scores = _scored(named, tables, quiet=quiet, **gold)
    if not by_length:
        scores = [score for score in scores if score.signature is not None]
    emit(score_table(scores).render(form), output)


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
    scores = _scored(_pairs(alignments), _pairs(paraphrases), quiet=quiet, **gold)
    emit(comparison_text(scores) if form == "table" else score_table(scores).render(form), output)


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


def _scored(
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
    quiet: bool,
) -> list[MethodScore]:
    """Read the files, and score what is in them."""
    from paragauge.align.alignment import read_pharaoh
    from paragauge.align.annotated import read_aligned_pairs
    from paragauge.cli.output import progress
    from paragauge.meta.parametric_tables import score_methods
    from paragauge.phrases.formats import read_paraphrase_table

    people = read_aligned_pairs(gold, links=links, possible=possible, one_based=one_based, encoding=encoding)
    lengths = people.lengths()
    read = {name: list(read_pharaoh(path, one_based=one_based, lengths=lengths)) for name, path in alignments}
    opened = {name: read_paraphrase_table(path, feature=feature) for name, path in tables}
    with progress((1 + people.has_possible) * (len(read) + len(opened)), "scores", quiet=quiet) as bar:
        return score_methods(
            people, read, opened, max_length=-1 if max_length is None else max_length or None, lowercase=lowercase,
            min_score=min_prob, resamples=bootstrap, seed=seed, progress=bar.update,
        )  # fmt: skip


def _row(score: MethodScore) -> dict[str, Cell]:
    components: dict[str, Cell] = {
        key: int(value) if key in _COUNTS else value for key, value in score.measurement.components.items()
    }
    if score.signature is None:  # of some lengths there may be nothing to be right or wrong about
        for value, count in (("precision", "posited"), ("recall", "gold")):
            components[value] = components[value] if components[count] else None
    for value, interval in score.intervals.items():
        components |= {f"{value}_low": interval.low, f"{value}_high": interval.high}
    return {
        "metric": str(score.metric), "system": score.method, "score": score.measurement.value,
        "links": score.metric.links, "length": score.length, **components,
        "signature": None if score.signature is None else str(score.signature),
    }  # fmt: skip


def _kind(score: MethodScore) -> str:
    return "paraphrases" if score.metric.name == "parametric" else "alignment"


def _notes(scores: Sequence[MethodScore]) -> list[str]:
    """Return what stands below tables: what to keep in mind, and the signatures."""
    signatures = list(dict.fromkeys(str(score.signature) for score in scores if score.signature is not None))
    return [NOTE, "", *signatures] if any(_kind(score) == "paraphrases" for score in scores) else signatures


def score_table(scores: Sequence[MethodScore]) -> ResultTable:
    """Return a row for each score."""
    from paragauge.meta.parametric_tables import ALL
    from paragauge.report.table import ResultTable

    rows = [_row(score) for score in scores]
    shown = [{**row, "measure": _kind(score)} for row, score in zip(rows, scores, strict=True)]
    people = ["system", "measure", "links", "length", "found", "posited", "gold"]
    if all(score.length == ALL for score in scores):
        people.remove("length")
    for value in ("precision", "recall"):
        people += [name for name in (value, f"{value}_low", f"{value}_high") if name in rows[0]]
    machine = list(dict.fromkeys(name for row in rows for name in row))
    return ResultTable(people, shown, notes=_notes(scores), machine_columns=machine)


def comparison_text(scores: Sequence[MethodScore]) -> str:
    """Return the paper's tables 2 and 3 for each kind of links."""
    from paragauge.report.table import ResultTable

    parts = []
    for links in dict.fromkeys(score.metric.links for score in scores):
        by_method: dict[str, dict[str, Cell]] = {}
        by_length: dict[tuple[str, str], dict[str, Cell]] = {}
        for score in scores:
            if score.metric.links != links:
                continue
            row = _row(score)
            for value in ("precision", "recall"):
                measure = _MEASURES[score.metric.name, value]
                if score.signature is not None:
                    cells = by_method.setdefault(score.method, {"method": score.method})
                    cells[measure] = _with_interval(row, value)
                else:
                    cells = by_length.setdefault((score.method, measure), {"method": score.method, "measure": measure})
                    cells[score.length] = row[value]
        measures = [name for name in _MEASURES.values() if any(name in row for row in by_method.values())]
        columns = max((list(row) for row in by_length.values()), key=len, default=[])
        title = "Sure links" if links == "sure" else "Sure and possible links"
        parts += [
            f"{title}\n\n{ResultTable(['method', *measures], list(by_method.values())).to_text()}",
            f"By words of the phrase\n\n{ResultTable(columns, list(by_length.values())).to_text()}",
        ]
    return "\n".join([*parts, "\n".join(_notes(scores)) + "\n"])


def _with_interval(row: dict[str, Cell], value: str) -> Cell:
    if f"{value}_low" not in row:
        return row[value]
    return f"{row[value]:.4f} [{row[f'{value}_low']:.4f}, {row[f'{value}_high']:.4f}]"


for _method in (smt, through, match, syntactic, lattice):
    parametric.add_command(_method)
