"""Opens embedders by name; one that is already open is not opened again."""

from __future__ import annotations

from functools import lru_cache

from paragauge.embeddings.embedder import Embedder
from paragauge.embeddings.folder import ModelFolder, find_model


def embedder(model: str, *, layer: int | None = None) -> Embedder:
    """Return the embedder of *model*: the folder of a model, or an installed package that contains one.

    Args:
        model: Folder or package, such as ``wordllama``.
        layer: Layer whose vectors of tokens are taken, counted from 1; the last by default.

    Raises:
        FileError: There is no such folder.
        OptionError: There is no such package, or no such layer.
        DataError: It is not a model, or is not safe to load.
        MissingExtraError: The libraries to run it are not installed.
    """
    found = find_model(model)
    return _opened(found.path.resolve().as_posix(), found.stamp, layer, _Named(found))


class _Named:
    """A model folder that does not count as part of a key."""

    def __init__(self, folder: ModelFolder) -> None:
        self.folder = folder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)
def _opened(path: str, stamp: object, layer: int | None, named: _Named) -> Embedder:
    if named.folder.static:
        from paragauge.embeddings.static import StaticEmbedder

        return StaticEmbedder.open(named.folder, layer=layer)
    from paragauge.embeddings.transformer import TransformerEmbedder

    return TransformerEmbedder.open(named.folder, layer=layer)
