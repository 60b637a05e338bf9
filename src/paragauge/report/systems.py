"""The part of a report about systems: a summary, significance, distributions, biggest wins and losses, checks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.meta.choices import SIGNIFICANT
from paragauge.report.differences import word_differences
from paragauge.report.model import (
    Change,
    ChangeList,
    Distribution,
    GridCell,
    GridPart,
    Histogram,
    MarkedText,
    Part,
    Section,
    TablePart,
)

if TYPE_CHECKING:
    from paragauge.corpora.checks import Finding
    from paragauge.report.table import Cell

BINS = 24
_MOST_SEGMENTS = 12  # segments named in the table of checks


@dataclass(frozen=True, slots=True)
class SystemValue:
    """Score of a system by a metric, ready to show.

    Attributes:
        metric: The metric.
        better: ``higher`` or ``lower``.
        system: Name of the system.
        value: Score of the whole system.
        low: Lower end of its interval.
        high: Upper end of its interval.
        digits: Decimals to show.
        best: Whether no other system is better.
        p_value: P-value of the difference from the first system.
        signature: Signature of the score.
        segments: Scores of segments.
    """

    metric: str
    better: str
    system: str
    value: float
    low: float | None
    high: float | None
    digits: int
    best: bool
    p_value: float | None
    signature: str
    segments: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A segment that got better or worse: scores and texts to show; *beside* are original and reference, if known."""

    segment: str
    baseline_score: float
    score: float
    beside: tuple[tuple[str, str | None], ...]
    baseline_text: str
    text: str


@dataclass(frozen=True, slots=True)
class SystemPair:
    """A system compared with the first one by a metric."""

    metric: str
    baseline: str
    system: str
    wins: int
    ties: int
    losses: int
    net: float
    low: float | None
    high: float | None
    worse: tuple[ChangedText, ...]
    better: tuple[ChangedText, ...]


@dataclass(frozen=True, slots=True)
class SystemsView:
    """Everything that a report shows of systems.

    Attributes:
        values: Scores, by metric and system.
        pairs: Comparisons with the first system, by metric.
        findings: Suspicious texts.
        test: Name of the significance test; ``None`` if there is none.
        segments: Number of segments.
        clusters: Cluster of each metric and system, if there are more than two systems.
    """

    values: tuple[SystemValue, ...]
    pairs: tuple[SystemPair, ...]
    findings: tuple[Finding, ...]
    test: str | None
    segments: int
    clusters: tuple[tuple[str, int, str, float, int], ...] = ()


def systems_sections(view: SystemsView) -> list[Section]:
    """Return the sections about systems: the summary first."""
    return [
        section
        for section in (_summary(view), _changes(view), _distributions(view), _significance(view), _checks(view))
        if section.parts
    ]


def _summary(view: SystemsView) -> Section:
    metrics = list(dict.fromkeys(each.metric for each in view.values))
    systems = list(dict.fromkeys(each.system for each in view.values))
    found = {(each.metric, each.system): each for each in view.values}
    better = {each.metric: each.better for each in view.values}
    grid = GridPart(
        "scores",
        "Scores of systems",
        tuple(systems),
        tuple(metrics),
        tuple(better[metric] for metric in metrics),
        tuple(
            tuple(
                GridCell(each.value, each.low, each.high, each.digits, each.best, each.p_value, each.signature)
                for metric in metrics
                for each in [found[metric, system]]
            )
            for system in systems
        ),
        systems[0] if len(systems) > 1 else None,
    )
    said = [_verdict(metric, [found[metric, system] for system in systems]) for metric in metrics]
    if view.findings:
        count = sum(len(each.segments) for each in view.findings)
        said.append(f"{count:,} suspicious texts: see the checks below.")
    return Section("summary", "Summary", " ".join(said), (grid,))


def _verdict(metric: str, values: Sequence[SystemValue]) -> str:
    """Return in words which system is best by a metric."""
    best = [each for each in values if each.best]
    if len(values) == 1:
        return f"{metric}: {values[0].value:.{values[0].digits}f}."
    if not best:
        return f"By {metric}, all systems are equally good."
    names = " and ".join(each.system for each in best)
    verb = "are" if len(best) > 1 else "is"
    sentence = f"By {metric}, {names} {verb} best ({best[0].value:.{best[0].digits}f})"
    first = values[0]
    if best[0].p_value is not None:
        sure = "significantly better than" if best[0].p_value < SIGNIFICANT else "not significantly better than"
        return f"{sentence}, {sure} {first.system} (p = {best[0].p_value:.3f})."
    return f"{sentence}."


def _changes(view: SystemsView) -> Section:
    parts: list[Part] = []
    if view.pairs:
        columns = ("metric", "system", "wins", "ties", "losses", "net", "low", "high")
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (each.metric, each.system, each.wins, each.ties, each.losses, each.net, each.low, each.high)
            for each in view.pairs
        )
        parts.append(TablePart("wins", f"Lines won and lost against {view.pairs[0].baseline}", columns, rows))
    for number, pair in enumerate(view.pairs, start=1):
        for kind, changed in (("losses", pair.worse), ("wins", pair.better)):
            if changed:
                how = "worse" if kind == "losses" else "better"
                title = f"{pair.metric}: where {pair.system} is {how} than {pair.baseline}"
                changes = tuple(_change(pair, each) for each in changed)
                parts.append(ChangeList(f"{kind}-{number}", title, changes))
    text = "The biggest differences first; words that only one of the two systems has are marked."
    return Section("changes", "What got better and worse", text, tuple(parts))


def _change(pair: SystemPair, each: ChangedText) -> Change:
    old, new = word_differences(each.baseline_text, each.text)
    texts = [MarkedText(name, ((text, False),)) for name, text in each.beside if text is not None]
    texts += [MarkedText(pair.baseline, old), MarkedText(pair.system, new)]
    return Change(each.segment, pair.metric, each.baseline_score, each.score, tuple(texts))


def _distributions(view: SystemsView) -> Section:
    parts: list[Part] = []
    for number, metric in enumerate(dict.fromkeys(each.metric for each in view.values), start=1):
        values = [each for each in view.values if each.metric == metric]
        drawn = _distribution(f"distribution-{number}", metric, values)
        if drawn is not None:
            parts.append(drawn)
    text = "Scores of lines: how many fall into each range. The line marks the median."
    return Section("distributions", "Distribution of the scores of lines", text, tuple(parts), folded=True)


def _distribution(key: str, metric: str, values: Sequence[SystemValue]) -> Distribution | None:
    known = [sorted(value for value in each.segments if math.isfinite(value)) for each in values]
    if not any(known):
        return None
    low, high = min(row[0] for row in known if row), max(row[-1] for row in known if row)
    width = (high - low) / BINS or 1.0
    rows = []
    for each, row in zip(values, known, strict=True):
        counts = [0] * BINS
        for value in row:
            counts[min(BINS - 1, int((value - low) / width))] += 1
        quartiles = tuple(_quantile(row, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)) if row else ()
        rows.append(Histogram(each.system, tuple(counts), quartiles))
    return Distribution(key, f"{metric} of lines", low, low + BINS * width, tuple(rows))


def _quantile(values: Sequence[float], share: float) -> float:
    """Return a quantile of sorted *values*, with linear interpolation."""
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def _significance(view: SystemsView) -> Section:
    parts: list[Part] = []
    if view.clusters:
        columns = ("metric", "cluster", "system", "score", "beats")
        parts.append(TablePart("clusters", "Clusters of systems", columns, view.clusters))
    text = (
        f"Systems of different clusters differ significantly (paired {view.test}, p < {SIGNIFICANT}); "
        "'beats' counts the systems that one is significantly better than."
    )
    return Section("significance", "Significance", text, tuple(parts), folded=True)


def _checks(view: SystemsView) -> Section:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            each.system,
            each.said,
            len(each.segments),
            ", ".join(each.segments[:_MOST_SEGMENTS]) + (", …" if len(each.segments) > _MOST_SEGMENTS else ""),
        )
        for each in view.findings
    )
    parts: tuple[Part, ...] = ()
    if rows:
        parts = (TablePart("checks", "Suspicious texts", ("system", "check", "texts", "lines"), rows),)
    text = "Nothing was repaired or left out; 'paragauge score --check' lists the texts."
    return Section("data", "Checks of the data", text, parts, folded=True)
