"""Sentences as the flat arrays of the native core: word numbers, windows of long sentences, word classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import DataError
from paragauge.text.vocabulary import Sentence, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TOKENS = 20_000  # in both sentences of a pair; windows of longer ones would take minutes and gigabytes


@dataclass(frozen=True, slots=True)
class EncodedText:
    """Word numbers of many sentences, and the words that they represent.

    Attributes:
        ids: Word numbers of all tokens, int32.
        offsets: Sentence i is ``ids[offsets[i]:offsets[i + 1]]``, int64.
        words: Word number n is ``words[n]``.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: list[str]


def tokens_of(sentence: Sentence, lowercase: bool) -> list[str]:
    """Return the tokens of a sentence in the form in which they are compared."""
    if isinstance(sentence, str):
        return (sentence.lower() if lowercase else sentence).split()
    for token in sentence:
        if not isinstance(token, str):
            raise DataError(f"a token is {type(token).__name__}, expected strings")
    return [token.lower() for token in sentence] if lowercase else list(sentence)


def encode(sentences: Iterable[Sentence], *, lowercase: bool, known: Sequence[str] = ()) -> EncodedText:
    """Return *sentences* as arrays; *known* words keep their numbers, others follow in order of appearance.

    Sentences are processed one by one: only the numbers stay in memory.
    """
    if isinstance(sentences, str):
        raise DataError("the text is one string, expected a sequence of sentences; for one sentence pass [text]")
    vocabulary = Vocabulary.of(known)
    encoded = vocabulary.encode(tokens_of(sentence, lowercase) for sentence in sentences)
    return EncodedText(encoded.ids, encoded.offsets, list(vocabulary))


def by_frequency(text: EncodedText) -> EncodedText:
    """Return the same text with words numbered by decreasing frequency, which keeps frequent table rows together."""
    import numpy as np

    counts = np.bincount(text.ids, minlength=len(text.words))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return EncodedText(rank[text.ids] if len(text.ids) else text.ids, text.offsets, [text.words[n] for n in order])


def check_parallel(source: EncodedText, target: EncodedText) -> None:
    """Raise a `DataError` unless both sides have the same number of sentences, none of them endless."""
    if len(source.offsets) != len(target.offsets):
        raise unequal_lengths("source", len(source.offsets) - 1, "target", len(target.offsets) - 1)
    import numpy as np

    lengths = np.minimum(np.diff(source.offsets), np.diff(target.offsets))
    if len(lengths) and int(lengths.max()) > MOST_TOKENS:
        number = int(lengths.argmax())
        raise DataError(
            f"sentence pair {number + 1} has {int(lengths[number]):,} tokens or more on both sides, which is no "
            f"sentence; the limit is {MOST_TOKENS:,}: check the line ends of the files"
        )


def classes(text: EncodedText, class_of: Callable[[str], str]) -> tuple[EncodedText, NDArray[np.int32]]:
    """Return the text with every word replaced by its class, and the class number of each word."""
    import numpy as np

    numbers = Vocabulary()
    class_numbers = np.array([numbers[class_of(word)] for word in text.words], dtype=np.int32)
    ids = class_numbers[text.ids] if len(text.ids) else text.ids
    return EncodedText(ids, text.offsets, list(numbers)), class_numbers


def twins(source_words: Sequence[str], target_words: Sequence[str]) -> NDArray[np.int32]:
    """Return, for each source word, the number of the target word that is spelled the same, or -1."""
    import numpy as np

    numbers = Vocabulary.of(target_words)
    return np.array([numbers.get(word, -1) for word in source_words], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Windows:
    """Sentence pairs split so that no piece is longer than a limit.

    A pair of lengths I and J is split into the fewest pieces that fit, both sides at the same proportions.
    Since sentences are slices of one array, a split is just an additional offset.

    Attributes:
        source_offsets: Source offsets of the pieces.
        target_offsets: Target offsets of the pieces.
        first: ``first[i]`` is the first piece of sentence pair i; there is one additional entry at the end.
        cut: Number of sentence pairs that were split.
    """

    source_offsets: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    first: NDArray[np.int64]
    cut: int


def windows(source_offsets: NDArray[np.int64], target_offsets: NDArray[np.int64], limit: int) -> Windows:
    """Return *source_offsets* and *target_offsets* with splits where a sentence is longer than *limit*."""
    import numpy as np

    lengths = np.maximum(np.diff(source_offsets), np.diff(target_offsets))
    pieces = np.maximum(-(-lengths // limit), 1)
    first = np.concatenate([[0], np.cumsum(pieces)]).astype(np.int64)
    long = np.flatnonzero(pieces > 1)
    if not len(long):
        return Windows(source_offsets, target_offsets, first, 0)
    sides = []
    for offsets in (source_offsets, target_offsets):
        cuts = np.empty(first[-1] + 1, dtype=np.int64)
        cuts[first] = offsets
        for i in long.tolist():
            start, length, count = int(offsets[i]), int(offsets[i + 1] - offsets[i]), int(pieces[i])
            for k in range(1, count):
                cuts[first[i] + k] = start + length * k // count
        sides.append(cuts)
    return Windows(sides[0], sides[1], first, len(long))
