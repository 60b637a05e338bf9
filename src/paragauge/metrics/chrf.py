"""chrF (Popović, 2015) and chrF++ (Popović, 2017): F-score of character n-grams, computed by sacreBLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from paragauge.metrics.base import Need, check_choice, check_number
from paragauge.metrics.sacrebleu_adapter import SacrebleuMetric, sacrebleu_version


@dataclass(frozen=True, kw_only=True)
class Chrf(SacrebleuMetric):
    """chrF2 by default; ``chrf(word_order=2)`` is chrF++."""

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False

    name: ClassVar[str] = "chrf"
    summary: ClassVar[str] = "character n-gram F-score; chrf(word_order=2) is chrF++"
    citation: ClassVar[str] = "Popović (2015, 2017)"
    scale: ClassVar[str] = "0 to 100"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    def __post_init__(self) -> None:
        check_number(self.name, "char_order", self.char_order, low=1, high=100, whole=True)
        check_number(self.name, "word_order", self.word_order, low=0, high=100, whole=True)
        check_number(self.name, "beta", self.beta, low=1, whole=True)
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "whitespace", self.whitespace, (True, False))

    def build(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
        )

    def signature_items(self) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "nc": self.char_order,
            "nw": self.word_order,
            "beta": self.beta,
            "space": "yes" if self.whitespace else "no",
            "sacrebleu": sacrebleu_version(),
        }
