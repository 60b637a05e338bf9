"""Word links made by annotators, kept in one SQLite file.

The file holds the sentence pairs, the links that annotators start from, and one row for each change. Rows are only
ever added: the current links, the undo history and the time spent follow from the rows of an annotator and a pair in
order. So a killed program loses nothing, no annotator can overwrite another, and a change that is sent twice counts
once, since each has its own token.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from paragauge.align.alignment import Alignment
from paragauge.align.annotated import AlignedPairs
from paragauge.align.gold import GoldAlignment
from paragauge.annotation.changes import Change, PairState, parse_cells
from paragauge.annotation.database import BusyError, Database, FileKind, check_annotator, row_checksum
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, ParagaugeError, unknown_name
from paragauge.io import PathLike
from paragauge.storage.links import LinkPlace, check_links

__all__ = ["AnnotationStore", "AnnotatorPair", "AnnotatorProgress", "BusyError", "StaleError", "check_annotator"]

_SCHEMA = (
    """CREATE TABLE pair (
        number INTEGER PRIMARY KEY,  -- from 1, in the order of the file of pairs
        cluster TEXT NOT NULL,       -- the group of sentences with the same meaning
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        start TEXT NOT NULL,         -- the links that annotators correct, as a Pharaoh line
        checksum TEXT NOT NULL       -- of the values before it
    )""",
    """CREATE TABLE change (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        annotator TEXT NOT NULL,
        pair INTEGER NOT NULL REFERENCES pair (number),
        kind TEXT NOT NULL,
        cells TEXT NOT NULL,         -- for "set": 0-1 becomes sure, 0p1 possible, 0x1 no link
        seconds REAL NOT NULL,       -- time spent since the previous change
        time REAL NOT NULL,          -- when it was saved, in seconds since 1970
        token TEXT NOT NULL UNIQUE,
        checksum TEXT NOT NULL       -- of the values before it
    )""",
    "CREATE INDEX change_place ON change (annotator, pair)",
)

# Format 1 had no checksums.
_KIND = FileKind(
    "annotations", "paragauge annotate PAIRS --annotator NAME", 0x70674C31, 2, 2, _SCHEMA, ("pair", "change")
)


class StaleError(ParagaugeError, ValueError):
    """An undo or redo of links that have changed in the meantime, in another window."""


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How far an annotator is.

    Attributes:
        annotator: Name of the annotator.
        pairs: Number of pairs.
        done: Number of finished pairs.
        seconds: Time spent on all pairs.
        seconds_per_pair: Mean time spent on a finished pair; NaN if there is none.
    """

    annotator: str
    pairs: int
    done: int
    seconds: float
    seconds_per_pair: float


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """The agreement of two annotators on the pairs that both have finished.

    Attributes:
        one: Name of an annotator.
        other: Name of another annotator.
        c_hat: C-hat over all links, sure and possible; NaN if they have no words in common.
        c_hat_phrases: C-hat over basic phrase pairs of these links.
        c_hat_sure: C-hat over sure links.
        pairs: Number of sentence pairs that both have finished.
        words: Number of source words in them.
    """

    one: str
    other: str
    c_hat: float
    c_hat_phrases: float
    c_hat_sure: float
    pairs: int
    words: int


class AnnotationStore:
    """The sentence pairs of an annotation project with all their changes.

    Several programs, each with several threads, can use one file at the same time.

    >>> import tempfile
    >>> pairs = ParaphrasePairs(("he bought a car",), ("he purchased a car",))
    >>> with tempfile.TemporaryDirectory() as folder, AnnotationStore.create(f"{folder}/store.sqlite", pairs) as store:
    ...     _ = store.record("ann", 1, Change("set", "token-number-1", "0-0 1p1"))
    ...     store.state("ann", 1).gold().to_pharaoh()
    '0-0 1-1-P'

    Attributes:
        path: The file.
        project: Unique name of the store.
        pairs: The sentence pairs.
        lengths: Number of words of each pair, source and target.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection = database.connection
        self.path = database.path
        self.project = database.project
        with database.reading():
            rows = self._connection.execute(
                "SELECT cluster, source, target, start FROM pair ORDER BY number"
            ).fetchall()
        self.pairs = ParaphrasePairs(
            tuple(row[1] for row in rows), tuple(row[2] for row in rows), tuple(row[0] for row in rows)
        )
        self.lengths = [(len(row[1].split()), len(row[2].split())) for row in rows]
        self._start = [row[3] for row in rows]

    @classmethod
    def open(cls, path: PathLike) -> AnnotationStore:
        """Return the store in *path*.

        Raises:
            FileError: There is no such file, or it cannot be opened.
            DataError: It is not a file of annotations.
        """
        return cls(Database.open(path, _KIND))

    @classmethod
    def create(
        cls,
        path: PathLike,
        pairs: ParaphrasePairs,
        start: Callable[[], Sequence[GoldAlignment | Alignment]] | None = None,
    ) -> AnnotationStore:
        """Return the store in *path* for *pairs*; create it if it does not exist.

        Args:
            path: The file.
            pairs: The sentence pairs. An existing store must hold the same ones.
            start: Function that returns the links of each pair that annotators start from; called only if the store
                is created. By default there are none.

        Raises:
            DataError: The file is not a file of annotations or has other pairs, or a link of *start* is outside its
                sentence.
        """
        if Database.is_blank(path, _KIND):
            _create(Path(path), pairs, [] if start is None else start())
        store = cls.open(path)
        try:
            store._check_pairs(pairs)
        except DataError:
            store.close()
            raise
        return store

    def _check_pairs(self, pairs: ParaphrasePairs) -> None:
        if len(pairs) != len(self.pairs):
            raise DataError(
                f"holds {len(self.pairs):,} sentence pairs, but there are {len(pairs):,} to annotate; "
                "pairs cannot change once annotation has started: name another file with --store",
                path=str(self.path),
            )
        theirs = zip(pairs.source, pairs.target, pairs.group_names(), strict=True)
        ours = zip(self.pairs.source, self.pairs.target, self.pairs.group_names(), strict=True)
        for number, (new, old) in enumerate(zip(theirs, ours, strict=True), start=1):
            if new != old:
                raise DataError(
                    f"pair {number} differs from the one to annotate; "
                    "pairs cannot change once annotation has started: name another file with --store",
                    path=str(self.path),
                )

    def close(self) -> None:
        """Close the file; everything is already saved."""
        self._database.close()

    def __enter__(self) -> AnnotationStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.pairs)

    def tokens(self, number: int) -> tuple[list[str], list[str]]:
        """Return the words of pair *number*, source and target."""
        place = self._place(number)
        return self.pairs.source[place].split(), self.pairs.target[place].split()

    def start(self, number: int) -> GoldAlignment:
        """Return the links of pair *number* that annotators start from."""
        return GoldAlignment.from_pharaoh(self._start[self._place(number)])

    def annotators(self) -> list[str]:
        """Return the names of all annotators who made a change, sorted."""
        with self._database.reading():
            rows = self._connection.execute("SELECT DISTINCT annotator FROM change").fetchall()
        return sorted(row[0] for row in rows)

    def state(self, annotator: str, number: int) -> PairState:
        """Return the state of pair *number* for *annotator*."""
        self._place(number)
        with self._database.reading():
            return self._state(annotator, number)

    def states(self, annotator: str) -> list[PairState]:
        """Return the state of each pair for *annotator*."""
        with self._database.reading():
            rows = self._connection.execute(
                "SELECT pair, kind, cells, seconds, token FROM change WHERE annotator = ? ORDER BY id", (annotator,)
            ).fetchall()
        states = [self._untouched(number) for number in range(1, len(self) + 1)]
        for number, kind, cells, seconds, token in rows:
            states[number - 1].apply(kind, parse_cells(cells), seconds, token)
        return states

    def record(self, annotator: str, number: int, change: Change) -> PairState:
        """Save a change permanently and return the new state of the pair; a known change has no effect.

        Raises:
            DataError: The change is invalid for this pair.
            StaleError: It undoes or redoes something that *annotator* has not seen; nothing is saved.
            BusyError: The file could not be written; nothing is saved.
        """
        check_annotator(annotator)
        cells = parse_cells(change.cells)
        if len({link for link, _ in cells}) < len(cells):
            raise DataError("a cell occurs twice in one change")
        check_links((link for link, _ in cells), *self.lengths[self._place(number)])
        with self._database.writing():
            known = self._connection.execute("SELECT annotator, pair FROM change WHERE token = ?", (change.token,))
            found = known.fetchone()
            state = self._state(annotator, number)
            if found is not None:
                if found != (annotator, number):
                    raise DataError(f"the token {change.token!r} belongs to a change of another pair or annotator")
                return state
            if change.kind in ("undo", "redo"):
                if change.base != state.version:
                    raise StaleError(f"the links of pair {number} have changed since; nothing was undone or redone")
                if not (state.undo if change.kind == "undo" else state.redo):
                    raise StaleError(f"there is nothing to {change.kind} in pair {number}")
            row = (annotator, number, change.kind, change.cells, float(change.seconds), time.time(), change.token)
            self._database.add("change", row)
            state.apply(change.kind, cells, change.seconds, change.token)
            return state

    def progress(self, annotator: str) -> AnnotatorProgress:
        """Return how far *annotator* is."""
        by_pair = self._finished(annotator)
        times = [seconds for done, seconds in by_pair.values() if done]
        return AnnotatorProgress(
            annotator,
            len(self),
            len(times),
            math.fsum(seconds for _, seconds in by_pair.values()),
            math.fsum(times) / len(times) if times else math.nan,
        )

    def finished(self, annotator: str) -> list[int]:
        """Return the numbers of the pairs that *annotator* has finished."""
        return sorted(number for number, (done, _) in self._finished(annotator).items() if done)

    def _finished(self, annotator: str) -> dict[int, tuple[bool, float]]:
        """Return for each pair that *annotator* changed whether it is finished, and the seconds spent on it."""
        with self._database.reading():
            times = self._connection.execute(
                "SELECT pair, total(seconds) FROM change WHERE annotator = ? GROUP BY pair", (annotator,)
            ).fetchall()
            said = self._connection.execute(
                "SELECT pair, kind FROM change WHERE annotator = ? AND kind IN ('done', 'open') ORDER BY id",
                (annotator,),
            ).fetchall()
        last = dict(said)
        return {number: (last.get(number) == "done", seconds) for number, seconds in times}

    def agreement(self) -> list[AnnotatorPair]:
        """Return the agreement of every two annotators on the pairs that both have finished."""
        from paragauge.meta.agreement import link_agreement, phrase_agreement

        states = {annotator: self.states(annotator) for annotator in self.annotators()}
        found = []
        for one, other in combinations(states, 2):
            places = [place for place in range(len(self)) if states[one][place].done and states[other][place].done]
            ours, theirs = ([states[name][place].gold() for place in places] for name in (one, other))
            lengths = [self.lengths[place] for place in places]
            words = sum(source for source, target in lengths if target)
            by_words = by_phrases = by_sure = math.nan
            if words:
                every = [gold.possible for gold in ours], [gold.possible for gold in theirs]
                by_words, by_phrases = link_agreement(*every, lengths), phrase_agreement(*every, lengths)
                by_sure = link_agreement([gold.sure for gold in ours], [gold.sure for gold in theirs], lengths)
            found.append(AnnotatorPair(one, other, by_words, by_phrases, by_sure, len(places), words))
        return found

    def gold(self, annotator: str | None = None, *, finished_only: bool = False) -> tuple[AlignedPairs, int]:
        """Return the pairs with the links of *annotator*, and the number of unfinished ones.

        Args:
            annotator: Name of the annotator; can be omitted if there is only one.
            finished_only: Leave out pairs that are not finished.

        Raises:
            DataError: There are no annotations or no finished pairs, or there are several annotators and no name.
            OptionError: There is no such annotator.
        """
        names = self.annotators()
        if not names:
            raise DataError("there are no annotations yet; annotate some pairs first", path=str(self.path))
        if annotator is None and len(names) > 1:
            raise DataError(f"there are several annotators ({', '.join(names)}); choose one with --annotator")
        name = names[0] if annotator is None else annotator
        if name not in names:
            raise unknown_name("annotator", name, names)
        states = self.states(name)
        chosen = [place for place, state in enumerate(states) if state.done or not finished_only]
        if not chosen:
            raise DataError(f"{name} has not finished any of the {len(states):,} pairs", path=str(self.path))
        columns = (self.pairs.source, self.pairs.target, self.pairs.group_names())
        pairs = ParaphrasePairs(*(tuple(column[place] for place in chosen) for column in columns))
        links = tuple(states[place].gold() for place in chosen)
        return AlignedPairs(pairs, links), sum(not states[place].done for place in chosen)

    def _place(self, number: int) -> int:
        if not 1 <= number <= len(self):
            raise DataError(f"there is no pair {number}; pairs are numbered from 1 to {len(self)}")
        return number - 1

    def _untouched(self, number: int) -> PairState:
        gold = self.start(number)
        return PairState({link: "-" if link in gold.sure else "p" for link in gold.possible})

    def _state(self, annotator: str, number: int) -> PairState:
        state = self._untouched(number)
        rows = self._connection.execute(
            "SELECT kind, cells, seconds, token FROM change WHERE annotator = ? AND pair = ? ORDER BY id",
            (annotator, number),
        )
        for kind, cells, seconds, token in rows:
            state.apply(kind, parse_cells(cells), seconds, token)
        return state


def _create(path: Path, pairs: ParaphrasePairs, start: Sequence[GoldAlignment | Alignment]) -> None:
    if not len(pairs):
        raise DataError("there are no sentence pairs to annotate, expected at least one")
    if start and len(start) != len(pairs):
        raise DataError(f"there are links for {len(start):,} sentence pairs, expected {len(pairs):,}")
    lines = [links.to_pharaoh() for links in start] or [""] * len(pairs)
    rows = list(zip(pairs.group_names(), pairs.source, pairs.target, lines, strict=True))
    for number, (links, source, target) in enumerate(zip(start, pairs.source, pairs.target, strict=False), start=1):
        every = links.possible if isinstance(links, GoldAlignment) else links
        check_links(every, len(source.split()), len(target.split()), LinkPlace("automatic links", number))

    def fill(connection: sqlite3.Connection) -> None:
        numbered = [(number, *row) for number, row in enumerate(rows, start=1)]
        connection.executemany(
            "INSERT INTO pair VALUES (?, ?, ?, ?, ?, ?)", [(*row, row_checksum(row)) for row in numbered]
        )

    Database.create(path, _KIND, fill)
