"""``paragauge parse``: tags, dependencies and constituents of English text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    encoding_option,
    format_option,
    memory_option,
    output_option,
    quiet_option,
    threads_option,
)
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from paragauge.analysis import Analysis

_BATCH = 2000  # sentences that are analysed at a time


@click.command()
@click.argument("text", default=STANDARD_STREAM, type=click.Path(allow_dash=True))
@format_option(
    "conllu",
    "penn",
    "tags",
    "roles",
    "roles-json",
    help="Output: CoNLL-U (dependencies, tags, lemmas), bracketed constituency trees (penn), word/TAG (tags), or "
    "predicates with their arguments in columns as in CoNLL-2012 (roles) or as JSON lines (roles-json).",
)
@click.option(
    "--provider",
    default="builtin",
    show_default=True,
    metavar="NAME",
    help="Analyser: builtin, spacy:NAME for a spaCy pipeline, or files:PATH for existing CoNLL-U or bracketed trees.",
)
@click.option("--tokenized", is_flag=True, help="TEXT is already tokenised, with spaces between tokens.")
@threads_option
@memory_option
@encoding_option
@output_option
@quiet_option
def parse(
    text: str, form: str, provider: str, tokenized: bool, threads: int | None, encoding: str, output: str, quiet: bool
) -> None:
    """Analyse the English sentences of TEXT (default: standard input), one per line.

    \b
    Example:
      paragauge parse english.txt --format penn -o english.trees
      echo 'The cat sat.' | paragauge parse --format tags
      echo 'Mary gave him a book.' | paragauge parse --format roles
    """
    from paragauge.analysis import provider as find_provider
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.io import read_lines, write_lines
    from paragauge.progress import Counter
    from paragauge.text.tokenize import get_tokenizer

    analyser = find_provider(provider)
    tokenize = get_tokenizer("none" if tokenized else "penn")
    with_roles = form.startswith("roles")

    def lines() -> Iterator[str]:
        with progress_bar("sentences", quiet=quiet) as bar:
            counter = Counter(bar)
            for batch in _batches(read_lines(text, encoding=encoding)):
                analyses = analyser.analyse(
                    [tokenize(line) for line in batch],
                    lemmas=form == "conllu" or with_roles,
                    dependencies=form == "conllu" or with_roles,
                    trees=form == "penn",
                    threads=threads,
                )
                if with_roles:
                    yield from _lines_of_roles(analyses, form, threads)
                else:
                    for analysis in analyses:
                        yield from _lines_of(analysis, form)
                counter.advance(len(batch))

    with closed_pipe_ends_quietly():
        write_lines(output, lines())


def _lines_of(analysis: Analysis, form: str) -> Iterator[str]:
    from paragauge.analysis.conllu import conllu_lines

    if form == "conllu":
        # An empty line has no words, which CoNLL-U cannot say but by a comment.
        yield from conllu_lines(analysis) if analysis.words else ("# text = ", "")
    elif form == "penn":
        assert analysis.tree is not None  # noqa: S101  # it was asked for
        yield analysis.tree.to_penn()
    else:
        yield " ".join(f"{word}/{tag}" for word, tag in zip(analysis.words, analysis.tags or (), strict=True))


def _lines_of_roles(analyses: list[Analysis], form: str, threads: int | None) -> Iterator[str]:
    import json

    from paragauge.analysis.roles import RoleLabeller, role_columns, role_dict

    labelled = RoleLabeller.load().label(analyses, threads=threads)
    for analysis, predicates in zip(analyses, labelled, strict=True):
        if form == "roles-json":
            yield json.dumps(role_dict(analysis, predicates), ensure_ascii=False)
        else:
            yield from role_columns(analysis, predicates)


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
