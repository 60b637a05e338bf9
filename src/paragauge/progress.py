"""Progress of long tasks: one interface for every function that reports it.

A long-running function has the parameter ``progress: Progress | None = None`` and calls it with the number done so
far, the total (``None`` if unknown) and what is being done. A number below the previous one starts another step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

T = TypeVar("T")

# Updating a bar for every line would cost as much as reading the line.
_ITEMS_IN_REPORT = 1 << 10


class Progress(Protocol):
    """A receiver of progress reports, such as a bar in a terminal or a page in a browser."""

    def __call__(self, done: int, total: int | None, what: str, /) -> object:
        """Receive the report that *done* of *total* are done, and *what* is being done."""


@dataclass
class Counter:
    """Counts what is done, and reports it.

    Attributes:
        progress: Receiver of the reports; ``None`` for no reports.
        total: Total amount to do; ``None`` if unknown.
        what: What is being done.
        done: Amount done so far.
    """

    progress: Progress | None
    total: int | None = None
    what: str = ""
    done: int = 0

    def advance(self, count: int = 1) -> None:
        """Report that *count* more are done."""
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total, self.what)

    def now(self, what: str) -> None:
        """Report what is being done from now on."""
        self.what = what
        if self.progress is not None:
            self.progress(self.done, self.total, what)


def watched(
    items: Iterable[T],
    progress: Progress | None,
    *,
    total: int | None = None,
    what: str = "",
    every: int = _ITEMS_IN_REPORT,
) -> Iterator[T]:
    """Yield *items*, and report after *every* so many of them how many have been yielded: 1 for items that take long.

    >>> seen = []
    >>> list(watched("abc", lambda *report: seen.append(report), total=3, what="letters")), seen
    (['a', 'b', 'c'], [(3, 3, 'letters')])
    """
    counter = Counter(progress, total, what)
    iterator = iter(items)
    while block := list(islice(iterator, every)):
        yield from block
        counter.advance(len(block))
