"""``paragauge lm``: train a language model; ``paragauge lm query``: query one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.groups import DefaultGroup
from paragauge.cli.options import (
    encoding_option,
    lowercase_option,
    output_options,
    output_to,
    quiet_option,
    stem_option,
    threads_option,
    tokenizer_option,
)
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import refuse_given
from paragauge.io import STANDARD_STREAM, count_lines, read_lines
from paragauge.progress import Counter, watched

if TYPE_CHECKING:
    from paragauge.lm.model import LanguageModel, NgramModel, Scores
    from paragauge.lm.train import Smoothing
    from paragauge.report.table import Format, ResultTable

_SENTENCES_A_STEP = 1 << 14  # scored between two looks at the progress bar


@click.group(cls=DefaultGroup, default="train")
def lm() -> None:
    """Train or query an n-gram language model.

    `paragauge lm TEXT... -o MODEL` is short for `paragauge lm train TEXT... -o MODEL`; its options are shown by
    `paragauge lm train --help`.

    \b
    Example:
      paragauge lm english.txt -o english.lm
      paragauge lm query english.lm candidates.txt
    """


def parse_counts(ctx: click.Context, param: click.Parameter, value: str | None) -> list[int] | None:
    """Return the numbers of an option such as ``--min-counts 1,1,2``."""
    if value is None:
        return None
    try:
        return [int(item) for item in value.split(",")]
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a comma-separated list of whole numbers, such as 1,1,2") from error


@lm.command(short_help="Train a model (the default command).")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...", type=click.Path(allow_dash=True))
@output_to("MODEL", "Model folder to write.")
@click.option(
    "--arpa",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write an ARPA file, or only that if -o is not given (gzipped if the name ends in .gz).",
)
@click.option(
    "--order",
    default=4,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Order of the model: length of its longest n-grams.",
)
@click.option(
    "--smoothing",
    type=click.Choice(["kneser-ney", "katz"]),
    default="kneser-ney",
    show_default=True,
    help="Smoothing: interpolated modified Kneser-Ney (as in KenLM) or Katz back-off (as in SRILM).",
)
@click.option(
    "--min-counts",
    metavar="N,N,...",
    callback=parse_counts,
    help="Drop n-grams below these counts, for order 1, 2, ...  [default: 1,1,2 for katz, else 1]",
)
@click.option(
    "--discount-fallback",
    is_flag=True,
    help="Use the discounts 0.5, 1 and 1.5 if the text is too small to estimate Kneser-Ney discounts.",
)
@tokenizer_option
@lowercase_option
@stem_option
@encoding_option
@threads_option
@quiet_option
def train(
    texts: tuple[str, ...],
    output: str | None,
    arpa: str | None,
    order: int,
    smoothing: Smoothing,
    min_counts: list[int] | None,
    discount_fallback: bool,
    tokenizer: str,
    lowercase: bool,
    stem: bool,
    encoding: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Train a language model on the lines of TEXT.

    The model stores how the text was prepared (--tokenizer, --lowercase, --stem), and queries prepare theirs the same
    way.

    \b
    Example:
      paragauge lm english.txt -o english.lm
      paragauge lm a.txt b.txt.gz -o ab.lm --order 3 --smoothing katz --lowercase --arpa ab.arpa.gz
    """
    from paragauge.lm.train import train_lm

    if output is None and arpa is None:
        raise click.UsageError("nothing to write; give a model folder with -o, an ARPA file with --arpa, or both")
    if texts.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if smoothing == "katz":
        refuse_given("Katz back-off has no Kneser-Ney discounts", "discount_fallback")
    with progress_bar("sentences", quiet=quiet) as show:
        model = train_lm(
            watched(_lines(texts, encoding), show, total=count_lines(texts)),
            order=order,
            smoothing=smoothing,
            min_counts=min_counts,
            discount_fallback=discount_fallback,
            tokenizer=tokenizer,
            lowercase=lowercase,
            stem=stem,
            threads=threads,
        )
    _write(model, texts, output, arpa, threads)
    if not quiet:
        click.echo(f"paragauge: {_summary(model)}", err=True)


def _write(
    model: LanguageModel, texts: tuple[str, ...], output: str | None, arpa: str | None, threads: int | None
) -> None:
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.io import digest_file
    from paragauge.lm.arpa import write_arpa

    if output is not None:
        names = [Path(text).name for text in texts]
        named = dict(zip(names if len(set(names)) == len(names) else texts, texts, strict=True))
        files = {name: text for name, text in named.items() if text != STANDARD_STREAM and Path(text).is_file()}
        model.save(output, inputs={name: digest_file(text) for name, text in files.items()})
    if arpa is not None:
        with closed_pipe_ends_quietly():
            write_arpa(model, arpa, threads=threads)


def _summary(model: LanguageModel) -> str:
    sizes = " / ".join(f"{size:,}" for size in model.sizes)
    options = model.options
    return (
        f"{options['sentences']:,} sentences, {options['tokens']:,} words; "
        f"{options['smoothing']} model of order {model.order}, {sizes} n-grams"
    )


def _lines(texts: tuple[str, ...], encoding: str) -> Iterator[str]:
    return itertools.chain.from_iterable(read_lines(text, encoding=encoding) for text in texts)


@lm.command(short_help="Score the lines of a text.")
@click.argument("model", metavar="MODEL", type=click.Path())
@click.argument("text", default=STANDARD_STREAM, metavar="[TEXT]", type=click.Path(allow_dash=True))
@click.option("--words", is_flag=True, help="Print one row per word and sentence end.")
@click.option("--summary", is_flag=True, help="Print only the row for the whole text.")
@encoding_option
@threads_option
@output_options
def query(
    model: str,
    text: str,
    words: bool,
    summary: bool,
    encoding: str,
    threads: int | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Score the lines of TEXT (default: standard input) with MODEL.

    MODEL is a folder made by `paragauge lm`, an ARPA file (gzipped or not), or a KenLM binary file. The last row,
    `all`, is the whole text.

    \b
    Example:
      paragauge lm query english.lm candidates.txt
      echo 'the cat sat' | paragauge lm query english.arpa.gz --words
    """
    from paragauge.lm.opening import open_model

    if words and summary:
        raise click.UsageError("--words and --summary exclude each other")
    opened = open_model(model)
    lines = read_lines(text, encoding=encoding)
    if words:
        table = _word_table(opened, lines)
    else:
        with progress_bar("sentences", quiet=quiet) as show:
            counter = Counter(show, count_lines([text]))
            scores = _score(opened, lines, threads, counter)
        if form == "tsv" and not summary:
            emit(_sentence_tsv(scores), output)
            return
        table = _sentence_table(scores, summary)
    emit(table.render(form), output)


def _score(model: NgramModel[Any], lines: Iterator[str], threads: int | None, counter: Counter) -> Scores:
    import numpy as np

    from paragauge.errors import DataError
    from paragauge.lm.model import Scores

    parts = []
    while batch := list(itertools.islice(lines, _SENTENCES_A_STEP)):
        parts.append(model.scores(batch, threads=threads))
        counter.advance(len(batch))
    if not parts:
        raise DataError("the text is empty; expected at least one sentence")
    return Scores(
        np.concatenate([part.log10_p for part in parts]),
        np.concatenate([part.words for part in parts]),
        np.concatenate([part.unknown for part in parts]),
        np.concatenate([part.unknown_log10_p for part in parts]),
    )


def _sentence_table(scores: Scores, summary: bool) -> ResultTable:
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Any]] = []
    if not summary:
        known = scores.perplexities(include_unknown=False)
        columns = (scores.log10_p, scores.words, scores.unknown, scores.perplexities(), known)
        rows = [
            _row(str(number), *(value.item() for value in values))
            for number, values in enumerate(zip(*columns, strict=True), 1)
        ]
    rows.append(
        _row(
            "all",
            float(scores.log10_p.sum()),
            int(scores.words.sum()),
            int(scores.unknown.sum()),
            scores.perplexity(),
            scores.perplexity(include_unknown=False),
        )
    )
    return ResultTable(list(rows[0]), rows)


def _sentence_tsv(scores: Scores) -> str:
    """Return what the table gives as TSV, made by the native core."""
    import numpy as np

    from paragauge import _core
    from paragauge.threads import thread_count

    number = np.arange(1, len(scores.log10_p) + 1)
    known = scores.perplexities(include_unknown=False)
    columns = [number, scores.log10_p, scores.words, scores.unknown, scores.perplexities(), known]
    rows = _core.write_rows(columns, separators=["", *["\t"] * 5], threads=thread_count(None))
    header, last = _sentence_table(scores, summary=True).render("tsv").splitlines(keepends=True)
    return header + rows.decode() + last


def _row(sentence: str, log10_p: float, words: int, unknown: int, perplexity: float, known: float) -> dict[str, Any]:
    return {
        "sentence": sentence,
        "log10_p": log10_p,
        "words": words,
        "unknown": unknown,
        "perplexity": perplexity,
        "perplexity_known": known,
    }


def _word_table(model: NgramModel[Any], lines: Iterator[str]) -> ResultTable:
    from paragauge.report.table import ResultTable

    columns = ["sentence", "word", "log10_p", "order", "unknown"]
    rows: list[dict[str, Any]] = [
        {"sentence": str(number), "word": score.word, "log10_p": score.log10_p, "order": score.order,
         "unknown": "yes" if score.unknown else "no"}
        for number, line in enumerate(lines, 1)
        for score in model.words(line)
    ]  # fmt: skip
    return ResultTable(columns, rows)
