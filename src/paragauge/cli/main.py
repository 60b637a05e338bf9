"""``paragauge``: the group of commands, and how a run ends.

Exit codes: 0 success, 1 bad data, 2 bad command line, 129 the terminal was closed, 130 interrupted, 141 the reader of a
pipe closed it, 143 told to end (SIGTERM).
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

import click

from paragauge.cli.groups import WholeSummaries
from paragauge.cli.summaries import SUMMARIES

# Verbs by purpose. Their modules import nothing heavy, so help stays quick.
GROUPS = {
    "Evaluate": ("demo", "score", "compare", "report", "explain", "pairwise", "mbr"),
    "Meta-evaluate": ("correlate", "agreement", "judgments", "references"),
    "Rewrite": ("generate", "tune", "compress"),
    "Build resources": (
        "align",
        "phrases",
        "table",
        "pivot",
        "paraphrases",
        "lm",
        "grammar",
        "pem",
        "learn",
        "maxsim",
        "parse",
    ),
    "Measure resources": ("parametric", "paradigm"),
    "Tools": ("metrics", "serve", "annotate", "convert", "tokenize", "verify", "completion"),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)


class CommandGroup(WholeSummaries):
    """Commands found by name, each in the module of that name."""

    groups = GROUPS
    summaries = SUMMARIES

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"paragauge.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from paragauge.errors import unknown_name

            raise click.UsageError(str(unknown_name("command", args[0], COMMANDS)), ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="paragauge", message="paragauge %(version)s")
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="Options to use where the command line gives none.  [default: paragauge.toml here or in a folder above]",
)
@click.option("--no-config", is_flag=True, help="Read no paragauge.toml.")
@click.pass_context
def paragauge(ctx: click.Context, config: str | None, no_config: bool) -> None:
    """How good is this paraphrase, this translation, this paraphrase collection?

    \b
    Start here:   paragauge demo
    Get help:     paragauge score --help
    """
    from paragauge.cli.config import configured_defaults

    if config is not None and no_config:
        raise click.UsageError("--config and --no-config contradict each other; give one of them")
    if not no_config:
        ctx.default_map = configured_defaults(ctx, config)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    from paragauge.cli.output import silence_stdout
    from paragauge.errors import OptionError, ParagaugeError

    try:
        with _warnings_to_stderr():
            result = paragauge.main(args=arguments, prog_name="paragauge", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted; no output was written", 130)
    except OptionError as error:
        return _fail(f"error: {error}", 2)
    except ParagaugeError as error:
        return _fail(f"error: {error}", 1)
    except BrokenPipeError:
        silence_stdout()
        return 141
    except OSError as error:
        return _fail(f"error: {_system_error(error)}", 1)
    except MemoryError:
        return _fail("error: out of memory; score fewer or shorter segments at a time", 1)
    except ImportError as error:
        if not re.search("failed to map segment|cannot allocate memory", str(error), re.IGNORECASE):
            raise
        return _fail(f"error: out of memory while a library was loaded ({error}); raise the limit (ulimit -v)", 1)
    return result if isinstance(result, int) else 0


@contextlib.contextmanager
def _warnings_to_stderr() -> Iterator[None]:
    """Show the library's warnings and restore logging afterwards: `main` may be called from a program."""
    logger = logging.getLogger("paragauge")
    level = logger.level
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("paragauge: %(levelname)s: %(message)s"))
    handler.addFilter(_lower_level_name)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _lower_level_name(record: logging.LogRecord) -> bool:
    record.levelname = record.levelname.lower()
    return True


def _system_error(error: OSError) -> str:
    """Return the message for an error of the system that nobody gave a place and a remedy."""
    from paragauge.io import file_error

    if error.filename:
        return str(file_error(error.filename, error, "use"))
    message = error.strerror or str(error)
    return f"{message}; set TMPDIR to a folder for temporary files" if "temporary directory" in message else message


def _fail(message: str, code: int) -> int:
    click.echo(f"paragauge: {message}", err=True)
    return code


def _occupy_closed_streams() -> None:
    """Keep the numbers of streams that the caller closed from the next files that are opened.

    Native libraries would write their messages into them. Reading the input and writing the output still fails.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)


def run() -> NoReturn:
    """Run as the program ``paragauge``."""
    from paragauge.cli.signals import Ended, ended_by_signals

    _occupy_closed_streams()
    # NumPy's BLAS would start a thread for each core, which no command needs: ours are in the native core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ended_by_signals() as ending:
        try:
            code = main()
        except (KeyboardInterrupt, Ended):
            code = ending.code
        except Exception:
            if ending.number is None:
                raise
            code = ending.code  # an engine turned the signal into an error of its own
        if ending.number is not None and code != ending.code:
            code = _fail("interrupted; no output was written", ending.code)
    sys.exit(code)
