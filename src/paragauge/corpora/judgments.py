"""Human judgments of candidates: scores by system, segment, judge and criterion."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from paragauge.corpora.formats import check_format, first_line, format_of_name
from paragauge.corpora.jsonlines import Record, describe, parse_jsonl, write_jsonl
from paragauge.corpora.lines import empty_file, located, shown
from paragauge.corpora.tables import (
    Table,
    parse_csv,
    parse_tsv,
    recognise_table,
    table_hint,
    write_csv,
    write_tsv,
)
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_bytes

COLUMNS = ("system", "segment", "judge", "criterion", "score")
JUDGMENT_FORMATS = ("tsv", "csv", "jsonl")
NO_JUDGE = ""  # a judgment without a named judge
OVERALL = "overall"  # the default criterion
WHOLE_SYSTEM = "*"  # the segment of judgments of whole systems

_EXPECTED = (
    f"expected {', '.join(COLUMNS)}; judge and criterion are optional, and so is segment if whole systems were judged"
)

LARGEST_SCORE = 1e100

# Python's float() would also accept "nan", "1_000" and digits of other scripts.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


logger = logging.getLogger(__name__)

Row = TypeVar("Row", bound=Hashable)


class Judgment(NamedTuple):
    """One score that one judge gave, ``None`` if it is missing."""

    system: str
    segment: str
    judge: str
    criterion: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Judgments:
    """A table of judgments, column by column: row *i* is the i-th item of each column.

    Attributes:
        systems: System whose candidate was judged.
        segments: Id of the segment in the test set; ``"*"`` if the whole system was judged.
        judges: Name of the judge; ``""`` if unknown.
        criteria: What was judged, such as adequacy; ``"overall"`` by default.
        scores: Score; ``None`` if it is missing, which is not the same as 0.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    criteria: tuple[str, ...]
    scores: tuple[float | None, ...]

    def __post_init__(self) -> None:
        columns = {
            "systems": self.systems,
            "segments": self.segments,
            "judges": self.judges,
            "criteria": self.criteria,
        }
        for what, column in columns.items():
            object.__setattr__(self, what, _checked_names(what, column, empty=what == "judges"))
        object.__setattr__(self, "scores", _checked_scores(self.scores))
        lengths = {what: len(column) for what, column in columns.items()} | {"scores": len(self.scores)}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{what} {count}" for what, count in lengths.items())
            raise DataError(f"the columns of the judgments differ in length: {found}")
        _check_unique(self, range(1, len(self) + 1), "row")

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, str, str, float | None]]) -> Judgments:
        """Return the table of *rows*: (system, segment, judge, criterion, score)."""
        columns = tuple(zip(*rows, strict=True)) or ((),) * len(COLUMNS)
        return cls(*columns)

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Judgment]:
        columns = (self.systems, self.segments, self.judges, self.criteria, self.scores)
        return (Judgment(*row) for row in zip(*columns, strict=True))

    @property
    def missing(self) -> int:
        """Number of missing scores."""
        return sum(score is None for score in self.scores)

    def where(
        self,
        *,
        system: str | None = None,
        segment: str | None = None,
        judge: str | None = None,
        criterion: str | None = None,
    ) -> Judgments:
        """Return the rows that have all the given values; ``None`` means any value."""
        wanted = (system, segment, judge, criterion)
        return Judgments.from_rows(
            row for row in self if all(want in (None, have) for want, have in zip(wanted, row[:4], strict=True))
        )

    def without_missing(self) -> Judgments:
        """Return the rows that have a score."""
        return Judgments.from_rows(row for row in self if row.score is not None)

    def mean_over_judges(self) -> Judgments:
        """Return one row for each system, segment and criterion: the mean of the scores present.

        Missing scores are ignored; where all are missing, the mean is missing. The judge becomes ``""``.

        >>> ann, bob = ("a", "1", "ann", "overall", 4.0), ("a", "1", "bob", "overall", 5.0)
        >>> eve = ("a", "1", "eve", "overall", None)
        >>> Judgments.from_rows([ann, bob, eve]).mean_over_judges().scores
        (4.5,)
        """
        groups: dict[tuple[str, str, str], list[float]] = {}
        for row in self:
            scores = groups.setdefault((row.system, row.segment, row.criterion), [])
            if row.score is not None:
                scores.append(row.score)
        return Judgments.from_rows(
            (system, segment, NO_JUDGE, criterion, math.fsum(scores) / len(scores) if scores else None)
            for (system, segment, criterion), scores in groups.items()
        )

    def mean_over_criteria(self, criteria: Sequence[str], name: str) -> Judgments:
        """Return one row for each system, segment and judge: the mean of all *criteria*, under a new *name*.

        A missing score of one of them makes the mean missing, which is not the same as leaving the criterion out.
        """
        groups: dict[tuple[str, str, str], dict[str, float | None]] = {}
        for row in self:
            if row.criterion in criteria:
                groups.setdefault((row.system, row.segment, row.judge), {})[row.criterion] = row.score
        rows = []
        for place, scores in groups.items():
            known = [score for score in scores.values() if score is not None]
            mean = math.fsum(known) / len(known) if len(known) == len(set(criteria)) else None
            rows.append((*place, name, mean))
        return Judgments.from_rows(rows)


def _checked_names(what: str, names: Sequence[object], *, empty: bool) -> tuple[str, ...]:
    checked = []
    for number, name in enumerate(names, start=1):
        if not isinstance(name, str) or not (name or empty):
            raise DataError(
                f"{what}: row {number} has {name!r}, expected a string" + " that is not empty" * (not empty)
            )
        checked.append(name)
    return tuple(checked)


def is_usable(score: float) -> bool:
    """Return whether *score* is a finite number whose square is one too, since correlations need squares."""
    return math.isfinite(score) and abs(score) <= LARGEST_SCORE


def _checked_scores(scores: Sequence[object]) -> tuple[float | None, ...]:
    checked: list[float | None] = []
    for number, score in enumerate(scores, start=1):
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            raise DataError(f"scores: row {number} has {type(score).__name__}, expected a number or None")
        if score is not None and not is_usable(score):
            raise DataError(
                f"scores: row {number} has {score!r}, expected a finite number up to 1e100, or None if it is missing"
            )
        checked.append(None if score is None else float(score))
    return tuple(checked)


def _check_unique(rows: Iterable[Judgment], places: Sequence[int], unit: str, path: str | None = None) -> None:
    """Raise an error for duplicate judgments; *places* are the numbers of their rows or lines."""
    seen: dict[tuple[str, ...], int] = {}
    for place, row in zip(places, rows, strict=True):
        before = seen.setdefault(row[:4], place)
        if before != place:
            raise DataError(
                f"{unit}s {before} and {place} are judgments of the same thing: system {shown(row.system)}, segment "
                f"{shown(row.segment)}, judge {shown(row.judge)}, criterion {shown(row.criterion)}; "
                "expected only one: give the judges different names, or remove one row",
                path=path,
                line=None if path is None else place,
            )


def read_judgments(
    path: PathLike,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    pair: str | None = None,
    mqm_weights: Mapping[str, float] | None = None,
) -> Judgments:
    """Return the judgments in *path*; ``-`` is standard input.

    Tables of direct assessments and of MQM errors, as they are published, are recognised by their header
    (`paragauge.corpora.wmt_judgments`).

    Args:
        path: The file, gzipped or not.
        format: One of ``tsv``, ``csv``, ``jsonl``; recognised by the content if ``None``.
        encoding: The encoding of the text.
        pair: Language pair to take, if a published table has several.
        mqm_weights: Weights of MQM errors; by default, Google's.

    Raises:
        FileError: The file cannot be read.
        DataError: The file is not a table of judgments; the message names the line.
    """
    check_format(format, JUDGMENT_FORMATS)
    from paragauge.corpora.wmt_judgments import is_foreign_header, parse_spaced

    data = read_bytes(path)
    match format or _recognise(data, path):
        case "spaced":
            rows, lines = _foreign(parse_spaced(data, path, encoding), pair, mqm_weights)
        case "jsonl":
            records = list(parse_jsonl(data, path, encoding))
            rows = [_row_of_record(record) for record in records]
            lines = [record.line for record in records]
        case other:
            table = parse_csv(data, path, encoding) if other == "csv" else parse_tsv(data, path, encoding)
            if is_foreign_header(table.header):
                rows, lines = _foreign(table, pair, mqm_weights)
            else:
                rows, lines = _rows_of_table(table), list(table.lines)
    rows, lines = without_repeats(rows, lines, display_name(path))
    _check_unique(rows, lines, "line", display_name(path))
    with located(path):
        return Judgments.from_rows(rows)


def _foreign(table: Table, pair: str | None, weights: Mapping[str, float] | None) -> tuple[list[Judgment], list[int]]:
    from paragauge.corpora.mqm import GOOGLE_WEIGHTS
    from paragauge.corpora.wmt_judgments import foreign_rows

    return foreign_rows(table, pair=pair, weights=GOOGLE_WEIGHTS if weights is None else weights)


def without_repeats(rows: Sequence[Row], lines: Sequence[int], path: str) -> tuple[list[Row], list[int]]:
    """Return the rows and their line numbers without exact duplicates; the number of duplicates is logged."""
    first: dict[Row, int] = {}
    for row, line in zip(rows, lines, strict=True):
        first.setdefault(row, line)
    if len(first) < len(rows):
        logger.warning("%s: %d row(s) duplicate another exactly; each is counted once", path, len(rows) - len(first))
    return list(first), list(first.values())


def _recognise(data: bytes, path: PathLike) -> str:
    if not data.strip():
        raise empty_file(path, "a table of judgments")
    from paragauge.corpora.wmt_judgments import is_foreign_header, is_spaced_header

    line = first_line(data.removeprefix(b"\xef\xbb\xbf"))
    if line.lstrip().startswith("{"):
        return "jsonl"
    if is_spaced_header(line):
        return "spaced"
    format = recognise_table(line, COLUMNS.__contains__)
    if format is None:
        format = next(
            (kind for kind, mark in (("tsv", "\t"), ("csv", ",")) if is_foreign_header(line.split(mark))), None
        )
    if format is not None:
        return format
    raise DataError(
        f"the file begins with {shown(line)}, expected judgments: a TSV or CSV header with the columns "
        f"{', '.join(COLUMNS)}, or JSON Lines with these keys" + table_hint(line, COLUMNS.__contains__),
        path=display_name(path),
        line=1,
    )


def _rows_of_table(table: Table) -> list[Judgment]:
    _check_header(table)
    count = len(table.rows)
    columns = (
        table.filled_column("system") or (),
        table.filled_column("segment") or (WHOLE_SYSTEM,) * count,
        table.column("judge") or (NO_JUDGE,) * count,
        table.filled_column("criterion") or (OVERALL,) * count,
        (
            parse_score(field, table.path, line)
            for field, line in zip(table.column("score") or (), table.lines, strict=True)
        ),
    )
    return [Judgment(*row) for row in zip(*columns, strict=True)]


def _check_header(table: Table) -> None:
    for name in table.header:
        if name not in COLUMNS:
            raise DataError(
                f"unknown column {shown(name)}; known: {', '.join(COLUMNS)}; remove it, "
                "or put each kind of score in separate rows with its criterion",
                path=table.path,
                line=1,
            )
    for name in ("system", "score"):
        if name not in table.header:
            raise DataError(
                f"there is no column {name!r}; {_EXPECTED}",
                path=table.path,
                line=1,
            )


def parse_score(field: str, path: str, line: int) -> float | None:
    """Return the score in a *field* of a table, ``None`` for an empty one."""
    if not field:
        return None
    score = float(field) if _NUMBER.fullmatch(field) else math.nan
    if is_usable(score):
        return score
    hint = "; write a decimal point" if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", field) else ""
    raise DataError(
        f"the score {shown(field)} is not a finite number up to 1e100{hint}; leave the field empty if it is missing",
        path=path,
        line=line,
    )


def _row_of_record(record: Record) -> Judgment:
    record.check_keys(COLUMNS)
    system, segment = record.name("system"), record.name("segment")
    if system is None:
        raise record.error(f"'system' is missing; {_EXPECTED}")
    if "score" not in record.values:
        raise record.error("'score' is missing; expected a number, or null for a missing score")
    judge, criterion = record.values.get("judge"), record.text("criterion", filled=True)
    name = NO_JUDGE if judge in (None, "") else record.name("judge") or NO_JUDGE
    return Judgment(system, segment or WHOLE_SYSTEM, name, criterion or OVERALL, score_of_record(record))


def score_of_record(record: Record) -> float | None:
    """Return the score in a *record*, ``None`` for null."""
    score = record.values["score"]
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise record.error(f"'score' is {describe(score)}, expected a number, or null if it is missing")
    try:
        value = float(score)
    except OverflowError:
        value = math.inf
    if not is_usable(value):
        raise record.error("'score' is too large, expected a finite number, or null if it is missing")
    return value


def write_judgments(judgments: Judgments, path: PathLike, format: str | None = None) -> None:
    """Write *judgments* with all five columns, gzipped if the name ends in ``.gz``; ``-`` is standard output.

    Args:
        judgments: Judgments to write.
        path: File to write.
        format: One of ``tsv``, ``csv``, ``jsonl``; taken from the file name if ``None``.

    Raises:
        DataError: There are no rows, or a name contains characters that the format cannot hold.
    """
    check_format(format, JUDGMENT_FORMATS)
    if not len(judgments):
        raise DataError("there are no judgments to write, expected at least one row")
    with located(path):
        match format or format_of_name(path, JUDGMENT_FORMATS):
            case "jsonl":
                write_jsonl(path, (row._asdict() for row in judgments))
            case other:
                write = write_csv if other == "csv" else write_tsv
                write(path, COLUMNS, [(*row[:4], _format_score(row.score)) for row in judgments])


def _format_score(score: float | None) -> str:
    return "" if score is None else repr(score).removesuffix(".0")
