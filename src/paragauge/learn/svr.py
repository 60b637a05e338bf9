"""Support vector regression with an RBF kernel, on standardised features.

f(x) = b + sum over support vectors v of a_v * exp(-gamma * |z(x) - v|^2), z(x) = (x - mean) / scale.

Training uses scikit-learn (extra ``train``); prediction is implemented here and needs only the numbers. The same data
gives the same regressor: libsvm is deterministic, and the folds of cross-validation come from a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import DataError, MissingExtraError, OptionError
from paragauge.learn.validation import Matrix, check_examples, group_folds, predict_unseen, standard_scale
from paragauge.progress import Progress
from paragauge.threads import thread_count


@dataclass(frozen=True, slots=True, kw_only=True)
class SvrOptions:
    """The three parameters of training.

    Attributes:
        c: Cost of errors; higher values follow the data more closely.
        gamma: Kernel coefficient for standardised features; higher values give a narrower kernel.
        epsilon: Errors up to this size are ignored; higher values need fewer support vectors.
    """

    c: float = 1.0
    gamma: float = 0.3
    epsilon: float = 0.1

    def __post_init__(self) -> None:
        for name, value, least in (
            ("c", self.c, "above"),
            ("gamma", self.gamma, "above"),
            ("epsilon", self.epsilon, ""),
        ):
            if not (value > 0 if least else value >= 0):
                raise OptionError(f"{name} must be {'above' if least else 'at least'} 0, got {value}")


ARRAYS = {"vectors": 2, "coefficients": 1}  # of a regressor, each in a file of its own, and their dimensions


@dataclass(frozen=True, slots=True, eq=False)
class RbfRegressor:
    """A trained regressor: plain numbers only.

    Attributes:
        mean: Mean of each feature in training.
        scale: Standard deviation of each feature in training, 1 where it was 0.
        vectors: Support vectors, standardised; an array (vectors, features).
        coefficients: Coefficients of the support vectors.
        gamma: Kernel coefficient.
        intercept: The constant b.
    """

    mean: Matrix
    scale: Matrix
    vectors: Matrix
    coefficients: Matrix
    gamma: float
    intercept: float

    def predict(self, rows: Matrix, *, threads: int | None = None) -> Matrix:
        """Return f of each of *rows*; a row's value depends neither on other rows nor on the number of threads."""
        standardised = np.ascontiguousarray((np.asarray(rows, dtype=np.float64) - self.mean) / self.scale)
        return _core.rbf_predict(
            standardised,
            vectors=self.vectors,
            coefficients=self.coefficients,
            gamma=self.gamma,
            intercept=self.intercept,
            threads=thread_count(threads),
        )

    def to_plain(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """Return the regressor as values for JSON and as arrays."""
        values = {"mean": self.mean.tolist(), "scale": self.scale.tolist(), "gamma": self.gamma}
        return {**values, "intercept": self.intercept}, {"vectors": self.vectors, "coefficients": self.coefficients}

    @classmethod
    def from_plain(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> RbfRegressor:
        """Return the regressor from the parts returned by `to_plain`.

        Raises:
            DataError: The parts do not fit together.
        """
        vectors, coefficients = (np.ascontiguousarray(arrays[name]) for name in ("vectors", "coefficients"))
        mean, scale = (np.array(values[name], dtype=np.float64) for name in ("mean", "scale"))
        shapes = (vectors.ndim, coefficients.ndim, vectors.dtype, coefficients.dtype)
        if shapes != (2, 1, np.dtype(np.float64), np.dtype(np.float64)):
            raise DataError("the arrays of the regressor must be 64-bit numbers in two and in one dimension")
        if len(vectors) != len(coefficients) or not vectors.shape[1] == len(mean) == len(scale):
            raise DataError("the arrays of the regressor have different sizes")
        numbers = [*mean, *scale, float(values["gamma"]), float(values["intercept"])]
        if not (np.isfinite(numbers).all() and np.isfinite(vectors).all() and np.isfinite(coefficients).all()):
            raise DataError("the regressor contains numbers that are not finite")
        if not (scale > 0).all():
            raise DataError("the regressor contains a scale that is not above 0")
        return cls(mean, scale, vectors, coefficients, float(values["gamma"]), float(values["intercept"]))


def fit_svr(rows: Matrix, targets: Matrix, options: SvrOptions) -> RbfRegressor:
    """Return a regressor trained to predict *targets* from *rows* (items, features).

    Raises:
        DataError: There are fewer than two items, or numbers that are not finite.
        MissingExtraError: scikit-learn is not installed.
    """
    try:
        from sklearn.svm import SVR
    except ImportError as error:
        raise MissingExtraError("training a regressor", "scikit-learn", "train") from error
    rows, targets = check_examples(rows, targets)
    mean, scale = standard_scale(rows)
    fitted = SVR(C=options.c, gamma=options.gamma, epsilon=options.epsilon, cache_size=500).fit(
        (rows - mean) / scale, targets
    )
    vectors = np.ascontiguousarray(fitted.support_vectors_, dtype=np.float64)
    coefficients = np.ascontiguousarray(fitted.dual_coef_[0], dtype=np.float64)
    return RbfRegressor(mean, scale, vectors, coefficients, options.gamma, float(fitted.intercept_[0]))


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """The result of cross-validation.

    Attributes:
        options: The accepted options with the lowest squared error on items not seen in training.
        error: That mean squared error.
        predictions: For each item, the prediction of the regressor trained without its group.
        tried: The error of all options, in the order of the grid.
    """

    options: SvrOptions
    error: float
    predictions: Matrix
    tried: tuple[tuple[SvrOptions, float], ...]


def svr_grid(features: int) -> tuple[SvrOptions, ...]:
    """Return the options tried by default: gamma falls with the number of *features*, as distances grow."""
    return tuple(
        SvrOptions(c=c, gamma=gamma / features, epsilon=epsilon)
        for c, gamma, epsilon in product((0.3, 1.0, 3.0), (0.03, 0.1, 0.3), (0.2, 0.6))
    )


def cross_validate(
    rows: Matrix,
    targets: Matrix,
    groups: Sequence[Hashable],
    *,
    grid: Sequence[SvrOptions] | None = None,
    folds: int = 5,
    seed: int = 1,
    threads: int | None = None,
    accept: Callable[[SvrOptions], bool] | None = None,
    progress: Progress | None = None,
) -> CrossValidation:
    """Return the best options of *grid* by squared error on groups not seen in training.

    Args:
        rows: Features, an array (items, features).
        targets: Values to predict.
        groups: Items of one group (paraphrases of one original) are never in training and in test at once.
        grid: Options to choose from, by default `svr_grid`. A grid of one only measures its error.
        folds: Number of folds.
        seed: Random seed for the folds.
        threads: Number of fits that run at once; affects only the running time.
        accept: Function that returns whether options are acceptable; called in order of rising error until it accepts
            one. If it accepts none, the options with the lowest error are returned.
        progress: Called after each fit.
    """
    options = tuple(svr_grid(rows.shape[1]) if grid is None else grid)
    if not options:
        raise OptionError("the grid of options is empty")
    fold_of = group_folds(groups, folds, seed)
    fits = [partial(fit_svr, options=each) for each in options]
    predictions = predict_unseen(fits, rows, targets, fold_of, threads=threads, progress=progress)
    errors = np.mean((predictions - targets) ** 2, axis=1).tolist()
    ranked = sorted(range(len(options)), key=lambda number: errors[number])
    best = next((number for number in ranked if accept is None or accept(options[number])), ranked[0])
    return CrossValidation(
        options[best], errors[best], predictions[best], tuple(zip(options, errors, strict=True))
    )  # fmt: skip
