"""Wins and losses by segment, and clusters of systems that differ significantly.

Clusters follow the WMT evaluation campaigns: systems are ordered by score, and a line is drawn between two neighbours
if every system above it is significantly better than every system below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.meta.choices import SIGNIFICANT
from paragauge.meta.significance import percentile_interval, resample_weights
from paragauge.metrics.base import Interval

_TIE = 1e-12  # differences this small come from rounding


@dataclass(frozen=True, slots=True)
class Wins:
    """On how many segments a system is better than its baseline.

    Attributes:
        net: Wins minus losses, as a share of all segments.
        interval: Bootstrap interval of `net`; ``None`` without resampling.
    """

    wins: int
    ties: int
    losses: int
    net: float
    interval: Interval | None


def count_wins(gains: NDArray[np.float64], *, resamples: int, seed: int) -> Wins:
    """Return the wins and losses in *gains*, one per segment, positive where the system is better.

    Undefined gains are ties.
    """
    signs = np.where(np.abs(gains) > _TIE, np.sign(np.nan_to_num(gains)), 0.0)
    wins, losses = int((signs > 0).sum()), int((signs < 0).sum())
    count = len(signs)
    interval = None
    if resamples and count:
        values = np.concatenate([weights @ signs for weights in resample_weights(count, resamples, seed)]) / count
        interval = percentile_interval(values)
    return Wins(wins, count - wins - losses, losses, (wins - losses) / max(count, 1), interval)


def significance_clusters(
    order: Sequence[str], p_values: Mapping[frozenset[str], float], *, level: float = SIGNIFICANT
) -> list[list[str]]:
    """Return the systems in *order*, best first, in clusters.

    Args:
        order: Systems, best first.
        p_values: P-value of the difference between any two systems.
        level: Differences with a smaller p-value are significant.

    >>> p = {frozenset("ab"): 0.3, frozenset("ac"): 0.01, frozenset("bc"): 0.02}
    >>> significance_clusters("abc", p)
    [['a', 'b'], ['c']]
    """
    clusters: list[list[str]] = [[]]
    for place, system in enumerate(order):
        if place and all(
            p_values[frozenset((above, below))] < level for above in order[:place] for below in order[place:]
        ):
            clusters.append([])
        clusters[-1].append(system)
    return clusters
