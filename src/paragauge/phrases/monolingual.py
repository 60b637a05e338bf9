"""Paraphrasing as translation from a language into itself (Quirk, Brockett and Dolan 2004).

All pairs of sentences with the same meaning form a bitext: their words are aligned, phrase pairs are extracted in both
directions, and p(e2|e1) = N(e1, e2) / N(e1). Paraphrases with a probability below 1% are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from paragauge.align.aligned import AlignedText
from paragauge.align.aligner import Aligner, training_options
from paragauge.align.options import AGREEMENT, AlignerOptions
from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.progress import Progress
from paragauge.storage.engine import EngineOptions

DEFAULT_MIN_PROB = 0.01
DEFAULT_MAX_LENGTH = 5  # ParaMetric uses phrases of up to five words


@dataclass(frozen=True, slots=True)
class MonolingualSmt:
    """Model learned from sentences with the same meaning.

    Attributes:
        aligner: Trained aligner, for other sentence pairs.
        source: One side of all training pairs.
        target: The other side.
        links: Links of the training pairs.
    """

    aligner: Aligner
    source: Sequence[str]
    target: Sequence[str]
    links: AlignedText

    def paraphrases(
        self,
        *,
        max_length: int = DEFAULT_MAX_LENGTH,
        min_prob: float = DEFAULT_MIN_PROB,
        engine: EngineOptions | None = None,
        output: PathLike | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> ParaphraseTable:
        """Return the paraphrases in the training sentences, in both directions; *options* go into the manifest."""

        def links() -> Iterator[Iterable[tuple[int, int]]]:
            yield from self.links
            yield from (alignment.inverted() for alignment in self.links)

        table = extract_phrases(
            [*self.source, *self.target], [*self.target, *self.source], links(), max_length=max_length,
            min_prob=min_prob, lexical=False, engine=engine,
        )  # fmt: skip
        table.options = {**table.options, **(options or {})}
        return ParaphraseTable.from_phrase_table(table, min_prob=min_prob, engine=engine, output=output)


def all_pairs(groups: Iterable[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return both sides of all pairwise combinations of sentences in each group; empty sentences are skipped.

    >>> all_pairs([["a b", "a c", "", "d"], ["e"]])
    (['a b', 'a b', 'a c'], ['a c', 'd', 'd'])
    """
    pairs = [pair for group in groups for pair in combinations([text for text in group if text.strip()], 2)]
    return [one for one, _ in pairs], [other for _, other in pairs]


def monolingual_smt(
    groups: Iterable[Sequence[str]],
    *,
    method: str = AGREEMENT,
    options: AlignerOptions | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MonolingualSmt:
    """Return the model that an aligner learns from all pairs of sentences with the same meaning.

    Args:
        groups: Sentences with the same meaning, tokens separated by white space; two paraphrases are a group of two.
        method: As for `align`: ``agreement``, or a symmetrisation of directions that are trained separately.
        options: Other options of the aligner.
        threads: All cores by default.
        progress: Called after each iteration of training.

    Raises:
        DataError: No group has two sentences.

    >>> learned = monolingual_smt([["a big dog", "a large dog"], ["the big man", "the large man"]])
    >>> learned.paraphrases()["big dog"]
    [Paraphrase(text='large dog', score=1.0)]
    """
    source, target = all_pairs(groups)
    if not source:
        raise DataError("no group has two sentences; expected several sentences with the same meaning in each group")
    settings = training_options(options, method=method, monolingual=True)
    aligner, aligned = Aligner.train_and_align(
        source, target, method=method, options=settings, threads=threads, progress=progress
    )
    return MonolingualSmt(aligner, source, target, aligned)
