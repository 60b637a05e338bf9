"""``paragauge verify``: whether folders and files are whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import format_option, output_option, quiet_option
from paragauge.cli.output import emit, progress_bar

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@format_option("table", "tsv", "json")
@output_option
@quiet_option
def verify(paths: tuple[str, ...], form: Format, output: str, quiet: bool) -> int:
    """Read tables, models, grammars or files of annotations completely, and say which files are damaged.

    Opening a folder compares the digests of its files as well, and stops at the first that is wrong. This command names
    all of them, finds files that do not belong, and checks files that have no manifest. The exit code is 1 if anything
    is damaged.

    \b
    Example:
      paragauge verify europarl.table my-model
      paragauge verify links.sqlite --format json
    """
    from paragauge.evaluate.verify import verify as verify_one
    from paragauge.report.table import ResultTable

    with progress_bar("files", quiet=quiet) as progress:
        results = [verify_one(path, progress=progress) for path in paths]
    rows = [row for result in results for row in result.rows()]
    notes = [remark for result in results for remark in result.remarks]
    columns = ["path", "kind", "files", "bytes", "state", "file", "problem"]
    machine = list(rows[0])
    if all(result.whole for result in results):
        columns = columns[:5]
    emit(ResultTable(columns, rows, notes=notes, machine_columns=machine).render(form), output)
    return 0 if all(result.whole for result in results) else 1
