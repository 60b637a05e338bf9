"""Options that several verbs share, each written once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.cluster import temp_option
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


encoding_option = click.option(
    "--encoding", default="utf-8", show_default=True, metavar="NAME", help="Encoding of the input files."
)

output_option = click.option(
    "-o",
    "--output",
    default=STANDARD_STREAM,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write to a file (gzipped if it ends in .gz) instead of standard output.",
)

threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="The result is the same for any number.  [default: all cores]",
)

tokenizer_option = click.option(
    "-t",
    "--tokenizer",
    default="13a",
    show_default=True,
    metavar="NAME",
    help="13a, intl, zh, char, jieba, penn, moses-XX for the language XX, or none.",
)

lowercase_option = click.option("--lowercase", is_flag=True, help="Lower-case before tokenising.")

stem_option = click.option("--stem", is_flag=True, help="Porter stems of English words in lower case.")

bootstrap_option = click.option(
    "--bootstrap",
    default=1000,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Resamples for 95% intervals; 0 for none.",
)

seed_option = click.option(
    "--seed", default=12345, show_default=True, type=click.IntRange(min=0), help="Seed of chance."
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a command was given to score."""

    candidates: tuple[str, ...]
    references: tuple[str, ...]
    original: str | None
    testset: str | None
    names: tuple[str, ...]
    encoding: str


def input_options(command: F) -> F:
    """Add what says which texts to score; the command gets it as ``inputs``."""

    @functools.wraps(command)
    def with_inputs(**arguments: Any) -> Any:
        inputs = Inputs(**{name: arguments.pop(name) for name in Inputs.__slots__})
        return command(inputs=inputs, **arguments)

    for option in (
        encoding_option,
        click.option(
            "--name",
            "names",
            multiple=True,
            metavar="SYSTEM",
            help="What to call a system, instead of its file's name; once for each file of candidates, in order.",
        ),
        click.option(
            "--testset",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="A test set that holds everything (JSONL, TSV, CSV, SGML or WMT XML), instead of the above.",
        ),
        click.option(
            "--original",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="The sentences that the candidates paraphrase, one a line.",
        ),
        click.option(
            "--ref",
            "references",
            multiple=True,
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="References, one a line; once for each reference file.",
        ),
        click.argument("candidates", nargs=-1, metavar="[CANDIDATES]...", type=click.Path(allow_dash=True)),
    ):
        with_inputs = option(with_inputs)
    return with_inputs  # type: ignore[return-value]  # the arguments are other ones, by intention


def output_options(command: F) -> F:
    """Add what says how and where to write results."""
    for option in (
        click.option("-q", "--quiet", is_flag=True, help="No progress bar, no warnings."),
        output_option,
        click.option(
            "--format",
            "form",
            type=click.Choice(["table", "tsv", "json"]),
            default="table",
            show_default=True,
            help="Text for people, or full precision for programs.",
        ),
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
            temp_option,
            threads_option,
        ]
    ):
        command = option(command)
    return command


def server_options(command: F) -> F:
    """Add what says where a server listens, and whether a browser shows it."""
    for option in reversed(
        [
            click.option(
                "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen at."
            ),
            click.option(
                "--port", default=8017, show_default=True, type=click.IntRange(0, 65535), help="0 for any that is free."
            ),
            click.option(
                "--allow-host",
                "names",
                multiple=True,
                metavar="NAME",
                help="Another name that the server is addressed by.",
            ),
            click.option("--open/--no-open", "open_browser", default=False, help="Show it in your browser."),
        ]
    ):
        command = option(command)
    return command


def quieten(quiet: bool) -> None:
    """Switch warnings off if the user asked for quiet."""
    import logging

    if quiet:
        logging.getLogger("paragauge").setLevel(logging.ERROR)


def load_metrics(texts: tuple[str, ...]) -> list[SentenceMetric]:
    """Return the sentence metrics that *texts* name."""
    from paragauge.metrics.registry import parse_sentence_metrics

    return parse_sentence_metrics(texts)


def load_testset(inputs: Inputs, metrics: list[SentenceMetric]) -> TestSet:
    """Return the texts to score, checked against what the metrics need."""
    from paragauge.corpora import read_plain_testset, read_testset
    from paragauge.metrics.suitability import warn_of_texts

    check_needs(metrics, inputs)
    if inputs.testset is not None:
        testset = read_testset(inputs.testset, encoding=inputs.encoding)
    else:
        testset = read_plain_testset(
            inputs.candidates, references=inputs.references, originals=inputs.original, encoding=inputs.encoding
        )
        if inputs.names:
            testset = replace(testset, candidates=dict(zip(inputs.names, testset.candidates.values(), strict=True)))
    for metric in metrics:
        metric.check(testset.segments(next(iter(testset.candidates))))
    _warn_of_missing_references(testset)
    warn_of_texts(metrics, map(testset.segments, testset.candidates))
    return testset


def check_needs(metrics: list[SentenceMetric], inputs: Inputs) -> None:
    """Find what is missing on the command line, which is a mistake of the command, before any file is read."""
    named = [*inputs.candidates, *inputs.references, inputs.original, inputs.testset]
    if named.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if inputs.testset is not None:
        if inputs.candidates or inputs.references or inputs.names or inputs.original is not None:
            raise click.UsageError(
                "--testset holds everything; give no candidates, --ref, --original or --name beside it"
            )
        return
    if not inputs.candidates:
        raise click.UsageError("no candidates; name at least one file, '-' for standard input, or use --testset")
    if inputs.names and (len(inputs.names) != len(inputs.candidates) or len(set(inputs.names)) < len(inputs.names)):
        raise click.UsageError(
            f"--name goes with each file of candidates, and names differ; found {len(inputs.names)} names "
            f"({', '.join(inputs.names)}) for {len(inputs.candidates)} files"
        )
    for metric in metrics:
        if "references" in metric.needs and not inputs.references:
            raise click.UsageError(f"{metric.name} compares with references; name their file with --ref")
        if "originals" in metric.needs and inputs.original is None:
            raise click.UsageError(f"{metric.name} compares with originals; name their file with --original")


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
