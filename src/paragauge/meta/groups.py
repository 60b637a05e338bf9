"""Agreement of metrics with people by group of segments: phenomenon, domain, document or length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paragauge.meta.choices import Statistic
from paragauge.meta.correlation import Correlation, correlate_metric
from paragauge.meta.evaluation import Evaluation

FEWEST = 2  # segments of a group
MOST_GROUPS = 40  # of one kind: a page with more would say nothing


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement of a metric with people on some segments.

    Attributes:
        kind: What segments were grouped by.
        group: Group.
        segments: Number of segments in it.
        correlation: WMT's tau if there are several systems, else Pearson's r.
    """

    kind: str
    group: str
    segments: int
    criterion: str
    correlation: Correlation


def agreement_by_group(
    evaluation: Evaluation,
    criterion: str,
    kind: str,
    groups: Mapping[str, str],
    *,
    resamples: int,
    seed: int,
) -> Iterator[GroupAgreement]:
    """Yield the agreement of each metric with people, group by group, in order of the groups' names.

    Args:
        evaluation: Scores and judgments.
        criterion: Criterion of the judgments.
        kind: What segments were grouped by.
        groups: Group of each segment; segments without one are left out.
        resamples: Number of bootstrap resamples for intervals; 0 for none.
        seed: Seed for resampling.
    """
    method: Statistic = "kendall-wmt" if len(evaluation.systems) > 1 else "pearson"
    names = [groups.get(segment) for segment in evaluation.segments]
    for group in sorted({name for name in names if name is not None}, key=_natural)[:MOST_GROUPS]:
        columns = np.array([k for k, name in enumerate(names) if name == group])
        if len(columns) < FEWEST:
            continue
        part = replace(
            evaluation,
            segments=tuple(evaluation.segments[k] for k in columns),
            human=evaluation.human[:, columns],
            metrics={name: matrix[:, columns] for name, matrix in evaluation.metrics.items()},
            system_scores={},
        )
        for metric in part.metrics:
            found = correlate_metric(part, metric, method=method, resamples=resamples, seed=seed)
            yield GroupAgreement(kind, group, len(columns), criterion, found)


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts numbers inside of names by their value."""
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"([0-9]+)", name))


def length_groups(ids: Sequence[str], texts: Sequence[str]) -> dict[str, str]:
    """Return a group for each segment by its number of words: the shortest third, the middle and the longest."""
    lengths = [len(text.split()) for text in texts]
    ordered = sorted(lengths)
    low, high = ordered[len(ordered) // 3], ordered[2 * len(ordered) // 3]
    names = (f"1-{low} words", f"{low + 1}-{high} words", f"{high + 1}+ words")
    return {
        name: names[0] if length <= low else names[1] if length <= high else names[2]
        for name, length in zip(ids, lengths, strict=True)
    }
