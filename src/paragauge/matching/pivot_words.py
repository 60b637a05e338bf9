"""Words seen through pivot languages: how much two of them mean the same, and how much one of them says.

Two words are as alike as their translations: the sum over pivot words of sqrt(p(f|a) p(f|b)), in the pivot language in
which it is highest; 1 for words with the same translations, 0 for words with none in common. A word that no table knows
(a name, a slip of the pen) is compared by its letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING

from rapidfuzz.distance import JaroWinkler

from paragauge.errors import DataError
from paragauge.phrases.table import PhraseTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SPELLED_ALIKE = 0.8  # Jaro-Winkler similarities up to here say nothing
_REMEMBERED = 1 << 18
MAX_COMPARISONS = 20_000_000  # of words in a pair of sentences: some seconds


class PivotWords:
    """The words of phrase tables against several pivot languages.

    >>> counts = {("big", "grand"): 3, ("big", "gros"): 1, ("large", "grand"): 4}
    >>> words = PivotWords({"fr": PhraseTable.from_counts(counts)})
    >>> round(words.similarity("big", "large"), 4), words.similarity("big", "big")
    (0.866, 1.0)
    """

    def __init__(self, tables: Mapping[str, PhraseTable]) -> None:
        self._tables = tuple(tables.values())
        self._total = sum(
            int(table.columns["source.totals"][words_of_phrases(table) == 1].sum()) for table in self._tables
        )
        # A method of its own for each object: the caches go when it goes.
        self.translations = lru_cache(maxsize=_REMEMBERED)(self._translations)
        self.information = lru_cache(maxsize=_REMEMBERED)(self._information)
        self._similarity = lru_cache(maxsize=_REMEMBERED)(self._compare)

    def similarity(self, one: str, other: str) -> float:
        """Return how alike two words are, from 0 to 1; the order does not matter."""
        if one == other:
            return 1.0
        return self._similarity(one, other) if one < other else self._similarity(other, one)

    def shared(self, originals: Sequence[str], candidates: Sequence[str]) -> tuple[float, float]:
        """Return how much of two sentences the other side expresses, (candidate's share, original's share).

        Every word counts by what it says, and is expressed as well as its nearest word on the other side.

        Raises:
            DataError: There are more than `MAX_COMPARISONS` pairs of words.
        """
        ours, theirs = dict.fromkeys(originals, 0.0), dict.fromkeys(candidates, 0.0)
        if len(ours) * len(theirs) > MAX_COMPARISONS:
            raise DataError(
                f"a pair of sentences has {len(ours):,} and {len(theirs):,} different words, too many to compare each "
                "with each; split the sentences"
            )
        for one, nearest in ours.items():
            for other in theirs:
                alike = 1.0 if one == other else self.similarity(one, other)
                if alike > nearest:
                    nearest = alike
                if alike > theirs[other]:
                    theirs[other] = alike
            ours[one] = nearest
        return self._expressed(candidates, theirs), self._expressed(originals, ours)

    def _expressed(self, words: Sequence[str], nearest: Mapping[str, float]) -> float:
        total = expressed = 0.0
        for word in words:
            weight = self.information(word)
            total += weight
            expressed += weight * nearest[word]
        return expressed / total if total > 0 else 0.0

    def _translations(self, word: str) -> tuple[dict[str, float], ...]:
        """Return, for each pivot, sqrt p(f|word) of its translations."""
        return tuple(
            {pivot: sqrt(probability) for pivot, probability in table.probabilities(word).items()}
            for table in self._tables
        )

    def _information(self, word: str) -> float:
        """Return -log of how often the word occurs in all tables together; two are added for words never seen."""
        count = sum(table.count(word) for table in self._tables)
        return max(0.0, log((self._total + 2) / (count + 2)))

    def _compare(self, one: str, other: str) -> float:
        ours, theirs = self.translations(one), self.translations(other)
        if any(ours) and any(theirs):
            return max(
                sum(root * two[pivot] for pivot, root in first.items() if pivot in two)
                for first, two in zip(ours, theirs, strict=True)
            )
        alike = JaroWinkler.similarity(one, other)
        return float(max(0.0, (alike - _SPELLED_ALIKE) / (1 - _SPELLED_ALIKE)))


def words_of_phrases(table: PhraseTable) -> NDArray[np.int64]:
    """Return for each source phrase of a *table* how many words it has."""
    import numpy as np

    columns = table.columns
    spaces = np.concatenate([np.zeros(1, np.int64), np.cumsum(columns["source.text"] == ord(" "))])
    offsets = columns["source.offsets"]
    words: NDArray[np.int64] = spaces[offsets[1:]] - spaces[offsets[:-1]] + 1
    return words
