"""``paragauge table``: merge, prune and convert phrase tables (folders, Moses text, TSV)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import engine_options, output_to, pruning_options, quiet_option
from paragauge.cli.requests import refuse_given
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.phrases.formats import TableFormat

FORMATS = ("folder", "moses", "tsv")


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLES...", type=click.Path(allow_dash=True))
@click.option(
    "--from", "given", type=click.Choice(FORMATS), help="Format of TABLES.  [default: detected from the content]"
)
@click.option(
    "--to", "wanted", type=click.Choice(FORMATS), help="Output format.  [default: chosen by the output's name]"
)
@pruning_options
@click.option("--invert", is_flag=True, help="Swap source and target.")
@engine_options
@output_to(
    "OUT",
    "Output: a folder, or a file if the name ends in .tsv (TSV), .moses or .txt (Moses text); gzipped if it ends in "
    ".gz. "
    "Without it, only say what TABLES hold.",
)
@quiet_option
def table(
    tables: tuple[str, ...],
    given: TableFormat | None,
    wanted: TableFormat | None,
    min_count: int,
    min_prob: float,
    top: int | None,
    invert: bool,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Read phrase tables, add the counts of several, prune, and write the result in any format.

    TABLES are folders that 'paragauge phrases' made, Moses text or TSV, gzipped or not.

    \b
    Example:
      paragauge table phrase-table.gz -o imported.table
      paragauge table europarl.table news.table -o both.table --min-count 2
      paragauge table both.table -o both.tsv.gz
    """
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.cli.phrases import describe
    from paragauge.phrases.build import Pruning
    from paragauge.phrases.formats import format_of_name, read_phrase_table, write_phrase_text
    from paragauge.phrases.table import merge_tables
    from paragauge.storage.engine import EngineOptions

    if tables.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if output is None:
        refuse_given("without -o nothing is written", "wanted")
    form = None if output is None else wanted or format_of_name(output)
    pruning = Pruning(min_count=min_count, min_prob=min_prob, top=top)
    with progress_bar("rows", quiet=quiet) as show:
        engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads, progress=show)
        parts = [read_phrase_table(path, form=given, engine=engine) for path in tables]
        if invert:
            parts = [part.inverted() for part in parts]
        folder = output if form == "folder" else None
        if folder is None and len(parts) == 1 and not pruning:
            result = parts[0]
        else:
            result = merge_tables(parts, pruning=pruning, engine=engine, output=folder)
        if output is not None and form is not None and form != "folder":
            with closed_pipe_ends_quietly():
                write_phrase_text(result, output, form, progress=show)
    if not quiet:
        click.echo(f"paragauge: {output or ', '.join(tables)}: {describe(result)}", err=True)
