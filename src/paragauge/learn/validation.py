"""How well a regressor does on what it has not seen: folds by group, one data set left out, learning curves.

Everything here takes a *fit*: a function that makes a regressor of rows of features and their targets. PEM, the judges
of pem+, blends and anything else that learns from judgments are validated by the same code, whatever the regressor.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import DataError
from paragauge.progress import Progress
from paragauge.threads import thread_count

Matrix: TypeAlias = NDArray[np.float64]


class Predictor(Protocol):
    """What a fit returns."""

    def predict(self, rows: Matrix, *, threads: int | None = None) -> Matrix:
        """Return the value of each row."""
        ...


Fit: TypeAlias = Callable[[Matrix, Matrix], Predictor]


def check_examples(rows: Matrix, targets: Matrix) -> tuple[Matrix, Matrix]:
    """Return both as arrays of 64-bit numbers.

    Raises:
        DataError: There are fewer than two items, or numbers that are not finite.
    """
    rows, targets = np.asarray(rows, dtype=np.float64), np.asarray(targets, dtype=np.float64)
    if len(rows) != len(targets) or len(rows) < 2:
        raise DataError(f"a regressor needs at least two items with a target each; found {len(rows)}, {len(targets)}")
    if not (np.isfinite(rows).all() and np.isfinite(targets).all()):
        raise DataError("features and targets must be finite numbers")
    return rows, targets


def standard_scale(rows: Matrix) -> tuple[Matrix, Matrix]:
    """Return the mean and the standard deviation of each feature, 1 for a feature that does not vary."""
    return rows.mean(axis=0), np.where(varies(rows), rows.std(axis=0), 1.0)


def varies(rows: Matrix) -> NDArray[np.bool_]:
    """Return whether each feature has more than one value, apart from rounding.

    >>> varies(np.array([[1.0, 0.3], [2.0, 0.3]])).tolist()
    [True, False]
    """
    more: NDArray[np.bool_] = rows.std(axis=0) > 1e-12 * np.maximum(1.0, np.abs(rows.mean(axis=0)))
    return more


def group_folds(groups: Sequence[Hashable], folds: int, seed: int) -> NDArray[np.int64]:
    """Return the fold of each item, so that each group is in one fold and folds are about equally large.

    >>> group_folds(["a", "a", "b", "c"], 2, seed=1).tolist()
    [0, 0, 1, 1]
    """
    counts: dict[Hashable, int] = {}
    for group in groups:
        counts[group] = counts.get(group, 0) + 1
    if not 2 <= folds <= len(counts):
        raise DataError(
            f"cross-validation in {folds} folds needs at least as many groups (originals); found {len(counts)}"
        )
    names = list(counts)
    shuffled = np.random.default_rng(seed).permutation(len(names)).tolist()
    # Large groups first, each into the smallest fold; groups of the same size come in random order.
    order = sorted(shuffled, key=lambda number: -counts[names[number]])
    loads = [0] * folds
    fold_of: dict[Hashable, int] = {}
    for number in order:
        fold = loads.index(min(loads))
        fold_of[names[number]] = fold
        loads[fold] += counts[names[number]]
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def predict_unseen(
    fits: Sequence[Fit],
    rows: Matrix,
    targets: Matrix,
    fold_of: NDArray[np.int64],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Matrix:
    """Return what each fit, trained without an item's fold, predicts for the item: an array (fits, items)."""
    predictions = np.zeros((len(fits), len(rows)))
    tasks = list(product(range(len(fits)), np.unique(fold_of).tolist()))

    def predicted(task: tuple[int, int]) -> Matrix:
        number, fold = task
        seen = fold_of != fold
        return fits[number](rows[seen], targets[seen]).predict(rows[~seen], threads=1)

    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for done, ((number, fold), values) in enumerate(zip(tasks, pool.map(predicted, tasks), strict=True), start=1):
            predictions[number, fold_of == fold] = values
            if progress is not None:
                progress(done, len(tasks), "cross-validation")
    return predictions


@dataclass(frozen=True, slots=True)
class UnseenSet:
    """How well a regressor does on what it has not seen of one data set.

    Attributes:
        name: Name of the set.
        items: How many items it has.
        folds: Pearson's correlation on groups (source sentences) left out of training in turn.
        left_out: The same if the whole set is left out; ``None`` if there is no other.
    """

    name: str
    items: int
    folds: float
    left_out: float | None


def unseen_sets(targets: Matrix, sets: Sequence[str], in_folds: Matrix, left_out: Matrix | None) -> list[UnseenSet]:
    """Return the figures of each set, in order of appearance.

    Args:
        targets: What people say.
        sets: The set that each item belongs to.
        in_folds: Predictions without the item's fold (`predict_unseen`).
        left_out: Predictions without the item's set; ``None`` if there is only one.
    """
    named = np.array(sets)
    found = []
    for name in dict.fromkeys(sets):
        mine = named == name
        whole = None if left_out is None else agreement(left_out[mine], targets[mine])
        found.append(UnseenSet(name, int(mine.sum()), agreement(in_folds[mine], targets[mine]), whole))
    return found


def agreement(values: Matrix, targets: Matrix, measure: Callable[[Matrix, Matrix], float] | None = None) -> float:
    """Return the correlation with *targets*, which vary; 0 for values that do not, since they tell nothing apart."""
    return (measure or pearson)(values, targets) if np.ptp(values) > 0 else 0.0


def learning_curve(
    fit: Fit, rows: Matrix, targets: Matrix, fold_of: NDArray[np.int64], sizes: Sequence[int], seed: int
) -> list[tuple[int, float]]:
    """Return Pearson's correlation on unseen items for regressors that are trained on fewer items.

    Each size draws its items at random from the other folds; the sizes that no fold can provide are left out.
    """
    chance = np.random.default_rng(seed)
    least = min(int((fold_of != fold).sum()) for fold in np.unique(fold_of))
    curve = []
    for size in (each for each in sizes if each <= least):
        predictions = np.zeros(len(rows))
        for fold in np.unique(fold_of).tolist():
            seen = chance.permutation(np.flatnonzero(fold_of != fold))[:size]
            predictions[fold_of == fold] = fit(rows[seen], targets[seen]).predict(rows[fold_of == fold], threads=1)
        curve.append((size, pearson(predictions, targets)))
    return curve


def pearson(one: Matrix, other: Matrix) -> float:
    """Return Pearson's correlation, not a number if one side does not vary."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def spearman(one: Matrix, other: Matrix) -> float:
    """Return Spearman's correlation, not a number if one side does not vary."""
    from scipy.stats import rankdata

    return pearson(rankdata(one), rankdata(other))
