"""A phrase table: counts of phrase pairs, looked up by phrase.

N(e, f) is how often the source phrase e and the target phrase f were extracted together, N(e) and N(f) how often each
was extracted at all. Probabilities are computed from them: p(f|e) = N(e, f) / N(e) and p(e|f) = N(e, f) / N(f).
Pruning drops pairs without changing N(e) and N(f); merging adds up all three.

On disk a table is a folder of columns (docs/formats.md): phrases sorted in byte order, pairs sorted by source and
decreasing count. Opening maps the columns into memory, looking up a phrase is a binary search, and any number of
processes share the same pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.align.alignment import Alignment
from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.phrases import queries
from paragauge.phrases.build import (
    COLUMN_TYPES,
    OPTIONAL_TYPES,
    PairRow,
    Pruning,
    TableBuilder,
    batches_of_rows,
    column_types,
    loaded_schema,
)
from paragauge.phrases.derived import DERIVED, DerivedColumns
from paragauge.resource import read_manifest, steadily, write_resource
from paragauge.storage import parts
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.seen import Seen, read_seen
from paragauge.storage.store import (
    Columns,
    ColumnSink,
    FolderSink,
    MemorySink,
    arrow_strings,
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

KIND = "phrase-table"
FORMAT = 1

PAIRS_IN_BLOCK = 1 << 16  # as text is written

_BY_TARGET = ("target.rows", "pairs.by_target")

Phrase: TypeAlias = str | Sequence[str]  # "put forth" or ("put", "forth")


def phrase_text(phrase: Phrase) -> str:
    """Return a phrase in the form used in tables: words separated by single spaces."""
    return " ".join(phrase.split() if isinstance(phrase, str) else phrase)


@dataclass(frozen=True, slots=True)
class PhrasePair:
    """A source and a target phrase with their counts and weights.

    Attributes:
        source: Source phrase, e.
        target: Target phrase, f.
        count: Joint count, N(e, f).
        source_count: Count of the source phrase, N(e), including pruned pairs.
        target_count: Count of the target phrase, N(f), likewise.
        direct_lexical: Lexical weight of the target given the source.
        inverse_lexical: Lexical weight of the source given the target.
        alignment: Word links inside the pair, ``0-0 1-1``.
    """

    source: str
    target: str
    count: int
    source_count: int
    target_count: int
    direct_lexical: float | None = None
    inverse_lexical: float | None = None
    alignment: str | None = None

    @property
    def probability(self) -> float:
        """p(f|e) = N(e, f) / N(e)."""
        return self.count / self.source_count

    @property
    def inverse_probability(self) -> float:
        """p(e|f) = N(e, f) / N(f)."""
        return self.count / self.target_count

    def inverted(self) -> PhrasePair:
        """Return the same pair with source and target exchanged."""
        return PhrasePair(
            self.target, self.source, self.count, self.target_count, self.source_count,
            self.inverse_lexical, self.direct_lexical, None if self.alignment is None else _turned(self.alignment),
        )  # fmt: skip


def _turned(alignment: str) -> str:
    return Alignment.from_pharaoh(alignment).inverted().to_pharaoh()


class PhraseTable:
    """Phrase pairs with their counts, by source phrase; `inverted` gives the view by target phrase.

    >>> table = PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1, ("house", "chambre"): 1})
    >>> table.probabilities("house")
    {'maison': 0.75, 'chambre': 0.25}
    >>> table["house"]["maison"].inverse_probability
    0.75
    >>> table.inverted().probabilities("maison")
    {'house': 0.75, 'home': 0.25}
    """

    def __init__(
        self,
        columns: Columns,
        *,
        options: Mapping[str, Any] | None = None,
        digest: str | None = None,
        flip: bool = False,
        seen: Seen | None = None,
    ) -> None:
        self.columns = columns
        self.options: Mapping[str, Any] = dict(options or {})
        self.digest = digest
        self.seen = seen
        self._flip = flip
        self._near, self._far = ("target", "source") if flip else ("source", "target")

    # Making tables

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> PhraseTable:
        """Open the table folder *path* by memory map; parts from a cluster are first converted to columns on disk.

        Args:
            path: Folder of the table.
            verify: Check the digests of all files first, which means reading them; lengths, offsets and numbers are
                always checked.

        Raises:
            FileError: There is no such folder.
            DataError: The folder is not a phrase table, or the table is too new or damaged.
        """
        manifest = read_manifest(path, KIND, newest_format=parts.FORMAT, verify=verify)
        names = parts.part_files(manifest)
        if names:
            return cls(_columns_of_parts(path, names), options=manifest.options, digest=manifest.digest())
        optional = [
            name for name, types in OPTIONAL_TYPES.items() if all(f"{key}.npy" in manifest.files for key in types)
        ]
        types = column_types(optional)
        missing = [name for name in COLUMN_TYPES if f"{name}.npy" not in manifest.files]
        for name in missing:
            if name not in DERIVED:
                raise DataError(f"{name}.npy is missing; the phrase table is damaged", path=str(path))
        columns: Columns = open_columns(path, {name: types[name] for name in types if name not in missing})
        _check_columns(columns, str(path))
        if missing:
            columns = DerivedColumns(columns)
        seen = read_seen(path, manifest.files)
        return cls(columns, options=manifest.options, digest=manifest.digest(), seen=seen)

    @classmethod
    def from_counts(cls, counts: Mapping[tuple[Phrase, Phrase], int]) -> PhraseTable:
        """Return the table of these joint counts, given by source and target phrase."""
        rows: list[PairRow] = []
        for (source, target), count in counts.items():
            if count < 1:
                raise DataError(f"the count of {source!r}, {target!r} is {count}, expected at least 1")
            rows.append((phrase_text(source), phrase_text(target), count, None, None, None, None, None))
        return cls.from_rows(rows, totals=False)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[PairRow],
        *,
        optional: Sequence[str] = (),
        totals: bool = True,
        pruning: Pruning | None = None,
        engine: EngineOptions | None = None,
        output: PathLike | None = None,
        options: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str] | None = None,
    ) -> PhraseTable:
        """Return the table of *rows*, each pair once, with or without totals; see `build_table` for the rest."""
        batches = batches_of_rows(rows, loaded_schema(optional, totals))
        return build_table(
            lambda builder, kept: builder.add(batches, kept, totals=totals), optional, pruning=pruning, engine=engine,
            output=output, options=options, inputs=inputs,
        )  # fmt: skip

    def save(self, path: PathLike, *, licence: str | None = None, compact: bool = False) -> None:
        """Write the table to the folder *path*, whole or not at all.

        A *compact* folder, a third smaller, omits the columns that follow from others; they are computed on demand, for
        instance by `inverted`. It also omits the digests of the sentences that the table was made from.
        """
        table = self._materialised() if self._flip else self
        with write_resource(path, KIND, format=FORMAT, options=self.options, licence=licence) as folder:
            types = column_types(table.optional_columns)
            write_columns(
                folder, table.columns, {name: types[name] for name in types if not compact or name not in DERIVED}
            )
            if self.seen is not None and not compact:
                self.seen.write(folder)

    def prune(
        self,
        *,
        min_count: int = 1,
        min_prob: float = 0.0,
        top: int | None = None,
        engine: EngineOptions | None = None,
        output: PathLike | None = None,
    ) -> PhraseTable:
        """Return the table without pairs that are below *min_count* or *min_prob* (p(f|e)), or not among the *top*."""
        pruning = Pruning(min_count=min_count, min_prob=min_prob, top=top)
        return merge_tables([self], pruning=pruning, engine=engine, output=output)

    def inverted(self) -> PhraseTable:
        """Return the same table by target phrase, as a view without copying."""
        return PhraseTable(self.columns, options=self.options, digest=self.digest, flip=not self._flip, seen=self.seen)

    def _materialised(self) -> PhraseTable:
        return merge_tables([self])

    # Looking up

    @property
    def is_inverted(self) -> bool:
        """Whether this is a view by target phrase, whose columns have the two sides exchanged."""
        return self._flip

    @property
    def optional_columns(self) -> tuple[str, ...]:
        """The optional columns that the table has: direct_lexical, inverse_lexical, alignment."""
        return tuple(name for name, types in OPTIONAL_TYPES.items() if all(key in self.columns for key in types))

    @property
    def source_phrases(self) -> int:
        """The number of different source phrases."""
        return len(self._column(self._near, "totals"))

    @property
    def target_phrases(self) -> int:
        """The number of different target phrases."""
        return len(self._column(self._far, "totals"))

    @cached_property
    def total(self) -> int:
        """The sum of N(e) over all source phrases."""
        return int(self._column(self._near, "totals").sum())

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.columns["pairs.counts"])

    def __contains__(self, phrase: Phrase) -> bool:
        return self.find(phrase) >= 0

    def __getitem__(self, phrase: Phrase) -> dict[str, PhrasePair]:
        """Return the pairs of a source phrase by target; none for an unknown phrase."""
        return {pair.target: pair for pair in self.lookup(phrase)}

    def find(self, phrase: Phrase) -> int:
        """Return the number of a source phrase in the order of the table, or -1."""
        return self.index.find(phrase_text(phrase))

    def count(self, phrase: Phrase) -> int:
        """Return N(e), 0 for an unknown phrase."""
        number = self.find(phrase)
        return int(self._column(self._near, "totals")[number]) if number >= 0 else 0

    def probabilities(self, phrase: Phrase) -> dict[str, float]:
        """Return p(f|e) by target phrase, most probable first; none for an unknown phrase."""
        number = self.find(phrase)
        if number < 0:
            return {}
        places = self._places(number)
        numbers = self.columns[f"pairs.{self._far}"][places].tolist()
        counts = self.columns["pairs.counts"][places].tolist()
        total = int(self._column(self._near, "totals")[number])
        return {self.target(far): count / total for far, count in zip(numbers, counts, strict=True)}

    def lookup(self, phrase: Phrase) -> list[PhrasePair]:
        """Return the pairs of a source phrase, most frequent first; none for an unknown phrase."""
        number = self.find(phrase)
        return [] if number < 0 else self._pairs(number)

    def source(self, number: int) -> str:
        """Return the text of a source phrase by its number."""
        return self._text(self._near, number)

    def target(self, number: int) -> str:
        """Return the text of a target phrase by its number."""
        return self._text(self._far, number)

    def row(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the target phrases of a source phrase, by number, and the counts of the pairs, in decreasing order."""
        places = self._places(number)
        return self.columns[f"pairs.{self._far}"][places], self.columns["pairs.counts"][places]

    def source_counts(self) -> NDArray[np.int64]:
        """Return N(e) of all source phrases, by number."""
        return self._column(self._near, "totals")

    def target_counts(self) -> NDArray[np.int64]:
        """Return N(f) of all target phrases, by number."""
        return self._column(self._far, "totals")

    def __iter__(self) -> Iterator[PhrasePair]:
        """Yield all pairs, by source phrase in byte order, then by decreasing count."""
        for number in range(self.source_phrases):
            yield from self._pairs(number)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PhraseTable):
            return NotImplemented
        import numpy as np

        one, two = (table._materialised() if table._flip else table for table in (self, other))
        return one.columns.keys() == two.columns.keys() and all(
            np.array_equal(one.columns[name], two.columns[name]) for name in one.columns
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<PhraseTable: {len(self):,} pairs of {self.source_phrases:,} source and "
            f"{self.target_phrases:,} target phrases>"
        )

    @cached_property
    def index(self) -> _core.PhraseIndex:
        """The native index of source phrases."""
        from paragauge import _core

        return _core.PhraseIndex(self._column(self._near, "text"), self._column(self._near, "offsets"))

    def pair_arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """Return the source number, target number and count of every pair, in the order of the file."""
        near, far = (self.columns[f"pairs.{side}"] for side in (self._near, self._far))
        return near, far, self.columns["pairs.counts"]

    def strings(self, side: str) -> pa.Array:
        """Return all phrases of a side, ``source`` or ``target``, as an Arrow array without copying."""
        name = self._near if side == "source" else self._far
        return arrow_strings(self._column(name, "text"), self._column(name, "offsets"))

    def _column(self, side: str, name: str) -> NDArray[Any]:
        return self.columns[f"{side}.{name}"]

    def _text(self, side: str, number: int) -> str:
        begin, end = self._column(side, "offsets")[number : number + 2].tolist()
        return self._column(side, "text")[begin:end].tobytes().decode("utf-8")

    def _places(self, number: int) -> slice | NDArray[np.int64]:
        """Return the positions of the pairs of a source phrase in the columns of pairs."""
        begin, end = self._column(self._near, "rows")[number : number + 2].tolist()
        if not self._flip:
            return slice(begin, end)
        places: NDArray[np.int64] = self.columns["pairs.by_target"][begin:end]
        return places

    def _pairs(self, number: int) -> list[PhrasePair]:
        places = self._places(number)
        near = self.source(number)
        near_total = int(self._column(self._near, "totals")[number])
        far_totals = self._column(self._far, "totals")
        numbers = self.columns[f"pairs.{self._far}"][places].tolist()
        counts = self.columns["pairs.counts"][places].tolist()
        direct, inverse = ("inverse_lexical", "direct_lexical") if self._flip else ("direct_lexical", "inverse_lexical")
        return [
            PhrasePair(near, self.target(far), count, near_total, int(far_totals[far]), *more)
            for far, count, more in zip(
                numbers,
                counts,
                zip(
                    self._optional(direct, places, len(counts)),
                    self._optional(inverse, places, len(counts)),
                    self._alignments(places, len(counts)),
                    strict=True,
                ),
                strict=True,
            )
        ]

    def _optional(self, name: str, places: slice | NDArray[np.int64], count: int) -> list[float | None]:
        column = self.columns.get(f"pairs.{name}")
        return [None] * count if column is None else column[places].tolist()

    def _alignments(self, places: slice | NDArray[np.int64], count: int) -> list[str | None]:
        if "alignment.text" not in self.columns:
            return [None] * count
        numbers = range(places.start, places.stop) if isinstance(places, slice) else places.tolist()
        texts = [self._text("alignment", number) for number in numbers]
        return [_turned(text) if self._flip else text for text in texts]

    # Data for files

    def text_blocks(self) -> Iterator[dict[str, Any]]:
        """Yield the columns of all pairs, a block of pairs at a time, by the names of `PhrasePair`.

        Columns are in the form that ``_core.write_rows`` takes. Optional columns are there if the table has them.
        """
        if self._flip:
            yield from self._materialised().text_blocks()
            return
        columns = self.columns
        for begin in range(0, len(self), PAIRS_IN_BLOCK):
            places = slice(begin, begin + PAIRS_IN_BLOCK)
            near, far, counts = (columns[f"pairs.{name}"][places] for name in ("source", "target", "counts"))
            block: dict[str, Any] = {
                "source": (columns["source.text"], columns["source.offsets"], near),
                "target": (columns["target.text"], columns["target.offsets"], far),
                "count": counts,
                "source_count": columns["source.totals"][near],
                "target_count": columns["target.totals"][far],
            }
            block["probability"] = block["count"] / block["source_count"]
            block["inverse_probability"] = block["count"] / block["target_count"]
            for name in self.optional_columns:
                if name != queries.ALIGNMENT:
                    block[name] = columns[f"pairs.{name}"][places]
                    continue
                offsets = columns["alignment.offsets"][begin : begin + PAIRS_IN_BLOCK + 1]
                block[name] = columns["alignment.text"][offsets[0] : offsets[-1]], offsets - offsets[0]
            yield block

    # Data for the engine

    def pair_batches(self, part: int = 0, optional: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
        """Yield all pairs as text with counts and totals, a batch at a time, in the schema of `loaded_schema`."""
        import numpy as np
        import pyarrow as pa

        schema = loaded_schema(optional, totals=True)
        sides = {side: self.strings(side) for side in ("source", "target")}
        size = 1 << 16
        for begin in range(0, len(self), size):
            places = slice(begin, begin + size)
            near, far = (self.columns[f"pairs.{side}"][places] for side in (self._near, self._far))
            columns = {
                "source": sides["source"].take(pa.array(near)),
                "target": sides["target"].take(pa.array(far)),
                "part": np.full(len(near), part, dtype=np.int64),
                "count": self.columns["pairs.counts"][places],
                "source_total": self.source_counts()[near],
                "target_total": self.target_counts()[far],
            }
            for name in optional:
                columns[name] = self._optional_batch(name, places)
            yield pa.RecordBatch.from_arrays([pa.array(columns[field.name]) for field in schema], schema=schema)

    def _optional_batch(self, name: str, places: slice) -> Any:
        if name == queries.ALIGNMENT:
            offsets = self.columns["alignment.offsets"][places.start : places.stop + 1]
            text = self.columns["alignment.text"][offsets[0] : offsets[-1]]
            strings = arrow_strings(text, offsets - offsets[0])
            if not self._flip:
                return strings
            return type(strings).from_pandas([_turned(text) for text in strings.to_pylist()], type=strings.type)
        if self._flip:
            name = "inverse_lexical" if name == "direct_lexical" else "direct_lexical"
        return self.columns[f"pairs.{name}"][places]


def _columns_of_parts(path: PathLike, names: Sequence[str]) -> Columns:
    known = parts.part_columns(path, names[0])
    optional = [name for name in OPTIONAL_TYPES if name in known]
    schema = loaded_schema(optional, totals=True)
    missing = {field.name for field in schema} - {*known, "part"}
    if missing:
        raise DataError(f"the column {min(missing)} is missing; the phrase table is damaged", path=str(path))
    batches = parts.as_schema(parts.read_parts(path, names), schema, part=0)
    with parts.mapped_folder() as folder:
        return build_table(
            lambda builder, kept: builder.add(batches, kept, totals=True), optional, output=folder
        ).columns  # fmt: skip


def _check_columns(columns: Columns, path: str) -> None:
    """Raise an error unless the columns fit together and every offset and number in them points to something."""
    pairs = len(columns["pairs.counts"])
    expected = {"pairs.source": pairs, "pairs.target": pairs, "pairs.by_target": pairs}
    for side in ("source", "target"):
        phrases = len(columns[f"{side}.totals"])
        expected.update({f"{side}.offsets": phrases + 1, f"{side}.rows": phrases + 1})
    expected.update({name: pairs for name in ("pairs.direct_lexical", "pairs.inverse_lexical") if name in columns})
    if "alignment.offsets" in columns:
        expected["alignment.offsets"] = pairs + 1
    for name, length in expected.items():
        if name in columns and len(columns[name]) != length:
            raise DataError(f"{name}.npy has {len(columns[name]):,} entries, expected {length:,}", path=path)
    for side in ("source", "target"):
        check_strings(side, columns, path)
        if f"{side}.rows" in columns:
            check_offsets(f"{side}.rows", columns[f"{side}.rows"], pairs, path)
        if f"pairs.{side}" in columns:
            check_numbers(f"pairs.{side}", columns[f"pairs.{side}"], len(columns[f"{side}.totals"]), path)
    if "pairs.by_target" in columns:
        check_numbers("pairs.by_target", columns["pairs.by_target"], pairs, path)
    if "alignment.offsets" in columns:
        check_strings("alignment", columns, path)
    for name in ("pairs.counts", "source.totals", "target.totals"):
        if len(columns[name]) and int(columns[name].min()) < 1:
            raise DataError("a count is below 1", path=f"{path}/{name}.npy")


def build_table(
    fill: Callable[[TableBuilder, Pruning], None],
    optional: Sequence[str],
    *,
    pruning: Pruning | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    options: Mapping[str, Any] | None = None,
    inputs: Mapping[str, str] | None = None,
    rank_length: int = 0,
    seen: Seen | None = None,
) -> PhraseTable:
    """Return the table of the pairs that *fill* adds to a builder.

    Args:
        fill: Adds pairs to the builder, which keeps those that the pruning allows.
        optional: Optional columns of the pairs.
        pruning: Which pairs to keep.
        engine: Memory limit, temporary folder and threads.
        output: Folder to write; by default the table is kept in memory.
        options: How the table was made, for the manifest.
        inputs: Digests of the data that it was made from, for the manifest.
        rank_length: Number of characters before each alignment that determine its rank.
        seen: Digests of the sentences that it was made from.
    """
    types = column_types(optional)
    settings = table_settings(options, pruning)
    if output is None:
        memory = MemorySink(types)
        with Engine(engine) as running:
            builder = TableBuilder(running, optional)
            fill(builder, pruning or Pruning())
            return PhraseTable(_write_columns(builder, memory, types, rank_length), options=settings, seen=seen)
    with write_resource(output, KIND, format=FORMAT, options=settings, inputs=inputs) as folder:
        sink = FolderSink(folder, types)
        with Engine(engine) as running, closing(sink):
            builder = TableBuilder(running, optional)
            fill(builder, pruning or Pruning())
            _write_columns(builder, sink, types, rank_length)
        if seen is not None:
            seen.write(folder)
    return PhraseTable.open(output, verify=False)  # written just now


def table_settings(options: Mapping[str, Any] | None, pruning: Pruning | None) -> dict[str, Any]:
    """Return how a table was made, for its manifest."""
    settings = dict(options or {})
    if pruning:
        settings |= {"min_count": pruning.min_count, "min_prob": pruning.min_prob, "top": pruning.top}
    return settings


def table_of_columns(
    columns: Mapping[str, NDArray[Any]],
    optional: Sequence[str],
    *,
    pruning: Pruning | None,
    output: PathLike | None,
    options: Mapping[str, Any],
    inputs: Mapping[str, str] | None,
    seen: Seen | None = None,
) -> PhraseTable:
    """Return the table of sorted and pruned *columns*, with the *optional* ones that are wanted; see `build_table`."""
    from paragauge import _core

    types = column_types(optional)
    by_target = _core.invert_pairs(columns["pairs.target"], columns["pairs.counts"], len(columns["target.totals"]))
    columns = {**columns, **dict(zip(_BY_TARGET, by_target, strict=True))}
    columns = {name: columns[name].astype(kind, copy=False) for name, kind in types.items()}
    if output is None:
        return PhraseTable(columns, options=table_settings(options, pruning), seen=seen)
    with write_resource(output, KIND, format=FORMAT, options=table_settings(options, pruning), inputs=inputs) as folder:
        write_columns(folder, columns, types)
        if seen is not None:
            seen.write(folder)
    return PhraseTable.open(output, verify=False)  # written just now


def _write_columns(
    builder: TableBuilder, sink: ColumnSink, types: Mapping[str, str], rank_length: int
) -> dict[str, NDArray[Any]]:
    from paragauge import _core

    builder.write_targets(sink)
    targets = sink.finish(["target.text", "target.offsets", "target.totals"])
    numbers = _core.PhraseNumbers(targets["target.text"], targets["target.offsets"])
    builder.write_pairs(sink, numbers, rank_length)
    del numbers
    pairs = sink.finish(name for name in types if name not in targets and name not in _BY_TARGET)
    rows, order = _core.invert_pairs(pairs["pairs.target"], pairs["pairs.counts"], len(targets["target.totals"]))
    for name, column in zip(_BY_TARGET, (rows, order), strict=True):
        sink.append(name, column)
    return {**targets, **pairs, **sink.finish(_BY_TARGET)}


def merge_tables(
    tables: Sequence[PhraseTable],
    *,
    pruning: Pruning | None = None,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    inputs: Mapping[str, str] | None = None,
) -> PhraseTable:
    """Return a table with the counts of all *tables* added up.

    The highest lexical weight and one alignment of each pair are kept; if one table lacks them, so does the result.

    >>> one = PhraseTable.from_counts({("house", "maison"): 3})
    >>> two = PhraseTable.from_counts({("house", "maison"): 1, ("house", "chambre"): 1})
    >>> merge_tables([one, two]).probabilities("house")
    {'maison': 0.8, 'chambre': 0.2}
    """
    if not tables:
        raise DataError("there are no tables to merge; expected at least one")
    optional = [name for name in OPTIONAL_TYPES if all(name in table.optional_columns for table in tables)]

    def batches() -> Iterator[pa.RecordBatch]:
        for part, table in enumerate(tables):
            yield from table.pair_batches(part, optional)

    return build_table(
        lambda builder, kept: builder.add(batches(), kept, totals=True), optional,
        pruning=pruning, engine=engine, output=output,
        options=tables[0].options if len(tables) == 1 else {"merged": len(tables)}, inputs=inputs,
        seen=Seen.merged(table.seen for table in tables),
    )  # fmt: skip
