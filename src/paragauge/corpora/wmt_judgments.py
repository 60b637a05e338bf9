"""Human judgments as WMT and others publish them, beside our own table.

| file | header |
|---|---|
| direct assessments of segments | ``SYS SID RAW.SCR Z.SCR N``, with spaces |
| direct assessments of systems | ``RAW.SCR Z.SCR N SYS N.ALL``, or ``LP DATA HUMAN SYSTEM``, with spaces |
| MQM errors | TSV with ``system``, ``rater``, ``category``, ``severity`` and the segment |
| any other table | TSV or CSV with a system, and scores under a known name; other columns are ignored |

Relative rankings (``LP DATA SID BETTER WORSE``) are read by `paragauge.meta.rankings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paragauge.corpora.judgments import COLUMNS, NO_JUDGE, OVERALL, WHOLE_SYSTEM, Judgment, parse_score
from paragauge.corpora.lines import decode_lines, shown
from paragauge.corpora.mqm import GOOGLE_WEIGHTS, is_mqm_header, mqm_judgments
from paragauge.corpora.tables import Table
from paragauge.errors import DataError, unknown_name
from paragauge.io import PathLike, display_name

# Names of columns in published tables, ours first.
SYSTEM = ("system", "SYS", "SYSTEM", "sys", "sysname", "sys_name", "system_id", "systemID")
SEGMENT = ("segment", "SID", "seg", "seg_id", "segment_id", "segmentID", "sid")
JUDGE = ("judge", "rater", "annotator", "annotator_id", "judgeId", "worker", "worker_id")
PAIR = ("pair", "lp", "LP", "language_pair")
# Scores, and the criterion that they become.
SCORES: Mapping[str, str] = {
    "score": OVERALL,
    "raw": "raw",
    "RAW.SCR": "raw",
    "raw_score": "raw",
    "z": "z",
    "Z.SCR": "z",
    "z_score": "z",
    "zscore": "z",
    "human_z": "z",
    "HUMAN": "z",
    "mqm": "mqm",
    "MQM": "mqm",
    "da": "raw",
}


def is_spaced_header(line: str) -> bool:
    """Return whether *line* is the header of direct assessments, whose columns are separated by spaces."""
    names = set(line.split())
    return "\t" not in line and bool(names & {"SYS", "SYSTEM"}) and bool(names & {"RAW.SCR", "Z.SCR", "HUMAN"})


def parse_spaced(data: bytes, path: PathLike, encoding: str = "utf-8") -> Table:
    """Return the table in *data*, whose columns are separated by spaces."""
    place = display_name(path)
    lines = [(number, line.split()) for number, line in enumerate(decode_lines(data, path, encoding), start=1)]
    (_, header), *rows = lines
    for number, fields in rows:
        if len(fields) != len(header):
            raise DataError(
                f"found {len(fields)} fields separated by spaces, expected {len(header)} as in the header "
                f"({' '.join(header)})",
                path=place,
                line=number,
            )
    if not rows:
        raise DataError("found only a header, expected at least one row", path=place, line=1)
    return Table(place, tuple(header), tuple(tuple(f) for _, f in rows), tuple(n for n, _ in rows))


def is_foreign_header(header: Sequence[str]) -> bool:
    """Return whether a table with this header has judgments under other names than ours."""
    if set(header) <= set(COLUMNS):
        return False
    return is_mqm_header(tuple(header)) or (
        _first(header, SYSTEM) is not None and any(name in SCORES for name in header if name != "score")
    )


def has_pair_column(line: str) -> bool:
    """Return whether *line* is a header with a column of language pairs."""
    return any(_first(line.split(mark), PAIR) is not None for mark in ("\t", ",", None))


def foreign_rows(
    table: Table, *, pair: str | None = None, weights: Mapping[str, float] = GOOGLE_WEIGHTS
) -> tuple[list[Judgment], list[int]]:
    """Return the judgments in a published *table*, and their line numbers.

    Args:
        table: Table whose header `is_foreign_header` accepts.
        pair: Language pair to take, if the table has several.
        weights: Weights of MQM errors.
    """
    table = _of_pair(table, pair)
    if is_mqm_header(table.header):
        found = mqm_judgments(table, weights)
        return found, list(range(1, len(found) + 1))
    names = [name for name in table.header if name in SCORES]
    criteria = [SCORES[name] for name in names]
    if len(set(criteria)) < len(criteria):
        raise DataError(
            f"several columns are the same kind of score: {', '.join(names)}; remove all but one of a kind",
            path=table.path,
            line=1,
        )
    count = len(table.rows)
    system = table.filled_column(_first(table.header, SYSTEM) or "") or ()
    segment_name, judge_name = _first(table.header, SEGMENT), _first(table.header, JUDGE)
    segments = (WHOLE_SYSTEM,) * count if segment_name is None else table.filled_column(segment_name) or ()
    judges = (NO_JUDGE,) * count if judge_name is None else table.column(judge_name) or ()
    given = table.column("criterion")
    rows, lines = [], []
    for name, criterion in zip(names, criteria, strict=True):
        fields = table.column(name) or ()
        for number, line in enumerate(table.lines):
            field = "" if fields[number] in ("None", "NA", "nan", "NaN") else fields[number]
            own = given[number] if given is not None and criterion == OVERALL else criterion
            score = parse_score(field, table.path, line)
            rows.append(Judgment(system[number], segments[number], judges[number], own or criterion, score))
            lines.append(line)
    return rows, lines


def _of_pair(table: Table, pair: str | None) -> Table:
    name = _first(table.header, PAIR)
    if name is None:
        return table
    fields = table.filled_column(name) or ()
    pairs = tuple(dict.fromkeys(fields))
    if pair is None and len(pairs) > 1:
        raise several_pairs(pairs, table.path)
    if pair is not None and pair not in pairs:
        raise unknown_name("language pair", pair, pairs)
    kept = [k for k, field in enumerate(fields) if pair in (None, field)]
    return Table(table.path, table.header, tuple(table.rows[k] for k in kept), tuple(table.lines[k] for k in kept))


def several_pairs(pairs: Sequence[str], path: str) -> DataError:
    """Return the error for a file with several language pairs, none of which was chosen."""
    return DataError(f"has several language pairs ({', '.join(pairs)}); choose one with --pair", path=path)


def _first(header: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in header), None)


def not_judgments(line: str, path: PathLike) -> DataError:
    """Return the error for a file whose first *line* is the header of no table of judgments that we know."""
    return DataError(
        f"the file begins with {shown(line)}, expected judgments: a TSV or CSV header with the columns "
        f"{', '.join(COLUMNS)}; direct assessments (SYS SID RAW.SCR Z.SCR N); MQM errors (system, rater, category, "
        "severity, ...); rankings; or JSON Lines",
        path=display_name(path),
        line=1,
    )
