"""chrF (Popović, 2015) and chrF++ (Popović, 2017): F-score of character n-grams, and of words.

chrF = (1 + beta^2) P R / (beta^2 P + R), with P and R the means over all orders of the precision and recall of n-grams:
matches, each n-gram counted at most as often as in the other text, over the n-grams of the candidate or of the
reference. Orders without any n-gram on one side are left out of the means. Of several references, a segment is compared
with the one that gives it the highest score. chrF++ has orders of words after those of characters.

Scores equal sacreBLEU's to the last digit: same characters and words, same order of operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.corpora.segments import Segments
    from paragauge.metrics.explanation import Explanation

_BLANK = " "  # what an empty reference is to sacreBLEU: a text in which nothing matches


@dataclass(frozen=True, kw_only=True)
class Chrf(SentenceMetric):
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
    adds_up: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_number(self.name, "char_order", self.char_order, low=1, high=100, whole=True)
        check_number(self.name, "word_order", self.word_order, low=0, high=100, whole=True)
        check_number(self.name, "beta", self.beta, low=1, whole=True)
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "whitespace", self.whitespace, (True, False))

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        """Return rows ``[candidate, reference, matches]`` of n-grams, for each order."""
        from paragauge import _core

        rows = _core.chrf_rows(*self._pairs(segments), **self._native_options())
        sizes = [len(group) for group in segments.references or ()]
        if max(sizes, default=1) == 1:
            return rows
        starts = list(accumulate(sizes, initial=0))
        values = [self._f_score(row) for row in rows.tolist()]
        best = [max(range(*ends), key=values.__getitem__) for ends in pairwise(starts)]
        chosen: NDArray[np.int64] = rows[best]
        return chosen

    def totals(self, segments: Segments) -> Sequence[float]:
        if max(map(len, segments.references or ()), default=1) > 1:
            return super().totals(segments)  # the best reference of each segment counts
        from paragauge import _core

        return _core.chrf_totals(*self._pairs(segments), **self._native_options())

    def _pairs(self, segments: Segments) -> tuple[list[str], list[str]]:
        """Return each candidate as often as it has references, and all references."""
        groups = segments.references or ()
        candidates = [text for text, group in zip(segments.candidates, groups, strict=True) for _ in group]
        references = [text or _BLANK for group in groups for text in group]
        if self.lowercase:
            return [text.lower() for text in candidates], [text.lower() for text in references]
        return candidates, references

    def _native_options(self) -> dict[str, Any]:
        return {
            "char_order": self.char_order,
            "word_order": self.word_order,
            "white_space": self.whitespace,
            "threads": thread_count(None),
        }

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(self._f_score(totals))

    def _f_score(self, totals: Sequence[float]) -> float:
        precision = recall = 0.0
        orders = 0
        for candidate, reference, matches in zip(totals[::3], totals[1::3], totals[2::3], strict=True):
            if candidate > 0 and reference > 0:
                precision += matches / candidate
                recall += matches / reference
                orders += 1
        if orders == 0 or precision + recall == 0:
            return 0.0
        precision /= orders
        recall /= orders
        factor = self.beta**2
        score = (1 + factor) * precision * recall
        score /= factor * precision + recall
        return 100 * score

    def signature_items(self) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes",
            "nc": self.char_order,
            "nw": self.word_order,
            "beta": self.beta,
            "space": "yes" if self.whitespace else "no",
        }

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.chrf_explain import explain_chrf

        return explain_chrf(self, segments)
