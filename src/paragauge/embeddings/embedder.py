"""What every provider of embeddings does: one vector for a text, one for each of its tokens; no text is embedded twice.

Providers differ only in `Embedder.encode`. Batches, the cache and the checks are here.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

BATCH = 32  # texts of similar length at a time
CACHE_BYTES = 1 << 29  # about 12,000 sentences with the vectors of MiniLM; the oldest go first
MOST_CHARACTERS = 100_000  # of a text: comparing all its tokens with all others takes memory by the square


@dataclass(frozen=True, eq=False)
class Embedding:
    """The vectors of one text. All have length 1, or 0 if the text has no tokens.

    Attributes:
        sentence: The vector of the whole text.
        tokens: A row for each token, marks of beginning and end included if the model has them.
        content: Which tokens are part of the text, and not such marks.
        pieces: The tokens as text.
        cut: Whether the text was too long for the model, and its end was left out.
    """

    sentence: NDArray[np.float32]
    tokens: NDArray[np.float32]
    content: NDArray[np.bool_]
    pieces: tuple[str, ...]
    cut: bool = False

    @property
    def bytes(self) -> int:
        """Memory taken up, roughly."""
        return self.sentence.nbytes + self.tokens.nbytes + 100 * len(self.pieces) + 500


class Embedder(ABC):
    """A model that embeds texts.

    Attributes:
        signature: What identifies the model in signatures: its kind and the digest of its files.
    """

    def __init__(self, signature: str, *, cache_bytes: int = CACHE_BYTES) -> None:
        self.signature = signature
        self.texts_encoded = 0
        self._cache: OrderedDict[str, Embedding] = OrderedDict()
        self._cached_bytes = 0
        self._cache_bytes = cache_bytes

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> list[Embedding]:
        """Return the embeddings of one batch of texts."""

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """Return the embedding of each text; texts seen before, and equal ones, are not encoded again.

        Raises:
            DataError: A text is too long, or the model gave a number that is not finite.
        """
        import numpy as np

        longest = max(map(len, texts), default=0)
        if longest > MOST_CHARACTERS:
            raise DataError(
                f"a text has {longest:,} characters; texts are embedded up to {MOST_CHARACTERS:,}: split the segment"
            )
        found = {text: self._cache[text] for text in dict.fromkeys(texts) if text in self._cache}
        # Texts of similar length waste little padding.
        new = sorted((text for text in dict.fromkeys(texts) if text not in found), key=len)
        for batch in _batches(new):
            for text, embedding in zip(batch, self.encode(batch), strict=True):
                if not np.isfinite(embedding.sentence).all() or not np.isfinite(embedding.tokens).all():
                    raise DataError(f"the model {self.signature} gives vectors that are not finite; it may be damaged")
                found[text] = embedding
        self.texts_encoded += len(new)
        cut = sum(found[text].cut for text in new)
        if cut:
            logger.warning(
                "%d of %d texts are too long for the model %s; their ends were ignored", cut, len(new), self.signature
            )
        self._remember(found)
        return [found[text] for text in texts]

    def _remember(self, found: dict[str, Embedding]) -> None:
        for text, embedding in found.items():
            if text in self._cache:
                self._cache.move_to_end(text)
            else:
                self._cache[text] = embedding
                self._cached_bytes += embedding.bytes
        while self._cached_bytes > self._cache_bytes:
            self._cached_bytes -= self._cache.popitem(last=False)[1].bytes


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return *vectors* with length 1; zeros stay zeros."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
