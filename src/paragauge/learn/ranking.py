"""Weights that rank candidates as a metric does: pairwise ranking by logistic regression.

PRO (Hopkins & May, 2011): pairs of candidates for the same sentence are sampled; those whose scores differ most are
kept; and a linear classifier learns from the difference of their features which of the two is better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 10  # of weights, after the point: the last ones are those of the machine's arithmetic


def sample_pairs(
    scores: NDArray[np.float64], rng: np.random.Generator, *, samples: int, keep: int, least: float
) -> NDArray[np.int64]:
    """Return pairs of candidates of one sentence, the better one first: those of a sample that differ most.

    Args:
        scores: Score of each candidate; higher is better.
        rng: Random numbers.
        samples: Number of pairs drawn.
        keep: Maximum number of pairs returned.
        least: Pairs whose scores differ by less are left out.
    """
    import numpy as np

    drawn = rng.integers(0, len(scores), size=(samples, 2)) if len(scores) else np.zeros((0, 2), np.int64)
    drawn = np.unique(drawn, axis=0)
    differences = scores[drawn[:, 0]] - scores[drawn[:, 1]]
    drawn, differences = drawn[differences > 0], differences[differences > 0]
    chosen = np.flatnonzero(differences >= least)
    order = chosen[np.argsort(-differences[chosen], kind="stable")][:keep]
    return drawn[order]


def fit_ranking(differences: NDArray[np.float64], *, strength: float = 1.0) -> NDArray[np.float64]:
    """Return the weights w that minimise the sum of ln(1 + exp(-w * d)) over *differences*, with a penalty.

    Args:
        differences: Features of the better candidate minus those of the worse one, for each pair.
        strength: Weight of the penalty, half the squared norm of w in units of the standard deviations of features.

    Raises:
        OptionError: There are no pairs.
    """
    import numpy as np
    from scipy.optimize import minimize

    if not len(differences):
        raise OptionError("no two candidates differ enough in their scores to learn from")
    scale = np.sqrt((differences**2).mean(axis=0))
    scale[scale == 0] = 1.0
    rows = differences / scale

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = rows @ weights
        value = float(np.logaddexp(0, -margins).sum() + strength / 2 * weights @ weights)
        slope = -rows.T @ np.exp(-np.logaddexp(0, margins)) + strength * weights
        return value, slope

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights: NDArray[np.float64] = np.round(found.x / scale, DIGITS)
    return weights
