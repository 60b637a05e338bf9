"""``paragauge paraphrases``: look phrases up in a paraphrase table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from paragauge.cli.options import noise_option, output_options
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.report.table import Cell, Format


@click.command()
@click.argument("table", type=click.Path())
@click.argument("phrases", nargs=-1, required=True, metavar="PHRASES...")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", help="Show at most N paraphrases per phrase, best first."
)
@click.option("--min-prob", type=float, metavar="P", help="Hide paraphrases below this probability or score.")
@click.option(
    "--feature",
    metavar="NAME",
    help="Feature of a grammar or PPDB file to use as the score.  [default: p(e|f)]",
)
@noise_option
@output_options
def paraphrases(
    table: str,
    phrases: tuple[str, ...],
    top: int | None,
    min_prob: float | None,
    feature: str | None,
    without: tuple[str, ...],
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Show the paraphrases of PHRASES, best first.

    TABLE is a folder that 'paragauge pivot' or 'paragauge grammar' made, a PPDB file, TSV with the columns phrase,
    paraphrase and probability, or a phrase table with the same language on both sides. Files may be gzipped. '-' reads
    phrases from standard input, one per line. A phrase that is unknown as written is also looked for in lower case.

    \b
    Example:
      paragauge paraphrases my.paraphrases "put forth" --top 10
      paragauge paraphrases my.paraphrases - --without containment --without inflection < phrases.txt
      paragauge paraphrases ppdb-2.0-s-phrasal.gz "put forth" --feature PPDB2.0Score
    """
    from paragauge.cli.output import emit
    from paragauge.evaluate.paraphrases import look_up, open_paraphrases
    from paragauge.report.table import ResultTable

    known = open_paraphrases(table, feature=feature)
    rows: list[dict[str, Cell]] = []
    unknown = []
    for phrase in read_phrases(phrases):
        found = look_up(known, phrase, top=top, min_score=min_prob, without=without)
        rows += [{"phrase": phrase, "paraphrase": one.text, "probability": one.score} for one in found or ()]
        if found is None:
            unknown.append(phrase)
    emit(ResultTable(["phrase", "paraphrase", "probability"], rows).render(form), output)
    say_unknown("paraphrases", unknown, table, quiet)


def read_phrases(given: Sequence[str]) -> list[str]:
    """Return the phrases of a command line; ``-`` stands for the lines of standard input."""
    from paragauge.io import read_lines

    if list(given).count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    phrases: list[str] = []
    for phrase in given:
        if phrase == STANDARD_STREAM:
            phrases += [line.strip() for line in read_lines(STANDARD_STREAM) if line.strip()]
        else:
            phrases.append(phrase)
    return phrases


def say_unknown(what: str, unknown: Sequence[str], path: str, quiet: bool) -> None:
    """Say which phrases were not found."""
    if unknown and not quiet:
        click.echo(f"paragauge: no {what} of {', '.join(map(repr, unknown))} in {path}", err=True)
