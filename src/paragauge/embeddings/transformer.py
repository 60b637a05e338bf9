"""Embeddings by a transformer network (BERT and its relatives), run by the libraries torch and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.embeddings.embedder import CACHE_BYTES, Embedder, Embedding, unit
from paragauge.embeddings.folder import ModelFolder
from paragauge.errors import DataError, MissingExtraError, OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_POOLING = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean", "pooling_mode_max_tokens": "max"}
_UNBOUNDED = 1 << 20  # what tokenisers give as their longest text if they know none


@dataclass(frozen=True)
class Settings:
    """How sentences are embedded, as sentence-transformers records it.

    Attributes:
        pooling: How the vectors of tokens become that of the sentence: ``mean``, ``cls`` (the first) or ``max``.
        longest: Tokens of a text that are read.
        lowercase: Whether letters are lowered first.
    """

    pooling: str = "mean"
    longest: int = 512
    lowercase: bool = False

    @classmethod
    def of(cls, folder: ModelFolder) -> Settings:
        """Return the settings of the model in *folder*; without files of sentence-transformers, the mean of tokens.

        Raises:
            DataError: The model has a part that is not supported.
        """
        pooling = "mean"
        for module in folder.read_json("modules.json") or ():
            kind = str(module.get("type", "")).rpartition(".")[2]
            if kind == "Pooling":
                pooling = _pooling(folder.read_json(f"{module['path']}/config.json") or {}, folder.name)
            elif kind not in ("Transformer", "Normalize"):
                raise DataError(
                    f"has a part of the kind {kind!r}; supported are Transformer, Pooling and Normalize",
                    path=folder.name,
                )
        sentences = folder.read_json("sentence_bert_config.json") or {}
        positions = int(folder.config.get("max_position_embeddings", _UNBOUNDED))
        # RoBERTa and its relatives number positions from the padding token on.
        if folder.config.get("model_type") in ("roberta", "xlm-roberta", "camembert"):
            positions -= int(folder.config.get("pad_token_id", 1)) + 1
        longest = min(int(sentences.get("max_seq_length") or positions), positions)
        return cls(pooling, longest, bool(sentences.get("do_lower_case")))


def _pooling(config: dict[str, Any], name: str) -> str:
    modes = [key for key, value in config.items() if key.startswith("pooling_mode") and value is True]
    if "pooling_mode" in config:  # newer files name it directly
        mode = config["pooling_mode"]
        found = mode if mode in _POOLING.values() else None
    else:
        found = _POOLING.get(modes[0]) if len(modes) == 1 else None
    if found is None:
        raise DataError(
            f"does not pool tokens in a supported way (mean, cls or max); found {', '.join(modes) or 'none'}",
            path=name,
        )
    return str(found)


class TransformerEmbedder(Embedder):
    """A network that reads the tokens of a text together."""

    def __init__(
        self,
        network: Any,
        tokenizer: Any,
        settings: Settings,
        signature: str,
        *,
        layer: int | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        super().__init__(signature, cache_bytes=cache_bytes)
        self.network = network
        self.tokenizer = tokenizer
        self.settings = settings
        self.layer = layer

    @classmethod
    def open(cls, folder: ModelFolder, *, layer: int | None = None) -> TransformerEmbedder:
        """Return the model in *folder*.

        Raises:
            OptionError: It has no such layer.
            DataError: The network cannot be loaded.
            MissingExtraError: The libraries that run it are not installed.
        """
        settings = Settings.of(folder)
        layers = folder.config.get("num_hidden_layers")
        if layer is not None and isinstance(layers, int) and not 1 <= layer <= layers:
            raise OptionError(f"the model {folder.name} has the layers 1 to {layers}; got layer {layer}")
        try:
            import torch  # noqa: F401
            from transformers import AutoModel, AutoTokenizer
            from transformers.utils import logging
        except ImportError as error:
            raise MissingExtraError("a network", "torch and transformers", "neural") from error
        local = {"local_files_only": True, "trust_remote_code": False}
        shown = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            network = AutoModel.from_pretrained(folder.path, use_safetensors=True, **local)
            tokenizer = AutoTokenizer.from_pretrained(folder.path, use_fast=True, **local)
        except Exception as error:  # the library raises anything for a damaged folder
            raise DataError(f"the network cannot be loaded ({error})", path=folder.name) from error
        finally:
            if shown:
                logging.enable_progress_bar()
        network.eval()
        kind = folder.config.get("model_type", "network")
        return cls(network, tokenizer, settings, f"{kind}-{folder.digest()}", layer=layer)

    def encode(self, texts: Sequence[str]) -> list[Embedding]:
        import torch

        read = [text.lower() for text in texts] if self.settings.lowercase else list(texts)
        limit = {"truncation": True, "max_length": self.settings.longest}
        inputs = self.tokenizer(read, padding=True, return_tensors="pt", return_special_tokens_mask=True, **limit)
        marks = inputs.pop("special_tokens_mask").numpy().astype(bool)
        present = inputs["attention_mask"].numpy().astype(bool)
        with torch.inference_mode():
            outputs = self.network(**inputs, output_hidden_states=self.layer is not None)
        last = outputs.last_hidden_state.float().numpy()
        tokens = last if self.layer is None else outputs.hidden_states[self.layer].float().numpy()
        embeddings = []
        for row, ids in enumerate(inputs["input_ids"].tolist()):
            kept = present[row]
            content = ~marks[row][kept]
            pieces = self.tokenizer.convert_ids_to_tokens(
                [token for token, real in zip(ids, kept, strict=True) if real]
            )
            # The only sign of a cut text is that it is as long as it may be.
            cut = len(pieces) >= self.settings.longest and self._length(read[row]) > len(pieces)
            sentence = unit(self._pooled(last[row][kept])) if content.any() else 0 * last[row][0]
            embeddings.append(Embedding(sentence, unit(tokens[row][kept]), content, tuple(pieces), cut))
        return embeddings

    def _length(self, text: str) -> int:
        return len(self.tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def _pooled(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        pooled: NDArray[np.float32]
        if self.settings.pooling == "cls":
            pooled = vectors[0]
        else:
            pooled = vectors.max(axis=0) if self.settings.pooling == "max" else vectors.mean(axis=0)
        return pooled
