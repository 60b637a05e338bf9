"""Small models that tests make: a table of vectors, and a BERT with random weights. Both are real, if useless."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

WORDS = "[PAD] [UNK] [CLS] [SEP] the a cat dog sat ran on mat house , . !".split()


def write_tokenizer(path: Path, *, marks: bool) -> None:
    """Write a tokeniser of whole words, with marks of beginning and end if asked for."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if marks:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    tokenizer.save(str(path))


def static_model(folder: Path, *, seed: int = 1, columns: int = 8) -> Path:
    """Write a table of vectors, one for each word."""
    from safetensors.numpy import save_file

    folder.mkdir()
    write_tokenizer(folder / "tokenizer.json", marks=False)
    table = np.random.default_rng(seed).normal(size=(len(WORDS), columns)).astype(np.float32)
    save_file({"embeddings": table}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec"}))
    return folder


def tiny_bert(folder: Path, *, pooling: str = "mean", longest: int = 16) -> Path:
    """Write a BERT of two layers as sentence-transformers lays it out; needs torch and transformers."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder, safe_serialization=True)
    write_tokenizer(folder / "tokenizer.json", marks=True)
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 32, **special}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    modes = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}
    pooled = {f"pooling_mode_{value}": key == pooling for key, value in modes.items()}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 16, **pooled}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": longest, "do_lower_case": False}))
    return folder
