"""Results that people read as several tables with titles, and programs as one."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    from paragauge.report.table import Format, ResultTable


class TitledResult(Result):
    """A result with several tables; `table` has all its rows."""

    @abstractmethod
    def tables(self) -> list[tuple[str, ResultTable]]:
        """Return the tables for people, with their titles."""

    def notes(self) -> list[str]:
        """Return the lines below all tables."""
        return []

    def render(self, form: Format) -> str:
        """Return text that ends with a line end: the titled tables, or one table for programs."""
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
