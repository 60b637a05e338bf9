"""Statistics of pairs: candidates for the same segment, or systems, that people compare one way or the other.

*Pairwise accuracy* (Kocmi et al., 2021): the share of pairs of systems that a metric orders as people do.

*Soft pairwise accuracy* (Thompson et al., 2024; WMT24): 1 minus the mean difference between two p-values, that of "i is
better than j" by people and that by the metric. A p-value is that of a paired permutation test: the scores of two
systems for a segment are swapped at random.

*WMT's tau* (2012 to 2021): (concordant - discordant) / pairs, over the pairs of candidates for one segment that people
did not judge equal.

*Accuracy with tie calibration* (acc-eq; Deutsch et al., 2023): the share of pairs of candidates for one segment that a
metric orders as people do, ties among them; the metric's scores tie if they differ by at most epsilon, which is the
value that gives the highest accuracy. It is the mean over segments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import OptionError
from paragauge.meta.choices import TIES, Ties
from paragauge.meta.significance import DEFAULT_SEED

Matrix = NDArray[np.float64]
Index = NDArray[np.intp]

SPA_PERMUTATIONS = 1000
_GRID = 200  # values of epsilon tried for each resample
_CELLS = 4_000_000  # pairs times segments at a time


def system_pairs(count: int, origin: Index | None = None) -> tuple[Index, Index]:
    """Return all pairs of rows; those of one system with itself, drawn twice by a resample, are left out.

    Args:
        count: Number of rows.
        origin: System of each row, if rows were resampled.
    """
    one, other = np.triu_indices(count, 1)
    if origin is None:
        return one, other
    different = origin[one] != origin[other]
    return one[different], other[different]


def pairwise_accuracy(metric: Matrix, human: Matrix, origin: Index | None = None) -> Matrix:
    """Return, for each row, the share of pairs of its columns that *metric* and *human* order the same way.

    A tie agrees only with a tie. Missing systems (NaN) form no pairs; without pairs, the result is NaN.
    """
    one, other = system_pairs(metric.shape[1], origin)
    own, theirs = metric[:, one] - metric[:, other], human[:, one] - human[:, other]
    known = ~np.isnan(own) & ~np.isnan(theirs)
    agree = (np.sign(own) == np.sign(theirs)) & known
    return ratio(agree.sum(axis=1), known.sum(axis=1))


def ratio(sums: NDArray[np.generic], counts: NDArray[np.generic]) -> Matrix:
    """Return sums / counts, NaN where there is nothing to divide by."""
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Matrix = np.where(np.asarray(counts) > 0, np.asarray(sums, float) / np.asarray(counts, float), np.nan)
    return result


def differences(matrix: Matrix, origin: Index | None = None) -> Matrix:
    """Return the difference of each pair of rows, column by column: an array (pairs, columns)."""
    one, other = system_pairs(len(matrix), origin)
    result: Matrix = matrix[one] - matrix[other]
    return result


# ---------------------------------------------------------------------------------------------- soft pairwise accuracy


def better_p_values(differences: Matrix, permutations: int = SPA_PERMUTATIONS, seed: int = DEFAULT_SEED) -> Matrix:
    """Return, for each row of *differences*, the p-value that its sum is as high as it is by chance.

    Args:
        differences: Score of one system minus that of another, by segment; NaN if missing.
        permutations: Number of times that the two scores of each segment are swapped at random. All rows see the same
            swaps.
        seed: Seed for swapping.
    """
    gaps = np.nan_to_num(differences)
    signs = np.random.default_rng(seed).integers(2, size=(permutations, gaps.shape[1])) * 2.0 - 1.0
    observed = gaps.sum(axis=1)
    tolerance = 1e-12 * np.abs(gaps).sum(axis=1)  # sums in a different order must still count as equal
    result: Matrix = (signs @ gaps.T >= observed - tolerance).mean(axis=0)
    return result


def limit_p_values(sums: Matrix, squares: Matrix) -> Matrix:
    """Return `better_p_values` in the limit of many segments and permutations, from sums of differences and squares.

    Swaps give a sum that is normally distributed around 0 with the sum of squares as its variance.
    """
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):
        result: Matrix = np.where(squares > 0, ndtr(-sums / np.sqrt(squares)), 1.0)
    return result


def soft_accuracy(
    metric: Matrix,
    human: Matrix,
    *,
    permutations: int = SPA_PERMUTATIONS,
    seed: int = DEFAULT_SEED,
    origin: Index | None = None,
) -> float:
    """Return the soft pairwise accuracy of *metric*, a matrix (systems, segments) like *human*; NaN if missing."""
    both = ~np.isnan(metric) & ~np.isnan(human)
    gaps = [differences(np.where(both, matrix, np.nan), origin) for matrix in (metric, human)]
    known = (~np.isnan(gaps[0])).any(axis=1)
    if not known.any():
        return math.nan
    own, theirs = (better_p_values(gap[known], permutations, seed) for gap in gaps)
    return float(1 - np.abs(own - theirs).mean())


def resampled_soft_accuracy(metric: Matrix, human: Matrix, weights: Matrix) -> Matrix:
    """Return the soft accuracy for each row of *weights*, which count segments, with p-values in their limit."""
    both = ~np.isnan(metric) & ~np.isnan(human)
    p_values = []
    for matrix in (metric, human):
        gaps = differences(np.where(both, matrix, np.nan))
        known = ~np.isnan(gaps)
        filled = np.nan_to_num(gaps)
        p_values.append(
            np.where(weights @ known.T > 0, limit_p_values(weights @ filled.T, weights @ (filled * filled).T), np.nan)
        )
    gap = np.abs(p_values[0] - p_values[1])
    known = ~np.isnan(gap)
    return 1 - ratio(np.where(known, gap, 0.0).sum(axis=1), known.sum(axis=1))


# -------------------------------------------------------------------------------------------------------- WMT's tau


@dataclass(frozen=True, slots=True)
class Preferences:
    """How often people preferred one system's candidate to another's, by pair of systems and segment.

    Attributes:
        won: Array (pairs, segments): number of times that the first system of `system_pairs` was preferred.
        lost: Number of times that the second was.
    """

    won: Matrix
    lost: Matrix


def preferences(human: Matrix, min_difference: float = 0.0, origin: Index | None = None) -> Preferences:
    """Return the preferences in a matrix of human scores (systems, segments).

    Args:
        human: Human scores; NaN if missing.
        min_difference: Smallest difference that is a preference; 25 in WMT's relative rankings from raw direct
            assessments. Equal scores never are.
        origin: System of each row, if rows were resampled.
    """
    gaps = differences(human, origin)
    with np.errstate(invalid="ignore"):
        far = (np.abs(gaps) >= min_difference) & (gaps != 0)
        return Preferences((far & (gaps > 0)).astype(float), (far & (gaps < 0)).astype(float))


def tau_terms(gaps: Matrix, wishes: Preferences, ties: Ties) -> tuple[Matrix, Matrix]:
    """Return concordant minus discordant pairs, and pairs, where a metric has these *gaps*; NaN counts for nothing."""
    if ties not in TIES:
        raise OptionError(f"ties must be one of {', '.join(TIES)}; got {ties!r}")
    known = ~np.isnan(gaps)
    sign = np.sign(np.nan_to_num(gaps))
    pairs = np.where(known, wishes.won + wishes.lost, 0.0)
    balance = np.where(known, (wishes.won - wishes.lost) * sign, 0.0)
    if ties == "discordant":
        balance = balance - pairs * (sign == 0)
    return balance, pairs * (sign != 0) if ties == "ignored" else pairs


def wmt_tau_by_segment(metric: Matrix, wishes: Preferences, ties: Ties, origin: Index | None = None) -> Matrix:
    """Return concordant minus discordant pairs and the number of pairs in each segment: an array (2, segments)."""
    balance, pairs = tau_terms(differences(metric, origin), wishes, ties)
    return np.stack([balance.sum(axis=0), pairs.sum(axis=0)])


# ------------------------------------------------------------------------------------- accuracy with calibrated ties


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Accuracy with tie calibration.

    Attributes:
        value: Accuracy; NaN if there are no pairs.
        epsilon: Largest difference of the metric's scores that counts as a tie; the smallest with this accuracy.
    """

    value: float
    epsilon: float


def calibrated_accuracy(metric: Matrix, human: Matrix, origin: Index | None = None) -> Calibrated:
    """Return the accuracy of *metric*, a matrix (systems, segments) like *human*, with the best epsilon of all.

    All differences of the metric's scores are tried. Sorting them once gives the accuracy for each of them by
    cumulative sums, in O(pairs log pairs).
    """
    own, theirs, weights, segments = _pairs_of_segments(metric, human, origin)
    if not segments:
        return Calibrated(math.nan, math.nan)
    size = np.abs(own)
    order = np.argsort(size, kind="stable")
    size = size[order]
    right = ((np.sign(own) == np.sign(theirs)) & (theirs != 0))[order]
    tied = (theirs == 0)[order]
    # Weights are 1 / pairs of the segment: sums of them are exact in units of a common multiple only, so count them
    # in floating point and break ties between thresholds with a tolerance.
    change = np.cumsum(np.where(tied, weights[order], 0.0) - np.where(right, weights[order], 0.0))
    last = np.flatnonzero(np.append(size[1:] != size[:-1], True))
    start = float(np.sum(weights[order][right]))
    values = np.append(start, start + change[last])
    thresholds = np.append(0.0, size[last])
    if size[0] == 0:  # epsilon 0 already ties the scores that are equal
        values, thresholds = values[1:], thresholds[1:]
    best = int(np.flatnonzero(values >= values.max() - 1e-9)[0])
    return Calibrated(float(values[best] / segments), float(thresholds[best]))


def calibrated_outcomes(metric: Matrix, human: Matrix) -> Matrix:
    """Return what each pair of candidates for a segment adds to the calibrated accuracy, 0 where it is wrong.

    The pairs are those with both scores, in an order that depends on nothing else.
    """
    epsilon = calibrated_accuracy(metric, human).epsilon
    own, theirs, weights, segments = _pairs_of_segments(metric, human, None)
    order = np.where(np.abs(own) <= epsilon, 0.0, np.sign(own))
    result: Matrix = np.where(order == np.sign(theirs), weights, 0.0) / max(1, segments)
    return result


def _pairs_of_segments(metric: Matrix, human: Matrix, origin: Index | None) -> tuple[Matrix, Matrix, Matrix, int]:
    """Return differences by the metric and by people, 1 / pairs of the same segment, and the number of segments."""
    own, theirs = differences(metric, origin), differences(human, origin)
    known = ~np.isnan(own) & ~np.isnan(theirs)
    counts = known.sum(axis=0)
    weights = np.broadcast_to(1.0 / np.maximum(counts, 1), known.shape)
    return own[known], theirs[known], weights[known], int(np.count_nonzero(counts))


def resampled_calibrated_accuracy(metric: Matrix, human: Matrix, weights: Matrix) -> Matrix:
    """Return the calibrated accuracy for each row of *weights*, which count segments.

    Epsilon is calibrated anew for each resample, among the quantiles of the differences and the best for all segments.
    """
    own, theirs = differences(metric), differences(human)
    known = ~np.isnan(own) & ~np.isnan(theirs)
    counts = known.sum(axis=0)
    if not counts.any():
        return np.full(len(weights), np.nan)
    grid = epsilon_grid(np.abs(own[known]), _GRID)
    grid = np.unique(np.append(grid, calibrated_accuracy(metric, human).epsilon))
    right = (np.sign(own) == np.sign(theirs)) & (theirs != 0) & known
    tied = (theirs == 0) & known
    size = np.abs(np.nan_to_num(own))
    accuracy = np.stack([np.where(size <= epsilon, tied, right).sum(axis=0) for epsilon in grid])
    used = counts > 0
    share = ratio(accuracy[:, used], np.broadcast_to(counts[used], (len(grid), int(used.sum()))))
    sums: Matrix = (weights[:, used] @ share.T).max(axis=1)
    return ratio(sums, weights[:, used].sum(axis=1))


def epsilon_grid(sizes: Matrix, count: int) -> Matrix:
    """Return 0 and up to *count* quantiles of the *sizes* of differences."""
    quantiles: Matrix = np.quantile(sizes, np.linspace(0, 1, count), method="lower")
    result: Matrix = np.unique(np.append(0.0, quantiles))
    return result


# --------------------------------------------------------------------------------------- Kendall's tau by segment


def kendall_by_column(metric: Matrix, human: Matrix, variant: str = "b") -> Matrix:
    """Return Kendall's tau-b or tau-c of each column of two matrices; NaN if undefined. NaN are left out."""
    block = max(1, _CELLS // max(1, len(metric) * (len(metric) - 1) // 2))
    starts = range(0, metric.shape[1], block)
    parts = [_kendall_block(metric[:, at : at + block], human[:, at : at + block], variant) for at in starts]
    return np.concatenate(parts) if parts else np.empty(0)


def _kendall_block(metric: Matrix, human: Matrix, variant: str) -> Matrix:
    own, theirs = np.sign(differences(metric)), np.sign(differences(human))
    known = ~np.isnan(own) & ~np.isnan(theirs)
    pairs = known.sum(axis=0).astype(float)
    balance = np.where(known, own * theirs, 0.0).sum(axis=0)
    free_own, free_theirs = (pairs - ((gap == 0) & known).sum(axis=0) for gap in (own, theirs))
    with np.errstate(invalid="ignore", divide="ignore"):
        if variant == "b":
            tau = balance / np.sqrt(free_own * free_theirs)
        else:
            both = ~np.isnan(metric) & ~np.isnan(human)
            classes = np.minimum(_different(metric, both), _different(human, both))
            tau = 2 * balance / (both.sum(axis=0) ** 2 * (classes - 1) / classes)
        result: Matrix = np.where((free_own > 0) & (free_theirs > 0), np.clip(tau, -1, 1), np.nan)
    return result


def _different(values: Matrix, known: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of different values in each column, of those that are known."""
    ordered = np.sort(np.where(known, values, np.inf), axis=0)
    new = np.ones(ordered.shape, bool)
    new[1:] = ordered[1:] != ordered[:-1]
    counts: NDArray[np.intp] = (new & np.isfinite(ordered)).sum(axis=0)
    return counts
