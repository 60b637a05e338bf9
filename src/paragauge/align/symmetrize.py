"""Symmetrisation: two directed alignments merged into one (Och and Ney, 2003; Koehn, Och and Marcu, 2003).

``intersection`` and ``union`` are the set operations. ``grow-diag`` starts from the intersection and adds links of
the union that neighbour existing links, also diagonally, as long as one of the two words is unaligned. ``-final``
then adds links of the directed alignments with at least one unaligned word, ``-final-and`` those with two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from paragauge.align.alignment import Alignment
from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import unknown_name
from paragauge.storage.links import check_links

SYMMETRIZATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


def symmetrize(forward: Alignment, backward: Alignment, method: str = "grow-diag-final-and") -> Alignment:
    """Return one alignment from two, both given as (source, target) links.

    >>> forward, backward = Alignment.from_pharaoh("0-0 1-1 1-2"), Alignment.from_pharaoh("0-0 1-1 3-3")
    >>> symmetrize(forward, backward, "grow-diag").to_pharaoh()
    '0-0 1-1 1-2'
    """
    return symmetrize_all([forward], [backward], method)[0]


def symmetrize_all(
    forward: Sequence[Alignment],
    backward: Sequence[Alignment],
    method: str = "grow-diag-final-and",
    *,
    lengths: Sequence[tuple[int, int]] | None = None,
) -> list[Alignment]:
    """Return one alignment for each pair of directed ones.

    Args:
        forward: Links of the first direction, as (source, target) positions.
        backward: Links of the other direction, also as (source, target) positions.
        method: One of `SYMMETRIZATIONS`.
        lengths: Source and target length of each sentence pair, to check the links against.
    """
    import numpy as np

    from paragauge import _core

    if method not in SYMMETRIZATIONS:
        raise unknown_name("symmetrisation", method, SYMMETRIZATIONS)
    if len(forward) != len(backward):
        raise unequal_lengths("forward", len(forward), "backward", len(backward))
    if lengths is None:
        lengths = [_extent(f, b) for f, b in zip(forward, backward, strict=True)]
    for f, b, (source_length, target_length) in zip(forward, backward, lengths, strict=True):
        check_links(sorted(f.links | b.links), source_length, target_length)

    def flat(alignments: Sequence[Alignment]) -> tuple[np.ndarray, np.ndarray]:
        starts = np.cumsum([0, *map(len, alignments)], dtype=np.int64)
        return np.array([x for a in alignments for link in a for x in link], dtype=np.int32), starts

    sizes = np.array(lengths, dtype=np.int32).reshape(-1)
    starts, links = _core.symmetrize_links(sizes, flat(forward), flat(backward), method)
    pairs = [tuple(link) for link in links.tolist()]
    return [Alignment(frozenset(pairs[a:b])) for a, b in pairwise(starts.tolist())]


def _extent(*alignments: Alignment) -> tuple[int, int]:
    links = [link for alignment in alignments for link in alignment.links]
    return max((i for i, _ in links), default=-1) + 1, max((j for _, j in links), default=-1) + 1
