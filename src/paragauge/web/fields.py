"""Fields of the API's requests, derived from the options that all front ends share."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from paragauge.evaluate.option import Request, options_of


def field_of(request: type[Request], name: str, *, high: float | None = None, most: int | None = None) -> Any:
    """Return the field for the option *name* of *request*: its default, its limits and its description.

    Args:
        request: Request class.
        name: Name of the option.
        high: Highest number that the server accepts, if the option itself has no limit or a higher one.
        most: Maximum number of values that the server accepts.
    """
    option = next(each for each in options_of(request) if each.name == name)
    default: Any = ... if option.required else option.default
    if option.many and not option.required:
        default = list(option.default)
    limits: dict[str, Any] = {}
    if option.low is not None:
        limits["ge"] = option.low
    if option.high is not None or high is not None:
        limits["le"] = min(limit for limit in (option.high, high) if limit is not None)
    if option.many:
        limits["max_length"] = most
        limits["min_length"] = 1 if option.required or option.default else None
    help_text = option.help + (f" Default: {option.default_help}." if option.default_help else "")
    return Field(default, description=help_text, **limits)
