"""Write docs/cli.md from the help of every command: run it after changing a command, an option or a help text.

    python tools/make_manual.py [--check]

The `--help` texts are the whole reference. Worked examples, which the tests run, are in ``tools/manual/COMMAND.md``
and go below the options of their command. ``--check`` writes nothing and exits with 1 if docs/cli.md is out of date.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from paragauge.cli.main import COMMANDS, paragauge

ROOT = Path(__file__).resolve().parent.parent
MANUAL = ROOT / "docs" / "cli.md"
EXAMPLES = ROOT / "tools" / "manual"

INTRODUCTION = """\
# Command line

<!-- Made by tools/make_manual.py from the help of each command. Edit the help, not this file. -->

`paragauge COMMAND --help` prints the same reference. Data goes to standard output; messages and progress bars go to
standard error.

- `-` means standard input or standard output. Input may be gzipped under any name; output is gzipped if its name ends
  in `.gz`.
- Output files are written whole or not at all.
- Exit codes: 0 success, 1 bad data, 2 bad command line, 130 interrupted, 141 the reader of a pipe closed it.
- `--format tsv` and `--format json` carry full precision; the default `table` rounds for reading.
"""


def manual() -> str:
    """Return the text of docs/cli.md."""
    sections = [INTRODUCTION]
    group = click.Context(paragauge, info_name="paragauge")
    for name in COMMANDS:
        command = paragauge.get_command(group, name)
        assert command is not None  # noqa: S101 - every name in COMMANDS has a module
        sections += list(_sections(command, click.Context(command, group, name), 2))
        examples = EXAMPLES / f"{name}.md"
        if examples.exists():
            sections.append(examples.read_text(encoding="utf-8"))
    return "\n".join(sections)


def _sections(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """Yield one section for *command*, then one for each of its subcommands."""
    title = context.command_path.removeprefix("paragauge ")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    prose, example = _help(command)
    parts = [f"{'#' * level} {title}", prose, f"```text\n{usage}\n{example}```", _options(command, context)]
    yield "\n".join(part + "\n" for part in parts if part)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _sections(below, click.Context(below, context, name), level + 1)


def _help(command: click.Command) -> tuple[str, str]:
    """Return the description of a command as Markdown, and its examples."""
    text = inspect.cleandoc(command.help or "").partition("\f")[0]
    prose, _, example = text.partition("\b\nExample:\n")
    paragraphs = [" ".join(each.split()) for each in re.split(r"\n{2,}", prose.strip())]
    lines = [line.strip() for line in example.splitlines() if line.strip()]
    return _escaped("\n\n".join(paragraphs)), "".join(f"\n{line}" for line in lines) + ("\n" if lines else "")


def _options(command: click.Command, context: click.Context) -> str:
    rows = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or not isinstance(parameter, click.Option) or "--help" in parameter.opts:
            continue
        names, text = record
        rows.append(f"| `{_escaped(names, code=True)}` | {_escaped(' '.join(text.split()))} |")
    return "\n".join(["| option | meaning |", "|---|---|", *rows]) if rows else ""


def _escaped(text: str, *, code: bool = False) -> str:
    text = text.replace("|", r"\|")
    return text if code else text.replace("*", r"\*").replace("<", r"\<")


def main() -> int:
    """Write the manual, or check that it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if docs/cli.md is out of date")
    text = manual()
    if not parser.parse_args().check:
        MANUAL.write_text(text, encoding="utf-8")
        return 0
    if MANUAL.read_text(encoding="utf-8") != text:
        print("docs/cli.md is out of date; run: python tools/make_manual.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
