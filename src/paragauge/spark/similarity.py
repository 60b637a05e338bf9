"""Distributional similarity of the sides of paraphrase rules, on a cluster: see `paragauge.grammar.similarity`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.grammar.similarity import EDGE, PLACES, SIMILARITY
from paragauge.spark import queries
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_IN_BATCH = 1 << 16


def add_similarity(engine: SparkEngine, rules: str, text: str, encoding: str) -> str:
    """Compare the sides of paraphrase rules by their contexts in *text*.

    Args:
        engine: Cluster.
        rules: Query for the rules.
        text: Path of a tokenised text, one sentence per line.
        encoding: Its encoding.

    Returns:
        The query for the same rules with their similarity.
    """
    engine.run(f"CREATE TABLE paraphrases AS {rules}")
    engine.run(queries.PAIRS_TO_COMPARE)
    engine.run(queries.PHRASES_TO_COMPARE)
    lengths = sorted(int(row[0]) for row in engine.rows("SELECT DISTINCT length FROM phrases_to_compare"))
    finder = FindRuns(tuple(lengths))
    texts = ParallelTexts(engine, [Text(text, "text", encoding)])
    engine.step("compare contexts")
    engine.run_over("runs", finder.schema, texts.mapped(finder, finder.schema), queries.found_contexts(PLACES))
    for statement in (queries.CONTEXT_WEIGHTS, queries.CONTEXT_NORMS, queries.SIMILAR):
        engine.run(statement)
    return queries.with_similarity(SIMILARITY)


@dataclass(frozen=True, slots=True)
class FindRuns:
    """Finds the runs of words of some lengths in a part of a text, with the words around each, on a worker."""

    lengths: tuple[int, ...]

    @property
    def schema(self) -> pa.Schema:
        """The schema of the runs: a phrase, and the word at each place around it."""
        import pyarrow as pa

        return pa.schema([("phrase", pa.string()), *((str(place), pa.string()) for place in PLACES)])

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        columns: list[list[str]] = [[] for _ in self.schema.names]
        margin = max(map(abs, PLACES))
        for line in part.texts[0]:
            words = line.split()
            around = [*[EDGE] * margin, *words, *[EDGE] * margin]
            for length in self.lengths:
                for start in range(len(words) - length + 1):
                    columns[0].append(" ".join(words[start : start + length]))
                    for column, place in zip(columns[1:], PLACES, strict=True):
                        column.append(around[margin + start + (place if place < 0 else length - 1 + place)])
            if len(columns[0]) >= _ROWS_IN_BATCH:
                yield pa.RecordBatch.from_pydict(dict(zip(self.schema.names, columns, strict=True)), self.schema)
                columns = [[] for _ in columns]
        yield pa.RecordBatch.from_pydict(dict(zip(self.schema.names, columns, strict=True)), self.schema)
