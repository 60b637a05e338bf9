"""``paragauge tokenize``: show text as metrics see it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    encoding_option,
    lowercase_option,
    output_option,
    stem_option,
    tokenizer_option,
)
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.text.normalize import NormalForm

_LINES_AT_ONCE = 256  # few enough that output keeps up with input that is typed or piped


@click.command()
@click.argument("file", default=STANDARD_STREAM, type=click.Path(allow_dash=True))
@tokenizer_option
@lowercase_option
@stem_option
@click.option(
    "--normalize", type=click.Choice(["NFC", "NFD", "NFKC", "NFKD"]), help="Normalise to this Unicode form first."
)
@encoding_option
@output_option
def tokenize(
    file: str, tokenizer: str, lowercase: bool, stem: bool, normalize: NormalForm | None, encoding: str, output: str
) -> None:
    """Tokenise FILE (default: standard input) line by line, with a space between tokens.

    \b
    Example:
      paragauge tokenize -t penn --lowercase english.txt -o english.tok
      paragauge tokenize -t moses-fr french.txt.gz | head
    """
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.io import read_lines, write_lines
    from paragauge.text.pipeline import TextPipeline

    pipeline = TextPipeline(tokenizer=tokenizer, lowercase=lowercase, stem=stem, normalize=normalize)
    lines = read_lines(file, encoding=encoding)
    blocks = iter(lambda: list(islice(lines, _LINES_AT_ONCE)), [])
    with closed_pipe_ends_quietly():
        write_lines(output, (line for block in blocks for line in pipeline.lines(block)))
