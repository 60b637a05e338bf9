"""A phrase table with some of its pairs left out: by what they are, where `Pruning` is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paragauge.phrases.table import PhraseTable
from paragauge.storage.store import string_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def select_pairs(table: PhraseTable, keep: NDArray[np.bool_]) -> PhraseTable:
    """Return the *table* with the pairs that *keep* says, in the order of the table; N(e) and N(f) stay as they were.

    Phrases without any pair go; optional columns are left behind.
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
    """Return for each source phrase of a *table* how many words it has."""
    import numpy as np

    columns = table.columns
    spaces = np.concatenate([np.zeros(1, np.int64), np.cumsum(columns["source.text"] == ord(" "))])
    offsets = columns["source.offsets"]
    words: NDArray[np.int64] = spaces[offsets[1:]] - spaces[offsets[:-1]] + 1
    return words
