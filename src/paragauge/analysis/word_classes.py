"""Classes of words that are near each other as vectors, so that a model can go on from words it knows to others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIZES = (63, 255, 1000)
"""Numbers of classes, from coarse to fine."""
_ROUNDS = 15


def word_classes(
    vectors: NDArray[np.float32], counts: NDArray[np.int64], sizes: tuple[int, ...] = SIZES, *, seed: int = 1
) -> NDArray[np.int32]:
    """Return the class of each vector, from 1, in one column for each of *sizes*: k-means by cosine.

    A word counts by the square root of its *counts*: frequent ones decide more, but not all.

    >>> turns = np.array([0.0, 0.1, 1.5, 1.6])
    >>> found = word_classes(np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32), np.ones(4, int), (2,))
    >>> bool(found[0] == found[1] != found[2] == found[3])
    True
    """
    chance = np.random.default_rng(seed)
    weights = np.sqrt(np.maximum(counts, 1).astype(np.float32))
    columns = []
    for size in sizes:
        size = min(size, len(vectors))
        centres = vectors[np.sort(chance.choice(len(vectors), size, replace=False, p=weights / weights.sum()))]
        for _ in range(_ROUNDS):
            nearest = (vectors @ centres.T).argmax(axis=1)
            centres = np.zeros_like(centres)
            np.add.at(centres, nearest, vectors * weights[:, None])
            centres /= np.linalg.norm(centres, axis=1, keepdims=True) + np.float32(1e-9)
        columns.append((vectors @ centres.T).argmax(axis=1) + 1)
    return np.column_stack(columns).astype(np.int32)
