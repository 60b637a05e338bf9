"""Rows of statistics, computed once per metric and system; all other numbers are derived from them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from paragauge.concern import collected_reports
from paragauge.metrics.base import Interval, sum_rows
from paragauge.progress import Counter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.corpora.segments import Segments
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import Score, SentenceMetric, Statistics
    from paragauge.progress import Progress

_MOST_NAMED = 3

logger = logging.getLogger("paragauge")


@dataclass(frozen=True, eq=False)
class Measured:
    """Statistics of a system under a metric, and the scores derived from them.

    Attributes:
        metric: The metric.
        system: Name of the system.
        segments: Texts of the system.
        computed: One row of statistics per segment, if they were computed already.
        totals: Sum of each column.
    """

    metric: SentenceMetric
    system: str
    segments: Segments
    computed: Statistics | None = field(repr=False)
    totals: Sequence[float] = field(repr=False)
    _resampled: dict[tuple[int, int], NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        metric: SentenceMetric,
        system: str,
        segments: Segments,
        advance: Callable[[int], object],
        *,
        totals_only: bool = False,
    ) -> Measured:
        """Compute the statistics of *system*; with *totals_only*, rows that can be added up on the way are not kept."""
        if totals_only and metric.adds_up:
            return cls(metric, system, segments, None, metric.totals_in_blocks(segments, advance))
        rows = metric.statistics_in_blocks(segments, advance)
        return cls(metric, system, segments, rows, sum_rows(rows))

    @cached_property
    def rows(self) -> Statistics:
        """One row of statistics per segment."""
        return self.metric.statistics(self.segments) if self.computed is None else self.computed

    @cached_property
    def score(self) -> Score:
        """Score of all segments together."""
        return self.metric.score_totals(self.segments, self.totals)

    @cached_property
    def segment_scores(self) -> Sequence[Score]:
        """Score of each segment."""
        shared = self.metric.segments_share_rows
        rows = self.rows if shared else self.metric.for_segments().statistics(self.segments)
        return tuple(self.metric.score_segments(self.segments, rows))

    def resampled(self, resamples: int, seed: int) -> NDArray[np.float64]:
        """Return the scores of resamples, which serve the interval and every comparison."""
        from paragauge.meta.significance import bootstrap_values

        key = resamples, seed
        if key not in self._resampled:
            self._resampled[key] = bootstrap_values(self.metric, self.rows, resamples, seed)
        return self._resampled[key]

    def with_interval(self, resamples: int, seed: int) -> Score:
        """Return the score with its bootstrap interval."""
        if len(self.segments) == 1:  # every resample is this segment
            interval = Interval(self.score.value, self.score.value)
        else:
            from paragauge.meta.significance import percentile_interval

            interval = percentile_interval(self.resampled(resamples, seed))
        signature = self.score.signature.extended({"bs": resamples, "seed": seed})
        return replace(self.score, interval=interval, signature=signature)


def measure_systems(
    testset: TestSet,
    metrics: Sequence[SentenceMetric],
    *,
    totals_only: bool = False,
    progress: Progress | None = None,
) -> tuple[list[Measured], tuple[str, ...]]:
    """Return the statistics of all systems under each metric, and the warnings.

    With *totals_only*, rows are computed only if somebody asks for them later.
    """
    systems = _systems(testset)
    warnings = _check_texts(testset, systems, metrics)
    counter = Counter(progress, len(metrics) * len(systems) * len(testset))
    measured = []
    for metric in metrics:
        troubles = Troubles(metric.name, testset.ids)
        for system, segments in systems.items():
            counter.now(f"{metric.name} {system}")
            with troubles.of_system(system, segments, counter.advance) as advance:
                measured.append(Measured.of(metric, system, segments, advance, totals_only=totals_only))
        warnings += troubles.warn()
    return measured, warnings


class Troubles:
    """What a metric reports about texts while it computes: collected over blocks and systems, and logged once."""

    def __init__(self, metric: str, ids: Sequence[str]) -> None:
        self._metric = metric
        self._ids = ids
        self._found: dict[str, dict[str, list[str]]] = {}  # by what is wrong, then by system: names of segments

    @contextmanager
    def of_system(
        self, system: str, segments: Segments, advance: Callable[[int], object], *, start: int = 0
    ) -> Iterator[Callable[[int], object]]:
        """Collect what is reported on *segments* of *system*; yield the function to call after each block.

        *Start* is the place of the first segment.
        """
        single = segments.references is None or all(len(group) == 1 for group in segments.references)
        with collected_reports() as reports:

            def after_block(count: int) -> None:
                nonlocal start
                for said, places in reports:
                    # With several references, pairs are not segments.
                    names = [self._ids[start + place] for place in places] if single else [""] * len(places)
                    self._found.setdefault(said, {}).setdefault(system, []).extend(names)
                reports.clear()
                start += count
                advance(count)

            yield after_block

    def warn(self) -> tuple[str, ...]:
        """Log one warning for each kind of trouble, with systems and segments, and return them."""
        warnings = []
        for said, systems in self._found.items():
            named = "; ".join(f"{system}: {_first_names(names)}" for system, names in systems.items())
            count = sum(map(len, systems.values()))
            warnings.append(f"{self._metric}: {said % count} ({named})")
            logger.warning("%s", warnings[-1])
        return tuple(warnings)


def _first_names(names: Sequence[str]) -> str:
    known = [name for name in names if name][:_MOST_NAMED]
    if not known:
        return str(len(names))
    noun = "segment" if len(names) == 1 else "segments"
    return f"{noun} {', '.join(known)}{', …' if len(names) > len(known) else ''}"


def check_texts(testset: TestSet, metrics: Sequence[SentenceMetric]) -> tuple[str, ...]:
    """Raise a `DataError` if *metrics* need other texts; log possible problems with the texts and return them."""
    return _check_texts(testset, _systems(testset), metrics)


def _systems(testset: TestSet) -> dict[str, Segments]:
    return {system: testset.segments(system) for system in testset.candidates or ("",)}  # segments("") raises


def _check_texts(
    testset: TestSet, systems: Mapping[str, Segments], metrics: Sequence[SentenceMetric]
) -> tuple[str, ...]:
    from paragauge.corpora.checks import check_testset, summarise
    from paragauge.metrics.suitability import warn_of_texts

    for metric in metrics:
        for segments in systems.values():
            metric.check(segments)
    said = []
    references = next(iter(systems.values())).references or ()
    blank = [name for name, group in zip(testset.ids, references, strict=False) if not any(map(str.strip, group))]
    if blank:
        said.append(
            f"{len(blank)} segment(s) have no reference text, so nothing in them can match; the first is segment "
            f"{blank[0]}"
        )
        logger.warning("%s", said[-1])
    counted = any(metric.empty_score is not None for metric in metrics)  # such a metric names empty texts itself
    suspicious = summarise([each for each in check_testset(testset) if not (counted and each.check == "empty")])
    if suspicious is not None:
        said.append(suspicious)
        logger.warning("%s; 'paragauge score --check' lists them", suspicious)
    names = [(system, name) for system in systems for name in testset.ids]
    return (*said, *warn_of_texts(metrics, systems.values(), names=names))
