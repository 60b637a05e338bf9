"""Options that several verbs share, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import SentenceMetric

F = TypeVar("F", bound=Callable[..., Any])


def complete_metric(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the metric names that begin like what was typed."""
    from paragauge.metrics.registry import METRICS

    return [name for name in METRICS if name.startswith(incomplete)]


metric_option = click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    required=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="A metric, with options if need be: -m bleu -m 'chrf(word_order=2)'. May be repeated; "
    "'paragauge metrics' lists them.",
)


def input_options(command: F) -> F:
    """Add what says which texts to score."""
    for option in reversed(
        [
            click.argument("candidates", nargs=-1, metavar="[CANDIDATES]...", type=click.Path(allow_dash=True)),
            click.option(
                "--ref",
                "references",
                multiple=True,
                metavar="FILE",
                type=click.Path(allow_dash=True),
                help="References, one a line; once for each reference file.",
            ),
            click.option(
                "--original",
                metavar="FILE",
                type=click.Path(allow_dash=True),
                help="The sentences that the candidates paraphrase, one a line.",
            ),
            click.option(
                "--testset",
                metavar="FILE",
                type=click.Path(allow_dash=True),
                help="A test set that holds everything (JSONL, TSV, CSV, SGML or WMT XML), instead of the above.",
            ),
            click.option(
                "--encoding",
                default="utf-8",
                show_default=True,
                metavar="NAME",
                help="Encoding of line files.",
            ),
        ]
    ):
        command = option(command)
    return command


def output_options(command: F) -> F:
    """Add what says how and where to write results."""
    for option in reversed(
        [
            click.option(
                "--format",
                "form",
                type=click.Choice(["table", "tsv", "json"]),
                default="table",
                show_default=True,
                help="Text for people, or full precision for programs.",
            ),
            click.option(
                "-o",
                "--output",
                default=STANDARD_STREAM,
                metavar="FILE",
                type=click.Path(allow_dash=True),
                help="Write to a file (gzipped if it ends in .gz) instead of standard output.",
            ),
            click.option("-q", "--quiet", is_flag=True, help="No progress bar, no warnings."),
        ]
    ):
        command = option(command)
    return command


def pruning_options(command: F) -> F:
    """Add what says which phrase pairs stay."""
    for option in reversed(
        [
            click.option(
                "--min-count", default=1, show_default=True, type=click.IntRange(min=1), help="The least N(e, f)."
            ),
            click.option(
                "--min-prob",
                default=0.0,
                show_default=True,
                type=click.FloatRange(0, 1),
                help="The least p(f|e), target given source.",
            ),
            click.option(
                "--top",
                type=click.IntRange(min=1),
                metavar="N",
                help="Targets of each source, the most frequent first.",
            ),
        ]
    ):
        command = option(command)
    return command


def engine_options(command: F) -> F:
    """Add what says how much of the machine counting and joining may use."""
    for option in reversed(
        [
            click.option(
                "--memory-limit",
                metavar="SIZE",
                help="Memory for counting, such as 1GB; more goes to disk.  [default: four fifths of it]",
            ),
            click.option(
                "--temp",
                metavar="DIR",
                type=click.Path(),
                help="Folder for what does not fit into memory.  [default: the system's]",
            ),
            click.option("--threads", type=click.IntRange(min=1), metavar="N", help="[default: all cores]"),
        ]
    ):
        command = option(command)
    return command


def quieten(quiet: bool) -> None:
    """Switch warnings off if the user asked for quiet."""
    import logging

    if quiet:
        logging.getLogger("paragauge").setLevel(logging.ERROR)


seed_option = click.option(
    "--seed", default=12345, show_default=True, type=click.IntRange(min=0), help="Seed of chance."
)


def load_metrics(texts: tuple[str, ...]) -> list[SentenceMetric]:
    """Return the sentence metrics that *texts* name."""
    from paragauge.errors import OptionError
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.registry import parse_metric

    metrics = []
    for text in texts:
        metric = parse_metric(text)
        if not isinstance(metric, SentenceMetric):
            raise OptionError(f"{metric.name} scores a resource, not sentences")
        if metric in metrics:
            raise OptionError(f"metric {text!r} is given twice")
        metrics.append(metric)
    return metrics


def load_testset(
    candidates: tuple[str, ...],
    references: tuple[str, ...],
    original: str | None,
    testset: str | None,
    encoding: str,
    metrics: list[SentenceMetric],
) -> TestSet:
    """Return the texts to score, checked against what the metrics need."""
    from paragauge.corpora import read_plain_testset, read_testset

    files = [*candidates, *references, *([original] if original else []), *([testset] if testset else [])]
    if files.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if testset is not None:
        if candidates or references or original:
            raise click.UsageError("--testset holds everything; give no candidates, --ref or --original beside it")
        data = read_testset(testset, encoding=encoding)
    else:
        if not candidates:
            raise click.UsageError("no candidates; name at least one file, '-' for standard input, or use --testset")
        # What is missing on the command line is a mistake of the command, found before any file is read.
        for metric in metrics:
            if "references" in metric.needs and not references:
                raise click.UsageError(f"{metric.name} compares with references; name their file with --ref")
            if "originals" in metric.needs and original is None:
                raise click.UsageError(f"{metric.name} compares with originals; name their file with --original")
        data = read_plain_testset(candidates, references=references, originals=original, encoding=encoding)
    for metric in metrics:
        metric.check(data.segments(next(iter(data.candidates))))
    _warn_of_missing_references(data)
    return data


def _warn_of_missing_references(testset: TestSet) -> None:
    import logging

    references = testset.segments(next(iter(testset.candidates))).references or ()
    blank = [
        segment
        for segment, texts in zip(testset.ids, references, strict=False)
        if not any(text.strip() for text in texts)
    ]
    if blank:
        logging.getLogger("paragauge").warning(
            "%d segment(s) have no reference text, the first is segment %s: nothing in them can match",
            len(blank),
            blank[0],
        )
