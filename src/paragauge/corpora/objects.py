"""Test sets as JSON Lines: one object per segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paragauge.corpora.columns import SET_COLUMNS
from paragauge.corpora.jsonlines import Record, describe
from paragauge.corpora.lines import located, shown
from paragauge.corpora.testset import TestSet, Texts, line_ids

_KEYS = ("id", "document", *SET_COLUMNS, "original", "references", "candidates")


def testset_from_records(stream: Iterable[Record]) -> TestSet:
    """Return the test set of JSON objects; ``docs/formats.md`` specifies their keys."""
    records = list(stream)
    for record in records:
        record.check_keys(_KEYS)
    with located(records[0].path):
        return TestSet(
            ids=_ids(records),
            documents=_all_or_none(records, "document", lambda record: record.name("document")),
            originals=_all_or_none(records, "original", lambda record: record.text("original")),
            references=_references(records),
            candidates=_candidates(records),
            name=_constant(records, "testset"),
            source_language=_constant(records, "source_language"),
            target_language=_constant(records, "target_language"),
        )


def _all_or_none(records: list[Record], key: str, get: Callable[[Record], str | None]) -> Texts | None:
    """Return the value of each record, or ``None`` if none has one; a mixture is an error."""
    values = [get(record) for record in records]
    present = tuple(value for value in values if value is not None)
    if not present:
        return None
    if len(present) < len(values):
        line = next(record.line for record, value in zip(records, values, strict=True) if value is not None)
        lacking = next(record for record, value in zip(records, values, strict=True) if value is None)
        raise lacking.error(f"{key!r} is missing here but present on line {line}; give it on every line or on none")
    return present


def _ids(records: list[Record]) -> Texts:
    ids = _all_or_none(records, "id", lambda record: record.name("id"))
    if ids is None:
        return line_ids(len(records))
    seen: dict[str, int] = {}
    for record, name in zip(records, ids, strict=True):
        if name in seen:
            raise record.error(f"the id {shown(name)} was already used on line {seen[name]}; expected each id once")
        seen[name] = record.line
    return ids


def _constant(records: list[Record], key: str) -> str | None:
    values = _all_or_none(records, key, lambda record: record.text(key, filled=True))
    for record, value in zip(records, values or (), strict=False):
        if values and value != values[0]:
            raise record.error(
                f"{key!r} is {shown(value)} here and {shown(values[0])} on line {records[0].line}; "
                "a file holds one test set: split the file"
            )
    return values[0] if values else None


def _candidates(records: list[Record]) -> dict[str, Texts]:
    rows = [record.texts("candidates") or {} for record in records]
    for record, row in zip(records, rows, strict=True):
        for name in rows[0].keys() ^ row.keys():
            where = "here" if name in rows[0] else f"on line {records[0].line}"
            raise record.error(
                f"the candidate of system {shown(name)} is missing {where}; give every system on every line"
            )
    return {name: tuple(row[name] for row in rows) for name in rows[0]}


def _references(records: list[Record]) -> dict[str, Texts]:
    rows = [_references_of(record) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    for record, row in zip(records, rows, strict=True):
        if names and not row:
            raise record.error(
                'there is no reference here, but other segments have one; give one, or "" to match nothing'
            )
    # A missing reference is an empty text, as in every other format.
    return {name: tuple(row.get(name, "") for row in rows) for name in names}


def _references_of(record: Record) -> dict[str, str]:
    value = record.values.get("references")
    if isinstance(value, list):
        return {str(number): text for number, text in enumerate(record.items("references"), start=1)}
    if value is not None and not isinstance(value, dict):
        raise record.error(f"'references' is {describe(value)}, expected an array of strings, or an object of strings")
    return record.texts("references") or {}


def testset_to_objects(testset: TestSet) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each segment; references named 1, 2, … become an array."""
    constants = {key: getattr(testset, attribute) for key, attribute in SET_COLUMNS.items()}
    constants = {key: value for key, value in constants.items() if value is not None}
    numbered = tuple(testset.references) == line_ids(len(testset.references))
    for row, name in enumerate(testset.ids):
        item: dict[str, Any] = {"id": name}
        if testset.documents is not None:
            item["document"] = testset.documents[row]
        item |= constants
        if testset.originals is not None:
            item["original"] = testset.originals[row]
        if testset.references:
            references = {key: texts[row] for key, texts in testset.references.items()}
            item["references"] = list(references.values()) if numbered else references
        if testset.candidates:
            item["candidates"] = {key: texts[row] for key, texts in testset.candidates.items()}
        yield item
