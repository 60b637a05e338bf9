"""Tables with a header, as TSV or CSV.

TSV has no quoting: a field is the text between two tabs, and quotation marks have no special meaning. CSV follows
RFC 4180: fields with commas, quotation marks or line ends are in double quotes.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from paragauge.corpora.lines import decode_lines, decode_text, empty_file, shown, write_text, write_text_lines
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name

_LARGEST_LIMIT = 2**31 - 1  # the csv module keeps its limit in a C long, which has 32 bits on Windows


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a header, with the line on which each row begins."""

    path: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def column(self, name: str) -> tuple[str, ...] | None:
        """Return the fields under *name*, or ``None`` if there is no such column."""
        if name not in self.header:
            return None
        index = self.header.index(name)
        return tuple(row[index] for row in self.rows)

    def filled_column(self, name: str) -> tuple[str, ...] | None:
        """Return the fields under *name*, none of which may be empty, or ``None`` if there is no such column."""
        fields = self.column(name)
        for line, field in zip(self.lines, fields or (), strict=False):
            if not field:
                raise DataError(f"the column {name!r} is empty here, expected a value", path=self.path, line=line)
        return fields


def parse_tsv(data: bytes, path: PathLike, encoding: str = "utf-8") -> Table:
    """Return the table in tab-separated *data*, whose first line is the header."""
    lines = decode_lines(data, path, encoding)
    numbered = ((number, line.split("\t")) for number, line in enumerate(lines, start=1))
    return _table(numbered, path, "tab-separated")


def parse_csv(data: bytes, path: PathLike, encoding: str = "utf-8") -> Table:
    """Return the table in comma-separated *data* (RFC 4180), whose first record is the header."""
    text = decode_text(data, path, encoding)
    with _field_size_limit(len(text) + 1):
        return _table(_csv_records(text, path), path, "comma-separated")


def _csv_records(text: str, path: PathLike) -> Iterator[tuple[int, list[str]]]:
    # Lines are split only at \n: a \r\n inside quotes belongs to the field, and line numbers stay correct.
    lines = text.split("\n")
    last = lines.pop()
    reader = csv.reader([*(line + "\n" for line in lines), *([last] if last else [])], strict=True)
    start = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(
                f"not valid CSV as defined by RFC 4180 ({error}); put fields with quotation marks, commas or line ends "
                'in double quotes, and double the quotation marks inside: "say ""yes"""',
                path=display_name(path),
                line=start,
            ) from error
        yield start, record
        start = reader.line_num + 1


@contextlib.contextmanager
def _field_size_limit(size: int) -> Iterator[None]:
    """Let the csv module accept fields of *size* characters; its limit is global, so it is restored afterwards."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(before, min(size, _LARGEST_LIMIT)))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _table(records: Iterable[tuple[int, list[str]]], path: PathLike, kind: str) -> Table:
    place = display_name(path)
    iterator = iter(records)
    first = next(iterator, None)
    if first is None:
        raise empty_file(path, f"a {kind} table with a header")
    header = _checked_header(first[1], place, first[0])
    rows, numbers = [], []
    for number, fields in iterator:
        if len(fields) != len(header):
            raise _wrong_width(fields, header, kind, place, number)
        rows.append(tuple(fields))
        numbers.append(number)
    if not rows:
        raise DataError("found only a header, expected at least one row", path=place, line=first[0])
    return Table(place, header, tuple(rows), tuple(numbers))


def _checked_header(names: list[str], place: str, line: int) -> tuple[str, ...]:
    for name, count in Counter(names).items():
        if count > 1:
            raise DataError(
                f"the header has {count} columns named {name!r}, expected each name once",
                path=place,
                line=line,
            )
    if "" in names:
        raise DataError(
            f"column {names.index('') + 1} of the header has no name; name it or remove it",
            path=place,
            line=line,
        )
    return tuple(names)


def _wrong_width(fields: list[str], header: Sequence[str], kind: str, place: str, line: int) -> DataError:
    if not fields or fields == [""]:
        return DataError("the line is empty, expected a row of the table; remove it", path=place, line=line)
    return DataError(
        f"found {len(fields)} {kind} fields, expected {len(header)} as in the header ({', '.join(header)})",
        path=place,
        line=line,
    )


def recognise_table(line: str, known: Callable[[str], bool]) -> str | None:
    """Return ``"tsv"`` or ``"csv"`` if *line* is a header that begins with a *known* column."""
    if "\t" in line and known(line.split("\t", 1)[0]):
        return "tsv"
    first = line[1:].split('"', 1)[0] if line.startswith('"') else line.split(",", 1)[0]
    if known(first) and ("," in line or line.startswith('"')):
        return "csv"
    return "tsv" if known(line) else None


def table_hint(line: str, known: Callable[[str], bool]) -> str:
    """Return advice about a nearly valid header, for the end of a message."""
    if known(line.split(";", 1)[0].strip('"')):
        return "; it separates columns with semicolons, expected commas or tabs: export it again with one of those"
    return ""


def write_tsv(path: PathLike, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table as TSV.

    Raises:
        DataError: A field contains a tab or a line end, which TSV cannot hold.
    """
    records = enumerate((header, *rows), start=1)
    write_text_lines(
        path, ("\t".join(_checked_field(path, line, field) for field in record) for line, record in records)
    )


def _checked_field(path: PathLike, line: int, field: str) -> str:
    for character, name in (("\t", "a tab"), ("\n", "a line feed"), ("\r", "a carriage return")):
        if character in field:
            raise DataError(
                f"the field {shown(field)} contains {name}, which TSV cannot hold; replace it, or write JSONL",
                path=display_name(path),
                line=line,
            )
    return field


def write_csv(path: PathLike, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table as CSV (RFC 4180), with CRLF line ends."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerows((header, *rows))
    write_text(path, [buffer.getvalue()])
