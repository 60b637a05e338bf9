"""Scores and judgments in any form: files, tables, results, frames.

Frames are recognised by their methods, so pandas, polars and Arrow need not be installed.
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

# A path, a ScoreTable, a result with scores, a frame, or mappings with the keys metric, system, segment, score.
Scores: TypeAlias = Any
# A path, Judgments, Rankings, a frame, or mappings with the keys system, segment, judge, criterion, score.
People: TypeAlias = Any


def as_score_table(
    scores: Scores, *, column: str = "score", pair: str | None = None, encoding: str = "utf-8"
) -> ScoreTable:
    """Return *scores* as a table.

    Args:
        scores: Path, table, result with scores of segments or systems, or frame with the columns
            metric, system, segment (unless scores are of whole systems) and score.
        column: Column of the file or frame to use.
        pair: Language pair to take from a folder of mt-metrics-eval.
        encoding: Encoding of the file.
    """
    from paragauge.meta.scores import ScoreTable, read_scores, scores_of_records
    from paragauge.meta.task_folder import is_task_folder, read_task_scores

    if isinstance(scores, ScoreTable) or hasattr(scores, "score_table"):
        if column != "score":
            raise OptionError(f"--column {column} applies only to files and frames; these scores have a single column")
        table: ScoreTable = scores if isinstance(scores, ScoreTable) else scores.score_table()
        return table
    if _is_path(scores) and is_task_folder(scores):
        return read_task_scores(scores, pair=pair, encoding=encoding)
    if _is_path(scores):
        return read_scores(scores, column=column, encoding=encoding)
    return scores_of_records(_records(scores, "scores"), column=column)


def as_people(people: People, *, pair: str | None = None, encoding: str = "utf-8") -> Judgments | Rankings:
    """Return human judgments or rankings.

    Args:
        people: Path (also that of a file of ``annotate judge``), judgments, rankings, or frame with the columns system,
            segment, judge and criterion (both optional), and score.
        pair: Language pair to take from rankings, published judgments or a folder of mt-metrics-eval.
        encoding: Encoding of the file.
    """
    from paragauge.annotation.judging import JudgingStore, is_judging_store
    from paragauge.corpora.judgments import NO_JUDGE, OVERALL, WHOLE_SYSTEM, Judgments
    from paragauge.meta.rankings import Rankings, read_people

    if isinstance(people, Judgments | Rankings):
        return people
    if _is_path(people) and is_judging_store(people):
        with JudgingStore.open(people) as store:
            return store.judgments()
    if _is_path(people):
        return read_people(people, pair=pair, encoding=encoding)
    rows = []
    for number, record in enumerate(_records(people, "judgments"), start=1):
        for needed in ("system", "score"):
            if needed not in record:
                raise DataError(
                    f"judgments: row {number} lacks {needed!r}; expected the columns system, segment (unless whole "
                    "systems were judged) and score, and optionally judge and criterion"
                )
        score = record["score"]
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            raise DataError(f"judgments: the score in row {number} is {score!r}, expected a number or a missing value")
        judge, criterion = record.get("judge"), record.get("criterion")
        rows.append(
            (
                str(record["system"]),
                WHOLE_SYSTEM if record.get("segment") is None else str(record["segment"]),
                NO_JUDGE if judge is None else str(judge),
                OVERALL if criterion is None else str(criterion),
                None if score is None else float(score),
            )
        )
    return Judgments.from_rows(rows)


def _is_path(value: Any) -> bool:
    return isinstance(value, str | PathLike)


def _records(frame: Any, what: str) -> list[dict[str, Any]]:
    """Return the rows of a frame, or any mappings, with ``None`` for missing values."""
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
