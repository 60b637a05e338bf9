"""Bootstrap of a whole meta-evaluation: 1,000 resamples of 15 systems, 3,003 segments and 6 metrics (simulated scores).

    python benchmarks/bench_meta.py [--resamples 1000]

Compared in the same run with SciPy's functions on each resample, drawn by indexing; timed on a few and scaled up.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import stats

from paragauge.corpora.judgments import Judgments
from paragauge.meta.correlation import correlate_metric
from paragauge.meta.evaluation import Evaluation, join_scores
from paragauge.meta.scores import ScoreRow, ScoreTable
from paragauge.meta.significance import bootstrap_interval
from paragauge.metrics.bleu import Bleu

SYSTEMS, SEGMENTS, METRICS = 15, 3003, 6
FEW = 5  # resamples of the rival


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resamples", type=int, default=1000)
    resamples = parser.parse_args().resamples
    scores, judgments = simulate()
    begun = time.perf_counter()
    evaluation = join_scores(scores, judgments)
    print(f"join {len(scores):,} scores with {len(judgments):,} judgments: {time.perf_counter() - begun:.2f} s")
    for level in ("system", "segment"):
        for method in ("pearson", "spearman"):
            begun = time.perf_counter()
            for metric in evaluation.metrics:
                correlate_metric(evaluation, metric, method=method, level=level, resamples=resamples)
            ours = time.perf_counter() - begun
            theirs = rival(evaluation, method, level) * resamples
            print(
                f"{level:8} {method:9} {ours:7.2f} s   SciPy, one by one {theirs:8.1f} s   ratio {theirs / ours:6.1f}"
            )
    rows = np.random.default_rng(1).integers(0, 30, size=(SEGMENTS, 10))
    begun = time.perf_counter()
    for _ in range(SYSTEMS * METRICS):
        bootstrap_interval(Bleu(), rows, resamples=resamples)
    print(f"intervals of {SYSTEMS} systems by {METRICS} metrics, from statistics: {time.perf_counter() - begun:.2f} s")


def simulate() -> tuple[ScoreTable, Judgments]:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=(SYSTEMS, 1)) * 0.3 + rng.normal(size=(SYSTEMS, SEGMENTS))
    human = np.clip(np.round(3 + quality + rng.normal(size=quality.shape)), 1, 5)
    rows = []
    for m in range(METRICS):
        values = quality + (1 + m / 3) * rng.normal(size=quality.shape)
        rows += [
            ScoreRow(f"m{m}", f"s{s}", str(k), float(values[s, k])) for s in range(SYSTEMS) for k in range(SEGMENTS)
        ]
    people = ((f"s{s}", str(k), "", "overall", float(human[s, k])) for s in range(SYSTEMS) for k in range(SEGMENTS))
    return ScoreTable(tuple(rows)), Judgments.from_rows(people)


def rival(evaluation: Evaluation, method: str, level: str) -> float:
    """Return seconds for one resample of all metrics."""
    rng = np.random.default_rng(3)
    coefficient = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[method]
    begun = time.perf_counter()
    for _ in range(FEW):
        picks = rng.integers(SEGMENTS, size=SEGMENTS)
        for matrix in evaluation.metrics.values():
            own, human = matrix[:, picks], evaluation.human[:, picks]
            if level == "system":
                coefficient(own.mean(axis=1), human.mean(axis=1))
            else:
                coefficient(own.ravel(), human.ravel())
    return (time.perf_counter() - begun) / FEW


if __name__ == "__main__":
    main()
