"""The three features of PEM, for batches of pairs: adequacy, fluency, and the wording shared with the original.

With several pivots each has an adequacy of its own, ``adequacy:PIVOT``, beside their mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import unknown_name
from paragauge.lm.model import LanguageModel
from paragauge.matching.pivot import BagOptions, BagOverlap, PivotBags, pack_sentences
from paragauge.text.normalize import PORTER, Stemmer, get_stemmer
from paragauge.text.pipeline import TextPipeline

Column: TypeAlias = NDArray[np.float64]  # one number for each pair
Fluency: TypeAlias = Literal["log-odds", "per-word"]
FLUENCIES: tuple[Fluency, ...] = get_args(Fluency)

COMPONENTS = ("adequacy", "fluency", "dissimilarity")
LEAST_FLUENCY = -1.0  # log10, per token: how far a candidate can fall below its original
# Nearly nine of ten sentences of news have log-odds below this. Short, common sentences have more, since the language
# model has seen most of their n-grams; their paraphrases need not be as well known.
ORDINARY_LOG_ODDS = 0.7
RARE = -4.7  # log10 p: words that occur less than once in 50,000

_MOST_STEMS = 1 << 16
_WORDING = BagOptions.paper()  # n-grams of up to four words, each at its full weight


@dataclass(frozen=True, slots=True, kw_only=True)
class PemResources:
    """What features are computed with.

    Attributes:
        pivots: Phrase tables of stems against other languages, by the name of the language.
        language_model: Of words of the scored language.
        text: How sentences become words; stems are made of these words.
        stemmer: The name of the stemmer.
        lm_stems: Whether the language model is one of stems.
        punctuation: Whether tokens without a letter or a digit count for adequacy and for shared wording.
        fluency: ``log-odds``, relative to the original; or the paper's, ``per-word``.
    """

    pivots: Mapping[str, PivotBags]
    language_model: LanguageModel
    text: TextPipeline
    stemmer: str = PORTER
    lm_stems: bool = False
    punctuation: bool = False
    fluency: Fluency = "log-odds"
    stem: Stemmer = field(init=False, repr=False)
    word_stems: _WordStems = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.fluency not in FLUENCIES:
            raise unknown_name("fluency", self.fluency, FLUENCIES)
        object.__setattr__(self, "stem", get_stemmer(self.stemmer))
        object.__setattr__(self, "word_stems", _WordStems(self.stem))


class PairBatch:
    """Pairs of an original and a candidate, and what several features need of them.

    Attributes:
        resources: What features are computed with.
        original_words: The words of each original, lower-cased and not stemmed.
        candidate_words: The words of each candidate, likewise.
        original_stems: The stems of each original, with spaces between them.
        candidate_stems: The stems of each candidate, likewise.
        threads: How many threads may work, all cores if None.
    """

    def __init__(
        self,
        resources: PemResources,
        originals: Sequence[str],
        candidates: Sequence[str],
        *,
        threads: int | None = None,
    ) -> None:
        self.resources = resources
        # One pair is not worth asking how many cores there are.
        self.threads = 1 if threads is None and len(candidates) == 1 else threads
        self.original_words = list(map(resources.text, originals))
        self.candidate_words = list(map(resources.text, candidates))
        self.original_stems = self._stems(self.original_words)
        self.candidate_stems = self._stems(self.candidate_words)
        self._packed = pack_sentences(self.original_stems), pack_sentences(self.candidate_stems)
        self._overlaps: dict[str | None, BagOverlap] = {}

    def __len__(self) -> int:
        return len(self.candidate_words)

    def _stems(self, sentences: Iterable[tuple[str, ...]]) -> list[str]:
        stem = self.resources.stem if self.resources.punctuation else self.resources.word_stems.__getitem__
        return [" ".join(filter(None, map(stem, words))) for words in sentences]

    @property
    def pivots(self) -> tuple[str, ...]:
        """The names of the pivots."""
        return tuple(self.resources.pivots)

    def overlap(self, pivot: str | None) -> BagOverlap:
        """Return what the bags of pivot n-grams share, through one *pivot*; of the stems themselves for None."""
        if pivot not in self._overlaps:
            bags = _plain_bags() if pivot is None else self.resources.pivots[pivot]
            self._overlaps[pivot] = bags.overlap_of_packed(*self._packed, threads=self.threads)
        return self._overlaps[pivot]

    @property
    def is_empty(self) -> NDArray[np.bool_]:
        """Whether there is nothing to compare in each candidate."""
        return np.array([not stems for stems in self.candidate_stems], dtype=bool)

    def adequacy(self, pivot: str | None = None) -> Column:
        """Return the pivot language F1 of each pair: through one *pivot*, or the mean of all."""
        if pivot is not None:
            return self.overlap(pivot).f1()
        columns = [self.overlap(each).f1() for each in self.pivots]
        # Added one by one: the same digits whatever the number of pairs.
        total = columns[0]
        for column in columns[1:]:
            total = total + column
        average: Column = total / len(columns)
        return average

    def fluency(self) -> Column:
        """Return how fluent each candidate is.

        ``per-word``: log10 Pr / words, as in the paper; an empty candidate counts as one word. ``log-odds``: the
        syntactic log-odds ratio of the candidate (`LanguageModel.log_odds`) less that of its original, which counts
        `ORDINARY_LOG_ODDS` at most; from -1 to 0. So a rare word is no worse than a frequent one, unknown words, which
        would outweigh the rest, are left out, and text that is better known than the original is not better English.
        """
        language_model = self.resources.language_model
        if self.resources.fluency == "per-word":
            scores = language_model.scores(self._lm_words(self.candidate_words), threads=self.threads)
            normalised: Column = scores.log10_p / np.maximum(scores.words, 1)
            return normalised
        both = self._all_log_odds()
        relative: Column = both[: len(self)] - np.minimum(both[len(self) :], ORDINARY_LOG_ODDS)
        clipped: Column = np.minimum(np.maximum(relative, LEAST_FLUENCY), 0.0)
        return clipped

    def _all_log_odds(self) -> Column:
        """Return the syntactic log-odds ratios of the candidates, then of the originals."""
        words = self._lm_words([*self.candidate_words, *self.original_words])
        return self.resources.language_model.log_odds(words, rare=RARE)

    def log_odds(self) -> tuple[float, float]:
        """Return the log-odds of the first candidate and of its original, for explanations."""
        both = self._all_log_odds()
        return float(both[0]), float(both[len(self)])

    def dissimilarity(self) -> Column:
        """Return the target language F1 of each pair, the wording it shares with the original: 1 for a copy."""
        return self.overlap(None).f1()

    def column(self, name: str) -> Column:
        """Return the feature *name* of all pairs."""
        kind, _, pivot = name.partition(":")
        if kind == "adequacy":
            return self.adequacy(pivot or None)
        return self.fluency() if kind == "fluency" else self.dissimilarity()

    def features(self) -> NDArray[np.float64]:
        """Return all features, an array (pairs, features) in the order of `feature_names`."""
        names = feature_names(self.pivots)
        matrix = np.empty((len(self), len(names)))
        for place, name in enumerate(names):
            matrix[:, place] = self.column(name)
        return matrix

    def _lm_words(self, sentences: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        if not self.resources.lm_stems:
            return sentences
        return [tuple(map(self.resources.stem, words)) for words in sentences]


def feature_names(pivots: Sequence[str]) -> tuple[str, ...]:
    """Return the features of PEM for these *pivots*: the paper's three; each pivot's F1, too, if there are several."""
    by_pivot = tuple(f"adequacy:{pivot}" for pivot in pivots) if len(pivots) > 1 else ()
    return (*by_pivot, *COMPONENTS)


class _WordStems(dict[str, str]):
    """The stems of words, "" for tokens without letter or digit; the common ones are remembered."""

    def __init__(self, stem: Stemmer) -> None:
        self._stem = stem

    def __missing__(self, token: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        found = self[token] = self._stem(token) if any(map(str.isalnum, token)) else ""
        return found


@lru_cache(maxsize=1)
def _plain_bags() -> PivotBags:
    return PivotBags(None, _WORDING)
