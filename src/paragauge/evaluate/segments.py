"""What got better and what got worse: two systems compared segment by segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    from paragauge.evaluate.measured import Measured
    from paragauge.meta.clusters import Wins
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, slots=True)
class SegmentChange:
    """One segment of a system and of its baseline.

    Attributes:
        segment: Name of the segment.
        baseline_score: Score of the baseline's text.
        score: Score of the system's text.
        difference: Score minus score of the baseline.
        gain: Difference with the sign that makes an improvement positive.
        baseline_text: Text of the baseline.
        text: Text of the system.
        original: Sentence that both paraphrase or translate, if known.
        reference: First reference, if known.
        place: Position of the segment in the test set, from 0.
    """

    segment: str
    baseline_score: float
    score: float
    difference: float
    gain: float
    baseline_text: str
    text: str
    original: str | None
    reference: str | None
    place: int

    @property
    def beside(self) -> tuple[tuple[str, str | None], ...]:
        """The other texts of the segment, by name."""
        return ("original", self.original), ("reference", self.reference)


@dataclass(frozen=True)
class PairOfSystems:
    """All segments of a system and its baseline under a metric, the biggest loss first."""

    metric: SentenceMetric
    baseline: str
    system: str
    changes: tuple[SegmentChange, ...] = field(repr=False)
    wins: Wins

    @property
    def losses_first(self) -> tuple[SegmentChange, ...]:
        """Changes for the worse, the biggest first."""
        return tuple(each for each in self.changes if each.gain < 0)

    @property
    def wins_first(self) -> tuple[SegmentChange, ...]:
        """Changes for the better, the biggest first."""
        return tuple(each for each in reversed(self.changes) if each.gain > 0)


@dataclass(frozen=True)
class SegmentsCompared(Result):
    """Segments of systems compared with those of the baseline.

    Attributes:
        pairs: One per metric and pair of systems.
        resamples: Number of resamples behind the intervals of wins.
        seed: Seed of the resamples.
    """

    pairs: tuple[PairOfSystems, ...]
    resamples: int
    seed: int

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric, pair of systems and segment, the biggest loss first."""
        return [
            {
                "metric": str(pair.metric),
                "baseline": pair.baseline,
                "system": pair.system,
                "segment": each.segment,
                "baseline_score": each.baseline_score,
                "score": each.score,
                "difference": each.difference,
                "baseline_text": each.baseline_text,
                "text": each.text,
                "original": each.original,
                "reference": each.reference,
            }
            for pair in self.pairs
            for each in pair.changes
        ]

    def win_rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric and pair of systems: wins, ties, losses, and wins minus losses with an interval."""
        return [
            {
                "metric": str(pair.metric),
                "baseline": pair.baseline,
                "system": pair.system,
                "wins": pair.wins.wins,
                "ties": pair.wins.ties,
                "losses": pair.wins.losses,
                "net": pair.wins.net,
                "low": None if pair.wins.interval is None else pair.wins.interval.low,
                "high": None if pair.wins.interval is None else pair.wins.interval.high,
            }
            for pair in self.pairs
        ]

    def wins(self) -> ResultTable:
        """Return the table of wins and losses."""
        from paragauge.report.table import ResultTable

        rows = self.win_rows()
        return ResultTable(list(rows[0]), rows, notes=[f"net: (wins - losses) / segments, {self.resamples} resamples"])

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows)

    def text(self, most: int = 10) -> str:
        """Return wins and losses, then the *most* biggest losses and wins of each pair with both texts."""
        blocks = [self.wins().to_text()]
        for pair in self.pairs:
            for title, changes in (("worse", pair.losses_first), ("better", pair.wins_first)):
                if changes:
                    shown = f", first {most}" if len(changes) > most else ""
                    blocks.append(f"{pair.system} {title} than {pair.baseline} by {pair.metric}: {len(changes)}{shown}")
                    blocks += [_block(pair, each) for each in changes[:most]]
        return "\n".join(blocks)

    def __str__(self) -> str:
        return self.text().rstrip("\n")


def _block(pair: PairOfSystems, each: SegmentChange) -> str:
    texts = [(name, text) for name, text in each.beside if text is not None]
    texts += [(pair.baseline, each.baseline_text), (pair.system, each.text)]
    width = max(len(name) for name, _ in texts)
    said = f"  segment {each.segment}: {each.baseline_score:.4f} -> {each.score:.4f} ({each.difference:+.4f})\n"
    return said + "".join(f"    {name:<{width}}  {text}\n" for name, text in texts)


def compare_segments(
    pairs: Sequence[tuple[Measured, Measured]], ids: Sequence[str], *, resamples: int, seed: int
) -> SegmentsCompared:
    """Compare the segments of each pair of a baseline and a system."""
    import numpy as np

    from paragauge.meta.clusters import count_wins

    found = []
    for baseline, system in pairs:
        sign = 1 if system.metric.better == "higher" else -1
        changes = []
        for place, (name, old, new) in enumerate(zip(ids, baseline.segment_scores, system.segment_scores, strict=True)):
            difference = new.value - old.value
            changes.append(
                SegmentChange(
                    name,
                    old.value,
                    new.value,
                    difference,
                    sign * difference,
                    baseline.segments.candidates[place],
                    system.segments.candidates[place],
                    None if system.segments.originals is None else system.segments.originals[place],
                    None if system.segments.references is None else system.segments.references[place][0],
                    place,
                )
            )
        wins = count_wins(np.array([each.gain for each in changes]), resamples=resamples, seed=seed)
        changes.sort(key=lambda each: (math.isnan(each.gain), each.gain, each.place))
        found.append(PairOfSystems(system.metric, baseline.system, system.system, tuple(changes), wins))
    return SegmentsCompared(tuple(found), resamples, seed)
