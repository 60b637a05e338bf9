"""Spark as an engine for the statements that DuckDB also runs.

Every ``CREATE TABLE ... AS`` becomes Parquet files in a database of this run, below the folder for temporary files:
finished work survives the death of a worker, and a task that runs again writes the same data. Only counts are collected
on the driver.
"""

from __future__ import annotations

import contextlib
import logging
import re
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from paragauge.errors import DataError, FileError, OptionError, ParagaugeError
from paragauge.progress import Progress
from paragauge.spark.paths import Files, qualified
from paragauge.spark.session import ClusterError, SparkOptions, open_session
from paragauge.storage.remote import Job

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)

_OURS = re.compile(r"paragauge\.(?:\w+\.)*errors\.(\w+Error): (.*)")
_MADE = re.compile(r"\s*CREATE TABLE (\w+)")
_SECONDS_BETWEEN_REPORTS = 0.3
R = TypeVar("R")
ArrowFunction = Callable[[Iterable["pa.RecordBatch"]], Iterable["pa.RecordBatch"]]


class SparkEngine:
    """Runs statements and native code on a cluster. Use it in a ``with`` block.

    >>> with SparkEngine(SparkOptions(master="local[2]")) as engine:  # doctest: +SKIP
    ...     engine.rows("SELECT 1 + 1")
    [(2,)]
    """

    session: SparkSession

    def __init__(self, options: SparkOptions | None = None) -> None:
        self.options = options or SparkOptions()
        self._stack = contextlib.ExitStack()
        self.current_step = ""

    def __enter__(self) -> SparkEngine:
        with self._stack:
            self.session, ours = open_session(self.options)
            if ours:
                self._stack.callback(self.session.stop)
            self.files = Files(self.session)
            self.folder = f"{self._temp()}/paragauge-{secrets.token_hex(6)}"
            self._stack.callback(self.files.delete, self.folder)
            self._stack.callback(self._leave)
            self._database = f"paragauge_{secrets.token_hex(6)}"
            place = self.folder.replace("\\", "\\\\").replace("'", "\\'")
            self.session.sql(f"CREATE DATABASE {self._database} LOCATION '{place}/tables'")
            self.session.sql(f"USE {self._database}")
            if self.options.progress is not None:
                self._stack.enter_context(self._reports(self.options.progress))
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _leave(self) -> None:
        with contextlib.suppress(Exception):  # otherwise it disappears with the session
            self.session.sql("USE default")
            self.session.sql(f"DROP DATABASE IF EXISTS {self._database} CASCADE")

    def _temp(self) -> str:
        if self.options.temp is not None:
            return qualified(self.options.temp)
        if self.options.is_this_machine:
            return qualified(tempfile.gettempdir())
        shared = self.files.default()
        if shared.startswith("file:"):
            raise OptionError(
                "the machines of the cluster share no file system by default; pass --temp PATH with one that all of "
                "them "
                "can access (hdfs://..., s3a://..., a network disk)"
            )
        return f"{shared.rstrip('/')}/tmp"  # noqa: S108 - on the cluster; the folder below it has a random name

    # Interface of the relational steps

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing. A table left behind by an earlier job is replaced."""
        with self.explained():
            if made := _MADE.match(sql):
                self.session.sql(f"DROP TABLE IF EXISTS {made[1]}")
            self.session.sql(sql)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query with few rows."""
        with self.explained():
            return [tuple(row) for row in self.session.sql(sql).collect()]

    def row(self, sql: str) -> tuple[Any, ...] | None:
        """Return the first row of a query."""
        found = self.rows(sql)
        return found[0] if found else None

    def run_over(self, name: str, schema: pa.Schema, batches: DataFrame, sql: str) -> None:
        """Run a statement that reads a frame under the table name *name*."""
        self.name(name, batches.select(*(f"`{column}`" for column in schema.names)))
        try:
            self.run(sql)
        finally:
            self.session.catalog.dropTempView(name)

    def stream(self, sql: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a query in order: written to files by the workers, read one file at a time."""
        with self.explained():
            folder = f"{self.folder}/stream-{secrets.token_hex(4)}"
            self.session.sql(sql).write.parquet(folder)
            for file in self.files.parts(folder):
                yield from self.session.read.parquet(file).toArrow().to_batches()
            self.files.delete(folder)

    # Jobs

    def perform(self, job: Job[R]) -> R:
        """Run a whole job: its kind is the name of the module in this package that implements it."""
        run: Callable[[SparkEngine, Job[R]], R] = import_module(f"paragauge.spark.{job.kind}").run
        return run(self, job)

    # Frames

    def name(self, name: str, frame: DataFrame) -> None:
        """Make a frame available to statements under a table name."""
        frame.createOrReplaceTempView(name)

    def mapped(self, frame: DataFrame, function: ArrowFunction, schema: pa.Schema) -> DataFrame:
        """Return the result of *function* for each partition of a frame, as rows of *schema*."""
        from pyspark.sql.pandas.types import from_arrow_schema

        return frame.mapInArrow(partial(_plain, function), from_arrow_schema(_plain_schema(schema)))

    def count(self, relation: str) -> int:
        """Return the number of rows of a relation."""
        found = self.row(f"SELECT count(*) FROM {relation}")  # noqa: S608
        return int(found[0]) if found else 0

    def step(self, text: str) -> None:
        """Announce the next step, for the progress bar and Spark's own pages."""
        self.current_step = text
        self.session.sparkContext.setJobDescription(text)
        logger.info("spark: %s", text)

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn Spark's failures into errors that say what to do."""
        from pyspark.errors import PySparkException

        try:
            yield
        except ParagaugeError:
            raise
        except PySparkException as error:
            raise _explanation(error) from error
        except Exception as error:
            if type(error).__module__.partition(".")[0] == "py4j":
                raise _explanation(error) from error
            raise

    @contextlib.contextmanager
    def _reports(self, progress: Progress) -> Iterator[None]:
        """Report the progress of running tasks to *progress* while the block runs."""
        tracker = self.session.sparkContext.statusTracker()
        done = threading.Event()

        def watch() -> None:
            while not done.wait(_SECONDS_BETWEEN_REPORTS):
                stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
                known = [stage for stage in stages if stage is not None]
                if known:
                    finished = sum(stage.numCompletedTasks for stage in known)
                    progress(finished, sum(stage.numTasks for stage in known), self.current_step)

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def _plain(function: ArrowFunction, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches with the plain strings that Spark takes."""
    import pyarrow as pa

    for batch in function(batches):
        schema = _plain_schema(batch.schema)
        columns = [column.cast(kind) for column, kind in zip(batch.columns, schema.types, strict=True)]
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


def _plain_schema(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    kinds = [pa.string() if pa.types.is_large_string(kind) else kind for kind in schema.types]
    return pa.schema(list(zip(schema.names, kinds, strict=True)))


def _explanation(error: Exception) -> ParagaugeError:
    text = str(error)
    ours = _OURS.findall(text)
    if ours:
        kind, message = ours[-1]
        found: type[ParagaugeError] = {"FileError": FileError, "OptionError": OptionError}.get(kind, DataError)
        return found(message)
    if "No module named 'paragauge'" in text:
        return ClusterError(
            "paragauge is not installed on the workers; install it for their Python (PYSPARK_PYTHON), or ship an "
            "environment with it as described in docs/scaling.md"
        )
    if "PATH_NOT_FOUND" in text:
        place = re.search(r"Path does not exist: (\S+?)\.? ", text + " ")
        return FileError(f"{place[1].removeprefix('file:') if place else 'a path'}: no such file or directory")
    if "No space left on device" in text:
        return FileError("the disk of a worker is full; pass --temp with a larger disk, or set spark.local.dir")
    lines = [line for line in text.splitlines() if line.strip()]
    return ClusterError(f"Spark failed: {lines[0][:500] if lines else type(error).__name__}")
