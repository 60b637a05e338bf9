"""The framework of items, similarities and the best matching."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.optimize import linear_sum_assignment

from paragauge import _core
from paragauge.errors import DataError
from paragauge.matching.assignment import Matching, best_matching, nearer

tables = st.integers(0, 4).flatmap(
    lambda rows: st.integers(1, 5).flatmap(
        lambda columns: st.lists(
            st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0]), min_size=columns, max_size=columns),
            min_size=rows,
            max_size=rows,
        )
    )
)


@given(tables)
def test_no_matching_is_better(table):
    rows, columns = range(len(table)), range(len(table[0]) if table else 0)
    found = best_matching(list(rows), list(columns), lambda i, j: table[i][j])
    padded = [*columns, *[None] * len(rows)]
    best = max(
        sum(table[i][j] for i, j in zip(rows, choice, strict=True) if j is not None)
        for choice in permutations(padded, len(rows))
    )
    assert found.weight == best
    for side in ([pair.left for pair in found.pairs], [pair.right for pair in found.pairs]):
        assert len(set(side)) == len(side)
    assert all(pair.weight == table[pair.left][pair.right] > 0 for pair in found.pairs)


def test_large_tables_agree_with_scipy():
    rng = np.random.default_rng(5)
    for shape in [(60, 80), (80, 60), (70, 70)]:
        weights = rng.random(shape) * (rng.random(shape) < 0.2)
        columns = _core.best_assignment(weights)
        rows = np.flatnonzero(columns >= 0)
        assert weights[rows, columns[rows]].sum() == approx(
            weights[linear_sum_assignment(weights, maximize=True)].sum()
        )


def test_items_and_similarities_may_be_anything():
    roles = [("agent", "dog"), ("patient", "cat")]
    others = [("patient", "cat"), ("agent", "cat")]
    found = best_matching(roles, others, lambda one, other: (one[0] == other[0]) + (one[1] == other[1]))
    assert [(pair.left, pair.right, pair.weight) for pair in found.pairs] == [(0, 1, 1.0), (1, 0, 2.0)]
    assert best_matching([], [1], lambda one, other: 1.0) == Matching(())


def test_distance_makes_near_items_win():
    words, others = ["a", "b", "c", "a"], ["a", "x", "x", "a"]
    equal = nearer(lambda one, other: float(one == other), 0.5, 4, 4)
    found = best_matching(list(enumerate(words)), list(enumerate(others)), equal)
    assert [(pair.left, pair.right) for pair in found.pairs] == [(0, 0), (3, 3)]
    assert found.weight == 2.0


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_impossible_similarities_are_refused(weight):
    with pytest.raises(DataError, match="a finite number of at least 0"):
        best_matching([1], [1], lambda one, other: weight)
    with pytest.raises(ValueError, match="finite and not negative"):
        _core.best_assignment(np.array([[weight]]))
