"""Distributional similarity of the two sides of rules, like PPDB's AGigaSim: the cosine of their contexts in a text.

A phrase is described by the words up to two places before it and after it, each with its place, weighted by positive
pointwise mutual information:

    weight(phrase, c) = max(0, ln(N(phrase, c) N / (N(phrase) N(c))))

PPDB counted contexts in the Annotated Gigaword, with tags, lemmas and dependencies, and approximated the cosine by
hashing; this is the same idea on words alone, computed exactly. Rules with nonterminals, and phrases that the text does
not contain, have a similarity of 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from paragauge.grammar.grammar import Grammar
from paragauge.io import PathLike, read_lines
from paragauge.progress import Counter, Progress
from paragauge.storage.store import string_arrays
from paragauge.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

SIMILARITY = "AGigaSim"
SIMILARITY_OPTION = "similarity"  # of the manifest: the text
PLACES = (-2, -1, 1, 2)
EDGE = "</s>"  # before the first word of a sentence, and after the last
_SENTENCES_IN_BATCH = 1 << 13
_PAIRS_IN_BATCH = 1 << 16
_BASE = 0x9E3779B97F4A7C15


class ContextVectors:
    """Weighted contexts of phrases in a text.

    >>> text = ["a big dog barks", "a large dog barks", "the sun shines", "a big dog sleeps"]
    >>> vectors = ContextVectors(["big", "large", "sun"], text)
    >>> [round(vectors.cosine("big", other), 3) for other in ("big", "large", "sun", "moon")]
    [1.0, 0.256, 0.0, 0.0]
    """

    def __init__(self, phrases: Iterable[str], text: Iterable[str], progress: Progress | None = None) -> None:
        self._rows = Vocabulary.of(dict.fromkeys(phrases))
        self._words = Vocabulary.of([EDGE])
        self._matrix = self._weighted(self._counted(text, Counter(progress, None, "sentences")))

    def numbers(self, phrases: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each phrase, -1 for others."""
        import numpy as np

        return np.array([self._rows.get(phrase, -1) for phrase in phrases], dtype=np.int64)

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of the contexts of two phrases."""
        return float(self.cosines(self.numbers([one]), self.numbers([other]))[0])

    def cosines(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosines of pairs of rows; 0 for unknown phrases."""
        import numpy as np

        found = np.zeros(len(one))
        known = np.flatnonzero((one >= 0) & (other >= 0))
        for begin in range(0, len(known), _PAIRS_IN_BATCH):
            places = known[begin : begin + _PAIRS_IN_BATCH]
            products = self._matrix[one[places]].multiply(self._matrix[other[places]])
            found[places] = np.asarray(products.sum(axis=1)).ravel()
        return np.clip(found, 0.0, 1.0)

    def _counted(self, text: Iterable[str], done: Counter) -> Any:
        import numpy as np
        from scipy.sparse import coo_array

        by_length: dict[int, tuple[NDArray[np.uint64], NDArray[np.int64]]] = {}
        lengths: dict[int, list[tuple[list[int], int]]] = {}
        for phrase, row in self._rows.items():
            words = [self._words[word] for word in phrase.split()]
            lengths.setdefault(len(words), []).append((words, row))
        for length, found in lengths.items():
            ids = np.array([words for words, _ in found], dtype=np.int64).reshape(len(found), length)
            keys = _keys(ids.ravel(), length)[::length] if length else np.empty(0, np.uint64)
            order = np.argsort(keys)
            by_length[length] = keys[order], np.array([row for _, row in found], dtype=np.int64)[order]
        total = None
        lines = iter(text)
        while block := list(islice(lines, _SENTENCES_IN_BATCH)):
            rows, columns = self._occurrences(block, by_length)
            ones = np.ones(len(rows), dtype=np.int64)
            # Columns come in fours for each word, so that words that are met later only add columns.
            shape = (len(self._rows), len(PLACES) * len(self._words))
            counts = coo_array((ones, (rows, columns)), shape=shape).tocsr()
            if total is not None:
                total.resize(shape)
                counts = counts + total
            total = counts
            done.advance(len(block))
        return total

    def _occurrences(
        self, block: Sequence[str], by_length: dict[int, tuple[NDArray[np.uint64], NDArray[np.int64]]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of the phrases that occur, and the columns of their contexts."""
        import numpy as np

        edge = [0] * 2  # enough for every place
        ids: list[int] = [*edge]
        ends: list[int] = []
        for line in block:
            ids += [self._words[word] for word in line.split()]
            ids += edge
            ends.append(len(ids))
        words = np.array(ids, dtype=np.int64)
        rows, columns = [], []
        for length, (keys, numbers) in by_length.items():
            if not length or len(words) < length or not len(keys):
                continue
            here = _keys(words, length)
            places = np.minimum(np.searchsorted(keys, here), len(keys) - 1)
            starts = np.flatnonzero(keys[places] == here)
            # A run across the edge of a sentence contains the word of the edge, which no phrase does.
            row = numbers[places[starts]]
            for number, place in enumerate(PLACES):
                context = words[starts + (place if place < 0 else length - 1 + place)]
                rows.append(row)
                columns.append(context * len(PLACES) + number)
        if not rows:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        return np.concatenate(rows), np.concatenate(columns)

    def _weighted(self, counts: Any) -> Any:
        """Return rows of length one, weighted by positive pointwise mutual information."""
        import numpy as np
        from scipy.sparse import coo_array, csr_array

        if counts is None or not counts.nnz:
            return csr_array((len(self._rows), 1))
        found = counts.tocoo()
        of_row, of_column = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
        values = np.log(found.data * float(of_row.sum()) / (of_row[found.row] * of_column[found.col].astype(float)))
        kept = values > 0
        squares = np.bincount(found.row[kept], values[kept] ** 2, minlength=counts.shape[0])
        values = values[kept] / np.sqrt(squares[found.row[kept]])
        return coo_array((values, (found.row[kept], found.col[kept])), shape=counts.shape).tocsr()


def _keys(ids: NDArray[np.int64], length: int) -> NDArray[np.uint64]:
    """Return a key of each run of *length* numbers; 64 bits tell different runs apart."""
    import numpy as np

    plain = (ids + 1).astype(np.uint64)
    keys = np.zeros(max(len(ids) - length + 1, 0), dtype=np.uint64)
    for place in range(length):
        keys = (keys * np.uint64(_BASE)) + plain[place : place + len(keys)]
        keys ^= keys >> np.uint64(29)
    return keys


def with_similarity_field(schema: pa.Schema) -> pa.Schema:
    """Return the schema of rules with their similarity."""
    import pyarrow as pa

    return schema.append(pa.field(SIMILARITY, pa.float64()))


def with_similarity(
    grammar: Grammar,
    text: PathLike,
    *,
    encoding: str = "utf-8",
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return the grammar with the similarity of both sides in *text*, one tokenised sentence per line, as a column."""
    import pyarrow as pa

    from paragauge import _core

    def plain_sides() -> Iterator[str]:
        for batch in grammar.batches(["source", "target"]):
            sides = [batch.column(name).cast(pa.large_string()) for name in ("source", "target")]
            plain = _core.rule_classes(string_arrays(sides[0])) < 2
            for side in sides:
                yield from side.filter(pa.array(plain)).to_pylist()

    vectors = ContextVectors(plain_sides(), read_lines(text, encoding=encoding), progress)
    columns = (*grammar.columns, SIMILARITY)

    def batches(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        names = list(columns if wanted is None else wanted)
        needed = list(dict.fromkeys([*(name for name in names if name != SIMILARITY), "source", "target"]))
        for batch in grammar.batches(needed):
            if SIMILARITY in names:
                numbers = [vectors.numbers(batch.column(name).to_pylist()) for name in ("source", "target")]
                batch = batch.append_column(SIMILARITY, pa.array(vectors.cosines(*numbers)))
            yield batch.select(names)

    options = {**grammar.options, SIMILARITY_OPTION: str(text)}
    made = Grammar(batches, columns, options=options, size=grammar.known_size, name=grammar.name, seen=grammar.seen)
    return made if output is None else made.save(output, progress=progress)
