"""Alignments of many sentence pairs, stored compactly in memory and read as `Alignment` values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, overload

from paragauge.align.alignment import Alignment
from paragauge.storage.links import Link

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.align.encode import Windows


@dataclass(frozen=True, slots=True)
class AlignedText(Sequence[Alignment]):
    """Alignments of many sentence pairs, with the score of each link and of each pair.

    ``aligned[i]`` is the `Alignment` of pair i. It is created on demand: a million pairs take megabytes, not
    gigabytes.

    Attributes:
        starts: The links of pair i are ``links[starts[i]:starts[i + 1]]``.
        links: Source and target positions, of shape (links, 2).
        scores: Score of each link, 0 to 1: the product of its two directional posteriors, or its probability.
        logp: Natural logarithms of p(target | source) and p(source | target), of shape (pairs, 2); empty if the links
            do not come from such a model.
        cut: Number of sentence pairs that were too long and were aligned in windows.
    """

    starts: NDArray[np.int64]
    links: NDArray[np.int32]
    scores: NDArray[np.float32]
    logp: NDArray[np.float64]
    cut: int = 0

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> Alignment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Alignment]: ...
    def __getitem__(self, index: int | slice) -> Alignment | list[Alignment]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        return Alignment(frozenset(map(tuple, self.links[self.starts[i] : self.starts[i + 1]].tolist())))

    def __iter__(self) -> Iterator[Alignment]:
        links = self.links
        starts = self.starts.tolist()
        for begin, end in pairwise(starts):
            yield Alignment(frozenset(map(tuple, links[begin:end].tolist())))

    def link_scores(self, index: int) -> dict[Link, float]:
        """Return the score of each link of one sentence pair."""
        i = range(len(self))[index]
        span = slice(self.starts[i], self.starts[i + 1])
        links = map(tuple, self.links[span].tolist())
        return dict(zip(links, self.scores[span].tolist(), strict=True))


def join_windows(
    cut: Windows,
    starts: NDArray[np.int64],
    links: NDArray[np.int32],
    scores: NDArray[np.float32],
    logp: NDArray[np.float64],
) -> AlignedText:
    """Return the links of whole sentence pairs, joined from those of their pieces."""
    import numpy as np

    if not cut.cut:
        return AlignedText(starts, links, scores, logp)
    pair_of = np.repeat(np.arange(len(cut.first) - 1), np.diff(cut.first))  # for each piece
    counts = np.diff(starts)
    moved = links.copy()
    for side, offsets in enumerate((cut.source_offsets, cut.target_offsets)):
        shift = offsets[:-1] - offsets[cut.first[:-1]][pair_of]
        moved[:, side] += np.repeat(shift, counts).astype(np.int32)
    total = np.zeros((len(cut.first) - 1, 2))
    np.add.at(total, pair_of, logp)
    return AlignedText(starts[cut.first], moved, scores, total, cut.cut)
