"""Options that several commands share, each declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.cluster import temp_option
from paragauge.cli.requests import request_option
from paragauge.evaluate.score import MetricsRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import SentenceMetric

F = TypeVar("F", bound=Callable[..., Any])


metric_option = request_option(MetricsRequest, "metrics")

encoding_option = click.option(
    "--encoding", default="utf-8", show_default=True, metavar="NAME", help="Encoding of the input files."
)


def output_to(metavar: str, help: str, *, default: str | None = None, required: bool = False) -> Callable[[F], F]:
    """Return the output option of a command that writes *metavar*."""
    return click.option(
        "-o",
        "--output",
        default=default,
        required=required,
        metavar=metavar,
        type=click.Path(allow_dash=True),
        help=help,
    )


output_option = output_to(
    "FILE",
    "Output file (gzipped if the name ends in .gz).  [default: standard output]",
    default=STANDARD_STREAM,
)


def format_option(
    *choices: str, help: str = "Format: text for people, or full precision for programs."
) -> Callable[[F], F]:
    """Return the option that chooses the format; the first is the default. Commands get it as ``form``."""
    return click.option(
        "--format", "form", type=click.Choice(choices), default=choices[0], show_default=True, help=help
    )


def _quieten(ctx: click.Context, param: click.Parameter, quiet: bool) -> bool:
    quieten(quiet)
    return quiet


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, callback=_quieten, help="Show no progress bar, no warnings and no summary."
)

threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Number of threads; results do not depend on it.  [default: all cores]",
)

tokenizer_option = click.option(
    "-t",
    "--tokenizer",
    default="13a",
    show_default=True,
    metavar="NAME",
    help="Tokeniser: 13a, intl, zh, char, jieba, penn, moses-XX for language XX, or none.",
)

lowercase_option = click.option("--lowercase", is_flag=True, help="Lower-case before tokenising.")

stem_option = click.option("--stem", is_flag=True, help="Replace words by their lower-case Porter stems (English).")


exclude_option = click.option(
    "--exclude",
    multiple=True,
    metavar="GOLD",
    type=click.Path(),
    help="Leave out sentences of this file, and those that share ten words in a row with one: gold pairs of any kind, "
    "groups, or lines. May be repeated.",
)

noise_option = click.option(
    "--without",
    multiple=True,
    type=click.Choice(["containment", "inflection", "punctuation"]),
    help="Leave out paraphrases that contain the phrase or are contained in it, only inflect it, or differ only in "
    "punctuation. May be repeated.",
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
    """Add the options that name the texts to score; the command gets them as ``inputs``."""

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
            help="Name of a system, instead of its file's name. Repeat it for each file of candidates, in order.",
        ),
        click.option(
            "--testset",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="Test set with candidates, references and originals (JSONL, TSV, CSV, SGML or WMT XML), instead of "
            "separate files.",
        ),
        click.option(
            "--original",
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="File of original sentences that the candidates paraphrase, one per line.",
        ),
        click.option(
            "--ref",
            "references",
            multiple=True,
            metavar="FILE",
            type=click.Path(allow_dash=True),
            help="References, one per line. Repeat it for each file of references.",
        ),
        click.argument("candidates", nargs=-1, metavar="[CANDIDATES]...", type=click.Path(allow_dash=True)),
    ):
        with_inputs = option(with_inputs)
    return with_inputs  # type: ignore[return-value]  # the arguments are other ones, by intention


def output_options(command: F) -> F:
    """Add the options for the format and place of results."""
    for option in (quiet_option, output_option, format_option("table", "tsv", "json")):
        command = option(command)
    return command


def pruning_options(command: F) -> F:
    """Add the options that prune phrase pairs."""
    for option in reversed(
        [
            click.option(
                "--min-count",
                default=1,
                show_default=True,
                type=click.IntRange(min=1),
                help="Keep phrase pairs with at least this count.",
            ),
            click.option(
                "--min-prob",
                default=0.0,
                show_default=True,
                type=click.FloatRange(0, 1),
                help="Keep phrase pairs with p(target|source) of at least this.",
            ),
            click.option(
                "--top",
                type=click.IntRange(min=1),
                metavar="N",
                help="Keep the N most frequent targets of each source phrase.",
            ),
        ]
    ):
        command = option(command)
    return command


def engine_options(command: F) -> F:
    """Add the options that limit memory, temporary files and threads."""
    for option in reversed(
        [
            click.option(
                "--memory-limit",
                metavar="SIZE",
                help="Memory limit for counting, such as 1GB; the rest spills to disk.  [default: 80% of memory]",
            ),
            temp_option,
            threads_option,
        ]
    ):
        command = option(command)
    return command


def server_options(command: F) -> F:
    """Add the options of a server: where it listens, and whether to open a browser."""
    for option in reversed(
        [
            click.option(
                "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."
            ),
            click.option(
                "--port",
                default=8017,
                show_default=True,
                type=click.IntRange(0, 65535),
                help="Port to listen on; 0 picks a free one.",
            ),
            click.option(
                "--allow-host",
                "names",
                multiple=True,
                metavar="NAME",
                help="Additional host name that requests may use. May be repeated.",
            ),
            click.option("--open/--no-open", "open_browser", default=False, help="Open the page in your browser."),
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
    from paragauge.evaluate.measured import check_texts

    testset = read_inputs(inputs, metrics)
    check_texts(testset, metrics)
    return testset


def read_inputs(inputs: Inputs, metrics: list[SentenceMetric]) -> TestSet:
    """Read the texts to score after checking that the command line names everything the metrics need."""
    from paragauge.corpora import read_plain_testset, read_testset

    check_needs(metrics, inputs)
    if inputs.testset is not None:
        return read_testset(inputs.testset, encoding=inputs.encoding)
    testset = read_plain_testset(
        inputs.candidates, references=inputs.references, originals=inputs.original, encoding=inputs.encoding
    )
    if inputs.names:
        testset = replace(testset, candidates=dict(zip(inputs.names, testset.candidates.values(), strict=True)))
    return testset


def check_needs(metrics: list[SentenceMetric], inputs: Inputs) -> None:
    """Raise a usage error for anything missing on the command line, before any file is read."""
    named = [*inputs.candidates, *inputs.references, inputs.original, inputs.testset]
    if named.count(STANDARD_STREAM) > 1:
        raise click.UsageError("standard input ('-') can be read only once")
    if inputs.testset is not None:
        if inputs.candidates or inputs.references or inputs.names or inputs.original is not None:
            raise click.UsageError("--testset contains all texts; drop the candidates, --ref, --original and --name")
        return
    if not inputs.candidates:
        raise click.UsageError("no candidates; give at least one file, '-' for standard input, or --testset")
    if inputs.names and (len(inputs.names) != len(inputs.candidates) or len(set(inputs.names)) < len(inputs.names)):
        raise click.UsageError(
            f"expected one distinct --name per candidate file; got {len(inputs.names)} names "
            f"({', '.join(inputs.names)}) for {len(inputs.candidates)} files"
        )
    for metric in metrics:
        if "references" in metric.needs and not inputs.references:
            raise click.UsageError(f"{metric.name} needs references; give their file with --ref")
        if "originals" in metric.needs and inputs.original is None:
            raise click.UsageError(f"{metric.name} needs originals; give their file with --original")
