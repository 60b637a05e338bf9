"""Changes that annotators make to the links of a sentence pair, and the resulting state."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from paragauge.align.alignment import Alignment
from paragauge.align.gold import GoldAlignment
from paragauge.errors import DataError, unknown_name
from paragauge.storage.links import Link

Kind: TypeAlias = Literal["set", "undo", "redo", "done", "open", "time"]
Mark: TypeAlias = str  # state of a cell of the grid: "-" a sure link, "p" a possible one, "x" none
Cell: TypeAlias = tuple[Link, Mark]

KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_CELLS = 20_000  # in one change
TOKEN = re.compile(r"^[A-Za-z0-9_-]{8,64}$")
MAX_SECONDS = 3600.0  # in one change: pages report time far more often
_CELL = re.compile(r"([0-9]{1,7})([-px])([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a pair by an annotator.

    Attributes:
        kind: Kind of change: ``set`` creates and removes links, ``undo`` and ``redo`` step through these, ``done``
            and ``open`` mark the pair as finished or not, ``time`` only reports time.
        token: Unique name of the change; the same change sent again has no effect.
        cells: For ``set``, cells and their new state, such as ``0-0 1p2 3x3``.
        base: For ``undo`` and ``redo``, the `PairState.version` that the annotator saw.
        seconds: Time spent on the pair since the previous change.
    """

    kind: Kind
    token: str
    cells: str = ""
    base: int | None = None
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of change", str(self.kind), KINDS)
        if not isinstance(self.token, str) or not TOKEN.fullmatch(self.token):
            raise DataError(f"the token {self.token!r} is not 8 to 64 letters, digits, '-' or '_'")
        if not (math.isfinite(self.seconds) and 0 <= self.seconds <= MAX_SECONDS):
            raise DataError(f"found {self.seconds!r} seconds since the previous change, expected 0 to {MAX_SECONDS:g}")
        if (self.kind == "set") != bool(self.cells):
            raise DataError(
                f"a change of kind {self.kind!r} has cells {self.cells[:60]!r}; expected cells only for 'set'"
            )


@dataclass(slots=True)
class PairState:
    """The state of one pair after the changes of one annotator.

    Attributes:
        links: Linked cells, ``-`` for sure and ``p`` for possible.
        version: Number of link changes, including undone ones.
        done: Whether the annotator has finished the pair.
        seconds: Time spent on the pair.
        undo: Steps that can be undone, the last one first; each step holds cells with their old and new state.
        redo: Steps that were undone.
        tokens: Tokens of all changes, the latest last.
    """

    links: dict[Link, Mark]
    version: int = 0
    done: bool = False
    seconds: float = 0.0
    undo: list[list[tuple[Link, Mark, Mark]]] = field(default_factory=list)
    redo: list[list[tuple[Link, Mark, Mark]]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def apply(self, kind: str, cells: Iterable[Cell], seconds: float, token: str) -> None:
        """Apply one more change."""
        self.seconds += seconds
        self.tokens.append(token)
        if kind in ("done", "open"):
            self.done = kind == "done"
        if kind not in ("set", "undo", "redo"):
            return
        self.version += 1
        if kind == "set":
            before = [(link, self.links.get(link, "x"), mark) for link, mark in cells]
            step = [(link, old, new) for link, old, new in before if old != new]
            if step:
                self.undo.append(step)
                self.redo.clear()
                self._put((link, new) for link, _, new in step)
        elif kind == "undo" and self.undo:
            self.redo.append(self.undo.pop())
            self._put((link, old) for link, old, _ in self.redo[-1])
        elif kind == "redo" and self.redo:
            self.undo.append(self.redo.pop())
            self._put((link, new) for link, _, new in self.undo[-1])

    def _put(self, cells: Iterable[Cell]) -> None:
        for link, mark in cells:
            if mark == "x":
                self.links.pop(link, None)
            else:
                self.links[link] = mark

    def gold(self) -> GoldAlignment:
        """Return the current links."""
        sure = Alignment.of(link for link, mark in self.links.items() if mark == "-")
        return GoldAlignment(sure, Alignment.of(self.links))


def parse_cells(text: str) -> list[Cell]:
    """Return the cells of a change.

    >>> parse_cells("0-0 1p2 3x3")
    [((0, 0), '-'), ((1, 2), 'p'), ((3, 3), 'x')]
    """
    words = text.split()
    if len(words) > MAX_CELLS:
        raise DataError(f"found {len(words):,} cells in one change, expected at most {MAX_CELLS:,}")
    cells = []
    for word in words:
        match = _CELL.fullmatch(word)
        if match is None:
            raise DataError(f"{word[:60]!r} is not a cell; expected 'i-j' (sure), 'ipj' (possible) or 'ixj' (no link)")
        cells.append(((int(match[1]), int(match[3])), match[2]))
    return cells
