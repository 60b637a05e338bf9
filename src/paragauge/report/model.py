"""A report as plain data: sections of tables, plots, heat maps and examples, for renderers of pages and text.

Renderers (`html`, `latex`, `text`) compute nothing; a renderer for another format walks over the same parts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from paragauge.report.table import Cell

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.meta.evaluation import Evaluation, Matrix
    from paragauge.meta.study import RankedMetric, Study
    from paragauge.metrics.base import Interval

MOST_POINTS = 1000  # per plot; a page with more would be slow
_MOST_STEPS = 25  # an axis with fewer different values gets jitter


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table: rows under named columns."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval, if there is one."""

    label: str
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """Values with intervals, one below the other, best first."""

    key: str
    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scatter plot.

    Attributes:
        x: Score by the metric.
        y: Human score.
        shown_x: Horizontal position: x, shifted slightly if many points share it.
        shown_y: Vertical position, likewise from y.
        label: Name of the system or candidate.
        item: Index into the items of the report, if the point is a single candidate.
    """

    x: float
    y: float
    shown_x: float
    shown_y: float
    label: str
    item: int | None = None


@dataclass(frozen=True, slots=True)
class ScatterPlot:
    """Points of one metric (x) and one criterion (y).

    Attributes:
        labelled: Whether there is room for labels next to the points.
        left_out: Number of points not drawn, chosen at random, if there are too many.
    """

    key: str
    title: str
    x_label: str
    y_label: str
    points: tuple[Point, ...]
    labelled: bool
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Numbers from -1 to 1 by row and column; ``None`` if missing."""

    key: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """An example candidate."""

    title: str
    item: int
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class ExampleList:
    """A list of example candidates."""

    key: str
    title: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """Score of a system by a metric.

    Attributes:
        value: The score.
        low: Lower end of its interval, if known.
        high: Upper end of its interval.
        digits: Decimals to show.
        best: Whether it is the best of its column.
        p_value: P-value of the difference from the first row, if tested.
        signature: Signature of the score.
    """

    value: float
    low: float | None
    high: float | None
    digits: int
    best: bool
    p_value: float | None
    signature: str


@dataclass(frozen=True, slots=True)
class GridPart:
    """Systems by metrics.

    Attributes:
        systems: Names of the rows.
        metrics: Names of the columns.
        better: ``higher`` or ``lower`` for each column.
        cells: One row per system.
        baseline: System that the p-values refer to, if there are any.
    """

    key: str
    title: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    better: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    baseline: str | None


@dataclass(frozen=True, slots=True)
class Histogram:
    """Number of segments in each range of scores, and the quantiles 5%, 25%, 50%, 75% and 95%."""

    label: str
    counts: tuple[int, ...]
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """Histograms of systems under a metric, on one axis."""

    key: str
    title: str
    low: float
    high: float
    rows: tuple[Histogram, ...]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text in runs, each with whether it is marked."""

    name: str
    runs: tuple[tuple[str, bool], ...]

    @property
    def text(self) -> str:
        """The text without marks."""
        return "".join(run for run, _ in self.runs)


@dataclass(frozen=True, slots=True)
class Change:
    """A segment that two systems render differently."""

    segment: str
    metric: str
    before: float
    after: float
    texts: tuple[MarkedText, ...]


@dataclass(frozen=True, slots=True)
class ChangeList:
    """A list of changes, the biggest first."""

    key: str
    title: str
    changes: tuple[Change, ...]


Part: TypeAlias = TablePart | IntervalPlot | ScatterPlot | HeatMap | ExampleList | GridPart | Distribution | ChangeList


@dataclass(frozen=True, slots=True)
class Section:
    """Parts under one heading, with a note on how to read them; details are folded.

    Attributes:
        answers: What the parts show, in sentences.
    """

    key: str
    title: str
    text: str
    parts: tuple[Part, ...]
    folded: bool = False
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate: its system and segment, and the texts that belong to it, by name."""

    system: str
    segment: str
    texts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A report.

    Attributes:
        notes: How the report was made, and which data could not be used.
        items: Candidates that points and examples refer to.
    """

    title: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    items: tuple[Item, ...] = field(default=())


def study_report(
    study: Study,
    *,
    testset: TestSet | None = None,
    title: str = "How good are these metrics?",
    signatures: Sequence[str] = (),
    systems: Sequence[Section] = (),
) -> Report:
    """Return the report of a *study*.

    Args:
        study: Study to show.
        testset: Sentences behind the numbers.
        title: Title of the report.
        signatures: Signatures of the metrics and of the study, for the notes.
        systems: Sections about the systems, if their texts are known; they follow what is said of metrics.
    """
    items = _Items(testset)
    sections = [
        _ranking(study),
        _agreement(study),
        *systems,
        _systems(study, folded=bool(systems) or bool(study.criteria)),
        _groups(study),
        _metrics(study),
        _plots(study, items),
        _disagreements(study, items),
        _disputes(study, items),
    ]
    return Report(
        title,
        tuple(section for section in sections if section.parts),
        (*study_notes(study), *signatures),
        tuple(items.found),
    )


class _Items:
    """Numbering of candidates."""

    def __init__(self, testset: TestSet | None) -> None:
        self.found: list[Item] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._testset = testset
        self._rows = {} if testset is None else {name: row for row, name in enumerate(testset.ids)}

    def number(self, system: str, segment: str) -> int:
        key = system, segment
        if key not in self._numbers:
            self._numbers[key] = len(self.found)
            self.found.append(Item(system, segment, self._texts(system, segment)))
        return self._numbers[key]

    def _texts(self, system: str, segment: str) -> tuple[tuple[str, str], ...]:
        testset, row = self._testset, self._rows.get(segment)
        if testset is None or row is None:
            return ()
        texts = [] if testset.originals is None else [("original", testset.originals[row])]
        several = len(testset.references) > 1
        texts += [
            (f"reference {name}" if several else "reference", each[row]) for name, each in testset.references.items()
        ]
        if system in testset.candidates:
            texts.append((system, testset.candidates[system][row]))
        return tuple(texts)


def _systems(study: Study, *, folded: bool) -> Section:
    names = (*study.criteria, *study.metrics)
    by_name = {name: {each.system: each for each in study.scores if each.name == name} for name in names}
    systems = tuple(dict.fromkeys(each.system for each in study.scores))
    first = by_name[names[0]]
    order = sorted(systems, key=lambda system: (first[system].rank if system in first else math.inf, system))
    rows = tuple(
        (system, *(by_name[name][system].value if system in by_name[name] else None for name in names))
        for system in order
    )
    parts: list[Part] = [TablePart("systems-table", "Scores of systems, best first", ("system", *names), rows)]
    ranks = tuple(
        (system, *(by_name[name][system].rank if system in by_name[name] else None for name in names))
        for system in order
    )
    parts.append(TablePart("ranks", "Ranks of systems", ("system", *names), ranks))
    details = []
    for number, name in enumerate(names, start=1):
        best_first = sorted(by_name[name].values(), key=lambda each: (each.rank, each.system))
        bars = tuple(Bar(each.system, each.value, *_bounds(each.interval)) for each in best_first)
        parts.append(IntervalPlot(f"ranking-{number}", f"{name} ({_who(study, name)})", bars))
        details += [
            (name, each.rank, bar.label, bar.value, bar.low, bar.high)
            for each, bar in zip(best_first, bars, strict=True)
        ]
    columns = ("by", "rank", "system", "score", "low", "high")
    parts.append(TablePart("ranking", "Rankings with intervals", columns, tuple(details)))
    text = "Human scores come first, then metrics. " if study.criteria else ""
    text += "A metric's score of a system is that of the whole system if known, otherwise the mean of its lines."
    if study.resamples:
        text += " Bars are 95% confidence intervals from resampled lines."
    return Section("systems", "Rankings of systems" if folded else "Systems", text, tuple(parts), folded=folded)


def _who(study: Study, name: str) -> str:
    if name in study.criteria:
        return "people"
    said = ["metric", *(["lower is better"] if name in study.lower_is_better else [])]
    return ", ".join([*said, *(["mean of lines"] if study.source(name) == "mean of segments" else [])])


def _agreement(study: Study) -> Section:
    rows = tuple(
        (
            each.correlation.metric,
            _defined(each.correlation.value),
            each.correlation.level,
            each.correlation.method,
            *_bounds(each.correlation.interval),
            each.criterion,
            each.correlation.items,
        )
        for each in study.agreements
    )
    parts: list[Part] = []
    if rows:
        columns = ("metric", "correlation", "level", "method", "low", "high", "criterion", "items")
        parts.append(TablePart("agreement-table", "Correlation of metrics with people", columns, rows))
    for level in ("segment", "system"):
        found = {
            (each.correlation.metric, each.criterion, each.correlation.method): _defined(each.correlation.value)
            for each in study.agreements
            if each.correlation.level == level
        }
        for method in dict.fromkeys(key[2] for key in found):
            metrics = tuple(name for name in study.metrics if any(key[0] == name for key in found))
            values = tuple(tuple(found.get((metric, each, method)) for each in study.criteria) for metric in metrics)
            title = f"Metric and criterion, {_LEVELS[level]}, {method}"
            parts.append(HeatMap(f"heat-{level}-{method}", title, metrics, study.criteria, values))
    if study.judges:
        judges = tuple((each.criterion, each.level, each.method, each.value, each.pairs) for each in study.judges)
        own = ("criterion", "level", "method", "correlation", "pairs of judges")
        parts.append(TablePart("judges", "Agreement among judges, mean over pairs of judges", own, judges))
    text = (
        "How well each metric agrees with people: 1 is full agreement. If lower scores are better, the sign of the "
        "metric is reversed."
    )
    return Section("agreement", "Agreement with people", text, tuple(parts))


_LEVELS = {"segment": "line by line", "system": "systems"}
_STATISTICS = {
    "acc-eq": "Share of pairs of candidates for a line ordered as people order them, ties calibrated (acc-eq)",
    "spa": "Soft pairwise accuracy of systems (spa)",
    "pairwise-accuracy": "Share of pairs of systems ordered as people order them (pairwise accuracy)",
    "kendall": "WMT's tau over pairs of candidates that people ranked",
}


_IN_WORDS = {
    "acc-eq": "ordering {:.1%} of the pairs of candidates for a segment as they do, ties calibrated (acc-eq)",
    "spa": "with a soft pairwise accuracy of {:.3f} over systems (spa)",
    "pairwise-accuracy": "ordering {:.1%} of the pairs of systems as they do (pairwise accuracy)",
    "kendall": "with a tau of {:.3f} over the pairs of candidates that they ranked (WMT's kendall)",
}


def _ranking(study: Study) -> Section:
    """Return the ranking of metrics in clusters."""
    parts: list[Part] = []
    answers = []
    for key in dict.fromkeys((each.criterion, each.correlation.method) for each in study.ranked):
        own = [each for each in study.ranked if (each.criterion, each.correlation.method) == key]
        answers += best_in_words(own)
        number = 1 + len(parts) // 2
        title = f"{_STATISTICS.get(key[1], key[1])}: {key[0]}"
        rows = tuple(
            (
                each.cluster,
                each.correlation.metric,
                _defined(each.correlation.value),
                *_bounds(each.correlation.interval),
                each.correlation.items,
            )
            for each in own
        )
        columns = ("cluster", "metric", key[1], "low", "high", "pairs")
        parts.append(TablePart(f"metric-ranking-{number}", title, columns, rows))
        bars = tuple(
            Bar(each.correlation.metric, each.correlation.value, *_bounds(each.correlation.interval))
            for each in own
            if not math.isnan(each.correlation.value)
        )
        parts.append(IntervalPlot(f"metric-bars-{number}", f"{key[1]}: {key[0]}", bars))
    text = (
        "Metrics, best first. Those in one cluster do not differ significantly: a metric starts a new cluster if any "
        "metric of the cluster before is better with p <= 0.05 (permutation test)."
    )
    return Section("ranking-of-metrics", "Which metric is best?", text, tuple(parts), answers=tuple(answers))


def best_in_words(ranked: Sequence[RankedMetric]) -> list[str]:
    """Return which of the *ranked* metrics is best and whether the others are worse, in a sentence, if one is best."""
    known = [each for each in ranked if not math.isnan(each.correlation.value)]
    if not known:
        return []
    best, rest = known[0], known[1:]
    value, method = best.correlation.value, best.correlation.method
    equal = [each.correlation.metric for each in rest if each.correlation.value == value]
    near = [each.correlation.metric for each in rest if each.cluster == best.cluster and each.correlation.value < value]
    names, verb = _listed([best.correlation.metric, *equal]), "agree" if equal else "agrees"
    if best.cluster is None:
        others = "whether other metrics are worse was not tested"
    elif len(near) + len(equal) == len(rest):
        others = "no other metric is significantly worse" if near else "there is no difference to test"
    elif near:
        others = f"{_listed(near)} {'is' if len(near) == 1 else 'are'} not significantly worse"
    else:
        others = f"the next, {rest[len(equal)].correlation.metric}, is significantly worse"
    return [f"{best.criterion}: {names} {verb} best with people, {_IN_WORDS[method].format(value)}; {others}."]


def _listed(names: Sequence[str]) -> str:
    """Return *names* in a row: a, b and c."""
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])


def _groups(study: Study) -> Section:
    """Return the agreement of metrics with people by group of segments."""
    parts: list[Part] = []
    for key in dict.fromkeys((each.criterion, each.kind) for each in study.groups):
        own = [each for each in study.groups if (each.criterion, each.kind) == key]
        method = own[0].correlation.method
        columns = ("group", "lines", "metric", method, "low", "high")
        rows = tuple(
            (
                each.group,
                each.segments,
                each.correlation.metric,
                _defined(each.correlation.value),
                *_bounds(each.correlation.interval),
            )
            for each in own
        )
        number = 1 + sum(isinstance(part, TablePart) for part in parts)
        for metric in dict.fromkeys(each.correlation.metric for each in own):
            bars = tuple(
                Bar(each.group, each.correlation.value, *_bounds(each.correlation.interval))
                for each in own
                if each.correlation.metric == metric and not math.isnan(each.correlation.value)
            )
            if bars:
                title = f"{metric}, {key[0]}, by {key[1]} ({method})"
                parts.append(IntervalPlot(f"group-bars-{len(parts) + 1}", title, bars))
        parts.append(TablePart(f"groups-{number}", f"{key[0]} by {key[1]}", columns, rows))
    text = "How well each metric agrees with people on some kinds of lines; bars are 95% confidence intervals."
    return Section("groups", "Agreement by kind of line", text, tuple(parts), folded=True)


def _disputes(study: Study, items: _Items) -> Section:
    groups: dict[tuple[str, str], list[Example]] = {}
    for each in study.disputes:
        better, worse = (each.one, each.other) if each.one_place > each.other_place else (each.other, each.one)
        values = (
            (each.one, each.one_score),
            (each.other, each.other_score),
            (f"place by {each.one}", each.one_place),
            (f"place by {each.other}", each.other_place),
        )
        title = f"{each.system}, line {each.segment}: {better} likes it, {worse} does not"
        example = Example(title, items.number(each.system, each.segment), values)
        groups.setdefault((each.one, each.other), []).append(example)
    parts = tuple(
        ExampleList(f"dispute-{number}", f"{one} and {other}", tuple(examples))
        for number, ((one, other), examples) in enumerate(groups.items(), start=1)
    )
    text = (
        "Candidates whose place among all, from 0 (worst) to 1 (best), differs most between two metrics, for the pairs "
        "of metrics that differ most."
    )
    return Section("disputes", "Where metrics disagree", text, parts, folded=True)


def _metrics(study: Study) -> Section:
    parts: list[Part] = []
    for level in ("segment", "system"):
        found = {
            frozenset((each.one, each.other)): _defined(each.value) for each in study.likenesses if each.level == level
        }
        if found:
            names = tuple(name for name in study.metrics if any(name in pair for pair in found))
            values = tuple(
                tuple(1.0 if one == other else found.get(frozenset((one, other))) for other in names) for one in names
            )
            parts.append(
                HeatMap(
                    f"metrics-{level}", f"Metric and metric, {_LEVELS[level]}, {study.methods[0]}", names, names, values
                )
            )
    return Section(
        "metrics",
        "Similarity of metrics",
        "Metrics that agree closely with each other provide much the same information.",
        tuple(parts),
        folded=True,
    )


def _plots(study: Study, items: _Items) -> Section:
    parts: list[Part] = []
    for criterion, evaluation in study.evaluations.items():
        for metric in evaluation.names:
            title = f"{metric} and {criterion}, {_LEVELS['system']}"
            points = _system_points(study, criterion, metric)
            axis = _axis(study, metric)
            parts.append(ScatterPlot(f"plot-{len(parts) + 1}", title, axis, criterion, points, labelled=True))
        for metric in evaluation.metrics:
            title = f"{metric} and {criterion}, {_LEVELS['segment']}"
            points, left_out = _segment_points(evaluation, metric, items)
            axis = _axis(study, metric)
            parts.append(ScatterPlot(f"plot-{len(parts) + 1}", title, axis, criterion, points, False, left_out))
    text = (
        "Each point is a system or a candidate. Overlapping points are shifted slightly at random. Hover over a point, "
        "or select a plot and press the arrow keys, to see its details."
    )
    return Section("plots", "Plots", text, tuple(parts), folded=True)


def _axis(study: Study, metric: str) -> str:
    return f"{metric} (lower is better)" if metric in study.lower_is_better else metric


def _system_points(study: Study, criterion: str, metric: str) -> tuple[Point, ...]:
    xs, ys = ({each.system: each.value for each in study.scores if each.name == name} for name in (metric, criterion))
    return tuple(
        Point(xs[system], ys[system], xs[system], ys[system], system) for system in sorted(xs.keys() & ys.keys())
    )


def _segment_points(evaluation: Evaluation, metric: str, items: _Items) -> tuple[tuple[Point, ...], int]:
    """Return the points of candidates, up to `MOST_POINTS`, and how many were left out."""
    import numpy as np

    matrix = evaluation.metrics[metric]
    rows, columns = np.nonzero(~np.isnan(matrix) & ~np.isnan(evaluation.human))
    places = sorted(
        (evaluation.systems[row], evaluation.segments[column], row, column)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    values = [
        (float(matrix[row, column]), float(evaluation.human[row, column]), f"{system}, line {segment}")
        for system, segment, row, column in places
    ]
    drawn, left_out = spread_points(values)
    points = tuple(replace(point, item=items.number(*places[place][:2])) for place, point in drawn)
    return points, left_out


def spread_points(values: Sequence[tuple[float, float, str]]) -> tuple[list[tuple[int, Point]], int]:
    """Return points of x, y and label, each with its place in *values*, and how many of them were left out.

    Points on a few steps are shifted slightly at random; of more than `MOST_POINTS`, some are chosen at random.
    """
    import numpy as np

    step_x, step_y = (_step(np.array([each[side] for each in values])) for side in (0, 1))
    chance = random.Random(len(values))  # noqa: S311, only positions of points on a page
    places = range(len(values))
    drawn = sorted(chance.sample(places, MOST_POINTS)) if len(values) > MOST_POINTS else places
    points = []
    for place in drawn:
        x, y, label = values[place]
        shown_x, shown_y = x + step_x * chance.uniform(-0.35, 0.35), y + step_y * chance.uniform(-0.35, 0.35)
        points.append((place, Point(x, y, shown_x, shown_y, label)))
    return points, len(values) - len(points)


def _step(values: Matrix) -> float:
    """Return the smallest distance between different values if there are only a few, else 0."""
    import numpy as np

    different = np.unique(values)
    return float(np.diff(different).min()) if 1 < len(different) <= _MOST_STEPS else 0.0


def _disagreements(study: Study, items: _Items) -> Section:
    groups: dict[tuple[str, str], list[Example]] = {}
    for each in study.disagreements:
        better = each.place > each.human_place
        opinion = "ranked higher by the metric" if better else "ranked higher by people"
        title = f"{each.system}, line {each.segment}: {opinion}"
        values = (
            (each.metric, each.score),
            (each.criterion, each.human),
            (f"place by {each.metric}", each.place),
            (f"place by {each.criterion}", each.human_place),
        )
        example = Example(title, items.number(each.system, each.segment), values)
        groups.setdefault((each.metric, each.criterion), []).append(example)
    parts = tuple(
        ExampleList(f"disagreement-{number}", f"{metric} and {criterion}", tuple(examples))
        for number, ((metric, criterion), examples) in enumerate(groups.items(), start=1)
    )
    text = "Candidates whose place among all, from 0 (worst) to 1 (best), differs most between the metric and people."
    return Section("disagreements", "Disagreements", text, parts, folded=True)


def study_notes(study: Study) -> list[str]:
    """Return notes on the size of the study, the scores of systems, reversed signs and unused data."""
    size = f"{len(study.metrics)} metrics, {len(study.systems)} systems, {len(study.segments):,} lines"
    sources = [
        f"scores of systems: {', '.join(names)}: {said}"
        for source, said in (
            ("mean of segments", "mean of lines"),
            ("whole system", "the metric's score of the whole system"),
        )
        if (names := [name for name in study.metrics if study.source(name) == source])
    ]
    turned = [f"lower is better, sign reversed in correlations: {', '.join(study.turned)}"] if study.turned else []
    return [size, *sources, *turned, *(f"not used: {each}" for each in study.dropped)]


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
