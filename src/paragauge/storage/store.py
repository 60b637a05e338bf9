"""Columns of a table: NumPy arrays in memory, or memory-mapped files of a resource folder."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

from paragauge.errors import DataError
from paragauge.io import PathLike

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

Columns: TypeAlias = Mapping[str, "NDArray[Any]"]

# Smaller files are read: mapping them would cost more, and an empty file cannot be mapped.
_MAP_FROM = 1 << 16
_DECODED_AT_ONCE = 1 << 22


class ColumnSink(Protocol):
    """Receives columns piece by piece."""

    def append(self, name: str, values: NDArray[Any]) -> None:
        """Add *values* to the end of a column."""

    def finish(self, names: Iterable[str]) -> Columns:
        """Complete some columns, and return them."""


class MemorySink:
    """Collects columns in memory."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self._types = types
        self._pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in types}

    def append(self, name: str, values: NDArray[Any]) -> None:
        """Add *values* to the end of a column."""
        self._pieces[name].append(values.astype(self._types[name], copy=False))

    def finish(self, names: Iterable[str]) -> Columns:
        """Complete some columns, and return them."""
        import numpy as np

        names = list(names)
        for name in names:
            self._pieces[name] = [np.concatenate([np.empty(0, self._types[name]), *self._pieces[name]])]
        return {name: self._pieces[name][0] for name in names}


class FolderSink:
    """Writes columns to ``NAME.npy`` files as they come, so that memory holds one piece at a time."""

    def __init__(self, folder: Path, types: Mapping[str, str]) -> None:
        self._folder = folder
        self._types = types
        self._files: dict[str, BinaryIO] = {}
        self._lengths = dict.fromkeys(types, 0)

    def append(self, name: str, values: NDArray[Any]) -> None:
        """Add *values* to the end of a column."""
        import numpy as np

        self._file(name).write(np.ascontiguousarray(values, dtype=self._types[name]).data)
        self._lengths[name] += len(values)

    def finish(self, names: Iterable[str]) -> Columns:
        """Write the final lengths of some columns, close their files, and return the columns memory-mapped."""
        names = list(names)
        for name in names:
            file = self._file(name)
            file.seek(0)
            file.write(_header(self._types[name], self._lengths[name]))
            self._files.pop(name).close()
        return open_columns(self._folder, {name: self._types[name] for name in names})

    def _file(self, name: str) -> BinaryIO:
        if name not in self._files:
            self._files[name] = (self._folder / f"{name}.npy").open("wb")
            self._files[name].write(_header(self._types[name], 0))
        return self._files[name]

    def close(self) -> None:
        """Close files that are still open after a failure."""
        for file in self._files.values():
            file.close()


def _header(kind: str, length: int) -> bytes:
    """Return the header of a one-dimensional .npy file (version 1.0), always 128 bytes, so that it can be replaced."""
    import numpy as np

    text = f"{{'descr': {np.dtype(kind).str!r}, 'fortran_order': False, 'shape': ({length},), }}"
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + text.encode().ljust(117) + b"\n"


def write_columns(folder: Path, columns: Columns, types: Mapping[str, str]) -> None:
    """Write whole *columns* into a folder."""
    sink = FolderSink(folder, types)
    for name in types:
        sink.append(name, columns[name])
        sink.finish([name])


def open_columns(folder: PathLike, types: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """Return the columns of a folder, memory-mapped instead of read.

    Raises:
        DataError: A file is not a column of the expected type.
    """
    return {name: open_array(Path(folder) / f"{name}.npy", kind) for name, kind in types.items()}


def open_array(file: Path, kind: str, dimensions: int = 1) -> NDArray[Any]:
    """Return the array in an ``.npy`` file, memory-mapped unless it is small.

    The header must have the expected type and describe exactly the bytes that follow it, so that nothing is mapped or
    allocated that is not in the file.

    Raises:
        DataError: The file cannot be read, or is not such an array.
    """
    import numpy as np

    try:
        with file.open("rb") as opened:
            if np.lib.format.read_magic(opened) != (1, 0):
                raise ValueError("unknown version of the .npy format")
            shape, fortran_order, found = np.lib.format.read_array_header_1_0(opened)
            begin = opened.tell()
            size = os.fstat(opened.fileno()).st_size
            expected = np.dtype(kind)
            if found != expected or len(shape) != dimensions or (fortran_order and dimensions > 1):
                raise ValueError(f"holds {found.str} in {len(shape)} dimension(s), expected {kind} in {dimensions}")
            if min(shape) < 0 or begin + prod(shape) * expected.itemsize != size:
                raise ValueError(f"its header describes {shape} entries, which do not make up its {size:,} bytes")
            if size < _MAP_FROM:
                return np.frombuffer(opened.read(), expected).reshape(shape)
            # A memmap costs microseconds to index; the plain array over the same memory does not.
            mapped: NDArray[Any] = np.memmap(opened, expected, "r", begin, shape).view(np.ndarray)
            return mapped
    except (
        OSError,
        ValueError,
        EOFError,
        SyntaxError,
        TokenError,
        TypeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"is not an array of this resource ({what}); copy or make it again", path=str(file)) from error


def check_offsets(name: str, offsets: NDArray[np.int64], end: int, path: str) -> None:
    """Raise a `DataError` unless *offsets* start with 0, never decrease, and end with *end*."""
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != end or bool((offsets[1:] < offsets[:-1]).any()):
        raise DataError(f"the offsets do not fit what they divide ({end:,} items)", path=f"{path}/{name}.npy")


def check_numbers(name: str, numbers: NDArray[Any], count: int, path: str) -> None:
    """Raise a `DataError` unless all *numbers* lie between 0 and *count* - 1."""
    if len(numbers) and not (int(numbers.min()) >= 0 and int(numbers.max()) < count):
        raise DataError(f"a number is out of range, expected 0 to {count - 1:,}", path=f"{path}/{name}.npy")


def check_strings(name: str, columns: Columns, path: str) -> None:
    """Raise a `DataError` unless the columns ``NAME.text`` and ``NAME.offsets`` hold strings in UTF-8."""
    text, offsets = columns[f"{name}.text"], columns[f"{name}.offsets"]
    check_offsets(f"{name}.offsets", offsets, len(text), path)
    starts = offsets[:-1][offsets[:-1] < offsets[1:]]
    place = 0
    try:
        if bool((text[starts] & 0xC0 == 0x80).any()):
            raise DataError("an offset divides a character", path=f"{path}/{name}.offsets.npy")
        decoder = codecs.getincrementaldecoder("utf-8")()
        for place in range(0, len(text), _DECODED_AT_ONCE):
            decoder.decode(text[place : place + _DECODED_AT_ONCE].data)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise DataError(
            f"is not UTF-8 text near byte {place + error.start:,}", path=f"{path}/{name}.text.npy"
        ) from error


def pack_strings(texts: Iterable[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return strings as one array of bytes, and their offsets."""
    import numpy as np

    data = [text.encode("utf-8") for text in texts]
    offsets = np.array([0, *accumulate(map(len, data))], dtype=np.int64)
    return np.frombuffer(b"".join(data), dtype=np.uint8), offsets


def unpack_strings(text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> list[str]:
    """Return the strings that `pack_strings` packed."""
    data = text.tobytes()
    places = offsets.tolist()
    return [data[begin:end].decode("utf-8") for begin, end in pairwise(places)]


def arrow_strings(text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> pa.Array:
    """Return the same strings for Arrow, without copying them."""
    import pyarrow as pa

    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(text))


def string_arrays(strings: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes of an Arrow string array, and the offsets of its strings in them."""
    import numpy as np
    import pyarrow as pa

    if not pa.types.is_large_string(strings.type):
        strings = strings.cast(pa.large_string())
    if not len(strings):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    _, offset_buffer, data_buffer = strings.buffers()
    offsets = np.frombuffer(offset_buffer, dtype=np.int64)[strings.offset : strings.offset + len(strings) + 1]
    data = np.empty(0, np.uint8) if data_buffer is None else np.frombuffer(data_buffer, dtype=np.uint8)
    return data[offsets[0] : offsets[-1]], offsets - offsets[0]


class StringColumn:
    """Appends strings to the columns ``NAME.text`` and ``NAME.offsets`` of a sink."""

    def __init__(self, sink: ColumnSink, name: str) -> None:
        import numpy as np

        self._sink = sink
        self._name = name
        self._end = 0
        self.count = 0
        sink.append(f"{name}.offsets", np.zeros(1, dtype=np.int64))

    def append(self, strings: pa.Array) -> None:
        """Add strings at the end."""
        text, offsets = string_arrays(strings)
        self._sink.append(f"{self._name}.text", text)
        self._sink.append(f"{self._name}.offsets", offsets[1:] + self._end)
        self._end += len(text)
        self.count += len(offsets) - 1
