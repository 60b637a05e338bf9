"""The link model: small networks that turn evidence into probabilities, as a folder without code.

    english.npy          one row of numbers for each round, for English with all that is known of its words
    english+corpus.npy   the same with the links of a statistical aligner as additional evidence
    any.npy              for any language: letters, numbers, positions
    any+corpus.npy

Each row holds the weights of a hidden layer (evidence x units), its biases, the weights of the top, and its bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.resource import DEFAULT, SHIPPED, ModelOpener, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array

KIND = "link-model"
FORMAT = 1
NAMES = ("english", "english+corpus", "any", "any+corpus")


@dataclass(frozen=True, slots=True, eq=False)
class LinkNetworks:
    """The networks of a link model.

    Attributes:
        networks: For each of `NAMES`, an array (rounds, numbers).
        digest: Digest of the folder, for signatures.
    """

    networks: Mapping[str, NDArray[np.float32]]
    digest: str

    @classmethod
    @steadily
    def open(cls, path: PathLike) -> LinkNetworks:
        """Open the folder *path*; no code in it is run.

        Raises:
            FileError: There is no such folder.
            DataError: It is not a link model, is damaged, or needs evidence that this version does not gather.
        """
        manifest = read_manifest(path, KIND, newest_format=FORMAT)
        if manifest.options.get("evidence") != list(_core.LINK_EVIDENCE):
            raise DataError(
                "the link model was made for other evidence than this version gathers; make it again with "
                "tools/make_links.py",
                path=str(path),
            )
        networks = {}
        for name in NAMES:
            if f"{name}.npy" not in manifest.files:
                raise DataError(f"{name}.npy is missing; the link model is damaged", path=str(path))
            rows = open_array(Path(path) / f"{name}.npy", "float32", dimensions=2)
            if not len(rows) or not bool(np.isfinite(rows).all()):
                raise DataError(f"{name}.npy holds no finite numbers; the link model is damaged", path=str(path))
            networks[name] = rows
        return cls(networks, manifest.digest())


def write_networks(
    path: PathLike, networks: Mapping[str, NDArray[np.float32]], *, inputs: Mapping[str, str], licence: str
) -> None:
    """Write a link model as the folder *path*, whole or not at all."""
    options = {"evidence": list(_core.LINK_EVIDENCE)}
    with write_resource(path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence) as folder:
        for name in NAMES:
            np.save(folder / f"{name}.npy", networks[name].astype(np.float32), allow_pickle=False)


open_networks = ModelOpener(LinkNetworks.open, SHIPPED / "links" / DEFAULT)
