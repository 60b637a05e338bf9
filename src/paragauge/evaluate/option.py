"""Options of requests, each defined once: name, type, default, limits and help.

A request is a frozen dataclass that derives from `Request` and whose fields are created with `option`. The command line
derives its options from these fields and the workbench its form fields, so every front end applies the same checks.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from paragauge.errors import OptionError

_KEY = "option"

R = TypeVar("R", bound="Request")


@dataclass(frozen=True, slots=True)
class Option:
    """Description of one field of a request for front ends.

    Attributes:
        name: Name of the field.
        kind: Type of one value: ``bool``, ``int``, ``float`` or ``str``.
        default: Default value; ``None`` if there is none.
        required: Whether the option must be given.
        many: Whether the option takes several values, as a tuple.
        choices: Allowed values; empty if any value is allowed.
        low: Lowest number allowed.
        high: Highest number allowed.
        flags: Names on the command line.
        metavar: Placeholder for the value in help texts.
        help: One or two sentences: what the option does, and its unit.
        default_help: What happens without a value, if the default does not show it.
        allows: Predicate for objects that Python code may pass instead of text; ``None`` if none are allowed.
    """

    name: str
    kind: type[bool] | type[int] | type[float] | type[str]
    default: Any
    required: bool
    many: bool
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    flags: tuple[str, ...]
    metavar: str | None
    help: str
    default_help: str | None
    allows: Callable[[Any], bool] | None = None

    def check(self, value: Any) -> None:
        """Raise an `OptionError` unless *value* is allowed."""
        if value is None and not self.required and self.default is None:
            return
        if self.many:
            if isinstance(value, str) or not isinstance(value, tuple):
                raise OptionError(f"the option {self.name!r} takes a tuple of values; got {value!r}")
            for each in value:
                self._check_one(each)
        else:
            self._check_one(value)

    def _check_one(self, value: Any) -> None:
        if self.choices:
            if value not in self.choices:
                raise OptionError(f"the option {self.name!r} must be one of {', '.join(self.choices)}; got {value!r}")
            return
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if self.kind is bool and not isinstance(value, bool):
            raise OptionError(f"the option {self.name!r} must be True or False; got {value!r}")
        if self.kind in (int, float) and (not numeric or (self.kind is int and not isinstance(value, int))):
            what = "a whole number" if self.kind is int else "a number"
            raise OptionError(f"the option {self.name!r} must be {what}; got {value!r}")
        allowed = self.allows is not None and self.allows(value)
        if self.kind is str and not isinstance(value, str) and not allowed:
            raise OptionError(f"the option {self.name!r} must be text; got {value!r}")
        if numeric and not (self.low is None or value >= self.low):
            raise OptionError(f"the option {self.name!r} must be at least {self.low:g}; got {value!r}")
        if numeric and not (self.high is None or value <= self.high):
            raise OptionError(f"the option {self.name!r} must be at most {self.high:g}; got {value!r}")


def option(
    default: Any = MISSING,
    *,
    help: str,  # the usual name on command lines
    flags: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
    metavar: str | None = None,
    default_help: str | None = None,
    allows: Callable[[Any], bool] | None = None,
) -> Any:
    """Return a field of a request.

    Args:
        default: Default value; without one, the option is required.
        help: One or two sentences: what the option does, and its unit.
        flags: Names on the command line; by default, the field's name with hyphens.
        low: Lowest number allowed.
        high: Highest number allowed.
        metavar: Placeholder for the value in help texts.
        default_help: What happens without a value, if the default does not show it.
        allows: Predicate for objects that Python code may pass instead of text.
    """
    said = {
        "help": help,
        "flags": flags,
        "low": low,
        "high": high,
        "metavar": metavar,
        "default_help": default_help,
        "allows": allows,
    }
    return field(default=default, metadata={_KEY: said})


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request with all its options, checked on creation."""

    def __post_init__(self) -> None:
        for each in options_of(type(self)):
            each.check(getattr(self, each.name))

    def changed(self: R, **options: Any) -> R:
        """Return a copy of the request with some options changed."""
        return dataclasses.replace(self, **options)


def options_of(request: type[Request]) -> list[Option]:
    """Return the options of a request class, in order."""
    hints = typing.get_type_hints(request)
    found = []
    for each in fields(request):
        if _KEY not in each.metadata:
            continue
        said = each.metadata[_KEY]
        kind, many, choices = _read_type(hints[each.name])
        found.append(
            Option(
                name=each.name,
                kind=kind,
                default=None if each.default is MISSING else each.default,
                required=each.default is MISSING,
                many=many,
                choices=choices,
                low=said["low"],
                high=said["high"],
                flags=said["flags"] or ("--" + each.name.replace("_", "-"),),
                metavar=said["metavar"],
                help=said["help"],
                default_help=said["default_help"],
                allows=said["allows"],
            )
        )
    return found


def bootstrap_option() -> Any:
    """Return the field for requests whose results have bootstrap intervals."""
    return option(
        1000, low=0, metavar="N", help="Number of bootstrap resamples for 95% confidence intervals; 0 disables them."
    )


def seed_option() -> Any:
    """Return the field for requests that resample."""
    return option(12345, low=0, metavar="N", help="Seed of the random number generator.")


def _read_type(hint: Any) -> tuple[Any, bool, tuple[str, ...]]:
    """Return the type of one value, whether there can be several, and the choices."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(each for each in get_args(hint) if each is not type(None))
    many = get_origin(hint) is tuple
    if many:
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return str, many, get_args(hint)
    if hint not in (bool, int, float, str):
        raise TypeError(f"options must be bool, int, float, str, Literal, or tuples of these; got {hint!r}")
    return hint, many, ()
