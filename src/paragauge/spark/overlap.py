"""Which rules of a gold grammar another grammar has, on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.grammar import SIDES, feature_column, rule_costs
from paragauge.grammar.overlap import (
    CompareGrammars,
    Match,
    Overlap,
    check_choices,
    count_overlap,
    gold_batch,
    overlap_schema,
    rule_batch,
)
from paragauge.spark.engine import SparkEngine
from paragauge.spark.tables import GrammarFrame, grammar_frame

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_RELATIONS = ("gold", "rules", "found")


def run(engine: SparkEngine, job: CompareGrammars) -> Overlap:
    """Return how many rules of one grammar are in another."""
    grammar, gold = grammar_frame(engine, job.grammar), grammar_frame(engine, job.gold)
    match, min_counts, feature = job.match, job.min_counts, job.feature
    check_choices(match, min_counts, gold.columns, gold.name)
    counted = ["count"] if "count" in gold.columns else []
    column = [] if feature is None else [feature_column(feature, grammar.columns, grammar.name)]
    gold_rows = engine.mapped(_select(gold, counted), GoldRows(match), overlap_schema("count"))
    rules = engine.mapped(_select(grammar, column), RuleRows(match, feature, grammar.name), overlap_schema("score"))
    engine.step(f"compare rules, {match}")
    try:
        overlap = count_overlap(engine, gold_rows, rules, match, min_counts, curve=feature is not None)
        if (
            feature is not None
            and engine.row("SELECT 1 FROM rules WHERE score < CAST('inf' AS DOUBLE) LIMIT 1") is None
        ):
            raise DataError(f"no rule has the feature {feature!r}", path=grammar.name)
    finally:
        for relation in _RELATIONS:
            engine.run(f"DROP TABLE IF EXISTS {relation}")
    return overlap


def _select(grammar: GrammarFrame, more: Sequence[str]) -> DataFrame:
    return grammar.frame.select(*(f"`{name}`" for name in (*SIDES, *more)))


@dataclass(frozen=True, slots=True)
class GoldRows:
    """Makes rules of the gold grammar comparable, on a worker."""

    match: Match

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (gold_batch(batch, self.match) for batch in batches if batch.num_rows)


@dataclass(frozen=True, slots=True)
class RuleRows:
    """Makes rules of the grammar that is measured comparable, on a worker."""

    match: Match
    feature: str | None
    name: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                costs = None if self.feature is None else rule_costs(batch, self.feature, self.name)
                yield rule_batch(batch, costs, self.match)
