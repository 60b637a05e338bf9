"""Static embeddings: a table with one vector for each token, such as wordllama's. Needs no network and no torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paragauge.embeddings.embedder import CACHE_BYTES, Embedder, Embedding, unit
from paragauge.embeddings.folder import ModelFolder
from paragauge.errors import DataError, MissingExtraError, OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StaticEmbedder(Embedder):
    """A table of vectors. The vector of a sentence is the mean of those of its tokens."""

    def __init__(
        self, table: NDArray[np.float32], tokenizer: Any, signature: str, *, cache_bytes: int = CACHE_BYTES
    ) -> None:
        super().__init__(signature, cache_bytes=cache_bytes)
        self.table = table
        self.tokenizer = tokenizer

    @classmethod
    def open(cls, folder: ModelFolder, *, layer: int | None = None) -> StaticEmbedder:
        """Return the model in *folder*.

        Raises:
            OptionError: A layer was named; a table has none.
            DataError: The weights are not one table.
            MissingExtraError: The libraries that read it are not installed.
        """
        if layer is not None:
            raise OptionError(f"the model {folder.name} is a table of vectors and has no layers; leave out 'layer'")
        try:
            from safetensors import SafetensorError
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtraError("a static model", "safetensors and tokenizers", "static") from error
        import numpy as np

        try:
            tensors = {key: value for path in folder.weights for key, value in load_file(path).items()}
        except (SafetensorError, OSError) as error:
            raise DataError(f"the weights cannot be read ({error})", path=folder.name) from error
        tables = {key: value for key, value in tensors.items() if value.ndim == 2}
        if len(tables) != 1:
            raise DataError(
                f"has {len(tables)} tables of vectors, expected one; other parts are not supported", path=folder.name
            )
        try:
            tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        except Exception as error:  # the library raises nothing more specific
            raise DataError(f"{folder.tokenizer.name} is not a tokeniser ({error})", path=folder.name) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        table = np.ascontiguousarray(next(iter(tables.values())), dtype=np.float32)
        return cls(table, tokenizer, f"static-{folder.digest()}")

    def encode(self, texts: Sequence[str]) -> list[Embedding]:
        import numpy as np

        embeddings = []
        try:
            encodings = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        except Exception as error:  # the library raises nothing more specific
            raise DataError(f"the tokeniser of {self.signature} cannot be used ({error})") from error
        for encoded in encodings:
            ids = np.array(encoded.ids, dtype=np.int64)
            if len(ids) and ids.max() >= len(self.table):
                raise DataError(f"the tokeniser of {self.signature} has more tokens than there are vectors")
            vectors = self.table[ids]
            mean = vectors.mean(axis=0) if len(ids) else np.zeros(self.table.shape[1], dtype=np.float32)
            embeddings.append(
                Embedding(unit(mean), unit(vectors), np.ones(len(ids), dtype=bool), tuple(encoded.tokens))
            )
        return embeddings
