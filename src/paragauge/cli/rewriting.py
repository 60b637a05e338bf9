"""What the commands that rewrite sentences have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from paragauge.cli.options import encoding_option, memory_option, threads_option

if TYPE_CHECKING:
    from paragauge.evaluate.generate import Generator

F = TypeVar("F", bound=Callable[..., Any])
OpenGenerator: TypeAlias = "Callable[[], Generator]"


def generator_options(weights_help: str) -> Callable[[F], F]:
    """Add the options that make a generator, memory and encoding; the command gets ``open_generator``."""
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
        memory_option,
        encoding_option,
    ]

    def add(command: F) -> F:
        @functools.wraps(command)
        def with_generator(
            grammar: str | None, lm: str | None, weights: str | None, threads: int | None, **arguments: Any
        ) -> Any:
            def open_generator() -> Generator:
                from paragauge.evaluate.generate import Generator

                return Generator(grammar, lm, weights, threads=threads)

            return command(open_generator=open_generator, **arguments)

        decorated: Any = with_generator
        for each in reversed(options):
            decorated = each(decorated)
        return decorated  # type: ignore[no-any-return]

    return add
