"""Which way a PEM regressor answers: adequacy and fluency must push the score up, shared wording down.

One feature goes from its 5th to its 95th percentile in training while the others stay at their lower quartiles,
medians or upper quartiles. A regressor can follow its judgments and still answer the wrong way where there are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.metrics.pem.features import COMPONENTS

PERCENTILES = (5, 25, 50, 75, 95)
OTHERS = {"lower quartile": 25, "median": 50, "upper quartile": 75}
TOLERANCE = 0.05  # of the scale from 1 to 5: less is no direction

_UP = {"adequacy": 1.0, "fluency": 1.0, "dissimilarity": -1.0}


@dataclass(frozen=True, slots=True)
class ResponseCurve:
    """What the score does while one feature grows.

    Attributes:
        feature: Which one; adequacy through several pivots grows through all of them at once.
        others: Where the other features stay: a name of `OTHERS`.
        values: Of the feature, at `PERCENTILES`.
        scores: At these values.
    """

    feature: str
    others: str
    values: tuple[float, ...]
    scores: tuple[float, ...]

    @property
    def is_right(self) -> bool:
        """Whether the score nowhere goes the wrong way by more than `TOLERANCE`."""
        return self.wrong_way() is None

    def wrong_way(self) -> tuple[int, int] | None:
        """Return two places between which the score goes the wrong way the most, None if it does not."""
        towards = [_UP[self.feature] * score for score in self.scores]
        pairs = [(one, other) for one in range(len(towards)) for other in range(one + 1, len(towards))]
        one, other = max(pairs, key=lambda pair: towards[pair[0]] - towards[pair[1]])
        return (one, other) if towards[one] - towards[other] > TOLERANCE else None

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
    """Return three curves for each component, where the training features *rows* (items, features) are dense.

    Args:
        predict: Gives the score of each row.
        rows: Training features.
        names: Of their columns.
    """
    values = np.percentile(rows, PERCENTILES, axis=0)
    curves = []
    for component in COMPONENTS:
        moved = [place for place, name in enumerate(names) if name.partition(":")[0] == component]
        for others, percentile in OTHERS.items():
            points = np.repeat(np.percentile(rows, percentile, axis=0)[None, :], len(PERCENTILES), axis=0)
            points[:, moved] = values[:, moved]
            scores = predict(points)
            column = values[:, list(names).index(component)]
            curves.append(ResponseCurve(component, others, tuple(column.tolist()), tuple(scores.tolist())))
    return tuple(curves)


def readable(component: str) -> str:
    """Return what to call a component where people read it: the paper's dissimilarity is high for what is alike."""
    return "wording shared with the original (the paper's dissimilarity)" if component == "dissimilarity" else component
