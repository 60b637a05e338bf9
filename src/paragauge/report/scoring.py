"""Scores and comparisons of systems as tables: what ``score`` and ``compare`` print, and the workbench shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paragauge.corpora.testset import TestSet
from paragauge.meta.significance import Test, bootstrap_interval, compare_paired
from paragauge.metrics.base import SentenceMetric
from paragauge.report.progress import Progress
from paragauge.report.table import Cell, ResultTable


def system_table(
    metrics: Sequence[SentenceMetric], testset: TestSet, bootstrap: int, seed: int, bar: Progress
) -> ResultTable:
    """Return one row for each metric and system."""
    rows: list[dict[str, Cell]] = []
    details = []
    for metric in metrics:
        for system in testset.candidates:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics = metric.statistics_in_blocks(data, bar.update)
            score = metric.score_corpus(data, statistics)
            low = high = None
            if bootstrap:
                interval = bootstrap_interval(metric, statistics, resamples=bootstrap, seed=seed)
                signature = score.signature.extended({"bs": bootstrap, "seed": seed})
                score = replace(score, interval=interval, signature=signature)
                low, high = interval.low, interval.high
            rows.append(
                {
                    "metric": str(metric),
                    "system": system,
                    "score": score.value,
                    "low": low,
                    "high": high,
                    "signature": str(score.signature),
                }
            )
            details.append({"system": system, **score.to_dict()})
    signatures = list(dict.fromkeys(str(row["signature"]) for row in rows))
    columns = ["metric", "system", "score", *(["low", "high"] if bootstrap else [])]
    return ResultTable(columns, rows, notes=signatures, details=details, machine_columns=[*columns, "signature"])


def segment_table(metrics: Sequence[SentenceMetric], testset: TestSet, bar: Progress) -> ResultTable:
    """Return one row for each metric, system and segment, with the components after the score."""
    rows: list[dict[str, Cell]] = []
    details = []
    components: dict[str, None] = {}
    signatures: dict[str, None] = {}
    for metric in metrics:
        for system in testset.candidates:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics = metric.for_segments().statistics_in_blocks(data, bar.update)
            for segment, score in zip(testset.ids, metric.score_segments(data, statistics), strict=True):
                place: dict[str, Cell] = {"metric": str(metric), "system": system, "segment": segment}
                rows.append({**place, "score": score.value, **score.components})
                details.append({"system": system, "segment": segment, **score.to_dict()})
                components.update(dict.fromkeys(score.components))
                signatures[str(score.signature)] = None
    columns = ["metric", "system", "segment", "score"]
    return ResultTable(columns, rows, notes=list(signatures), details=details, machine_columns=[*columns, *components])


def comparison_table(
    metrics: Sequence[SentenceMetric],
    testset: TestSet,
    tests: Sequence[Test],
    trials: int | None,
    all_pairs: bool,
    seed: int,
    bar: Progress,
) -> ResultTable:
    """Return one row for each metric, test and pair of systems."""
    rows: list[dict[str, Cell]] = []
    signatures: dict[str, None] = {}
    systems = list(testset.candidates)
    pairs = [(one, other) for i, one in enumerate(systems) for other in systems[i + 1 :] if all_pairs or i == 0]
    for metric in metrics:
        statistics = {}
        scores = {}
        for system in systems:
            bar.set_postfix_str(f"{metric.name} {system}")
            data = testset.segments(system)
            statistics[system] = metric.statistics_in_blocks(data, bar.update)
            scores[system] = metric.score_corpus(data, statistics[system])
        for test in tests:
            for baseline, system in pairs:
                result = compare_paired(
                    metric, statistics[system], statistics[baseline], test=test, trials=trials, seed=seed
                )
                drawn = {"bs" if test == "bootstrap" else "ar": result.trials, "seed": seed}
                signature = str(scores[system].signature.extended(drawn))
                signatures[signature] = None
                rows.append(
                    {
                        "metric": str(metric),
                        "test": test,
                        "baseline": baseline,
                        "system": system,
                        "baseline_score": scores[baseline].value,
                        "score": scores[system].value,
                        "difference": result.difference,
                        "low": None if result.interval is None else result.interval.low,
                        "high": None if result.interval is None else result.interval.high,
                        "wins": result.win_rate,
                        "p_value": result.p_value,
                        "signature": signature,
                    }
                )
    columns = [column for column in rows[0] if column != "signature"]
    return ResultTable(columns, rows, notes=list(signatures), machine_columns=[*columns, "signature"])
