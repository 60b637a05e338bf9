"""Sentences as bags of pivot n-grams, and the overlap of two bags (PEM's adequacy; Liu, Dahlmeier and Ng 2010).

A sentence is split into known phrases (`paragauge.phrases.segment`). Each phrase becomes a segment of a confusion
network whose parallel edges are its pivot phrases with p(f|e). The bag holds the expected count of every n-gram over
all pivot sentences in the network. An n-gram's weight at one position is the product of the probabilities of the edges
that it touches.

Cost: linear in the length of a sentence. A phrase costs as many steps as there are n-grams that end in it, at most
k^N for k edges per phrase and orders up to N; there are at most 100 edges above 0.01, and in practice rarely more than
twenty. More than 33 million different n-grams for one pair raise a `DataError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.phrases.build import COLUMN_TYPES
from paragauge.phrases.segment import UNSEEN_COUNT
from paragauge.phrases.table import PhraseTable, merge_tables
from paragauge.storage.store import pack_strings
from paragauge.threads import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    PackedSentences: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BagOptions:
    """How a sentence becomes a bag of pivot n-grams.

    The defaults agree with human judgments better than the paper's settings (`paper`): a paraphrase may reorder its
    words, an edge of low probability is also evidence, and a word that is not in the table is weaker evidence of the
    meaning than one that is.

    Attributes:
        max_order: Maximum n-gram length.
        min_edge: Keep pivot phrases with a probability above this; if there is none, keep the most probable.
        min_weight: Keep n-grams with a final weight above this.
        unseen: Count assumed for a single word that is not in the table.
        unknown: Weight of the edge of such a word, which is the word itself.
    """

    max_order: int = 1
    min_edge: float = 0.01
    min_weight: float = 0.01
    unseen: float = UNSEEN_COUNT
    unknown: float = 0.7

    def __post_init__(self) -> None:
        if not 1 <= self.max_order <= 100:
            raise OptionError(f"max_order must be between 1 and 100, got {self.max_order}")
        if not 0 <= self.min_edge <= 1:
            raise OptionError(f"min_edge must be between 0 and 1, got {self.min_edge}")
        if not self.min_weight >= 0:
            raise OptionError(f"min_weight must not be negative, got {self.min_weight}")
        if not self.unseen > 0:
            raise OptionError(f"unseen must be above 0, got {self.unseen}")
        if not 0 <= self.unknown <= 1:
            raise OptionError(f"unknown must be between 0 and 1, got {self.unknown}")

    @classmethod
    def paper(cls) -> BagOptions:
        """Return the settings of Liu, Dahlmeier and Ng (2010).

        N-grams of up to four words, edges above 0.1, unknown words at weight 1.
        """
        return cls(max_order=4, min_edge=0.1, min_weight=0.01, unseen=UNSEEN_COUNT, unknown=1.0)


@dataclass(frozen=True, slots=True)
class BagOverlap:
    """Two bags of weighted n-grams for each pair, and how much they share.

    Attributes:
        shared: Sum of the smaller weights; an array (pairs, orders).
        original: Sum of the original's weights, likewise.
        candidate: Sum of the candidate's weights, likewise.
    """

    shared: NDArray[np.float64]
    original: NDArray[np.float64]
    candidate: NDArray[np.float64]

    def order(self, n: int) -> BagOverlap:
        """Return the overlap of n-grams of order *n* only."""
        place = slice(n - 1, n)
        return BagOverlap(self.shared[:, place], self.original[:, place], self.candidate[:, place])

    def precision(self) -> NDArray[np.float64]:
        """Return shared / candidate for each pair, all orders together; 0 for an empty bag."""
        return _ratio(_total(self.shared), _total(self.candidate))

    def recall(self) -> NDArray[np.float64]:
        """Return shared / original for each pair, all orders together; 0 for an empty bag."""
        return _ratio(_total(self.shared), _total(self.original))

    def f1(self) -> NDArray[np.float64]:
        """Return the harmonic mean of precision and recall, 2 shared / (original + candidate); 0 for empty bags."""
        return _ratio(2 * _total(self.shared), _total(self.original) + _total(self.candidate))


def _total(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    total: NDArray[np.float64] = np.add.reduce(sums, axis=1)  # as sum() does, without its detours
    return total


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    result: NDArray[np.float64] = above / np.maximum(below, _SMALLEST)  # 0 / 0 counts as 0
    return result


@dataclass(frozen=True, slots=True)
class NetworkPhrase:
    """A phrase of a sentence and its pivot phrases.

    Attributes:
        text: The phrase.
        known: Whether the table contains it; an unknown word is its own edge.
        edges: Pivot phrases with their probabilities, the most probable first.
    """

    text: str
    known: bool
    edges: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class PivotNgram:
    """An n-gram of a pair's bags: its weight on each side, 0 where it was dropped or is absent."""

    text: str
    order: int
    original: float
    candidate: float

    @property
    def shared(self) -> float:
        """The weight that counts as matched."""
        return min(self.original, self.candidate)


_SMALLEST = 5e-324  # the smallest number above 0
_NEVER_EMPTY = ("source.offsets", "source.rows", "target.offsets", "target.rows")


def _own_columns(table: PhraseTable | None) -> PhraseTable:
    """Return the table with its sides in the right order; an empty table if there is none."""
    if table is not None:
        return merge_tables([table]) if table.is_inverted else table
    import numpy as np

    return PhraseTable({name: np.zeros(int(name in _NEVER_EMPTY), kind) for name, kind in COLUMN_TYPES.items()})


def pack_sentences(sentences: Iterable[str]) -> PackedSentences:
    """Return sentences in the form the native core expects: their bytes, and where each starts and ends.

    Raises:
        DataError: One of them is not valid text.
    """
    try:
        return pack_strings(sentences)
    except UnicodeEncodeError as error:
        raise DataError("a sentence contains a lone surrogate, which is not valid text") from error


class PivotBags:
    """Turns sentences, given as words separated by spaces, into bags of pivot n-grams with one phrase table.

    >>> counts = {("hello ,", "bonjour ,"): 9, ("hello ,", "salut ,"): 1, ("hi ,", "salut ,"): 2}
    >>> table = PhraseTable.from_counts(counts)
    >>> bags = PivotBags(table, BagOptions(max_order=4, min_edge=0.05, unknown=1.0))
    >>> overlap = bags.overlap(["hello , tom"], ["hi , tom"])
    >>> round(float(overlap.f1()[0]), 4)
    0.55
    """

    def __init__(self, table: PhraseTable | None, options: BagOptions | None = None) -> None:
        """Use *table*; without one, every word is its own pivot.

        Bags without a table are the plain n-grams of the sentences if ``unknown`` is 1, as in `BagOptions.paper`.
        """
        from paragauge import _core

        self.table = _own_columns(table)
        self.options = options or BagOptions()
        columns = self.table.columns
        self._native = _core.Pivot(
            _core.PivotColumns(
                source=(columns["source.text"], columns["source.offsets"]),
                source_totals=columns["source.totals"],
                source_rows=columns["source.rows"],
                target=(columns["target.text"], columns["target.offsets"]),
                pair_targets=columns["pairs.target"],
                pair_counts=columns["pairs.counts"],
                total=float(columns["source.totals"].sum()),
            ),
            _core.BagOptions(
                unseen=self.options.unseen,
                unknown=self.options.unknown,
                min_edge=self.options.min_edge,
                min_weight=self.options.min_weight,
                max_order=self.options.max_order,
            ),
        )

    def overlap(self, originals: Iterable[str], candidates: Iterable[str], *, threads: int | None = None) -> BagOverlap:
        """Return the overlap of the bags of each original and its candidate; *threads* does not change the result.

        Raises:
            DataError: A pair has more n-grams than fit in memory.
        """
        return self.overlap_of_packed(pack_sentences(originals), pack_sentences(candidates), threads=threads)

    def overlap_of_packed(
        self, originals: PackedSentences, candidates: PackedSentences, *, threads: int | None = None
    ) -> BagOverlap:
        """Return the `overlap` of packed sentences, which can be reused for several tables."""
        try:
            sums = self._native.overlap(originals, candidates, thread_count(threads))
        except ValueError as error:
            raise DataError(f"{error}; split the sentences, or prune the phrase table") from error
        return BagOverlap(sums[:, 0], sums[:, 1], sums[:, 2])

    def network(self, sentence: str) -> tuple[NetworkPhrase, ...]:
        """Return the confusion network of a *sentence*."""
        words = sentence.split(" ") if sentence else []
        phrases, place = [], 0
        for length, number, edges in self._native.network(sentence):
            phrases.append(NetworkPhrase(" ".join(words[place : place + length]), number >= 0, tuple(edges)))
            place += length
        return tuple(phrases)

    def bags(self, original: str, candidate: str) -> list[PivotNgram]:
        """Return the n-grams of both bags, in order of appearance."""
        return [PivotNgram(*item) for item in self._native.bags(original, candidate)]
