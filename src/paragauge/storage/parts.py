"""Tables in parts: sorted rows as text in several Parquet files, as a cluster writes them.

``parts/part-00000.parquet`` and so on hold the sorted rows of a table one after another. Local tools open such a folder
like any table; a folder of columns converted from it (``paragauge table PARTS -o TABLE``) opens much faster.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.resource import Manifest
from paragauge.temporary import scratch_folder

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "parts"
FORMAT = 2  # format of all resources in parts; format 1 is columns
_ROWS_IN_BATCH = 1 << 16


def part_name(number: int) -> str:
    """Return the name of a part, from 0; names sort in the order of the parts."""
    return f"part-{number:05}.parquet"


def part_files(manifest: Manifest) -> list[str]:
    """Return the parts of a resource in order; none if it is not in parts."""
    return sorted(name for name in manifest.files if name.startswith(f"{FOLDER}/") and name.endswith(".parquet"))


def read_parts(path: PathLike, names: Sequence[str], columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all parts, with these *columns* or all columns."""
    import pyarrow.parquet as pq

    for name in names:
        with part_errors(path, name), pq.ParquetFile(Path(path) / name) as file:
            yield from file.iter_batches(columns=columns, batch_size=_ROWS_IN_BATCH)


def part_columns(path: PathLike, name: str) -> list[str]:
    """Return the names of the columns of a part."""
    import pyarrow.parquet as pq

    with part_errors(path, name):
        return list(pq.read_schema(Path(path) / name).names)


def count_rows(path: PathLike, names: Sequence[str]) -> int:
    """Return the number of rows in all parts, without reading them."""
    import pyarrow.parquet as pq

    total = 0
    for name in names:
        with part_errors(path, name):
            total += pq.read_metadata(Path(path) / name).num_rows
    return total


def as_schema(batches: Iterator[pa.RecordBatch], schema: pa.Schema, **constants: int) -> Iterator[pa.RecordBatch]:
    """Yield batches with the columns and types of *schema*; *constants* are columns that the parts lack."""
    import numpy as np
    import pyarrow as pa

    for batch in batches:
        try:
            columns = [
                pa.array(np.full(batch.num_rows, constants[field.name]))
                if field.name in constants
                else batch.column(field.name).cast(field.type)
                for field in schema
            ]
        except (pa.ArrowException, KeyError) as error:
            raise DataError(f"a part does not have the columns of the table ({error}); it is damaged") from error
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


@contextlib.contextmanager
def mapped_folder() -> Iterator[Path]:
    """Yield the path of a temporary folder of columns, deleted after the block; mapped columns stay valid."""
    with scratch_folder() as folder:
        yield Path(folder) / "columns"


@contextlib.contextmanager
def part_errors(path: PathLike, name: str) -> Iterator[None]:
    """Turn Arrow's errors about a damaged file into an error that names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, KeyError, UnicodeDecodeError) as error:
        raise DataError(f"{name} cannot be read ({error}); the file is damaged", path=os.fspath(path)) from error
