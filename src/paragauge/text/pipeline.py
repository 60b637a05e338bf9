"""From strings to token ids: the one way in which metrics see text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from paragauge.errors import OptionError
from paragauge.text.normalize import NORMAL_FORMS, PORTER, NormalForm, Stemmer, get_stemmer, normalize
from paragauge.text.tokenize import get_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPipeline:
    """What happens to a string before its tokens are compared: normalise, lower-case, tokenise, stem.

    >>> TextPipeline(tokenizer="penn", lowercase=True, stem=True)("The dogs barked.")
    ('the', 'dog', 'bark', '.')

    Attributes:
        tokenizer: The name of a tokeniser.
        lowercase: Whether capitals become small letters.
        stem: Whether words become Porter stems, or the name of another of Snowball's stemmers, such as ``french``.
        normalize: A Unicode normal form.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stem: bool | str = False
    normalize: NormalForm | None = None

    def __post_init__(self) -> None:
        # An unknown name is refused here, not at the first sentence.
        get_tokenizer(self.tokenizer)
        if isinstance(self.stem, str):
            get_stemmer(self.stem)
            if self.stem == PORTER:
                object.__setattr__(self, "stem", True)  # one way to say it: equal pipelines are equal
        elif not isinstance(self.stem, bool):
            raise OptionError(f"stem must be True, False or the name of a stemmer, got {self.stem!r}")
        if self.normalize is not None and self.normalize not in NORMAL_FORMS:
            raise OptionError(f"normalize must be one of {', '.join(NORMAL_FORMS)} or None, got {self.normalize!r}")

    def __call__(self, text: str) -> tuple[str, ...]:
        """Return the tokens of *text*; recent ones are remembered, since references come back for every system."""
        return _tokens(self, text)

    @property
    def stemmer_name(self) -> str | None:
        """The name of the stemmer, ``None`` for none."""
        if isinstance(self.stem, str):
            return self.stem
        return PORTER if self.stem else None

    @property
    def stemmer(self) -> Stemmer | None:
        """What makes stems of words, ``None`` for nothing."""
        return None if self.stemmer_name is None else get_stemmer(self.stemmer_name)

    def signature_items(self) -> dict[str, str]:
        """Return this pipeline's part of a signature; steps that are off, except for case, leave no trace."""
        items = {"case": "lc" if self.lowercase else "mixed", "tok": self.tokenizer}
        if self.stemmer_name is not None:
            items["stem"] = self.stemmer_name
        if self.normalize is not None:
            items["norm"] = self.normalize.lower()
        return items


@lru_cache(maxsize=1 << 16)
def _tokens(pipeline: TextPipeline, text: str) -> tuple[str, ...]:
    if pipeline.normalize is not None:
        text = normalize(text, pipeline.normalize)
    if pipeline.lowercase:
        text = text.lower()
    tokens = get_tokenizer(pipeline.tokenizer)(text)
    stemmer = pipeline.stemmer
    return tuple(tokens) if stemmer is None else tuple(map(stemmer, tokens))


class Vocabulary(dict[str, int]):
    """Numbers for tokens, given out in order of appearance: ``vocabulary[token]`` always answers."""

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number

    def encode(self, sentences: Iterable[Sequence[str]]) -> EncodedSentences:
        """Return *sentences* as the flat arrays that the native core takes."""
        import numpy as np

        ids: list[int] = []
        offsets = [0]
        for sentence in sentences:
            ids.extend(map(self.__getitem__, sentence))
            offsets.append(len(ids))
        return EncodedSentences(np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class EncodedSentences:
    """Token ids of many sentences: sentence i is ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

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
