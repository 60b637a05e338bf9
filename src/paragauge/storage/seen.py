"""The sentences that a resource was made from, as digests: has it seen the gold that it is measured by?

Digests ignore case, punctuation and where tokens end. A sentence is known again if all its letters are the same, or if
it shares a run of ten words. A resource keeps the digest of every sentence, and those of one in sixteen runs of words.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.resource import SEEN_FILE
from paragauge.storage.store import open_array
from paragauge.text.vocabulary import Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRAM = 10  # words in a run: shorter runs are shared by chance
SAMPLE = 16


@dataclass(frozen=True, eq=False)
class Seen:
    """Digests of sentences and of runs of words.

    Attributes:
        digests: Sorted digests, each once.

    >>> seen = Seen.of(["He left ."])
    >>> seen.count(["he left", "She left."])
    1
    """

    digests: NDArray[np.uint64]

    @classmethod
    def of(cls, sentences: Iterable[Sentence], *, sample: int = SAMPLE) -> Seen:
        """Return the digests of *sentences*, and of one in *sample* runs of words."""
        from paragauge import _core

        alone, runs, _ = _core.sentence_digests(_texts(sentences), GRAM, sample)
        return cls(_sorted([alone[alone != _nothing()], runs]))

    @classmethod
    def merged(cls, several: Iterable[Seen | None]) -> Seen | None:
        """Return the digests of all; ``None`` if none has any."""
        known = [one.digests for one in several if one is not None]
        return cls(_sorted(known)) if known else None

    def among(self, sentences: Iterable[Sentence]) -> NDArray[np.bool_]:
        """Return which of *sentences* are known, or share a run of words that was kept."""
        import numpy as np

        from paragauge import _core

        alone, runs, offsets = _core.sentence_digests(_texts(sentences), GRAM, 1)
        known = self._has(alone)
        shared = np.concatenate([[0], np.cumsum(self._has(runs))])
        return np.logical_or(known, shared[offsets[1:]] > shared[offsets[:-1]])

    def count(self, sentences: Iterable[Sentence]) -> int:
        """Return how many of *sentences* are known, or share a run of words that was kept."""
        return int(self.among(sentences).sum())

    def shared(self, other: Seen) -> int:
        """Return the number of digests that both have."""
        import numpy as np

        return len(np.intersect1d(self.digests, other.digests, assume_unique=True))

    def _has(self, digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        import numpy as np

        if not len(self.digests):
            return np.zeros(len(digests), dtype=bool)
        places = np.minimum(np.searchsorted(self.digests, digests), len(self.digests) - 1)
        return np.asarray(self.digests[places] == digests)

    def write(self, folder: Path) -> None:
        """Write the digests to the folder of a resource."""
        import numpy as np

        np.save(folder / SEEN_FILE, self.digests.astype("<u8"), allow_pickle=False)


def read_seen(path: PathLike, files: Iterable[str]) -> Seen | None:
    """Return the digests in the folder of a resource with these *files*, ``None`` if it has none.

    Raises:
        DataError: They cannot be read.
    """
    if SEEN_FILE not in files:
        return None
    digests = open_array(Path(path) / SEEN_FILE, "<u8")
    if bool((digests[1:] <= digests[:-1]).any()):
        raise DataError(
            "the digests are not sorted; copy or make the resource again", path=f"{os.fspath(path)}/{SEEN_FILE}"
        )
    return Seen(digests)


class SentenceWatch:
    """Leaves out the sentence pairs of a gold standard, and keeps digests of all others.

    Args:
        exclude: Digests of the gold, with all runs of words; ``None`` to leave nothing out.
    """

    def __init__(self, exclude: Seen | None = None) -> None:
        self._exclude = exclude
        self._kept: list[NDArray[np.uint64]] = []
        self.excluded = 0

    def keep(self, *sides: Sequence[Sentence]) -> NDArray[np.bool_] | None:
        """Return which of the next pairs (or groups) to keep; ``None`` for all."""
        import numpy as np

        kept = None
        if self._exclude is not None:
            found = np.logical_or.reduce([self._exclude.among(side) for side in sides])
            if found.any():
                self.excluded += int(found.sum())
                kept = ~found
        for side in sides:
            left = side if kept is None else [text for text, wanted in zip(side, kept, strict=True) if wanted]
            self._kept.append(Seen.of(left).digests)
        return kept

    def kept_groups(self, groups: Sequence[Sequence[str]]) -> list[Sequence[str]]:
        """Return the groups of which no sentence is to be left out."""
        kept: list[Sequence[str]] = []
        for group in groups:
            if self._exclude is not None and self._exclude.among(group).any():
                self.excluded += 1
            else:
                kept.append(group)
        self._kept.append(Seen.of(text for group in kept for text in group).digests)
        return kept

    @cached_property
    def seen(self) -> Seen:
        """The digests of all sentences that were kept; ask once there are no more."""
        return Seen(_sorted(self._kept))


def _texts(sentences: Iterable[Sentence]) -> list[str]:
    return [sentence if isinstance(sentence, str) else " ".join(sentence) for sentence in sentences]


def _nothing() -> int:
    """Return the digest of a sentence without letters, by which none is known again."""
    from paragauge import _core

    return int(_core.sentence_digests([""], GRAM, 1)[0][0])


def _sorted(arrays: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    import numpy as np

    return np.unique(np.concatenate([np.empty(0, np.uint64), *arrays]))
