"""Target-language n-gram F1 (Liu, Dahlmeier & Ng, 2010): PEM's measure of wording shared with the original.

Both sentences become bags of stemmed n-grams of all orders 1..N together, with plain counts. If matched is the sum of
the smaller counts, precision = matched / n-grams of the candidate, recall = matched / n-grams of the original, and F1
is their harmonic mean. High means similar wording: PEM uses it as the wording shared with the original (the paper's
dissimilarity). A system's score is the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.matching.overlap import ngram_overlap, ngram_totals
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number
from paragauge.text import TextPipeline

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Explanation


@dataclass(frozen=True, kw_only=True)
class NgramF1(SentenceMetric):
    """Target-language n-gram F1 of a candidate and its original."""

    tokenizer: str = "penn"
    lowercase: bool = True
    stem: bool = True
    max_order: int = 4

    name: ClassVar[str] = "ngram-f1"
    summary: ClassVar[str] = "wording shared with the original: F1 of stemmed n-grams"
    citation: ClassVar[str] = "Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "0 to 1"
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})

    def __post_init__(self) -> None:
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "stem", self.stem, (True, False))
        check_number(self.name, "max_order", self.max_order, low=1, high=100, whole=True)
        _ = self.pipeline

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase, stem=self.stem)

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[F1, precision, recall, 1]``."""
        originals = [(text,) for text in segments.originals or ()]
        overlap = ngram_overlap(self.pipeline, segments.candidates, originals, self.max_order)
        matched = overlap.clipped.sum(axis=1)
        own = overlap.totals.sum(axis=1)
        other = ngram_totals(np.concatenate(overlap.reference_lengths), self.max_order).sum(axis=1)
        precision = matched / np.maximum(own, 1)
        recall = matched / np.maximum(other, 1)
        f1 = 2 * matched / np.maximum(own + other, 1)  # the harmonic mean, without division by zero
        return np.stack([f1, precision, recall, np.ones_like(f1)], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        f1, precision, recall, count = totals
        return Measurement(f1 / count, {"precision": precision / count, "recall": recall / count})

    def signature_items(self) -> dict[str, object]:
        return {**self.pipeline.signature_items(), "order": self.max_order}

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.explanation import Explanation, Step, calculation, number, percent, total
        from paragauge.metrics.ngram_explain import LEGEND, SharedNgrams

        score = self.score_segments(segments)[0]
        shared = SharedNgrams.of(segments, self.pipeline, "original", self.max_order)
        counts = [shared.shared(order) for order in range(1, self.max_order + 1)]
        length = len(shared.compared[0])
        others = [max(0, length - order + 1) for order in range(1, self.max_order + 1)]
        matched, own, other = sum(each[0] for each in counts), sum(each[1] for each in counts), sum(others)
        steps = [
            Step("matched", "shared n-grams of all orders", total(each[0] for each in counts), matched),
            Step("own", "n-grams of the candidate", total(each[1] for each in counts), own),
            Step("other", "n-grams of the original", total(others), other),
            Step("ngram-f1", "2 × matched / (own + other)", f"2 × {number(matched)} / {number(max(1, own + other))}",
                 score.value),
        ]  # fmt: skip
        verdict = f"Shares {percent(score.value)} of the wording with the original. {shared.verdict()}"
        return Explanation(
            score,
            (*shared.texts(segments), shared.summary()),
            verdict,
            LEGEND,
            (calculation(steps), shared.detail()),
        )
