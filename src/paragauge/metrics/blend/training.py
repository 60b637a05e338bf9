"""Learning a blend: the regressor, and how well it does on sentences and on data sets that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judged_texts import JudgedItems
from paragauge.errors import DataError
from paragauge.learn.regression import fit_monotone, fit_ridge
from paragauge.learn.svr import SvrOptions, fit_svr, svr_grid
from paragauge.learn.validation import (
    Fit,
    Matrix,
    UnseenSet,
    agreement,
    check_examples,
    group_folds,
    learning_curve,
    predict_unseen,
    spearman,
    unseen_sets,
    varies,
)
from paragauge.metrics.base import SentenceMetric
from paragauge.metrics.blend.choices import RegressorName
from paragauge.metrics.blend.features import Feature
from paragauge.metrics.blend.model import BlendModel, Regressor, metrics_of
from paragauge.progress import Progress

PENALTIES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
CURVE = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


@dataclass(frozen=True, slots=True)
class SetFigures(UnseenSet):
    """How well a blend does on one set of judgments.

    Attributes:
        alone: Pearson's correlation of each feature, turned round where less is better.
    """

    alone: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LearningReport:
    """How well a blend does on what it was not trained on.

    Attributes:
        items: How many candidates were judged.
        groups: How many source sentences these have.
        regressor: Kind of regressor.
        chosen: Its options, as text.
        tried: Mean correlation on unseen data of all options, in the order of the grid.
        sets: Figures for each set.
        spearman: Mean over sets of Spearman's correlation on unseen source sentences.
        without: Mean over sets of Pearson's correlation on unseen source sentences without one of the metrics.
        curve: Pearson's correlation on unseen source sentences by the number of judged texts learned from.
    """

    items: int
    groups: int
    regressor: str
    chosen: str
    tried: tuple[tuple[str, float], ...]
    sets: tuple[SetFigures, ...]
    spearman: float
    without: Mapping[str, float]
    curve: tuple[tuple[int, float], ...]

    @property
    def folds(self) -> float:
        """Mean over sets of Pearson's correlation on unseen source sentences."""
        return float(np.mean([each.folds for each in self.sets]))


def learn_blend(
    features: Sequence[Feature],
    rows: Matrix,
    items: JudgedItems,
    *,
    regressor: RegressorName = "ridge",
    penalty: float | None = None,
    folds: int = 5,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[BlendModel, LearningReport]:
    """Return a blend, and how well it does on unseen data.

    The regressor's options are those with the best mean correlation on sets left out of training in turn or, with one
    set only, on source sentences left out.

    Args:
        features: What the columns of *rows* are.
        rows: Features of the judged texts, an array (items, features).
        items: The judged texts.
        regressor: Kind of regressor.
        penalty: Of large weights, for ridge and monotone, instead of a choice.
        folds: Number of folds of source sentences.
        seed: Of the folds.
        threads: All cores if None; the blend is the same for any number.
        progress: Told of each step.

    Raises:
        DataError: There are fewer source sentences than folds, features that are not finite or do not vary, or the
            regressor finds nothing in the features that agrees with the judgments.
    """
    rows, targets = check_examples(rows, items.targets)
    _check_features(features, rows)
    fold_of = group_folds(items.groups, folds, seed)
    names = list(dict.fromkeys(items.sets))
    set_of = np.array([names.index(name) for name in items.sets])
    options = _grid(regressor, features) if penalty is None else [_option(regressor, features, penalty)]
    by = set_of if len(names) > 1 else fold_of
    predictions = predict_unseen([option.fit for option in options], rows, targets, by, threads=threads)
    tried = [float(np.mean(_by_set(agreement, values, targets, set_of))) for values in predictions]
    best = int(np.argmax(tried))
    chosen = options[best]
    fitted: Any = chosen.fit(rows, targets)
    made: Regressor = fitted
    _check_regressor(made, rows, regressor)
    unseen = predict_unseen([chosen.fit], rows, targets, fold_of, threads=threads, progress=progress)[0]
    without = {}
    metrics = metrics_of(features)
    for number, metric in enumerate(metrics if len(metrics) > 1 else (), start=1):
        kept = [place for place, feature in enumerate(features) if feature.metric != metric]
        fit = _option(regressor, [features[place] for place in kept], chosen.values).fit
        guess = predict_unseen([fit], rows[:, kept], targets, fold_of, threads=threads)[0]
        without[str(metric)] = float(np.mean(_by_set(agreement, guess, targets, set_of)))
        if progress is not None:
            progress(number, len(metrics), "what each metric adds")
    figures = unseen_sets(targets, items.sets, unseen, predictions[best] if len(names) > 1 else None)
    found = LearningReport(
        items=len(items),
        groups=len(set(items.groups)),
        regressor=regressor,
        chosen=chosen.text,
        tried=tuple(zip((option.text for option in options), tried, strict=True)),
        sets=tuple(
            SetFigures(
                each.name,
                each.items,
                each.folds,
                each.left_out,
                _alone(features, rows[set_of == place], targets[set_of == place]),
            )
            for place, each in enumerate(figures)
        ),
        spearman=float(np.mean(_by_set(partial(agreement, measure=spearman), unseen, targets, set_of))),
        without=without,
        curve=tuple(learning_curve(chosen.fit, rows, targets, fold_of, CURVE, seed)),
    )
    mean, scale = next(iter(items.scales.values())) if len(names) == 1 else (0.0, 1.0)
    return BlendModel(tuple(features), made, rows.mean(axis=0), mean, scale), found


@dataclass(frozen=True, slots=True)
class _Option:
    """Options of a regressor, and a fit with them."""

    text: str
    values: float | SvrOptions
    fit: Fit


def _grid(regressor: RegressorName, features: Sequence[Feature]) -> list[_Option]:
    values: Sequence[float | SvrOptions] = svr_grid(len(features)) if regressor == "svr" else PENALTIES
    return [_option(regressor, features, value) for value in values]


def _option(regressor: RegressorName, features: Sequence[Feature], values: float | SvrOptions) -> _Option:
    if isinstance(values, SvrOptions):
        text = f"C {values.c:g}, gamma {values.gamma:.3g}, epsilon {values.epsilon:g}"
        return _Option(text, values, partial(fit_svr, options=values))
    if regressor == "monotone":
        signs = [feature.sign for feature in features]
        return _Option(f"penalty {values:g}", values, partial(fit_monotone, penalty=values, signs=signs))
    return _Option(f"penalty {values:g}", values, partial(fit_ridge, penalty=values))


def _check_features(features: Sequence[Feature], rows: Matrix) -> None:
    """Refuse features that are the same for all judged texts: the card would promise what they cannot give."""
    same = np.flatnonzero(~varies(rows)).tolist()
    if same:
        found = ", ".join(f"{features[place]} ({rows[0, place]:g})" for place in same)
        raise DataError(
            f"the same value for all {len(rows):,} judged texts: {found}; nothing can be learned from a metric that "
            "does not vary: leave it out, or check the texts"
        )


def _check_regressor(made: Regressor, rows: Matrix, name: RegressorName) -> None:
    """Refuse a regressor that predicts the same for all texts."""
    if np.ptp(made.predict(rows)) == 0:
        hint = "; try --regressor ridge, which may count a metric negatively" if name == "monotone" else ""
        raise DataError(
            "the learned metric gives all judged texts the same score, since none of its metrics agrees with the "
            f"judgments: check that higher scores are better{hint}"
        )


def _by_set(
    measure: Callable[[Matrix, Matrix], float], values: Matrix, targets: Matrix, set_of: NDArray[np.int64]
) -> list[float]:
    return [measure(values[set_of == place], targets[set_of == place]) for place in range(int(set_of.max()) + 1)]


def _alone(features: Sequence[Feature], rows: Matrix, targets: Matrix) -> dict[str, float]:
    signs = [-1 if feature.sign < 0 else 1 for feature in features]
    return {
        str(feature): sign * agreement(column, targets)
        for feature, sign, column in zip(features, signs, rows.T, strict=True)
    }


def importance(model: BlendModel, rows: Matrix) -> dict[SentenceMetric, float]:
    """Return by how much the score moves, in standard deviations, with each metric's features in *rows*."""
    found = {}
    for metric in metrics_of(model.features):
        held = rows.copy()
        mine = [place for place, feature in enumerate(model.features) if feature.metric == metric]
        held[:, mine] = model.typical[mine]
        found[metric] = float((model.regressor.predict(rows) - model.regressor.predict(held)).std())
    return found
