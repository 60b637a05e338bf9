"""Lexical weights on a cluster: how often words are linked, counted in parts and added up.

A phrase pair's weight depends on how often its words are linked in the whole text. Each part counts its own links and
gets back the sums for those that it has, so that no worker holds all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.phrases.extract import LinkedBatch, encode_batches
from paragauge.phrases.queries import LexicalRule
from paragauge.spark import queries
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part
from paragauge.storage.links import LinkArrays, LinkPlace, parse_links
from paragauge.storage.store import arrow_strings
from paragauge.text.vocabulary import TextVocabulary

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from paragauge import _core

_PAIRS_IN_BATCH = 1 << 12


@dataclass(frozen=True, slots=True)
class LinkedText:
    """Reader of parts of source, target and links.

    Attributes:
        names: Names of the three, for messages.
        one_based: Whether positions count from 1.
    """

    names: tuple[str, str, str]
    one_based: bool = False

    def batches(self, part: Part, vocabularies: tuple[TextVocabulary, TextVocabulary]) -> Iterator[LinkedBatch]:
        """Yield the sentence pairs of a part as numbers, with their links."""
        source, target, links = part.texts[:3]
        return encode_batches(iter(source), iter(target), self._links(links, part.first), self.names, vocabularies)

    def _links(self, lines: list[str], first: int) -> Iterator[tuple[LinkArrays, LinkPlace]]:
        for begin in range(0, len(lines), _PAIRS_IN_BATCH):
            place = LinkPlace(self.names[2], first + begin + 1, self.one_based)
            yield parse_links(lines[begin : begin + _PAIRS_IN_BATCH], place), place


def weighted_words(
    engine: SparkEngine, texts: ParallelTexts, linked: LinkedText, rule: LexicalRule = "koehn"
) -> DataFrame:
    """Return, for each part, the pairs of linked words that it has, with the counts of the whole text."""
    engine.step("count linked words")
    engine.run_over(
        "counted", _schema(), texts.mapped(CountWords(linked), _schema()),
        "CREATE TABLE word_links AS SELECT * FROM counted",
    )  # fmt: skip
    engine.run(queries.word_weights(rule))
    return engine.session.table("word_weights")


def _schema() -> pa.Schema:
    import pyarrow as pa

    text = pa.large_string()
    return pa.schema([("part", pa.int32()), ("source_word", text), ("target_word", text), ("count", pa.int64())])


@dataclass(frozen=True, slots=True)
class CountWords:
    """Counts the linked words of a part, on a worker."""

    linked: LinkedText

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        import numpy as np
        import pyarrow as pa

        from paragauge import _core

        vocabularies = TextVocabulary(), TextVocabulary()
        counts = _core.LexicalCounts()
        for batch in self.linked.batches(part, vocabularies):
            counts.add(batch.native)
        *numbers, times = counts.rows()
        words = [_words(vocabulary, ids) for vocabulary, ids in zip(vocabularies, numbers, strict=True)]
        part_numbers = pa.array(np.full(len(times), part.number, dtype=np.int32))
        yield pa.RecordBatch.from_arrays([part_numbers, *words, pa.array(times)], schema=_schema())


def _words(vocabulary: TextVocabulary, numbers: NDArray[np.int32]) -> pa.Array:
    """Return the text of words; '' means no word."""
    import numpy as np
    import pyarrow as pa

    known = pa.concat_arrays([arrow_strings(*vocabulary.strings()), pa.array([""], pa.large_string())])
    return known.take(pa.array(np.where(numbers < 0, len(known) - 1, numbers)))


def lexical_counts(part: Part, vocabularies: tuple[TextVocabulary, TextVocabulary]) -> _core.LexicalCounts:
    """Return the counts at the beginning of a part of the text, with its word numbers."""
    from paragauge import _core

    counts = _core.LexicalCounts()
    rows = part.before
    sides = zip(("source_word", "target_word"), vocabularies, strict=True)
    source, target = (_numbers(vocabulary, rows.column(name).to_pylist()) for name, vocabulary in sides)
    pairs, *totals = (rows.column(name).to_numpy() for name in ("count", "source_total", "target_total"))
    counts.put(source, target, pairs, *totals)
    return counts


def _numbers(vocabulary: TextVocabulary, words: list[str]) -> NDArray[np.int32]:
    """Return the numbers of words, -1 for ''."""
    import numpy as np

    encoded = vocabulary.encode(words)
    numbers = np.full(len(words), -1, dtype=np.int32)
    numbers[encoded.lengths > 0] = encoded.ids
    return numbers
