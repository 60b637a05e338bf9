"""Agreement of PEM with people: tables 1 to 3 and figures 3 to 5 of Liu, Dahlmeier and Ng (2010), for any judged
paraphrases.

Table 1: agreement among judges. Table 2: criteria with the overall score; human judgments of dissimilarity also over
candidates whose adequacy and fluency are at least 4. Table 3: metrics with the mean of all judges and with each judge.
All are computed at sentence level, where every candidate is an item, and at system level, where every system's mean is
an item. Control candidates have fixed scores and raise correlations; the paper excludes them from table 1 and, for
single judges, from table 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from paragauge.corpora.judged_pairs import ADEQUACY, CONTROLS, DISSIMILARITY, FLUENCY, JudgedPairs, control_pairs
from paragauge.corpora.judgments import NO_JUDGE, OVERALL
from paragauge.errors import DataError
from paragauge.meta.correlation import Level, Method, correlate

MEAN_OF_JUDGES = "mean of judges"
GOOD = 4.0  # "adequacy and fluency scores of at least four"
LEVELS: tuple[Level, ...] = ("segment", "system")

Key: TypeAlias = tuple[str, str, str]  # system, original, candidate
Values: TypeAlias = Mapping[Key, float]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One correlation.

    Attributes:
        table: Table of the paper: 1, 2 or 3.
        what: Judge, criterion or metric.
        other: What *what* is compared with.
        level: ``segment`` or ``system``.
        controls: Whether control candidates are among the items.
        correlation: Correlation coefficient; NaN if undefined.
        items: Number of items correlated.
    """

    table: int
    what: str
    other: str
    level: Level
    controls: bool
    correlation: float
    items: int


@dataclass(frozen=True, slots=True)
class FigurePoint:
    """A candidate or a system.

    Attributes:
        name: System, and the number of the original for candidates.
        x: Human score of dissimilarity (figure 3), or score by the metric.
        y: Human overall score, the mean of all judges.
        control: Whether it is a control.
    """

    name: str
    x: float
    y: float
    control: bool


@dataclass(frozen=True, slots=True)
class PemFigure:
    """What a figure of the paper shows.

    Attributes:
        figure: Figure of the paper: 3, 4 or 5.
        what: What the horizontal axis shows: dissimilarity, or a metric.
        level: ``segment`` or ``system``.
        correlation: Correlation coefficient over all points; NaN if undefined.
    """

    figure: int
    what: str
    level: Level
    correlation: float
    points: tuple[FigurePoint, ...]


def with_controls(judgments: JudgedPairs, seed: int) -> JudgedPairs:
    """Return *judgments* followed by control candidates of all originals, each with all four scores."""
    return JudgedPairs((*judgments, *control_pairs(judgments.originals, np.random.default_rng(seed))))


def segment_names(judgments: JudgedPairs) -> dict[Key, str]:
    """Return the name of the segment under which tables list each candidate, along with its system.

    Segments are originals, numbered from 1; further candidates of a system for one original get ``.2``, ``.3``, ...
    """
    numbers = {original: number for number, original in enumerate(judgments.originals, start=1)}
    counts: dict[tuple[str, str], int] = {}
    names: dict[Key, str] = {}
    for row in judgments:
        key = (row.system, row.original, row.candidate)
        if key not in names:
            count = counts[key[:2]] = counts.get(key[:2], 0) + 1
            names[key] = f"{numbers[row.original]}" + (f".{count}" if count > 1 else "")
    return names


def pem_tables(
    scores: Mapping[str, Values], judgments: JudgedPairs, *, method: Method = "pearson", seed: int = 1
) -> list[TableRow]:
    """Return the paper's three tables.

    Args:
        scores: Scores of all candidates of `with_controls`, by the name of the metric.
        judgments: Judgments from 1 to 5. Table 1 needs several judges, table 2 criteria other than ``overall``.
        method: Correlation coefficient; the paper's is Pearson.
        seed: Seed for the control candidates.

    Raises:
        DataError: There is no overall score.
    """
    people = _Opinions(judgments)
    if not people.mean(OVERALL):
        raise DataError("the judgments have no overall score; expected the criterion 'overall', or no criterion")
    controls = _Opinions(control_pairs(judgments.originals, np.random.default_rng(seed)))
    rows = [*_judges(people, method), *_criteria(people, controls, method)]
    return [*rows, *_metrics(scores, people, controls, method)]


def pem_figures(
    scores: Mapping[str, Values], judgments: JudgedPairs, *, method: Method = "pearson", seed: int = 1
) -> list[PemFigure]:
    """Return what figures 3 to 5 of the paper show, with the arguments of `pem_tables`; controls are among the points.

    Figure 3: dissimilarity and overall score of candidates whose adequacy and fluency are at least 4, where people
    judged these criteria. Figures 4 and 5: each metric and the mean of judges, for candidates and for systems.
    """
    people = _Opinions(judgments)
    controls = _Opinions(control_pairs(judgments.originals, np.random.default_rng(seed)))
    names = segment_names(with_controls(judgments, seed))
    means = {name: people.mean(name) for name in (OVERALL, ADEQUACY, FLUENCY, DISSIMILARITY)}
    fixed = controls.mean(OVERALL)
    found = []
    if all(means.values()):
        means = {name: {**table, **controls.mean(name)} for name, table in means.items()}
        good = _good(means)
        shown = {key: score for key, score in means[DISSIMILARITY].items() if key in good}
        found.append(_figure(3, DISSIMILARITY, "segment", shown, means[OVERALL], names, fixed, method))
    overall = {**people.mean(OVERALL), **fixed}
    for metric, given in scores.items():
        for figure, level in ((4, LEVELS[0]), (5, LEVELS[1])):
            found.append(_figure(figure, metric, level, given, overall, names, fixed, method))
    return found


def _figure(
    figure: int,
    what: str,
    level: Level,
    given: Values,
    overall: Values,
    names: Mapping[Key, str],
    fixed: Values,
    method: Method,
) -> PemFigure:
    keys = [key for key in overall if key in given]
    if level == "system":
        labels = [(system, system in CONTROLS) for system in dict.fromkeys(key[0] for key in keys)]
        xs, ys = (_system_means(keys, values) for values in (given, overall))
    else:
        labels = [(f"{key[0]}, {names[key]}", key in fixed) for key in keys]
        xs, ys = ([values[key] for key in keys] for values in (given, overall))
    points = (FigurePoint(name, x, y, control) for (name, control), x, y in zip(labels, xs, ys, strict=True))
    return PemFigure(figure, what, level, correlate(xs, ys, method) if len(xs) > 1 else math.nan, tuple(points))


def _good(means: Mapping[str, Values]) -> set[Key]:
    """Return the candidates that are adequate and fluent."""
    return {key for key in means[OVERALL] if all(means[name].get(key, 0) >= GOOD for name in (ADEQUACY, FLUENCY))}


class _Opinions:
    """Scores by criterion, judge and candidate."""

    def __init__(self, judgments: JudgedPairs) -> None:
        lists: dict[tuple[str, str], dict[Key, list[float]]] = {}
        for row in judgments:
            if row.score is not None:
                scores = lists.setdefault((row.criterion, row.judge), {})
                scores.setdefault((row.system, row.original, row.candidate), []).append(row.score)
        self._scores = {
            name: {key: math.fsum(scores) / len(scores) for key, scores in table.items()}
            for name, table in lists.items()
        }

    def judges(self) -> list[str]:
        return sorted({judge for criterion, judge in self._scores if criterion == OVERALL and judge != NO_JUDGE})

    def of(self, criterion: str, judge: str) -> Values:
        return self._scores.get((criterion, judge), {})

    def mean(self, criterion: str) -> dict[Key, float]:
        lists: dict[Key, list[float]] = {}
        for (name, _), table in self._scores.items():
            for key, score in table.items() if name == criterion else ():
                lists.setdefault(key, []).append(score)
        return {key: math.fsum(scores) / len(scores) for key, scores in lists.items()}


def _compared(
    one: Values, other: Values, method: Method, keep: Callable[[Key], bool] | None = None
) -> Iterator[tuple[Level, float, int]]:
    keys = [key for key in one if key in other and (keep is None or keep(key))]
    for level in LEVELS:
        x, y = ([values[key] for key in keys] for values in (one, other))
        if level == "system":
            x, y = (_system_means(keys, values) for values in (one, other))
        yield level, correlate(x, y, method) if len(x) > 1 else math.nan, len(x)


def _system_means(keys: Iterable[Key], values: Values) -> list[float]:
    by_system: dict[str, list[float]] = {}
    for key in keys:
        by_system.setdefault(key[0], []).append(values[key])
    return [math.fsum(scores) / len(scores) for scores in by_system.values()]


def _judges(people: _Opinions, method: Method) -> Iterator[TableRow]:
    for one, other in combinations(people.judges(), 2):
        for found in _compared(people.of(OVERALL, one), people.of(OVERALL, other), method):
            yield _row(1, one, other, False, found)


def _criteria(people: _Opinions, controls: _Opinions, method: Method) -> Iterator[TableRow]:
    means = {name: people.mean(name) for name in (OVERALL, ADEQUACY, FLUENCY, DISSIMILARITY)}
    for with_controls in (False, True):
        if with_controls:
            means = {name: {**table, **controls.mean(name)} for name, table in means.items() if table}
        overall = means[OVERALL]
        for name in (ADEQUACY, FLUENCY, DISSIMILARITY):
            for found in _compared(means.get(name, {}), overall, method) if means.get(name) else ():
                yield _row(2, name, OVERALL, with_controls, found)
        if all(means.get(name) for name in (ADEQUACY, FLUENCY, DISSIMILARITY)):
            for found in _compared(means[DISSIMILARITY], overall, method, _good(means).__contains__):
                yield _row(2, "dissimilarity (adequacy, fluency >= 4)", OVERALL, with_controls, found)


def _metrics(
    scores: Mapping[str, Values], people: _Opinions, controls: _Opinions, method: Method
) -> Iterator[TableRow]:
    overall, fixed = people.mean(OVERALL), controls.mean(OVERALL)
    order = {**overall, **fixed}  # keeps the order of the judgments for the sums
    for metric, given in scores.items():
        values = {key: given[key] for key in order}
        for with_controls in (False, True):
            for found in _compared(values, {**overall, **fixed} if with_controls else overall, method):
                yield _row(3, metric, MEAN_OF_JUDGES, with_controls, found)
            for judge in people.judges():
                opinions = people.of(OVERALL, judge)
                for found in _compared(values, {**opinions, **fixed} if with_controls else opinions, method):
                    yield _row(3, metric, judge, with_controls, found)


def _row(table: int, what: str, other: str, controls: bool, found: tuple[Level, float, int]) -> TableRow:
    level, correlation, items = found
    return TableRow(table, what, other, level, controls, correlation, items)
