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
from typing import TYPE_CHECKING, ClassVar

from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number

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

    def __post_init__(self) -> None:
        check_number(self.name, "char_order", self.char_order, low=1, high=100, whole=True)
        check_number(self.name, "word_order", self.word_order, low=0, high=100, whole=True)
        check_number(self.name, "beta", self.beta, low=1, whole=True)
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "whitespace", self.whitespace, (True, False))

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        """Return rows ``[candidate, reference, matches]`` of n-grams, for each order."""
        import numpy as np

        groups = segments.references or ()
        sizes = [len(group) for group in groups]
        candidates = [text for text, size in zip(segments.candidates, sizes, strict=True) for _ in range(size)]
        references = [text or _BLANK for group in groups for text in group]
        if self.lowercase:
            candidates, references = [text.lower() for text in candidates], [text.lower() for text in references]
        rows = self._rows(candidates, references)
        if max(sizes, default=1) == 1:
            return rows
        starts = np.concatenate([[0], np.cumsum(sizes)])
        values = [self._f_score(row) for row in rows.tolist()]
        best = [max(range(starts[k], starts[k + 1]), key=values.__getitem__) for k in range(len(sizes))]
        chosen: NDArray[np.int64] = rows[best]
        return chosen

    def _rows(self, candidates: list[str], references: list[str]) -> NDArray[np.int64]:
        """Return the statistics of each candidate against the reference in the same place."""
        import numpy as np

        from paragauge import _core
        from paragauge.matching.overlap import pair_counts
        from paragauge.text.tokenize import native_tokenizer
        from paragauge.text.vocabulary import EncodedSentences

        one, other = (_core.characters(texts, white_space=self.whitespace) for texts in (candidates, references))
        counts = [pair_counts(EncodedSentences(*one), EncodedSentences(*other), self.char_order)]
        if self.word_order > 0:
            one, other = native_tokenizer("chrf").encode([candidates, references])
            counts.append(pair_counts(EncodedSentences(*one), EncodedSentences(*other), self.word_order))
        rows = np.concatenate(counts, axis=1)
        rows[:, :, 0] *= rows[:, :, 1] > 0  # what no reference has any of does not count
        flat: NDArray[np.int64] = rows.reshape(len(rows), -1)
        return flat

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

    def rows_of_references(self, candidate: str, references: Sequence[str]) -> list[list[int]]:
        """Return the statistics of one candidate against each of its references."""
        texts = [text or _BLANK for text in references]
        if self.lowercase:
            candidate, texts = candidate.lower(), [text.lower() for text in texts]
        rows: list[list[int]] = self._rows([candidate] * len(texts), texts).tolist()
        return rows
