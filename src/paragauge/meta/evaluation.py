"""Scores joined with judgments of the same candidates; everything dropped is reported."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judgments import WHOLE_SYSTEM, Judgments
from paragauge.errors import DataError, unknown_name
from paragauge.meta.choices import Level
from paragauge.meta.direction import lower_metrics
from paragauge.meta.scores import ScoreRow, ScoreTable

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """Scores of metrics and human scores, as matrices.

    Attributes:
        systems: Rows of the matrices.
        segments: Columns of the matrices.
        human: Human score of each system's candidate for each segment; NaN if missing.
        metrics: Matrix like *human* for each metric.
        system_scores: Score of each whole system (NaN if missing) for metrics that provide one; for all others, the
            mean of their segments is used.
        dropped: Descriptions of data that could not be used.
        lower_is_better: Metrics whose sign is reversed before they are compared with people.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    human: Matrix
    metrics: Mapping[str, Matrix]
    system_scores: Mapping[str, Matrix] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    lower_is_better: frozenset[str] = frozenset()

    @property
    def of_whole_systems(self) -> bool:
        """Whether people judged whole systems, not segments."""
        return self.segments == (WHOLE_SYSTEM,)

    @property
    def names(self) -> tuple[str, ...]:
        """All metrics, those with scores of segments first."""
        return (*self.metrics, *(name for name in self.system_scores if name not in self.metrics))

    def names_at(self, level: Level) -> tuple[str, ...]:
        """Return the metrics that can be correlated at *level*.

        Raises:
            DataError: There are none, since all scores are of whole systems.
        """
        if level == "system" or self.metrics:
            return self.names if level == "system" else tuple(self.metrics)
        raise systems_only(self.names)


def join_scores(
    scores: ScoreTable,
    judgments: Judgments,
    *,
    criterion: str | None = None,
    judge: str | None = None,
    keep: Callable[[str, str], bool] | None = None,
    lower_is_better: Collection[str] = (),
) -> Evaluation:
    """Join *scores* with the *judgments* of one criterion by (system, segment).

    Judgments of whole systems are joined with the scores of whole systems, which are means of segments if need be.

    Args:
        scores: Scores of one or more metrics.
        judgments: Human judgments; the mean over the judges who gave a score is used.
        criterion: Criterion to use; optional if there is only one. Several, with commas between them, are averaged.
        judge: Judge whose scores to use; by default, all judges.
        keep: The (system, segment) pairs to use; by default, all.
        lower_is_better: Metrics for which lower is better, in addition to built-in ones.
    """
    chosen = select(judgments, criterion=criterion, judge=judge)
    if set(chosen.segments) == {WHOLE_SYSTEM}:
        scores = _of_whole_systems(scores)
    elif WHOLE_SYSTEM in chosen.segments:
        raise DataError("some judgments have a segment and some are of whole systems; use one kind at a time")
    people = {
        (row.system, row.segment): row.score for row in chosen.mean_over_judges() if keep is None or keep(*row[:2])
    }
    judged = {key: score for key, score in people.items() if score is not None}
    if not judged:
        raise DataError(
            "no judgments are left to compare scores with; check the criterion, the judge and the conditions"
        )
    by_metric: dict[str, dict[tuple[str, str], float]] = {}
    by_system: dict[str, dict[str, float]] = {}
    missing = 0
    for row in scores:
        if row.score is None:
            missing += 1
        elif row.segment is None:
            by_system.setdefault(row.metric, {})[row.system] = row.score
        else:
            by_metric.setdefault(row.metric, {})[row.system, row.segment] = row.score
    scored = {key for table in by_metric.values() for key in table}
    scored_systems = {key[0] for key in scored} | {system for table in by_system.values() for system in table}
    used = [key for key in judged if key in scored or (not by_metric and key[0] in scored_systems)]
    beyond = _beyond_last_line(judged, scored)
    if not used:
        raise DataError(_nothing_in_common(judged, scored, scored_systems))
    systems = tuple(dict.fromkeys(system for system, _ in used))
    segments = tuple(dict.fromkeys(segment for _, segment in used))
    row_of, column_of = _positions(systems), _positions(segments)
    return Evaluation(
        systems,
        segments,
        human=_matrix({key: judged[key] for key in used}, row_of, column_of),
        metrics={name: _matrix(table, row_of, column_of) for name, table in by_metric.items()},
        system_scores={
            name: np.array([table.get(system, np.nan) for system in systems]) for name, table in by_system.items()
        },
        dropped=tuple(
            f"{count:,} {what}"
            for count, what in (
                (len(people) - len(judged), "judgments without a score (left missing, not counted as 0)"),
                (len(judged) - len(used), "judgments of candidates that no metric scored" + beyond),
                (len(scored - judged.keys()), "scored candidates without judgments"),
                (missing, "missing metric scores"),
            )
            if count
        ),
        lower_is_better=lower_metrics(scores.metrics, lower_is_better),
    )


FEWEST_TO_DOUBT = 100  # segments, below which agreement may be missing by chance


def doubt_segments(evaluation: Evaluation) -> str | None:
    """Return why segments of scores and judgments may not be the same sentences, or ``None`` if there is no doubt.

    Published numbers of segments are not always numbers of lines. If no metric follows people over the segments of a
    system, although there are many, names of segments probably mean different sentences on both sides.
    """
    segments = len(evaluation.segments)
    if segments < FEWEST_TO_DOUBT or not evaluation.metrics:
        return None
    agreement = {}
    for name, matrix in evaluation.metrics.items():
        both = ~np.isnan(matrix) & ~np.isnan(evaluation.human)
        own, theirs = (np.where(both, side, np.nan) for side in (matrix, evaluation.human))
        own, theirs = (_without_row_means(side) for side in (own, theirs))
        spread = math.sqrt(float((own * own).sum() * (theirs * theirs).sum()))
        if not spread:
            return None
        agreement[name] = (-1 if name in evaluation.lower_is_better else 1) * float((own * theirs).sum()) / spread
    best = max(agreement.values())
    if best >= 2 / math.sqrt(segments):
        return None
    return (
        f"no metric follows people over the segments of a system (the highest correlation is {best:.3f}, over "
        f"{segments:,} segments); check that segments have the same names in scores and judgments: published numbers "
        "of segments are not always numbers of lines"
    )


def _without_row_means(matrix: Matrix) -> Matrix:
    """Return each row around 0, and 0 for missing numbers."""
    known = ~np.isnan(matrix)
    means = np.nansum(matrix, axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.where(known, matrix - means[:, None], 0.0)


def _of_whole_systems(scores: ScoreTable) -> ScoreTable:
    """Return scores of whole systems: those that are known, otherwise means of segments."""
    numbers = score_matrices(scores)
    return ScoreTable(
        tuple(
            ScoreRow(metric, system, None, value)
            for metric in numbers.names
            for system, value in numbers.of_systems(metric).items()
        )
    )


@dataclass(frozen=True)
class ScoreMatrices:
    """Scores of metrics without judgments: matrices (systems, segments) and scores of whole systems; NaN if missing."""

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    metrics: Mapping[str, Matrix]
    system_scores: Mapping[str, Matrix]

    @property
    def names(self) -> tuple[str, ...]:
        """All metrics with any score, those with scores of segments first."""
        return (*self.metrics, *(name for name in self.system_scores if name not in self.metrics))

    def of_systems(self, metric: str) -> dict[str, float]:
        """Return each system's score, if any: that of the whole system if known, else the mean of its segments."""
        if metric in self.system_scores:
            values = self.system_scores[metric].tolist()
        else:
            values = row_means(self.metrics[metric])
        return {system: value for system, value in zip(self.systems, values, strict=True) if not math.isnan(value)}


def row_means(matrix: Matrix) -> list[float]:
    """Return the mean of the numbers in each row; NaN for a row without numbers."""
    known = ~np.isnan(matrix)
    return [
        math.fsum(row[have]) / int(have.sum()) if have.any() else math.nan
        for row, have in zip(matrix, known, strict=True)
    ]


def systems_only(metrics: Sequence[str]) -> DataError:
    """Return the error for metrics that have no scores of segments."""
    return DataError(f"the scores of {', '.join(metrics)} are of whole systems; correlate them at system level")


def score_matrices(scores: ScoreTable) -> ScoreMatrices:
    """Return *scores* as matrices, with systems and segments in order of appearance."""
    systems = tuple(dict.fromkeys(row.system for row in scores))
    segments = tuple(dict.fromkeys(row.segment for row in scores if row.segment is not None))
    row_of, column_of = _positions(systems), _positions(segments)
    by_metric: dict[str, dict[tuple[str, str], float]] = {}
    by_system: dict[str, Matrix] = {}
    for row in scores:
        if row.score is None:
            continue
        if row.segment is not None:
            by_metric.setdefault(row.metric, {})[row.system, row.segment] = row.score
        else:
            by_system.setdefault(row.metric, np.full(len(systems), np.nan))[row_of[row.system]] = row.score
    matrices = {name: _matrix(table, row_of, column_of) for name, table in by_metric.items()}
    return ScoreMatrices(systems, segments, matrices, by_system)


def select(judgments: Judgments, *, criterion: str | None = None, judge: str | None = None) -> Judgments:
    """Return the judgments of one *criterion* and, if given, one *judge*; unknown names are rejected.

    Several criteria, with commas between them, become their mean, over the candidates that were judged by all of them.
    """
    criteria = sorted(set(judgments.criteria))
    if criterion is None and len(criteria) > 1:
        raise DataError(
            f"the judgments have several criteria ({', '.join(criteria)}); choose one, or average several with commas "
            f"between them ({','.join(criteria[:2])})"
        )
    if criterion is not None and criterion not in criteria and "," in criterion:
        names = [name.strip() for name in criterion.split(",")]
        for name in names:
            if name not in criteria:
                raise unknown_name("criterion", name, criteria)
        judgments = judgments.mean_over_criteria(names, criterion)
    elif criterion is not None and criterion not in criteria:
        raise unknown_name("criterion", criterion, criteria)
    if judge is not None and judge not in judgments.judges:
        raise unknown_name("judge", judge, set(judgments.judges))
    return judgments.where(criterion=criterion, judge=judge)


def _beyond_last_line(judged: Collection[tuple[str, str]], scored: Collection[tuple[str, str]]) -> str:
    """Return a remark if judged segments have higher numbers than any scored one: they cannot be numbers of lines."""
    people, ours = ({segment for _, segment in side} for side in (judged, scored))
    if not people or not ours or not all(name.isdecimal() for name in people | ours):
        return ""
    last, highest = (max(map(int, names)) for names in (ours, people))
    if highest <= last:
        return ""
    return f" (segments up to {highest}, scores up to {last}: are they numbers of lines of the same files?)"


def _positions(names: Sequence[str]) -> dict[str, int]:
    return {name: position for position, name in enumerate(names)}


def _matrix(values: Mapping[tuple[str, str], float], row_of: Mapping[str, int], column_of: Mapping[str, int]) -> Matrix:
    matrix = np.full((len(row_of), len(column_of)), np.nan)
    for (system, segment), value in values.items():
        if system in row_of and segment in column_of:
            matrix[row_of[system], column_of[segment]] = value
    return matrix


def _nothing_in_common(
    judged: Mapping[tuple[str, str], float], scored: set[tuple[str, str]], scored_systems: set[str]
) -> str:
    people = {system for system, _ in judged}
    if not people & scored_systems:
        return _different_names("system", "scores", scored_systems, "judgments", people)
    return _different_names("segment", "scores", {s for _, s in scored}, "judgments", {s for _, s in judged})


def _different_names(what: str, one: str, ours: Collection[str], other: str, theirs: Collection[str]) -> str:
    return (
        f"{one} and {other} have no {what} in common: {one} have {_few(ours)}; {other} have {_few(theirs)}; use the "
        f"same names for {what}s" + (" (lines count from 1)" if what == "segment" else "")
    )


def _few(names: Collection[str]) -> str:
    return ", ".join(sorted(names)[:3]) + (", ..." if len(names) > 3 else "")


def no_common_names(
    ours: Collection[tuple[str, str]], theirs: Collection[tuple[str, str]], *, other: str = "rankings"
) -> str:
    """Return why scores and what people did have no candidate in common, with names (system, segment) of both."""
    for what, place in (("system", 0), ("segment", 1)):
        own, people = {key[place] for key in ours}, {key[place] for key in theirs}
        if not own & people:
            return _different_names(what, "scores", own, other, people)
    one, another = (sorted(side)[0] for side in (ours, theirs))
    return (
        f"scores and {other} have systems and segments in common, but no candidate, or no two for one segment: scores "
        f"have {one[0]} for segment {one[1]}, {other} have {another[0]} for segment {another[1]}; check whether they "
        "belong to the same test set"
    )
