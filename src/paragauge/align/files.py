"""A trained aligner as a resource folder: the words as text, the tables as NumPy arrays.

    source.words             one word per line, in the order of their numbers
    target.words
    rows.npy columns.npy     the word pairs in the tables, row by row
    counts_forward.npy ...   expected counts, their totals, the null word, jump weights; both directions

Loading runs no code (arrays are read without pickle) and checks digests, types, lengths and ranges.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from paragauge.align.options import AlignerOptions
from paragauge.align.training import native_options
from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, write_lines
from paragauge.resource import MANIFEST, Manifest, read_manifest, steadily, write_resource
from paragauge.storage.store import open_array

if TYPE_CHECKING:
    from paragauge.align.aligner import Aligner

KIND = "aligner"
FORMAT = 1
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

    with write_resource(folder, KIND, format=FORMAT, options=asdict(aligner.options)) as part:
        for name, words in zip(_WORDS, (aligner.source_words, aligner.target_words), strict=True):
            write_lines(part / name, words)
        for name, array in aligner._native.arrays().items():
            np.save(part / f"{name}.npy", array, allow_pickle=False)


@steadily
def load_aligner(path: PathLike) -> Aligner:
    """Return the aligner saved in the folder *path*."""
    from paragauge import _core
    from paragauge.align.aligner import Aligner

    place = Path(path)
    manifest = read_manifest(place, KIND, newest_format=FORMAT)
    options = _read_options(place, manifest)
    if set(manifest.files) != {*_WORDS, *(f"{name}.npy" for name in _ARRAYS)}:
        raise _damaged(place / MANIFEST, "the manifest does not list the files of an aligner")
    words = [_read_words(place / name) for name in _WORDS]
    arrays = {name: open_array(place / f"{name}.npy", kind) for name, kind in _ARRAYS.items()}
    for side, name in ((0, "totals_forward"), (1, "totals_backward")):
        if len(arrays[name]) != len(words[side]):
            raise _damaged(place / f"{name}.npy", f"found {len(arrays[name])} entries for {len(words[side])} words")
    hmm = options.hmm_iterations > 0
    try:
        native = _core.aligner_from_arrays(arrays, native_options(options), hmm, options.max_length)
    except ValueError as error:
        raise _damaged(place, str(error)) from error
    return Aligner(native, options, words[0], words[1])


def _damaged(path: Path, what: str) -> DataError:
    return DataError(f"{what}; the saved aligner is damaged: copy it again, or train a new one", path=os.fspath(path))


def _read_options(place: Path, manifest: Manifest) -> AlignerOptions:
    try:
        return AlignerOptions(**manifest.options)
    except (TypeError, OptionError) as error:
        raise _damaged(place / MANIFEST, f"the options are invalid ({error})") from error


def _read_words(path: Path) -> list[str]:
    try:
        words = path.read_bytes().decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise _damaged(path, "the file is not UTF-8") from error
    if len(set(words)) != len(words):
        raise _damaged(path, "the file lists a word twice")
    return words
