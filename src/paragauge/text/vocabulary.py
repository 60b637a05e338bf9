"""Words to numbers, given out in order of appearance: the only encoder of sentences.

`Vocabulary` numbers any tokens and answers for single ones. `TextVocabulary` numbers text in the native core, which
takes a quarter of the time: for corpora of millions of sentences.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Sentence: TypeAlias = str | Sequence[str]  # tokens, or text whose tokens stand between white space


@dataclass(frozen=True, slots=True)
class EncodedSentences:
    """Token ids of many sentences: sentence i is ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Both arrays, as the native core takes them."""
        return self.ids, self.offsets

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each sentence."""
        import numpy as np

        lengths: NDArray[np.int64] = np.diff(self.offsets)
        return lengths

    def chosen(self, wanted: NDArray[np.bool_]) -> EncodedSentences:
        """Return the *wanted* sentences."""
        import numpy as np

        lengths = self.lengths
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[wanted])])
        return EncodedSentences(self.ids[np.repeat(wanted, lengths)], offsets)


class Vocabulary(dict[str, int]):
    """Numbers for tokens of any kind: ``vocabulary[token]`` always answers.

    >>> vocabulary = Vocabulary.of(["the"])
    >>> vocabulary.encode([["a", "house"], ["the", "house"]]).ids.tolist(), list(vocabulary)
    ([1, 2, 0, 2], ['the', 'a', 'house'])
    """

    @classmethod
    def of(cls, words: Iterable[str]) -> Vocabulary:
        """Return the vocabulary in which *words*, all different, have the numbers from 0 on."""
        return cls((word, number) for number, word in enumerate(words))

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number

    def encode(self, sentences: Iterable[Sequence[str]]) -> EncodedSentences:
        """Return *sentences* as the flat arrays that the native core takes; they are gone through once."""
        import numpy as np

        ids, offsets = array("i"), array("q", [0])
        for sentence in sentences:
            ids.extend(map(self.__getitem__, sentence))
            offsets.append(len(ids))
        return EncodedSentences(np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64))


class TextVocabulary:
    """Numbers for the words of text, kept in the native core.

    >>> vocabulary = TextVocabulary()
    >>> vocabulary.encode(["a house", ["the", "house"]]).ids.tolist(), len(vocabulary)
    ([0, 1, 2, 1], 3)
    """

    def __init__(self) -> None:
        from paragauge import _core

        self._native = _core.WordNumbers()

    def __len__(self) -> int:
        return len(self._native)

    def strings(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the words in the order of their numbers: all their bytes, and the offsets between words."""
        return self._native.strings()

    def encode(self, sentences: Iterable[Sentence], *, name: str = "the text", before: int = 0) -> EncodedSentences:
        """Return *sentences* as the flat arrays that the native core takes.

        Args:
            sentences: Tokens, or text whose tokens stand between white space.
            name: What to call them in messages.
            before: How many sentences came before these, for messages.

        Raises:
            DataError: A sentence is not text, or a token is not one word.
        """
        texts = [sentence if isinstance(sentence, str) else _text(sentence) for sentence in sentences]
        try:
            return EncodedSentences(*self._native.encode(texts))
        except UnicodeEncodeError as error:
            wrong = next(k for k, text in enumerate(texts) if not _is_text(text))
            raise DataError(
                f"{name}: sentence {before + wrong + 1} has half a character (a lone surrogate) and is not text"
            ) from error


def _text(tokens: Sequence[str]) -> str:
    for token in tokens:
        if not isinstance(token, str) or len(token.split()) != 1:
            raise DataError(f"the token {token!r} is empty, contains white space or is not a string; expected one word")
    return " ".join(tokens)


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
