"""Quality of an alignment: precision, recall, F1 and alignment error rate against gold links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragauge.align.alignment import Alignment
from paragauge.align.gold import GoldAlignment
from paragauge.corpora.segments import unequal_lengths


@dataclass(frozen=True, slots=True)
class AlignmentQuality:
    """Counts of links, summed over sentence pairs, and the measures derived from them (Och and Ney, 2003).

    With A the predicted, S the sure and P the possible links (P contains S):
    precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S|, AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).
    Without predicted links, precision is 1; without sure links, recall is 1.
    """

    predicted: int = 0
    sure: int = 0
    predicted_sure: int = 0
    predicted_possible: int = 0

    def __add__(self, other: AlignmentQuality) -> AlignmentQuality:
        return AlignmentQuality(
            self.predicted + other.predicted,
            self.sure + other.sure,
            self.predicted_sure + other.predicted_sure,
            self.predicted_possible + other.predicted_possible,
        )

    @property
    def precision(self) -> float:
        """Share of the predicted links that are possible."""
        return self.predicted_possible / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Share of the sure links that were predicted."""
        return self.predicted_sure / self.sure if self.sure else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def aer(self) -> float:
        """Alignment error rate."""
        links = self.predicted + self.sure
        return 1 - (self.predicted_sure + self.predicted_possible) / links if links else 0.0


def alignment_quality(
    predicted: Alignment | Sequence[Alignment], gold: GoldAlignment | Sequence[GoldAlignment]
) -> AlignmentQuality:
    """Return the quality of one alignment, or of as many as *gold* has, with their counts summed.

    >>> gold = GoldAlignment.from_pharaoh("0-0 1-1 2-1-P")
    >>> quality = alignment_quality(Alignment.from_pharaoh("0-0 2-1"), gold)
    >>> quality.precision, quality.recall, quality.aer
    (1.0, 0.5, 0.25)
    """
    if isinstance(predicted, Alignment) and isinstance(gold, GoldAlignment):
        links = predicted.links
        return AlignmentQuality(
            len(links), len(gold.sure), len(links & gold.sure.links), len(links & gold.possible.links)
        )
    if isinstance(predicted, Alignment) or isinstance(gold, GoldAlignment):
        raise TypeError("expected one alignment and one gold alignment, or a sequence of each")
    if len(predicted) != len(gold):
        raise unequal_lengths("alignments", len(predicted), "gold", len(gold))
    return sum((alignment_quality(a, g) for a, g in zip(predicted, gold, strict=True)), AlignmentQuality())


def alignment_error_rate(
    predicted: Alignment | Sequence[Alignment], gold: GoldAlignment | Sequence[GoldAlignment]
) -> float:
    """Return the alignment error rate: 0 is perfect, 1 means that nothing is right."""
    return alignment_quality(predicted, gold).aer
