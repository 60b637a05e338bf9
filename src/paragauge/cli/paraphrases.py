"""``paragauge paraphrases``: look phrases up in a paraphrase table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import output_options

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
    help="PPDB feature to use as the score.  [default: p(e|f)]",
)
@output_options
def paraphrases(
    table: str,
    phrases: tuple[str, ...],
    top: int | None,
    min_prob: float | None,
    feature: str | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Show the paraphrases of PHRASES, best first.

    TABLE is a folder that 'paragauge pivot' made, a PPDB file (lexical or phrasal), or TSV with the columns phrase,
    paraphrase and probability; or a phrase table with the same language on both sides. Files may be gzipped.

    \b
    Example:
      paragauge paraphrases my.paraphrases "put forth" --top 10
      paragauge paraphrases ppdb-2.0-s-phrasal.gz "put forth" --feature PPDB2.0Score
    """
    from paragauge.cli.output import emit
    from paragauge.phrases.formats import read_paraphrase_table
    from paragauge.report.table import ResultTable

    known = read_paraphrase_table(table, feature=feature)
    rows: list[dict[str, Cell]] = []
    unknown = []
    for phrase in phrases:
        found = known.paraphrases(phrase, top=top, min_score=min_prob)
        rows += [{"phrase": phrase, "paraphrase": one.text, "probability": one.score} for one in found]
        if phrase not in known:
            unknown.append(phrase)
    emit(ResultTable(["phrase", "paraphrase", "probability"], rows).render(form), output)
    if unknown and not quiet:
        click.echo(f"paragauge: no paraphrases of {', '.join(map(repr, unknown))} in {table}", err=True)
