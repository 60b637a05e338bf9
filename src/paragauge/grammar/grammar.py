"""A synchronous grammar: rules with their features, and an index for finding the rules that match a pair of sentences.

On disk a grammar is a folder: ``rules.parquet`` holds the rules as text with counts and features, NumPy columns hold
the index, and a matrix holds the features as numbers, for decoding (docs/formats.md). Opening maps the index and the
matrix and reads nothing else: ten million rules are searched without being
loaded. A file of rules in Joshua's text format can be used wherever a folder can, but its index is then built in
memory every time, as it is for a grammar in parts from a cluster.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, unknown_name
from paragauge.grammar.files import (
    TEXT_COLUMNS,
    batches_of_rules,
    parse_rule_lines,
    read_rule_batches,
    rules_of_batch,
)
from paragauge.grammar.matrix import (
    FEATURES_FILE,
    ROW_TYPE,
    FeatureCollector,
    MatrixWriter,
    RuleFeatures,
    open_matrix,
)
from paragauge.grammar.rule import Rule, parse_features
from paragauge.io import PathLike, atomic_output, digest_file, display_name
from paragauge.progress import Progress
from paragauge.resource import read_manifest, stamp_of, steadily, unchanged_since, write_resource
from paragauge.storage import parts
from paragauge.storage.seen import Seen, read_seen
from paragauge.storage.store import open_columns, string_arrays, write_columns
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from paragauge import _core

KIND = "grammar"
FORMAT = 1
RULES_FILE = "rules.parquet"
DEFAULT_FEATURE = "p(e|f)"

INDEX_TYPES = {
    "words.text": "<u1",
    "words.offsets": "<i8",
    "words.on_source": "<u1",
    "labels.text": "<u1",
    "labels.offsets": "<i8",
    "shapes": "<i4",
    "source.first": "<i4",
    "source.symbols": "<i4",
    "source.rules": "<i8",
    "target.first": "<i4",
    "target.symbols": "<i4",
    "rules.target": "<i4",
    "rules.shape": "<i4",
}
SIDES = ("lhs", "source", "target")  # the columns that identify a rule
_PLAIN = (*TEXT_COLUMNS, "count")
_LOGARITHM = re.compile(r"(p|lex)\(.*\)", re.IGNORECASE)


class Grammar:
    """Rules of a synchronous grammar.

    >>> grammar = Grammar.from_rules([Rule.parse("[X] ||| a [X,1] ||| [X,1] b"), Rule.parse("[X] ||| c ||| c")])
    >>> len(grammar), [str(rule) for rule in grammar]
    (2, ['[X] ||| a [X,1] ||| [X,1] b', '[X] ||| c ||| c'])
    """

    def __init__(
        self,
        batches: Callable[[Sequence[str] | None], Iterator[pa.RecordBatch]],
        columns: Sequence[str],
        *,
        index_columns: Mapping[str, NDArray[Any]] | None = None,
        options: Mapping[str, Any] | None = None,
        digest: str | None = None,
        size: int | None = None,
        name: str = "grammar",
        seen: Seen | None = None,
        matrix: RuleFeatures | None = None,
    ) -> None:
        self._batches = batches
        self._columns = tuple(columns)
        self._index_columns = index_columns
        self.options: Mapping[str, Any] = dict(options or {})
        self.digest = digest
        self._size = size
        self.name = name
        self.seen = seen
        self._matrix = matrix

    # Making grammars

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> Grammar:
        """Open a grammar folder by memory map, or a file of rules in Joshua's text format.

        Raises:
            FileError: There is no such file or folder.
            DataError: It is not a grammar, too new, or damaged.
        """
        if not Path(path).is_dir():
            return cls._open_file(path)
        manifest = read_manifest(path, KIND, newest_format=parts.FORMAT, verify=verify)
        names, stamp = parts.part_files(manifest), stamp_of(path)
        if names:

            def rows(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
                with unchanged_since(path, stamp):
                    yield from parts.read_parts(path, names, wanted)

            return cls(
                rows, parts.part_columns(path, names[0]),
                options=manifest.options, digest=manifest.digest(), size=parts.count_rows(path, names), name=str(path),
            )  # fmt: skip
        missing = [name for name in (RULES_FILE, *(f"{key}.npy" for key in INDEX_TYPES)) if name not in manifest.files]
        if missing:
            raise DataError(f"{missing[0]} is missing; the grammar is damaged", path=str(path))
        size = parts.count_rows(path, [RULES_FILE])

        def batches(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
            with unchanged_since(path, stamp):
                yield from parts.read_parts(path, [RULES_FILE], wanted)

        return cls(
            batches, parts.part_columns(path, RULES_FILE), index_columns=open_columns(path, INDEX_TYPES),
            options=manifest.options, digest=manifest.digest(), size=size, name=str(path),
            seen=read_seen(path, manifest.files), matrix=open_matrix(path, manifest, size),
        )  # fmt: skip

    @classmethod
    def _open_file(cls, path: PathLike) -> Grammar:
        def batches(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
            for batch in read_rule_batches(path):
                yield batch if wanted is None else batch.select(list(wanted))

        return cls(batches, TEXT_COLUMNS, digest=digest_file(path), name=display_name(path))

    @classmethod
    def from_rules(cls, rules: Iterable[Rule], *, options: Mapping[str, Any] | None = None) -> Grammar:
        """Return the grammar of these rules, in memory."""
        return cls.from_batches(batches_of_rules(rules), TEXT_COLUMNS, options=options)

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[pa.RecordBatch],
        columns: Sequence[str],
        *,
        options: Mapping[str, Any] | None = None,
        seen: Seen | None = None,
    ) -> Grammar:
        """Return the grammar of batches that are kept in memory."""
        kept = [batch for batch in batches if batch.num_rows]

        def again(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
            yield from (batch if wanted is None else batch.select(list(wanted)) for batch in kept)

        return cls(again, columns, options=options, size=sum(batch.num_rows for batch in kept), seen=seen)

    def save(
        self,
        path: PathLike,
        *,
        inputs: Mapping[str, str] | None = None,
        licence: str | None = None,
        progress: Progress | None = None,
        threads: int | None = None,
    ) -> Grammar:
        """Write the grammar to the folder *path*, whole or not at all, and return it opened from there.

        The number of *threads* affects only the time.
        """
        import pyarrow.parquet as pq

        from paragauge import _core

        options: dict[str, Any] = {"columns": list(self._columns), **self.options}
        options.pop("features", None)
        with write_resource(
            path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence
        ) as folder, contextlib.ExitStack() as stack:  # fmt: skip
            builder = _core.GrammarBuilder()
            matrix = stack.enter_context(MatrixWriter(folder / FEATURES_FILE, self._columns))
            writer = None
            done = 0
            # Rules are written and indexed in parallel, while the next ones are produced.
            workers = stack.enter_context(_Workers(thread_count(threads)))
            for batch in self._batches(None):
                if writer is None:
                    writer = stack.enter_context(
                        pq.ParquetWriter(
                            folder / RULES_FILE, batch.schema, compression="snappy", use_dictionary=["lhs"]
                        )
                    )
                workers.wait()
                workers.submit(writer.write_batch, batch)
                workers.submit(self._add, builder, batch, done)
                workers.submit(matrix.add, batch)
                done += batch.num_rows
                if progress is not None:
                    progress(done, None, "rules")
            workers.wait()
            if writer is None:
                raise DataError("the grammar has no rules to write; expected at least one")
            names = matrix.finish()
            stack.close()
            if names is not None:
                options["features"] = names
            write_columns(folder, builder.finish(), INDEX_TYPES | ROW_TYPE)
            if self.seen is not None:
                self.seen.write(folder)
        return Grammar.open(path, verify=False)  # written just now

    def _add(self, builder: _core.GrammarBuilder, batch: pa.RecordBatch, done: int) -> None:
        sides = [string_arrays(batch.column(name)) for name in ("lhs", "source", "target")]
        row, message = builder.add(*sides)
        if row >= 0:
            raise DataError(f"rule {done + row + 1:,} {message}", path=self.name)

    # Reading grammars

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the rules: text, count, features."""
        return self._columns

    @property
    def feature_columns(self) -> tuple[str, ...]:
        """The features that have a separate column."""
        return tuple(name for name in self._columns if name not in _PLAIN)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rules in Arrow batches, with these columns or all columns."""
        return self._batches(columns)

    def scored_batches(self, feature: str) -> Iterator[tuple[pa.RecordBatch, NDArray[np.float64]]]:
        """Yield batches of left-hand and right-hand sides, and the cost of each rule; probable rules have low costs.

        Features named like ``p(e|f)`` or ``Lex(f|e)`` already hold costs; for others, such as ``PPDB2.0Score``, higher
        is better. A rule without the feature costs more than any other.

        Raises:
            DataError: No rule has the feature.
        """
        import numpy as np

        column = feature_column(feature, self._columns, self.name)
        seen, done, names = False, 0, ""
        for batch in self._batches([*SIDES, column]):
            costs = rule_costs(batch, feature, self.name, done)
            if column != feature:
                names = names or batch.column(column)[0].as_py()
            seen = seen or bool(np.isfinite(costs).any())
            done += batch.num_rows
            yield batch.select(list(SIDES)), costs
        if not seen and done:
            raise DataError(str(unknown_name("feature", feature, parse_features(names))), path=self.name)

    def __iter__(self) -> Iterator[Rule]:
        for batch in self._batches(None):
            yield from rules_of_batch(batch)

    def text_batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rules with all features as text, as they are written to files."""
        for batch in self._batches(None):
            yield parse_rule_lines(
                self._lines(batch, surface=True, threads=thread_count(None))
                .decode("utf-8", "surrogatepass")
                .splitlines()
            )

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(batch.num_rows for batch in self._batches(["lhs"]))
        return self._size

    @property
    def known_size(self) -> int | None:
        """The number of rules, if it is known without reading them."""
        return self._size

    def __repr__(self) -> str:
        return f"<Grammar: {len(self):,} rules>"

    def _columns_of_index(self, *needed: str) -> Mapping[str, NDArray[Any]]:
        """Return the columns of the index; they are made from the rules unless a folder has those *needed*."""
        from paragauge import _core

        if self._index_columns is None or any(name not in self._index_columns for name in needed):
            builder = _core.GrammarBuilder()
            done = 0
            for batch in self._batches(["lhs", "source", "target"]):
                self._add(builder, batch, done)
                done += batch.num_rows
            self._index_columns = builder.finish()
            self.__dict__.pop("index", None)
        return self._index_columns

    @cached_property
    def rule_features(self) -> RuleFeatures:
        """The features of the rules as numbers, and which row belongs to each rule of the `index`.

        A folder has them in a file; for a folder of an earlier version, or a file of rules, all rules are read.
        """
        if self._matrix is not None:
            return self._matrix
        rows = self._columns_of_index("rules.row")["rules.row"]
        matrix = FeatureCollector(self._columns)
        for batch in self._batches(None):
            matrix.add(batch)
        return matrix.collected(rows)

    @property
    def words(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The words of the `index` in its order, as UTF-8 and offsets."""
        columns = self._columns_of_index()
        return columns["words.text"], columns["words.offsets"]

    @cached_property
    def index(self) -> _core.GrammarIndex:
        """The index of rules that the parser and the decoder search."""
        from paragauge import _core

        columns = self._columns_of_index()
        for side in ("source", "target"):
            _check_trie(columns[f"{side}.first"], f"{self.name}/{side}.first.npy")
        try:
            return _core.GrammarIndex(
                _core.GrammarColumns(
                    words=(columns["words.text"], columns["words.offsets"]),
                    on_source=columns["words.on_source"],
                    labels=(columns["labels.text"], columns["labels.offsets"]),
                    shapes=columns["shapes"],
                    source=(columns["source.first"], columns["source.symbols"]),
                    target=(columns["target.first"], columns["target.symbols"]),
                    source_rules=columns["source.rules"],
                    rule_target=columns["rules.target"],
                    rule_shape=columns["rules.shape"],
                )
            )
        except ValueError as error:
            raise DataError(f"the index is damaged: {error}; create the grammar again", path=self.name) from error

    def write_text(
        self,
        path: PathLike,
        *,
        surface: bool = True,
        progress: Progress | None = None,
        threads: int | None = None,
    ) -> int:
        """Write the rules as text, as Joshua and PPDB do, and return the number of rules.

        Args:
            path: File to write, gzipped if the name ends in ``.gz``; ``-`` is standard output.
            surface: Add the features that follow from the text of a rule, unless it already has features.
            progress: Called with the number of rules written.
            threads: Number of threads; all cores by default. They affect only the time.
        """
        count, threads = 0, thread_count(threads)
        # A block is written while the next one is made.
        with atomic_output(path) as file, _Workers(threads) as workers:
            for batch in self._batches(None):
                block = self._lines(batch, surface=surface, threads=threads)
                workers.wait()
                workers.submit(file.write, block)
                count += batch.num_rows
                if progress is not None:
                    progress(count, None, "rules")
            workers.wait()
        return count

    def _lines(self, batch: pa.RecordBatch, *, surface: bool, threads: int) -> bytes:
        import numpy as np

        from paragauge import _core

        nothing = (np.empty(0, np.uint8), np.zeros(1, np.int64))
        numeric = [name for name in self._columns if name not in TEXT_COLUMNS]
        lhs, source, target, features, alignment = (
            string_arrays(batch.column(name)) if name in self._columns else nothing for name in TEXT_COLUMNS
        )
        return _core.write_rules(
            lhs=lhs,
            source=source,
            target=target,
            features=features,
            alignment=alignment,
            names=["Count" if name == "count" else name for name in numeric],
            columns=[batch.column(name).to_numpy().astype(np.float64) for name in numeric],
            surface=surface and "features" not in self._columns,
            threads=threads,
        )


class _Workers(contextlib.AbstractContextManager["_Workers"]):
    """Up to three threads beside this one, which does the work itself if it is to be alone."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(min(3, threads)) if threads > 1 else None
        self._waiting: list[Future[Any]] = []

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Do some work, now or soon."""
        if self._pool is None:
            work(*arguments)
        else:
            self._waiting.append(self._pool.submit(work, *arguments))

    def wait(self) -> None:
        """Wait for all work, and raise its errors."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            future.result()


def is_cost(feature: str) -> bool:
    """Return whether a feature holds negative logarithms, so that lower is better; for others, higher is better."""
    return _LOGARITHM.fullmatch(feature) is not None


def feature_column(feature: str, columns: Sequence[str], name: str) -> str:
    """Return which of a grammar's *columns* holds a feature: a separate one, or the text of all features."""
    if feature in columns:
        return feature
    if "features" not in columns:
        known = ("count", *(column for column in columns if column not in _PLAIN))
        raise DataError(str(unknown_name("feature", feature, known)), path=name)
    return "features"


def rule_costs(batch: pa.RecordBatch, feature: str, name: str, done: int = 0) -> NDArray[np.float64]:
    """Return the cost of each rule of a batch by a feature, infinite without it; *done* rules came before."""
    import numpy as np

    from paragauge import _core

    if feature in batch.schema.names:
        values = batch.column(feature).to_numpy().astype(np.float64)
    else:
        values, row, message = _core.feature_values(string_arrays(batch.column("features")), feature)
        if row >= 0:
            raise DataError(f"rule {done + row + 1:,}: {message}", path=name)
    sign = 1.0 if is_cost(feature) else -1.0
    return np.where(np.isnan(values), math.inf, sign * values)


def _check_trie(first: NDArray[Any], path: str) -> None:
    """Raise a `DataError` unless the children of every node come after it and after those of the nodes before it.

    Otherwise the way from a node to the root might not end.
    """
    import numpy as np

    nodes = len(first) - 1
    if nodes < 1 or (first[1:] < first[:-1]).any() or (first[:-1] < np.arange(nodes, dtype=first.dtype)).any():
        raise DataError("the index of the grammar is damaged; create the grammar again", path=path)
