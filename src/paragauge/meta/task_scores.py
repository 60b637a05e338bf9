"""Do scores of resources predict how well a task is done with them? (PARADIGM's table 7.)

A table has one row for each resource, or for each resource and metric; every column of numbers is a measure. With few
resources, correlations are often high by chance, so each comes with the p-value of an exact permutation test: the share
of orders of the resources in which it is as far from 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judgments import parse_score
from paragauge.corpora.tables import Table, parse_csv, parse_tsv
from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_bytes
from paragauge.meta.choices import Method
from paragauge.meta.correlation import correlate, correlate_rows
from paragauge.meta.direction import lower_metrics

NAMES = ("system", "grammar", "resource")  # columns that name a resource
_NO_MEASURES = frozenset({"segment", "judge", "low", "high", "signature"})
MOST_EXACT = 8  # resources whose orders are all tried
_ORDERS = 20_000  # random orders of more

Measures = dict[str, dict[str, float]]  # value of each resource by measure


@dataclass(frozen=True, slots=True)
class TaskCorrelation:
    """Agreement of a measure of resources with people's judgments of a task, or with another score of it.

    Attributes:
        measure: Name of the measure.
        criterion: Criterion of the judgments, or column of the task's scores.
        value: Correlation; NaN if undefined.
        p_value: Two-sided p-value of the permutation test; NaN if undefined.
        resources: Number of resources with both.
    """

    measure: str
    criterion: str
    method: Method
    value: float
    p_value: float
    resources: int


def is_wide(path: PathLike, *, encoding: str = "utf-8") -> bool:
    """Return whether *path* is a table with one column for each score of a task, rather than judgments."""
    data = read_bytes(path)
    if data.lstrip()[:1] in (b"[", b"{"):
        return False
    header = _table(data, path, encoding).header
    return any(name in header for name in NAMES) and not {"segment", "score", "judge", "criterion"} & set(header)


def read_measures(path: PathLike, *, columns: Collection[str] = (), encoding: str = "utf-8") -> Measures:
    """Return the measures in a table of resources; segments, if there are any, are averaged.

    Args:
        path: TSV or CSV file.
        columns: Columns to use; by default, all columns of numbers.
        encoding: Encoding of the text.

    Raises:
        DataError: There is no column that names resources, or a row is there twice.
    """
    table = _table(read_bytes(path), path, encoding)
    place = display_name(path)
    named = next((name for name in NAMES if name in table.header), None)
    if named is None:
        raise DataError(
            f"names no resources; expected a column {' or '.join(NAMES)}, found {', '.join(table.header)}", path=place
        )
    resources = table.filled_column(named) or ()
    fields = {name: table.column(name) or () for name in table.header if name != named and name not in _NO_MEASURES}
    numbers = {name: values for name, values in fields.items() if _is_numeric(values)}
    kinds = ["metric"] if "metric" in fields and "metric" not in numbers else []
    for column in columns:
        if column not in numbers:
            raise DataError(f"has no column of numbers {column!r}; found {', '.join(numbers)}", path=place)
    chosen = [name for name in numbers if not columns or name in columns]
    if not chosen:
        raise DataError("has no column of numbers, expected at least one measure", path=place)
    segments = table.column("segment")
    collected: dict[str, dict[str, list[float]]] = {}
    seen: dict[tuple[str, ...], int] = {}
    for row, (resource, line) in enumerate(zip(resources, table.lines, strict=True)):
        kind = [fields[name][row] for name in kinds]
        key = (resource, *kind, "" if segments is None else segments[row])
        if key in seen:
            raise DataError(
                f"scores {resource!r} again as in line {seen[key]}, expected it once", path=place, line=line
            )
        seen[key] = line
        for name in chosen:
            value = parse_score(numbers[name][row], place, line)
            if value is not None:
                measure = " ".join(part for part in [*kind, "" if name == "score" and kind else name] if part)
                collected.setdefault(measure, {}).setdefault(resource, []).append(value)
    return {
        measure: {resource: math.fsum(values) / len(values) for resource, values in by_resource.items()}
        for measure, by_resource in collected.items()
    }


def correlate_measures(
    measures: Mapping[str, Mapping[str, float]],
    task: Mapping[str, Mapping[str, float]],
    *,
    method: Method = "spearman",
    lower_is_better: Collection[str] = (),
    seed: int = 1,
) -> list[TaskCorrelation]:
    """Return the correlation of each measure with each criterion, over the resources that have both.

    Args:
        measures: Value of each resource, by measure.
        task: How well the task was done with each resource, by criterion; higher is better.
        method: Correlation coefficient.
        lower_is_better: Measures whose sign is reversed, in addition to built-in metrics.
        seed: Seed for random orders, if there are more resources than can be put into all orders.

    Raises:
        DataError: Measures and task have fewer than three resources in common.
    """
    lower = lower_metrics(measures, lower_is_better)
    ours, theirs = ({name for each in side.values() for name in each} for side in (measures, task))
    if len(ours & theirs) < 3:
        raise DataError(
            f"scores and task have {len(ours & theirs)} resources in common, expected at least three: scores have "
            f"{', '.join(sorted(ours)[:5])}; the task has {', '.join(sorted(theirs)[:5])}; use the same names"
        )
    found = []
    for criterion, done in task.items():
        for measure, values in measures.items():
            names = [name for name in values if name in done]
            sign = -1.0 if measure in lower else 1.0
            own = np.array([sign * values[name] for name in names])
            people = np.array([done[name] for name in names])
            value = correlate(own, people, method) if len(names) > 1 else math.nan
            found.append(
                TaskCorrelation(
                    measure, criterion, method, value, _p_value(own, people, value, method, seed), len(names)
                )
            )
    return found


def _p_value(
    own: NDArray[np.float64], people: NDArray[np.float64], observed: float, method: Method, seed: int
) -> float:
    if math.isnan(observed):
        return math.nan
    if len(own) <= MOST_EXACT:
        orders = np.array(list(permutations(range(len(own)))))
        extra = 0  # the order that was found is among them
    else:
        rng = np.random.default_rng(seed)
        orders = rng.permuted(np.tile(np.arange(len(own)), (_ORDERS, 1)), axis=1)
        extra = 1
    drawn = correlate_rows(own[orders], np.tile(people, (len(orders), 1)), method)
    reached = np.count_nonzero(np.abs(drawn) >= abs(observed) - 1e-9)
    return float((reached + extra) / (len(orders) + extra))


def _table(data: bytes, path: PathLike, encoding: str) -> Table:
    header = data.split(b"\n", 1)[0]
    return parse_tsv(data, path, encoding) if b"\t" in header else parse_csv(data, path, encoding)


def _is_numeric(values: Sequence[str]) -> bool:
    given = [value for value in values if value]
    try:
        return bool(given) and all(math.isfinite(float(value)) for value in given)
    except ValueError:
        return False
