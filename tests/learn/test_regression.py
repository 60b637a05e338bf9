"""Linear regressors against scikit-learn and their own promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import DataError
from paragauge.learn.regression import LinearRegressor, MonotoneRegressor, fit_monotone, fit_ridge
from paragauge.learn.validation import learning_curve, pearson, predict_unseen, spearman


@pytest.fixture
def data():
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(200, 3)) * [1, 10, 0.1] + [0, 5, 2]
    return rows, rows @ [1.0, -0.2, 3.0] + chance.normal(size=200) * 0.1


def test_ridge_is_that_of_scikit_learn(data):
    linear = pytest.importorskip("sklearn.linear_model")
    rows, targets = data
    ours = fit_ridge(rows, targets, 0.3)
    standardised = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    theirs = linear.Ridge(alpha=0.3 * len(rows)).fit(standardised, targets)
    assert ours.weights == pytest.approx(theirs.coef_, abs=1e-8)
    assert ours.predict(rows) == pytest.approx(theirs.predict(standardised), abs=1e-7)


def test_a_feature_that_does_not_vary_changes_nothing(data):
    rows, targets = data
    wider = np.column_stack([rows, np.full(len(rows), 7.0)])
    assert fit_ridge(wider, targets, 0.1).predict(wider) == pytest.approx(fit_ridge(rows, targets, 0.1).predict(rows))


@given(st.integers(0, 2), st.floats(-3, 3), st.floats(0, 3))
def test_monotone_never_falls_when_a_feature_improves(place, start, more):
    chance = np.random.default_rng(8)
    rows = chance.normal(size=(80, 3))
    targets = np.sin(3 * rows[:, 0]) + rows[:, 1] - rows[:, 2]  # the first is not monotone at all
    learned = fit_monotone(rows, targets, 0.01, [1, 1, -1])
    low = np.zeros((1, 3))
    low[0, place] = start
    high = low.copy()
    high[0, place] += more if place < 2 else -more
    assert learned.predict(high)[0] >= learned.predict(low)[0] - 1e-12


def test_monotone_follows_a_curve_and_finds_directions():
    rows = np.linspace(0, 1, 101)[:, None]
    targets = -np.sqrt(rows[:, 0])
    learned = fit_monotone(rows, targets, 0.0)
    assert learned.signs.tolist() == [-1.0]
    assert np.abs(learned.predict(rows) - targets).max() < 0.13
    assert pearson(learned.predict(rows), targets) > pearson(rows[:, 0], -targets)


@pytest.mark.parametrize("fit", [fit_ridge, fit_monotone])
def test_regressors_survive_json_and_refuse_nonsense(data, fit):
    made = fit(*data, 0.1)
    values, arrays = made.to_plain()
    again = type(made).from_plain(values, arrays)
    assert again.predict(data[0]).tolist() == made.predict(data[0]).tolist()
    assert made.predict(data[0][:1])[0] == made.predict(data[0])[0]  # alone or with others
    with pytest.raises(DataError, match="not finite"):
        type(made).from_plain({**values, "intercept": float("nan")}, {})
    with pytest.raises(DataError, match="finite numbers"):
        fit(np.full((3, 2), np.nan), np.ones(3), 0.1)
    with pytest.raises(DataError, match="different sizes"):
        LinearRegressor.from_plain({"mean": [1.0], "scale": [1.0, 1.0], "weights": [1.0], "intercept": 0.0}, {})
    with pytest.raises(DataError, match="not monotone"):
        MonotoneRegressor.from_plain({"signs": [1.0], "knots": [[1.0, 0.0]], "rises": [[1.0]], "intercept": 0.0}, {})


def test_unseen_items_are_predicted_without_them(data):
    rows, targets = data
    fold_of = np.arange(len(rows)) % 4
    seen = []

    def fit(some, wanted):
        seen.append(len(some))
        return fit_ridge(some, wanted, 0.1)

    predictions = predict_unseen([fit], rows, targets, fold_of, threads=1)[0]
    assert seen == [150] * 4
    by_hand = fit_ridge(rows[fold_of != 2], targets[fold_of != 2], 0.1).predict(rows[fold_of == 2])
    assert predictions[fold_of == 2].tolist() == by_hand.tolist()
    curve = learning_curve(lambda x, y: fit_ridge(x, y, 0.1), rows, targets, fold_of, [10, 100, 1000], seed=1)
    assert [size for size, _ in curve] == [10, 100]
    assert curve[1][1] > 0.99
    assert spearman(targets, targets**3) == pytest.approx(1)
