"""``paragauge mbr``: the best of several candidates for each segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from paragauge.cli.options import encoding_option, format_option, output_option, quiet_option
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.mbr import MbrRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@request_options(MbrRequest)
@click.argument("candidates", nargs=-1, required=True, type=click.Path(allow_dash=True))
@encoding_option
@format_option("text", "table", "tsv", "json", help="Format: the chosen texts, or a table with their utilities.")
@output_option
@quiet_option
def mbr(request: MbrRequest, candidates: tuple[str, ...], encoding: str, form: str, output: str, quiet: bool) -> None:
    """Choose the best of several candidates for each segment: the one that scores best against all the others.

    Minimum Bayes risk with any metric that compares two texts. CANDIDATES are files with one candidate per segment, or
    one file with N consecutive lines per segment (--samples N).

    \b
    Example:
      paragauge mbr -m chrf system-a.txt system-b.txt system-c.txt -o best.txt
      paragauge mbr -m meteor --samples 20 samples.txt --format tsv
    """
    from paragauge.corpora.plain import system_names
    from paragauge.evaluate.mbr import groups_of_lines
    from paragauge.evaluate.mbr import mbr as choose
    from paragauge.io import read_lines

    metric = request.load_metric()  # before files are read
    if candidates.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if request.samples is None and len(candidates) == 1:
        raise click.UsageError(
            "one file needs --samples N, the number of candidates per segment; or give several files"
        )
    if request.samples is not None and len(candidates) > 1:
        raise click.UsageError(f"--samples goes with one file of candidates; got {len(candidates)}")
    names = system_names(candidates)
    files = [list(read_lines(path, encoding=encoding)) for path in candidates]
    groups = groups_of_lines(files, request.samples, names)
    with progress_bar("segments", quiet=quiet) as progress:
        result = choose(groups, metric=metric, names=names if request.samples is None else (), progress=progress)
    emit(result.text() if form == "text" else result.table().render(cast("Format", form)), output)
