"""Scores of systems as a grid: one row per system, one column per metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from paragauge.meta.choices import SIGNIFICANT

if TYPE_CHECKING:
    from paragauge.evaluate.compare import SystemComparison
    from paragauge.evaluate.score import ScoreResult, SystemScore
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Cell, ResultTable

BEST = "►"
ARROWS = {"higher": "↑", "lower": "↓"}

_FEW_DIGITS, _MANY_DIGITS = 2, 4  # decimals of scores up to 100, and of smaller ones


def score_grid(result: ScoreResult, *, digits: int | None = None) -> ResultTable:
    """Return the scores of *result* with intervals, the best of each metric and tests against the first system.

    Args:
        result: Scores of one or more systems.
        digits: Decimals of all scores; by default 2 for scores up to 100 and 4 for others.
    """
    from paragauge.report.table import ResultTable

    comparisons = result.comparisons
    tests = {(each.metric, each.system): each for each in comparisons}
    rows: dict[str, dict[str, Cell]] = {each.system: {"system": each.system} for each in result.scores}
    columns, titles = ["system"], {}
    for metric in result.metrics:
        name = str(metric)
        columns.append(name)
        titles[name] = f"{name} {ARROWS[metric.better]}"
        found = {each.system: each for each in result.scores if each.metric == metric}
        for system, cell in _cells(metric, found, digits).items():
            rows[system][name] = cell
        if comparisons:
            columns.append(f"{name} p")
            titles[f"{name} p"] = "p"
            for system in found:
                rows[system][f"{name} p"] = _p_value(tests.get((metric, system)))
    signatures = list(dict.fromkeys(str(each.score.signature) for each in result.scores))
    return ResultTable(
        columns,
        list(rows.values()),
        notes=[_legend(result, comparisons), *signatures],
        titles=titles,
        right=columns[1:],
    )


def bare_scores(result: ScoreResult, *, digits: int | None = None) -> str:
    """Return the numbers alone: one line per system, one number per metric, separated by tabs."""
    lines: dict[str, list[str]] = {each.system: [] for each in result.scores}
    for metric in result.metrics:
        found = {each.system: each for each in result.scores if each.metric == metric}
        shown = digits if digits is not None else decimals(metric, [each.score.value for each in found.values()])
        for system, each in found.items():
            lines[system].append(f"{each.score.value:.{shown}f}")
    return "".join("\t".join(numbers) + "\n" for numbers in lines.values())


def decimals(metric: SentenceMetric, values: Sequence[float]) -> int:
    """Return how many decimals to show of scores of *metric*."""
    return _FEW_DIGITS if "100" in metric.scale or max(map(abs, values), default=0) >= 10 else _MANY_DIGITS


def best_systems(metric: SentenceMetric, values: Mapping[str, float]) -> set[str]:
    """Return the systems with the best of *values*; none if there is only one system or all are equally good."""
    known = {system: value for system, value in values.items() if not math.isnan(value)}
    if len(set(known.values())) < 2:
        return set()
    best = max(known.values()) if metric.better == "higher" else min(known.values())
    return {system for system, value in known.items() if value == best}


def _cells(metric: SentenceMetric, scores: Mapping[str, SystemScore], digits: int | None) -> dict[str, str]:
    """Return the value of each system with half of its interval, aligned at the decimal point."""
    values = {system: each.score.value for system, each in scores.items()}
    shown = decimals(metric, list(values.values())) if digits is None else digits
    numbers = {system: f"{value:.{shown}f}" for system, value in values.items()}
    halves = {
        system: f"{(each.score.interval.high - each.score.interval.low) / 2:.{shown}f}"
        for system, each in scores.items()
        if each.score.interval is not None
    }
    width = max(map(len, numbers.values()))
    half_width = max(map(len, halves.values()), default=0)
    best = best_systems(metric, values)
    return {
        system: (BEST if system in best else "")
        + (number.rjust(width) if halves else number)
        + (f" ± {halves[system].rjust(half_width)}" if system in halves else "")
        for system, number in numbers.items()
    }


def _p_value(comparison: SystemComparison | None) -> str | None:
    if comparison is None:
        return None
    p = comparison.outcome.p_value
    return f"{'*' if p < SIGNIFICANT else ''}{p:.3f}"


def _legend(result: ScoreResult, comparisons: Sequence[SystemComparison]) -> str:
    """Return the explanation of the marks in the grid."""
    directions = {metric.better for metric in result.metrics}
    parts = [f"{ARROWS[better]} {better} is better" for better in ("higher", "lower") if better in directions]
    if len({each.system for each in result.scores}) > 1:
        parts.append(f"{BEST} best")
    if result.bootstrap:
        parts.append("± half of the 95% interval")
    if comparisons:
        first = comparisons[0]
        test = "paired bootstrap" if first.outcome.test == "bootstrap" else "paired permutation"
        parts.append(f"p: difference from {first.baseline} ({test}), * below {SIGNIFICANT:g}")
    return "; ".join(parts)
