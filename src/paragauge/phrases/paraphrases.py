"""A paraphrase table: the paraphrases of each phrase with a score, best first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike
from paragauge.phrases import queries
from paragauge.phrases.table import Phrase, PhraseTable, phrase_text
from paragauge.resource import read_manifest, steadily, write_resource
from paragauge.storage import parts
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.seen import Seen, read_seen
from paragauge.storage.store import (
    Columns,
    ColumnSink,
    FolderSink,
    MemorySink,
    StringColumn,
    check_numbers,
    check_offsets,
    check_strings,
    open_columns,
    write_columns,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from paragauge import _core

KIND = "paraphrase-table"
FORMAT = 1

TYPES = {
    "phrase.text": "<u1",
    "phrase.offsets": "<i8",
    "phrase.rows": "<i8",
    "paraphrases": "<i4",
    "scores": "<f8",
}
_ROWS_IN_BATCH = 1 << 15


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A paraphrase and its score: p(e2|e1), or the score of the data that the table was made from."""

    text: str
    score: float


class ParaphraseTable:
    """Paraphrases by phrase.

    >>> table = ParaphraseTable.from_rows([("big", "large", 0.5), ("big", "great", 0.25)])
    >>> table["big"]
    [Paraphrase(text='large', score=0.5), Paraphrase(text='great', score=0.25)]
    >>> table.score("big", "great"), table.score("big", "small")
    (0.25, None)
    """

    def __init__(
        self,
        columns: Columns,
        *,
        options: Mapping[str, Any] | None = None,
        digest: str | None = None,
        seen: Seen | None = None,
    ) -> None:
        self.columns = columns
        self.options: Mapping[str, Any] = dict(options or {})
        self.digest = digest
        self.seen = seen

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> ParaphraseTable:
        """Open the table folder *path* by memory map; *verify* checks the digests of all files first.

        A table in parts, as a cluster writes it, is first converted to columns on disk.
        """
        manifest = read_manifest(path, KIND, newest_format=parts.FORMAT, verify=verify)
        names = parts.part_files(manifest)
        if names:
            batches = parts.as_schema(parts.read_parts(path, names), _loaded_schema())
            with parts.mapped_folder() as folder:
                columns = _loaded(batches, None, folder).columns
            return cls(columns, options=manifest.options, digest=manifest.digest())
        for name in TYPES:
            if f"{name}.npy" not in manifest.files:
                raise DataError(f"{name}.npy is missing; the paraphrase table is damaged", path=str(path))
        columns = open_columns(path, TYPES)
        phrases = len(columns["phrase.offsets"]) - 1
        if len(columns["phrase.rows"]) != phrases + 1 or len(columns["scores"]) != len(columns["paraphrases"]):
            raise DataError("the columns of the paraphrase table do not match; the table is damaged", path=str(path))
        check_strings("phrase", columns, str(path))
        check_offsets("phrase.rows", columns["phrase.rows"], len(columns["scores"]), str(path))
        check_numbers("paraphrases", columns["paraphrases"], phrases, str(path))
        seen = read_seen(path, manifest.files)
        return cls(columns, options=manifest.options, digest=manifest.digest(), seen=seen)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[Phrase, Phrase, float]],
        *,
        engine: EngineOptions | None = None,
        output: PathLike | None = None,
        options: Mapping[str, Any] | None = None,
        seen: Seen | None = None,
    ) -> ParaphraseTable:
        """Return the table of (phrase, paraphrase, score) rows; the best score of a repeated pair is kept."""
        return _loaded(_batches(rows), engine, output, options, seen)

    @classmethod
    def from_phrase_table(
        cls,
        table: PhraseTable,
        *,
        min_prob: float = 0.0,
        engine: EngineOptions | None = None,
        output: PathLike | None = None,
    ) -> ParaphraseTable:
        """Return the paraphrases of a monolingual phrase table, with p(e2|e1) of at least *min_prob*.

        A phrase is not a paraphrase of itself, but its pairs with itself count towards N(e1).

        >>> counts = {("big", "large"): 1, ("big", "big"): 3}
        >>> ParaphraseTable.from_phrase_table(PhraseTable.from_counts(counts))["big"]
        [Paraphrase(text='large', score=0.25)]
        """
        options = {**table.options, "min_prob": min_prob}
        return _loaded(_unequal_pairs(table, min_prob), engine, output, options, table.seen)

    def save(self, path: PathLike, *, licence: str | None = None) -> None:
        """Write the table to the folder *path*, whole or not at all."""
        with write_resource(path, KIND, format=FORMAT, options=self.options, licence=licence) as folder:
            write_columns(folder, self.columns, TYPES)
            if self.seen is not None:
                self.seen.write(folder)

    @cached_property
    def index(self) -> _core.PhraseIndex:
        """The native index of phrases."""
        from paragauge import _core

        return _core.PhraseIndex(self.columns["phrase.text"], self.columns["phrase.offsets"])

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.columns["scores"])

    def __contains__(self, phrase: Phrase) -> bool:
        return bool(len(self._row(self.find(phrase))))

    def find(self, phrase: Phrase) -> int:
        """Return the number of a phrase, or -1."""
        try:
            return self.index.find(phrase_text(phrase))
        except TypeError:  # half a character, which no phrase has
            return -1

    def __getitem__(self, phrase: Phrase) -> list[Paraphrase]:
        """Return the paraphrases of a phrase, best first; none for an unknown phrase."""
        return self.paraphrases(phrase)

    def paraphrases(
        self, phrase: Phrase, *, top: int | None = None, min_score: float | None = None
    ) -> list[Paraphrase]:
        """Return the paraphrases of a phrase, best first, at most *top* and none below *min_score*."""
        if top is not None and top < 1:
            raise OptionError(f"top must be at least 1, got {top}")
        row = self._row(self.find(phrase))
        row = row if top is None else row[:top]
        return [
            found
            for found in (self._paraphrase(place) for place in row)
            if min_score is None or found.score >= min_score
        ]

    def links(
        self,
        candidates: Sequence[Sequence[str]],
        references: Sequence[Sequence[str]],
        *,
        max_length: int,
        min_score: float | None = None,
        threads: int = 1,
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return where phrases of each candidate have a paraphrase in the reference at the same index.

        Returns:
            Rows of four numbers, one row after another (place in the candidate, in the reference, words there and
            there), and where the rows of each pair begin.
        """
        least = -math.inf if min_score is None else min_score
        return self.index.paraphrase_links(
            candidates, references, table=self._native, max_length=max_length, least=least, threads=threads
        )

    @cached_property
    def _native(self) -> _core.Paraphrases:
        from paragauge import _core

        columns = self.columns
        return _core.Paraphrases(rows=columns["phrase.rows"], numbers=columns["paraphrases"], scores=columns["scores"])

    def score(self, phrase: Phrase, paraphrase: Phrase) -> float | None:
        """Return the score of a pair, None if the pair is not in the table."""
        import numpy as np

        row, other = self._row(self.find(phrase)), self.find(paraphrase)
        found = np.flatnonzero(self.columns["paraphrases"][row.start : row.stop] == other)
        return float(self.columns["scores"][row.start + found[0]]) if other >= 0 and len(found) else None

    def phrase(self, number: int) -> str:
        """Return the text of the phrase *number*."""
        return self._text(number)

    def phrases(self) -> Iterator[str]:
        """Yield the phrases that have paraphrases, in byte order."""
        for number in range(len(self.columns["phrase.offsets"]) - 1):
            if self._row(number):
                yield self._text(number)

    def __iter__(self) -> Iterator[tuple[str, Paraphrase]]:
        """Yield all pairs, by phrase in byte order, then by decreasing score."""
        for number in range(len(self.columns["phrase.offsets"]) - 1):
            row = self._row(number)
            phrase = self._text(number) if row else ""
            for place in row:
                yield phrase, self._paraphrase(place)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParaphraseTable):
            return NotImplemented
        import numpy as np

        return all(np.array_equal(self.columns[name], other.columns[name]) for name in TYPES)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<ParaphraseTable: {len(self):,} paraphrases>"

    def _row(self, number: int) -> range:
        if number < 0:
            return range(0)
        begin, end = self.columns["phrase.rows"][number : number + 2].tolist()
        return range(begin, end)

    def _text(self, number: int) -> str:
        begin, end = self.columns["phrase.offsets"][number : number + 2].tolist()
        return self.columns["phrase.text"][begin:end].tobytes().decode("utf-8")

    def _paraphrase(self, place: int) -> Paraphrase:
        return Paraphrase(self._text(int(self.columns["paraphrases"][place])), float(self.columns["scores"][place]))


def _loaded(
    batches: Iterable[pa.RecordBatch],
    engine: EngineOptions | None,
    output: PathLike | None,
    options: Mapping[str, Any] | None = None,
    seen: Seen | None = None,
) -> ParaphraseTable:
    with Engine(engine) as running:
        running.run_over("incoming", _loaded_schema(), batches, "CREATE TABLE loaded AS SELECT * FROM incoming")
        running.run(queries.NUMBER_LOADED_PHRASES)
        running.run(queries.NUMBER_LOADED_PARAPHRASES)
        return write_paraphrases(running, None, output, options, seen)


def _loaded_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("phrase", pa.large_string()), ("paraphrase", pa.large_string()), ("p", pa.float64())])


def _batches(rows: Iterable[tuple[Phrase, Phrase, float]]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    schema = _loaded_schema()
    iterator = iter(rows)
    while block := list(islice(iterator, _ROWS_IN_BATCH)):
        phrases, paraphrases, scores = zip(*block, strict=True)
        columns = [list(map(phrase_text, phrases)), list(map(phrase_text, paraphrases)), scores]
        yield pa.RecordBatch.from_arrays(
            [pa.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
        )


def _unequal_pairs(table: PhraseTable, min_prob: float) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa
    import pyarrow.compute as pc

    schema = _loaded_schema()
    for batch in table.pair_batches():
        p = batch.column("count").to_numpy() / batch.column("source_total").to_numpy()
        columns = [batch.column("source"), batch.column("target"), pa.array(p)]
        wanted = pc.and_(pc.not_equal(columns[0], columns[1]), pa.array(p >= min_prob))
        yield pa.RecordBatch.from_arrays(columns, schema=schema).filter(wanted)


def write_paraphrases(
    running: Engine,
    top: int | None,
    output: PathLike | None,
    options: Mapping[str, Any] | None,
    seen: Seen | None = None,
) -> ParaphraseTable:
    """Return the table of the engine's relations ``phrases`` and ``paraphrases``, written to *output* if given."""
    running.run(queries.NUMBER_USED_PHRASES)
    running.run(queries.RENUMBER_PARAPHRASES)
    for statement in queries.REPLACE_PARAPHRASES:
        running.run(statement)
    if output is None:
        return ParaphraseTable(_write(running, MemorySink(TYPES), top), options=options, seen=seen)
    with (
        write_resource(output, KIND, format=FORMAT, options=options) as folder,
        closing(FolderSink(folder, TYPES)) as sink,
    ):
        _write(running, sink, top)
        if seen is not None:
            seen.write(folder)
    return ParaphraseTable.open(output, verify=False)  # written just now


def _write(running: Engine, sink: ColumnSink, top: int | None) -> Columns:
    import numpy as np

    phrases = StringColumn(sink, "phrase")
    for batch in running.stream(queries.SORTED_USED_PHRASES):
        phrases.append(batch.column("phrase"))
    counts: NDArray[np.int64] = np.zeros(phrases.count, dtype=np.int64)
    for batch in running.stream(queries.sorted_paraphrases(top)):
        counts += np.bincount(batch.column("phrase").to_numpy(), minlength=phrases.count)
        sink.append("paraphrases", batch.column("paraphrase").to_numpy())
        sink.append("scores", batch.column("p").to_numpy())
    sink.append("phrase.rows", np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))
    return sink.finish(TYPES)
