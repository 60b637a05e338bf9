"""Permutation tests of all pairs of metrics: 1,000 permutations, 30 metrics, 15 systems, 1,500 segments (simulated).

    python benchmarks/bench_permutations.py [--permutations 1000] [--metrics 30] [STATISTIC ...]

Compared in the same run with the same test done as it is defined, in plain NumPy: swap the standardised scores (for
acc-eq: the outcomes of pairs of candidates), call SciPy's function twice, for each permutation of each pair of metrics.
The rival is timed on a few permutations and scaled up. Processor
seconds, the library with as many threads as its matrix products use.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from paragauge.meta.choices import Average, Level, Statistic
from paragauge.meta.correlation import Question
from paragauge.meta.pairs import Matrix, better_p_values, calibrated_accuracy, differences
from paragauge.meta.permutation import swap_tests

SYSTEMS, SEGMENTS = 15, 1500
FEW = 5  # permutations of the rival

CASES: dict[str, tuple[Statistic, Level, Average]] = {
    "pearson": ("pearson", "segment", "none"),
    "pearson-by-segment": ("pearson", "segment", "segment"),
    "pearson-by-system": ("pearson", "segment", "system"),
    "pearson-of-systems": ("pearson", "system", "none"),
    "kendall-of-systems": ("kendall", "system", "none"),
    "pairwise-accuracy": ("pairwise-accuracy", "system", "none"),
    "spa": ("spa", "system", "none"),
    "kendall-wmt": ("kendall-wmt", "segment", "none"),
    "acc-eq": ("acc-eq", "segment", "segment"),
    "spearman": ("spearman", "segment", "none"),
    "spearman-by-segment": ("spearman", "segment", "segment"),
    "kendall": ("kendall", "segment", "none"),
    "kendall-by-segment": ("kendall", "segment", "segment"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("statistics", nargs="*", default=list(CASES), choices=[*CASES, []])
    parser.add_argument("--permutations", type=int, default=1000)
    parser.add_argument("--metrics", type=int, default=30)
    options = parser.parse_args()
    scores, human = simulate(options.metrics)
    pairs = options.metrics * (options.metrics - 1) // 2
    for name in options.statistics:
        method, level, average = CASES[name]
        asked = [Question(each, human, method, level, average) for each in scores]
        begun, wall = time.process_time(), time.perf_counter()
        swap_tests(asked, permutations=options.permutations)
        ours, elapsed = time.process_time() - begun, time.perf_counter() - wall
        right = [outcomes(each, human) for each in scores[:2]]
        begun = time.process_time()
        if name == "acc-eq":
            swap_outcomes(*right)
        else:
            rival(scores[0], scores[1], human, RIVALS[name])
        theirs = (time.process_time() - begun) / FEW * options.permutations * pairs
        print(
            f"{name:20} {ours:8.1f} s ({elapsed:.1f} s elapsed)   swapped one by one {theirs:10.0f} s   "
            f"ratio {theirs / ours:8.0f}",
            flush=True,
        )


def simulate(metrics: int) -> tuple[list[Matrix], Matrix]:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=(SYSTEMS, 1)) * 0.3 + rng.normal(size=(SYSTEMS, SEGMENTS))
    human = np.minimum(0, np.round(2 * quality + rng.normal(size=quality.shape)))  # half of them perfect, as in MQM
    return [quality + (1 + m / 10) * rng.normal(size=quality.shape) for m in range(metrics)], human


def rival(one: Matrix, other: Matrix, human: Matrix, value: Callable[[Matrix, Matrix], float]) -> None:
    rng = np.random.default_rng(3)
    one, other = ((each - each.mean()) / each.std() for each in (one, other))
    for _ in range(FEW):
        swap = rng.random(one.shape) < 0.5
        value(np.where(swap, one, other), human)
        value(np.where(swap, other, one), human)


def outcomes(metric: Matrix, human: Matrix) -> Matrix:
    """Return which pairs of candidates a metric orders as people do; computed once, so that it is not timed."""
    gaps = differences(metric)
    order = np.where(np.abs(gaps) <= calibrated_accuracy(metric, human).epsilon, 0.0, np.sign(gaps))
    return (order == np.sign(differences(human))).astype(float)


def swap_outcomes(one: Matrix, other: Matrix) -> None:
    rng = np.random.default_rng(3)
    for _ in range(FEW):
        swap = rng.random(one.shape) < 0.5
        np.where(swap, one, other).mean(axis=0).mean()
        np.where(swap, other, one).mean(axis=0).mean()


def soft(metric: Matrix, human: Matrix) -> float:
    own, theirs = (better_p_values(differences(each)) for each in (metric, human))
    return float(1 - np.abs(own - theirs).mean())


def tau(metric: Matrix, human: Matrix) -> float:
    balance, pairs = 0.0, 0.0
    for own, theirs in zip(metric.T, human.T, strict=True):
        product = np.sign(differences(own[:, None])) * np.sign(differences(theirs[:, None]))
        balance, pairs = balance + product.sum(), pairs + np.count_nonzero(product)
    return float(balance / pairs)


def mean_by_segment(correlation: Callable[..., Any], metric: Matrix, human: Matrix) -> float:
    found = [
        correlation(a, b).statistic for a, b in zip(metric.T, human.T, strict=True) if np.ptp(b) > 0
    ]  # undefined where people give all candidates the same score
    return float(np.mean(found))


RIVALS: dict[str, Callable[[Matrix, Matrix], float]] = {
    "pearson": lambda m, h: stats.pearsonr(m.ravel(), h.ravel()).statistic,
    "pearson-by-segment": lambda m, h: np.nanmean(
        [stats.pearsonr(a, b).statistic for a, b in zip(*(m.T, h.T), strict=True)]
    ),
    "pearson-by-system": lambda m, h: np.nanmean([stats.pearsonr(a, b).statistic for a, b in zip(m, h, strict=True)]),
    "pearson-of-systems": lambda m, h: stats.pearsonr(m.mean(axis=1), h.mean(axis=1)).statistic,
    "kendall-of-systems": lambda m, h: stats.kendalltau(m.mean(axis=1), h.mean(axis=1)).statistic,
    "pairwise-accuracy": lambda m, h: float(
        np.mean(np.sign(differences(m.mean(axis=1)[:, None])) == np.sign(differences(h.mean(axis=1)[:, None])))
    ),
    "spa": soft,
    "kendall-wmt": tau,
    "spearman": lambda m, h: stats.spearmanr(m.ravel(), h.ravel()).statistic,
    "spearman-by-segment": lambda m, h: mean_by_segment(stats.spearmanr, m, h),
    "kendall": lambda m, h: stats.kendalltau(m.ravel(), h.ravel()).statistic,
    "kendall-by-segment": lambda m, h: mean_by_segment(stats.kendalltau, m, h),
}


if __name__ == "__main__":
    main()
