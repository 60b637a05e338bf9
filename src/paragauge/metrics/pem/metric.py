"""PEM (Liu, Dahlmeier & Ng, 2010): how good a paraphrase is, without a reference paraphrase.

Three numbers describe a candidate P of an original R:

* adequacy: the pivot language F1. Both sentences become bags of pivot words (`paragauge.matching.pivot`).
  With W the weights, matched = sum of min(W_R(g), W_P(g)), precision = matched / sum of W_P, recall = matched / sum of
  W_R, and F1 = 2 precision recall / (precision + recall). With several pivot languages, adequacy is their mean.
* fluency: the syntactic log-odds ratio, how much more probable words are in their places than anywhere under a 4-gram
  language model, less that of the original; at most 0.
* dissimilarity, which is the wording shared with the original: the target language F1, the same of the two bags of
  stems' n-grams, n = 1..4. High means alike.

Support vector regression with an RBF kernel, trained on people's overall scores, makes one score of them, from 1 to 5;
a system's score is the mean over its sentences. Differs from the paper, unless a model was trained with the preset
``paper``: single words instead of phrases and of pivot n-grams, more edges, unknown words at a lower weight, no
punctuation, and fluency as log-odds relative to the original (the paper's is log10 Pr(P) / words of P). Always:
features are standardised, C, gamma and epsilon are chosen (the paper used the defaults of SVM-light), and the score is
clipped to 1 to 5; several pivots are the paper's own wish for future work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, Need
from paragauge.metrics.explanation import Explanation
from paragauge.metrics.model_metric import ModelMetric
from paragauge.metrics.pem.features import PairBatch
from paragauge.metrics.pem.model import PemModel, open_pem_model
from paragauge.resource import ModelOpener
from paragauge.text.normalize import PORTER


@dataclass(frozen=True, kw_only=True)
class PEM(ModelMetric):
    """PEM with a trained model; ``PEM.load("default")`` is the one that ships."""

    name: ClassVar[str] = "pem"
    summary: ClassVar[str] = "quality of a paraphrase, through a pivot language"
    citation: ClassVar[str] = "Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "1 to 5"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})
    resource_keys: ClassVar[tuple[str, ...]] = ("model",)
    opener: ClassVar[ModelOpener[PemModel]] = open_pem_model
    language: ClassVar[str | None] = "English"
    empty_score: ClassVar[float | None] = 1.0
    trained_by: ClassVar[str | None] = "paragauge pem train"

    @cached_property
    def opened(self) -> PemModel:
        """The model."""
        opened: PemModel = self.opener(self.model)
        return opened

    @property
    def expected_language(self) -> str | None:
        """The language whose stems the model has."""
        stemmer = self.opened.resources.stemmer
        return self.language if stemmer in ("porter", "english") else stemmer.capitalize()

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, components..., 1]``."""
        model = self.opened
        batch = PairBatch(model.resources, segments.originals or (), segments.candidates)
        features = batch.features()
        scores = model.scores(features, batch.is_empty, threads=batch.threads)
        return np.concatenate([scores[:, None], features, np.ones((len(scores), 1))], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        score, *components, count = totals
        means = [component / count for component in components]
        return Measurement(score / count, dict(zip(self.opened.features, means, strict=True)))

    def signature_items(self) -> dict[str, object]:
        model = self.opened
        items: dict[str, object] = {"model": model.digest}
        if model.resources.stemmer != PORTER:
            items["stem"] = model.resources.stemmer
        return items

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.pem.explain import explain_pem

        return explain_pem(self, segments)
