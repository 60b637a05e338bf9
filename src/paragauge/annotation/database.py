"""One SQLite file to which rows are only ever added: what annotators did, each row with a checksum.

Several programs, each with several threads, can use one file at the same time. A killed program loses nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragauge.errors import DataError, FileError, OptionError, ParagaugeError
from paragauge.io import PathLike

BUSY_SECONDS = 20.0  # how long to wait for another writer

_NAME = re.compile(r"\w[\w .@+-]{0,63}")
_PROJECT = """CREATE TABLE project (
    name TEXT NOT NULL           -- random: pages waiting for their server recognise it by this name
)"""
_TYPES = {"TEXT": str, "INTEGER": int, "REAL": float}
_TOKEN = 16  # characters of a project's name; those after them are a checksum, which the first files lack


class BusyError(ParagaugeError, OSError):
    """A file that cannot be written at the moment; trying again may help."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        what: Name in messages, such as "annotations".
        command: Command that creates such a file.
        application: Number that distinguishes its files from other SQLite files.
        format: Newest format.
        checked: First format whose rows have checksums.
        schema: Statements that create the tables, other than that of the project.
        tables: Tables whose rows have checksums in their last column.
    """

    what: str
    command: str
    application: int
    format: int
    checked: int
    schema: tuple[str, ...]
    tables: tuple[str, ...]


class Database:
    """An open file.

    Attributes:
        path: The file.
        kind: Its kind.
        project: Unique name of the project.
        format: Its format.
    """

    def __init__(self, path: Path, kind: FileKind, connection: sqlite3.Connection) -> None:
        self.path = path
        self.kind = kind
        self.connection = connection
        self._lock = threading.RLock()
        with self.reading():
            self.project: str = connection.execute("SELECT name FROM project").fetchone()[0]
            self.format: int = connection.execute("PRAGMA user_version").fetchone()[0]

    @classmethod
    def open(cls, path: PathLike, kind: FileKind) -> Database:
        """Return the file in *path*.

        Raises:
            FileError: There is no such file, or it cannot be opened.
            DataError: It is not a file of this kind, or it is damaged.
        """
        place = Path(path)
        if not place.is_file():
            what = "is a directory, expected a file" if place.is_dir() else "no such file"
            raise FileError(f"{place}: {what}; create one with '{kind.command}'")
        connection = _connect(place, kind)
        try:
            with _sqlite_errors(place, kind):
                _check_kind(place, kind, connection)
                _check_integrity(place, kind, connection)
            return cls(place, kind, connection)
        except BaseException:
            connection.close()
            raise

    @classmethod
    def is_blank(cls, path: PathLike, kind: FileKind) -> bool:
        """Return whether a file must be created: there is none, or its creation was interrupted."""
        place = Path(path)
        if not place.exists():
            return True
        if place.is_dir():
            return False
        connection = _connect(place, kind)
        try:
            with _sqlite_errors(place, kind):
                return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        finally:
            connection.close()

    @classmethod
    def create(cls, path: PathLike, kind: FileKind, fill: Callable[[sqlite3.Connection], None]) -> None:
        """Create a file; *fill* adds its first rows. If another program was faster, its file stays."""
        place = Path(path)
        connection = _connect(place, kind)
        try:
            with _sqlite_errors(place, kind):
                # Readers and a writer do not block each other.
                connection.execute("PRAGMA journal_mode = WAL")
                with _transaction(connection):
                    if connection.execute("PRAGMA application_id").fetchone()[0] == kind.application:
                        return
                    for statement in (_PROJECT, *kind.schema):
                        connection.execute(statement)
                    connection.execute(
                        "INSERT INTO project VALUES (?)", (_project_name(secrets.token_hex(_TOKEN // 2)),)
                    )
                    fill(connection)
                    connection.execute(f"PRAGMA application_id = {kind.application}")
                    connection.execute(f"PRAGMA user_version = {kind.format}")
        finally:
            connection.close()

    def close(self) -> None:
        """Close the file; everything is already saved."""
        with self._lock:
            self.connection.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Lock the connection."""
        with self._lock, _sqlite_errors(self.path, self.kind):
            yield

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Lock the file; what the block wrote is on disk when it ends, or discarded if it failed."""
        with self._lock, _sqlite_errors(self.path, self.kind), _transaction(self.connection):
            yield

    def add(self, table: str, values: tuple[object, ...]) -> None:
        """Add a row with the next number and, if the format has one, a checksum."""
        (last,) = self.connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608
        row: tuple[object, ...] = (last + 1, *values)
        if self.format >= self.kind.checked:
            row = (*row, row_checksum(row))
        self.connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def check_annotator(name: str) -> str:
    """Return *name* if it is a valid annotator name."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"{name[:80]!r} is not a valid annotator name; expected up to 64 letters, digits, spaces and . _ @ + -, "
            "starting with a letter or digit"
        )
    return name


def application_of(path: PathLike) -> int:
    """Return the number of the program that an SQLite file belongs to; 0 if it has none."""
    with Path(path).open("rb") as file:
        file.seek(68)  # where SQLite keeps it
        return int.from_bytes(file.read(4), "big")


def row_checksum(row: Sequence[object]) -> str:
    """Return the checksum of a row's values."""
    return hashlib.sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _project_name(token: str) -> str:
    """Return the name of a project that begins with *token*: with its checksum."""
    return token[:_TOKEN] + row_checksum((token[:_TOKEN],))[:8]


def _connect(path: Path, kind: FileKind) -> sqlite3.Connection:
    with _sqlite_errors(path, kind):
        # isolation_level: transactions start only in _transaction.
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        # Saved changes must also survive a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        return connection


def _check_kind(path: Path, kind: FileKind, connection: sqlite3.Connection) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != kind.application:
        found = "is empty" if path.stat().st_size == 0 else "is an SQLite file of another program"
        raise DataError(f"{found}, expected a file of {kind.what}; name another file", path=str(path))
    if version > kind.format:
        raise DataError(
            f"has format {version} of {kind.what}; this version reads formats up to {kind.format}: update paragauge",
            path=str(path),
        )


def _check_integrity(path: Path, kind: FileKind, connection: sqlite3.Connection) -> None:
    """Raise a `DataError` unless the file is a whole database with whole rows."""
    found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)").fetchall()]
    if found != ["ok"]:
        what = str(found[0]).splitlines()[-1] if found else "unreadable"
        raise DataError(
            f"is damaged ({what}); go back to a copy, or save what can be read with: sqlite3 FILE .recover",
            path=str(path),
        )
    name = connection.execute("SELECT name FROM project").fetchone()
    if name is None or not isinstance(name[0], str) or (len(name[0]) != _TOKEN and name[0] != _project_name(name[0])):
        raise DataError("is damaged: the name of the project was changed; go back to a copy", path=str(path))
    has_checksums = connection.execute("PRAGMA user_version").fetchone()[0] >= kind.checked
    for table in kind.tables:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        if not columns or has_checksums != (columns[-1][1] == "checksum"):
            raise DataError("is damaged: its format and its tables do not agree; go back to a copy", path=str(path))
        types = [_TYPES.get(column[2], ()) for column in columns]
        for number, row in enumerate(connection.execute(f"SELECT * FROM {table} ORDER BY 1"), start=1):  # noqa: S608, names of ours
            # SQLite stores text in columns of numbers if it is told to. Rows are numbered without gaps, and none goes.
            whole = not has_checksums or (row[0] == number and row[-1] == row_checksum(row[:-1]))
            if not whole or not all(map(isinstance, row, types)):
                raise DataError(f"is damaged: row {row[0]} of the table {table} was changed", path=str(path))
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise DataError("is damaged: its tables do not belong together; go back to a copy", path=str(path))


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def _sqlite_errors(path: Path, kind: FileKind) -> Iterator[None]:
    """Turn errors of SQLite into messages that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise BusyError(f"{path}: cannot be read or written at the moment ({error}); try again") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError, OverflowError) as error:
        raise DataError(
            f"is not a file of {kind.what}, or is damaged ({error}); name another file", path=str(path)
        ) from error
