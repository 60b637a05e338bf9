"""Results displayed as several titled tables and exported as one table."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    from paragauge.report.table import Format, ResultTable


class TitledResult(Result):
    """A result with several tables; `table` contains all rows."""

    @abstractmethod
    def tables(self) -> list[tuple[str, ResultTable]]:
        """Return the tables to display, with their titles."""

    def notes(self) -> list[str]:
        """Return the notes below all tables."""
        return []

    def render(self, form: Format) -> str:
        """Return the titled tables, or one table for programs, as text that ends with a newline."""
        if form != "table":
            return self.table().render(form)
        parts = [f"{title}\n\n{table.to_text()}" for title, table in self.tables()]
        notes = self.notes()
        return "\n".join([*parts, "\n".join(notes) + "\n"] if notes else parts)

    def __str__(self) -> str:
        return self.render("table").rstrip("\n")

    def _repr_html_(self) -> str:
        from html import escape

        tables = "".join(f"<h4>{escape(title)}</h4>{table.to_html()}" for title, table in self.tables())
        return tables + "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes())
