"""``paragauge completion``: the script that makes a shell complete commands, options and metric names."""

from __future__ import annotations

import click

from paragauge.cli.output import emit
from paragauge.io import STANDARD_STREAM


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Example:
      paragauge completion bash > ~/.paragauge-completion.bash
      echo '. ~/.paragauge-completion.bash' >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:  # click.Choice above names only shells that click knows
        raise click.UsageError(f"no completion for {shell}")
    script = found(ctx.find_root().command, {}, "paragauge", "_PARAGAUGE_COMPLETE")
    # The class's source() asks bash for its version; the template alone needs no shell installed.
    emit(script.source_template % script.source_vars() + "\n", STANDARD_STREAM)
