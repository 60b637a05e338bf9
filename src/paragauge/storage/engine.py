"""The embedded engine: a DuckDB connection with a memory limit, spilling to disk, and clear errors."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from paragauge.errors import DataError, FileError, ParagaugeError
from paragauge.memory import address_limit, parse_size, shown_size, total_memory
from paragauge.progress import Counter, Progress
from paragauge.temporary import scratch_folder
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_ROWS_IN_BATCH = 1 << 17


class Relational(Protocol):
    """The interface that the relational steps need: the embedded `Engine` below, or a cluster."""

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query with few rows."""

    def row(self, sql: str) -> tuple[Any, ...] | None:
        """Return the first row of a query."""

    def stream(self, sql: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a query, one batch at a time."""

    def run_over(self, name: str, schema: pa.Schema, batches: Any, sql: str) -> None:
        """Run a statement that reads *batches*, in the form that the engine takes, under the name *name*."""


_LEAST_ADDRESSES = 1_500_000_000  # bytes; with less, DuckDB may crash while it starts


class MemoryLimitError(ParagaugeError, MemoryError):
    """Work that does not fit into the memory limit even with spilling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Resources of the engine.

    Attributes:
        memory_limit: Maximum memory, such as ``1GB`` or ``512MiB``; the rest is spilled to disk. By default four
            fifths of the memory.
        temp: Folder for data spilled to disk; by default the system's folder for temporary files.
        threads: Number of threads; all cores by default.
        progress: Called with the number of rows that went into the engine or came out of it.
    """

    memory_limit: str | None = None
    temp: str | os.PathLike[str] | None = None
    threads: int | None = None
    progress: Progress | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _ = self.memory_bytes  # rejects what is not a size
        thread_count(self.threads)
        if self.temp is not None and not os.path.isdir(self.temp):  # noqa: PTH112 - a path of any kind
            raise FileError(f"{os.fspath(self.temp)}: the folder for temporary files does not exist")

    @property
    def memory_bytes(self) -> int | None:
        """The memory limit in bytes."""
        return None if self.memory_limit is None else parse_size(self.memory_limit)

    @property
    def thread_count(self) -> int:
        """The number of threads to use."""
        return thread_count(self.threads)


class Engine:
    """Runs SQL. Use it in a ``with`` block: everything that it wrote to disk is deleted at the end."""

    def __init__(self, options: EngineOptions | None = None) -> None:
        self.options = options or EngineOptions()
        self._stack = contextlib.ExitStack()
        self._rows = Counter(self.options.progress, what="rows")

    def __enter__(self) -> Engine:
        addresses = address_limit()
        if addresses is not None and addresses < _LEAST_ADDRESSES:
            raise MemoryLimitError(
                f"the engine cannot start with {shown_size(addresses)} of addresses (ulimit -v); raise that limit to "
                f"{shown_size(_LEAST_ADDRESSES)} or more, and limit the memory with --memory-limit"
            )
        import duckdb

        self.folder = folder = self._stack.enter_context(scratch_folder(self.options.temp))
        settings: dict[str, Any] = {
            "threads": self.options.thread_count,
            "temp_directory": folder,
            # Every result that matters is sorted in its query; keeping any other order costs memory.
            "preserve_insertion_order": False,
            # Nothing here needs the network, and no file is named in SQL.
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        memory, most = self.options.memory_bytes, total_memory()
        if memory is not None and (most is None or memory < most):
            settings["memory_limit"] = f"{memory}B"
        try:
            self.connection: duckdb.DuckDBPyConnection = duckdb.connect(":memory:", config=settings)
            self.connection.execute("SET enable_progress_bar = false")  # it would write to the caller's terminal
        except BaseException as error:
            self._stack.close()
            if isinstance(error, duckdb.Error):
                raise FileError(f"the engine cannot start: {str(error).splitlines()[0]}") from error
            raise
        self._stack.callback(self.connection.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing."""
        with self._explained():
            self.connection.execute(sql)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query with few rows."""
        with self._explained():
            found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found

    def row(self, sql: str) -> tuple[Any, ...] | None:
        """Return the first row of a query."""
        # All of them: a result that was not read to its end would block the connection.
        found = self.rows(sql)
        return found[0] if found else None

    def stream(self, sql: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a query, one batch at a time."""
        with self._explained():
            yield from self._reported(self.connection.sql(sql).to_arrow_reader(_ROWS_IN_BATCH))

    def run_over(self, name: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch], sql: str) -> None:
        """Run a statement that reads *batches*, produced while it runs, under the table name *name*.

        An error raised while producing a batch is passed on unchanged, not as an error of the engine.
        """
        import pyarrow as pa

        failure: list[BaseException] = []

        def guarded() -> Iterator[pa.RecordBatch]:
            try:
                yield from self._reported(batches)
            except BaseException as error:
                failure.append(error)
                raise

        reader = pa.RecordBatchReader.from_batches(schema, guarded())
        self.connection.register(name, reader)
        try:
            self.run(sql)
        except Exception:
            if failure:
                raise failure[0] from None
            raise
        finally:
            self.connection.unregister(name)

    def _reported(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            self._rows.advance(batch.num_rows)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the engine's failures into errors that say what to do."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            text = str(error)
            folder = os.fspath(self.options.temp or tempfile.gettempdir())
            if "max_temp_directory_size" in text or "No space left" in text or "disk is full" in text.lower():
                raise FileError(
                    f"{folder}: the disk for temporary files is full; free some space there, or pass --temp DIR "
                    "with a folder on a larger disk"
                ) from error
            if isinstance(error, duckdb.OutOfMemoryException):
                limit = self.options.memory_limit or "four fifths of the memory"
                raise MemoryLimitError(
                    f"the data does not fit into the memory limit ({limit}) even with spilling to disk; "
                    "raise --memory-limit, or use fewer --threads"
                ) from error
            if isinstance(error, duckdb.IOException):
                raise FileError(f"{folder}: cannot use temporary files: {text.splitlines()[0]}") from error
            if isinstance(error, duckdb.DataError | duckdb.InvalidInputException):
                raise DataError(f"the engine cannot process the data: {text.splitlines()[0]}") from error
            raise
