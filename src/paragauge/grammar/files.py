"""Files of rules in the text format of Joshua, Thrax and PPDB, gzipped or not.

A row is ``[LHS] ||| source ||| target ||| features ||| alignment``; PPDB 2.0 adds the entailment relation, which is
ignored, and features or alignment may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.rule import LAYOUT, Rule, parse_features, parse_side
from paragauge.io import PathLike, display_name, read_lines
from paragauge.storage.store import arrow_strings

if TYPE_CHECKING:
    import pyarrow as pa

TEXT_COLUMNS = ("lhs", "source", "target", "features", "alignment")
_LINES_IN_BATCH = 1 << 15


def read_rules(path: PathLike, *, encoding: str = "utf-8") -> Iterator[Rule]:
    """Yield the rules of a file.

    Raises:
        DataError: A line is not a rule, or the file is empty.
    """
    for batch in read_rule_batches(path, encoding=encoding):
        yield from rules_of_batch(batch)


def parse_rules(lines: Sequence[str]) -> list[Rule]:
    """Return the rules of lines of text."""
    return list(rules_of_batch(parse_rule_lines(lines)))


def rules_of_batch(batch: pa.RecordBatch) -> Iterator[Rule]:
    """Yield the rows of a batch as rules; columns that are not text are features."""
    columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    numeric = [name for name in columns if name not in TEXT_COLUMNS]
    nothing = [""] * batch.num_rows
    for row in range(batch.num_rows):
        features = parse_features(columns.get("features", nothing)[row])
        features.update((name, columns[name][row]) for name in numeric)
        yield Rule(
            columns["lhs"][row], parse_side(columns["source"][row]), parse_side(columns["target"][row]), features,
            columns.get("alignment", nothing)[row] or None,
        )  # fmt: skip


def read_rule_batches(path: PathLike, *, encoding: str = "utf-8") -> Iterator[pa.RecordBatch]:
    """Yield the rules of a file as batches of text: left-hand side, source, target, features, alignment.

    Raises:
        DataError: A line is not a rule, or the file is empty.
    """
    lines = read_lines(path, encoding=encoding)
    first = 1
    while block := list(islice(lines, _LINES_IN_BATCH)):
        yield parse_rule_lines(block, display_name(path), first)
        first += len(block)
    if first == 1:
        raise DataError(f"the file is empty, expected rules: {LAYOUT}", path=display_name(path))


def parse_rule_lines(lines: Sequence[str], path: str | None = None, first: int = 1) -> pa.RecordBatch:
    """Return lines of rules as a batch of text; *first* is the number of the first line."""
    import pyarrow as pa

    from paragauge import _core

    *columns, row, message = _core.read_rules("\n".join(lines).encode("utf-8", errors="surrogatepass"))
    if row >= 0:
        if path is None:
            raise DataError(f"{lines[row][:80]!r} {message}")
        raise DataError(message, path=path, line=first + row)
    if lines and not lines[-1]:  # the native reader does not see an empty line at the end of a block
        raise DataError(f"the line is empty, expected a rule: {LAYOUT}", path=path, line=first + len(lines) - 1)
    arrays = [arrow_strings(text, offsets) for text, offsets in columns]
    return pa.RecordBatch.from_arrays(arrays, names=list(TEXT_COLUMNS))


def batches_of_rules(rules: Iterable[Rule]) -> Iterator[pa.RecordBatch]:
    """Yield rules given as values, as batches with the same columns."""
    iterator = iter(rules)
    while block := list(islice(iterator, _LINES_IN_BATCH)):
        yield parse_rule_lines([str(rule) for rule in block])
