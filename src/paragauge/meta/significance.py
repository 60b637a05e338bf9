"""Bootstrap intervals and paired significance tests over stored statistics.

A metric's score is a function of the sum of its rows, so a resample is a vector of row counts, and a thousand resamples
are one matrix product; nothing is matched again. Cost: O(resamples * segments * columns), in blocks of bounded memory.

Randomness is controlled by a seed. All systems see the same resamples, which makes the tests paired.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import DataError, OptionError
from paragauge.metrics.base import Interval, Metric, Statistics

Test: TypeAlias = Literal["bootstrap", "permutation"]

DEFAULT_SEED = 12345  # sacreBLEU's
DEFAULT_RESAMPLES = 1000  # ParaEval's and Koehn's (2004)
DEFAULT_PERMUTATIONS = 10_000

_BLOCK_CELLS = 4_000_000  # 32 MB of float64 weights at a time


@dataclass(frozen=True, slots=True)
class Comparison:
    """Difference between two systems under one metric, and how likely a difference as large is by chance alone.

    Attributes:
        difference: Score of the system minus score of the baseline.
        p_value: Two-sided p-value.
        interval: Bootstrap interval of the difference; ``None`` for a permutation test.
        win_rate: Share of resamples in which the system scores higher; ``None`` for a permutation test.
    """

    test: Test
    difference: float
    p_value: float
    interval: Interval | None
    win_rate: float | None
    trials: int
    seed: int


def resample_weights(segments: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield blocks of rows with the number of times each segment occurs in a resample with replacement."""
    if resamples * segments <= _BLOCK_CELLS:  # one block, shared by all metrics and systems of a study
        yield _one_block(segments, resamples, seed)
        return
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK_CELLS // max(1, segments))
    for start in range(0, resamples, block):
        yield _draw(rng, segments, min(block, resamples - start))


def _draw(rng: np.random.Generator, segments: int, size: int) -> NDArray[np.float64]:
    picks = rng.integers(segments, size=(size, segments))
    picks += np.arange(size)[:, None] * segments
    counts = np.bincount(picks.ravel(), minlength=size * segments)
    return counts.reshape(size, segments).astype(np.float64)


@lru_cache(maxsize=2)
def _one_block(segments: int, resamples: int, seed: int) -> NDArray[np.float64]:
    weights = _draw(np.random.default_rng(seed), segments, resamples)
    weights.flags.writeable = False
    return weights


def bootstrap_values(metric: Metric, rows: Statistics, resamples: int, seed: int) -> NDArray[np.float64]:
    """Return the metric's value for each resample of its *rows*."""
    _check_trials("resamples", resamples)
    _check_rows(rows)
    values: list[float] = []
    for weights in resample_weights(len(rows), resamples, seed):
        values += [metric.measure(totals).value for totals in (weights @ rows).tolist()]
    return np.array(values)


def bootstrap_interval(
    metric: Metric,
    rows: Statistics,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> Interval:
    """Return the percentile bootstrap interval of the metric's value (Koehn, 2004)."""
    return percentile_interval(bootstrap_values(metric, rows, resamples, seed), level)


def percentile_interval(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Return the central interval that contains the share *level* of *values*."""
    if not 0 < level < 1:
        raise OptionError(f"the level of an interval must be between 0 and 1; got {level!r}")
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return Interval(float(low), float(high), level)


def paired_bootstrap(
    metric: Metric,
    system: Statistics,
    baseline: Statistics,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> Comparison:
    """Compare two systems by resampling the same segments for both.

    The differences of the resamples, shifted to a mean of zero, approximate the differences due to chance; the p-value
    is the share of them (counting one more, which keeps it above zero) at least as far from zero as the observed
    difference. This differs from sacreBLEU, which centres *absolute* differences: those do not follow the distribution
    under the null hypothesis, and the p-value is inaccurate if systems are close.
    """
    _check_pair(system, baseline)
    return bootstrap_comparison(
        metric.measure_rows(system).value - metric.measure_rows(baseline).value,
        bootstrap_values(metric, system, resamples, seed),
        bootstrap_values(metric, baseline, resamples, seed),
        seed=seed,
    )


def bootstrap_comparison(
    observed: float, ours: NDArray[np.float64], theirs: NDArray[np.float64], *, seed: int
) -> Comparison:
    """Return what `paired_bootstrap` does, from values of the same resamples of the system and of its baseline."""
    differences = ours - theirs
    p_value = centred_p_value(differences, observed)
    wins = float(np.mean(differences > 0) + np.mean(differences == 0) / 2)
    return Comparison("bootstrap", observed, p_value, percentile_interval(differences), wins, len(ours), seed)


def paired_permutation(
    metric: Metric,
    system: Statistics,
    baseline: Statistics,
    *,
    permutations: int = DEFAULT_PERMUTATIONS,
    seed: int = DEFAULT_SEED,
) -> Comparison:
    """Compare two systems by approximate randomisation (Riezler & Maxwell, 2005): swap their outputs at random."""
    _check_trials("permutations", permutations)
    _check_pair(system, baseline)
    rng = np.random.default_rng(seed)
    observed = metric.measure_rows(system).value - metric.measure_rows(baseline).value
    total = system.sum(axis=0, dtype=np.float64) + baseline.sum(axis=0, dtype=np.float64)
    change = system.astype(np.float64) - baseline
    start = baseline.sum(axis=0, dtype=np.float64)
    differences: list[float] = []
    block = max(1, _BLOCK_CELLS // len(system))
    while len(differences) < permutations:
        size = min(block, permutations - len(differences))
        swaps = rng.integers(2, size=(size, len(system)), dtype=np.int8).astype(np.float64)
        first = start + swaps @ change
        differences += [
            metric.measure(one).value - metric.measure(other).value
            for one, other in zip(first.tolist(), (total - first).tolist(), strict=True)
        ]
    p_value = _p_value(np.array(differences), observed)
    return Comparison("permutation", observed, p_value, None, None, permutations, seed)


def compare_paired(
    metric: Metric, system: Statistics, baseline: Statistics, *, test: Test, trials: int | None = None, seed: int
) -> Comparison:
    """Compare two systems by the named *test*."""
    if test == "bootstrap":
        return paired_bootstrap(metric, system, baseline, resamples=trials or DEFAULT_RESAMPLES, seed=seed)
    if test == "permutation":
        return paired_permutation(metric, system, baseline, permutations=trials or DEFAULT_PERMUTATIONS, seed=seed)
    raise OptionError(f"no test named {test!r}; known: bootstrap, permutation")


def centred_p_value(differences: NDArray[np.float64], observed: float) -> float:
    """Return the two-sided p-value of an *observed* difference, given resampled ones, which are centred on zero."""
    return _p_value(differences - differences.mean(), observed)


def _p_value(differences: NDArray[np.float64], observed: float) -> float:
    # Small tolerance: sums of floating-point rows in a different order must still count as equal.
    reach = abs(observed) * (1 - 1e-12) - 1e-12
    extreme = int(np.count_nonzero(np.abs(differences) >= reach))
    return (extreme + 1) / (len(differences) + 1)


def _check_rows(rows: Statistics) -> None:
    if len(rows) == 0:
        raise DataError("there are no segments to resample; expected at least one")


def _check_pair(system: Statistics, baseline: Statistics) -> None:
    _check_rows(system)
    if system.shape != baseline.shape:
        raise DataError(
            f"paired tests need the same segments for both systems; found {len(system)} and {len(baseline)} segments"
        )


def _check_trials(what: str, number: int) -> None:
    if number < 1:
        raise OptionError(f"the number of {what} must be at least 1; got {number}")
