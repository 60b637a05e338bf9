"""Support vector regression: scikit-learn's training, our prediction, folds that keep groups together."""

import numpy as np
import pytest
from pytest import approx

from paragauge.errors import DataError, OptionError
from paragauge.learn.svr import RbfRegressor, SvrOptions, cross_validate, fit_svr, svr_grid
from paragauge.learn.validation import group_folds


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(120, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, -3.0]
    return rows, np.sin(rows[:, 0]) + 0.1 * rows[:, 1]


def test_predictions_are_scikit_learns(data):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    rows, targets = data
    theirs = make_pipeline(StandardScaler(), SVR(C=2.0, gamma=0.4, epsilon=0.05)).fit(rows, targets)
    ours = fit_svr(rows, targets, SvrOptions(c=2.0, gamma=0.4, epsilon=0.05))
    assert ours.predict(rows) == approx(theirs.predict(rows), abs=1e-9)


def test_a_row_is_predicted_the_same_among_others_and_by_any_number_of_threads(data):
    rows, targets = data
    regressor = fit_svr(rows, targets, SvrOptions())
    together = regressor.predict(rows, threads=1)
    assert (together == regressor.predict(rows, threads=5)).all()
    assert together.tolist() == [regressor.predict(row[None, :])[0] for row in rows]


def test_training_twice_gives_the_same_numbers(data):
    one, two = (fit_svr(*data, SvrOptions()) for _ in "12")
    assert one.vectors.tobytes() == two.vectors.tobytes()
    assert one.coefficients.tobytes() == two.coefficients.tobytes()
    assert one.intercept == two.intercept


def test_a_constant_feature_does_no_harm():
    rows = np.stack([np.arange(10.0), np.full(10, 7.0)], axis=1)
    regressor = fit_svr(rows, np.arange(10.0), SvrOptions(c=100.0, gamma=0.3, epsilon=0.01))
    assert regressor.scale[1] == 1.0
    assert regressor.predict(rows) == approx(np.arange(10.0), abs=0.1)


def test_groups_stay_together_and_folds_are_even():
    groups = [f"g{k // 3}" for k in range(90)]
    folds = group_folds(groups, 5, seed=4)
    assert all(len({fold for fold, name in zip(folds, groups, strict=True) if name == g}) == 1 for g in set(groups))
    assert np.bincount(folds).tolist() == [18] * 5
    assert (folds == group_folds(groups, 5, seed=4)).all()
    assert (folds != group_folds(groups, 5, seed=5)).any()
    with pytest.raises(DataError, match="5 folds needs at least as many groups"):
        group_folds(["a", "b"], 5, seed=1)


def test_cross_validation_predicts_only_what_it_has_not_seen(data):
    rows, targets = data
    groups = [k // 4 for k in range(len(rows))]
    grid = (SvrOptions(c=1.0, gamma=0.3), SvrOptions(c=1.0, gamma=50.0))
    done = []
    found = cross_validate(rows, targets, groups, grid=grid, folds=3, seed=1, progress=lambda *step: done.append(step))
    assert found.options == grid[0]  # the other remembers and does not learn
    assert found.error == min(error for _, error in found.tried)
    assert done[-1] == (6, 6, "cross-validation")
    folds = group_folds(groups, 3, seed=1)
    expected = fit_svr(rows[folds != 0], targets[folds != 0], grid[0]).predict(rows[folds == 0])
    assert (found.predictions[folds == 0] == expected).all()
    again = cross_validate(rows, targets, groups, grid=grid, folds=3, seed=1, threads=1)
    assert (again.predictions == found.predictions).all()


def test_parts_come_back_as_they_were(data):
    regressor = fit_svr(*data, SvrOptions())
    values, arrays = regressor.to_plain()
    back = RbfRegressor.from_plain(values, arrays)
    assert (back.predict(data[0]) == regressor.predict(data[0])).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mean": [0.0, 1.0]}, "have different sizes"),
        ({"scale": [1.0, 0.0, 1.0]}, "a scale that is not above 0"),
        ({"gamma": float("nan")}, "not finite"),
    ],
)
def test_damaged_parts_are_refused(data, change, message):
    values, arrays = fit_svr(*data, SvrOptions()).to_plain()
    with pytest.raises(DataError, match=message):
        RbfRegressor.from_plain({**values, **change}, arrays)


def test_nonsense_is_refused():
    with pytest.raises(OptionError, match="c must be above 0, got 0"):
        SvrOptions(c=0)
    with pytest.raises(OptionError, match="epsilon must be at least 0"):
        SvrOptions(epsilon=-1)
    with pytest.raises(DataError, match="at least two items"):
        fit_svr(np.ones((1, 2)), np.ones(1), SvrOptions())
    with pytest.raises(DataError, match="finite numbers"):
        fit_svr(np.full((3, 2), np.nan), np.ones(3), SvrOptions())
    assert all(option.gamma < 1 for option in svr_grid(3))
