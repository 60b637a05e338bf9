"""Rules that delete a word: beside whatever stands next to it, the word goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.grammar import Grammar

if TYPE_CHECKING:
    import pyarrow as pa

DELETION = "Deletion"  # the feature that counts deleted words


def with_deletions(grammar: Grammar, words: Iterable[str]) -> Grammar:
    """Return the grammar with rules that delete single words, in memory.

    A word is deleted before or after another piece, so that a sentence cannot become empty. Of the features, these
    rules have ``Deletion`` alone.

    >>> from paragauge.grammar.rule import Rule
    >>> made = with_deletions(Grammar.from_rules([Rule.parse("[X] ||| big ||| large")]), ["very"])
    >>> [f"{rule.source_text} -> {rule.target_text}" for rule in made]
    ['big -> large', 'very [X,1] -> [X,1]', '[X,1] very -> [X,1]']
    """
    import pyarrow as pa

    if DELETION in grammar.columns or DELETION in grammar.rule_features.names:
        raise DataError(f"the grammar has the feature {DELETION!r} already", path=grammar.name)
    sides = [pair for word in words for pair in ((f"{word} [X,1]", "[X,1]"), (f"[X,1] {word}", "[X,1]"))]

    def batches() -> Iterator[pa.RecordBatch]:
        schema: pa.Schema | None = None
        for batch in grammar.batches():
            zeros = pa.array([0.0] * batch.num_rows, pa.float64())
            made = pa.RecordBatch.from_arrays([*batch.columns, zeros], names=[*batch.schema.names, DELETION])
            schema = made.schema
            yield made
        if schema is None:
            raise DataError("the grammar has no rules", path=grammar.name)
        values: dict[str, list[object]] = {
            "lhs": ["X"] * len(sides), "source": [one for one, _ in sides], "target": [other for _, other in sides],
            DELETION: [1.0] * len(sides),
        }  # fmt: skip
        arrays = [pa.array(values.get(field.name, [_nothing(field.type)] * len(sides)), field.type) for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    options = {name: value for name, value in grammar.options.items() if name not in ("columns", "features")}
    return Grammar.from_batches(batches(), [*grammar.columns, DELETION], options=options, seen=grammar.seen)


def _nothing(kind: pa.DataType) -> object:
    import pyarrow as pa

    return "" if pa.types.is_large_string(kind) or pa.types.is_string(kind) else 0
