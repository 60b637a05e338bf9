"""A learned metric as a folder: the names of its features, a regressor as plain numbers, and a card.

The metrics themselves are not in the folder. What each of them was when the blend was learned (options, digests of
tables and models) is, and a blend whose parts have become others since is refused rather than scored with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import PathLike
from paragauge.learn.regression import LinearRegressor, MonotoneRegressor
from paragauge.learn.svr import ARRAYS, RbfRegressor
from paragauge.learn.validation import Matrix
from paragauge.metrics.base import SentenceMetric
from paragauge.metrics.blend.features import Feature
from paragauge.resource import SHIPPED, Manifest, ModelOpener, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array

KIND = "blend-model"
FORMAT = 1
TRANSLATION = "translation"

Regressor: TypeAlias = LinearRegressor | MonotoneRegressor | RbfRegressor
REGRESSORS: Mapping[str, type[Regressor]] = {
    "ridge": LinearRegressor,
    "monotone": MonotoneRegressor,
    "svr": RbfRegressor,
}
_VERSIONS = (
    "sacrebleu",
)  # packages whose versions do not change a score: they differ from one installation to another
_SETTINGS = "model.json"
_CARD = "card.md"
_DAMAGE = (OSError, KeyError, TypeError, ValueError, AttributeError, EOFError, RecursionError)


@dataclass(frozen=True, slots=True, eq=False)
class BlendModel:
    """All that a blend needs to score.

    Attributes:
        features: The features, in the order of the regressor's columns.
        regressor: Turns features into standard scores.
        typical: Mean of each feature in training; explanations compare with it.
        mean: Score that a standard score of 0 stands for.
        scale: Difference in scores that a standard score of 1 stands for.
        card: What it was learned from and how well it does, as Markdown.
        manifest: The manifest of the folder that the model was opened from.
    """

    features: tuple[Feature, ...]
    regressor: Regressor
    typical: Matrix
    mean: float = 0.0
    scale: float = 1.0
    card: str = ""
    manifest: Manifest | None = field(default=None)
    names: tuple[str, ...] = field(init=False)  # of the features; every resample asks for them

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(str, self.features)))
        width = (
            self.regressor.knots.shape[0] if isinstance(self.regressor, MonotoneRegressor) else len(self.regressor.mean)
        )
        if not width == len(self.typical) == len(self.features):
            raise DataError(f"the regressor has {width} features, expected {len(self.features)}")

    @property
    def kind(self) -> str:
        """The kind of regressor."""
        return next(name for name, kind in REGRESSORS.items() if isinstance(self.regressor, kind))

    @property
    def digest(self) -> str:
        """The digest that signatures carry."""
        if self.manifest is None:
            raise DataError("the blend has no folder and therefore no digest; save it and open it first")
        return self.manifest.digest()

    def with_card(self, card: str) -> BlendModel:
        """Return the model with another *card*."""
        return replace(self, card=card)

    def scores(self, rows: Matrix) -> Matrix:
        """Return the score of each row of features."""
        scores: Matrix = self.regressor.predict(rows) * self.scale + self.mean
        return scores

    def contributions(self, row: Matrix) -> Matrix:
        """Return by how much each feature raises the score above what it would be with a typical value of it.

        For ridge and monotone they add up to the difference from the score of a typical text.
        """
        changed = np.tile(row, (len(row) + 1, 1))
        np.fill_diagonal(changed, self.typical)
        scores = self.scores(changed)
        gains: Matrix = scores[-1] - scores[:-1]
        return gains

    def save(
        self, path: PathLike, *, options: Mapping[str, Any], inputs: Mapping[str, str], licence: str | None = None
    ) -> None:
        """Write the model as a folder, whole or not at all.

        Args:
            path: The folder; a blend that is there is replaced.
            options: How it was made, for the manifest.
            inputs: Digests of what it was made from, for the manifest.
            licence: Under which terms it may be passed on.
        """
        values, arrays = self.regressor.to_plain()
        settings = {
            "features": [str(feature) for feature in self.features],
            "parts": {str(metric): part_items(metric) for metric in metrics_of(self.features)},
            "typical": self.typical.tolist(),
            "mean": self.mean,
            "scale": self.scale,
            "kind": self.kind,
            "regressor": values,
        }
        with write_resource(path, KIND, format=FORMAT, options=options, inputs=inputs, licence=licence) as folder:
            for name, array in arrays.items():
                np.save(folder / f"{name}.npy", array, allow_pickle=False)
            (folder / _SETTINGS).write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
            (folder / _CARD).write_text(self.card, encoding="utf-8")

    @classmethod
    @steadily
    def open(cls, path: PathLike, *, verify: bool = True) -> BlendModel:
        """Open the folder *path*.

        Args:
            path: The folder.
            verify: Compare the digests of all files first.

        Raises:
            FileError: There is no such folder.
            DataError: It is something else, too new or damaged, or one of its metrics is not what it was.
        """
        folder = Path(path)
        manifest = read_manifest(folder, KIND, newest_format=FORMAT, verify=verify)
        try:
            settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
            kind = REGRESSORS[settings["kind"]]
            arrays = {
                name: open_array(folder / f"{name}.npy", "<f8", dimensions)
                for name, dimensions in ARRAYS.items()
                if f"{name}.npy" in manifest.files
            }
            regressor = kind.from_plain(settings["regressor"], arrays)
            features = tuple(Feature.parse(text) for text in settings["features"])
            parts = {str(name): dict(items) for name, items in settings["parts"].items()}
            numbers = np.array([*settings["typical"], settings["mean"], settings["scale"]], dtype=np.float64)
            if not np.isfinite(numbers).all():
                raise DataError("the blend contains numbers that are not finite", path=str(path))
            card = (folder / _CARD).read_text(encoding="utf-8")
            model = cls(features, regressor, numbers[:-2], float(numbers[-2]), float(numbers[-1]), card, manifest)
        except OptionError as error:
            raise DataError(f"the blend cannot be used here: {error}", path=str(path)) from error
        except (DataError, FileError):
            raise
        except _DAMAGE as error:
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            raise DataError(f"the blend is damaged ({what}); copy or learn it again", path=str(path)) from error
        _check_parts(model, parts, str(path))
        return model


def metrics_of(features: Sequence[Feature]) -> list[SentenceMetric]:
    """Return the metrics of *features*, each once."""
    return list(dict.fromkeys(feature.metric for feature in features))


def part_items(metric: SentenceMetric) -> dict[str, str]:
    """Return everything that can change the score of a part: options, and digests of its tables and models."""
    items = metric.for_segments().signature_items().items()
    return {key: str(value) for key, value in items if key not in _VERSIONS}


def _check_parts(model: BlendModel, recorded: Mapping[str, Mapping[str, str]], path: str) -> None:
    """Refuse a model whose metrics have changed: their scores would mean something else to the regressor."""
    for metric in metrics_of(model.features):
        then, now = recorded.get(str(metric)), part_items(metric)
        if then is None:
            raise DataError(f"the blend is damaged (nothing is said about {metric}); learn it again", path=path)
        for key in dict.fromkeys([*then, *now]):
            if then.get(key) != now.get(key):
                made_by = model.manifest.made_by if model.manifest is not None else "?"
                raise DataError(
                    f"the blend was learned with {metric} of {key}:{then.get(key, 'none')} by paragauge {made_by}; "
                    f"here it has {key}:{now.get(key, 'none')}: learn the blend again, or use the version of "
                    "paragauge and the tables that it was learned with",
                    path=path,
                )


open_blend = ModelOpener(BlendModel.open, SHIPPED / "blend" / TRANSLATION)
