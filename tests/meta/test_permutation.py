"""Permutation tests of metrics: swapped in fact, one permutation after the other, and what must come out."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from pytest import approx

from paragauge.errors import DataError, OptionError
from paragauge.meta.correlation import Question, correlate
from paragauge.meta.pairs import (
    calibrated_accuracy,
    limit_p_values,
    pairwise_accuracy,
    preferences,
    wmt_tau_by_segment,
)
from paragauge.meta.permutation import MOST_RANKED, RANKED, clusters, random_signs, swap_tests

SEED, TRIALS = 5, 60


def data(seed=0, systems=5, segments=30, missing=0.1):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, segments)) + np.arange(systems)[:, None] * 0.4
    human = np.round(quality + rng.normal(size=quality.shape))
    human[rng.random(human.shape) < missing] = np.nan
    metrics = [quality + spread * rng.normal(size=quality.shape) for spread in (0.3, 1.0, 3.0)]
    metrics[1] = np.round(metrics[1])
    metrics[2][0, 0] = np.nan
    return metrics, human


def questions(method, level="segment", average="none", **options):
    metrics, human = data(**options)
    gaps = np.isnan(np.stack(metrics)).any(axis=0)
    return [Question(np.where(gaps, np.nan, metric), human, method, level, average) for metric in metrics]


def slow_value(question):
    """Return the statistic as the tests see it: p-values of SPA in their limit."""
    metric, human = question.metric, question.human
    both = ~np.isnan(metric) & ~np.isnan(human)
    if question.method == "spa":
        gaps = []
        for i, j in combinations(range(len(metric)), 2):
            shared = both[i] & both[j]
            p = [
                limit_p_values(np.array((each[i] - each[j])[shared].sum()), (((each[i] - each[j])[shared]) ** 2).sum())
                for each in (metric, human)
            ]
            gaps.append(abs(p[0] - p[1]))
        return 1 - np.mean(gaps)
    if question.level == "system":
        x, y = zip(*((m[b].mean(), h[b].mean()) for m, h, b in zip(metric, human, both, strict=True)), strict=True)
        if question.method == "pairwise-accuracy":
            return pairwise_accuracy(np.array([x]), np.array([y]))[0]
        return correlate(x, y, question.method)
    if question.method == "kendall-wmt":
        balance, pairs = wmt_tau_by_segment(np.where(both, metric, np.nan), preferences(human), "discordant")
        return balance.sum() / pairs.sum()
    if question.average == "none":
        return correlate(metric[both], human[both], question.method)
    parts = zip(metric, human, both, strict=True)
    if question.average == "segment":
        parts = zip(metric.T, human.T, both.T, strict=True)
    return np.nanmean([correlate(m[b], h[b], question.method) for m, h, b in parts if b.sum() > 1])


def slow_tests(asked):
    """Return differences and p-values after swapping scores one permutation after the other."""
    used = ~np.isnan(asked[0].human) & ~np.isnan(asked[0].metric)
    standard = [
        replace(each, metric=np.where(used, (each.metric - each.metric[used].mean()) / each.metric[used].std(), np.nan))
        for each in asked
    ]
    signs = random_signs(np.random.default_rng(SEED), TRIALS, used.shape)
    for one, other in combinations(standard, 2):
        observed = slow_value(one) - slow_value(other)
        drawn = []
        for sign in signs:
            first = replace(one, metric=np.where(sign > 0, one.metric, other.metric))
            second = replace(one, metric=np.where(sign > 0, other.metric, one.metric))
            drawn.append(slow_value(first) - slow_value(second))
        drawn = np.array(drawn)
        both = (np.count_nonzero(np.abs(drawn) >= abs(observed) - 1e-9) + 1) / (TRIALS + 1)
        lead = (np.count_nonzero(drawn * np.sign(observed) >= abs(observed) - 1e-9) + 1) / (TRIALS + 1)
        yield observed, both, lead


@pytest.mark.parametrize(
    ("method", "level", "average"),
    [
        ("pearson", "segment", "none"),
        ("pearson", "segment", "segment"),
        ("pearson", "segment", "system"),
        *((method, "segment", average) for method in RANKED for average in ("none", "segment", "system")),
        ("pearson", "system", "none"),
        ("spearman", "system", "none"),
        ("kendall", "system", "none"),
        ("pairwise-accuracy", "system", "none"),
        ("spa", "system", "none"),
        ("kendall-wmt", "segment", "none"),
    ],
)
def test_nothing_needs_to_be_swapped(method, level, average):
    asked = questions(method, level, average)
    found = swap_tests(asked, permutations=TRIALS, seed=SEED)
    assert [(test.one, test.other) for test in found] == [(0, 1), (0, 2), (1, 2)]
    for test, (observed, both, lead) in zip(found, slow_tests(asked), strict=True):
        assert test.difference == approx(observed, abs=1e-6)
        assert (test.two_sided, test.one_sided) == approx((both, lead), abs=1.5 / (TRIALS + 1))


@pytest.mark.parametrize("average", ["none", "segment", "system"])
@pytest.mark.parametrize("method", RANKED)
def test_rank_correlations_of_swapped_scores_equal_scipys(method, average):
    """Every permutation, not only how many of them reach the difference; with ties and gaps."""
    asked = questions(method, "segment", average, systems=4, segments=12)
    used = ~np.isnan(asked[0].human) & ~np.isnan(asked[0].metric)
    signs = random_signs(np.random.default_rng(SEED), 21, used.shape)
    matrices = [np.where(used, np.round(each.metric, 1), np.nan) for each in asked]
    (engine, data), pairs = prepared([replace(each, metric=own) for each, own in zip(asked, matrices, strict=True)])
    for (one, other), sides in zip(pairs, engine(data, signs, pairs), strict=True):
        for k, sign in enumerate(signs):
            a, b = (np.where(used, data.scores[m], np.nan) for m in (one, other))
            for side, swapped in zip(sides, (np.where(sign > 0, a, b), np.where(sign > 0, b, a)), strict=True):
                assert side[k] == approx(slow_value(replace(asked[0], metric=swapped)), abs=1e-12)


def prepared(asked):
    from paragauge.meta import permutation

    return (permutation._engine(asked[0]), permutation._data(asked, None)), list(combinations(range(len(asked)), 2))


def test_too_many_candidates_for_ranks_are_refused(monkeypatch):
    assert MOST_RANKED == 2**21
    monkeypatch.setattr("paragauge.meta.permutation.MOST_RANKED", 50)
    with pytest.raises(DataError, match="fewer than 50 candidates; found"):
        swap_tests(questions("spearman"), permutations=5)


def outcomes_of(question):
    """Return, pair by pair, whether a metric with its own best epsilon orders two candidates as people do."""
    epsilon = calibrated_accuracy(question.metric, question.human).epsilon
    by_segment = []
    for own, theirs in zip(question.metric.T, question.human.T, strict=True):
        known = [k for k in range(len(own)) if not np.isnan(own[k]) and not np.isnan(theirs[k])]
        by_segment.append({})
        for i, j in combinations(known, 2):
            gap = own[i] - own[j]
            order = 0 if abs(gap) <= epsilon else np.sign(gap)
            by_segment[-1][i, j] = float(order == np.sign(theirs[i] - theirs[j]))
    return by_segment


def test_outcomes_of_pairs_are_swapped_for_calibrated_accuracies():
    """As WMT23 and WMT24 test acc-eq: each metric keeps its epsilon, and outcomes are swapped pair by pair."""
    asked = questions("acc-eq", average="segment", systems=5, segments=20)
    found = swap_tests(asked, permutations=TRIALS, seed=SEED)
    tables = [outcomes_of(each) for each in asked]
    places = [(i, j) for i, j in combinations(range(5), 2)]
    cells = [(pair, k) for pair in places for k in range(20) if pair in tables[0][k]]
    signs = random_signs(np.random.default_rng(SEED), TRIALS, (len(cells),))
    for test, (one, other) in zip(found, combinations(range(3), 2), strict=True):
        mean = lambda table: np.mean([np.mean(list(each.values())) for each in table if each])  # noqa: E731
        observed = mean(tables[one]) - mean(tables[other])
        assert test.difference == approx(observed)
        values = [calibrated_accuracy(asked[k].metric, asked[k].human).value for k in (one, other)]
        assert values == approx([mean(tables[one]), mean(tables[other])])
        drawn = []
        for sign in signs:
            first, second = [dict(each) for each in tables[one]], [dict(each) for each in tables[other]]
            for turn, (pair, k) in zip(sign, cells, strict=True):
                if turn < 0:
                    first[k][pair], second[k][pair] = second[k][pair], first[k][pair]
            drawn.append(mean(first) - mean(second))
        drawn = np.array(drawn)
        two = (np.count_nonzero(np.abs(drawn) >= abs(observed) - 1e-9) + 1) / (TRIALS + 1)
        lead = (np.count_nonzero(drawn * np.sign(observed) >= abs(observed) - 1e-9) + 1) / (TRIALS + 1)
        assert (test.two_sided, test.one_sided) == approx((two, lead))


def test_the_same_metric_twice_never_differs():
    metrics, human = data()
    cases = [("pearson", "segment"), ("spa", "system"), ("acc-eq", "segment"), ("kendall", "system")]
    for method, level in [*cases, ("kendall", "segment"), ("spearman", "segment")]:
        asked = [Question(metrics[0], human, method, level, "none")] * 2
        (test,) = swap_tests(asked, permutations=50)
        assert (test.difference, test.two_sided, test.one_sided) == (0.0, 1.0, 1.0)


def test_blocks_change_nothing(monkeypatch):
    asked = questions("pearson")
    whole = swap_tests(asked, permutations=TRIALS, seed=SEED)
    monkeypatch.setattr("paragauge.meta.permutation._CELLS", 1)
    assert swap_tests(asked, permutations=TRIALS, seed=SEED) == whole


def test_scores_of_whole_systems_are_swapped_whole():
    metrics, human = data(missing=0.0)
    asked = [Question(np.nanmean(metric, axis=1)[:, None], human, "pearson", "system", "none") for metric in metrics]
    for test in swap_tests(asked, permutations=200):
        assert 0 < test.two_sided <= 1


def test_nothing_in_common_is_said():
    metrics, human = data()
    gaps = [np.where(np.arange(30) < 15, metrics[0], np.nan), np.where(np.arange(30) < 15, np.nan, metrics[1])]
    with pytest.raises(DataError, match="no candidate has scores by all metrics"):
        swap_tests([Question(each, human, "pearson", "segment", "none") for each in gaps])
    with pytest.raises(OptionError, match="at least 1; got 0"):
        swap_tests(questions("pearson"), permutations=0)


def test_p_values_are_honest_if_there_is_no_difference():
    rng = np.random.default_rng(3)
    low = 0
    for _ in range(200):
        human = rng.normal(size=(4, 25))
        asked = [Question(human + rng.normal(size=human.shape), human, "pearson", "segment", "none") for _ in range(2)]
        low += swap_tests(asked, permutations=99, seed=1)[0].two_sided <= 0.05
    assert low / 200 < 0.1


# Google's rule: down from the best, a metric starts a new cluster if any metric of the cluster beats it significantly.
@pytest.mark.parametrize(
    ("significant", "expected"),
    [
        (set(), [1, 1, 1, 1]),
        ({(0, 1), (0, 2), (0, 3)}, [1, 2, 2, 2]),
        ({(0, 2), (0, 3)}, [1, 1, 2, 2]),
        ({(1, 2), (2, 3)}, [1, 1, 2, 3]),
        ({(0, 3)}, [1, 1, 1, 2]),
    ],
)
def test_clusters(significant, expected):
    p = lambda one, other: 0.01 if (one, other) in significant else 0.5  # noqa: E731
    assert clusters([0.9, 0.8, 0.7, 0.6], p) == expected
    assert clusters([0.6, 0.7, 0.8, 0.9], lambda one, other: p(3 - one, 3 - other)) == expected[::-1]
    assert clusters([0.5, np.nan], p) == [1, 2]
