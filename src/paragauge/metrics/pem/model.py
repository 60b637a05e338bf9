"""A PEM model: one folder with everything that is needed to score.

It holds phrase tables (one for each pivot language) and a language model, which are resources of their own and can be
opened as such, a regressor as plain arrays, ``model.json`` (how text becomes words and features) and ``card.md`` (what
it was trained on). Opening it runs no code from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judged_pairs import HIGHEST, LOWEST
from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import PathLike
from paragauge.learn.svr import ARRAYS, RbfRegressor
from paragauge.lm.model import LanguageModel
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.metrics.pem.features import PemResources, feature_names
from paragauge.phrases.table import PhraseTable
from paragauge.resource import DEFAULT, SHIPPED, Manifest, ModelOpener, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array
from paragauge.text.pipeline import TextPipeline

KIND = "pem-model"
FORMAT = 2  # 1 had several regressors, and stems of words of two letters

# Arrays are mapped, so the model must lie in a file system, beside the native core that must lie there, too.
_SHIPPED = SHIPPED / "pem" / DEFAULT
_LANGUAGE_MODEL = "language-model"
_SETTINGS = "model.json"
_CARD = "card.md"


@dataclass(frozen=True, slots=True, eq=False)
class PemModel:
    """All that PEM needs to score.

    Attributes:
        resources: Phrase tables, language model, text.
        regressor: What turns the features into a score; its columns are `features`.
        card: The model card, as Markdown.
        manifest: The manifest of the folder that the model was opened from.
    """

    resources: PemResources
    regressor: RbfRegressor
    card: str = ""
    manifest: Manifest | None = field(default=None)
    features: tuple[str, ...] = field(init=False)
    _digest: str = field(init=False, default="", repr=False)

    def __post_init__(self) -> None:
        names = feature_names(tuple(self.resources.pivots))
        if len(self.regressor.mean) != len(names):
            raise DataError(f"the regressor has {len(self.regressor.mean)} features, expected {', '.join(names)}")
        object.__setattr__(self, "features", names)
        if self.manifest is not None:  # every score carries it: worked out once
            object.__setattr__(self, "_digest", self.manifest.digest())

    def with_card(self, card: str) -> PemModel:
        """Return the model with another *card*."""
        return PemModel(self.resources, self.regressor, card, self.manifest)

    @property
    def digest(self) -> str:
        """The digest that signatures carry."""
        if self.manifest is None:
            raise DataError("the model has no folder and therefore no digest; save it and open it first")
        return self._digest

    def scores(
        self, features: NDArray[np.float64], is_empty: NDArray[np.bool_], *, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the score of each pair, from 1 to 5; a candidate with nothing in it gets 1."""
        scores = self.regressor.predict(features, threads=threads).clip(LOWEST, HIGHEST)
        scores[is_empty] = LOWEST
        return scores

    def save(
        self, path: PathLike, *, options: Mapping[str, Any], inputs: Mapping[str, str], licence: str | None = None
    ) -> None:
        """Write the model as a folder, whole or not at all.

        Args:
            path: The folder; a PEM model that is there is replaced.
            options: How it was made, for the manifest.
            inputs: Digests of what it was made from, for the manifest.
            licence: Under which terms it may be passed on.
        """
        pivots: dict[str, Any] = {}
        with write_resource(path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence) as folder:
            for name, bags in self.resources.pivots.items():
                bags.table.save(folder / _table_folder(name), licence=licence, compact=True)
                pivots[name] = asdict(bags.options)
            self.resources.language_model.save(folder / _LANGUAGE_MODEL, licence=licence)
            values, arrays = self.regressor.to_plain()
            for name, array in arrays.items():
                np.save(folder / f"{name}.npy", array, allow_pickle=False)
            settings = {
                "text": asdict(self.resources.text),
                "stemmer": self.resources.stemmer,
                "lm_stems": self.resources.lm_stems,
                "punctuation": self.resources.punctuation,
                "fluency": self.resources.fluency,
                "pivots": pivots,
                "features": list(self.features),
                "regressor": values,
            }
            (folder / _SETTINGS).write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
            (folder / _CARD).write_text(self.card, encoding="utf-8")

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> PemModel:
        """Open the model folder *path*; its large arrays are mapped.

        Args:
            path: The folder.
            verify: Compare the digests of all files first, which reads them.

        Raises:
            FileError: There is no such folder.
            DataError: It is something else, too old, too new, or damaged.
        """
        folder = Path(path)
        manifest = read_manifest(folder, KIND, newest_format=FORMAT, verify=verify)
        if manifest.format < FORMAT:
            raise DataError(
                f"the PEM model has format {manifest.format}, written by paragauge {manifest.made_by}; this version "
                f"reads format {FORMAT}: train the model again",
                path=str(path),
            )
        try:
            settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
            pivots = {
                str(name): PivotBags(
                    PhraseTable.open(folder / _table_folder(str(name)), verify=False), BagOptions(**options)
                )
                for name, options in settings["pivots"].items()
            }
            resources = PemResources(
                pivots=pivots,
                language_model=LanguageModel.load(folder / _LANGUAGE_MODEL, verify=False),
                text=TextPipeline(**settings["text"]),
                stemmer=settings["stemmer"],
                lm_stems=bool(settings["lm_stems"]),
                punctuation=bool(settings["punctuation"]),
                fluency=settings["fluency"],
            )
            arrays = {name: open_array(folder / f"{name}.npy", "<f8", width) for name, width in ARRAYS.items()}
            regressor = RbfRegressor.from_plain(settings["regressor"], arrays)
            card = (folder / _CARD).read_text(encoding="utf-8")
        except (DataError, FileError, OptionError):
            raise
        except (OSError, KeyError, TypeError, ValueError, AttributeError, EOFError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            raise DataError(f"the PEM model is damaged ({what}); copy or train it again", path=str(path)) from error
        return cls(resources, regressor, card, manifest)


def _table_folder(pivot: str) -> str:
    if not pivot.replace("-", "").replace("_", "").isalnum():
        raise DataError(f"a pivot is named {pivot!r}; expected letters, digits, - and _")
    return f"pivot-{pivot}"


open_pem_model = ModelOpener(PemModel.open, _SHIPPED)
