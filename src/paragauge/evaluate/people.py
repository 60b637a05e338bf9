"""Scores and judgments as people have them: files, tables, results, frames.

Frames are recognised by what they can do, so that pandas, polars and Arrow need not be installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.texts import is_missing

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.scores import ScoreTable

# A path, a ScoreTable, a result that has scores, a frame, or mappings with the keys metric, system, segment, score.
Scores: TypeAlias = Any
# A path, Judgments, Rankings, a frame, or mappings with the keys system, segment, judge, criterion, score.
People: TypeAlias = Any


def as_score_table(scores: Scores, *, column: str = "score", encoding: str = "utf-8") -> ScoreTable:
    """Return *scores* as a table.

    Args:
        scores: A path, a table, a result that has scores of segments or systems, or a frame with the columns
            metric, system, segment (unless scores are of whole systems) and score.
        column: Which column of a file or frame to take.
        encoding: Of a file.
    """
    from paragauge.meta.scores import ScoreTable, read_scores, scores_of_records

    if isinstance(scores, ScoreTable) or hasattr(scores, "score_table"):
        if column != "score":
            raise OptionError(f"--column {column} chooses a column of a file or frame; these scores have only one")
        table: ScoreTable = scores if isinstance(scores, ScoreTable) else scores.score_table()
        return table
    if _is_path(scores):
        return read_scores(scores, column=column, encoding=encoding)
    return scores_of_records(_records(scores, "scores"), column=column)


def as_people(people: People, *, pair: str | None = None, encoding: str = "utf-8") -> Judgments | Rankings:
    """Return what people said: judgments, or rankings.

    Args:
        people: A path, judgments, rankings, or a frame with the columns system, segment, judge, criterion (these two
            may be absent) and score.
        pair: The language pair to take from a file of WMT rankings.
        encoding: Of a file.
    """
    from paragauge.corpora.judgments import NO_JUDGE, OVERALL, Judgments
    from paragauge.meta.rankings import Rankings, read_people

    if isinstance(people, Judgments | Rankings):
        return people
    if _is_path(people):
        return read_people(people, pair=pair, encoding=encoding)
    rows = []
    for number, record in enumerate(_records(people, "judgments"), start=1):
        for needed in ("system", "segment", "score"):
            if needed not in record:
                raise DataError(
                    f"judgments: row {number} lacks {needed!r}; expected the columns system, segment, judge, "
                    "criterion and score, of which judge and criterion may be absent"
                )
        score = record["score"]
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            raise DataError(f"judgments: the score in row {number} is {score!r}, expected a number, or nothing")
        judge, criterion = record.get("judge"), record.get("criterion")
        rows.append(
            (
                str(record["system"]),
                str(record["segment"]),
                NO_JUDGE if judge is None else str(judge),
                OVERALL if criterion is None else str(criterion),
                None if score is None else float(score),
            )
        )
    return Judgments.from_rows(rows)


def _is_path(value: Any) -> bool:
    return isinstance(value, str | PathLike)


def _records(frame: Any, what: str) -> list[dict[str, Any]]:
    """Return the rows of a frame, or of any mappings, with ``None`` for what is missing."""
    if hasattr(frame, "to_pylist"):  # Arrow
        rows = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):  # polars
        rows = frame.to_dicts()
    elif hasattr(frame, "to_dict") and hasattr(frame, "columns"):  # pandas
        rows = frame.to_dict("records")
    else:
        rows = frame
    if not isinstance(rows, Iterable) or isinstance(rows, Mapping):
        raise DataError(f"{what}: found {type(frame).__name__}, expected a file, a frame or a list of rows")
    found = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise DataError(f"{what}: row {number} is {type(row).__name__}, expected a mapping from columns to values")
        found.append({str(key): None if is_missing(value) else value for key, value in row.items()})
    return found
