"""Building the sorted columns of a phrase table on the engine, from pairs of any origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.phrases import queries
from paragauge.storage.store import ColumnSink, StringColumn, string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from paragauge import _core
    from paragauge.storage.engine import Relational

# source, target, count, source total, target total, direct and inverse lexical weight, alignment
PairRow: TypeAlias = tuple[str, str, int, int | None, int | None, float | None, float | None, str | None]

COLUMN_TYPES = {
    "source.text": "<u1",
    "source.offsets": "<i8",
    "source.totals": "<i8",
    "source.rows": "<i8",
    "target.text": "<u1",
    "target.offsets": "<i8",
    "target.totals": "<i8",
    "target.rows": "<i8",
    "pairs.source": "<i4",
    "pairs.target": "<i4",
    "pairs.counts": "<i8",
    "pairs.by_target": "<i8",
}
OPTIONAL_TYPES = {
    "direct_lexical": {"pairs.direct_lexical": "<f8"},
    "inverse_lexical": {"pairs.inverse_lexical": "<f8"},
    "alignment": {"alignment.text": "<u1", "alignment.offsets": "<i8"},
}
_MOST_PHRASES = 2**31 - 1
_ROWS_IN_BATCH = 1 << 15


def column_types(optional: Sequence[str]) -> dict[str, str]:
    """Return the columns of a table with these optional columns, and their types."""
    types = dict(COLUMN_TYPES)
    for column in optional:
        types.update(OPTIONAL_TYPES[column])
    return types


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """Which pairs to keep. Totals do not change, so the probabilities of kept pairs stay the same.

    Attributes:
        min_count: Minimum N(e, f).
        min_prob: Minimum p(f|e).
        top: Maximum number of pairs per source phrase, most frequent first; None means no limit.
    """

    min_count: int = 1
    min_prob: float = 0.0
    top: int | None = None

    def __post_init__(self) -> None:
        if self.min_count < 1:
            raise OptionError(f"min_count must be at least 1, got {self.min_count}")
        if not 0 <= self.min_prob <= 1:
            raise OptionError(f"min_prob must be between 0 and 1, got {self.min_prob}")
        if self.top is not None and self.top < 1:
            raise OptionError(f"top must be at least 1, got {self.top}")

    def __bool__(self) -> bool:
        return self != Pruning()


def extracted_schema(optional: Sequence[str], rule: queries.LexicalRule = "koehn") -> pa.Schema:
    """Return the schema of batches of extracted phrase pairs: each pair once per run, with its count in the run.

    By Moses' rule, each alignment of a pair comes once.
    """
    import pyarrow as pa

    fields = [("source", pa.large_string()), ("target", pa.large_string()), ("count", pa.int64())]
    orders = [(name, pa.large_string()) for name in queries.ORDERS] if rule == "moses" else []
    return pa.schema([*fields, *_optional_fields(optional), *orders])


def loaded_schema(optional: Sequence[str], totals: bool) -> pa.Schema:
    """Return the schema of batches of pairs with counts."""
    import pyarrow as pa

    columns = ["part", "count", *(["source_total", "target_total"] if totals else [])]
    return pa.schema(
        [
            ("source", pa.large_string()),
            ("target", pa.large_string()),
            *((name, pa.int64()) for name in columns),
            *_optional_fields(optional),
        ]
    )


def _optional_fields(optional: Sequence[str]) -> list[tuple[str, Any]]:
    import pyarrow as pa

    return [(name, pa.large_string() if name == queries.ALIGNMENT else pa.float64()) for name in optional]


def batches_of_rows(rows: Iterable[PairRow], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield *rows* as batches of *schema*."""
    from itertools import islice

    import pyarrow as pa

    places = {
        name: place
        for place, name in enumerate(
            ["source", "target", "count", "source_total", "target_total", *queries.LEXICAL, queries.ALIGNMENT]
        )
    }
    iterator = iter(rows)
    while block := list(islice(iterator, _ROWS_IN_BATCH)):
        columns = list(zip(*block, strict=True))
        yield pa.RecordBatch.from_arrays(
            [
                pa.array([0] * len(block) if field.name == "part" else columns[places[field.name]], type=field.type)
                for field in schema
            ],
            schema=schema,
        )


class TableBuilder:
    """Counts pairs, prunes them and writes the columns of a phrase table."""

    def __init__(self, engine: Relational, optional: Sequence[str]) -> None:
        self._engine = engine
        self._optional = tuple(optional)
        # Whether totals are stored with the pairs. If not, they are summed over the pairs while writing.
        self._kept_totals = False

    def count(self, batches: Any, pruning: Pruning, rule: queries.LexicalRule = "koehn") -> None:
        """Add up the runs of extracted pairs, and keep those that *pruning* allows."""
        self.add_up(batches, rule)
        if pruning:
            self.prune(pruning)

    def add_up(self, batches: Any, rule: queries.LexicalRule = "koehn") -> None:
        """Add up the runs of extracted pairs."""
        statement = queries.add_extracted(self._optional, rule)
        self._engine.run_over("extracted", extracted_schema(self._optional, rule), batches, statement)

    def prune(self, pruning: Pruning) -> None:
        """Keep the summed pairs that *pruning* allows, and store the totals with them."""
        for side in ("source", "target"):
            self._engine.run(queries.totals(side))
        self._keep(pruning)

    def add(self, batches: Iterable[pa.RecordBatch], pruning: Pruning, *, totals: bool) -> None:
        """Add pairs that already have counts, and optionally totals, and keep those that *pruning* allows.

        Raises:
            DataError: A pair occurs twice in one part, or the totals of a phrase are inconsistent.
        """
        schema = loaded_schema(self._optional, totals)
        self._engine.run_over("incoming", schema, batches, "CREATE TABLE loaded AS SELECT * FROM incoming")
        self._check_loaded(totals)
        self._engine.run(queries.add_loaded(self._optional))
        for side in ("source", "target"):
            self._engine.run(queries.loaded_totals(side) if totals else queries.totals(side))
        self._engine.run("DROP TABLE loaded")
        self._keep(pruning)

    def _check_loaded(self, totals: bool) -> None:
        repeated = self._engine.row(queries.REPEATED_PAIR)
        if repeated is not None:
            raise DataError(f"the pair {repeated[0]!r}, {repeated[1]!r} occurs twice; expected each pair once")
        for side in ("source", "target") if totals else ():
            found = self._engine.row(queries.contradicting_totals(side))
            if found is not None:
                phrase, low, high, sum_of_pairs = found
                what = f"{low:,} and {high:,}" if low != high else f"{low:,}, and pairs that add up to {sum_of_pairs:,}"
                raise DataError(f"the counts of the {side} phrase {phrase!r} are inconsistent: found {what}")

    def _keep(self, pruning: Pruning) -> None:
        self._engine.run(queries.keep(self._optional, pruning.min_count, pruning.min_prob, pruning.top))
        for statement in queries.REPLACE_JOINT:
            self._engine.run(statement)
        self._kept_totals = True

    def write_targets(self, sink: ColumnSink) -> None:
        """Write the target phrases, sorted, with their totals."""
        phrases = StringColumn(sink, "target")
        for batch in self._engine.stream(queries.sorted_targets(self._kept_totals)):
            phrases.append(batch.column("phrase"))
            sink.append("target.totals", batch.column("total").to_numpy())
        _check_number(phrases.count, "target")

    def write_pairs(self, sink: ColumnSink, targets: _core.PhraseNumbers, rank_length: int) -> None:
        """Write the sorted pairs, and source phrases in passing; *rank_length* characters precede each alignment."""
        import numpy as np
        import pyarrow.compute as pc

        sources = StringColumn(sink, "source")
        alignments = StringColumn(sink, "alignment") if queries.ALIGNMENT in self._optional else None
        runs = RunCounter()
        pairs = 0
        for batch in self._engine.stream(queries.sorted_pairs(self._optional, self._kept_totals)):
            counts = batch.column("count").to_numpy()
            numbers, starts = runs.number(batch.column("source"))
            sources.append(batch.column("source").take(starts))
            sink.append("source.rows", starts + pairs)
            sink.append("pairs.source", numbers)
            sink.append("pairs.target", targets.number(*string_arrays(batch.column("target"))))
            sink.append("pairs.counts", counts)
            if self._kept_totals:
                sink.append("source.totals", batch.column("source_total").to_numpy()[starts])
            else:
                sink.append("source.totals", runs.sums(starts, counts))
            for column in self._optional:
                if column != queries.ALIGNMENT:
                    sink.append(f"pairs.{column}", batch.column(column).to_numpy())
            if alignments is not None:
                texts = batch.column(queries.ALIGNMENT)
                alignments.append(pc.utf8_slice_codeunits(texts, rank_length) if rank_length else texts)
            pairs += batch.num_rows
        if not self._kept_totals:
            sink.append("source.totals", runs.last_sum())
        sink.append("source.rows", np.array([pairs], dtype=np.int64))
        _check_number(sources.count, "source")


def _check_number(phrases: int, side: str) -> None:
    if phrases > _MOST_PHRASES:
        raise DataError(
            f"the table has {phrases:,} {side} phrases, but the limit is {_MOST_PHRASES:,}; prune the table"
        )


class RunCounter:
    """Numbers runs of equal strings in a sorted stream, and sums the values of each run."""

    def __init__(self) -> None:
        self._last: str | None = None
        self._number = -1
        self._open = 0  # the sum of the last run, which may continue in the next batch

    def number(self, strings: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of each string's run, and the positions where new runs begin."""
        import numpy as np
        import pyarrow.compute as pc

        new = np.ones(len(strings), dtype=bool)
        if len(strings):
            new[1:] = pc.not_equal(strings.slice(1), strings.slice(0, len(strings) - 1)).to_numpy(zero_copy_only=False)
            new[0] = strings[0].as_py() != self._last
            self._last = strings[-1].as_py()
        numbers = np.cumsum(new, dtype=np.int64) + self._number
        if len(numbers):
            self._number = int(numbers[-1])
        return numbers, np.flatnonzero(new).astype(np.int64)

    def sums(self, starts: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums of *values* over the runs that end in this batch, starting with the open run."""
        import numpy as np

        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(values)])
        bounds = np.concatenate([[-self._open], before[starts]])
        self._open = int(before[-1] - bounds[-1])
        finished = np.diff(bounds)
        # Every run has a positive sum; 0 is the run before the very first.
        return finished[finished > 0]

    def last_sum(self) -> NDArray[np.int64]:
        """Return the sum of the last run, if there was one."""
        import numpy as np

        return np.array([self._open] if self._open else [], dtype=np.int64)
