"""``paragauge generate``: rewrite sentences with a grammar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from paragauge.cli.options import format_option, output_option, quiet_option
from paragauge.cli.requests import request_options
from paragauge.cli.rewriting import generator_options
from paragauge.evaluate.generate import GenerateRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.cli.rewriting import OpenGenerator
    from paragauge.evaluate.generate import GenerateResult
    from paragauge.report.table import Format


@click.command()
@click.argument("text", default=STANDARD_STREAM, type=click.Path(allow_dash=True))
@generator_options(
    "Weights of features, as 'paragauge tune' writes them; with the default grammar, also 'pem' or 'pem+', tuned to "
    "these metrics.  [default: weights to start with]"
)
@request_options(GenerateRequest)
@click.option(
    "--derivation",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write the derivation of each sentence's best candidate, as JSON lines if the name ends in .jsonl.",
)
@click.option("--draw", metavar="DIR", type=click.Path(), help="Draw these derivations as SVG files in this folder.")
@format_option("text", "table", "tsv", "json", help="Format: the best candidates as text, or all of them as a table.")
@output_option
@quiet_option
def generate(
    text: str,
    open_generator: OpenGenerator,
    request: GenerateRequest,
    derivation: str | None,
    draw: str | None,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Rewrite the sentences of TEXT, one per line, with a grammar, a language model and weights.

    The grammar decides what happens: paraphrases, or, with --max-ratio, compressions. --optimise chooses among many
    candidates by a metric. Lines are tokens separated by spaces unless --tokenizer is given; with the default grammar,
    they are English text. Text is written as text: unchanged words as they are in the input, new ones to fit.

    \b
    Example:
      echo 'The kids bought a big house.' | paragauge generate --kbest 5 --format table
      paragauge generate --grammar msr.grammar --lm news.lm --weights tuned.weights < sentences.txt
      paragauge generate --grammar msr.grammar --lm news.lm --kbest 10 --format tsv sentences.txt -o candidates.tsv
      paragauge generate --grammar msr.grammar --lm news.lm --max-ratio 0.8 --optimise pem+ sentences.txt
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.corpora.lines import read_filled_lines

    asked = request
    if derivation is not None or draw is not None:
        asked = asked.changed(derivations=True)
    asked.load_metric()  # before anything is opened
    generator = open_generator()
    lines = read_filled_lines(text, "one sentence on each line", encoding)
    with progress_bar("sentences", quiet=quiet) as progress:
        result = generator(lines, asked, progress=progress)
    if derivation is not None:
        _write_derivations(result, derivation)
    if draw is not None:
        _draw_derivations(result, Path(draw))
    emit(result.text() if form == "text" else result.table().render(cast("Format", form)), output)


def _write_derivations(result: GenerateResult, path: str) -> None:
    from paragauge.cli.output import emit
    from paragauge.report.derivation import derivation_lines

    as_json = path.removesuffix(".gz").endswith(".jsonl")
    emit("".join(derivation_lines(*each, as_json=as_json) for each in result.derivations()), path)


def _draw_derivations(result: GenerateResult, folder: Path) -> None:
    from paragauge.cli.output import emit
    from paragauge.io import file_error
    from paragauge.report.derivation import derivation_svg

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise file_error(folder, error, "write") from error
    for _, segment, derivation in result.derivations():
        emit(derivation_svg(derivation), str(folder / f"{segment}.svg"))
