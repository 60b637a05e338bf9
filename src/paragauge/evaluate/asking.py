"""Requests from front ends or keywords, and errors for options that have no effect."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from paragauge.errors import OptionError
from paragauge.evaluate.option import Request, bootstrap_option, options_of, seed_option

R = TypeVar("R", bound=Request)


@dataclass(frozen=True, kw_only=True)
class Resampling(Request):
    """Options of bootstrap intervals."""

    bootstrap: int = bootstrap_option()
    seed: int = seed_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.bootstrap:
            refuse_without_effect(self, {"seed"}, "with --bootstrap 0, which disables resampling")


def request_of(kind: type[R], request: R | None, options: Mapping[str, Any]) -> R:
    """Return the given request, updated with keywords, or a new one made from them; lists count as tuples."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    known = {each.name for each in options_of(kind)} | set(kind.__dataclass_fields__)
    for name in given:
        if name not in known:
            raise OptionError(f"there is no option {name!r}; known: {', '.join(sorted(known))}")
    if request is None:
        return kind(**given)
    return request.changed(**given) if given else request


def refuse_without_effect(request: Request, names: Collection[str], why: str) -> None:
    """Raise an `OptionError` if one of the options *names* is not at its default: it would be ignored.

    Args:
        request: Request to check.
        names: Options that are not used in this combination.
        why: End of the sentence "--option has no effect ...".
    """
    for each in options_of(type(request)):
        if each.name in names and getattr(request, each.name) != each.default:
            raise no_effect(each.flags[-1].partition("/")[0], why)


def no_effect(flag: str, why: str) -> OptionError:
    """Return the error for an option that would be ignored."""
    return OptionError(f"{flag} has no effect {why}")
