"""A result table as aligned text for display, and as TSV and JSON for programs."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeAlias

Format: TypeAlias = Literal["table", "tsv", "json"]
Cell: TypeAlias = str | float | int | None

FORMATS: tuple[Format, ...] = ("table", "tsv", "json")


@dataclass(frozen=True)
class ResultTable:
    """Rows of results under named columns.

    Attributes:
        columns: Column names, in order.
        rows: One mapping per row; a missing or ``None`` cell is empty.
        digits: Decimals in the text table; TSV and JSON always carry full precision.
        notes: Lines below the text table: signatures and warnings.
        details: Data that JSON shows instead of the rows, if it has more detail.
        machine_columns: Columns of TSV and JSON, if they differ from *columns*.
        titles: Titles of columns for display, where they differ from the names.
        right: Columns of text that are aligned to the right, as numbers are.
    """

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Cell]]
    digits: int = 4
    notes: Sequence[str] = ()
    details: Sequence[Mapping[str, Any]] | None = None
    machine_columns: Sequence[str] | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    right: Sequence[str] = ()

    def render(self, form: Format) -> str:
        """Return the table as text that ends with a newline."""
        if form == "tsv":
            return self.to_tsv()
        if form == "json":
            return self.to_json()
        return self.to_text()

    def to_text(self) -> str:
        """Return aligned columns, then the notes."""
        columns = []
        for name, align in self._alignment().items():
            cells = [self._short(row.get(name)).strip() for row in self.rows]
            columns.append(_column(self.titles.get(name, name), cells, right=align == "right"))
        lines = [line.rstrip() for row in zip(*columns, strict=True) for line in _text_lines(row)]
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([*lines, *notes]) + "\n"

    def to_tsv(self) -> str:
        """Return a header and one line per row; tabs and newlines inside cells become spaces."""
        columns = self.machine_columns or self.columns
        lines = ["\t".join(columns)]
        lines += ["\t".join(tsv_cell(row.get(column)) for column in columns) for row in self.rows]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """Return a list of objects, one per row."""
        import json

        columns = self.machine_columns or self.columns
        rows = self.details or [{column: row.get(column) for column in columns} for row in self.rows]
        return json.dumps(finite(rows), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Return the table as an HTML fragment with all text escaped and the notes below it."""
        from html import escape

        align = self._alignment()

        def cells(tag: str, texts: Mapping[str, str]) -> str:
            return "".join(
                f'<{tag} style="text-align: {align[column]}">{escape(text)}</{tag}>' for column, text in texts.items()
            )

        head = f"<tr>{cells('th', {column: self.titles.get(column, column) for column in self.columns})}</tr>"
        body = "".join(
            f"<tr>{cells('td', {column: self._short(row.get(column)) for column in self.columns})}</tr>"
            for row in self.rows
        )
        notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{notes}"

    def _alignment(self) -> dict[str, str]:
        numeric = {
            column for column in self.columns if any(isinstance(row.get(column), int | float) for row in self.rows)
        }
        return {column: "right" if column in numeric or column in self.right else "left" for column in self.columns}

    def _short(self, cell: Cell) -> str:
        if cell is None:
            return ""
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)


def _column(title: str, cells: Sequence[str], *, right: bool) -> list[str]:
    """Return the title, a line and the cells of a column, all equally wide."""
    width = max(_width(title) + 2, *map(_width, cells)) if cells else _width(title) + 2
    return [_padded(title, width, right=right), "-" * width, *(_padded(cell, width, right=right) for cell in cells)]


def _padded(cell: str, width: int, *, right: bool) -> str:
    if "\n" in cell:
        return "\n".join(_padded(line.strip(), width, right=right) for line in cell.split("\n"))
    blank = " " * (width - _width(cell))
    return blank + cell if right else cell + blank


def _text_lines(row: Sequence[str]) -> list[str]:
    """Return a row of the table as lines of text: one, unless cells have several."""
    if not any("\n" in cell for cell in row):
        return ["  ".join(row)]
    parts = [cell.split("\n") for cell in row]
    widths = [_width(lines[0]) for lines in parts]
    return [
        "  ".join(lines[k] if k < len(lines) else " " * width for lines, width in zip(parts, widths, strict=True))
        for k in range(max(map(len, parts)))
    ]


def _width(text: str) -> int:
    """Return how many places *text* takes in a terminal: two for a wide character, none for a combining mark."""
    if "\n" in text:
        return max(map(_width, text.split("\n")))
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


@lru_cache(maxsize=1 << 12)
def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def tsv_cell(cell: Cell) -> str:
    """Return a cell of TSV: numbers in full precision, text on one line."""
    if cell is None:
        return ""
    return repr(cell) if isinstance(cell, float) else " ".join(str(cell).splitlines()).replace("\t", " ")


def finite(value: Any) -> Any:
    """Return *value* with infinite and undefined numbers as ``None``, since JSON cannot represent them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(item) for item in value]
    return value
