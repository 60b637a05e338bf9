"""PEM (Liu, Dahlmeier & Ng, 2010): how good a paraphrase is, without a reference paraphrase.

Three numbers describe a candidate P of an original R:

* adequacy: the pivot language F1. Both sentences become bags of pivot n-grams, n = 1..4 (`paragauge.matching.pivot`).
  With W the weights, matched = sum of min(W_R(g), W_P(g)), precision = matched / sum of W_P, recall = matched / sum of
  W_R, and F1 = 2 precision recall / (precision + recall). With several pivot languages, adequacy is their mean.
* fluency: log10 Pr(P) / words of P, under a 4-gram language model.
* dissimilarity: the target language F1, the same of the two bags of stemmed English n-grams. High means alike.

Support vector regression with an RBF kernel, trained on people's overall scores, makes one score of them; a system's
score is the mean over its sentences. Differs from the paper: features are standardised, and C, gamma and epsilon are
chosen by cross-validation (the paper used the defaults of SVM-light); several pivots are its own wish for future work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.matching.pivot import BagOverlap
from paragauge.metrics.base import Measurement, Need, Score, SentenceMetric
from paragauge.metrics.explanation import Explanation
from paragauge.metrics.pem_features import Column, PairBatch, feature, pivot_feature
from paragauge.metrics.pem_model import DEFAULT, PemModel, Variant, model_folder, open_pem_model

COMPONENTS = ("adequacy", "fluency", "dissimilarity")


@pivot_feature("adequacy")
def adequacy(overlap: BagOverlap) -> Column:
    """Return the pivot language F1 of each pair."""
    return overlap.f1()


@feature("fluency")
def fluency(batch: PairBatch) -> Column:
    """Return log10 Pr / words of each candidate; an empty one counts as one word."""
    scores = batch.candidate_scores
    normalised: Column = scores.log10_p / np.maximum(scores.words, 1)
    return normalised


@feature("dissimilarity")
def dissimilarity(batch: PairBatch) -> Column:
    """Return the target language F1 of each pair: 1 for a copy."""
    return batch.wording.f1()


def paper_features(pivots: Sequence[str]) -> tuple[str, ...]:
    """Return the features of PEM for these *pivots*: the paper's three; each pivot's F1, too, if there are several."""
    by_pivot = tuple(f"adequacy:{pivot}" for pivot in pivots) if len(pivots) > 1 else ()
    return (*by_pivot, *COMPONENTS)


@lru_cache(maxsize=16)
def _variant(model: PemModel, name: str) -> tuple[Variant, tuple[str, ...]]:
    """Return a regressor and its columns; remembered, since every resample and every segment asks for them."""
    variant = model.variant(name)
    return variant, tuple(dict.fromkeys((*COMPONENTS, *variant.features)))


@dataclass(frozen=True, kw_only=True)
class PEM(SentenceMetric):
    """PEM with a trained model; ``PEM.load("default")`` is the one that ships."""

    model: str = DEFAULT  # or the folder of another

    name: ClassVar[str] = "pem"
    summary: ClassVar[str] = "quality of a paraphrase, through a pivot language"
    citation: ClassVar[str] = "Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "1 to 5"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})
    language: ClassVar[str | None] = "English"
    empty_score: ClassVar[float | None] = 1.0
    trained_by: ClassVar[str | None] = "paragauge pem train"

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model:
            raise OptionError(f"the option 'model' of {self.name} must be 'default' or a folder; got {self.model!r}")

    @classmethod
    def load(cls, model: str = DEFAULT) -> Self:
        """Return the metric with the model *model*, ``default`` or a folder, which is opened at once.

        Raises:
            FileError: There is no such folder.
            DataError: It is no PEM model, lacks what this metric needs, or is damaged.
        """
        metric = cls(model=model)
        _ = metric.variant
        return metric

    @property
    def opened(self) -> PemModel:
        """The model."""
        return open_pem_model(self.model)

    @property
    def available(self) -> bool:
        return model_folder(self.model).is_dir()

    @property
    def variant(self) -> Variant:
        """The features and the regressor of this metric."""
        return _variant(self.opened, self.name)[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The three components, and whatever else the regressor looks at."""
        return _variant(self.opened, self.name)[1]

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, components..., 1]``."""
        columns, variant = self.columns, self.variant
        values = self.opened.features(columns, segments.originals or (), segments.candidates)
        scores = variant.regressor.predict(values[:, [columns.index(name) for name in variant.features]])
        return np.concatenate([scores[:, None], values, np.ones((len(scores), 1))], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        score, *components, count = totals
        means = (component / count for component in components)
        return Measurement(score / count, dict(zip(self.columns, means, strict=True)))

    def signature_items(self) -> dict[str, object]:
        return {"model": self.opened.digest}

    def score(
        self, candidate: str, references: str | Iterable[str] | None = None, *, original: str | None = None
    ) -> Score:
        """Return the score of one paraphrase: ``score(original, paraphrase)``, or ``score(paraphrase, original=...)``.

        Metrics of paraphrases need no references, and the order of the paper is original first.
        """
        if original is None and isinstance(references, str):
            candidate, original = references, candidate
        return super().score(candidate, original=original)

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.pem_explain import explain_pem

        return explain_pem(self, segments)
