"""Counts of the n-grams of a text, for all orders at once.

Every sentence is counted as ``<s> w1 ... wm </s>``: n-grams may begin with one ``<s>`` and end with ``</s>``. An empty
sentence is ``<s> </s>``, as in lmplz.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from paragauge.errors import DataError, OptionError
from paragauge.text.vocabulary import Sentence
from paragauge.threads import thread_count

if TYPE_CHECKING:
    from paragauge._core import LmCounts, LmEncoder

UNKNOWN_WORD = "<unk>"
SENTENCE_BEGIN = "<s>"
SENTENCE_END = "</s>"
RESERVED_WORDS = (UNKNOWN_WORD, SENTENCE_BEGIN, SENTENCE_END)  # words 0, 1 and 2 of every model

_SENTENCES_A_BATCH = 1 << 13


class NgramCounts:
    """The n-gram counts of a text.

    Memory: 24 bytes per token while counting, then 20 bytes per distinct n-gram. Time: that of sorting the tokens.

    >>> counts = NgramCounts([["a", "b"], ["a"]], order=2)
    >>> counts.sizes
    (5, 4)
    >>> counts["<s>", "a"], counts["a"], counts["b", "a"]
    (2, 2, 0)
    """

    def __init__(self, sentences: Iterable[Sentence], *, order: int, threads: int | None = None) -> None:
        """Count the n-grams of *sentences*.

        Args:
            sentences: Text, as sequences of words or strings with words separated by white space. It is read once.
            order: Length of the longest n-grams to count.
            threads: Number of threads for sorting; None means all cores. The result does not depend on it.

        Raises:
            DataError: There are no words, or there is a reserved one.
            OptionError: The order or the number of threads is out of range.
        """
        from paragauge._core import LM_HIGHEST_ORDER, LmCounts

        if not 1 <= order <= LM_HIGHEST_ORDER:
            raise OptionError(f"the order of a language model must be between 1 and {LM_HIGHEST_ORDER}, got {order}")
        encoder = _encode(sentences)
        _check(encoder)
        self.sentences = encoder.sentences
        self.tokens = encoder.tokens
        self._counts = LmCounts(encoder, order, thread_count(threads))

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self._counts.order

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of different n-grams of each order; reserved words count as unigrams."""
        return tuple(self._counts.sizes())

    @property
    def native(self) -> LmCounts:
        """The native counts, for estimation."""
        return self._counts

    def __getitem__(self, ngram: Sequence[str] | str) -> int:
        """Return how often *ngram*, one or more words, occurs."""
        return self._find(ngram)[0]

    def adjusted(self, ngram: Sequence[str] | str) -> int:
        """Return the adjusted count of Kneser-Ney: the number of distinct words to the left of *ngram*.

        In the highest order, and where *ngram* begins with ``<s>``, it is the number of occurrences.
        """
        return self._find(ngram)[1]

    def counts_of_counts(self, order: int, up_to: int, *, adjusted: bool = False) -> tuple[int, ...]:
        """Return n_1, ..., n_up_to: how many n-grams of *order* have the (adjusted) count 1, ..., *up_to*."""
        return tuple(self._counts.counts_of_counts(order, adjusted, up_to))

    def _find(self, ngram: Sequence[str] | str) -> tuple[int, int]:
        words = (ngram,) if isinstance(ngram, str) else tuple(ngram)
        if not 1 <= len(words) <= self.order:
            raise OptionError(f"n-grams of 1 to {self.order} words were counted; got one of {len(words)} words")
        return self._counts.find(words)


def _encode(sentences: Iterable[Sentence]) -> LmEncoder:
    from paragauge._core import LmEncoder

    encoder = LmEncoder()
    remaining = iter(sentences)
    try:
        while batch := list(itertools.islice(remaining, _SENTENCES_A_BATCH)):
            texts = [sentence for sentence in batch if isinstance(sentence, str)]
            if len(texts) == len(batch):
                encoder.add_texts(texts)  # splits them during lookup
            else:
                encoder.add_tokens([item.split() if isinstance(item, str) else item for item in batch])
    except UnicodeEncodeError as error:
        raise DataError(
            f"after {encoder.sentences:,} sentences: found half a character (a lone surrogate), which is not text"
        ) from error
    return encoder


def _check(encoder: LmEncoder) -> None:
    if encoder.tokens == 0:
        raise DataError(f"there are no words to train on (found {encoder.sentences} empty sentences)")
    if found := encoder.first_reserved():
        sentence, word = found
        raise DataError(
            f"sentence {sentence + 1} contains {RESERVED_WORDS[word]}, which is reserved in language models; "
            "sentence boundaries are added automatically: remove it"
        )
