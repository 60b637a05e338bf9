"""Phrase tables on a cluster: extraction in parts, counted natively, then the statements that DuckDB runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.phrases import queries
from paragauge.phrases.build import Pruning, TableBuilder, extracted_schema
from paragauge.phrases.extract import RANK_LENGTH, ExtractPhrases, PhraseCounter, lexical_options
from paragauge.phrases.table import KIND, table_settings
from paragauge.progress import Counter
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text
from paragauge.spark.output import Output, input_digests
from paragauge.spark.words import LinkedText, lexical_counts, weighted_words
from paragauge.storage.engine import EngineOptions
from paragauge.storage.remote import RunSummary
from paragauge.text.vocabulary import TextVocabulary

if TYPE_CHECKING:
    import pyarrow as pa

# A worker counts in memory up to an eighth of this (see `PhraseCounter`) before it passes on a run.
MEMORY_OF_WORKER = "1GB"


def run(engine: SparkEngine, job: ExtractPhrases) -> RunSummary:
    """Write the phrase table of two texts and a Pharaoh file of links, in parts."""
    names = (str(job.source), str(job.target), str(job.links))
    table = Output(engine, job.output, KIND)
    sides = [Text(names[0], "source", job.encoding), Text(names[1], "target", job.encoding), Text(names[2], "links")]
    texts = ParallelTexts(engine, sides)
    linked = LinkedText(names, job.one_based)
    weights = weighted_words(engine, texts, linked, job.lexical_rule)
    counting = CountPhrases(linked, job.max_length, job.lexical, job.lexical_rule)
    engine.step("extract and count phrase pairs")
    pairs = texts.mapped(counting, extracted_schema(counting.optional, job.lexical_rule), weights)
    builder = TableBuilder(engine, counting.optional)
    kept = job.pruning or Pruning()
    builder.add_up(pairs, job.lexical_rule)
    found, rare = engine.rows(queries.rarer_pairs(kept.min_count))[0]
    engine.step("prune")
    builder.prune(kept)
    engine.step("write the table")
    rows = table.write(
        queries.sorted_rows(counting.optional, RANK_LENGTH),
        options=table_settings(
            {"max_length": job.max_length, **lexical_options(job.lexical, job.lexical_rule)}, job.pruning
        ),
        inputs=input_digests(names),
    )
    dropped = {
        f"phrase pairs seen fewer than {kept.min_count} times": int(rare),
        f"phrase pairs with p(f|e) below {kept.min_prob:g}, or not among the top {kept.top}": int(found - rare) - rows,
    }
    return RunSummary("sentence pairs", texts.length, "phrase pairs", rows, dropped)


@dataclass(frozen=True, slots=True)
class CountPhrases:
    """Counts the phrase pairs of a part, on a worker."""

    linked: LinkedText
    max_length: int | None
    lexical: bool
    rule: queries.LexicalRule

    @property
    def optional(self) -> tuple[str, ...]:
        """The optional columns of the pairs."""
        return (*(queries.LEXICAL if self.lexical else ()), queries.ALIGNMENT)

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:

        vocabularies = TextVocabulary(), TextVocabulary()
        batches = list(self.linked.batches(part, vocabularies))
        counts = lexical_counts(part, vocabularies)
        counter = PhraseCounter(
            vocabularies, counts, max_length=self.max_length, lexical=self.lexical, rule=self.rule,
            done=part.first, engine=EngineOptions(memory_limit=MEMORY_OF_WORKER, threads=1),
        )  # fmt: skip
        rest = iter(batches)
        last = False
        while not last:
            last = counter.fill(rest, Counter(None))
            yield from counter.rows()
