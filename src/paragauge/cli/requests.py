"""Command-line options made from the fields of requests, and the refusal of those that would have no effect."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from paragauge.evaluate.option import Option, Request, options_of

F = TypeVar("F", bound=Callable[..., Any])


def complete_metric(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the metric names that start with the typed text."""
    from paragauge.metrics.registry import METRICS

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in METRICS if name.startswith(last)]


_COMPLETIONS = {"metrics": complete_metric}  # by field


def request_options(
    request: type[Request], *, without: Collection[str] = (), unless: Mapping[str, str] | None = None
) -> Callable[[F], F]:
    """Add the options of *request* to a command, which gets the request as ``request``.

    Args:
        request: A class of requests.
        without: Fields that the command takes in another way; it then gets ``request`` as a function of them.
        unless: Required fields that can be left out with a flag, by name; the command checks that with
            `require_unless`.
    """
    wanted = [
        replace(
            each,
            required=False,
            default=() if each.many else None,
            help=f"{each.help} Required, except with {unless[each.name]}.",
        )
        if unless and each.name in unless
        else each
        for each in options_of(request)
        if each.name not in without
    ]

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def with_request(**arguments: Any) -> Any:
            given = {each.name: arguments.pop(each.name) for each in wanted}
            made = functools.partial(request, **given) if without else request(**given)
            return command(request=made, **arguments)

        decorated: Any = with_request
        for each in reversed(wanted):
            decorated = _click_option(each)(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def request_option(request: type[Request], name: str) -> Callable[[F], F]:
    """Return one option of *request*, for a command that takes no more of it."""
    return next(_click_option(each) for each in options_of(request) if each.name == name)


def require_unless(flag: bool, name: str) -> None:
    """Raise the usual error for a missing option unless the option *name* or *flag* was given."""
    context = click.get_current_context()
    if not flag and not context.params[name]:
        raise click.MissingParameter(
            ctx=context, param=next(each for each in context.command.params if each.name == name)
        )


def refuse_given(reason: str, *names: str) -> None:
    """Raise a usage error if one of the options *names* was given, rather than left at its default."""
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT):
            flag = max(parameter.opts, key=len)
            raise click.UsageError(f"{flag} has no effect here: {reason}; leave it out", context)


def _click_option(option: Option) -> Callable[[F], F]:
    text = f"{option.help} May be repeated." if option.many else option.help
    if option.default_help:
        text += f"  [default: {option.default_help}]"
    if option.kind is bool:
        both_ways = any("/" in flag for flag in option.flags)  # --glue/--no-glue: which of them is the default?
        return click.option(
            *option.flags, option.name, is_flag=True, default=option.default, show_default=both_ways, help=text
        )
    kind: Any = option.kind
    if option.choices:
        kind = click.Choice(option.choices)
    elif option.kind is int and (option.low is not None or option.high is not None):
        low, high = (None if limit is None else int(limit) for limit in (option.low, option.high))
        kind = click.IntRange(low, high)
    elif option.kind is float and (option.low is not None or option.high is not None):
        kind = click.FloatRange(option.low, option.high)
    default = list(option.default) if option.many and option.default is not None else option.default
    return click.option(
        *option.flags,
        option.name,
        type=kind,
        multiple=option.many,
        required=option.required,
        default=default if not option.required else None,
        show_default=default not in (None, []) and not option.default_help,
        metavar=option.metavar,
        shell_complete=_COMPLETIONS.get(option.name),
        help=text,
    )
