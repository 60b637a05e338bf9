"""The model file: named blocks of bytes in one flat file, mapped into memory unchanged.

Layout, little-endian: eight bytes ``PGENGLI2``; the SHA-256 of everything after it; the number of blocks (u64); for
each block its name (16 bytes, padded with zeros), its offset (from the start of the file, a multiple of 8) and its
length (u64 each); the blocks. ``meta`` is JSON with the names of tags, relations and labels; the others are for the
native core, which checks every number in them that it relies on. Nothing in the file is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paragauge.errors import DataError
from paragauge.io import PathLike, atomic_output, file_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAGIC = b"PGENGLI2"
_ENTRY = struct.Struct("<16sQQ")
_BODY = len(_MAGIC) + hashlib.sha256().digest_size
_MOST_BLOCKS = 64
BLOCKS = ("words", "tagger", "arcs", "relations", "structure", "labels")


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The models of English, in the form that the native core expects."""

    tags: tuple[str, ...]
    relations: tuple[str, ...]
    labels: tuple[str, ...]
    """Labels of constituents; the first means no label, and ``S+VP`` is an S over a VP on the same words."""
    notes: Mapping[str, Any]
    """Origin of the model: treebanks, licences, figures."""
    blocks: Mapping[str, NDArray[np.uint8]] = field(repr=False)
    digest: str
    """The first 12 digits of the file's SHA-256."""

    @classmethod
    def read(cls, path: PathLike) -> Model:
        """Map the model file *path*.

        Raises:
            FileError: It cannot be read.
            DataError: It is not a model file, or is damaged.
        """
        name = str(path)
        meta, blocks, digest = read_blocks(path, _MAGIC, "a model file for English analysis", BLOCKS)
        try:
            tags, relations, labels = (tuple(map(str, meta[key])) for key in ("tags", "relations", "labels"))
            notes = dict(meta["notes"])
        except (KeyError, ValueError, TypeError) as error:
            raise DataError(f"the names in the model file cannot be read ({error})", path=name) from error
        return cls(tags, relations, labels, notes, blocks, digest)


def read_blocks(
    path: PathLike, magic: bytes, what: str, expected: Sequence[str]
) -> tuple[dict[str, Any], dict[str, NDArray[np.uint8]], str]:
    """Return the names, the blocks and the digest of a model file that begins with *magic*.

    Raises:
        FileError: It cannot be read.
        DataError: It is not *what*, or is damaged.
    """
    name = str(path)
    try:
        data: NDArray[np.uint8] = np.memmap(path, np.uint8, "r") if Path(path).stat().st_size else np.empty(0, np.uint8)
    except OSError as error:
        raise file_error(path, error, "read") from error
    if data[: len(magic)].tobytes() != magic or len(data) < _BODY + 8:
        raise DataError(f"is not {what}", path=name)
    digest = hashlib.sha256(data[_BODY:].data).digest()
    if digest != data[len(magic) : _BODY].tobytes():
        raise DataError("the model file is damaged (its digest differs); install or create it again", path=name)
    blocks = _blocks(data, name)
    try:
        meta = json.loads(blocks.pop("meta").tobytes())
        if not isinstance(meta, dict):
            raise ValueError("they are no object")
    except (KeyError, ValueError, RecursionError) as error:
        raise DataError(f"the names in the model file cannot be read ({error})", path=name) from error
    missing = [key for key in expected if key not in blocks]
    if missing:
        raise DataError(f"the model file has no block {missing[0]!r}", path=name)
    return meta, blocks, digest.hex()[:12]


def write_model(path: PathLike, meta: Mapping[str, Any], blocks: Mapping[str, bytes]) -> None:
    """Write a model file of English analysis; the same contents give the same bytes."""
    write_blocks(path, _MAGIC, meta, blocks)


def write_blocks(path: PathLike, magic: bytes, meta: Mapping[str, Any], blocks: Mapping[str, bytes]) -> None:
    """Write a model file that begins with *magic*."""
    parts = {"meta": json.dumps(meta, sort_keys=True, ensure_ascii=False).encode(), **blocks}
    position = _BODY + 8 + _ENTRY.size * len(parts)
    table, body = struct.pack("<Q", len(parts)), b""
    for name, part in parts.items():
        padding = -(position + len(body)) % 8
        body += b"\0" * padding
        table += _ENTRY.pack(name.encode("ascii"), position + len(body), len(part))
        body += part
    with atomic_output(path) as file:
        file.write(magic + hashlib.sha256(table + body).digest() + table + body)


def _blocks(data: NDArray[np.uint8], path: str) -> dict[str, NDArray[np.uint8]]:
    (count,) = struct.unpack("<Q", data[_BODY : _BODY + 8].tobytes())
    end_of_table = _BODY + 8 + _ENTRY.size * count
    if count > _MOST_BLOCKS or end_of_table > len(data):
        raise DataError(f"the model file is damaged: it lists {count} blocks, more than it contains", path=path)
    blocks = {}
    for entry in range(count):
        place = _BODY + 8 + _ENTRY.size * entry
        raw, begin, length = _ENTRY.unpack(data[place : place + _ENTRY.size].tobytes())
        if begin % 8 or begin < end_of_table or begin + length > len(data):
            raise DataError("the model file is damaged: a block is outside the file", path=path)
        blocks[raw.rstrip(b"\0").decode("ascii", "replace")] = data[begin : begin + length]
    return blocks
