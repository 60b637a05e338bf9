"""Synchronous grammars on a cluster: rules extracted and counted in parts, then the statements that DuckDB runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from paragauge.analysis.tree import Tree
from paragauge.errors import DataError
from paragauge.grammar import queries
from paragauge.grammar.extract import (
    ExtractRules,
    Labelling,
    RuleExtractor,
    RuleLimits,
    check_choices,
    check_words,
    extracted_schema,
    no_rules,
    rule_options,
)
from paragauge.grammar.features import rule_schema, with_costs
from paragauge.grammar.grammar import KIND
from paragauge.grammar.trees import TreeEncoder
from paragauge.phrases.extract import RANK_LENGTH
from paragauge.progress import Counter
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text
from paragauge.spark.output import Output, input_digests
from paragauge.spark.words import LinkedText, lexical_counts, weighted_words
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.remote import RunSummary
from paragauge.text.vocabulary import TextVocabulary

if TYPE_CHECKING:
    import pyarrow as pa

MEMORY_OF_WORKER = "512MB"


def run(engine: SparkEngine, job: ExtractRules) -> RunSummary:
    """Write the grammar of two texts, a Pharaoh file of links and optionally trees, in parts."""
    labelling, limits, min_count, lexical, trees = job.labelling, job.limits, job.min_count, job.lexical, job.trees
    labelled = check_choices(labelling, min_count, trees is not None)
    names = (str(job.source), str(job.target), str(job.links))
    written = Output(engine, job.output, KIND)
    sides = [Text(names[0], "source", job.encoding), Text(names[1], "target", job.encoding), Text(names[2], "links")]
    if trees is not None and labelled:
        sides.append(Text(str(trees), "tree", job.encoding))
    texts = ParallelTexts(engine, sides)
    linked = LinkedText(names, job.one_based)
    weights = weighted_words(engine, texts, linked) if lexical else None
    counting = CountRules(linked, labelling, limits, lexical, str(trees))
    engine.step("extract and count rules")
    engine.run_over(
        "partial", counting.schema, texts.mapped(counting, counting.schema, weights), queries.add_partial(lexical)
    )
    found = engine.count("joint")
    if engine.row(queries.any_rule(min_count)) is None:
        raise no_rules(names)
    engine.step("write the grammar")
    features = queries.feature_names(labelled, lexical)
    columns = ["lhs", "source", "target", "alignment", "count", *features]
    rows = written.write(
        queries.sorted_rules(labelled, lexical, RANK_LENGTH if lexical else 0, min_count),
        options={"columns": columns, **rule_options(labelling, limits, min_count, lexical)},
        inputs=input_digests([*names, *([] if trees is None else [str(trees)])]),
        finish=(partial(_costs, features), rule_schema(features)),
    )
    return RunSummary(
        "sentence pairs", texts.length, "rules", rows, {f"rules seen fewer than {min_count} times": found - rows}
    )


def _costs(features: Sequence[str], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return (with_costs(batch, features) for batch in batches)


@dataclass(frozen=True, slots=True)
class CountRules:
    """Extracts the rules of a part on a worker, and counts them there with the embedded engine."""

    linked: LinkedText
    labelling: Labelling
    limits: RuleLimits
    lexical: bool
    trees_name: str

    @property
    def schema(self) -> pa.Schema:
        """The schema of the counted rules."""
        import pyarrow as pa

        return extracted_schema(self.lexical).append(pa.field("count", pa.int64()))

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        from paragauge import _core

        vocabularies = TextVocabulary(), TextVocabulary()
        batches = list(self.linked.batches(part, vocabularies))
        check_words(vocabularies)
        counts = lexical_counts(part, vocabularies) if self.lexical else _core.LexicalCounts()
        trees, arrays = None, []
        if len(part.texts) > 3:
            trees = TreeEncoder(self._trees(part), self.trees_name, part.first)
            sides = [batch.source if self.labelling.trees_side == "source" else batch.target for batch in batches]
            arrays = [trees.encode(side.lengths.tolist()) for side in sides]
        extractor = RuleExtractor(vocabularies, counts, trees, self.labelling, self.limits, self.lexical, 1)
        rows = extractor.rows(batches, arrays, Counter(None))
        with Engine(EngineOptions(memory_limit=MEMORY_OF_WORKER, threads=1)) as running:
            running.run_over("extracted", extractor.schema, rows, queries.count_extracted(self.lexical))
            for batch in running.stream("SELECT * FROM joint"):
                yield batch.select(self.schema.names).cast(self.schema)

    def _trees(self, part: Part) -> Iterator[Tree]:
        for number, line in enumerate(part.texts[3], start=part.first + 1):
            try:
                yield Tree.from_penn(line)
            except DataError as error:
                raise DataError(str(error), path=self.trees_name, line=number) from None
