"""The features of pem+, beside PEM's three: the same ideas in more detail.

Pivot n-grams by order; words compared one by one, through their translations; stems, and letters, of which those of
rare words count more; what stays in order; and whether the candidate is a copy. Chosen by what they add to one another
on tweets and, trained on tweets alone, on other text (docs/reproduction.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import LCSseq

from paragauge.errors import DataError
from paragauge.matching.pivot import BagOptions, BagOverlap, PivotBags
from paragauge.metrics.pem import COMPONENTS, PEM
from paragauge.metrics.pem_features import Column, PairBatch, feature, pivot_feature
from paragauge.text.normalize import porter_stem

_CHARACTERS = 3  # the longest character n-grams
_MAX_CELLS = 100_000_000_000  # of the table in which a common subsequence is found: some seconds
_BORDER = "\N{OPEN BOX}"  # between words, and around them


@pivot_feature("pivot_f1_1")
def pivot_f1_1(overlap: BagOverlap) -> Column:
    """Return F1 of single pivot words."""
    return overlap.order(1).f1()


@pivot_feature("pivot_f1_2")
def pivot_f1_2(overlap: BagOverlap) -> Column:
    """Return F1 of pairs of pivot words."""
    return overlap.order(2).f1()


def _spelling(batch: PairBatch) -> BagOverlap:
    def spelled(sentences: Iterable[Sequence[str]]) -> Iterator[str]:
        for words in sentences:
            yield " ".join(_BORDER.join(("", *words, "")))

    bags = PivotBags(None, BagOptions(max_order=_CHARACTERS))
    return bags.overlap(spelled(batch.original_words), spelled(batch.candidate_words), threads=batch.threads)


@feature("character_recall_2")
def character_recall_2(batch: PairBatch) -> Column:
    """Return the share of the original's pairs of characters, borders of words among them, that the candidate has."""
    return batch.once(_spelling).order(2).recall()


@feature("character_recall_3")
def character_recall_3(batch: PairBatch) -> Column:
    """Return the same of three characters."""
    return batch.once(_spelling).order(3).recall()


@dataclass(frozen=True, slots=True)
class _ContentWords:
    """The words of both sides that have a letter or a digit in them, and their stems."""

    original: list[tuple[str, ...]]
    candidate: list[tuple[str, ...]]
    original_stems: list[tuple[str, ...]]
    candidate_stems: list[tuple[str, ...]]


@lru_cache(maxsize=1 << 16)
def _is_content(word: str) -> bool:
    return any(map(str.isalnum, word))


def _content_words(batch: PairBatch) -> _ContentWords:
    sides = [
        [tuple(filter(_is_content, words)) for words in side] for side in (batch.original_words, batch.candidate_words)
    ]
    return _ContentWords(*sides, *([tuple(map(porter_stem, words)) for words in side] for side in sides))


@feature("pivot_word_f1")
def pivot_word_f1(batch: PairBatch) -> Column:
    """Return F1 of what words express through their translations, each by its nearest word on the other side."""
    words, content = batch.resources.words, batch.once(_content_words)
    values = []
    for number, pair in enumerate(zip(content.original_stems, content.candidate_stems, strict=True), start=1):
        try:
            values.append(_f1(*words.shared(*pair)))
        except DataError as error:
            raise DataError(f"segment {number}: {error}") from error
    return np.array(values, dtype=np.float64)


@feature("rare_word_recall")
def rare_word_recall(batch: PairBatch) -> Column:
    """Return the share of the original's stems that the candidate has, weighed by how rare they are."""
    information, content = batch.resources.words.information, batch.once(_content_words)
    values = []
    for ours, theirs in zip(content.original_stems, content.candidate_stems, strict=True):
        there = frozenset(theirs)
        total = sum(map(information, ours))
        values.append(sum(information(stem) for stem in ours if stem in there) / total if total > 0 else 0.0)
    return np.array(values, dtype=np.float64)


@feature("rare_character_f1")
def rare_character_f1(batch: PairBatch) -> Column:
    """Return F1 of three characters inside words, weighed by how rare the word is: relatives of rare words count."""
    information, content = batch.resources.words.information, batch.once(_content_words)
    bags = [
        [_weighted_trigrams(words, [information(stem) for stem in stems]) for words, stems in zip(*side, strict=True)]
        for side in ((content.original, content.original_stems), (content.candidate, content.candidate_stems))
    ]
    values = []
    for ours, theirs in zip(*bags, strict=True):
        shared = sum(min(weight, theirs[trigram]) for trigram, weight in ours.items() if trigram in theirs)
        total = sum(ours.values()) + sum(theirs.values())
        values.append(2 * shared / total if total > 0 else 0.0)
    return np.array(values, dtype=np.float64)


def _weighted_trigrams(words: Sequence[str], weights: Sequence[float]) -> dict[str, float]:
    bag: dict[str, float] = {}
    for word, weight in zip(words, weights, strict=True):
        trigrams = _trigrams(word)
        share = weight / len(trigrams)
        for trigram in trigrams:
            bag[trigram] = bag.get(trigram, 0.0) + share
    return bag


@lru_cache(maxsize=1 << 16)
def _trigrams(word: str) -> tuple[str, ...]:
    spelled = f"<{word}>"
    return tuple(spelled[k : k + 3] for k in range(len(spelled) - 2))


@feature("subsequence_recall")
def subsequence_recall(batch: PairBatch) -> Column:
    """Return the longest common subsequence of stems over the stems of the original: what was kept, in order."""
    pairs = zip(batch.original_stems, batch.candidate_stems, strict=True)
    values = []
    for number, (ours, theirs) in enumerate(((one.split(), other.split()) for one, other in pairs), start=1):
        if len(ours) * len(theirs) > _MAX_CELLS:
            raise DataError(
                f"segment {number}: a pair of sentences has {len(ours):,} and {len(theirs):,} words, too many for "
                "their common order; split the sentences"
            )
        values.append(LCSseq.similarity(ours, theirs) / len(ours) if ours else 0.0)
    return np.array(values, dtype=np.float64)


@feature("copy")
def copy(batch: PairBatch) -> Column:
    """Return 1 for a candidate with the stems of its original, else 0.

    A copy is worth 2 by the protocol; with a sign of its own, near-copies need not suffer for it.
    """
    pairs = zip(batch.original_stems, batch.candidate_stems, strict=True)
    return np.array([float(original == candidate) for original, candidate in pairs], dtype=np.float64)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def plus_features(pivots: Sequence[str]) -> tuple[str, ...]:
    """Return the features of pem+, the same for any *pivots*: of several, means."""
    return (
        *COMPONENTS,
        "pivot_f1_1", "pivot_f1_2", "pivot_word_f1",
        "character_recall_2", "character_recall_3", "rare_word_recall", "rare_character_f1",
        "subsequence_recall", "copy",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PEMPlus(PEM):
    """PEM with more features than the paper's."""

    name: ClassVar[str] = "pem+"
    summary: ClassVar[str] = "PEM with more features: words and letters, order, copies"
