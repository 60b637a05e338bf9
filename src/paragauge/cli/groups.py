"""Command groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import click


class WholeSummaries(click.Group):
    """A group whose help shows the whole first sentence of each command, and commands under headings if there are any.

    Attributes:
        groups: Names of commands under each heading; empty for a single list.
        summaries: Summaries of commands that need not be loaded for their help.
    """

    groups: ClassVar[Mapping[str, Sequence[str]]] = {}
    summaries: ClassVar[Mapping[str, str]] = {}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their summaries."""
        names = self.list_commands(ctx)
        width = max(map(len, names), default=0)
        for heading, members in (self.groups or {"Commands": names}).items():
            rows = []
            for name in members:
                command = None if name in self.summaries else self.get_command(ctx, name)
                if name in self.summaries:
                    rows.append((name.ljust(width), self.summaries[name]))
                elif command is not None and not command.hidden:
                    rows.append((name.ljust(width), command.get_short_help_str(limit=1000)))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


class DefaultGroup(WholeSummaries):
    """A group with a default command: ``lm TEXT`` means ``lm train TEXT``."""

    def __init__(self, *arguments: Any, default: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
