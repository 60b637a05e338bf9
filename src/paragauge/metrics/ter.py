"""TER (Snover, Dorr, Schwartz, Micciulla & Makhoul, 2006): edits and shifts to the closest reference, by sacreBLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Need, check_choice, check_lengths, check_number
from paragauge.metrics.sacrebleu_adapter import SacrebleuMetric, sacrebleu_version


@dataclass(frozen=True, kw_only=True)
class Ter(SacrebleuMetric):
    """Translation edit rate: lower is better, and it can exceed 100."""

    normalized: bool = False
    punctuation: bool = True
    asian_support: bool = False
    lowercase: bool = True
    max_length: int = 2000  # words per text; longer segments would take minutes and soon gigabytes

    name: ClassVar[str] = "ter"
    summary: ClassVar[str] = "edits and shifts to the closest reference, per 100 words"
    citation: ClassVar[str] = "Snover et al. (2006)"
    scale: ClassVar[str] = "0 or more"
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    def __post_init__(self) -> None:
        for option in ("normalized", "punctuation", "asian_support", "lowercase"):
            check_choice(self.name, option, getattr(self, option), (True, False))
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)

    def check(self, segments: Segments) -> None:
        super().check(segments)
        references_only = Segments(segments.candidates, segments.references)
        check_lengths(self.name, references_only, lambda text: len(text.split()), "words", self.max_length)

    def build(self) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            asian_support=self.asian_support,
            case_sensitive=not self.lowercase,
        )

    def components(self, score: Any) -> dict[str, float]:
        return {"edits": float(score.num_edits), "reference_length": float(score.ref_length)}

    def signature_items(self) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": "tercom",
            "norm": "yes" if self.normalized else "no",
            "punct": "yes" if self.punctuation else "no",
            "asian": "yes" if self.asian_support else "no",
            "sacrebleu": sacrebleu_version(),
        }
