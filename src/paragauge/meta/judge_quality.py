"""Quality of judges: how well each agrees with the others and with itself, and who does not; z-scores by judge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from paragauge.corpora.judgments import Judgments
from paragauge.errors import DataError
from paragauge.meta.correlation import Method, correlate
from paragauge.meta.evaluation import select
from paragauge.meta.rankings import Comparison, Rankings

FEWEST = 4  # items; Fisher's interval needs more than 3


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """One judge.

    Attributes:
        items: Number of candidates judged, or of comparisons made.
        mean: Mean score; ``None`` for rankings.
        deviation: Standard deviation of the scores.
        agreement: Correlation with the mean of the other judges on the same candidates; for rankings, kappa with the
            other judges. NaN if undefined.
        shared: Number of candidates that others judged, or of pairs of comparisons of the same two candidates.
        consistency: Correlation of the judge's first scores with the second ones of the same candidates; for rankings,
            share of repeated comparisons with the same outcome. ``None`` if nothing was repeated.
        outlier: Whether the agreement is lower than that of the median judge, beyond chance (95%).
        repeated: Number of candidates judged twice, or of pairs of comparisons of the same two candidates.
    """

    judge: str
    items: int
    mean: float | None
    deviation: float | None
    agreement: float
    shared: int
    consistency: float | None
    outlier: bool
    repeated: int = 0


def judge_judges(
    judgments: Judgments,
    *,
    criterion: str | None = None,
    method: Method = "pearson",
    repeats: Judgments | None = None,
) -> list[JudgeQuality]:
    """Return the quality of each judge, by leaving one out: each judge against the mean of the others.

    A judge is an outlier if the upper end of the 95% interval of the correlation (Fisher's transformation) lies below
    the median of the other judges.

    Args:
        judgments: Judgments by several judges.
        criterion: Criterion to use; optional if there is only one.
        method: Correlation coefficient.
        repeats: Second judgments of some candidates by the same judges.

    Raises:
        DataError: There is a single judge, or no judge judged a candidate twice.
    """
    by_judge: dict[str, dict[tuple[str, str], float]] = {}
    by_item: dict[tuple[str, str], list[float]] = {}
    for row in select(judgments, criterion=criterion):
        if row.score is not None:
            by_judge.setdefault(row.judge, {})[row.system, row.segment] = row.score
            by_item.setdefault((row.system, row.segment), []).append(row.score)
    if len(by_judge) < 2:
        raise DataError("found a single judge, expected at least two")
    second = {} if repeats is None else _second_scores(by_judge, select(repeats, criterion=criterion))
    found: dict[str, tuple[float, int]] = {}
    for judge, scores in by_judge.items():
        shared = [key for key in scores if len(by_item[key]) > 1]
        others = [(math.fsum(by_item[key]) - scores[key]) / (len(by_item[key]) - 1) for key in shared]
        value = correlate([scores[key] for key in shared], others, method) if len(shared) > 1 else math.nan
        found[judge] = value, len(shared)
    rows = []
    for judge, scores in sorted(by_judge.items()):
        mean = math.fsum(scores.values()) / len(scores)
        deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores.values()) / len(scores))
        value, shared_count = found[judge]
        rest = [other for name, (other, _) in found.items() if name != judge and not math.isnan(other)]
        outlier = bool(rest) and _below(value, shared_count, median(rest))
        pairs = second.get(judge, [])
        consistency = (
            correlate([one for one, _ in pairs], [two for _, two in pairs], method) if len(pairs) > 1 else None
        )
        rows.append(
            JudgeQuality(judge, len(scores), mean, deviation, value, shared_count, consistency, outlier, len(pairs))
        )
    return rows


def _second_scores(
    first: Mapping[str, Mapping[tuple[str, str], float]], repeats: Judgments
) -> dict[str, list[tuple[float, float]]]:
    """Return the first and the second score of each candidate that a judge judged twice."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in repeats:
        before = first.get(row.judge, {}).get((row.system, row.segment))
        if before is not None and row.score is not None:
            found.setdefault(row.judge, []).append((before, row.score))
    if not found:
        raise DataError(
            "no judge judged a candidate twice; expected repeats with the same systems, segments and judges as the "
            f"judgments; these have the judges {', '.join(sorted(first)[:3])}, repeats have "
            f"{', '.join(sorted(set(repeats.judges))[:3])}"
        )
    return found


def _below(value: float, items: int, typical: float) -> bool:
    if math.isnan(value) or items < FEWEST:
        return False
    high = math.atanh(max(-0.999999, min(value, 0.999999))) + 1.959964 / math.sqrt(items - 3)
    return high < math.atanh(max(-0.999999, min(typical, 0.999999)))


def judge_rankings(rankings: Rankings) -> list[JudgeQuality]:
    """Return the quality of each judge of rankings, as WMT measures it.

    Agreement is Cohen's kappa over pairs of comparisons of the same two candidates by different judges, where chance
    agreement comes from how often people tie (Bojar et al., 2013). Consistency is the share of a judge's own repeated
    comparisons that have the same outcome.
    """
    by_pair: dict[tuple[str, frozenset[str]], list[Comparison]] = {}
    for each in rankings.comparisons:
        by_pair.setdefault((each.segment, frozenset((each.better, each.worse))), []).append(each)
    ties = sum(each.tie for each in rankings.comparisons) / max(1, len(rankings.comparisons))
    chance = ties**2 + 2 * ((1 - ties) / 2) ** 2
    same: dict[str, list[bool]] = {}
    own: dict[str, list[bool]] = {}
    for comparisons in by_pair.values():
        for one, other in combinations(comparisons, 2):
            equal = _outcome(one) == _outcome(other)
            if one.judge == other.judge:
                own.setdefault(one.judge, []).append(equal)
            else:
                for judge in (one.judge, other.judge):
                    same.setdefault(judge, []).append(equal)
    judges = sorted({each.judge for each in rankings.comparisons})
    if len(judges) < 2:
        raise DataError("found a single judge, expected at least two")
    shares = {judge: sum(same[judge]) / len(same[judge]) for judge in judges if judge in same}
    rows = []
    for judge in judges:
        share = shares.get(judge, math.nan)
        rest = [other for name, other in shares.items() if name != judge]
        count = len(same.get(judge, ()))
        outlier = bool(rest) and _share_below(share, count, median(rest))
        rows.append(
            JudgeQuality(
                judge,
                sum(each.judge == judge for each in rankings.comparisons),
                None,
                None,
                (share - chance) / (1 - chance) if chance < 1 else math.nan,
                count,
                sum(own[judge]) / len(own[judge]) if judge in own else None,
                outlier,
                len(own.get(judge, ())),
            )
        )
    return rows


def _outcome(each: Comparison) -> str:
    return "" if each.tie else each.better


def _share_below(share: float, items: int, typical: float) -> bool:
    if math.isnan(share) or items < FEWEST:
        return False
    return share + 1.959964 * math.sqrt(max(share * (1 - share), 1e-9) / items) < typical


def standardise(judgments: Judgments) -> Judgments:
    """Return z-scores: each judge's scores by each criterion with mean 0 and standard deviation 1.

    A judge whose scores by a criterion are all equal gets 0.
    """
    groups: dict[tuple[str, str], list[float]] = {}
    for row in judgments:
        if row.score is not None:
            groups.setdefault((row.judge, row.criterion), []).append(row.score)
    scale = {key: _scale(scores) for key, scores in groups.items()}
    rows = []
    for row in judgments:
        score = row.score
        if score is not None:
            mean, deviation = scale[row.judge, row.criterion]
            score = (score - mean) / deviation if deviation > 0 else 0.0
        rows.append((*row[:4], score))
    return Judgments.from_rows(rows)


def _scale(scores: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(scores) / len(scores)
    return mean, math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))


def without_judges(judgments: Judgments, names: Iterable[str]) -> Judgments:
    """Return the judgments of all other judges."""
    left_out = set(names)
    return Judgments.from_rows(row for row in judgments if row.judge not in left_out)


def renamed_systems(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """Return the judgments with systems renamed."""
    return Judgments.from_rows((names.get(row.system, row.system), *row[1:]) for row in judgments)
