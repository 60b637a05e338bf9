"""Where a model lies and what it consists of, found out without running any code of it.

A model is a folder, or a package that contains one: packages are located, not imported. Weights are read from
safetensors files only, which hold nothing but numbers; pickled weights, and models that bring their own code, are
refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import digest

_WEIGHTS = ".safetensors"
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
_RELEVANT = (_WEIGHTS, ".json", ".txt", ".model")  # files that can change a vector
_DEPTH = 2  # folders below that of a package in which its model is looked for


@dataclass(frozen=True)
class ModelFolder:
    """The files of a model.

    Attributes:
        name: The model as the user named it.
        path: Its folder.
        config: Contents of ``config.json``; empty if there is none.
        weights: Its weights.
        tokenizer: Its ``tokenizer.json``, or the like.
    """

    name: str
    path: Path
    config: dict[str, Any]
    weights: tuple[Path, ...]
    tokenizer: Path

    @property
    def static(self) -> bool:
        """Whether the model is a table of vectors, one for each token, and no network."""
        return bool(self.config.get("model_type", "model2vec") == "model2vec")

    @property
    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """What changes if a file is replaced, and costs little to find out."""
        states = [(str(file), file.stat()) for file in self._files()]
        return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)

    def digest(self) -> str:
        """Return the digest of all files that can change a vector."""
        contents = {}
        for file in self._files():
            with file.open("rb") as opened:
                contents[str(file.relative_to(self.path))] = hashlib.file_digest(opened, "sha256").hexdigest()
        return digest(json.dumps(contents, sort_keys=True).encode())

    def read_json(self, name: str) -> Any:
        """Return the contents of the file *name* in the folder; ``None`` if there is none."""
        return _read_json(self.path / name, self.name)

    def _files(self) -> list[Path]:
        if self.path in self.tokenizer.parents and self.config:
            return sorted(file for file in self.path.rglob("*") if file.suffix in _RELEVANT and file.is_file())
        return sorted((*self.weights, self.tokenizer))


def find_model(name: str) -> ModelFolder:
    """Return the files of the model *name*: a folder, or an installed package.

    Raises:
        FileError: There is no such folder.
        OptionError: There is no such package.
        DataError: The folder is not a model, or has weights or code that are not safe to load.
    """
    if os.sep in name or name.startswith((".", "~")) or Path(name).is_dir():
        root = Path(name).expanduser()
        if not root.is_dir():
            what = "is a file" if root.exists() else "no such folder"
            raise FileError(
                f"{name}: {what}, expected the folder of a model (config.json, tokenizer.json, *{_WEIGHTS})"
            )
    else:
        root = _package_folder(name)
    pickled: list[str] = []
    for folder in _folders(root, _DEPTH):
        model = _model_in(folder, name)
        if model is not None:
            return model
        pickled += [file.name for file in sorted(folder.iterdir()) if file.suffix in _PICKLED]
    if pickled:
        raise DataError(
            f"has its weights in {pickled[0]}, which can run code when it is loaded; expected *{_WEIGHTS}: convert the "
            "model with save_pretrained(safe_serialization=True), or take a version that has such a file",
            path=name,
        )
    raise DataError(
        f"is not the folder of a model; expected tokenizer.json and *{_WEIGHTS}, and config.json for a network",
        path=name,
    )


def _package_folder(name: str) -> Path:
    from importlib.util import find_spec

    module = name.replace("-", "_")
    # Only a top-level name is located without importing anything.
    spec = find_spec(module) if module.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        hint = "pip install 'paragauge[static]'" if module == "wordllama" else f"pip install {name}"
        raise OptionError(
            f"there is no folder and no installed package named {name!r}; give the path of a model, or install the "
            f"package: {hint}"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _folders(root: Path, depth: int) -> Iterator[Path]:
    yield root
    if depth > 0:
        for child in sorted(root.iterdir()):
            if child.is_dir() and not child.name.startswith((".", "_")):
                yield from _folders(child, depth - 1)


def _model_in(folder: Path, name: str) -> ModelFolder | None:
    config = _read_json(folder / "config.json", name)
    tokenizer = folder / "tokenizer.json"
    weights = tuple(sorted(folder.glob(f"*{_WEIGHTS}")))
    if weights and tokenizer.is_file():
        if config is not None and not isinstance(config, dict):
            raise DataError("config.json is not an object, so this is no model", path=name)
        if config and "auto_map" in config:
            raise DataError("needs code of its own (auto_map in config.json), which is never run here", path=name)
        return ModelFolder(name, folder, config or {}, weights, tokenizer)
    # The layout of wordllama: folders of weights and of tokenisers, with names that belong together.
    tables = sorted(folder.glob(f"weights/*{_WEIGHTS}"))
    tokenizers = sorted(folder.glob("tokenizers/*_tokenizer_config.json"))
    for table in tables:
        for path in tokenizers:
            if table.name.startswith(path.name.removesuffix("_tokenizer_config.json") + "_"):
                return ModelFolder(name, folder, {}, (table,), path)
    return None


def _read_json(path: Path, name: str) -> Any:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{path.name} cannot be read ({error})", path=name) from error
