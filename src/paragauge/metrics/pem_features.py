"""What PEM's regressor looks at: pairs of original and candidate, and named numbers that are computed from them.

A feature is a function of a whole batch of pairs and gives one number for each. Features of pivots are functions of
what two bags of pivot n-grams share: under the plain name they mean the average over all pivots of a model, under
``name:pivot`` one of them. A regressor stores the names of its features, in order; nothing else has to change for a
variant of PEM that looks at more.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import unknown_name
from paragauge.lm.model import LanguageModel, Scores
from paragauge.matching.pivot import BagOptions, BagOverlap, PivotBags
from paragauge.matching.pivot_words import PivotWords
from paragauge.text.normalize import porter_stem
from paragauge.text.pipeline import TextPipeline

Column: TypeAlias = NDArray[np.float64]  # one number for each pair

T = TypeVar("T")

MAX_ORDER = 4  # of both kinds of n-grams, as in the paper


@dataclass(frozen=True, slots=True, kw_only=True)
class PemResources:
    """What features are computed with.

    Attributes:
        pivots: Phrase tables of stemmed English against other languages, by the name of the language.
        language_model: Of English words.
        text: How English becomes words; stems are made of these words.
        lm_stems: Whether the language model is one of stems.
    """

    pivots: Mapping[str, PivotBags]
    language_model: LanguageModel
    text: TextPipeline
    lm_stems: bool = False
    words: PivotWords = field(init=False)  # of the same tables

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", PivotWords({name: bags.table for name, bags in self.pivots.items()}))


class PairBatch:
    """Pairs of an original and a candidate; what several features need is computed once, when one asks for it."""

    def __init__(
        self,
        resources: PemResources,
        originals: Sequence[str],
        candidates: Sequence[str],
        *,
        threads: int | None = None,
    ) -> None:
        self.resources = resources
        self.originals = originals
        self.candidates = candidates
        self.threads = threads
        self._overlaps: dict[str, BagOverlap] = {}
        self._shared: dict[object, Any] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def original_words(self) -> list[tuple[str, ...]]:
        """The words of each original, lower-cased and not stemmed."""
        return list(map(self.resources.text, self.originals))

    @cached_property
    def candidate_words(self) -> list[tuple[str, ...]]:
        """The words of each candidate, lower-cased and not stemmed."""
        return list(map(self.resources.text, self.candidates))

    @cached_property
    def original_stems(self) -> list[str]:
        """The stems of each original, with spaces between them."""
        return _stemmed(self.original_words)

    @cached_property
    def candidate_stems(self) -> list[str]:
        """The stems of each candidate, with spaces between them."""
        return _stemmed(self.candidate_words)

    @property
    def pivots(self) -> tuple[str, ...]:
        """The names of the pivots."""
        return tuple(self.resources.pivots)

    def overlap(self, pivot: str) -> BagOverlap:
        """Return what the bags of pivot n-grams share, through one *pivot*."""
        if pivot not in self._overlaps:
            bags = self.resources.pivots[pivot]
            self._overlaps[pivot] = bags.overlap(self.original_stems, self.candidate_stems, threads=self.threads)
        return self._overlaps[pivot]

    def once(self, compute: Callable[[PairBatch], T]) -> T:
        """Return what *compute* makes of this batch, for features that share it."""
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        value: T = self._shared[compute]
        return value

    @cached_property
    def wording(self) -> BagOverlap:
        """What the bags of stemmed English n-grams share, by plain counts."""
        plain = PivotBags(None, BagOptions(max_order=MAX_ORDER))
        return plain.overlap(self.original_stems, self.candidate_stems, threads=self.threads)

    @cached_property
    def candidate_scores(self) -> Scores:
        """What the language model says of each candidate."""
        return self._scores(self.candidate_words)

    @cached_property
    def original_scores(self) -> Scores:
        """What the language model says of each original."""
        return self._scores(self.original_words)

    def _scores(self, sentences: Iterable[tuple[str, ...]]) -> Scores:
        if self.resources.lm_stems:
            sentences = (tuple(map(porter_stem, words)) for words in sentences)
        return self.resources.language_model.scores(sentences, threads=self.threads)


def _stemmed(sentences: Iterable[tuple[str, ...]]) -> list[str]:
    return [" ".join(map(porter_stem, words)) for words in sentences]


FeatureFunction: TypeAlias = Callable[[PairBatch], Column]
PivotFunction: TypeAlias = Callable[[BagOverlap], Column]

_HOMES = ("paragauge.metrics.pem", "paragauge.metrics.pem_plus")  # where features are registered
_FEATURES: dict[str, FeatureFunction] = {}
_PIVOT_FEATURES: dict[str, PivotFunction] = {}


def feature(name: str) -> Callable[[FeatureFunction], FeatureFunction]:
    """Register a function of a batch as the feature *name*."""

    def register(function: FeatureFunction) -> FeatureFunction:
        _FEATURES[name] = function
        return function

    return register


def pivot_feature(name: str) -> Callable[[PivotFunction], PivotFunction]:
    """Register a function of an overlap as the features *name* (average over pivots) and ``name:pivot``."""

    def register(function: PivotFunction) -> PivotFunction:
        _PIVOT_FEATURES[name] = function
        return function

    return register


def _register_all() -> None:
    for module in _HOMES:
        importlib.import_module(module)


def known_features(pivots: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all features that there are with these *pivots*."""
    _register_all()
    by_pivot = (f"{name}:{pivot}" for name in _PIVOT_FEATURES for pivot in pivots)
    return (*_PIVOT_FEATURES, *by_pivot, *_FEATURES)


def check_features(names: Sequence[str], pivots: Sequence[str]) -> None:
    """Raise an `OptionError` for a name that is no feature."""
    known = known_features(pivots)
    for name in names:
        if name not in known:
            raise unknown_name("feature of PEM", name, known)


def feature_column(name: str, batch: PairBatch) -> Column:
    """Return one feature of all pairs."""
    _register_all()
    if name in _FEATURES:
        return _FEATURES[name](batch)
    kind, _, pivot = name.partition(":")
    function = _PIVOT_FEATURES[kind]
    if pivot:
        return function(batch.overlap(pivot))
    columns = [function(batch.overlap(each)) for each in batch.pivots]
    # Added one by one: the same digits whatever the number of pairs.
    total = columns[0]
    for column in columns[1:]:
        total = total + column
    average: Column = total / len(columns)
    return average


def feature_matrix(names: Sequence[str], batch: PairBatch) -> NDArray[np.float64]:
    """Return features as an array (pairs, features)."""
    columns = [feature_column(name, batch) for name in names]
    return np.ascontiguousarray(np.stack(columns, axis=1)) if columns else np.empty((len(batch), 0))
