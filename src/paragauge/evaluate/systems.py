"""What a report shows of systems, from their scores and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.report.systems import ChangedText, SystemPair, SystemsView, SystemValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.score import ScoreResult
    from paragauge.evaluate.segments import PairOfSystems, SegmentChange

_FEWEST_TO_CLUSTER = 3  # two systems are compared in the grid


def systems_view(result: ScoreResult, testset: TestSet, *, changes: int) -> SystemsView:
    """Return scores, comparisons with the first system and checks of the texts.

    Args:
        result: Scores of the systems of *testset*.
        testset: The texts.
        changes: Number of the biggest wins and losses to show per metric and system.
    """
    from paragauge.corpora.checks import check_testset
    from paragauge.evaluate.compare import compare

    tested = bool(result.comparisons)
    pairs: tuple[SystemPair, ...] = ()
    clusters: tuple[tuple[str, int, str, float, int], ...] = ()
    if len(result.systems) > 1:
        compared = compare(result, tests=result.test, trials=result.bootstrap or 1, seed=result.seed)
        pairs = tuple(_pair(each, changes) for each in compared.segments.pairs)
        if tested and len(result.systems) >= _FEWEST_TO_CLUSTER:
            clusters = tuple(
                (str(each.metric), each.cluster, each.system, each.score.value, each.beats)
                for each in compared.clusters.systems
            )
    test = result.test if tested else None
    return SystemsView(_values(result), pairs, check_testset(testset), test, len(testset), clusters)


def _values(result: ScoreResult) -> tuple[SystemValue, ...]:
    from paragauge.evaluate.grid import best_systems, decimals

    p_values = {(each.metric, each.system): each.outcome.p_value for each in result.comparisons}
    found = []
    for metric in result.metrics:
        scores = [each for each in result.scores if each.metric == metric]
        values = {each.system: each.score.value for each in scores}
        best = best_systems(metric, values)
        digits = decimals(metric, list(values.values()))
        found += [
            SystemValue(
                str(metric),
                metric.better,
                each.system,
                each.score.value,
                None if each.score.interval is None else each.score.interval.low,
                None if each.score.interval is None else each.score.interval.high,
                digits,
                each.system in best,
                p_values.get((metric, each.system)),
                str(each.score.signature),
                tuple(score.value for score in each.statistics.segment_scores),
            )
            for each in scores
        ]
    return tuple(found)


def _pair(pair: PairOfSystems, changes: int) -> SystemPair:
    wins = pair.wins
    return SystemPair(
        str(pair.metric),
        pair.baseline,
        pair.system,
        wins.wins,
        wins.ties,
        wins.losses,
        wins.net,
        None if wins.interval is None else wins.interval.low,
        None if wins.interval is None else wins.interval.high,
        _texts(pair.losses_first[:changes]),
        _texts(pair.wins_first[:changes]),
    )


def _texts(changes: Sequence[SegmentChange]) -> tuple[ChangedText, ...]:
    return tuple(
        ChangedText(each.segment, each.baseline_score, each.score, each.beside, each.baseline_text, each.text)
        for each in changes
    )
