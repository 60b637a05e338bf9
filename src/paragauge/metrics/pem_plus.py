"""The features of pem+, beside PEM's three: the same ideas in more detail, and signs of a changed meaning.

Pivot and English n-grams by order, precision and recall apart; overlap of characters, which sees relatives that stems
and tables do not; lengths; numbers and negations that one side has and the other lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.matching.pivot import BagOptions, BagOverlap, PivotBags
from paragauge.metrics.pem import PEM, paper_features
from paragauge.metrics.pem_features import MAX_ORDER, Column, PairBatch, feature, pivot_feature

_NEGATIONS = frozenset(
    ["not", "n't", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"]
)
_CHARACTER_ORDER = 6


def _of_order(n: int) -> Callable[[BagOverlap], Column]:
    return lambda overlap: overlap.order(n).f1()


@pivot_feature("pivot_precision")
def pivot_precision(overlap: BagOverlap) -> Column:
    """Return the share of the candidate's pivot n-grams that the original confirms."""
    return overlap.precision()


@pivot_feature("pivot_recall")
def pivot_recall(overlap: BagOverlap) -> Column:
    """Return the share of the original's pivot n-grams that the candidate keeps."""
    return overlap.recall()


@feature("word_precision")
def word_precision(batch: PairBatch) -> Column:
    """Return the share of the candidate's stemmed n-grams that the original has."""
    return batch.wording.precision()


@feature("word_recall")
def word_recall(batch: PairBatch) -> Column:
    """Return the share of the original's stemmed n-grams that the candidate has."""
    return batch.wording.recall()


for _n in range(1, MAX_ORDER + 1):
    pivot_feature(f"pivot_f1_{_n}")(_of_order(_n))
    feature(f"word_f1_{_n}")(lambda batch, n=_n: batch.wording.order(n).f1())  # type: ignore[misc]


@feature("character_f1")
def character_f1(batch: PairBatch) -> Column:
    """Return F1 of the bags of character n-grams, n = 1..6, spaces left out."""
    spelled = [[" ".join("".join(words)) for words in side] for side in (batch.original_words, batch.candidate_words)]
    return PivotBags(None, BagOptions(max_order=_CHARACTER_ORDER)).overlap(*spelled, threads=batch.threads).f1()


@feature("length_ratio")
def length_ratio(batch: PairBatch) -> Column:
    """Return log of words of the candidate + 1 over words of the original + 1."""
    counts = [[len(words) + 1 for words in side] for side in (batch.candidate_words, batch.original_words)]
    ratio: Column = np.log(np.array(counts[0]) / np.array(counts[1]))
    return ratio


@feature("original_fluency")
def original_fluency(batch: PairBatch) -> Column:
    """Return log10 Pr / words of each original: what fluency can be expected of its kind of text."""
    scores = batch.original_scores
    normalised: Column = scores.log10_p / np.maximum(scores.words, 1)
    return normalised


@feature("number_mismatch")
def number_mismatch(batch: PairBatch) -> Column:
    """Return how many words with digits one side has and the other lacks."""
    values = []
    for sides in zip(batch.original_words, batch.candidate_words, strict=True):
        ours, theirs = ([word for word in words if not word.isalpha() and _has_digit(word)] for words in sides)
        values.append(_difference(Counter(ours), Counter(theirs)) if ours or theirs else 0.0)
    return np.array(values, dtype=np.float64)


@feature("negation_mismatch")
def negation_mismatch(batch: PairBatch) -> Column:
    """Return how much the numbers of negations differ."""
    counts = [
        [sum(word in _NEGATIONS for word in words) for words in side]
        for side in (batch.original_words, batch.candidate_words)
    ]
    difference: Column = np.abs(np.array(counts[0], dtype=np.float64) - np.array(counts[1]))
    return difference


def _has_digit(word: str) -> bool:
    return any(letter.isdigit() for letter in word)


def _difference(one: Counter[str], other: Counter[str]) -> float:
    return float(((one - other) + (other - one)).total())


def plus_features(pivots: Sequence[str]) -> tuple[str, ...]:
    """Return the features of pem+ for these *pivots*."""
    return (
        *paper_features(pivots),
        "pivot_precision", "pivot_recall",
        *(f"pivot_f1_{n}" for n in range(1, MAX_ORDER + 1)),
        "word_precision", "word_recall",
        *(f"word_f1_{n}" for n in range(1, MAX_ORDER + 1)),
        "character_f1", "length_ratio", "original_fluency", "number_mismatch", "negation_mismatch",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PEMPlus(PEM):
    """PEM with more features than the paper's."""

    name: ClassVar[str] = "pem+"
    summary: ClassVar[str] = "quality of a paraphrase: PEM with more features"
