"""The errors that users see.

Each one derives from `ParagaugeError` and from the matching built-in exception, so either can be caught. A message
says what was found, what was expected, where, and what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable


class ParagaugeError(Exception):
    """Base class of every error that paragauge raises on purpose."""


class DataError(ParagaugeError, ValueError):
    """Invalid input data.

    Attributes:
        path: The file as the user named it, if the data came from one.
        line: The line number, from 1, if the problem is on one line.
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + message)
        self.path = path
        self.line = line


class FileError(ParagaugeError, OSError):
    """A file that cannot be read or written."""


class OptionError(ParagaugeError, ValueError):
    """An invalid option, argument or name: the command is wrong, not the data."""


class MissingExtraError(ParagaugeError, ImportError):
    """An optional dependency that is not installed."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the package {package}; install it with: pip install 'paragauge[{extra}]'")


def unknown_name(kind: str, name: str, known: Iterable[str]) -> OptionError:
    """Return the error for a *name* that is not one of the *known* names, with the closest one as a suggestion."""
    names = sorted(known)
    import difflib

    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ";"
    return OptionError(f"no {kind} named {name!r}{hint} known: {', '.join(names)}")
