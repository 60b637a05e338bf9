"""Parallel texts on a cluster: numbering the lines of a file, and joining lines of several files.

Spark reads a text in blocks, in many tasks, without line numbers. Counting the lines of each block first gives the
number of each block's first line; then all files are split into the same parts of consecutive lines, and a task gets
the lines of one part of all files, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING

from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import DataError
from paragauge.io import decode
from paragauge.spark.engine import SparkEngine
from paragauge.spark.paths import literal, qualified

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
BEFORE_LINES = -1  # line number of the rows that a part begins with


@dataclass(frozen=True, slots=True)
class Text:
    """One of several parallel texts.

    Attributes:
        path: Text with one sentence per line (gzipped if the name ends in ``.gz``), or a folder of such files; Parquet
            if the name ends in ``.parquet``. On any file system that Spark reads.
        column: Column to read from Parquet.
        encoding: Encoding of the text.
    """

    path: str
    column: str
    encoding: str = "utf-8"

    @property
    def is_parquet(self) -> bool:
        """Whether the path is Parquet and not text."""
        return self.path.rstrip("/").endswith(".parquet")


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive lines of several texts, on a worker.

    Attributes:
        number: Number of the part, from 0.
        first: Number of the first line, from 0.
        texts: Lines of each text.
        before: Rows that the part begins with: data added to the lines by the driver.
    """

    number: int
    first: int
    texts: list[list[str]]
    before: pa.Table


class ParallelTexts:
    """Texts of equal length, on the cluster.

    Raises:
        DataError: They differ in length, or are empty.
    """

    def __init__(self, engine: SparkEngine, texts: Sequence[Text]) -> None:
        engine.step("count lines")
        self._engine = engine
        self.texts = tuple(texts)
        with engine.explained():
            numbered = [_numbered(engine, text) for text in texts]
        self._frames = [frame for frame, _ in numbered]
        lengths = [length for _, length in numbered]
        for text, length in zip(texts[1:], lengths[1:], strict=True):
            if length != lengths[0]:
                raise unequal_lengths(texts[0].path, lengths[0], text.path, length)
        self.length = lengths[0]
        if not self.length:
            raise DataError("the text is empty, expected a sentence on each line", path=texts[0].path)
        # Parts of the requested size, but enough of them for all cores.
        cores = engine.session.sparkContext.defaultParallelism
        self.part_size = max(1, min(engine.options.pairs_in_part, -(-self.length // cores)))
        self.part_count = -(-self.length // self.part_size)

    def parts(self, before: DataFrame | None = None) -> DataFrame:
        """Return the lines of all texts, one partition per part, sorted by line and text.

        Args:
            before: Rows with a column ``part``, to put at the beginning of that part.
        """
        from pyspark.sql import functions as f

        rows = [
            frame.select(
                f.expr(f"CAST(line DIV {self.part_size} AS INT)").alias("part"),
                "line",
                f.lit(side).alias("side"),
                "value",
            )
            for side, frame in enumerate(self._frames)
        ]
        union = reduce(lambda one, other: one.unionAll(other), rows)
        if before is not None:
            place = f.lit(BEFORE_LINES)
            marked = before.withColumns({"line": place.cast("bigint"), "side": place})
            union = union.unionByName(marked, allowMissingColumns=True)
        return union.repartitionById(self.part_count, "part").sortWithinPartitions("part", "line", "side")

    def mapped(
        self, function: Callable[[Part], Iterable[pa.RecordBatch]], schema: pa.Schema, before: DataFrame | None = None
    ) -> DataFrame:
        """Return the rows that *function* produces from each part."""
        return self._engine.mapped(self.parts(before), PartFunction(self.texts, function), schema)


def first_lines(engine: SparkEngine, text: Text, count: int) -> list[str]:
    """Return up to *count* lines from the beginning of *text*."""
    import pyarrow as pa

    with engine.explained():
        frame, value = _read(engine, text)
        rows = frame.select(value.cast("binary").alias("value")).limit(count).collect()
    return _lines(pa.array([row["value"] for row in rows], pa.binary()), text, 0)


def _read(engine: SparkEngine, text: Text) -> tuple[DataFrame, Column]:
    """Return the rows of *text*, and the column with its lines."""
    from pyspark.sql import functions as f

    path = literal(qualified(text.path))
    if not text.is_parquet:
        # Other characters that some programs treat as line ends are part of the line, as everywhere in paragauge.
        return engine.session.read.option("lineSep", "\n").text(path), f.col("value")
    frame = engine.session.read.parquet(path)
    if text.column not in frame.columns:
        raise DataError(f"there is no column {text.column!r}; known: {', '.join(frame.columns)}", path=text.path)
    return frame, f.col(f"`{text.column}`").cast("string")


def _numbered(engine: SparkEngine, text: Text) -> tuple[DataFrame, int]:
    """Return line (from 0) and value (bytes) of each row, and the number of rows."""
    from pyspark.sql import functions as f

    frame, value = _read(engine, text)
    file = f.col("_metadata.file_path").alias("file")
    if text.is_parquet:
        place, start = f.col("_metadata.row_index"), f.lit(0).cast("bigint")
    else:
        place, start = f.monotonically_increasing_id(), f.col("_metadata.file_block_start")
    rows = frame.select(file, start.alias("start"), place.alias("place"), value.cast("binary").alias("value"))
    counted = rows.groupBy("file", "start").agg(f.min("place").alias("first"), f.count("*").alias("lines")).collect()
    blocks = sorted(tuple(block) for block in counted)
    begins = accumulate((lines for *_, lines in blocks), initial=0)
    shifts = [(name, at, begin - first) for (name, at, first, _), begin in zip(blocks, begins, strict=False)]
    known = engine.session.createDataFrame(shifts, "file string, start bigint, shift bigint")
    lines = rows.join(f.broadcast(known), ["file", "start"]).select(
        (f.col("place") + f.col("shift")).alias("line"), "value"
    )
    return lines, sum(lines for *_, lines in blocks)


class PartFunction:
    """Wraps a function of parts as a function of a partition's batches, which Spark calls on a worker."""

    def __init__(self, texts: Sequence[Text], function: Callable[[Part], Iterable[pa.RecordBatch]]) -> None:
        self._texts = texts
        self._function = function

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        received = list(batches)
        if received:
            table = pa.Table.from_batches(received)
            if table.num_rows:
                yield from self._function(read_part(table, self._texts))


def read_part(table: pa.Table, texts: Sequence[Text]) -> Part:
    """Return a part from its rows, which are sorted by line and text."""
    import pyarrow.compute as pc

    first_line = pc.index(pc.not_equal(table.column("line"), BEFORE_LINES), True).as_py()
    before = table.slice(0, first_line).drop_columns(["line", "side", "value"])
    rows = table.slice(first_line)
    first = rows.column("line")[0].as_py()
    sides = len(texts)
    values = rows.column("value").combine_chunks()
    lines = [
        _lines(values.take(_every(side, sides, len(values))), text, first) for side, text in enumerate(texts)
    ]  # fmt: skip
    return Part(table.column("part")[0].as_py(), first, lines, before)


def _every(first: int, step: int, end: int) -> pa.Array:
    import numpy as np
    import pyarrow as pa

    return pa.array(np.arange(first, end, step))


def _lines(values: pa.BinaryArray, text: Text, first: int) -> list[str]:
    data: list[bytes | None] = values.to_pylist()
    lines = []
    for number, value in enumerate(data, start=first + 1):
        if value is None:
            raise DataError("the value is null, expected text", path=text.path, line=number)
        if number == 1:
            if value.startswith(_GZIP):
                raise DataError(
                    "the text looks like gzip data; rename it to end in .gz, so that Spark decompresses it",
                    path=text.path,
                )
            value = value.removeprefix(_BOM)
        lines.append(decode(value.removesuffix(b"\r"), text.path, number, text.encoding))
    return lines
