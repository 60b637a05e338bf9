"""Paraphrase grammars by pivoting, on a cluster: the statements that DuckDB runs, over phrases as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING

from paragauge.grammar import pivot_queries
from paragauge.grammar.features import rule_schema
from paragauge.grammar.grammar import KIND
from paragauge.grammar.pivot import PivotLimits, PivotRules, RuleKind, find_steps, kind_of_rules, no_paraphrases
from paragauge.grammar.similarity import SIMILARITY_OPTION, with_similarity_field
from paragauge.spark.engine import SparkEngine
from paragauge.spark.output import Output
from paragauge.spark.similarity import add_similarity
from paragauge.spark.tables import GrammarFrame, grammar_frame
from paragauge.storage.remote import RunSummary

if TYPE_CHECKING:
    import pyarrow as pa


def run(engine: SparkEngine, job: PivotRules) -> RunSummary:
    """Write the paraphrases of the source sides of translation grammars, in parts."""
    limits = job.limits
    written = Output(engine, job.output, KIND)
    engine.step("read translation rules")
    frames = [grammar_frame(engine, grammar) for grammar in job.grammars]
    kind = kind_of_rules([(frame.name, frame.columns, _first_features(frame)) for frame in frames])
    loaded = [
        engine.mapped(
            each.frame.select(*(f"`{name}`" for name in kind.wanted(each.columns, each.name))),
            LoadRules(kind, corpus, each.name, limits),
            kind.schema,
        )
        for corpus, each in enumerate(frames)
    ]
    rows = reduce(lambda one, other: one.unionAll(other), loaded)
    found = find_steps(
        engine, lambda sql: engine.run_over("incoming", kind.schema, rows, sql), kind, limits, len(frames), as_text=True
    )
    engine.step("pivot")
    engine.run(pivot_queries.pivoted(kind.labelled, kind.weights(limits), limits.identity, as_text=True))
    engine.run(pivot_queries.directed(kind.labelled, kind.lexical, as_text=True))
    if engine.row(pivot_queries.any_rule(limits.min_prob, limits.min_count)) is None:
        raise no_paraphrases([frame.name for frame in frames])
    every = engine.count("directed")
    rules = pivot_queries.sorted_rules(
        kind.labelled, kind.lexical, True, limits.min_prob, limits.min_count, limits.top
    )  # fmt: skip
    schema = rule_schema(kind.features)
    options = kind.settings(limits, [frame.digest for frame in frames])
    if job.similarity is not None:
        engine.step("read contexts")
        rules = add_similarity(engine, rules, str(job.similarity), job.encoding)
        schema = with_similarity_field(schema)
        options = {**options, SIMILARITY_OPTION: str(job.similarity)}
    engine.step("write the grammar")
    kept = written.write(
        rules, options={"columns": schema.names, **options}, finish=(partial(_finished, kind, schema), schema)
    )
    return RunSummary("translation rules", found, "paraphrase rules", kept, {"improbable or rare rules": every - kept})


def _first_features(grammar: GrammarFrame) -> str:
    row = grammar.frame.select("features").first() if "features" in grammar.columns else None
    return "" if row is None else str(row[0])


def _finished(kind: RuleKind, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        made = kind.finished(batch)
        for name in schema.names[len(made.schema.names) :]:
            made = made.append_column(name, batch.column(name))
        yield made


@dataclass(frozen=True, slots=True)
class LoadRules:
    """Makes translation rules rows of the engine, on a worker."""

    kind: RuleKind
    corpus: int
    name: str
    limits: PivotLimits

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                yield self.kind.loaded(batch, self.corpus, self.name, self.limits)
