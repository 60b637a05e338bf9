"""Judgments of rewritten sentences, kept in one SQLite file: meaning and grammar on scales from 1 to 5.

Judges see a sentence and what systems made of it, without names and in an order of their own. Texts that several
systems share are judged once. As in the PARADIGM paper, a human rewriting and a bad one among the systems can tell who
judges with care (`JudgingStore.controls`).
"""

from __future__ import annotations

import math
import random
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from paragauge.annotation.changes import MAX_SECONDS, TOKEN
from paragauge.annotation.database import Database, FileKind, check_annotator, row_checksum
from paragauge.corpora.judgments import Judgments
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.io import PathLike

Criterion: TypeAlias = Literal["meaning", "grammar"]

CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
LOWEST, HIGHEST = 1, 5
HUMAN, RANDOM = "(human)", "(random deletion)"  # the controls that 'paragauge compress' adds

_SCHEMA = (
    """CREATE TABLE item (
        id INTEGER PRIMARY KEY,      -- from 1, in the order of the test set
        segment TEXT NOT NULL,
        original TEXT NOT NULL,
        checksum TEXT NOT NULL       -- of the values before it
    )""",
    """CREATE TABLE output (
        id INTEGER PRIMARY KEY,
        item INTEGER NOT NULL REFERENCES item (id),
        system TEXT NOT NULL,
        place INTEGER NOT NULL,      -- of the text among the different ones of the item, from 0
        text TEXT NOT NULL,
        checksum TEXT NOT NULL
    )""",
    """CREATE TABLE judgment (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        judge TEXT NOT NULL,
        item INTEGER NOT NULL REFERENCES item (id),
        place INTEGER NOT NULL,
        criterion TEXT NOT NULL,
        score INTEGER NOT NULL,
        seconds REAL NOT NULL,       -- time spent since the previous judgment
        time REAL NOT NULL,          -- when it was saved, in seconds since 1970
        token TEXT NOT NULL UNIQUE,
        checksum TEXT NOT NULL
    )""",
    "CREATE INDEX judgment_place ON judgment (judge, item)",
)
JUDGMENTS = FileKind(
    "judgments", "paragauge annotate judge OUTPUTS --annotator NAME", 0x70674A31, 1, 1, _SCHEMA,
    ("item", "output", "judgment"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rating:
    """A judgment of one text.

    Attributes:
        place: Which of the item's texts.
        criterion: What was judged.
        score: From 1 (worst) to 5 (best).
        token: Unique name; the same rating sent again has no effect.
        seconds: Time spent since the previous rating.
    """

    place: int
    criterion: str
    score: int
    token: str
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.criterion not in CRITERIA:
            raise unknown_name("criterion", str(self.criterion), CRITERIA)
        if isinstance(self.score, bool) or not isinstance(self.score, int) or not LOWEST <= self.score <= HIGHEST:
            raise DataError(f"found the score {self.score!r}, expected a whole number from {LOWEST} to {HIGHEST}")
        if not isinstance(self.token, str) or not TOKEN.fullmatch(self.token):
            raise DataError(f"the token {self.token!r} is not 8 to 64 letters, digits, '-' or '_'")
        if not (math.isfinite(self.seconds) and 0 <= self.seconds <= MAX_SECONDS):
            raise DataError(f"found {self.seconds!r} seconds since the previous rating, expected 0 to {MAX_SECONDS:g}")


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence and its rewritings.

    Attributes:
        segment: Id of the sentence in the test set.
        original: The sentence.
        texts: The different rewritings.
        places: Which of them is that of each system.
    """

    segment: str
    original: str
    texts: tuple[str, ...]
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """How far a judge is.

    Attributes:
        judge: Name of the judge.
        items: Number of sentences.
        done: Number of sentences whose texts are all judged.
        seconds: Time spent.
    """

    judge: str
    items: int
    done: int
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgeControl:
    """What a judge thinks of the controls, by one criterion; NaN if none was judged.

    Attributes:
        judge: Name of the judge.
        criterion: What was judged.
        good: Mean score of the human rewritings.
        bad: Mean score of the bad rewritings.
    """

    judge: str
    criterion: str
    good: float
    bad: float

    @property
    def margin(self) -> float:
        """How much higher the good control is."""
        return self.good - self.bad


class JudgingStore:
    """The rewritings to judge, and all judgments.

    Several programs, each with several threads, can use one file at the same time.

    >>> import tempfile
    >>> testset = TestSet(ids=["7"], originals=["he left"], candidates={"a": ["he went away"], "b": ["he"]})
    >>> with tempfile.TemporaryDirectory() as folder, JudgingStore.create(f"{folder}/j.sqlite", testset) as store:
    ...     store.record("ann", 1, Rating(0, "meaning", 5, "token-number-1"))
    ...     list(store.judgments())
    [Judgment(system='a', segment='7', judge='ann', criterion='meaning', score=5.0)]

    Attributes:
        path: The file.
        project: Unique name of the store.
        items: Sentences with their rewritings.
        systems: Names of the systems.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.path = database.path
        self.project = database.project
        with database.reading():
            items = database.connection.execute("SELECT id, segment, original FROM item ORDER BY id").fetchall()
            outputs = database.connection.execute("SELECT item, system, place, text FROM output ORDER BY id").fetchall()
        texts: list[dict[int, str]] = [{} for _ in items]
        places: list[dict[str, int]] = [{} for _ in items]
        for item, system, place, text in outputs:
            texts[item - 1][place] = text
            places[item - 1][system] = place
        self.items = tuple(
            Item(segment, original, tuple(found[place] for place in sorted(found)), where)
            for (_, segment, original), found, where in zip(items, texts, places, strict=True)
        )
        self.systems = tuple(dict.fromkeys(system for _, system, _, _ in outputs))
        for item, found in zip(self.items, texts, strict=True):
            if sorted(found) != list(range(len(found))) or set(item.places) != set(self.systems):
                raise DataError(f"is damaged: texts of the segment {item.segment!r} are missing", path=str(self.path))

    @classmethod
    def open(cls, path: PathLike) -> JudgingStore:
        """Return the store in *path*.

        Raises:
            FileError: There is no such file, or it cannot be opened.
            DataError: It is not a file of judgments.
        """
        return cls(Database.open(path, JUDGMENTS))

    @classmethod
    def create(cls, path: PathLike, testset: TestSet, systems: Sequence[str] = ()) -> JudgingStore:
        """Return the store in *path* for the rewritings of *testset*; create it if it does not exist.

        Args:
            path: The file.
            testset: Sentences and what systems made of them. An existing store must hold the same ones.
            systems: Systems to judge; all by default.

        Raises:
            DataError: The test set has no originals or no candidates, or the file has others.
        """
        items = _items(testset, systems)
        if Database.is_blank(path, JUDGMENTS):
            Database.create(path, JUDGMENTS, lambda connection: _fill(connection, items))
        store = cls.open(path)
        if store.items != items:
            store.close()
            raise DataError(
                "holds other sentences or systems than those to judge; they cannot change once judging has started: "
                "name another file with --store",
                path=str(path),
            )
        return store

    def close(self) -> None:
        """Close the file; everything is already saved."""
        self._database.close()

    def __enter__(self) -> JudgingStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.items)

    def item(self, number: int) -> Item:
        """Return a sentence by its number, from 1."""
        if not 1 <= number <= len(self):
            raise DataError(f"there is no sentence {number}; sentences are numbered from 1 to {len(self)}")
        return self.items[number - 1]

    def order(self, judge: str, number: int) -> list[int]:
        """Return the places of an item's texts in the order in which *judge* sees them: always the same."""
        places = list(range(len(self.item(number).texts)))
        random.Random(f"{self.project} {judge} {number}").shuffle(places)  # noqa: S311 - nothing to protect
        return places

    def judges(self) -> list[str]:
        """Return the names of all who judged something, sorted."""
        with self._database.reading():
            rows = self._database.connection.execute("SELECT DISTINCT judge FROM judgment").fetchall()
        return sorted(row[0] for row in rows)

    def ratings(self, judge: str) -> dict[tuple[int, int, str], int]:
        """Return the latest score that *judge* gave, by number, place and criterion."""
        with self._database.reading():
            rows = self._database.connection.execute(
                "SELECT item, place, criterion, score FROM judgment WHERE judge = ? ORDER BY id", (judge,)
            ).fetchall()
        return {(item, place, criterion): score for item, place, criterion, score in rows}

    def record(self, judge: str, number: int, rating: Rating) -> None:
        """Save a rating permanently; a known one has no effect. The latest of a text and criterion counts.

        Raises:
            DataError: There is no such text.
            BusyError: The file could not be written; nothing is saved.
        """
        check_annotator(judge)
        if not 0 <= rating.place < len(self.item(number).texts):
            raise DataError(f"sentence {number} has no text {rating.place}")
        with self._database.writing():
            found = self._database.connection.execute(
                "SELECT judge, item, place, criterion, score FROM judgment WHERE token = ?", (rating.token,)
            ).fetchone()
            what = (judge, number, rating.place, rating.criterion, rating.score)
            if found is not None:
                if found != what:
                    raise DataError(f"the token {rating.token!r} belongs to another rating")
                return
            self._database.add("judgment", (*what, float(rating.seconds), time.time(), rating.token))

    def progress(self, judge: str) -> JudgeProgress:
        """Return how far *judge* is."""
        with self._database.reading():
            (seconds,) = self._database.connection.execute(
                "SELECT total(seconds) FROM judgment WHERE judge = ?", (judge,)
            ).fetchone()
        return JudgeProgress(judge, len(self), len(self.finished(judge)), seconds)

    def finished(self, judge: str) -> list[int]:
        """Return the numbers of the sentences whose texts *judge* has all judged."""
        ratings = self.ratings(judge)
        return [
            number
            for number, item in enumerate(self.items, start=1)
            if all((number, place, each) in ratings for place in range(len(item.texts)) for each in CRITERIA)
        ]

    def controls(self, good: str = HUMAN, bad: str = RANDOM) -> list[JudgeControl]:
        """Return what each judge thinks of a good control and of a bad one, by criterion.

        Raises:
            OptionError: There is no such system.
        """
        for name in (good, bad):
            if name not in self.systems:
                raise unknown_name("system", name, self.systems)
        found = []
        for judge in self.judges():
            ratings = self.ratings(judge)
            for criterion in CRITERIA:
                means = [_mean(self._scores(ratings, name, criterion)) for name in (good, bad)]
                found.append(JudgeControl(judge, criterion, *means))
        return found

    def judgments(self, *, margin: float | None = None, good: str = HUMAN, bad: str = RANDOM) -> Judgments:
        """Return all judgments as a table; a text that several systems share counts for each of them.

        Args:
            margin: Leave out judges who do not rate the good control higher than the bad one by at least this, by
                every criterion, or who judged no controls; by default, all count.
            good: Good control.
            bad: Bad control.

        Raises:
            DataError: There are no judgments, or none by a judge who counts.
        """
        names = self.judges()
        if not names:
            raise DataError("there are no judgments yet; judge some sentences first", path=str(self.path))
        if margin is not None:
            if not math.isfinite(margin):
                raise OptionError(f"the margin must be a number, got {margin}")
            careless = {each.judge for each in self.controls(good, bad) if not each.margin >= margin}
            names = [name for name in names if name not in careless]
            if not names:
                raise DataError(
                    f"no judge rates {good} higher than {bad} by at least {margin:g} by every criterion; lower the "
                    "margin, or judge more",
                    path=str(self.path),
                )
        rows: list[tuple[str, str, str, str, float | None]] = []
        for judge in names:
            ratings = self.ratings(judge)
            for number, item in enumerate(self.items, start=1):
                for system, place in item.places.items():
                    for criterion in CRITERIA:
                        score = ratings.get((number, place, criterion))
                        if score is not None:
                            rows.append((system, item.segment, judge, criterion, float(score)))
        return Judgments.from_rows(rows)

    def _scores(self, ratings: Mapping[tuple[int, int, str], int], system: str, criterion: str) -> list[int]:
        keys = ((number, item.places[system], criterion) for number, item in enumerate(self.items, start=1))
        return [ratings[key] for key in keys if key in ratings]


def is_judging_store(path: PathLike) -> bool:
    """Return whether *path* is an SQLite file, as a store of judgments is."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123, descriptors are paths too
            return file.read(16) == b"SQLite format 3\x00"
    except OSError:
        return False


def _items(testset: TestSet, systems: Sequence[str]) -> tuple[Item, ...]:
    if testset.originals is None:
        raise DataError("the test set has no originals; judges need the sentences that were rewritten")
    if not testset.candidates or not len(testset):
        raise DataError("the test set has nothing to judge; expected columns candidate.SYSTEM with rewritings")
    for name in systems:
        if name not in testset.candidates:
            raise unknown_name("system", name, testset.systems)
    chosen = [name for name in testset.systems if not systems or name in systems]
    items = []
    for place, (segment, original) in enumerate(zip(testset.ids, testset.originals, strict=True)):
        texts = tuple(dict.fromkeys(testset.candidates[name][place] for name in chosen))
        places = {name: texts.index(testset.candidates[name][place]) for name in chosen}
        items.append(Item(segment, original, texts, places))
    return tuple(items)


def _fill(connection: sqlite3.Connection, items: Sequence[Item]) -> None:
    rows = [(number, item.segment, item.original) for number, item in enumerate(items, start=1)]
    connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", [(*row, row_checksum(row)) for row in rows])
    outputs = [
        (number, system, place, item.texts[place])
        for number, item in enumerate(items, start=1)
        for system, place in item.places.items()
    ]
    numbered = [(number, *row) for number, row in enumerate(outputs, start=1)]
    connection.executemany(
        "INSERT INTO output VALUES (?, ?, ?, ?, ?, ?)", [(*row, row_checksum(row)) for row in numbered]
    )


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else math.nan
