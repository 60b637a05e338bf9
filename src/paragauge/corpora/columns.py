"""Test sets as tables, TSV or CSV: one row for each segment, one column for each of its texts."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.corpora.lines import located, shown
from paragauge.corpora.tables import Table
from paragauge.corpora.testset import TestSet, Texts, line_ids
from paragauge.errors import DataError

# Columns with one value for the whole test set, so that converting between formats loses nothing.
SET_COLUMNS = {"testset": "name", "source_language": "source_language", "target_language": "target_language"}
_PLAIN_COLUMNS = ("id", "document", *SET_COLUMNS, "original", "reference", "candidate")
_PREFIXES = ("reference.", "candidate.")


def is_column(name: str) -> bool:
    """Return whether a test set can have a column called *name*."""
    return name in _PLAIN_COLUMNS or any(name.startswith(prefix) and name != prefix for prefix in _PREFIXES)


def testset_from_table(table: Table) -> TestSet:
    """Return the test set in *table*; ``docs/formats.md`` specifies the columns."""
    _check_columns(table)
    with located(table.path):
        return TestSet(
            ids=_ids(table),
            documents=table.filled_column("document"),
            originals=table.column("original"),
            references=_named_columns(table, "reference", alone="1"),
            candidates=_named_columns(table, "candidate", alone="candidate"),
            name=_constant(table, "testset"),
            source_language=_constant(table, "source_language"),
            target_language=_constant(table, "target_language"),
        )


def _check_columns(table: Table) -> None:
    for name in table.header:
        if not is_column(name):
            raise DataError(
                f"unknown column {shown(name)}; known: {', '.join(_PLAIN_COLUMNS)}, reference.NAME, "
                "candidate.SYSTEM; name the column with a system's output candidate.SYSTEM",
                path=table.path,
                line=1,
            )


def _ids(table: Table) -> Texts:
    ids = table.filled_column("id")
    if ids is None:
        return line_ids(len(table.rows))
    seen: dict[str, int] = {}
    for line, name in zip(table.lines, ids, strict=True):
        if name in seen:
            raise DataError(
                f"the id {shown(name)} was already used on line {seen[name]}; expected each id once",
                path=table.path,
                line=line,
            )
        seen[name] = line
    return ids


def _named_columns(table: Table, kind: str, alone: str) -> dict[str, Texts]:
    columns = {}
    for column in table.header:
        if column != kind and not column.startswith(kind + "."):
            continue
        name = alone if column == kind else column.removeprefix(kind + ".")
        if name in columns:
            raise DataError(
                f"the columns {kind!r} and '{kind}.{alone}' mean the same; expected only one of them",
                path=table.path,
                line=1,
            )
        columns[name] = table.column(column) or ()
    return columns


def _constant(table: Table, name: str) -> str | None:
    fields = table.filled_column(name)
    if fields is None:
        return None
    for line, field in zip(table.lines, fields, strict=True):
        if field != fields[0]:
            raise DataError(
                f"the column {name!r} has {shown(field)} here and {shown(fields[0])} on line "
                f"{table.lines[0]}; a file holds one test set: split the file",
                path=table.path,
                line=line,
            )
    return fields[0]


def testset_to_table(testset: TestSet) -> tuple[list[str], list[Texts]]:
    """Return the header and the rows of *testset*."""
    columns: dict[str, Sequence[str]] = {"id": testset.ids}
    if testset.documents is not None:
        columns["document"] = testset.documents
    for column, attribute in SET_COLUMNS.items():
        value = getattr(testset, attribute)
        if value is not None:
            columns[column] = [value] * len(testset)
    if testset.originals is not None:
        columns["original"] = testset.originals
    columns |= {f"reference.{name}": texts for name, texts in testset.references.items()}
    columns |= {f"candidate.{name}": texts for name, texts in testset.candidates.items()}
    return list(columns), list(zip(*columns.values(), strict=True))
