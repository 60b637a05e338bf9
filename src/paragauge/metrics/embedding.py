"""Cosine of sentence embeddings (Reimers & Gurevych, 2019): how close a model holds two sentences to be.

    embedding(c, r) = cos(v(c), v(r))

v is the vector that the model has for a sentence. Of several references, the closest counts. A system's score is the
mean over its sentences. A text without tokens is close to nothing: 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement
from paragauge.metrics.embedding_metric import DECIMALS, ComparingMetric
from paragauge.metrics.explanation import (
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Step,
    best_label,
    calculation,
    number,
    original_of,
    plain,
)

_NOTICEABLE = 0.005  # effect of a word on the cosine
_LEGEND: dict[Mark, str] = {
    "match": "brings the texts closer",
    "partial": "drives them apart",
    "none": f"changes the cosine by less than {_NOTICEABLE}",
}
MOST_WORDS = 100  # whose effect is measured, by leaving each of them out


@dataclass(frozen=True, kw_only=True)
class SentenceEmbedding(ComparingMetric):
    """Cosine of the embeddings of candidate and reference, or candidate and original."""

    name: ClassVar[str] = "embedding"
    summary: ClassVar[str] = "cosine of sentence embeddings, by a model from disk"
    citation: ClassVar[str] = "Reimers & Gurevych (2019)"

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[cosine, 1]``."""
        groups = self.others(segments)
        texts = [*segments.candidates, *(text for group in groups for text in group)]
        vectors = dict(zip(texts, self.embedder.embed(texts), strict=True))
        rows = [
            [max(cosine(vectors[candidate].sentence, vectors[text].sentence) for text in group), 1.0]
            for candidate, group in zip(segments.candidates, groups, strict=True)
        ]
        return np.array(rows)

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(totals[0] / totals[1])

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        candidate, [group] = segments.candidates[0], self.others(segments)
        words = candidate.split()
        without = [" ".join(words[:place] + words[place + 1 :]) for place in range(len(words[:MOST_WORDS]))]
        own, *vectors = self.embedder.embed([candidate, *without, *group])
        lacking, others = vectors[: len(without)], vectors[len(without) :]
        cosines = [cosine(own.sentence, other.sentence) for other in others]
        best = max(range(len(cosines)), key=cosines.__getitem__)
        effects = [score.value - cosine(each.sentence, others[best].sentence) for each in lacking]
        rows = sorted(zip(words, effects, strict=False), key=lambda row: -abs(row[1]))
        noun = self.against.removesuffix("s")
        parts: list[Part] = [*([] if noun == "original" else original_of(segments))]
        unmeasured = [0.0] * (len(words) - len(effects))
        marked = [MarkedWord(word, _mark(effect)) for word, effect in zip(words, effects + unmeasured, strict=True)]
        parts += [plain(best_label(noun, best, len(group)), group[best]), MarkedText("candidate", tuple(marked))]
        numbers = number(cosines[0]) if len(cosines) == 1 else f"max({', '.join(map(number, cosines))})"
        symbols = f"cosine with the {noun}" + ("" if len(cosines) == 1 else "s, the largest")
        return Explanation(
            score,
            (*parts, Grid("what each word does to the cosine", ("word", "effect"), tuple(rows))),
            _verdict(score.value, noun, rows),
            _LEGEND,
            details=(calculation([Step(self.name, symbols, numbers, score.value)]),),
        )


def _mark(effect: float) -> Mark:
    return "match" if effect >= _NOTICEABLE else "partial" if effect <= -_NOTICEABLE else "none"


def _verdict(value: float, noun: str, effects: Sequence[tuple[str, float]]) -> str:
    close = (
        "as good as the same as" if value >= 0.95
        else "close to" if value >= 0.75
        else "related to" if value >= 0.4
        else "far from"
    )  # fmt: skip
    said = f"The model holds the candidate to be {close} the {noun} (cosine {value:.2f})."
    helps, hurts = (
        max(effects, key=lambda row: row[1], default=("", 0.0)),
        min(effects, key=lambda row: row[1], default=("", 0.0)),
    )
    told = [
        *([f"'{helps[0]}' brings them closest"] if helps[1] >= _NOTICEABLE else []),
        *([f"'{hurts[0]}' drives them apart most"] if hurts[1] <= -_NOTICEABLE else []),
    ]
    return f"{said} {', '.join(told)}." if told else said


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the cosine of two vectors of length 1 (or 0)."""
    return round(float(np.dot(one.astype(np.float64), other.astype(np.float64))), DECIMALS)
