"""Columns of a compact table: those that others imply are not stored in its folder, but computed on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError
from paragauge.storage.store import Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

DERIVED = ("pairs.source", "target.rows", "pairs.by_target")


class DerivedColumns(Mapping[str, "NDArray[Any]"]):
    """Stored columns, and columns derived from them; each is computed once."""

    def __init__(self, stored: Columns) -> None:
        self._columns = dict(stored)
        self._names = tuple(dict.fromkeys((*stored, *DERIVED)))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._columns and name in DERIVED:
            self._derive(name)
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _derive(self, name: str) -> None:
        import numpy as np

        from paragauge import _core

        columns = self._columns
        try:
            if name == "pairs.source":
                rows = columns["source.rows"]
                columns[name] = np.repeat(np.arange(len(rows) - 1, dtype=np.int32), np.diff(rows))
            else:
                columns["target.rows"], columns["pairs.by_target"] = _core.invert_pairs(
                    columns["pairs.target"], columns["pairs.counts"], len(columns["target.totals"])
                )
        except ValueError as error:
            raise DataError(f"the columns of the phrase table do not match ({error}); the table is damaged") from error
