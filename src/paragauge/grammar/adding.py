"""Features added to the rules of a grammar from a table: one row per rule, one column per feature."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.files import TEXT_COLUMNS
from paragauge.io import PathLike, display_name, read_lines

if TYPE_CHECKING:
    import pyarrow as pa

    from paragauge.grammar.grammar import Grammar

_SIDES = ("lhs", "source", "target")
_LAYOUT = "a header with the columns source, target, optionally lhs, and at least one feature, separated by tabs"


def add_features(
    grammar: Grammar, table: PathLike, *, output: PathLike | None = None, encoding: str = "utf-8"
) -> tuple[Grammar, int]:
    """Return the grammar with the features of a table, and the number of rules that are in the table.

    Args:
        grammar: Grammar whose rules get features.
        table: TSV with a header: ``source``, ``target``, optionally ``lhs`` (without it, labels of the left-hand side
            do not matter), and a column for each feature. Sides are written as in files of rules.
        output: Folder to write; without one, the grammar stays in memory.
        encoding: Encoding of the table.

    Raises:
        DataError: The table has no features, a feature that the grammar has already, a value that is not a number, a
            rule twice, or no rule of the grammar.
    """
    from paragauge.grammar.grammar import Grammar

    keys, names, values = _read(table, encoding)
    for name in names:
        if name in grammar.columns or name in TEXT_COLUMNS or name in grammar.rule_features.names:
            raise DataError(
                f"the grammar has the feature {name!r} already; rename the column", path=display_name(table)
            )
    found = 0
    batches = []
    for batch in _extended(grammar, keys, names, values):
        batches.append(batch)
        found += _count(batch, keys, values)
    if not found:
        raise DataError(f"none of its {len(values):,} rules is in {grammar.name}", path=display_name(table))
    options = {name: value for name, value in grammar.options.items() if name not in ("columns", "features")}
    made = Grammar.from_batches(batches, [*grammar.columns, *names], options=options, seen=grammar.seen)
    return (made if output is None else made.save(output)), found


def _read(table: PathLike, encoding: str) -> tuple[list[str], list[str], dict[tuple[str, ...], list[float]]]:
    name = display_name(table)
    lines = enumerate(read_lines(table, encoding=encoding), start=1)
    header = next(lines, (1, ""))[1].split("\t")
    keys = [each for each in _SIDES if each in header]
    names = [each for each in header if each not in _SIDES]
    if not {"source", "target"} <= set(keys) or not names or len(set(header)) < len(header):
        raise DataError(f"found {', '.join(header)[:80]!r}, expected {_LAYOUT}", path=name, line=1)
    if any(not each or any(character.isspace() for character in each) for each in names):
        raise DataError("the name of a feature must be one word", path=name, line=1)
    values: dict[tuple[str, ...], list[float]] = {}
    for number, line in lines:
        cells = dict(zip(header, line.split("\t"), strict=False))
        if len(cells) != len(header) or line.count("\t") != len(header) - 1:
            raise DataError(f"expected {len(header)} cells, as in the header", path=name, line=number)
        try:
            row = [float(cells[each]) for each in names]
            if not all(map(math.isfinite, row)):
                raise ValueError
        except ValueError:
            raise DataError("a feature is not a number", path=name, line=number) from None
        key = tuple(" ".join(cells[each].split()) for each in keys)
        if key in values:
            raise DataError("the rule occurs twice", path=name, line=number)
        values[key] = row
    return keys, names, values


def _keys_of(batch: pa.RecordBatch, keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(batch.column(name).to_pylist() for name in keys), strict=True)


def _extended(
    grammar: Grammar, keys: Sequence[str], names: Sequence[str], values: dict[tuple[str, ...], list[float]]
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    nothing = [0.0] * len(names)
    for batch in grammar.batches():
        rows = [values.get(key, nothing) for key in _keys_of(batch, keys)]
        columns = [pa.array([row[place] for row in rows], pa.float64()) for place in range(len(names))]
        yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *names])


def _count(batch: pa.RecordBatch, keys: Sequence[str], values: dict[tuple[str, ...], list[float]]) -> int:
    return sum(key in values for key in _keys_of(batch, keys))
