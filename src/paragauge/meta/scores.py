"""Scores of metrics as a table, as written by ``paragauge score --format tsv`` or by other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paragauge.corpora.jsonlines import parse_jsonl
from paragauge.corpora.judgments import is_usable, without_repeats
from paragauge.corpora.lines import decode_text
from paragauge.corpora.tables import parse_csv, parse_tsv
from paragauge.errors import DataError, unknown_name
from paragauge.io import PathLike, display_name, read_bytes

_PLACES = ("metric", "system", "segment")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score; without a segment, it is the score of the whole system. ``None`` is a missing score."""

    metric: str
    system: str
    segment: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores by metric, system and, unless they are of whole systems, segment."""

    rows: tuple[ScoreRow, ...]

    def __post_init__(self) -> None:
        seen: dict[tuple[str, str, str | None], int] = {}
        for number, row in enumerate(self.rows, start=1):
            before = seen.setdefault((row.metric, row.system, row.segment), number)
            if before != number:
                place = "" if row.segment is None else f", segment {row.segment!r}"
                raise DataError(
                    f"rows {before} and {number} both score metric {row.metric!r}, system {row.system!r}{place}; "
                    "expected each once"
                )

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ScoreRow]:
        return iter(self.rows)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics in order of appearance."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))


def read_scores(path: PathLike, *, column: str = "score", encoding: str = "utf-8") -> ScoreTable:
    """Return the scores in *path*: TSV, CSV, JSON Lines, or the JSON that ``paragauge score`` writes.

    Args:
        path: File, optionally gzipped; ``-`` is standard input.
        column: Column to use: the score or one of its components.
        encoding: Encoding of the text.

    Raises:
        DataError: The file is not a table of scores; the message names the line.
    """
    data = read_bytes(path)
    start = data.lstrip()[:1]
    if start == b"[":
        rows = _rows_of_json(data, path, column, encoding)
    elif start == b"{":
        records = [(record.line, record.values) for record in parse_jsonl(data, path, encoding)]
        rows = _rows_of_objects(records, path, column)
    else:
        header = data.split(b"\n", 1)[0]
        table = parse_tsv(data, path, encoding) if b"\t" in header else parse_csv(data, path, encoding)
        fields = [dict(zip(table.header, row, strict=True)) for row in table.rows]
        rows = _rows_of_objects(list(zip(table.lines, fields, strict=True)), path, column)
    rows, _ = without_repeats(rows, range(len(rows)), display_name(path))
    try:
        return ScoreTable(tuple(rows))
    except DataError as error:
        raise DataError(str(error), path=display_name(path)) from error


def scores_of_records(
    records: Iterable[Mapping[str, Any]], *, column: str = "score", name: str = "scores"
) -> ScoreTable:
    """Return the scores in *records*, which have the keys metric, system, segment and score, as a frame has columns.

    Args:
        records: One mapping per score.
        column: Key to use: the score or one of its components.
        name: Name of the records in messages.
    """
    return ScoreTable(tuple(_rows_of_objects([(None, record) for record in records], name, column)))


def _rows_of_json(data: bytes, path: PathLike, column: str, encoding: str) -> list[ScoreRow]:
    try:
        items = json.loads(decode_text(data, path, encoding))
    except (ValueError, RecursionError) as error:
        raise DataError(f"is not valid JSON ({error})", path=display_name(path)) from error
    objects = []
    for item in items:
        if not isinstance(item, dict):
            raise DataError(
                "expected a list of objects as 'paragauge score --format json' writes", path=display_name(path)
            )
        components = item.get("components")
        objects.append((None, {**(components if isinstance(components, dict) else {}), **item}))
    return _rows_of_objects(objects, path, column)


def _rows_of_objects(objects: Sequence[tuple[int | None, Any]], path: PathLike, column: str) -> list[ScoreRow]:
    place = display_name(path)
    rows = []
    for line, values in objects:
        for needed in ("metric", "system"):
            if not isinstance(values.get(needed), str) or not values[needed]:
                raise DataError(
                    f"lacks {needed!r}; expected the columns metric, system, segment (unless scores are of whole "
                    f"systems) and score",
                    path=place,
                    line=line,
                )
        if column not in values:
            raise DataError(str(unknown_name("column", column, [k for k in values if k not in _PLACES])), path=place)
        segment = values.get("segment")
        rows.append(
            ScoreRow(
                values["metric"],
                values["system"],
                None if segment in (None, "") else str(segment),
                _number(values[column], column, place, line),
            )
        )
    if not rows:
        raise DataError("has no scores, expected at least one", path=place)
    return rows


def _number(value: object, column: str, path: str, line: int | None) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not is_usable(number):
        limit = " up to 1e100" if math.isfinite(number) else ""
        raise DataError(
            f"{column} is {value!r}, expected a number{limit}, or nothing for a missing score",
            path=path,
            line=line,
        )
    return number
