"""Weights of the judge of meaning, from people's judgments and from constructed contrasts.

Two kinds of examples are needed, since neither teaches what the other does. *Judged pairs* have people's scores of how
much two sentences mean the same; they teach how much coverage is worth. *Contrasts* are people's paraphrases (1)
against the same sentences damaged (0, `paragauge.judges.damage`); they teach what single changes are worth.

Sets are joined by correlation, not by their scales: the weights of coverage maximise the mean over judged sets of
Pearson's correlation; then, with these fixed, the weights of checks maximise the mean over both kinds, contrasts
counting for a share. Nothing is random, and the number of threads changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import DataError
from paragauge.judges.meaning import LOSSES, MeaningWeights

Vector: TypeAlias = NDArray[np.float64]

CONTRAST_SHARE = 0.45  # the best of those that put damaged originals below a copy: docs/judges.md
EMPTY_AT = 0.87  # mean loss at which nothing of the meaning is left: unrelated sentences have more
_SMALL = 5e-4  # keeps weights that nothing speaks for at zero
_LARGEST = 6.0


@dataclass(frozen=True, slots=True)
class Examples:
    """One set of examples.

    Attributes:
        features: An array (pairs, features), in the order of `paragauge.judges.meaning.FEATURES`.
        targets: What people say, or 1 and 0, for each pair; any scale.
        name: For messages.
    """

    features: NDArray[np.float64]
    targets: Vector
    name: str = "examples"

    def __post_init__(self) -> None:
        if len(self.targets) < 3 or float(np.ptp(self.targets)) == 0:
            raise DataError(
                f"{self.name}: all scores are the same, or there are fewer than three; nothing to learn from"
            )

    @property
    def losses(self) -> NDArray[np.float64]:
        """The part that coverage is made of."""
        return self.features[:, : len(LOSSES)]

    @property
    def checks(self) -> NDArray[np.float64]:
        """The part that checks are made of."""
        return self.features[:, len(LOSSES) :]


def fit_meaning(
    judged: Sequence[Examples], contrasts: Sequence[Examples], *, contrast_share: float = CONTRAST_SHARE
) -> MeaningWeights:
    """Return the weights that agree best with all examples.

    Args:
        judged: Sets of pairs with people's scores.
        contrasts: Sets of paraphrases and damaged sentences; may be empty, which leaves most checks without weight.
        contrast_share: How much contrasts count for the checks, from 0 to 1.
    """
    if not judged:
        raise DataError("the judge of meaning needs at least one set of judged pairs")
    losses = _fit_losses(judged)
    sets = [(each, (1 - contrast_share) / len(judged)) for each in judged]
    sets += [(each, contrast_share / len(contrasts)) for each in contrasts]
    checks = _fit_checks(sets, losses)
    return MeaningWeights(tuple(losses.tolist()), tuple(checks.tolist()))


def _fit_losses(judged: Sequence[Examples]) -> Vector:
    def objective(weights: Vector) -> tuple[float, Vector]:
        value, slope = 0.0, np.zeros_like(weights)
        for each in judged:
            correlation, change = _correlation(-(each.losses @ weights), each.targets)
            value -= correlation / len(judged)
            slope += each.losses.T @ change / len(judged)
        # Correlation does not see the scale of weights; the penalty is one on their spread alone.
        total, squares = weights.sum(), weights @ weights
        value += 2 * _SMALL * squares / total**2
        slope += 2 * _SMALL * (2 * weights / total**2 - 2 * squares / total**3)
        return value, slope

    weights = _minimum(objective, _occurring([each.losses for each in judged]), start=0.2, largest=None)
    scaled: Vector = np.round(weights / (weights.sum() * EMPTY_AT), 4)
    return scaled


def _fit_checks(sets: Sequence[tuple[Examples, float]], losses: Vector) -> Vector:
    coverage = [np.maximum(0.0, 1 - each.losses @ losses) for each, _ in sets]

    def objective(weights: Vector) -> tuple[float, Vector]:
        value, slope = _SMALL * (weights @ weights), 2 * _SMALL * weights
        for (each, share), covered in zip(sets, coverage, strict=True):
            meaning = covered * np.exp(-(each.checks @ weights))
            correlation, change = _correlation(meaning, each.targets)
            value -= share * correlation
            slope = slope + share * (each.checks.T @ (change * meaning))
        return float(value), slope

    return _minimum(objective, _occurring([each.checks for each, _ in sets]), start=0.5, largest=_LARGEST)


def _correlation(values: Vector, targets: Vector) -> tuple[float, Vector]:
    """Return Pearson's correlation and its derivative by the values."""
    wanted = (targets - targets.mean()) / targets.std()
    centred = values - values.mean()
    spread = centred.std()
    if not spread > 0:
        return 0.0, np.zeros_like(values)
    count = len(values)
    correlation = float(centred @ wanted / (count * spread))
    return correlation, (wanted - correlation * centred / spread) / (count * spread)


def _occurring(features: Sequence[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Return which features any example has; the others get no weight."""
    found: NDArray[np.bool_] = np.any([(each != 0).any(axis=0) for each in features], axis=0)
    return found


def _minimum(
    objective: Callable[[Vector], tuple[float, Vector]],
    occurs: NDArray[np.bool_],
    *,
    start: float,
    largest: float | None,
) -> Vector:
    from scipy.optimize import minimize

    found = minimize(
        objective, np.where(occurs, start, 0.0), jac=True, bounds=[(0.0, largest if each else 0.0) for each in occurs],
        method="L-BFGS-B", options={"maxiter": 1000},
    )  # fmt: skip
    # Rounded: the last digits are those of the machine's arithmetic.
    rounded: Vector = np.round(found.x, 4)
    return rounded
