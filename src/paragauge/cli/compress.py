"""``paragauge compress``: sentence compression as a test of grammars."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from paragauge.cli.options import (
    encoding_option,
    format_option,
    memory_option,
    output_option,
    quiet_option,
    threads_option,
)
from paragauge.cli.requests import request_options
from paragauge.evaluate.compression import CompressionRequest

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@click.argument("grammars", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--dev", required=True, metavar="PAIRS", type=click.Path(), help="Pairs of sentences to tune on, as for 'paradigm'."
)
@click.option("--test", required=True, metavar="PAIRS", type=click.Path(), help="Pairs of sentences to compress.")
@click.option("--lm", metavar="LM", type=click.Path(), help="Language model: a folder, or an ARPA file.")
@request_options(CompressionRequest)
@click.option(
    "--outputs",
    metavar="FILE",
    type=click.Path(),
    help="Write all compressions as a test set, to score or to judge ('annotate judge').",
)
@threads_option
@memory_option
@encoding_option
@format_option("table", "tsv", "json")
@output_option
@quiet_option
def compress(
    grammars: tuple[str, ...],
    dev: str,
    test: str,
    lm: str | None,
    request: CompressionRequest,
    outputs: str | None,
    threads: int | None,
    encoding: str,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Compress sentences with each GRAMMAR and score the result, as in section 6 of the PARADIGM paper.

    Of the pairs, those whose lengths have the requested ratio are used: the longer sentence is compressed, the shorter
    one is the reference. Weights are tuned on the pairs of --dev. The reference, random deletion to its length, and
    the unchanged sentence are scored as controls.

    \b
    Example:
      paragauge compress msr.grammar bible.grammar --lm news.lm --dev dev.tsv --test test.tsv -t penn --lowercase
    """
    from paragauge.align.annotated import read_sentence_pairs
    from paragauge.cli.output import emit, progress_bar
    from paragauge.corpora.formats import write_testset
    from paragauge.evaluate.compression import compress as run
    from paragauge.evaluate.paradigm import grammar_names

    request.load_metric()  # before anything is opened
    sides = [read_sentence_pairs(path, encoding=encoding) for path in (dev, test)]
    texts = [list(zip(each.source, each.target, strict=True)) for each in sides]
    named = dict(zip(grammar_names(grammars), grammars, strict=True))
    with progress_bar("rounds", quiet=quiet) as progress:
        result = run(named, texts[0], texts[1], request, lm=lm, threads=threads, progress=lambda _: progress)
    if outputs is not None:
        write_testset(result.testset(), outputs)
    emit(result.table().render(cast("Format", form)), output)
