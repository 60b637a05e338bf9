"""Trees as the flat arrays that the rule extractor takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from paragauge.analysis.tree import Tree, category
from paragauge.errors import DataError
from paragauge.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TreeArrays = tuple["NDArray[np.int32]", "NDArray[np.int64]"]


class TreeEncoder:
    """Numbers labels, and checks that every tree matches its sentence."""

    def __init__(self, trees: Iterable[Tree], name: str, done: int = 0) -> None:
        self._trees: Iterator[Tree] = iter(trees)
        self._name = name
        self._done = done
        self.labels = Vocabulary()

    def encode(self, lengths: Sequence[int], kept: Sequence[bool] | None = None) -> TreeArrays:
        """Return the nodes of the next trees (first word, one past the last, label), and the offsets of trees.

        *lengths* are those of the sentences that were *kept* (by default all); the trees of others are passed over.
        Function tags and indices are removed: ``NP-SBJ-1`` becomes ``NP``. A tree without words means that the sentence
        was not parsed; it labels nothing.

        Raises:
            DataError: There are fewer trees than sentences, or a tree differs from its sentence in length.
        """
        import numpy as np

        nodes: list[int] = []
        offsets = [0]
        of_kept = iter(lengths)
        wanted = kept if kept is not None else [True] * len(lengths)
        for is_kept, tree in zip(wanted, islice(self._trees, len(wanted)), strict=False):
            self._done += 1
            if not is_kept:
                continue
            length = next(of_kept)
            if tree.words and len(tree.words) != length:
                raise DataError(
                    f"{self._name}: tree {self._done} has {len(tree.words)} words, its sentence has {length}; trees "
                    "must have the same tokens as the sentences"
                )
            for span in tree.spans:
                nodes += (span.begin, span.end, self.labels[_clean(category(span.label))])
            for place, tag in enumerate(tree.tags):
                nodes += (place, place + 1, self.labels[_clean(tag)])
            offsets.append(len(nodes) // 3)
        if len(offsets) <= len(lengths):
            raise DataError(f"{self._name}: found {self._done:,} trees, fewer than there are sentences")
        return np.array(nodes, dtype=np.int32), np.array(offsets, dtype=np.int64)

    def finish(self) -> None:
        """Raise a `DataError` if there are more trees than sentences."""
        more = sum(1 for _ in self._trees)
        if more:
            raise DataError(f"{self._name}: found {self._done + more:,} trees, expected {self._done:,}")


def _clean(label: str) -> str:
    """Return a label that can be written in square brackets."""
    return label.replace("[", "-LSB-").replace("]", "-RSB-") or "-"
