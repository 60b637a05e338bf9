"""A trained aligner as a folder: a JSON manifest, the words as text, the tables as NumPy arrays.

    manifest.json            format, version, options, and the digest of every other file
    source.words             one word for each line, in the order of their numbers
    target.words
    rows.npy columns.npy     which word pairs the tables hold, row by row
    counts_forward.npy ...   expected counts, their totals, the null word, jump weights; both directions

Loading runs no code (arrays are read without pickle) and checks digests, types, lengths and ranges.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.align.options import AlignerOptions
from paragauge.align.training import native_options
from paragauge.errors import DataError, FileError, OptionError
from paragauge.io import PathLike, digest_file, read_bytes, write_lines

if TYPE_CHECKING:
    from paragauge.align.aligner import Aligner

FORMAT = "paragauge-aligner"
VERSION = 1
MANIFEST = "manifest.json"
_WORDS = ("source.words", "target.words")
_ARRAYS = {
    "rows": "int64",
    "columns": "int32",
    **{
        f"{name}_{direction}": kind
        for name, kind in (
            ("counts", "float32"),
            ("totals", "float32"),
            ("null", "float32"),
            ("jumps", "float64"),
        )
        for direction in ("forward", "backward")
    },
}


def save_aligner(aligner: Aligner, folder: PathLike) -> None:
    """Write *aligner* to *folder*, whole or not at all."""
    import numpy as np

    with _new_folder(Path(folder)) as part:
        for name, words in zip(_WORDS, (aligner.source_words, aligner.target_words), strict=True):
            write_lines(part / name, words)
        for name, array in aligner._native.arrays().items():
            np.save(part / f"{name}.npy", array, allow_pickle=False)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "options": asdict(aligner.options),
            "files": {file.name: digest_file(file) for file in sorted(part.iterdir())},
        }
        write_lines(part / MANIFEST, json.dumps(manifest, indent=2).split("\n"))


@contextlib.contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Give a folder to fill, which takes the place of *target* when the block ends well."""
    if target.exists() and not _replaceable(target):
        raise FileError(f"{target}: cannot write: it exists and is not a saved aligner; give a new folder")
    part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    old = part.with_suffix(".old")
    try:
        part.mkdir(parents=True)
        yield part
        if target.exists():
            target.rename(old)
        part.rename(target)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{target}: cannot write: {error.strerror or error}") from error
    finally:
        if old.exists() and not target.exists():  # the old one was moved, the new one did not arrive
            old.rename(target)
        for rest in (part, old):
            shutil.rmtree(rest, ignore_errors=True)


def _replaceable(target: Path) -> bool:
    if not target.is_dir() or target.is_symlink():
        return False
    names = {file.name for file in target.iterdir()}
    ours = {MANIFEST, *_WORDS, *(f"{name}.npy" for name in _ARRAYS)}
    return not names or (MANIFEST in names and names <= ours)


def load_aligner(folder: PathLike) -> Aligner:
    """Return the aligner saved in *folder*."""
    from paragauge import _core
    from paragauge.align.aligner import Aligner

    place = Path(folder)
    manifest = _read_manifest(place)
    options = _read_options(place, manifest)
    _check_digests(place, manifest)
    words = [_read_words(place / name) for name in _WORDS]
    arrays = {name: _read_array(place / f"{name}.npy", kind) for name, kind in _ARRAYS.items()}
    for side, name in ((0, "totals_forward"), (1, "totals_backward")):
        if len(arrays[name]) != len(words[side]):
            raise _damaged(
                place / f"{name}.npy", f"has {len(arrays[name])} entries for {len(words[side])} words"
            )
    hmm = options.hmm_iterations > 0
    try:
        native = _core.aligner_from_arrays(arrays, native_options(options), hmm, options.max_length)
    except ValueError as error:
        raise _damaged(place, str(error)) from error
    return Aligner(native, options, *words)


def _damaged(path: Path, what: str) -> DataError:
    return DataError(f"{what}; the saved aligner is damaged, copy it or train it again", path=os.fspath(path))


def _read_manifest(place: Path) -> dict[str, Any]:
    path = place / MANIFEST
    if not path.is_file():
        raise FileError(f"{place}: cannot read: no {MANIFEST} in it; expected a folder made by --save-model")
    try:
        manifest = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise _damaged(path, f"is not JSON ({error})") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DataError(
            f"is not the manifest of an aligner; expected format {FORMAT!r}", path=os.fspath(path)
        )
    if manifest.get("version") != VERSION:
        raise DataError(
            f"has version {manifest.get('version')!r}, this program reads version {VERSION}; "
            "use the program that wrote it, or train again",
            path=os.fspath(path),
        )
    return manifest


def _read_options(place: Path, manifest: dict[str, Any]) -> AlignerOptions:
    try:
        return AlignerOptions(**manifest["options"])
    except (KeyError, TypeError, OptionError) as error:
        raise _damaged(place / MANIFEST, f"has unusable options ({error})") from error


def _check_digests(place: Path, manifest: dict[str, Any]) -> None:
    digests = manifest.get("files")
    expected = {*_WORDS, *(f"{name}.npy" for name in _ARRAYS)}
    if not isinstance(digests, dict) or set(digests) != expected:
        raise _damaged(place / MANIFEST, "does not list the files of an aligner")
    for name in sorted(expected):
        if digest_file(place / name) != digests[name]:
            raise _damaged(place / name, "differs from its digest in the manifest")


def _read_words(path: Path) -> list[str]:
    try:
        words = path.read_bytes().decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise _damaged(path, "is not UTF-8") from error
    if len(set(words)) != len(words):
        raise _damaged(path, "lists a word twice")
    return words


def _read_array(path: Path, kind: str) -> Any:
    import numpy as np

    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(path, f"cannot be read as an array ({error})") from error
    if array.dtype != np.dtype(kind) or array.ndim != 1 or not array.flags.c_contiguous:
        raise _damaged(
            path, f"is {array.ndim}-dimensional of type {array.dtype}, expected one dimension of {kind}"
        )
    return array
