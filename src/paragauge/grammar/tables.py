"""Tables as grammars and grammars as tables: a pivoted table is a grammar of lexical and phrasal rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.features import TEXT
from paragauge.grammar.grammar import DEFAULT_FEATURE, SIDES, Grammar, feature_column, is_cost, rule_costs
from paragauge.io import PathLike
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.table import PhraseTable
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.store import string_arrays

if TYPE_CHECKING:
    import pyarrow as pa

SCORE = "Score"  # of a paraphrase table whose scores are no probabilities
_ROWS = 1 << 15


def grammar_of_paraphrases(table: ParaphraseTable, *, label: str = "X") -> Grammar:
    """Return the paraphrases of a table as rules; ``p(e|f)`` is -ln p(e2|e1).

    Scores above 1 are no probabilities and become the feature ``Score``.

    >>> rules = list(grammar_of_paraphrases(ParaphraseTable.from_rows([("big", "large", 0.5), ("big", "huge", 0.25)])))
    >>> [(rule.lhs, rule.source_text, rule.target_text, round(rule.features["p(e|f)"], 3)) for rule in rules]
    [('X', 'big', 'large', 0.693), ('X', 'big', 'huge', 1.386)]
    """
    import numpy as np

    scores = table.columns["scores"]
    are_probabilities = bool(len(scores)) and float(np.min(scores)) > 0 and float(np.max(scores)) <= 1
    feature = DEFAULT_FEATURE if are_probabilities else SCORE
    columns = (*SIDES, feature)

    def batches(wanted: object) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        text = pa.large_string()
        rows = iter(table)
        while block := list(islice(rows, _ROWS)):
            values = np.array([one.score for _, one in block])
            arrays = [
                pa.array([label] * len(block), text), pa.array([phrase for phrase, _ in block], text),
                pa.array([one.text for _, one in block], text),
                pa.array(np.maximum(-np.log(values), 0.0) if are_probabilities else values),
            ]  # fmt: skip
            batch = pa.RecordBatch.from_arrays(arrays, names=list(columns))
            yield batch if wanted is None else batch.select(list(wanted))  # type: ignore[call-overload]

    return Grammar(batches, columns, options=table.options, size=len(table), name="the table", seen=table.seen)


def grammar_of_phrases(table: PhraseTable, *, label: str = "X") -> Grammar:
    """Return the pairs of a phrase table as rules, with counts, probabilities, lexical weights and alignments."""
    import numpy as np

    lexical = "direct_lexical" in table.optional_columns
    aligned = "alignment" in table.optional_columns
    features = [*(["Lex(e|f)", "Lex(f|e)"] if lexical else []), "p(e|f)", "p(f|e)"]
    columns = (*(TEXT if aligned else SIDES), "count", *features)

    def batches(wanted: object) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from paragauge.grammar.features import LARGEST_COST

        optional = [*(["direct_lexical", "inverse_lexical"] if lexical else []), *(["alignment"] if aligned else [])]
        for pairs in table.pair_batches(0, optional):
            count = pairs.column("count").to_numpy()
            made = {
                "lhs": pa.array([label] * len(count), pa.large_string()), "source": pairs.column("source"),
                "target": pairs.column("target"), "count": pairs.column("count"),
                "p(e|f)": pa.array(-np.log(count / pairs.column("source_total").to_numpy())),
                "p(f|e)": pa.array(-np.log(count / pairs.column("target_total").to_numpy())),
            }  # fmt: skip
            with np.errstate(divide="ignore"):
                for feature, name in (("Lex(e|f)", "direct_lexical"), ("Lex(f|e)", "inverse_lexical")):
                    if lexical:
                        weights = pairs.column(name).to_numpy()
                        made[feature] = pa.array(np.minimum(-np.log(weights), LARGEST_COST))
            if aligned:
                made["alignment"] = pairs.column("alignment")
            names = columns if wanted is None else list(wanted)  # type: ignore[call-overload]
            yield pa.RecordBatch.from_arrays([made[name] for name in names], names=list(names))

    return Grammar(batches, columns, options=table.options, size=len(table), name="the table", seen=table.seen)


def paraphrases_of_grammar(
    grammar: Grammar,
    *,
    feature: str = DEFAULT_FEATURE,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
) -> ParaphraseTable:
    """Return the lexical and phrasal rules of a grammar as a paraphrase table; the best score of all labels is kept.

    Args:
        grammar: Grammar.
        feature: Feature to use as the score; of those named like ``p(e|f)``, which hold -ln p, p.
        engine: Memory limit, temporary folder and threads.
        output: Folder to write; by default the table is kept in memory.

    Raises:
        DataError: The grammar has no such rules, or they lack the feature.
    """
    table = ParaphraseTable.from_rows(
        _phrases(grammar, feature), engine=engine, output=output, seen=grammar.seen,
        options={"grammar": grammar.digest, "feature": feature},
    )  # fmt: skip
    if not len(table):
        raise DataError("the grammar has no rules without nonterminals, and no paraphrases", path=grammar.name)
    return table


def has_counts(grammar: Grammar) -> bool:
    """Return whether the probabilities of a grammar come from its counts, as those of a phrase table do."""
    return "count" in grammar.columns and "p(e|f)" in grammar.columns and "pivoted" not in grammar.options


def phrases_of_grammar(
    grammar: Grammar, *, engine: EngineOptions | None = None, output: PathLike | None = None
) -> PhraseTable:
    """Return the lexical and phrasal rules of an extracted grammar as a phrase table; counts of all labels are added.

    >>> from paragauge.phrases import PhraseTable
    >>> table = PhraseTable.from_counts({("big", "large"): 2, ("big", "huge"): 1, ("tall", "large"): 1})
    >>> phrases_of_grammar(grammar_of_phrases(table)) == table
    True

    Raises:
        DataError: The grammar has no such rules, or no counts that its probabilities come from.
    """
    if not has_counts(grammar):
        raise DataError(
            "its rules have no counts that their probabilities come from, as a phrase table needs; write a table of "
            "paraphrases instead (--to table or tsv)",
            path=grammar.name,
        )
    lexical, aligned = all(name in grammar.columns for name in _LEX), "alignment" in grammar.columns
    with Engine(engine) as running:
        running.run_over("incoming", _pair_schema(), _counted_pairs(grammar, lexical, aligned), _ADD_LABELS)
        rows = (
            row
            for batch in running.stream("SELECT * FROM pairs ORDER BY source, target")
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
        )
        optional = [*(["direct_lexical", "inverse_lexical"] if lexical else []), *(["alignment"] if aligned else [])]
        return PhraseTable.from_rows(rows, optional=optional, engine=engine, output=output)


_LEX = ("Lex(e|f)", "Lex(f|e)")
_ADD_LABELS = (
    "CREATE TABLE pairs AS SELECT source, target, CAST(sum(count) AS BIGINT) AS count, max(source_total) AS "
    "source_total, max(target_total) AS target_total, max(direct) AS direct, max(inverse) AS inverse, "
    "min(alignment) AS alignment FROM incoming GROUP BY source, target"
)


def _pair_schema() -> pa.Schema:
    import pyarrow as pa

    numbers = [(name, pa.int64()) for name in ("count", "source_total", "target_total")]
    weights = [(name, pa.float64()) for name in ("direct", "inverse")]
    text = pa.large_string()
    return pa.schema([("source", text), ("target", text), *numbers, *weights, ("alignment", text)])


def _counted_pairs(grammar: Grammar, lexical: bool, aligned: bool) -> Iterator[pa.RecordBatch]:
    """Yield rules without nonterminals; N(f) is N(LHS, f, e) / p(e|f,LHS) / p(LHS|f)."""
    import numpy as np
    import pyarrow as pa

    from paragauge import _core

    labelled = "p(e|f,LHS)" in grammar.columns
    shares = [("p(e|f,LHS)", "p(LHS|f)"), ("p(f|e,LHS)", "p(LHS|e)")] if labelled else [("p(e|f)",), ("p(f|e)",)]
    names = [
        *(name for pair in shares for name in pair),
        *(_LEX if lexical else ()),
        *(["alignment"] if aligned else []),
    ]
    schema = _pair_schema()
    for batch in grammar.batches(["source", "target", "count", *names]):
        source, target = (batch.column(name).cast(pa.large_string()) for name in ("source", "target"))
        count = batch.column("count").to_numpy()
        totals = [
            np.rint(count * np.exp(sum(batch.column(name).to_numpy() for name in pair))).astype(np.int64)
            for pair in shares
        ]
        weights = [np.exp(-batch.column(name).to_numpy()) if lexical else np.ones(len(count)) for name in _LEX]
        links = (
            batch.column("alignment").cast(pa.large_string())
            if aligned
            else pa.array([""] * len(count), pa.large_string())
        )
        columns = [source, target, pa.array(count), *map(pa.array, totals), *map(pa.array, weights), links]
        plain = _core.rule_classes(string_arrays(source)) < 2
        yield pa.RecordBatch.from_arrays(columns, schema=schema).filter(pa.array(plain))


def _phrases(grammar: Grammar, feature: str) -> Iterable[tuple[str, str, float]]:
    import numpy as np
    import pyarrow as pa

    from paragauge import _core

    column = feature_column(feature, grammar.columns, grammar.name)
    done = 0
    for batch in grammar.batches([*SIDES, column]):
        costs = rule_costs(batch, feature, grammar.name, done)
        scores = np.exp(-costs) if is_cost(feature) else -costs
        source, target = (batch.column(name).cast(pa.large_string()) for name in ("source", "target"))
        plain = _core.rule_classes(string_arrays(source)) < 2
        rows = zip(source.to_pylist(), target.to_pylist(), scores.tolist(), plain.tolist(), strict=True)
        for one, other, score, is_plain in rows:
            if is_plain and one != other:
                if not np.isfinite(score):
                    raise DataError(f"the rule for {one!r} lacks the feature {feature}", path=grammar.name)
                yield one, other, score
        done += batch.num_rows
