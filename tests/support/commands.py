"""All commands of the program, for tests of what they have in common."""

from collections.abc import Iterator

import click

from paragauge.cli.main import paragauge


def all_commands(command: click.Command = paragauge, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield the name and the object of *command* and of every command below it."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from all_commands(below, (*path, name))
