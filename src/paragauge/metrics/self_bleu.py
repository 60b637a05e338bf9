"""The two measures known as self-BLEU.

``self-bleu-original`` is BLEU of the candidates against the originals they paraphrase: how much was copied
(Hosking & Lapata, 2021, among many). ``self-bleu-set`` is BLEU of each candidate against all other candidates:
how similar a system's outputs are (Zhu et al., 2018, "Texygen"). There is no metric named just self-bleu.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.corpora.segments import Segments
from paragauge.errors import DataError
from paragauge.matching.overlap import ngram_totals
from paragauge.metrics.base import Measurement, Need, Score
from paragauge.metrics.bleu import BleuOptions
from paragauge.text import Vocabulary

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Explanation


@dataclass(frozen=True, kw_only=True)
class SelfBleuOriginal(BleuOptions):
    """BLEU of candidates against their originals: high means copying."""

    name: ClassVar[str] = "self-bleu-original"
    summary: ClassVar[str] = "BLEU of candidates against their originals: copying"
    citation: ClassVar[str] = "Hosking & Lapata (2021)"
    scale: ClassVar[str] = "0 to 100"
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        return self.bleu_rows(segments, [(text,) for text in segments.originals or ()])

    def measure(self, totals: Sequence[float]) -> Measurement:
        pieces = self.bleu(totals)
        return Measurement(pieces.score, pieces.components())

    def signature_items(self) -> dict[str, object]:
        return self.bleu_signature_items()

    def explain(self, segments: Segments) -> Explanation:
        from dataclasses import replace

        variant = self.for_segments()
        steps = variant.bleu_steps(variant.statistics(segments)[0].tolist(), self.name)
        explanation = self.explain_bleu(segments, "original", steps)
        value = explanation.score.value
        how = "nearly a copy" if value >= 80 else "much of it copied" if value >= 40 else "little of it copied"
        return replace(explanation, verdict=f"{how.capitalize()}: {_lower(explanation.verdict)}")


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


@dataclass(frozen=True, kw_only=True)
class SelfBleuSet(BleuOptions):
    """Mean sentence BLEU of each candidate against all others: high means little variety.

    As in the paper, the candidate is not among its own references (some programs leave it in).
    """

    effective_order: bool = True  # scores of sentences are averaged

    name: ClassVar[str] = "self-bleu-set"
    summary: ClassVar[str] = "mean BLEU of each candidate against all others: low variety"
    citation: ClassVar[str] = "Zhu et al. (2018)"
    scale: ClassVar[str] = "0 to 100"
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[Need]] = frozenset()
    segmentwise: ClassVar[bool] = False

    @property
    def segments_share_rows(self) -> bool:
        return self.effective_order  # rows are scores already

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[sentence BLEU, 1]``. A resample re-weights candidates without comparing them again."""
        if len(segments) < 2:
            raise DataError("self-bleu-set compares candidates with one another and needs at least two; found one")
        encoded = Vocabulary().encode(map(self.pipeline, segments.candidates))
        lengths = encoded.lengths
        matched = _core.leave_one_out_overlap(encoded.arrays, self.max_order)
        rows = np.concatenate(
            [
                lengths[:, None],
                _closest_other(lengths)[:, None],
                matched,
                ngram_totals(lengths, self.max_order),
            ],
            axis=1,
        )
        return np.array([[self.bleu(row).score, 1.0] for row in rows.tolist()])

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(totals[0] / totals[1])

    def signature_items(self) -> dict[str, object]:
        return self.bleu_signature_items()

    def score(
        self, candidate: str, references: str | Iterable[str] | None = None, *, original: str | None = None
    ) -> Score:
        raise DataError("self-bleu-set scores a set of candidates; use corpus_score or segment_scores")


def _closest_other(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each length the closest of the others; the shorter one if two are."""
    order = np.argsort(lengths, kind="stable")
    ranked = lengths[order].astype(np.int64)
    big = np.iinfo(np.int64).max // 4
    below = np.concatenate([[-big], ranked[:-1]])
    above = np.concatenate([ranked[1:], [big]])
    nearest = np.where(ranked - below <= above - ranked, below, above)
    closest = np.empty_like(lengths)
    closest[order] = nearest
    return closest
