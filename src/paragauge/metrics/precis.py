"""PRECIS (Ganitkevitch, Callison-Burch, Napoles & Van Durme, 2011): BLEU with a verbosity penalty.

PRECIS = VP * BLEU(candidates, references); if c is the length of the candidates and i that of the originals, VP = 1 if
c/i is at most the target rate phi, else exp(lambda * (phi - c/i)). Designed for sentence compression, where a candidate
as long as its original must not win. Lengths are in tokens and summed over the corpus.
Joshua's implementation fixes lambda at 5 and can count characters instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, Need, check_number
from paragauge.metrics.bleu import BleuOptions

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Explanation


@dataclass(frozen=True, kw_only=True)
class Precis(BleuOptions):
    """PRECIS (Ganitkevitch et al., 2011)."""

    target_rate: float = 0.5  # phi: no penalty up to this share of the original's length
    weight: float = 10.0  # lambda: how fast the penalty grows beyond that

    name: ClassVar[str] = "precis"
    summary: ClassVar[str] = "BLEU with a penalty for candidates that are too long"
    citation: ClassVar[str] = "Ganitkevitch et al. (2011)"
    scale: ClassVar[str] = "0 to 100"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "originals"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.name, "target_rate", self.target_rate, low=0)
        check_number(self.name, "weight", self.weight, low=0)

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        rows = self.bleu_rows(segments, segments.references or ())
        originals = np.array([[len(self.pipeline(text))] for text in segments.originals or ()], dtype=np.int64)
        return np.concatenate([rows, originals], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        pieces = self.bleu(totals[:-1])
        candidate_length, original_length = pieces.candidate_length, totals[-1]
        rate = candidate_length / max(1, original_length)  # an empty original counts as one word
        if original_length or not candidate_length:
            penalty = 1.0 if rate <= self.target_rate else math.exp(self.weight * (self.target_rate - rate))
        else:
            penalty = 0.0  # any candidate is too long
        components = {"bleu": pieces.score, "verbosity_penalty": penalty, "compression_rate": rate}
        return Measurement(penalty * pieces.score, components)

    def signature_items(self) -> dict[str, object]:
        return {"phi": f"{self.target_rate:g}", "lambda": f"{self.weight:g}", **self.bleu_signature_items()}

    def explain(self, segments: Segments) -> Explanation:
        from dataclasses import replace

        from paragauge.metrics.explanation import Step, number, percent

        variant = self.for_segments()
        totals = variant.statistics(segments)[0].tolist()
        measured = variant.measure(totals)
        value, penalty, rate = measured.components.values()
        length, original = totals[0], totals[-1]
        steps = variant.bleu_steps(totals[:-1])
        numbers = f"{length} / {max(1, original)}"
        steps.append(Step("compression rate", "words of the candidate / words of the original", numbers, rate))
        if not original and length:
            steps.append(Step("verbosity penalty", "0, since the original is empty", "0", 0.0))
        elif rate <= self.target_rate:
            symbols = f"1, since the rate is at most {self.target_rate:g}"
            steps.append(Step("verbosity penalty", symbols, "1", 1.0))
        else:
            numbers = f"exp({self.weight:g} × ({self.target_rate:g} - {number(rate)}))"
            steps.append(Step("verbosity penalty", "exp(lambda × (phi - compression rate))", numbers, penalty))
        numbers = f"{number(penalty)} × {number(value)}"
        steps.append(Step("precis", "verbosity penalty × bleu", numbers, measured.value))
        explanation = self.explain_bleu(segments, "reference", steps)
        length_cost = (
            f" At {percent(rate)} of the original's length it is within the target of {percent(self.target_rate)}."
            if penalty == 1
            else f" At {percent(rate)} of the original's length it is too long, which costs {percent(1 - penalty)}."
        )
        return replace(explanation, verdict=explanation.verdict + length_cost)
