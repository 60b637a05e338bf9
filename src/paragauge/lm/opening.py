"""Opening model files of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paragauge.io import PathLike, file_error
from paragauge.lm.arpa import KENLM_BINARY
from paragauge.lm.model import LanguageModel, NgramModel


def open_model(path: PathLike) -> NgramModel[Any]:
    """Return the model in *path*: a folder of paragauge, an ARPA file, or a KenLM binary file, recognised by content.

    Raises:
        FileError: There is no such file or folder, or it cannot be read.
        DataError: It is not a language model, or it is damaged.
        MissingExtraError: It is a KenLM binary file, and the package kenlm is not installed.
    """
    if Path(path).is_file() and _head(path) == KENLM_BINARY:
        from paragauge.lm.kenlm import KenlmModel

        return KenlmModel(path)
    return LanguageModel.load(path)


def _head(path: PathLike) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(KENLM_BINARY))
    except OSError as error:
        raise file_error(path, error, "read") from error
