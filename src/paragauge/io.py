"""Reading and writing files: lines of plain or gzipped text, atomic output, content digests.

Reading goes by the bytes, not the file name: gzip data is recognised under any name, and so are common mistakes
(UTF-16, zip, bzip2, xz, a truncated copy), which raise an error that says what to do. Lines end with ``\\n`` or
``\\r\\n`` only, so that line numbers agree with other tools.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from paragauge.errors import DataError, FileError, OptionError, ParagaugeError
from paragauge.temporary import sync_folder, unfinished

PathLike: TypeAlias = str | os.PathLike[str]

STANDARD_STREAM = "-"

EXPANSION_VARIABLE = "PARAGAUGE_MAX_EXPANSION"  # raises the ceiling below

_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 17
_MOST_EXPANSION = 200  # times the size of gzip data; the most repetitive text of ours reaches 60
_FREE_EXPANSION = 64 << 20  # bytes that may always come out
_BOM = b"\xef\xbb\xbf"
# Signatures long enough that no text starts with them by accident.
_WRONG_TURNS = (
    (b"\xff\xfe", "looks like UTF-16 text", "convert it with: iconv -f UTF-16 -t UTF-8"),
    (b"\xfe\xff", "looks like UTF-16 text", "convert it with: iconv -f UTF-16 -t UTF-8"),
    (b"PK\x03\x04", "looks like a zip archive", "unpack it first: unzip"),
    *((b"BZh%d1AY&SY" % level, "looks like bzip2 data", "unpack it first: bunzip2") for level in range(1, 10)),
    (b"\xfd7zXZ\x00", "looks like xz data", "unpack it first: unxz"),
    (b"\x28\xb5\x2f\xfd", "looks like zstd data", "unpack it first: unzstd"),
)


def display_name(path: PathLike) -> str:
    """Return the name of *path* for messages: ``-`` becomes ``<stdin>``."""
    name = os.fspath(path)
    return "<stdin>" if name == STANDARD_STREAM else name


def file_error(path: PathLike, error: OSError, action: str) -> FileError:
    """Return the error to raise when the system cannot *action* (read, write) the file *path*."""
    name = display_name(path)
    reasons = {
        errno.ENOENT: "no such file or directory",
        errno.EISDIR: "is a directory, expected a file",
        errno.EACCES: "permission denied",
        errno.ENOSPC: "the disk is full; free some space, or write somewhere else with -o",
    }
    unknown = "it could not be written whole; the disk may be full" if action == "write" else str(error)  # NumPy's
    reason = reasons.get(error.errno or 0, error.strerror or unknown)
    return FileError(f"{name}: cannot {action}: {reason}")


@contextlib.contextmanager
def open_binary(path: PathLike) -> Iterator[BinaryIO]:
    """Open *path* (``-`` for standard input) for reading bytes; gzip data is unpacked."""
    with contextlib.ExitStack() as stack:
        try:
            if os.fspath(path) == STANDARD_STREAM:
                raw = _standard_input()
            else:
                raw = stack.enter_context(Path(path).open("rb"))
            head = raw.peek(16)[:16] if isinstance(raw, io.BufferedReader) else b""
        except OSError as error:
            if isinstance(error, ParagaugeError):
                raise
            raise file_error(path, error, "read") from error
        except ValueError as error:
            if "null byte" not in str(error):
                raise
            raise FileError(f"{os.fspath(path)!r}: cannot read: the name contains a null character") from error
        _check_turn(head, path)
        if head.startswith(_GZIP):
            yield stack.enter_context(io.BufferedReader(_Unpacked(raw, path), _BLOCK))
        else:
            yield raw


def _check_turn(head: bytes, path: PathLike) -> None:
    """Raise a `DataError` if a file that begins with *head* is clearly something else than text."""
    turns = [turn[1:] for turn in _WRONG_TURNS if head.startswith(turn[0])]
    for zeros, letters, order in ((head[1::2], head[::2], "LE"), (head[::2], head[1::2], "BE")):
        if len(zeros) > 1 and not any(zeros) and all(letters):  # without a byte order mark, it would pass for UTF-8
            turns.append(("looks like UTF-16 text", f"convert it with: iconv -f UTF-16{order} -t UTF-8"))
    for what, remedy in turns:
        raise DataError(f"{what}, expected UTF-8 text (gzipped or not); {remedy}", path=display_name(path))


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise FileError("<stdin>: cannot read: standard input is closed; name a file")
    return sys.stdin.buffer


class _Counted:
    """The packed bytes, and how many of them were read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.bytes = 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.bytes += len(data)
        return data


class _Unpacked(io.RawIOBase):
    """The unpacked bytes, as long as they are not out of all proportion to the packed ones.

    A few kilobytes can unpack to gigabytes that no reader expects.
    """

    def __init__(self, file: BinaryIO, path: PathLike) -> None:
        self._packed = _Counted(file)
        self._file = gzip.GzipFile(fileobj=self._packed, mode="rb")  # type: ignore[call-overload]
        self._path = path
        self._bytes = 0
        self._most = _most_expansion()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read1(len(buffer))
        buffer[: len(data)] = data
        self._bytes += len(data)
        if self._bytes > max(_FREE_EXPANSION, self._most * self._packed.bytes):
            raise DataError(
                f"the gzip data expands to more than {self._most:g} times its size, which text seldom does; if it is "
                f"what it should be, unpack it first, or set {EXPANSION_VARIABLE} to a higher number",
                path=display_name(self._path),
            )
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def _most_expansion() -> float:
    text = os.environ.get(EXPANSION_VARIABLE, "")
    try:
        most = float(text or _MOST_EXPANSION)
    except ValueError:
        most = 0.0
    if not most >= 1:
        raise OptionError(f"{EXPANSION_VARIABLE} is {text!r}, expected a number of at least 1")
    return most


def read_bytes(path: PathLike) -> bytes:
    """Return all bytes of *path*; gzip data is unpacked."""
    with open_binary(path) as file, _gzip_errors(path, "bytes") as count:
        blocks = []
        while block := file.read(1 << 20):
            blocks.append(block)
            count[0] += len(block)
        return b"".join(blocks)


@contextlib.contextmanager
def _gzip_errors(path: PathLike, unit: str) -> Iterator[list[int]]:
    count = [0]
    try:
        yield count
    except EOFError as error:
        raise DataError(
            f"gzip data ends early (read {count[0]:,} {unit}); the copy may be incomplete",
            path=display_name(path),
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"gzip data is damaged after {count[0]:,} {unit} ({error}); copy or create the file again",
            path=display_name(path),
        ) from error
    except OSError as error:
        raise file_error(path, error, "read") from error


def check_encoding(encoding: str) -> None:
    """Raise an `OptionError` unless Python has a text encoding of this name."""
    try:
        b"x".decode(encoding)
    except LookupError as error:
        raise OptionError(f"no text encoding named {encoding!r}; try utf-8, latin-1 or cp1252") from error
    except UnicodeError:
        pass  # it exists; decoding the data will show whether it is the right one


def decode(data: bytes, path: PathLike, line: int, encoding: str = "utf-8") -> str:
    """Return the text of one line, or raise a `DataError` that names the invalid byte."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"byte 0x{data[error.start]:02x} at position {error.start + 1} is not {encoding.upper()} text; "
            f"if the file is in another encoding, convert it (iconv -f latin1 -t utf-8) "
            f"or pass --encoding, as in --encoding latin-1",
            path=display_name(path),
            line=line,
        ) from error


def read_lines(path: PathLike, *, encoding: str = "utf-8") -> Iterator[str]:
    """Yield the lines of *path* without line ends; ``-`` is standard input, and gzip data is unpacked.

    Raises:
        FileError: The file cannot be opened or read.
        DataError: It is not text in *encoding*, or its gzip data is damaged.
        OptionError: There is no such encoding.
    """
    check_encoding(encoding)
    with open_binary(path) as file, _gzip_errors(path, "lines") as count:
        if encoding == "utf-8" and _is_plain_file(file):
            yield from _read_fast(file, count)
        for data in file:
            if count[0] == 0:
                data = data.removeprefix(_BOM)
            count[0] += 1
            if data.endswith(b"\n"):
                data = data[:-2] if data.endswith(b"\r\n") else data[:-1]
            yield decode(data, path, count[0], encoding)


def _is_plain_file(file: BinaryIO) -> bool:
    """Return whether all of *file* is at hand: not from a pipe, whose lines may come one by one, nor packed."""
    raw = file.raw if isinstance(file, io.BufferedReader) else None
    return isinstance(raw, io.FileIO) and stat.S_ISREG(os.fstat(raw.fileno()).st_mode)


def _read_fast(file: BinaryIO, count: list[int]) -> Iterator[str]:
    """Yield the lines of UTF-8 text, decoded in blocks; stops before a block with a mistake."""
    while True:
        place = file.tell()
        lines = file.readlines(_BLOCK)
        if not lines:
            return
        data = b"".join(lines)
        try:
            text = data.removeprefix(_BOM).decode("utf-8") if count[0] == 0 else data.decode("utf-8")
        except UnicodeDecodeError:
            file.seek(place)
            return
        found = text.split("\n")
        last = found.pop()  # empty, unless the last line of the file has no end
        if "\r" in text:
            found = [line.removesuffix("\r") for line in found]
        if not data.endswith(b"\n"):
            found.append(last)
        for line in found:
            count[0] += 1
            yield line


def count_lines(paths: Iterable[PathLike]) -> int | None:
    """Return how many lines files have if that is quick to find out, which it is not for pipes and packed files."""
    total = 0
    for path in map(Path, paths):
        if not path.is_file():
            return None
        with path.open("rb") as file:
            if file.peek(2)[:2] == _GZIP:
                return None
            while block := file.read(1 << 20):
                total += block.count(b"\n")
    return total


def read_text(path: PathLike, *, encoding: str = "utf-8") -> str:
    """Return the whole text of *path* with ``\\n`` line ends."""
    return "\n".join(read_lines(path, encoding=encoding))


@contextlib.contextmanager
def buffered_stdout() -> Iterator[BinaryIO]:
    """Open standard output for bytes.

    Under PYTHONUNBUFFERED it is a raw file, whose ``write`` may write only part of the data and report this only in
    its return value; a buffer on top writes all of it or raises.

    Raises:
        FileError: Standard output is closed.
    """
    if sys.stdout is None:
        raise FileError("<stdout>: cannot write: standard output is closed; write to a file with -o")
    stdout = sys.stdout.buffer
    if not isinstance(stdout, io.RawIOBase):
        yield stdout
        stdout.flush()
        return
    buffer = io.BufferedWriter(stdout)
    try:
        yield buffer
        buffer.flush()
    finally:
        with contextlib.suppress(OSError):
            buffer.detach()


@contextlib.contextmanager
def atomic_output(path: PathLike) -> Iterator[BinaryIO]:
    """Open *path* for writing bytes; the complete file appears if the block succeeds, and nothing otherwise.

    A symbolic link is followed. A device, a FIFO or a descriptor (``/dev/stdout``, ``>(command)``) is written to as it
    is; only a regular file is ever replaced. ``-`` is standard output. A name that ends in ``.gz`` is compressed,
    without a time stamp, so that the same data gives the same bytes.

    Raises:
        FileError: The file cannot be written, or *path* is empty, a folder, a disk or a socket.
    """
    if not os.fspath(path):
        raise FileError("cannot write: the name of the output is empty")
    if os.fspath(path) == STANDARD_STREAM:
        with buffered_stdout() as stdout:
            yield stdout
        return
    try:
        direct = _open_directly(path)
        if direct is not None:
            with direct, _packed(path, direct) as file:
                yield file
        else:
            with _replacing(path) as file:
                yield file
    except OSError as error:
        if isinstance(error, BrokenPipeError | ParagaugeError):
            raise
        raise file_error(path, error, "write") from error
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise FileError(f"{os.fspath(path)!r}: cannot write: the name contains a null character") from error


@contextlib.contextmanager
def _replacing(path: PathLike) -> Iterator[BinaryIO]:
    target = Path(os.path.realpath(path))
    with unfinished(target, lambda part: part.open("xb").close()) as part:
        with part.open("r+b") as raw:
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            with _packed(path, raw) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        # A link or a pipe may have come there meanwhile. A link that led there and now leads elsewhere stays as it is.
        if os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
            raise FileError(f"{os.fspath(path)}: cannot write: became something else than a file meanwhile")
        part.replace(target)
        sync_folder(target.parent)


@contextlib.contextmanager
def _packed(path: PathLike, raw: BinaryIO) -> Iterator[BinaryIO]:
    if not os.fspath(path).endswith(".gz"):
        yield raw
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        yield packed  # type: ignore[misc]


def _open_directly(path: PathLike) -> BinaryIO | None:
    """Open what is written to as it is; ``None`` for a regular file, or a name that is free.

    Raises:
        FileError: It is a folder, a disk or a socket.
    """
    descriptor = _descriptor(path)
    if descriptor is not None:  # a copy, which keeps the position: what the caller wrote there before stays
        return os.fdopen(os.dup(descriptor), "wb")
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_NOCTTY), "wb")
    what = "a directory" if stat.S_ISDIR(mode) else "a disk" if stat.S_ISBLK(mode) else "a socket"
    raise FileError(f"{os.fspath(path)}: cannot write: is {what}, expected a file name")


def _descriptor(path: PathLike) -> int | None:
    """Return the open descriptor that *path* leads to, as ``/dev/stdout`` and ``/dev/fd/63`` do."""
    here = os.path.abspath(path)  # noqa: PTH100
    folders = {"/dev/fd", "/proc/self/fd", f"/proc/{os.getpid()}/fd"}
    for _ in range(40):
        folder, name = os.path.split(here)
        if name.isdecimal() and (folder in folders or os.path.realpath(folder) in folders):
            return int(name)
        if not os.path.islink(here):  # noqa: PTH114
            return None
        here = os.path.normpath(os.path.join(folder, os.readlink(here)))  # noqa: PTH115, PTH118
    return None


def write_lines(path: PathLike, lines: Iterable[str]) -> int:
    """Write *lines* to *path* as UTF-8, atomically, and return their number.

    A line that contains a line end would be read back as two, so it is rejected.
    """
    count = 0
    with atomic_output(path) as file:
        for line in lines:
            count += 1
            if "\n" in line or line.endswith("\r"):
                raise DataError(
                    f"item {count} contains a line end and cannot be written as one line; "
                    "replace the line end with a space, or use JSONL"
                )
            try:
                file.write(line.encode("utf-8") + b"\n")
            except UnicodeEncodeError as error:
                raise DataError(f"item {count} contains a lone surrogate, which is not valid text") from error
    return count


def digest(data: bytes) -> str:
    """Return the content digest used in signatures: the first 12 hexadecimal digits of SHA-256."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:12]


def digest_file(path: PathLike) -> str:
    """Return the `digest` of the bytes of a file as stored on disk."""
    import hashlib

    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]
    except OSError as error:
        raise file_error(path, error, "read") from error


def digests_of_files(paths: Iterable[str]) -> dict[str, str]:
    """Return the digest of each of *paths* that is a file; pipes can be read only once and have none."""
    return {path: digest_file(path) for path in paths if Path(path).is_file()}


__all__ = [
    "STANDARD_STREAM",
    "PathLike",
    "atomic_output",
    "buffered_stdout",
    "check_encoding",
    "count_lines",
    "decode",
    "digest",
    "digest_file",
    "digests_of_files",
    "display_name",
    "file_error",
    "open_binary",
    "read_bytes",
    "read_lines",
    "read_text",
    "write_lines",
]
