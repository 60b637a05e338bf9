"""Metrics that score with a trained model: the default that ships with paragauge, or another folder."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from paragauge.errors import OptionError
from paragauge.metrics.base import SentenceMetric
from paragauge.resource import DEFAULT, ModelOpener


@dataclass(frozen=True, kw_only=True)
class ModelMetric(SentenceMetric):
    """A metric that scores candidates with a trained model."""

    model: str = DEFAULT  # or the folder of another model

    opener: ClassVar[ModelOpener[Any]]

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model:
            raise OptionError(f"the option 'model' of {self.name} must be 'default' or a folder; got {self.model!r}")

    @classmethod
    def load(cls, model: str = DEFAULT) -> Self:
        """Return the metric with the model *model* (``default`` or a folder), opened immediately.

        Raises:
            FileError: There is no such folder.
            DataError: It is a model for another metric, too old, too new, or damaged.
        """
        metric = cls(model=model)
        _ = metric.opened
        return metric

    @property
    @abstractmethod
    def opened(self) -> Any:
        """The model."""

    @property
    def available(self) -> bool:
        return self.opener.folder(self.model).is_dir()
