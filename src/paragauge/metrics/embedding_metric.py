"""What metrics over embeddings share: a model from disk, and what the candidates are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError, ParagaugeError
from paragauge.metrics.base import Need, SentenceMetric, check_choice, check_number

if TYPE_CHECKING:
    from paragauge.embeddings import Embedder

# Vectors are 32-bit numbers, and their last digits depend on the processor and on the other texts of a batch.
DECIMALS = 6


@dataclass(frozen=True, kw_only=True)
class EmbeddingMetric(SentenceMetric):
    """A metric that compares embeddings."""

    model: str | None = None  # a folder or an installed package; there is no default, since models differ too much

    scale: ClassVar[str] = "-1 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    example_model: ClassVar[str] = "wordllama"  # in the help
    resource_keys: ClassVar[tuple[str, ...]] = ("model",)

    def __post_init__(self) -> None:
        if self.model is not None and (not isinstance(self.model, str) or not self.model):
            raise OptionError(f"the option 'model' of {self.name} must be a folder or a package; got {self.model!r}")
        if self.token_layer is not None:
            check_number(self.name, "layer", self.token_layer, low=1, whole=True)

    @property
    def token_layer(self) -> int | None:
        """The layer whose vectors of tokens are taken, from 1; ``None`` for the last, or if only sentences count."""
        return None

    @property
    def available(self) -> bool:
        if self.model is None:
            return False
        try:
            _ = self.embedder
        except ParagaugeError:
            return False
        return True

    @property
    def embedder(self) -> Embedder:
        """The model, opened."""
        from paragauge.embeddings import embedder

        if self.model is None:
            raise OptionError(
                f"{self.name} needs a model: {self.name}(model=PATH), the folder of a model or an installed package; "
                "pip install 'paragauge[static]' provides model=wordllama"
            )
        return embedder(self.model, layer=self.token_layer)

    def signature_items(self) -> dict[str, object]:
        layer = {} if self.token_layer is None else {"layer": self.token_layer}
        return {"model": self.embedder.signature, **layer}


@dataclass(frozen=True, kw_only=True)
class ComparingMetric(EmbeddingMetric):
    """A metric that compares candidates with their references, or with their originals."""

    against: Literal["references", "originals"] = "references"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "against", self.against, ("references", "originals"))
        object.__setattr__(self, "needs", frozenset({self.against}))

    def others(self, segments: Segments) -> tuple[tuple[str, ...], ...]:
        """Return the texts with which each candidate is compared."""
        if self.against == "originals":
            return tuple((text,) for text in segments.originals or ())
        return segments.references or ()

    def signature_items(self) -> dict[str, object]:
        return {"against": self.against, **super().signature_items()}
