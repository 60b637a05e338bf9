"""Texts with human judgments to learn a metric from: a candidate, what it is compared with, and a score on each row.

Columns: ``candidate`` (or ``translation``, ``paraphrase``) and ``score``; ``reference`` (``reference_2``, ... for more)
or ``original`` or both; optionally ``source``, ``set``, ``system``, ``segment``, ``judge`` and ``criterion``. TSV, CSV
or JSON Lines (where ``references`` may be a list), gzipped or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.formats import first_line
from paragauge.corpora.jsonlines import Record, parse_jsonl
from paragauge.corpora.judgments import NO_JUDGE, OVERALL, is_usable, parse_score, score_of_record
from paragauge.corpora.lines import empty_file, shown
from paragauge.corpora.segments import Segments
from paragauge.corpora.tables import Table, parse_csv, parse_tsv, recognise_table, table_hint
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_bytes

CANDIDATE = ("candidate", "translation", "paraphrase")
COLUMNS = (*CANDIDATE, "score", "reference", "original", "source", "set", "system", "segment", "judge", "criterion")
_REFERENCE = re.compile(r"reference(_[0-9]+)?")
_FEW = 5  # judgments: a judge with fewer has no scale of their own


class JudgedText(NamedTuple):
    """One score that one judge gave to one candidate, ``None`` if it is missing."""

    candidate: str
    score: float | None
    references: tuple[str, ...] = ()
    original: str | None = None
    source: str | None = None  # the sentence that all candidates of one group have in common
    set: str = ""
    system: str = ""
    judge: str = NO_JUDGE
    criterion: str = OVERALL


@dataclass(frozen=True, slots=True, eq=False)
class JudgedItems:
    """Judged candidates, each once, with one score: what regressors learn from.

    Attributes:
        segments: Candidates with their references and originals.
        targets: Standard scores: 0 is the mean of its set, 1 one standard deviation above it.
        sets: Name of the set that each comes from.
        groups: Candidates of one source sentence, original or first reference are of one group.
        scales: Mean and standard deviation of the scores of each set, over its items.
    """

    segments: Segments
    targets: NDArray[np.float64]
    sets: tuple[str, ...]
    groups: tuple[str, ...]
    scales: Mapping[str, tuple[float, float]]

    def __len__(self) -> int:
        return len(self.sets)


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """Rows of judged texts."""

    rows: tuple[JudgedText, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[JudgedText]:
        return iter(self.rows)

    def named(self, name: str) -> JudgedTexts:
        """Return the rows with *name* as the set of those that have none."""
        return JudgedTexts(tuple(row if row.set else row._replace(set=name) for row in self.rows))

    def items(self, criterion: str | None = None) -> JudgedItems:
        """Return each candidate once, with a score that can be compared between sets and judges.

        Scores are standardised for each judge within each set (a judge of fewer than five texts, or who gave them all
        the same score, by the scale of the whole set), averaged over judges, and standardised within the set.

        Args:
            criterion: The criterion to use; may be left out if there is only one.

        Raises:
            DataError: There is nothing to learn from: no score, one score for all, several criteria, rows with
                references and rows without.
        """
        rows = self._of_criterion(criterion)
        by_item: dict[tuple[object, ...], list[float]] = {}
        raw: dict[tuple[object, ...], list[float]] = {}
        first: dict[tuple[object, ...], JudgedText] = {}
        for row, score in zip(rows, _by_judge(rows), strict=True):
            key = (row.set, row.candidate, row.references, row.original, row.system)
            first.setdefault(key, row)
            by_item.setdefault(key, []).append(score)
            raw.setdefault(key, []).append(row.score or 0.0)
        items = list(first.values())
        means = np.array([np.mean(scores) for scores in by_item.values()])
        raw_means = np.array([np.mean(scores) for scores in raw.values()])
        sets = np.array([row.set for row in items])
        targets, scales = np.zeros(len(items)), {}
        for name in dict.fromkeys(sets.tolist()):
            mine = sets == name
            mean, spread = _scale(means[mine], f"{name or 'the judgments'}: ")
            targets[mine] = (means[mine] - mean) / spread
            scales[str(name)] = (float(raw_means[mine].mean()), float(raw_means[mine].std()))
        return JudgedItems(_segments(items), targets, tuple(sets.tolist()), tuple(map(_group, items)), scales)

    def _of_criterion(self, criterion: str | None) -> list[JudgedText]:
        scored = [row for row in self.rows if row.score is not None]
        for row in scored:
            if not is_usable(row.score or 0.0):  # files are checked when they are read
                raise DataError(
                    f"the score of {shown(row.candidate)} is {row.score}; expected a finite number, or None"
                )
        found = sorted({row.criterion for row in scored})
        if not found:
            raise DataError("the judgments have no score to learn from; expected a number in at least one row")
        if criterion is None and len(found) > 1:
            raise DataError(f"the judgments have several criteria: {', '.join(found)}; choose one with --criterion")
        if criterion is not None and criterion not in found:
            raise DataError(f"the judgments have no criterion {criterion!r}; they have {', '.join(found)}")
        return [row for row in scored if criterion in (None, row.criterion)]


def _by_judge(rows: Sequence[JudgedText]) -> NDArray[np.float64]:
    """Return the scores, standardised for each judge within each set."""
    scores = np.array([row.score for row in rows], dtype=np.float64)
    result = np.zeros(len(rows))
    places: dict[str, dict[str, list[int]]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row.set, {}).setdefault(row.judge, []).append(place)
    for name, judges in places.items():
        whole = _scale(scores[[place for mine in judges.values() for place in mine]], f"{name or 'the judgments'}: ")
        for mine in judges.values():
            own = scores[mine]
            mean, spread = whole if len(mine) < _FEW or np.ptp(own) == 0 else (own.mean(), own.std())
            result[mine] = (own - mean) / spread
    return result


def _scale(scores: NDArray[np.float64], place: str) -> tuple[float, float]:
    if len(scores) < 3:
        raise DataError(f"{place}there are fewer than three judged texts ({len(scores)}); there is nothing to learn")
    # Means of standard scores differ in their last digits even if judges contradict each other exactly.
    if np.ptp(scores) <= 1e-12 * max(1.0, float(np.abs(scores).max())):
        raise DataError(
            f"{place}all scores are the same ({scores[0]:g}); there is nothing to learn from them: add candidates that "
            "are better or worse"
        )
    return float(scores.mean()), float(scores.std())


def _segments(items: Sequence[JudgedText]) -> Segments:
    """Return the texts; references and originals must stand with all of them or with none."""
    with_references = [bool(row.references) for row in items]
    with_originals = [row.original is not None for row in items]
    for what, there in (("reference", with_references), ("original", with_originals)):
        if any(there) and not all(there):
            row = items[there.index(False)]
            raise DataError(
                f"{shown(row.candidate)} has no {what}, but other judged texts have one; a metric is learned from the "
                f"same kinds of texts throughout: add it, or leave out the column {what!r}"
            )
    return Segments.of(
        [row.candidate for row in items],
        [row.references for row in items] if all(with_references) else None,
        [row.original or "" for row in items] if all(with_originals) else None,
    )


def _group(row: JudgedText) -> str:
    return row.source or row.original or (row.references[0] if row.references else row.candidate)


def read_judged_texts(path: PathLike, *, encoding: str = "utf-8") -> JudgedTexts:
    """Return the judged texts in *path*; ``-`` is standard input.

    Raises:
        FileError: The file cannot be read.
        DataError: The file is not a table of judged texts; the message names the line.
    """
    data = read_bytes(path)
    if not data.strip():
        raise empty_file(path, "a table of judged texts")
    line = first_line(data.removeprefix(b"\xef\xbb\xbf"))
    if line.lstrip().startswith("{"):
        return JudgedTexts(tuple(map(_row_of_record, parse_jsonl(data, path, encoding))))
    kind = recognise_table(line, _is_column)
    if kind is None:
        raise DataError(
            f"the file begins with {shown(line)}, expected a TSV or CSV header with the columns candidate, score, and "
            "reference or original (optionally source, set, system, judge and criterion), or JSON Lines with these keys"
            + table_hint(line, _is_column),
            path=display_name(path),
            line=1,
        )
    table = parse_csv(data, path, encoding) if kind == "csv" else parse_tsv(data, path, encoding)
    return JudgedTexts(tuple(_rows_of_table(table)))


def _is_column(name: str) -> bool:
    return name in COLUMNS or _REFERENCE.fullmatch(name) is not None


def _rows_of_table(table: Table) -> Iterator[JudgedText]:
    for name in table.header:
        if not _is_column(name):
            raise DataError(
                f"unknown column {shown(name)}; known: {', '.join(COLUMNS)}, reference_2; rename or remove it",
                path=table.path,
                line=1,
            )
    named = _one_of(CANDIDATE, table.header)
    if named is None or "score" not in table.header:
        raise DataError(
            f"the columns are {', '.join(table.header)}; expected one of {', '.join(CANDIDATE)}, and score",
            path=table.path,
            line=1,
        )
    references = [name for name in table.header if _REFERENCE.fullmatch(name)]
    for line, row in zip(table.lines, table.rows, strict=True):
        cells = dict(zip(table.header, row, strict=True))
        yield JudgedText(
            cells[named],
            parse_score(cells["score"], table.path, line),
            tuple(cells[name] for name in references if cells[name].strip()) or tuple("" for _ in references[:1]),
            cells.get("original"),
            cells.get("source") or None,
            cells.get("set", ""),
            cells.get("system", ""),
            cells.get("judge", NO_JUDGE),
            cells.get("criterion") or OVERALL,
        )


def _one_of(names: Sequence[str], header: Iterable[str]) -> str | None:
    found = [name for name in header if name in names]
    if len(found) > 1:
        raise DataError(f"the columns {' and '.join(map(repr, found))} mean the same; keep one")
    return found[0] if found else None


def _row_of_record(record: Record) -> JudgedText:
    record.check_keys([*COLUMNS, "references", *(key for key in record.values if _REFERENCE.fullmatch(key))])
    named = _one_of(CANDIDATE, record.values)
    candidate = None if named is None else record.text(named)
    if candidate is None or "score" not in record.values:
        raise record.error(f"a key is missing; expected one of {', '.join(map(repr, CANDIDATE))}, and 'score'")
    references = [record.text(key) or "" for key in record.values if _REFERENCE.fullmatch(key)]
    if "references" in record.values:
        if not isinstance(record.values["references"], list):
            raise record.error("'references' is not a list of strings")
        references += record.items("references")
    judge = record.values.get("judge")
    return JudgedText(
        candidate,
        score_of_record(record),
        tuple(text for text in references if text.strip()) or tuple("" for _ in references[:1]),
        record.text("original"),
        record.text("source") or None,
        record.text("set") or "",
        record.name("system") or "",
        NO_JUDGE if judge in (None, "") else record.name("judge") or NO_JUDGE,
        record.text("criterion", filled=True) or OVERALL,
    )
