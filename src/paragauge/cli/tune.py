"""``paragauge tune``: weights for ``paragauge generate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from paragauge.cli.options import format_option, output_to, quiet_option
from paragauge.cli.requests import request_options
from paragauge.cli.rewriting import generator_options
from paragauge.evaluate.tune import TuneRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.cli.rewriting import OpenGenerator
    from paragauge.report.table import Format


@click.command()
@click.argument("text", type=click.Path(allow_dash=True))
@click.option(
    "--ref",
    "references",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="References, one per line of TEXT, if the metric needs them. May be repeated.",
)
@generator_options("Weights to start with; only the features that it names are tuned.  [default: those of 'generate']")
@request_options(TuneRequest)
@click.option(
    "--checkpoint",
    metavar="FILE",
    type=click.Path(),
    help="File to write after every round, and to continue from if it exists (gzipped if the name ends in .gz).",
)
@format_option("table", "tsv", "json", help="Format of the learning curve, on standard output.")
@output_to("WEIGHTS", "File for the tuned weights.", required=True)
@quiet_option
def tune(
    text: str,
    references: tuple[str, ...],
    open_generator: OpenGenerator,
    request: TuneRequest,
    checkpoint: str | None,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Tune weights so that rewritten sentences are good by a metric (PRO: pairwise ranking of candidates).

    TEXT has development sentences, one per line. The learning curve is printed; the weights of the best round are
    written to the output.

    \b
    Example:
      paragauge tune long.txt --ref short.txt --grammar msr.grammar --lm news.lm -m 'precis(target_rate=0.75)' -o w.txt
      paragauge tune dev.txt --grammar msr.grammar --lm news.lm -m pem+ --checkpoint tuning.json.gz -o w.txt
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.tune import tune as fit
    from paragauge.io import read_lines

    request.load_metric()  # before anything is opened
    if output == STANDARD_STREAM:
        raise click.UsageError("the learning curve goes to standard output; give a file for the weights")
    generator = open_generator()
    sentences = list(read_lines(text, encoding=encoding))
    files = [list(read_lines(path, encoding=encoding)) for path in references]
    for path, lines in zip(references, files, strict=True):
        if len(lines) != len(sentences):
            raise click.UsageError(
                f"{path} has {len(lines):,} lines and {text} has {len(sentences):,}; expected as many"
            )
    groups = list(zip(*files, strict=True)) if files else None
    with progress_bar("rounds", quiet=quiet) as progress:
        result = fit(generator, sentences, groups, request, checkpoint=checkpoint, progress=progress)
    result.weights.write(output)
    emit(result.table().render(cast("Format", form)), STANDARD_STREAM)
