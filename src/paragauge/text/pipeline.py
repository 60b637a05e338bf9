"""From strings to token ids: the one way in which metrics see text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from paragauge.errors import OptionError
from paragauge.text.normalize import NORMAL_FORMS, NormalForm, normalize, porter_stem
from paragauge.text.tokenize import get_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPipeline:
    """What happens to a string before its tokens are compared: normalise, lower-case, tokenise, stem.

    >>> TextPipeline(tokenizer="penn", lowercase=True, stem=True)("The dogs barked.")
    ('the', 'dog', 'bark', '.')
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stem: bool = False
    normalize: NormalForm | None = None

    def __post_init__(self) -> None:
        get_tokenizer(self.tokenizer)  # an unknown name is refused here, not at the first sentence
        if self.normalize is not None and self.normalize not in NORMAL_FORMS:
            raise OptionError(f"normalize must be one of {', '.join(NORMAL_FORMS)} or None, got {self.normalize!r}")

    def __call__(self, text: str) -> tuple[str, ...]:
        """Return the tokens of *text*; recent ones are remembered, since references come back for every system."""
        return _tokens(self, text)

    def signature_items(self) -> dict[str, str]:
        """Return this pipeline's part of a signature; steps that are off, except for case, leave no trace."""
        items = {"case": "lc" if self.lowercase else "mixed", "tok": self.tokenizer}
        if self.stem:
            items["stem"] = "porter"
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
    return tuple(map(porter_stem, tokens)) if pipeline.stem else tuple(tokens)


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
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each sentence."""
        import numpy as np

        lengths: NDArray[np.int64] = np.diff(self.offsets)
        return lengths
