"""``paragauge annotate``: correct word links in the browser; export them and measure agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.groups import DefaultGroup
from paragauge.cli.options import encoding_option, output_option, output_options, quiet_option, server_options
from paragauge.cli.output import closed_pipe_ends_quietly, emit, progress_bar
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paragauge.align.alignment import Alignment
    from paragauge.align.gold import GoldAlignment
    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.report.table import Cell, Format

SUFFIX = ".annotations.sqlite"
JUDGMENTS_SUFFIX = ".judgments.sqlite"

store_argument = click.argument("store", metavar="STORE", type=click.Path(dir_okay=False))


@click.group(cls=DefaultGroup, default="grid")
def annotate() -> None:
    """Link the words of sentence pairs by hand, or judge rewritten sentences, in the browser.

    `paragauge annotate PAIRS --annotator NAME` is short for `paragauge annotate grid PAIRS --annotator NAME`; its
    options are shown by `paragauge annotate grid --help`.

    \b
    Example:
      paragauge annotate pairs.tsv --annotator ann
      paragauge annotate progress pairs.tsv.annotations.sqlite
      paragauge annotate export pairs.tsv.annotations.sqlite --annotator ann -o ann.align
      paragauge annotate judge outputs.tsv --annotator ann
    """


@annotate.command(short_help="Open the grid (the default command).")
@click.argument("pairs", metavar="PAIRS", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Name of an annotator. May be repeated; each gets a separate address.",
)
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help=f"Where every change is saved at once.  [default: PAIRS{SUFFIX}]",
)
@click.option(
    "--links",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Start with these links: Pharaoh lines, one per pair.  [default: links of the built-in aligner for English]",
)
@click.option("--one-based", is_flag=True, help="With --links: positions count from 1 instead of 0.")
@click.option(
    "--model", metavar="DIR", type=click.Path(file_okay=False), help="Start with the links of a saved aligner."
)
@click.option("--no-links", is_flag=True, help="Start with empty grids.")
@encoding_option
@server_options
@quiet_option
def grid(
    pairs: str,
    annotators: tuple[str, ...],
    store: str | None,
    links: str | None,
    one_based: bool,
    model: str | None,
    no_links: bool,
    encoding: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    open_browser: bool,
    quiet: bool,
) -> None:
    """Show the sentence pairs of PAIRS as grids in the browser: words of one sentence by words of the other.

    PAIRS has 'source TAB target' or 'source ||| target' on each line, or is a table with the columns source, target and
    optionally group; tokens are separated by spaces. Click for a sure link, Shift-click for a possible one, drag for a
    block of links; the page lists the keys. Every change is saved at once; the server can be stopped at any time.

    \b
    Example:
      paragauge annotate pairs.tsv --annotator ann
      paragauge annotate pairs.tsv --annotator bob --links automatic.align --port 8018
    """
    from pathlib import Path

    from paragauge.corpora.pairs import read_paraphrase_pairs
    from paragauge.web import check_extra

    if sum([links is not None, model is not None, no_links]) > 1:
        raise click.UsageError("--links, --model and --no-links exclude each other; give at most one")
    if one_based and links is None:
        raise click.UsageError("--one-based needs --links")
    if STANDARD_STREAM in (pairs, links) and (pairs == links or (pairs == STANDARD_STREAM and store is None)):
        raise click.UsageError(
            "standard input ('-') can be read only once, and needs --store FILE if it holds the pairs"
        )
    if len(set(annotators)) < len(annotators):
        raise click.UsageError("an annotator is named twice")
    check_extra("paragauge annotate")
    from paragauge.annotation.store import AnnotationStore, check_annotator
    from paragauge.web.annotate import annotation_areas
    from paragauge.web.server import run_server

    for annotator in annotators:
        check_annotator(annotator)
    read = read_paraphrase_pairs(pairs, encoding=encoding)
    path = Path(store or pairs + SUFFIX)
    asked = False

    def start() -> Sequence[GoldAlignment | Alignment]:
        nonlocal asked
        asked = True
        return _first_links(read, links, one_based, model, no_links, quiet)

    with AnnotationStore.create(path, read, start) as opened:
        if not asked and (links or model or no_links):
            click.echo(f"paragauge: {path} is there already: its first links stay as they are", err=True)

        def announce(address: str) -> None:
            click.echo(f"paragauge: {len(opened):,} pairs at {address} (Ctrl-C ends); saved in {path}", err=True)

        run_server(
            annotation_areas(opened, annotators),
            announce,
            host=host,
            port=port,
            names=names,
            open_browser=open_browser,
        )


def _first_links(
    pairs: ParaphrasePairs, links: str | None, one_based: bool, model: str | None, no_links: bool, quiet: bool
) -> Sequence[GoldAlignment | Alignment]:
    """Return the links that annotators start with."""
    from paragauge.align.aligner import Aligner
    from paragauge.align.gold import read_gold
    from paragauge.monolingual.aligner import WordAligner

    lengths = [(len(one.split()), len(other.split())) for one, other in zip(pairs.source, pairs.target, strict=True)]
    if no_links or not any(source and target for source, target in lengths):
        return []
    if links is not None:
        return list(read_gold(links, one_based=one_based, lengths=lengths, complete=True))
    if model is not None:
        return Aligner.load(model).align(pairs.source, pairs.target)
    with progress_bar("pairs", quiet=quiet) as show:
        return list(WordAligner.load().align_scored(pairs.source, pairs.target, progress=show))


@annotate.command()
@store_argument
@click.option("--annotator", metavar="NAME", help="Annotator whose links to export; required if there are several.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["pharaoh", "parametric"]),
    default="pharaoh",
    show_default=True,
    help="Output: Pharaoh lines, or a table of pairs and links that 'paragauge parametric' reads as gold.",
)
@click.option("--finished", is_flag=True, help="Export finished pairs only.")
@click.option(
    "--texts",
    nargs=2,
    metavar="SRC TGT",
    type=click.Path(dir_okay=False),
    help="With --to pharaoh: also write the sentences, line by line.",
)
@output_option
@quiet_option
def export(
    store: str,
    annotator: str | None,
    form: str,
    finished: bool,
    texts: tuple[str, str] | None,
    output: str,
    quiet: bool,
) -> None:
    """Write the links of an annotator: sure ones as 1-2, possible ones as 1p2.

    \b
    Example:
      paragauge annotate export pairs.tsv.annotations.sqlite --annotator ann -o ann.align
      paragauge annotate export pairs.tsv.annotations.sqlite --annotator ann --to parametric -o gold.tsv
    """
    import logging

    from paragauge.align.annotated import write_aligned_pairs
    from paragauge.align.gold import write_gold
    from paragauge.annotation.store import AnnotationStore
    from paragauge.corpora.bitext import Bitext, write_parallel

    if texts is not None and form != "pharaoh":
        raise click.UsageError("--texts needs --to pharaoh; the parametric table already contains the sentences")
    with AnnotationStore.open(store) as opened:
        gold, unfinished = opened.gold(annotator, finished_only=finished)
    if unfinished:
        logging.getLogger("paragauge").warning(
            "%d of %d pairs are unfinished; their links are exported as they are (--finished leaves them out)",
            unfinished,
            len(gold),
        )
    with closed_pipe_ends_quietly():
        if form == "parametric":
            write_aligned_pairs(output, gold)
            return
        if texts is not None:
            write_parallel(Bitext(gold.pairs.source, gold.pairs.target), *texts)
        write_gold(output, gold.links)


@annotate.command()
@store_argument
@output_options
def progress(store: str, form: Format, output: str, quiet: bool) -> None:
    """Print each annotator's progress and time per pair.

    \b
    Example:
      paragauge annotate progress pairs.tsv.annotations.sqlite
    """
    from paragauge.annotation.store import AnnotationStore
    from paragauge.report.table import ResultTable

    columns = ["annotator", "finished", "pairs", "sure", "possible", "seconds_per_pair", "seconds"]
    rows: list[dict[str, Cell]] = []
    with AnnotationStore.open(store) as opened:
        for name in opened.annotators():
            found = opened.progress(name)
            marks = [mark for state in opened.states(name) if state.done for mark in state.links.values()]
            counts = (found.done, found.pairs, marks.count("-"), marks.count("p"))
            seconds = found.seconds_per_pair if found.done else None
            rows.append(dict(zip(columns, (name, *counts, seconds, found.seconds), strict=True)))
    emit(ResultTable(columns, rows, digits=1).render(form), output)


@annotate.command()
@store_argument
@output_options
def agreement(store: str, form: Format, output: str, quiet: bool) -> None:
    """Print C-hat for each pair of annotators, over the pairs that both have finished.

    \b
    Example:
      paragauge annotate agreement pairs.tsv.annotations.sqlite
    """
    from dataclasses import asdict

    from paragauge.annotation.store import AnnotationStore
    from paragauge.errors import DataError
    from paragauge.report.table import ResultTable

    with AnnotationStore.open(store) as opened:
        found = [each for each in opened.agreement() if each.words]
    if not found:
        raise DataError("no two annotators have finished a pair in common", path=store)
    rows = [{"annotator": each["one"], **each} for each in map(asdict, found)]
    emit(
        ResultTable(["annotator", "other", "c_hat", "c_hat_phrases", "c_hat_sure", "pairs", "words"], rows).render(
            form
        ),
        output,
    )


@annotate.command(short_help="Judge meaning and grammar of rewritten sentences.")
@click.argument("outputs", metavar="OUTPUTS", type=click.Path(dir_okay=False))
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Name of a judge. May be repeated; each gets a separate address.",
)
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help=f"Where every judgment is saved at once.  [default: OUTPUTS{JUDGMENTS_SUFFIX}]",
)
@click.option("--system", "systems", multiple=True, metavar="NAME", help="Judge only this system. May be repeated.")
@encoding_option
@server_options
def judge(
    outputs: str,
    annotators: tuple[str, ...],
    store: str | None,
    systems: tuple[str, ...],
    encoding: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    open_browser: bool,
) -> None:
    """Judge meaning and grammar of rewritten sentences on scales from 1 to 5, in the browser.

    OUTPUTS is a test set with originals and the rewritings of one or more systems, such as 'paragauge compress
    --outputs' writes. Each sentence is shown with its rewritings, without names and in an order that differs from judge
    to judge. Every judgment is saved at once. 'correlate', 'agreement' and 'paradigm correlate' read the saved file.

    \b
    Example:
      paragauge annotate judge compressions.tsv --annotator ann --annotator bob
      paragauge annotate judge compressions.tsv --annotator ann --system msrp --system '(human)'
    """
    from pathlib import Path

    from paragauge.corpora.formats import read_testset
    from paragauge.web import check_extra

    if len(set(annotators)) < len(annotators):
        raise click.UsageError("an annotator is named twice")
    check_extra("paragauge annotate judge")
    from paragauge.annotation.database import check_annotator
    from paragauge.annotation.judging import JudgingStore
    from paragauge.web.judge import judging_areas
    from paragauge.web.server import run_server

    for annotator in annotators:
        check_annotator(annotator)
    path = Path(store or outputs + JUDGMENTS_SUFFIX)
    with JudgingStore.create(path, read_testset(outputs, encoding=encoding), systems) as opened:

        def announce(address: str) -> None:
            click.echo(f"paragauge: {len(opened):,} sentences at {address} (Ctrl-C ends); saved in {path}", err=True)

        run_server(
            judging_areas(opened, annotators), announce, host=host, port=port, names=names, open_browser=open_browser
        )


@annotate.command(short_help="Export judgments of rewritten sentences.")
@store_argument
@click.option(
    "--control-margin",
    type=float,
    metavar="POINTS",
    help="Leave out judges who do not rate the human control higher than random deletion by at least this, by every "
    "criterion.",
)
@output_option
def judgments(store: str, control_margin: float | None, output: str) -> None:
    """Write the judgments of rewritten sentences as TSV: system, segment, judge, criterion, score.

    \b
    Example:
      paragauge annotate judgments compressions.tsv.judgments.sqlite -o judgments.tsv
    """
    from paragauge.annotation.judging import JudgingStore
    from paragauge.corpora.judgments import write_judgments

    with JudgingStore.open(store) as opened:
        found = opened.judgments(margin=control_margin)
    with closed_pipe_ends_quietly():
        write_judgments(found, output, None if output != STANDARD_STREAM else "tsv")


@annotate.command(short_help="Show how judges rate the controls.")
@store_argument
@click.option("--good", metavar="SYSTEM", help="The good control.  [default: (human)]")
@click.option("--bad", metavar="SYSTEM", help="The bad control.  [default: (random deletion)]")
@output_options
def controls(store: str, good: str | None, bad: str | None, form: Format, output: str, quiet: bool) -> None:
    """Print each judge's progress and mean scores of the controls: who judges with care rates the good one higher.

    \b
    Example:
      paragauge annotate controls compressions.tsv.judgments.sqlite
    """
    from paragauge.annotation.judging import HUMAN, RANDOM, JudgingStore
    from paragauge.report.table import ResultTable

    columns = ["judge", "criterion", "finished", "sentences", "good", "bad", "margin", "seconds"]
    rows: list[dict[str, Cell]] = []
    with JudgingStore.open(store) as opened:
        for each in opened.controls(good or HUMAN, bad or RANDOM):
            made = opened.progress(each.judge)
            figures = (made.done, made.items, each.good, each.bad, each.margin, made.seconds)
            rows.append(dict(zip(columns, (each.judge, each.criterion, *figures), strict=True)))
    emit(ResultTable(columns, rows, digits=2).render(form), output)
