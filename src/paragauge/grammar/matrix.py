"""Features of rules as numbers: one row for each rule, one column for each feature.

A folder keeps them in ``features.npy``, in the order of ``rules.parquet``, and the names in its manifest; the column
``rules.row`` of the index says which row belongs to which rule. The decoder reads the matrix as it is, memory-mapped.
What follows from the text of a rule, such as its number of words, is not stored: the decoder computes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from paragauge.errors import DataError
from paragauge.grammar.files import TEXT_COLUMNS
from paragauge.io import PathLike
from paragauge.resource import Manifest
from paragauge.storage.store import open_array, open_columns, string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

FEATURES_FILE = "features.npy"
ROW_TYPE = {"rules.row": "<i8"}  # not in folders of earlier versions
MOST_FEATURES = 256  # different names; with more, such as one feature for each rule, there is no matrix
_VALUE = "<f4"
_COPIED_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class RuleFeatures:
    """The features of rules as numbers.

    Attributes:
        names: Name of each column.
        values: One row per rule, as the rules were given; 0 for a feature that a rule does not have.
        rows: Which row each rule of the index has.
        too_many: Number of different names if they are too many for columns; otherwise 0.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]
    rows: NDArray[np.int64]
    too_many: int = 0


class _Columns:
    """Batches of rules as rows of numbers. Names that later batches bring are added to the right."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._numeric = [name for name in columns if name not in TEXT_COLUMNS]
        self._has_text = "features" in columns
        self.names = ["Count" if name == "count" else name for name in self._numeric]
        self.too_many = 0

    def rows(self, batch: pa.RecordBatch) -> NDArray[np.float32]:
        """Return the features of a batch."""
        import numpy as np

        from paragauge import _core

        if self._has_text:
            self.names, flat = _core.feature_table(string_arrays(batch.column("features")), self.names)
            values = flat.reshape(batch.num_rows, len(self.names))
        else:
            values = np.zeros((batch.num_rows, len(self.names)), np.float32)
        if len(self.names) > MOST_FEATURES:
            self.too_many = len(self.names)
        for place, name in enumerate(self._numeric):
            values[:, place] = np.nan_to_num(batch.column(name).to_numpy(zero_copy_only=False).astype(np.float32))
        return values


class FeatureCollector:
    """Collects features in memory."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = _Columns(columns)
        self._blocks: list[NDArray[np.float32]] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the features of a batch of rules."""
        if not self._columns.too_many:
            self._blocks.append(self._columns.rows(batch))

    def collected(self, rows: NDArray[np.int64]) -> RuleFeatures:
        """Return all features; *rows* says which row each rule of the index has."""
        import numpy as np

        if self._columns.too_many:
            return RuleFeatures((), np.zeros((0, 0), np.float32), rows, self._columns.too_many)
        width = len(self._columns.names)
        wide = [np.zeros((0, width), np.float32), *(_widened(block, width) for block in self._blocks)]
        return RuleFeatures(tuple(self._columns.names), np.concatenate(wide), rows)


class MatrixWriter:
    """Writes features to a file as they come, so that memory holds one batch at a time."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path = path
        self._columns = _Columns(columns)
        self._file: BinaryIO = path.open("w+b")
        self._file.write(_header(0, 0))
        self._blocks: list[tuple[int, int]] = []  # rows and columns of each

    def __enter__(self) -> MatrixWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, batch: pa.RecordBatch) -> None:
        """Write the features of a batch of rules."""
        if self._columns.too_many:
            return
        values = self._columns.rows(batch)
        self._file.write(values.astype(_VALUE, copy=False).tobytes())
        self._blocks.append(values.shape)

    def finish(self) -> list[str] | None:
        """Complete the file, and return the names; if there are too many of them, remove the file."""
        if self._columns.too_many:
            self._file.close()
            self._path.unlink()
            return None
        names = self._columns.names
        if any(width != len(names) for _, width in self._blocks):
            self._widen(len(names))
        self._file.seek(0)
        self._file.write(_header(sum(rows for rows, _ in self._blocks), len(names)))
        self._file.close()
        return names

    def _widen(self, width: int) -> None:
        """Write the file again with room for the names that were not known at the beginning."""
        import numpy as np

        narrow = self._path.with_suffix(".narrow")
        self._file.close()
        self._path.rename(narrow)
        self._file = self._path.open("w+b")
        self._file.write(_header(0, 0))
        with narrow.open("rb") as old:
            old.seek(len(_header(0, 0)))
            for rows, columns in self._blocks:
                for first in range(0, rows, _COPIED_AT_ONCE):
                    count = min(_COPIED_AT_ONCE, rows - first)
                    block = np.frombuffer(old.read(4 * count * columns), _VALUE).reshape(count, columns)
                    self._file.write(_widened(block, width).tobytes())
        narrow.unlink()


def _widened(block: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    import numpy as np

    return np.pad(block, ((0, 0), (0, width - block.shape[1])))


def _header(rows: int, columns: int) -> bytes:
    """Return the header of an .npy file, always 128 bytes, so that it can be replaced."""
    text = f"{{'descr': {_VALUE!r}, 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + text.encode().ljust(117) + b"\n"


def open_matrix(path: PathLike, manifest: Manifest, rules: int) -> RuleFeatures | None:
    """Return the features of a grammar folder, memory-mapped; None if an earlier version wrote it."""
    names: Any = manifest.options.get("features")
    if FEATURES_FILE not in manifest.files or "rules.row.npy" not in manifest.files:
        return None
    values = open_array(Path(path) / FEATURES_FILE, _VALUE, 2)
    if (
        not isinstance(names, list)
        or not all(isinstance(name, str) for name in names)
        or values.shape != (rules, len(names))
    ):
        raise DataError(
            f"{FEATURES_FILE} does not fit the rules; the grammar is damaged: create it again", path=str(path)
        )
    return RuleFeatures(tuple(names), values, open_columns(path, ROW_TYPE)["rules.row"])
