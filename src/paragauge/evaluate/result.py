"""Base class of all results: rows of data, a table to display and a frame to work with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from paragauge.errors import OptionError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from paragauge.report.table import Cell, ResultTable


class Result(ABC):
    """A frozen result; tables, frames and pages are views of it."""

    @abstractmethod
    def rows(self) -> list[dict[str, Cell]]:
        """Return the result in long form, one mapping per row; all rows have the same keys in the same order."""

    @abstractmethod
    def table(self) -> ResultTable:
        """Return the result as a table with notes, as the command line prints it."""

    def to_dict(self) -> Any:
        """Return the result as plain data for JSON, as printed by ``--format json``."""
        import json

        return json.loads(self.table().to_json())

    def to_arrow(self) -> pa.Table:
        """Return the rows as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.rows())

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas frame.

        Raises:
            OptionError: pandas is not installed; `to_arrow` always works.
        """
        try:
            import pandas as pd
        except ImportError:
            raise OptionError(
                "to_frame() needs pandas, which is not installed; run 'pip install pandas', or use to_arrow()"
            ) from None
        return pd.DataFrame(self.rows())

    def __str__(self) -> str:
        return self.table().to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.table().to_html()
