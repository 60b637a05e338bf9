"""Linear regressors: ridge regression, and an additive one that never falls when a feature improves.

Both standardise or rescale their features themselves, need no seed, and are plain numbers. Weights are rounded, since
their last digits are those of the machine's arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import DataError
from paragauge.learn.validation import Matrix, check_examples, standard_scale

DIGITS = 10  # of weights, after the point
QUANTILES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)  # where the pieces of the monotone regressor meet


@dataclass(frozen=True, slots=True, eq=False)
class LinearRegressor:
    """f(x) = intercept + weights * (x - mean) / scale.

    Attributes:
        mean: Mean of each feature in training.
        scale: Standard deviation of each feature in training, 1 where it was 0.
        weights: Of the standardised features.
        intercept: Mean of the targets.
    """

    mean: Matrix
    scale: Matrix
    weights: Matrix
    intercept: float

    def predict(self, rows: Matrix, *, threads: int | None = None) -> Matrix:
        """Return f of each of *rows*."""
        standardised = (np.asarray(rows, dtype=np.float64) - self.mean) / self.scale
        # Not a matrix product: its last digits would depend on the number of rows.
        total: Matrix = (standardised * self.weights).sum(axis=1) + self.intercept
        return total

    def to_plain(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """Return the regressor as values for JSON; it has no arrays."""
        columns = {"mean": self.mean, "scale": self.scale, "weights": self.weights}
        return {**{name: column.tolist() for name, column in columns.items()}, "intercept": self.intercept}, {}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> LinearRegressor:
        """Return the regressor from the parts returned by `to_plain`.

        Raises:
            DataError: The parts do not fit together.
        """
        mean, scale, weights = (_finite(values[name], 1) for name in ("mean", "scale", "weights"))
        if not len(mean) == len(scale) == len(weights):
            raise DataError("the columns of the regressor have different sizes")
        if not (scale > 0).all():
            raise DataError("the regressor contains a scale that is not above 0")
        return cls(mean, scale, weights, float(_finite([values["intercept"]], 1)[0]))


@dataclass(frozen=True, slots=True, eq=False)
class MonotoneRegressor:
    """f(x) = intercept + the sum of one function per feature, each made of straight pieces that never fall.

    Attributes:
        signs: 1 for features of which more is better, -1 for the others, which are turned round.
        knots: Where the pieces of each (turned) feature begin and end, an array (features, knots); f is constant
            before the first and after the last.
        rises: By how much each piece rises, an array (features, knots - 1), at least 0.
        intercept: f where all features are at their first knots.
    """

    signs: Matrix
    knots: Matrix
    rises: Matrix
    intercept: float

    def predict(self, rows: Matrix, *, threads: int | None = None) -> Matrix:
        """Return f of each of *rows*."""
        pieces = _pieces(np.asarray(rows, dtype=np.float64) * self.signs, self.knots)
        total: Matrix = (pieces * self.rises).sum(axis=(1, 2)) + self.intercept
        return total

    def to_plain(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """Return the regressor as values for JSON; it has no arrays."""
        columns = {"signs": self.signs, "knots": self.knots, "rises": self.rises}
        return {**{name: column.tolist() for name, column in columns.items()}, "intercept": self.intercept}, {}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> MonotoneRegressor:
        """Return the regressor from the parts returned by `to_plain`.

        Raises:
            DataError: The parts do not fit together.
        """
        signs, knots, rises = (_finite(values[name], size) for name, size in (("signs", 1), ("knots", 2), ("rises", 2)))
        if not len(signs) == len(knots) == len(rises) or knots.shape[1] != rises.shape[1] + 1:
            raise DataError("the columns of the regressor have different sizes")
        if (np.abs(signs) != 1).any() or (np.diff(knots) < 0).any() or (rises < 0).any():
            raise DataError("the regressor is not monotone: a sign, a knot or a rise is wrong")
        return cls(signs, knots, rises, float(_finite([values["intercept"]], 1)[0]))


def fit_ridge(rows: Matrix, targets: Matrix, penalty: float) -> LinearRegressor:
    """Return the weights with the least squared error plus *penalty* times their squares, per item.

    >>> fit_ridge(np.array([[1.0], [2.0], [3.0]]), np.array([2.0, 4.0, 6.0]), 0.0).predict(np.array([[4.0]]))
    array([8.])
    """
    rows, targets = check_examples(rows, targets)
    mean, scale = standard_scale(rows)
    standardised = (rows - mean) / scale
    intercept = float(targets.mean())
    products = standardised.T @ standardised / len(rows) + max(penalty, 1e-9) * np.eye(rows.shape[1])
    weights = np.linalg.solve(products, standardised.T @ (targets - intercept) / len(rows))
    return LinearRegressor(mean, scale, np.round(weights, DIGITS), round(intercept, DIGITS))


def fit_monotone(
    rows: Matrix, targets: Matrix, penalty: float, signs: Sequence[int] | None = None
) -> MonotoneRegressor:
    """Return the non-decreasing pieces with the least squared error plus *penalty* times their squares, per item.

    Args:
        rows: Features, an array (items, features).
        targets: Values to predict.
        penalty: Of large rises.
        signs: 1 for features of which more is better, -1 for those of which less is, 0 to go by the correlation with
            the targets; all 0 by default.
    """
    from scipy.optimize import nnls

    rows, targets = check_examples(rows, targets)
    centred = targets - targets.mean()
    tendency = np.where((rows - rows.mean(axis=0)).T @ centred < 0, -1.0, 1.0)
    given = np.array([0.0] * rows.shape[1] if signs is None else signs, dtype=np.float64)
    directions = np.where(given == 0, tendency, given)
    turned = rows * directions
    knots = np.quantile(turned, QUANTILES, axis=0).T
    pieces = _pieces(turned, knots).reshape(len(rows), -1)
    average = pieces.mean(axis=0)
    pieces -= average
    products = pieces.T @ pieces / len(rows) + max(penalty, 1e-9) * np.eye(pieces.shape[1])
    # |L' w - c| is the same squared error with as many rows as there are weights.
    triangle = np.linalg.cholesky(products)
    rises, _ = nnls(triangle.T, np.linalg.solve(triangle, pieces.T @ centred / len(rows)), maxiter=100 * len(average))
    rises = np.round(rises, DIGITS)
    intercept = round(float(targets.mean() - average @ rises), DIGITS)
    return MonotoneRegressor(directions, knots, rises.reshape(len(directions), -1), intercept)


def _pieces(turned: Matrix, knots: Matrix) -> Matrix:
    """Return how much of each piece each value has passed, from 0 to 1: an array (items, features, pieces)."""
    widths = np.diff(knots, axis=1)
    passed = turned[:, :, None] - knots[None, :, :-1]
    # Where many items share a value, a piece has no width: it has been passed or not.
    shares = np.where(widths > 0, passed / np.where(widths > 0, widths, 1.0), passed > 0)
    clipped: Matrix = shares.clip(0.0, 1.0)
    return clipped


def _finite(values: Any, dimensions: int) -> Matrix:
    array = np.array(values, dtype=np.float64)
    if array.ndim != dimensions or not np.isfinite(array).all():
        raise DataError("the regressor contains numbers that are not finite, or in the wrong shape")
    return array
