"""Options that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from paragauge.cli.cluster import temp_option
from paragauge.cli.requests import request_option
from paragauge.cli.signals import end_now, is_program
from paragauge.evaluate.score import MetricsRequest
from paragauge.io import STANDARD_STREAM

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


def refuse_seen_option(what: str, remedy: str) -> Callable[[F], F]:
    """Return the option that refuses resources made from gold sentences."""
    return click.option(
        "--exclude",
        multiple=True,
        metavar="GOLD",
        type=click.Path(),
        help=f"Refuse {what} that were made from sentences of this file; leave them out with '{remedy}'. May be "
        "repeated.",
    )


noise_option = click.option(
    "--without",
    multiple=True,
    type=click.Choice(["containment", "inflection", "punctuation"]),
    help="Leave out paraphrases that contain the phrase or are contained in it, only inflect it, or differ only in "
    "punctuation. May be repeated.",
)


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


# What a run needs beside the engine: the interpreter and libraries, and the buffers of the native loops.
_OWN_MEMORY = 200_000_000
_NATIVE_SHARE = 8  # an eighth
_LEAST_WITH_ENGINE = 400_000_000
_LEAST_MEMORY = 100_000_000
_TOLERANCE = 1.1


def _watched_limit(context: click.Context, parameter: click.Parameter, value: str, least: int) -> int:
    """Watch the memory of this process, and return the limit in bytes."""
    from paragauge.memory import parse_size, shown_size, watch_memory

    limit = parse_size(value)
    if limit < least:
        raise click.BadParameter(f"{value} cannot work; the least that can is {shown_size(least)}", context, parameter)

    def end() -> None:
        click.echo(
            f"paragauge: error: this run needs more memory than --memory-limit {value}; raise the limit, or use fewer "
            "--threads",
            err=True,
        )
        end_now(1)

    if is_program():
        watch_memory(int(_TOLERANCE * limit), end)
    return limit


def _limit_engine(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Watch the memory of this process, and return the share of the limit that is the engine's."""
    if value is None:
        return None
    limit = _watched_limit(context, parameter, value, _LEAST_WITH_ENGINE)
    return f"{limit - _OWN_MEMORY - limit // _NATIVE_SHARE}B"


def _limit_process(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        _watched_limit(context, parameter, value, _LEAST_MEMORY)


memory_option = click.option(
    "--memory-limit",
    metavar="SIZE",
    expose_value=False,
    callback=_limit_process,
    help="Memory limit of the process, such as 1GB; a run that needs more ends with an error.  [default: none]",
)


def engine_options(command: F) -> F:
    """Add the options that limit memory, temporary files and threads."""
    for option in reversed(
        [
            click.option(
                "--memory-limit",
                metavar="SIZE",
                callback=_limit_engine,
                help="Memory limit of the process, such as 1GB; the rest spills to disk.  [default: 80% of memory]",
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
