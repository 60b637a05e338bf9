"""Which features does a learned metric need? A regressor is trained without each feature in turn, and with one alone.

Every score is a prediction for a group (the paraphrases of one original) that the regressor has not seen in training.
Its options are the same for all sets of features and are not chosen on the data, so that no set has an advantage.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paragauge.learn.svr import SvrOptions, fit_svr
from paragauge.learn.validation import group_folds, predict_unseen
from paragauge.meta.choices import Method
from paragauge.meta.correlation import correlate, resampled_correlations
from paragauge.meta.significance import centred_p_value, percentile_interval, resample_weights
from paragauge.metrics.base import Interval
from paragauge.progress import Counter, Progress

ALL = "all features"
_C, _GAMMA, _EPSILON = 1.0, 0.1, 0.2  # gamma is divided by the number of features, as distances grow with it


@dataclass(frozen=True, slots=True)
class Ablation:
    """How well a regressor with some of the features agrees with people.

    Attributes:
        features: ``all features``, ``without X`` or ``only X``.
        used: Number of features used.
        value: Correlation over unseen candidates.
        system_value: Correlation of means by system; NaN if there are fewer than two systems.
        difference: *value* minus that with all features; ``None`` for all features.
        interval: Percentiles of the difference over resampled groups.
        p_value: Two-sided p-value of the difference from the same resamples, centred on zero.
    """

    features: str
    used: int
    value: float
    system_value: float
    difference: float | None = None
    interval: Interval | None = None
    p_value: float | None = None


def leave_features_out(
    columns: Mapping[str, NDArray[np.float64]],
    targets: NDArray[np.float64],
    groups: Sequence[Hashable],
    systems: Sequence[str],
    *,
    kinds: Mapping[str, Sequence[str]],
    method: Method = "pearson",
    folds: int = 5,
    resamples: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Ablation]:
    """Return the agreement with people with all features, without each kind of them, and with each kind alone.

    Args:
        columns: Values of each feature, one for each candidate.
        targets: Human scores.
        groups: Group of each candidate; a group is never trained and tested on at once.
        systems: System of each candidate.
        kinds: Features that are left out together, by name.
        method: Correlation coefficient.
        folds: Number of folds of cross-validation.
        resamples: Number of bootstrap resamples of groups; 0 for none.
        seed: Seed for folds and resamples.
        threads: Number of fits that run at once; affects only the running time.
        progress: Called with the number of fits done.
    """
    sets = {ALL: list(columns)}
    sets |= {f"without {kind}": [name for name in columns if name not in left] for kind, left in kinds.items()}
    if len(kinds) > 1:
        sets |= {f"only {kind}": list(chosen) for kind, chosen in kinds.items()}
    sets = {name: chosen for name, chosen in sets.items() if chosen}
    fold_of = group_folds(groups, folds, seed)
    counter = Counter(progress, len(sets), "sets of features")
    units = np.unique(np.array([str(group) for group in groups]), return_inverse=True)[1]
    weights = list(resample_weights(int(units.max()) + 1, resamples, seed)) if resamples else []
    found: list[Ablation] = []
    whole: tuple[float, NDArray[np.float64]] | None = None
    for name, chosen in sets.items():
        counter.now(name)
        rows = np.column_stack([columns[feature] for feature in chosen])
        fit = partial(fit_svr, options=SvrOptions(c=_C, gamma=_GAMMA / len(chosen), epsilon=_EPSILON))
        (scores,) = predict_unseen([fit], rows, targets, fold_of, threads=threads)
        value = correlate(scores, targets, method)
        drawn = [resampled_correlations(scores, targets, units, block, method) for block in weights]
        draws = np.concatenate(drawn) if drawn else np.empty(0)
        of_systems = _of_systems(scores, targets, systems, method)
        if whole is None:
            whole = value, draws
            found.append(Ablation(name, len(chosen), value, of_systems))
        else:
            gaps = draws - whole[1]
            gaps = gaps[~np.isnan(gaps)]
            found.append(
                Ablation(
                    name,
                    len(chosen),
                    value,
                    of_systems,
                    value - whole[0],
                    percentile_interval(gaps) if len(gaps) else None,
                    centred_p_value(gaps, value - whole[0]) if len(gaps) else None,
                )
            )
        counter.advance()
    return found


def _of_systems(
    scores: NDArray[np.float64], targets: NDArray[np.float64], systems: Sequence[str], method: Method
) -> float:
    _, of = np.unique(np.array(systems), return_inverse=True)
    counts = np.bincount(of)
    return correlate(np.bincount(of, scores) / counts, np.bincount(of, targets) / counts, method)
