"""Statistics of pairs: numbers that other people published, and the slowest way to compute them."""

import itertools
import math

import numpy as np
import pytest
from pytest import approx
from scipy import stats

from paragauge.errors import OptionError
from paragauge.meta.correlation import Question, correlate
from paragauge.meta.pairs import (
    better_p_values,
    calibrated_accuracy,
    kendall_by_column,
    limit_p_values,
    pairwise_accuracy,
    preferences,
    resampled_calibrated_accuracy,
    resampled_soft_accuracy,
    soft_accuracy,
    wmt_tau_by_segment,
)

NAN = math.nan


def column(*values):
    """Return one segment with these scores of systems."""
    return np.array(values, dtype=float)[:, None]


def rows(*values):
    """Return a matrix (systems, segments) from mt-metrics-eval's rows, which are groups of systems."""
    return np.array([[NAN if each is None else each for each in row] for row in values], dtype=float).T


# ------------------------------------------------------------- numbers in the tests of Google's mt-metrics-eval (2021-)


@pytest.mark.parametrize(
    ("metric", "human", "value", "epsilon"),
    [
        ([0, 2, 6, 8], [1, 2, 3, 4], 1.0, 0),
        ([0, 2, 6, 8], [1, 1, 1, 4], 4 / 6, 4),
        ([2, 1, 1.5, 5, 3], [1, 2, 2, 3, 4], 0.7, 0.5),
    ],
)
def test_calibrated_accuracy_is_googles(metric, human, value, epsilon):
    found = calibrated_accuracy(column(*metric), column(*human))
    assert (found.value, found.epsilon) == (approx(value, abs=1e-12), epsilon)


def test_calibrated_accuracy_with_gaps_is_googles():
    metric = rows([0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [None] * 5)
    human = rows([1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2], [None] * 5)
    found = calibrated_accuracy(metric, human)
    assert (found.value, found.epsilon) == (approx(0.4916666666666668, abs=1e-12), 1)


def test_wmt_tau_is_googles():
    gold, metric = column(10, 11, 100, 150), column(2, 1, 4, 3)
    balance, pairs = wmt_tau_by_segment(metric, preferences(gold, 25), "discordant")
    assert (balance[0], pairs[0]) == (4 - 1, 5)
    balance, pairs = wmt_tau_by_segment(metric, preferences(gold, 1), "discordant")
    assert (balance[0], pairs[0]) == (4 - 2, 6)


def test_pairwise_accuracy_is_googles():
    # 5 of 10 pairs have the same sign, ties among them
    assert pairwise_accuracy(np.array([[1.0, 1, 2, 1, 2]]), np.array([[1.0, 2, 3, 3, 4]])) == approx(5 / 10)


@pytest.mark.parametrize(
    ("method", "none", "system", "segment"),
    [("pearson", 0.776, 0.760, 1.0), ("kendall", 0.552, 0.575, 1.0), ("kendall-c", 0.556, 0.611, 1.0)],
)
def test_averages_are_googles(method, none, system, segment):
    human, metric = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[2.0, 1, 4], [3, 3, 7]])
    for average, value in (("none", none), ("system", system), ("segment", segment)):
        assert Question(metric, human, method, "segment", average).value() == approx(value, abs=5e-4)


def test_the_paired_permutation_example():
    # Thompson's example: the differences are all 0.6, so only swapping nothing reaches their sum: p = 2 ** -5
    differences = np.array([[0.8, 0.9, 0.7, 1.0, 0.6]]) - np.array([[0.2, 0.3, 0.1, 0.4, 0.0]])
    assert better_p_values(differences, permutations=20_000)[0] == approx(2**-5, abs=0.005)


# -------------------------------------------------------------------------------------------------- the slowest ways


def noisy(seed, systems=6, segments=40, missing=0.15, steps=4):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, segments)) + np.arange(systems)[:, None] * 0.3
    human = np.round(quality + rng.normal(size=quality.shape))
    metric = np.round((quality + rng.normal(size=quality.shape)) * steps) / steps
    human[rng.random(human.shape) < missing] = NAN
    metric[rng.random(metric.shape) < missing / 3] = NAN
    return metric, human


def slow_accuracy(metric, human, epsilon):
    by_segment = []
    for own, theirs in zip(metric.T, human.T, strict=True):
        agree = [
            (0 if abs(own[i] - own[j]) <= epsilon else np.sign(own[i] - own[j])) == np.sign(theirs[i] - theirs[j])
            for i, j in itertools.combinations(range(len(own)), 2)
            if not np.isnan([own[i], own[j], theirs[i], theirs[j]]).any()
        ]
        by_segment += [np.mean(agree)] if agree else []
    return np.mean(by_segment)


@pytest.mark.parametrize("seed", range(3))
def test_calibration_tries_every_difference(seed):
    metric, human = noisy(seed)
    found = calibrated_accuracy(metric, human)
    both = np.where(np.isnan(human), NAN, metric)
    tried = {0.0} | {abs(a - b) for each in both.T for a, b in itertools.combinations(each, 2) if not np.isnan(a - b)}
    values = {epsilon: slow_accuracy(metric, human, epsilon) for epsilon in tried}
    best = max(values.values())
    assert found.value == approx(best)
    assert found.epsilon == min(epsilon for epsilon, value in values.items() if value > best - 1e-9)


def test_resampled_accuracy_is_that_of_the_resample():
    metric, human = noisy(5, steps=1)  # few different differences, so the grid has them all
    picks = np.random.default_rng(1).integers(metric.shape[1], size=(10, metric.shape[1]))
    weights = np.stack([np.bincount(pick, minlength=metric.shape[1]) for pick in picks]).astype(float)
    slow = [calibrated_accuracy(metric[:, pick], human[:, pick]).value for pick in picks]
    assert resampled_calibrated_accuracy(metric, human, weights) == approx(np.array(slow))


@pytest.mark.parametrize("variant", ["b", "c"])
def test_kendall_of_columns_is_scipys(variant):
    metric, human = noisy(3)
    human[:, 0] = 1.0  # a constant
    found = kendall_by_column(metric, human, variant)
    for own, theirs, value in zip(metric.T, human.T, found, strict=True):
        both = ~np.isnan(own) & ~np.isnan(theirs)
        expected = stats.kendalltau(own[both], theirs[both], variant=variant).statistic
        assert value == approx(expected, nan_ok=True)
        assert correlate(own[both], theirs[both], "kendall" if variant == "b" else "kendall-c") == approx(
            expected, nan_ok=True
        )


def test_soft_accuracy_swaps_segments():
    metric, human = noisy(9, systems=4, segments=30)
    both = ~np.isnan(metric) & ~np.isnan(human)
    signs = np.random.default_rng(12345).integers(2, size=(500, 30)) * 2.0 - 1.0
    gaps = []
    for i, j in itertools.combinations(range(4), 2):
        shared = both[i] & both[j]
        p = []
        for matrix in (metric, human):
            difference = (matrix[i] - matrix[j])[shared]
            drawn = [(row[shared] * difference).sum() for row in signs]
            p.append(np.mean([value >= difference.sum() - 1e-9 for value in drawn]))
        gaps.append(abs(p[0] - p[1]))
    assert soft_accuracy(metric, human, permutations=500) == approx(1 - np.mean(gaps))
    assert soft_accuracy(human, human) == 1.0


def test_p_values_approach_their_limit():
    metric, human = noisy(2, systems=5, segments=800, missing=0.0)
    differences = metric[:2] - metric[2:4]
    many = better_p_values(differences, permutations=20_000)
    limit = limit_p_values(differences.sum(axis=1), (differences**2).sum(axis=1))
    assert many == approx(limit, abs=0.01)
    one = resampled_soft_accuracy(metric, human, np.ones((1, 800)))
    assert one[0] == approx(soft_accuracy(metric, human, permutations=20_000), abs=0.01)


def test_a_system_drawn_twice_is_no_pair():
    metric, human = np.array([[1.0, 2, 2]]), np.array([[2.0, 1, 1]])
    assert pairwise_accuracy(metric, human)[0] == approx(1 / 3)
    assert pairwise_accuracy(metric, human, np.array([0, 1, 1]))[0] == 0.0


@pytest.mark.parametrize(
    ("method", "level", "average", "message"),
    [
        ("spa", "segment", "none", "spa compares systems; choose the level 'system'"),
        ("acc-eq", "system", "none", "acc-eq compares candidates for one segment; choose the level 'segment'"),
        ("kendall-wmt", "segment", "system", "cannot be averaged over systems"),
        ("tau", "segment", "none", "no statistic named 'tau'"),
    ],
)
def test_statistics_have_levels(method, level, average, message):
    from paragauge.meta.correlation import check_statistic

    with pytest.raises(OptionError, match=message):
        check_statistic(method, level, average)
