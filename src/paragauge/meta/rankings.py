"""Human rankings of systems, as collected by WMT, and Kendall's tau over the pairs that they imply.

A ranking of five outputs for one segment implies ten comparisons. tau = (concordant - discordant) / pairs, over the
pairs that people did not rank equal. WMT changed how a metric's ties count over the years: ``"discordant"`` (2012),
``"ignored"`` (left out of both numbers) or ``"neutral"`` (2014: in the denominator only).

The sign of metrics for which lower is better is reversed (`paragauge.meta.direction`), so that +1 is full agreement for
every metric.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.judgments import NO_JUDGE, Judgments, read_judgments
from paragauge.corpora.tables import Table, parse_csv
from paragauge.corpora.wmt_judgments import has_pair_column, several_pairs
from paragauge.errors import DataError, OptionError, unknown_name
from paragauge.io import STANDARD_STREAM, PathLike, display_name, read_bytes, read_lines
from paragauge.meta.choices import OF_SEGMENTS, TIES, Level, Statistic
from paragauge.meta.choices import Ties as Ties
from paragauge.meta.comparison import MetricComparison, compare_preferences, comparisons_of
from paragauge.meta.correlation import Correlation, Question, correlate_rows
from paragauge.meta.direction import lower_metrics
from paragauge.meta.evaluation import Matrix, ScoreMatrices, no_common_names, score_matrices, systems_only
from paragauge.meta.pairs import Preferences, pairwise_accuracy, ratio, system_pairs
from paragauge.meta.permutation import swap_tests
from paragauge.meta.scores import ScoreTable
from paragauge.meta.significance import DEFAULT_SEED, percentile_interval, resample_weights
from paragauge.meta.task_folder import is_task_folder, read_task_people
from paragauge.metrics.base import Interval
from paragauge.progress import Progress

BLANK = -1


@dataclass(frozen=True, slots=True)
class Comparison:
    """One judge's comparison of two outputs for a segment: *better* wins, unless it is a tie."""

    segment: str
    judge: str
    better: str
    worse: str
    tie: bool


@dataclass(frozen=True, slots=True)
class Rankings:
    """Human comparisons of systems, and the number of ranks left blank."""

    comparisons: tuple[Comparison, ...]
    blanks: int = 0

    def system_scores(self) -> dict[str, float]:
        """Return the share of comparisons that each system won, excluding ties (WMT's expected wins)."""
        wins: dict[str, int] = {}
        losses: dict[str, int] = {}
        for each in self.comparisons:
            if not each.tie:
                wins[each.better] = wins.get(each.better, 0) + 1
                losses[each.worse] = losses.get(each.worse, 0) + 1
        systems = sorted({*wins, *losses})
        return {name: wins.get(name, 0) / (wins.get(name, 0) + losses.get(name, 0)) for name in systems}

    def judgments(self, criterion: str = "wins") -> Judgments:
        """Return the share of comparisons that each candidate won, excluding ties, as judgments of one criterion."""
        won: dict[tuple[str, str], list[int]] = {}
        for each in self.comparisons:
            if not each.tie:
                won.setdefault((each.better, each.segment), []).append(1)
                won.setdefault((each.worse, each.segment), []).append(0)
        return Judgments.from_rows(
            (system, segment, NO_JUDGE, criterion, sum(wins) / len(wins)) for (system, segment), wins in won.items()
        )

    def system_intervals(self, resamples: int, seed: int) -> dict[str, Interval]:
        """Return bootstrap intervals of `system_scores` from resampled segments."""
        systems = sorted({name for each in self.comparisons for name in (each.better, each.worse)})
        won, lost = _wins_by_segment(self, systems)
        drawn = []
        for weights in resample_weights(len(won), resamples, seed):
            with np.errstate(invalid="ignore", divide="ignore"):
                drawn.append((weights @ won) / (weights @ (won + lost)))
        shares = np.concatenate(drawn)
        known = [(name, column[~np.isnan(column)]) for name, column in zip(systems, shares.T, strict=True)]
        return {name: percentile_interval(column) for name, column in known if len(column)}


def is_ranking_file(header: Sequence[str]) -> bool:
    """Return whether a table with this header contains WMT rankings of several systems."""
    return {"srcIndex", "system1Id", "system1rank"} <= set(header)


def is_relative_header(line: str) -> bool:
    """Return whether *line* is the header of relative rankings (``LP DATA SID BETTER WORSE``).

    WMT18's header lacks a name; rows are read by the position of their fields.
    """
    return {"SID", "BETTER", "WORSE"} <= set(line.split())


def read_relative_rankings(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> Rankings:
    """Return the relative rankings (DARR) of one language pair: one comparison in each line.

    Args:
        path: File with the fields language pair, test set, segment, better system, worse system; optionally gzipped.
        pair: Language pair, such as ``cs-en``; optional if the file has only one.
        encoding: Encoding of the text.
    """
    rows = []
    for number, line in enumerate(read_lines(path, encoding=encoding), start=1):
        fields = line.split()
        if number == 1 or not fields:
            continue
        if len(fields) < 5:
            raise DataError(
                f"found {len(fields)} fields, expected the language pair, the test set, the segment, the better and "
                "the worse system",
                path=display_name(path),
                line=number,
            )
        rows.append(fields)
    pairs = tuple(dict.fromkeys(fields[0] for fields in rows))
    if not rows:
        raise DataError("found only a header, expected at least one comparison", path=display_name(path), line=1)
    if pair is None and len(pairs) > 1:
        raise several_pairs(pairs, display_name(path))
    if pair is not None and pair not in pairs:
        raise unknown_name("language pair", pair, pairs)
    return Rankings(
        tuple(
            Comparison(fields[2], NO_JUDGE, fields[3], fields[4], tie=False)
            for fields in rows
            if pair in (None, fields[0])
        )
    )


def holds_rankings(path: PathLike, *, encoding: str = "utf-8") -> bool:
    """Return whether a file contains WMT rankings; always false for standard input, which can be read only once."""
    if os.fspath(path) == STANDARD_STREAM:
        return False
    first = next(read_lines(path, encoding=encoding), "")
    return is_ranking_file(first.split(",")) or is_relative_header(first)


def has_pairs(people: object, *, encoding: str = "utf-8") -> bool:
    """Return whether *people* are rankings, or a file or folder in which a language pair can be chosen."""
    if not isinstance(people, str | os.PathLike):
        return isinstance(people, Rankings)
    if os.fspath(people) == STANDARD_STREAM:
        return False
    if is_task_folder(people):
        return True
    first = next(read_lines(people, encoding=encoding), "")
    return is_ranking_file(first.split(",")) or is_relative_header(first) or has_pair_column(first)


def language_pairs(table: Table) -> tuple[str, ...]:
    """Return the language pairs in a table of WMT rankings, such as ``Czech-English``."""
    return tuple(dict.fromkeys(_pair_of(dict(zip(table.header, row, strict=True))) for row in table.rows))


def _pair_of(row: Mapping[str, str]) -> str:
    return f"{row.get('srclang', '')}-{row.get('trglang', '')}"


def read_rankings(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> Rankings:
    """Return the rankings of one language pair in a WMT file (``srclang,...,system1Id,...,system1rank,...``).

    Args:
        path: CSV file, optionally gzipped.
        pair: Language pair, such as ``Czech-English``; optional if the file has only one.
        encoding: Encoding of the text.
    """
    if is_relative_header(next(read_lines(path, encoding=encoding), "")):
        return read_relative_rankings(path, pair=pair, encoding=encoding)
    table = parse_csv(read_bytes(path), path, encoding)
    if not is_ranking_file(table.header):
        raise DataError(
            "is not a file of WMT rankings; expected the columns srclang, trglang, srcIndex, judgeId, system1Id, "
            "system1rank, ...",
            path=table.path,
            line=1,
        )
    pairs = language_pairs(table)
    if pair is None and len(pairs) > 1:
        raise several_pairs(pairs, table.path)
    if pair is not None and pair not in pairs:
        raise unknown_name("language pair", pair, pairs)
    comparisons: list[Comparison] = []
    blanks = 0
    for line, fields in zip(table.lines, table.rows, strict=True):
        row = dict(zip(table.header, fields, strict=True))
        if pair in (None, _pair_of(row)):
            ranked, blank = _ranks(row, table.path, line)
            blanks += blank
            comparisons += _comparisons(row["srcIndex"], row.get("judgeId", ""), ranked)
    return Rankings(tuple(comparisons), blanks)


def read_people(path: PathLike, *, pair: str | None = None, encoding: str = "utf-8") -> Judgments | Rankings:
    """Return the judgments in *path* or, if its header is that of WMT rankings, the rankings of one language *pair*.

    Standard input can be read only once and must contain judgments.
    """
    if is_task_folder(path):
        return read_task_people(path, pair=pair, encoding=encoding)
    if holds_rankings(path, encoding=encoding):
        return read_rankings(path, pair=pair, encoding=encoding)
    return read_judgments(path, encoding=encoding, pair=pair)


def _ranks(row: Mapping[str, str], path: str, line: int) -> tuple[list[tuple[str, int]], int]:
    ranked, blanks = [], 0
    for number in range(1, 100):
        name = row.get(f"system{number}Id")
        if name is None:
            break
        try:
            rank = int(row[f"system{number}rank"])
        except (KeyError, ValueError) as error:
            raise DataError(
                f"the rank of system {number} ({name}) is {row.get(f'system{number}rank')!r}, expected a whole number, "
                f"or {BLANK} if left blank",
                path=path,
                line=line,
            ) from error
        if rank == BLANK or not name:
            blanks += 1
        else:
            ranked.append((name, rank))
    return ranked, blanks


def _comparisons(segment: str, judge: str, ranked: Sequence[tuple[str, int]]) -> list[Comparison]:
    found = []
    for i, (one, rank_one) in enumerate(ranked):
        for other, rank_other in ranked[i + 1 :]:
            if one != other:
                better, worse = (one, other) if rank_one <= rank_other else (other, one)
                found.append(Comparison(segment, judge, better, worse, rank_one == rank_other))
    return found


def correlate_with_rankings(
    scores: ScoreTable,
    rankings: Rankings,
    *,
    level: Level = "segment",
    methods: Sequence[Statistic] = ("pearson",),
    ties: Ties = "discordant",
    lower_is_better: Collection[str] = (),
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
) -> Iterator[Correlation]:
    """Yield how well each metric with scores at *level* agrees with rankings.

    Args:
        scores: Scores of segments, of whole systems, or both.
        rankings: Human rankings.
        level: Pairs of candidates, by Kendall's tau; or systems, by each of *methods*.
        methods: Correlation coefficients, at system level.
        ties: How to count a metric's ties, at segment level.
        lower_is_better: Metrics for which lower is better, in addition to built-in ones.
        resamples: Number of bootstrap resamples for intervals; 0 for none.
        seed: Seed for resampling.
    """
    numbers = score_matrices(scores)
    names = [name for name in scores.metrics if name in (numbers.names if level == "system" else numbers.metrics)]
    if not names:
        raise (
            systems_only(scores.metrics)
            if numbers.names
            else DataError("all scores are missing; expected at least one")
        )
    lower = lower_metrics(scores.metrics, lower_is_better)
    for name in names:
        if level == "segment":
            yield ranking_tau(
                scores, name, rankings, ties=ties, lower_is_better=name in lower, resamples=resamples, seed=seed
            )
            continue
        own = numbers.of_systems(name)
        for method in methods:
            yield correlate_wins(
                own, name, rankings, method=method, lower_is_better=name in lower, resamples=resamples, seed=seed
            )


def _is_lower(metric: str, told: bool | None) -> bool:
    return bool(lower_metrics([metric])) if told is None else told


def ranking_tau(
    scores: ScoreTable,
    metric: str,
    rankings: Rankings,
    *,
    ties: Ties = "discordant",
    lower_is_better: bool | None = None,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
) -> Correlation:
    """Return Kendall's tau of a metric over the pairs that people ranked; intervals resample segments.

    Args:
        scores: Scores of segments.
        metric: Metric to use.
        rankings: Human rankings.
        ties: How to count the metric's ties.
        lower_is_better: Whether to reverse the metric's sign; by default, depends on the metric.
        resamples: Number of bootstrap resamples for the interval; 0 for none.
        seed: Seed for resampling.
    """
    lower = _is_lower(metric, lower_is_better)
    if ties not in TIES:
        raise OptionError(f"ties must be one of {', '.join(TIES)}; got {ties!r}")
    known = {
        (row.system, row.segment): row.score
        for row in scores
        if row.metric == metric and row.segment is not None and row.score is not None
    }
    if not known:
        raise unknown_name("metric with scores of segments", metric, scores.metrics)
    segments: dict[str, int] = {}
    counts: list[list[int]] = []  # by segment: concordant, discordant, pairs
    for each in rankings.comparisons:
        better, worse = known.get((each.better, each.segment)), known.get((each.worse, each.segment))
        if each.tie or better is None or worse is None:
            continue
        position = segments.setdefault(each.segment, len(segments))
        if position == len(counts):
            counts.append([0, 0, 0])
        gain = worse - better if lower else better - worse
        if gain == 0 and ties == "ignored":
            continue
        counts[position][0] += gain > 0
        counts[position][1] += gain < 0 or (gain == 0 and ties == "discordant")
        counts[position][2] += 1
    if not counts:
        raise DataError(no_common_names(known.keys(), _ranked(rankings)))
    table = np.array(counts, dtype=np.float64)
    interval = None
    if resamples:
        drawn = np.concatenate([_taus(weights @ table) for weights in resample_weights(len(table), resamples, seed)])
        interval = percentile_interval(drawn[~np.isnan(drawn)])
    value = float(_taus(table.sum(axis=0, keepdims=True))[0])
    return Correlation(metric, "kendall", "segment", "none", value, int(table[:, 2].sum()), interval)


def _ranked(rankings: Rankings) -> set[tuple[str, str]]:
    return {(name, each.segment) for each in rankings.comparisons for name in (each.better, each.worse)}


def _taus(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", divide="ignore"):
        taus: NDArray[np.float64] = (sums[:, 0] - sums[:, 1]) / sums[:, 2]
    return taus


def correlate_wins(
    scores: Mapping[str, float],
    metric: str,
    rankings: Rankings,
    *,
    method: Statistic = "pearson",
    lower_is_better: bool | None = None,
    resamples: int = 0,
    seed: int = DEFAULT_SEED,
) -> Correlation:
    """Return the correlation of system scores with the share of human comparisons that each system won.

    Intervals resample the segments that people ranked; the metric's scores of whole systems do not change. The sign of
    the metric is reversed if *lower_is_better*, which by default depends on the metric.
    """
    if method in OF_SEGMENTS or method == "spa":
        raise OptionError(f"{method} needs scores of segments by people; rankings of systems give shares of wins")
    wins = rankings.system_scores()
    systems = sorted(scores.keys() & wins.keys())
    if not systems:
        raise DataError(no_common_names({(name, "") for name in scores}, {(name, "") for name in wins}))
    if len(systems) < 2:
        raise DataError(
            f"rankings and scores have 1 system in common ({systems[0]}), expected at least two; scores have "
            f"{', '.join(sorted(scores)[:3])}; rankings have {', '.join(sorted(wins)[:3])}"
        )
    sign = -1.0 if _is_lower(metric, lower_is_better) else 1.0
    own = np.array([sign * scores[name] for name in systems])
    value = float(_of_rows(own[None], np.array([[wins[name] for name in systems]]), method)[0])
    interval = None
    if resamples:
        drawn = _drawn_wins(own, systems, rankings, method, resamples, seed)
        defined = drawn[~np.isnan(drawn)]
        interval = percentile_interval(defined) if len(defined) else None
    items = len(systems) * (len(systems) - 1) // 2 if method == "pairwise-accuracy" else len(systems)
    return Correlation(metric, method, "system", "none", value, items, interval)


def _of_rows(own: Matrix, shares: Matrix, method: Statistic) -> Matrix:
    own = np.broadcast_to(own, shares.shape)
    return pairwise_accuracy(own, shares) if method == "pairwise-accuracy" else correlate_rows(own, shares, method)


def _drawn_wins(
    own: Matrix, systems: Sequence[str], rankings: Rankings, method: Statistic, resamples: int, seed: int
) -> Matrix:
    """Return the statistic for resampled segments of the rankings; NaN where a system was not compared."""
    won, lost = _wins_by_segment(rankings, systems)
    drawn = []
    for weights in resample_weights(len(won), resamples, seed):
        sums = weights @ won
        shares = ratio(sums, sums + weights @ lost)
        complete = ~np.isnan(shares).any(axis=1)
        values = np.full(len(shares), np.nan)
        values[complete] = _of_rows(own[None], shares[complete], method)
        drawn.append(values)
    return np.concatenate(drawn)


def compare_with_rankings(
    scores: ScoreTable,
    rankings: Rankings,
    *,
    level: Level = "segment",
    methods: Sequence[Statistic] = ("pearson",),
    ties: Ties = "discordant",
    lower_is_better: Collection[str] = (),
    resamples: int = 0,
    permutations: int = 1000,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> Iterator[MetricComparison]:
    """Yield the comparison of each pair of metrics by their agreement with rankings; arguments as above.

    Permutation tests swap the metrics' scores candidate by candidate, or system by system where only those are known.
    """
    numbers = score_matrices(scores)
    lower = lower_metrics(scores.metrics, lower_is_better)
    names = [name for name in scores.metrics if name in (numbers.names if level == "system" else numbers.metrics)]
    if len(names) < 2:
        raise OptionError(f"comparing needs scores of at least two metrics; found only {', '.join(names)}")
    signs = {name: -1.0 if name in lower else 1.0 for name in names}
    if level == "segment":
        yield from compare_preferences(
            {name: signs[name] * numbers.metrics[name] for name in names},
            _preferences(rankings, numbers),
            ties=ties,
            resamples=resamples,
            permutations=permutations,
            seed=seed,
            progress=progress,
        )
        return
    wins = rankings.system_scores()
    own = {name: numbers.of_systems(name) for name in names}
    systems = [name for name in numbers.systems if name in wins and all(name in each for each in own.values())]
    if len(systems) < 2:
        raise DataError(no_common_names({(name, "") for name in numbers.systems}, {(name, "") for name in wins}))
    rows = [numbers.systems.index(name) for name in systems]
    human = np.array([wins[name] for name in systems])
    vectors = {name: signs[name] * np.array([own[name][system] for system in systems]) for name in names}
    whole = any(name in numbers.system_scores for name in names)
    for method in methods:
        questions = [
            Question(
                vectors[name][:, None] if whole else signs[name] * numbers.metrics[name][rows],
                human[:, None],
                method,
                "system",
                "none",
            )
            for name in names
        ]
        values = {name: float(_of_rows(vectors[name][None], human[None], method)[0]) for name in names}
        drawn = {name: _drawn_wins(vectors[name], systems, rankings, method, resamples, seed) for name in names}
        yield from comparisons_of(
            method,
            values,
            drawn if resamples else {},
            swap_tests(questions, permutations=permutations, seed=seed, progress=progress),
        )


def _preferences(rankings: Rankings, numbers: ScoreMatrices) -> Preferences:
    """Return how often people preferred one candidate to another, by pair of systems and segment."""
    rows = {name: place for place, name in enumerate(numbers.systems)}
    columns = {name: place for place, name in enumerate(numbers.segments)}
    one, other = system_pairs(len(rows))
    number = {pair: place for place, pair in enumerate(zip(one.tolist(), other.tolist(), strict=True))}
    won, lost = (np.zeros((len(number), len(columns))) for _ in range(2))
    for each in rankings.comparisons:
        if not each.tie and each.segment in columns and each.better in rows and each.worse in rows:
            better, worse = rows[each.better], rows[each.worse]
            table, pair = (won, (better, worse)) if better < worse else (lost, (worse, better))
            table[number[pair], columns[each.segment]] += 1
    if not (won + lost).any():
        scored = {(system, segment) for system in numbers.systems for segment in numbers.segments}
        raise DataError(no_common_names(scored, _ranked(rankings)))
    return Preferences(won, lost)


def _wins_by_segment(rankings: Rankings, systems: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how often each system won and lost in each segment: two arrays (segments, systems)."""
    column = {name: position for position, name in enumerate(systems)}
    row: dict[str, int] = {}
    for each in rankings.comparisons:
        row.setdefault(each.segment, len(row))
    won, lost = np.zeros((len(row), len(systems))), np.zeros((len(row), len(systems)))
    for each in rankings.comparisons:
        if not each.tie:
            for table, name in ((won, each.better), (lost, each.worse)):
                if name in column:
                    table[row[each.segment], column[name]] += 1
    return won, lost
