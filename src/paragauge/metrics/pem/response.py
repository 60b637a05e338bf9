"""Which way a PEM regressor answers: adequacy and fluency must push the score up, shared wording down.

One feature goes from its 5th to its 95th percentile in training while the others stay at their lower quartiles,
medians or upper quartiles. Only points count that have training items near them: no candidate shares all of its words
with the original and lacks its meaning, and what a regressor would say of one does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from paragauge.metrics.pem.features import COMPONENTS

PERCENTILES = (5, 25, 50, 75, 95)
OTHERS = {"lower quartile": 25, "median": 50, "upper quartile": 75}
TOLERANCE = 0.05  # of the scale from 1 to 5: less is no direction
NEAR = 0.5  # standard deviations
DENSE = 0.01  # of all training items, at least so many near a point

_UP = {"adequacy": 1.0, "fluency": 1.0, "dissimilarity": -1.0}


@dataclass(frozen=True, slots=True)
class ResponseCurve:
    """What the score does while one feature grows.

    Attributes:
        feature: Which one; adequacy through several pivots grows through all of them at once.
        others: Where the other features stay: a name of `OTHERS`.
        values: Of the feature, at `PERCENTILES`.
        scores: At these values.
        dense: Whether training items lie near each of these points.
    """

    feature: str
    others: str
    values: tuple[float, ...]
    scores: tuple[float, ...]
    dense: tuple[bool, ...]

    @property
    def is_right(self) -> bool:
        """Whether the score goes the wrong way by more than `TOLERANCE` nowhere between dense points."""
        return self.wrong_way() is None

    def wrong_way(self) -> tuple[int, int] | None:
        """Return two places between which the score goes the wrong way the most, None if it does not."""
        towards = [_UP[self.feature] * score for score in self.scores]
        places = [place for place, dense in enumerate(self.dense) if dense]
        falls = [(towards[one] - towards[other], one, other) for one, other in combinations(places, 2)]
        if not falls:
            return None
        fall, one, other = max(falls)
        return (one, other) if fall > TOLERANCE else None

    def complaint(self) -> str | None:
        """Return what is wrong, for people; None for a curve that is right."""
        found = self.wrong_way()
        if found is None:
            return None
        one, other = found
        wrong = "falls" if _UP[self.feature] > 0 else "rises"
        return (
            f"the score {wrong} from {self.scores[one]:.2f} to {self.scores[other]:.2f} while {readable(self.feature)} "
            f"grows from {self.values[one]:.2f} to {self.values[other]:.2f}, other features at their {self.others}"
        )


def response_curves(
    predict: Callable[[NDArray[np.float64]], NDArray[np.float64]], rows: NDArray[np.float64], names: Sequence[str]
) -> tuple[ResponseCurve, ...]:
    """Return three curves for each component through the training features *rows* (items, features).

    Args:
        predict: Gives the score of each row.
        rows: Training features.
        names: Of their columns.
    """
    values = np.percentile(rows, PERCENTILES, axis=0)
    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    curves = []
    for component in COMPONENTS:
        moved = [place for place, name in enumerate(names) if name.partition(":")[0] == component]
        for others, percentile in OTHERS.items():
            points = np.repeat(np.percentile(rows, percentile, axis=0)[None, :], len(PERCENTILES), axis=0)
            points[:, moved] = values[:, moved]
            scores = predict(points)
            column = values[:, list(names).index(component)]
            near = [np.linalg.norm((rows - point) / scale, axis=1) <= NEAR for point in points]
            dense = tuple(bool(each.mean() >= DENSE) for each in near)
            curves.append(ResponseCurve(component, others, tuple(column.tolist()), tuple(scores.tolist()), dense))
    return tuple(curves)


def readable(component: str) -> str:
    """Return what to call a component where people read it: the paper's dissimilarity is high for what is alike."""
    return "wording shared with the original (the paper's dissimilarity)" if component == "dissimilarity" else component
