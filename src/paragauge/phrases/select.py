"""Selecting pairs of a phrase table by criteria that `Pruning` does not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paragauge.phrases.table import PhraseTable
from paragauge.storage.store import string_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def select_pairs(table: PhraseTable, keep: NDArray[np.bool_]) -> PhraseTable:
    """Return *table* with only the pairs where *keep* is true, in table order; N(e) and N(f) do not change.

    Phrases without any pair and optional columns are dropped.
    """
    import numpy as np
    import pyarrow as pa

    from paragauge import _core

    columns: dict[str, NDArray[Any]] = {"pairs.counts": table.columns["pairs.counts"][keep]}
    for side in ("source", "target"):
        used, numbers = np.unique(table.columns[f"pairs.{side}"][keep], return_inverse=True)
        columns[f"pairs.{side}"] = numbers.astype(np.int32)
        text, offsets = string_arrays(table.strings(side).take(pa.array(used)))
        columns[f"{side}.text"], columns[f"{side}.offsets"] = text.copy(), offsets.copy()
        columns[f"{side}.totals"] = table.columns[f"{side}.totals"][used]
    sources = np.arange(len(columns["source.totals"]) + 1)
    columns["source.rows"] = np.searchsorted(columns["pairs.source"], sources).astype(np.int64)
    targets = len(columns["target.totals"])
    columns["target.rows"], columns["pairs.by_target"] = _core.invert_pairs(
        columns["pairs.target"], columns["pairs.counts"], targets
    )
    return PhraseTable(columns, options=table.options)


def words_of_phrases(table: PhraseTable) -> NDArray[np.int64]:
    """Return the number of words of each source phrase of *table*."""
    import numpy as np

    columns = table.columns
    spaces = np.concatenate([np.zeros(1, np.int64), np.cumsum(columns["source.text"] == ord(" "))])
    offsets = columns["source.offsets"]
    words: NDArray[np.int64] = spaces[offsets[1:]] - spaces[offsets[:-1]] + 1
    return words
