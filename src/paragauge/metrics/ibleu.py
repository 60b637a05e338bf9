"""iBLEU (Sun & Zhou, 2012): rewards similarity to the references and penalises similarity to the original.

iBLEU = alpha * BLEU(candidates, references) - (1 - alpha) * BLEU(candidates, originals)
"""

from __future__ import annotations

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
class IBleu(BleuOptions):
    """iBLEU (Sun & Zhou, 2012)."""

    alpha: float = 0.8  # the authors recommend 0.7 to 0.9; later work mostly uses 0.8

    name: ClassVar[str] = "ibleu"
    summary: ClassVar[str] = "reference BLEU minus a share of BLEU against the original"
    citation: ClassVar[str] = "Sun & Zhou (2012)"
    scale: ClassVar[str] = "-100 * (1 - alpha) to 100 * alpha"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "originals"})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.name, "alpha", self.alpha, low=0, high=1)

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        against_references = self.bleu_rows(segments, segments.references or ())
        against_originals = self.bleu_rows(segments, [(text,) for text in segments.originals or ()])
        return np.concatenate([against_references, against_originals], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        half = len(totals) // 2
        references, originals = self.bleu(totals[:half]).score, self.bleu(totals[half:]).score
        value = self.alpha * references - (1 - self.alpha) * originals
        return Measurement(value, {"bleu_references": references, "bleu_originals": originals})

    def signature_items(self) -> dict[str, object]:
        return {"alpha": f"{self.alpha:g}", **self.bleu_signature_items()}

    def explain(self, segments: Segments) -> Explanation:
        from dataclasses import replace

        from paragauge.metrics.explanation import Step, number
        from paragauge.metrics.ngram_explain import SharedNgrams

        variant = self.for_segments()
        totals = variant.statistics(segments)[0].tolist()
        half = len(totals) // 2
        measured = variant.measure(totals)
        good, bad = (measured.components[name] for name in ("bleu_references", "bleu_originals"))
        numbers = f"{self.alpha:g} × {number(good)} - {1 - self.alpha:g} × {number(bad)}"
        steps = [
            *variant.bleu_steps(totals[:half], "bleu against the references"),
            *variant.bleu_steps(totals[half:], "bleu against the original"),
            Step("ibleu", "alpha × bleu against the references - (1 - alpha) × bleu against the original", numbers,
                 measured.value),
        ]  # fmt: skip
        explanation = self.explain_bleu(segments, "reference", steps)
        copied = SharedNgrams.of(segments, self.pipeline, "original", self.max_order)
        parts = (copied.texts(segments)[0], *explanation.parts[1:], copied.summary())
        cost = f" What it keeps of the original's wording costs {(1 - self.alpha) * bad:.3g} points."
        return replace(explanation, parts=parts, verdict=explanation.verdict + (cost if bad else ""))
