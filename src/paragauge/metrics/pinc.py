"""PINC (Chen & Dolan, 2011): share of the candidate's n-grams that are not in the original.

PINC(s, c) = 1/N * sum over n = 1..N of (1 - |ngrams_n(s) & ngrams_n(c)| / |ngrams_n(c)|), over sets of n-grams. A
system's score is the mean over its sentences. The paper does not define the score of a candidate shorter than N words:
here, orders without n-grams are left out of the mean. An empty candidate scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.matching.overlap import ngram_overlap
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number
from paragauge.text import TextPipeline

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Explanation


@dataclass(frozen=True, kw_only=True)
class Pinc(SentenceMetric):
    """PINC (Chen & Dolan, 2011)."""

    tokenizer: str = "13a"
    lowercase: bool = True
    max_order: int = 4

    name: ClassVar[str] = "pinc"
    summary: ClassVar[str] = "share of n-grams that are not in the original"
    citation: ClassVar[str] = "Chen & Dolan (2011)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})

    def __post_init__(self) -> None:
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_number(self.name, "max_order", self.max_order, low=1, high=100, whole=True)
        _ = self.pipeline

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase)

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[PINC, 1]``."""
        originals = [(text,) for text in segments.originals or ()]
        overlap = ngram_overlap(self.pipeline, segments.candidates, originals, self.max_order)
        present = overlap.distinct > 0
        shares = overlap.distinct_shared / np.maximum(overlap.distinct, 1)
        new = np.where(present, 1.0 - shares, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
        return np.stack([new, np.ones_like(new)], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(totals[0] / totals[1])

    def signature_items(self) -> dict[str, object]:
        return {**self.pipeline.signature_items(), "order": self.max_order}

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.explanation import Explanation, Step, calculation, mean_of, number, percent, quoted
        from paragauge.metrics.ngram_explain import LEGEND, SharedNgrams, runs

        score = self.score_segments(segments)[0]
        shared = SharedNgrams.of(segments, self.pipeline, "original", self.max_order)
        steps = []
        for order in range(1, self.max_order + 1):
            known, count = shared.distinct(order)
            if count:
                name, numbers = f"new {runs(order)}", f"1 - {known} / {count}"
                steps.append(
                    Step(name, "1 - different ones in the original / different ones", numbers, 1 - known / count)
                )
        last = Step("pinc", "mean of these", mean_of([number(step.value) for step in steps]), score.value)
        new = shared.new_words()
        if not steps:
            verdict = "The candidate has no words."
        elif score.value == 0:
            verdict = "Every run of words is in the original: nothing was reworded."
        else:
            told = f"New words: {quoted(new)}." if new else "It has no new words; only their order is new."
            verdict = f"{percent(score.value)} of its words and runs of words are new. {told}"
        return Explanation(
            score,
            (*shared.texts(segments), shared.summary()),
            verdict,
            LEGEND,
            (calculation([*steps, last]), shared.detail()),
        )
