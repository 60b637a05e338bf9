"""Multidimensional Quality Metrics (MQM): errors that raters marked, with severities, as scores of segments.

The score of a segment by a rater is minus the sum of the weights of its errors: 0 is perfect. The default weights are
Google's (Freitag et al., 2021): 5 for a major error, 1 for a minor one, 25 for a non-translation, 0.1 for minor
punctuation, 0 for a neutral one.
"""

from __future__ import annotations

from collections.abc import Mapping

from paragauge.corpora.judgments import Judgment
from paragauge.corpora.tables import Table
from paragauge.errors import DataError, OptionError

MQM = "mqm"  # criterion
NO_ERROR = ("no-error", "no error", "")
GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "major/non-translation!": 25.0,
    "major/non-translation": 25.0,
    "minor/fluency/punctuation": 0.1,
}
_SEGMENTS = ("globalSegId", "seg_id", "segment")
_WITHIN = ("doc_id", "docSegId")


def is_mqm_header(header: tuple[str, ...]) -> bool:
    """Return whether a table with this header has MQM errors."""
    return {"system", "rater", "category", "severity"} <= set(header)


def parse_weights(text: str) -> dict[str, float]:
    """Return the weights written as *text*, such as ``major:5 minor:1 minor/fluency/punctuation:0.1``.

    A name is a severity, or a severity with a category and a subcategory; the longest that fits an error decides.

    >>> parse_weights("Major:10 Minor:1")
    {'major': 10.0, 'minor': 1.0}
    """
    weights = {}
    for part in text.split():
        name, colon, number = part.rpartition(":")
        try:
            weights[name.lower()] = float(number)
        except ValueError:
            colon = ""
        if not colon or not name:
            raise OptionError(f"{part!r} is not a weight; expected one such as major:5 or minor/fluency:0.5")
    if not weights:
        raise OptionError("no weights were given; expected some such as 'major:5 minor:1'")
    return weights


def mqm_judgments(table: Table, weights: Mapping[str, float] = GOOGLE_WEIGHTS) -> list[Judgment]:
    """Return one judgment for each system, segment and rater in a *table* of errors.

    Raises:
        DataError: A severity has no weight; the message names the line.
    """
    columns = {name: table.column(name) for name in table.header}
    severities = sorted({name.split("/")[0] for name in weights})
    sums: dict[tuple[str, str, str], float] = {}
    for number, line in enumerate(table.lines):
        row = {name: fields[number] for name, fields in columns.items() if fields is not None}
        weight = _weight(row["severity"].strip().lower(), row["category"].strip().lower(), weights)
        if weight is None:
            raise DataError(
                f"the severity is {row['severity']!r}, expected {', '.join(severities)} or no-error; give its weight "
                "with --mqm-weights of 'paragauge judgments'",
                path=table.path,
                line=line,
            )
        key = (row["system"], _segment(row, table.path, line), row["rater"])
        sums[key] = sums.get(key, 0.0) + weight
    return [Judgment(*key, MQM, 0.0 if total == 0 else -round(total, 9)) for key, total in sums.items()]


def _weight(severity: str, category: str, weights: Mapping[str, float]) -> float | None:
    if severity in NO_ERROR or category in NO_ERROR[:2]:
        return 0.0
    parts = [severity, *category.split("/")]
    for length in range(len(parts), 0, -1):
        found = weights.get("/".join(parts[:length]))
        if found is not None:
            return found
    return None


def _segment(row: Mapping[str, str], path: str, line: int) -> str:
    for name in _SEGMENTS:
        if row.get(name):
            return row[name]
    for name in _WITHIN:
        if row.get("doc") and row.get(name):
            return f"{row['doc']}:{row[name]}"
    raise DataError(
        f"no column names the segment; expected {', '.join(_SEGMENTS)}, or doc and doc_id", path=path, line=line
    )
