"""Progress of long work: one shape for every function that reports it.

A function that takes long has the parameter ``progress: Progress | None = None`` and calls it with the number done so
far, the total (``None`` where nobody knows it) and what is being done. A number below the last one begins another step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

T = TypeVar("T")

# A bar that moves at every line costs as much as reading it.
_ITEMS_IN_REPORT = 1 << 10


class Progress(Protocol):
    """Somebody who wants to know how far the work is: a bar in a terminal, a page in a browser."""

    def __call__(self, done: int, total: int | None, what: str, /) -> object:
        """Take note that *done* of *total* are done, and of what is being done."""


@dataclass
class Counter:
    """Counts what is done, and reports it.

    Attributes:
        progress: Whom to tell; ``None`` for nobody.
        total: How much there is to do; ``None`` if unknown.
        what: What is being done.
        done: How much is done.
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


def watched(items: Iterable[T], progress: Progress | None, *, total: int | None = None, what: str = "") -> Iterator[T]:
    """Yield *items*, and report now and then how many there were.

    >>> seen = []
    >>> list(watched("abc", lambda *report: seen.append(report), total=3, what="letters")), seen
    (['a', 'b', 'c'], [(3, 3, 'letters')])
    """
    counter = Counter(progress, total, what)
    iterator = iter(items)
    while block := list(islice(iterator, _ITEMS_IN_REPORT)):
        yield from block
        counter.advance(len(block))
