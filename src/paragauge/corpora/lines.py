"""Reading and writing whole files as text: the basis of every format in this package.

All these formats are parsed from bytes in memory, so that a format can be recognised by its content even on
standard input, which can be read only once.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterable, Iterator, Sequence

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike, atomic_output, check_encoding, decode, display_name, read_bytes

_BOM = "\ufeff"


def decode_text(data: bytes, path: PathLike, encoding: str = "utf-8") -> str:
    """Return *data* as text, with line ends unchanged and without a byte-order mark.

    Raises:
        DataError: The bytes are not text in *encoding*; the message names the line and the byte.
        OptionError: There is no such encoding.
    """
    check_encoding(encoding)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        for number, line in enumerate(data.split(b"\n"), start=1):
            decode(line, path, number, encoding)
        raise DataError(f"not {encoding} text ({error}); check the encoding", path=display_name(path)) from error


def decode_lines(data: bytes, path: PathLike, encoding: str = "utf-8") -> list[str]:
    """Return the lines of *data* without line ends, split as `paragauge.io.read_lines` splits them."""
    lines = decode_text(data, path, encoding).split("\n")
    last = lines.pop()
    lines = [line.removesuffix("\r") for line in lines]
    return [*lines, last] if last else lines


def read_filled_lines(path: PathLike, expected: str, encoding: str = "utf-8") -> list[str]:
    """Return the lines of a file that must not be empty; *expected* says what the lines should hold."""
    lines = decode_lines(read_bytes(path), path, encoding)
    if not lines:
        raise empty_file(path, expected)
    return lines


def empty_file(path: PathLike, expected: str) -> DataError:
    """Return the error for an empty file."""
    return DataError(
        f"the file is empty, expected {expected}; check that the step that made it succeeded",
        path=display_name(path),
    )


def check_standard_input_once(paths: Sequence[PathLike]) -> None:
    """Raise an error if ``-`` is given for more than one input: the second would find nothing left to read."""
    if sum(display_name(path) == "<stdin>" for path in paths) > 1:
        raise OptionError("standard input (-) is given more than once, but can be read only once; give file names")


def write_text(path: PathLike, pieces: Iterable[str]) -> None:
    """Write the pieces of one text as UTF-8, whole or not at all; ``-`` is standard output.

    They are encoded before the file is opened, so that nothing reaches standard output if the text is invalid.
    """
    data = b"".join(encode_text(path, piece) for piece in pieces)
    with atomic_output(path) as file:
        file.write(data)


def write_text_lines(path: PathLike, lines: Iterable[str]) -> None:
    """Write *lines*, and raise an error for those that could not be read back unchanged.

    Raises:
        DataError: A line contains a line end, or the first begins with a byte-order mark.
    """
    write_text(path, (_checked_line(path, number, line) + "\n" for number, line in enumerate(lines, start=1)))


def _checked_line(path: PathLike, number: int, line: str) -> str:
    place = display_name(path)
    if "\n" in line or line.endswith("\r"):
        raise DataError(
            "the text contains a line end and cannot be written as one line; replace it with a space, or use JSONL",
            path=place,
            line=number,
        )
    if number == 1 and line.startswith(_BOM):
        raise DataError(
            "the first text begins with U+FEFF, which would be read back as a byte-order mark; remove it, or use JSONL",
            path=place,
            line=number,
        )
    return line


def encode_text(path: PathLike, text: str) -> bytes:
    """Return *text* as UTF-8, or raise a `DataError` about what is no character."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"the text contains U+{ord(text[error.start]):04X}, half of a surrogate pair, which is not a "
            "character and cannot be written; the program that made the text split a character in two",
            path=display_name(path),
        ) from error


@contextlib.contextmanager
def located(path: PathLike) -> Iterator[None]:
    """Add the name of the file to a `DataError` that was raised without one."""
    try:
        yield
    except DataError as error:
        if error.path is not None:
            raise
        raise DataError(str(error), path=display_name(path)) from error


def shown(text: str, length: int = 60) -> str:
    """Return *text* quoted for a message, truncated to *length* characters."""
    return repr(text) if len(text) <= length else repr(text[:length]) + "…"
