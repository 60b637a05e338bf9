"""What the commands that rewrite sentences have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from paragauge.cli.options import encoding_option, threads_option

F = TypeVar("F", bound=Callable[..., Any])


def generator_options(weights_help: str) -> Callable[[F], F]:
    """Add the options that make a generator: grammar, language model, weights, threads, encoding."""
    options = [
        click.option(
            "--grammar",
            metavar="GRAMMAR",
            type=click.Path(),
            help="Grammar folder or file of rules.  [default: a small one for English, in lower case]",
        ),
        click.option(
            "--lm",
            metavar="LM",
            type=click.Path(),
            help="Language model: a folder, or an ARPA file.  [default: with the default grammar, that of PEM]",
        ),
        click.option("--weights", metavar="FILE", type=click.Path(), help=weights_help),
        threads_option,
        encoding_option,
    ]

    def add(command: F) -> F:
        for each in reversed(options):
            command = each(command)
        return command

    return add
