"""The rules of a gold grammar that another grammar contains, on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.grammar.grammar import SIDES, feature_column, rule_costs
from paragauge.grammar.overlap import (
    CompareGrammars,
    Match,
    NamedOverlap,
    check_choices,
    count_overlap,
    gold_batches,
    gold_schema,
    load_gold,
    rule_batch,
    rule_schema,
)
from paragauge.grammar.queries import drop_table
from paragauge.spark.engine import SparkEngine
from paragauge.spark.tables import GrammarFrame, grammar_frame

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_RELATIONS = ("gold", "rules", "found")


def run(engine: SparkEngine, job: CompareGrammars) -> list[NamedOverlap]:
    """Return the overlap of several grammars with a gold grammar."""
    grammars = {system: grammar_frame(engine, grammar) for system, grammar in job.grammars.items()}
    gold, feature = grammar_frame(engine, job.gold), job.feature
    for match in job.matches:
        check_choices(match, job.min_counts, gold.columns, gold.name, job.identities)
    columns = {
        system: [] if feature is None else [feature_column(feature, grammar.columns, grammar.name)]
        for system, grammar in grammars.items()
    }
    found = []
    try:
        engine.step("load the gold grammar")
        counted = ["count"] if "count" in gold.columns else []
        gold_rows = engine.mapped(_select(gold, counted), GoldRows(tuple(job.matches)), gold_schema())
        load_gold(engine, gold_rows, job.identities)
        for match in job.matches:
            engine.step(f"compare rules, {match}")
            for system, grammar in grammars.items():
                making = RuleRows(match, feature, grammar.name)
                rules = engine.mapped(_select(grammar, columns[system]), making, rule_schema())
                overlap = count_overlap(engine, rules, match, job.min_counts, job.identities, curve=feature is not None)
                _check_feature(engine, feature, grammar)
                found.append(NamedOverlap(system, overlap))
    finally:
        for relation in _RELATIONS:
            engine.run(drop_table(relation))
    return found


def _check_feature(engine: SparkEngine, feature: str | None, grammar: GrammarFrame) -> None:
    known = "SELECT 1 FROM rules WHERE score < CAST('inf' AS DOUBLE) LIMIT 1"
    if feature is not None and engine.row(known) is None:
        raise DataError(f"no rule has the feature {feature!r}", path=grammar.name)


def _select(grammar: GrammarFrame, more: Sequence[str]) -> DataFrame:
    return grammar.frame.select(*(f"`{name}`" for name in (*SIDES, *more)))


@dataclass(frozen=True, slots=True)
class GoldRows:
    """Makes rules of the gold grammar comparable, on a worker."""

    matches: tuple[Match, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                yield from gold_batches(batch, self.matches)


@dataclass(frozen=True, slots=True)
class RuleRows:
    """Makes rules of the grammar to evaluate comparable, on a worker."""

    match: Match
    feature: str | None
    name: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                costs = None if self.feature is None else rule_costs(batch, self.feature, self.name)
                yield rule_batch(batch, costs, self.match)
