"""Is one metric better than another? Permutation tests for all pairs of metrics at once, and clusters of metrics.

The test is Deutsch, Dror and Roth's (2021) "perm-both": the standardised scores of two metrics for a candidate are
swapped with probability 1/2, for each candidate independently, and the difference of the two statistics is computed
again. Scores of whole systems are swapped system by system ("perm-sys").

Nothing is swapped in fact. With signs s = +1 or -1, the swapped scores of metrics a and b are (a + b + s (a - b)) / 2.
Sums of scores, of squares and of products with human scores are linear in s, with one column for each metric: a matrix
product gives them for all permutations and all pairs of metrics. A statistic of pairs of candidates depends on two
signs, f(s, t) = p + q s + r t + u s t, so it takes one more product, with s t. Only ranks need every permutation in
full. All pairs of metrics see the same swaps.

Accuracies with tie calibration are compared as WMT23 and WMT24 do: each metric keeps its own epsilon, and what is
swapped is the outcome of a pair of candidates, whether the metric orders it as people do ("perm-pairs"). A sum of
outcomes is linear in the signs, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import DataError, OptionError
from paragauge.meta.choices import SIGNIFICANT, Statistic, Ties
from paragauge.meta.correlation import Question, correlate_rows, pearson_of_sums
from paragauge.meta.pairs import (
    Index,
    Matrix,
    Preferences,
    calibrated_outcomes,
    limit_p_values,
    pairwise_accuracy,
    preferences,
    ratio,
    system_pairs,
    tau_terms,
)
from paragauge.meta.significance import DEFAULT_SEED
from paragauge.progress import Counter, Progress
from paragauge.threads import thread_count

_CELLS = 4_000_000  # signs at a time
MOST_RANKED = 2**21  # candidates; the native core's counts are exact below
RANKED = ("spearman", "kendall", "kendall-c")


@dataclass(frozen=True, slots=True)
class SwapTest:
    """Test of the difference between two metrics.

    Attributes:
        one: Position of the first metric.
        other: Position of the second.
        difference: Statistic of the first minus that of the second, on the candidates that all metrics scored.
        two_sided: Share of permutations with a difference at least as large in either direction, counting one more.
        one_sided: Share of permutations in which the better metric leads by at least as much, counting one more.
    """

    one: int
    other: int
    difference: float
    two_sided: float
    one_sided: float


@dataclass(frozen=True, slots=True)
class _Data:
    """Scores of all metrics on the candidates that all of them scored and people judged.

    Attributes:
        scores: Standardised scores (metrics, systems, segments), 0 where they are not used.
        used: Which candidates are used (systems, segments).
        human: Human scores (systems, segments), or of whole systems (systems, 1).
        wishes: Preferences of people, for WMT's tau.
        outcomes: For accuracies: each metric's share of its accuracy by pair and segment (metrics, pairs x segments).
    """

    scores: Matrix
    used: Matrix
    human: Matrix
    method: Statistic
    ties: Ties
    wishes: Preferences | None
    outcomes: Matrix

    @property
    def swapped(self) -> tuple[int, ...]:
        """Shape of what is swapped: candidates, or outcomes of pairs of them."""
        return self.outcomes.shape[1:] if self.method == "acc-eq" else self.used.shape


# The statistic of both metrics of a pair, for each permutation of a block; and without a swap, for each metric.
Pairs = Sequence[tuple[int, int]]
Small: TypeAlias = NDArray[Any]  # numbers of few bits, where there are many
Swapped = Callable[[_Data, Matrix, Pairs], Iterator[tuple[Matrix, Matrix]]]


def swap_tests(
    questions: Sequence[Question],
    *,
    permutations: int = 1000,
    seed: int = DEFAULT_SEED,
    wishes: Preferences | None = None,
    progress: Progress | None = None,
) -> list[SwapTest]:
    """Return a test for each pair of metrics.

    Args:
        questions: One question for each metric, which differ in nothing but their scores.
        permutations: Number of permutations.
        seed: Seed for swapping.
        wishes: Preferences of people, for WMT's tau; by default, from the human scores.
        progress: Called with the number of permutations done.

    Raises:
        DataError: No candidate has scores by all metrics.
    """
    if permutations < 1:
        raise OptionError(f"the number of permutations must be at least 1; got {permutations}")
    data = _data(questions, wishes)
    pairs = list(combinations(range(len(questions)), 2))
    rng = np.random.default_rng(seed)
    done = Counter(progress, permutations, "permutations")
    swapped = _engine(questions[0])
    # Without a swap, "both metrics of the pair (k, k)" are metric k.
    identity = np.ones((1, *data.swapped))
    own = [(k, k) for k in range(len(questions))]
    values = [float(first[0]) for first, _ in swapped(data, identity, own)]
    reached = np.zeros((2, len(pairs)))
    block = max(1, min(_block(questions[0], data), permutations))
    for start in range(0, permutations, block):
        size = min(block, permutations - start)
        signs = random_signs(rng, size, data.swapped)
        for position, (first, second) in enumerate(swapped(data, signs, pairs)):
            one, other = pairs[position]
            observed = values[one] - values[other]
            gaps = first - second
            gaps = gaps[~np.isnan(gaps)]
            reach = abs(observed) * (1 - 1e-9) - 1e-9  # sums in a different order must still count as equal
            reached[0, position] += np.count_nonzero(np.abs(gaps) >= reach)
            reached[1, position] += np.count_nonzero((gaps if observed >= 0 else -gaps) >= reach)
        done.advance(size)
    found = []
    for position, (one, other) in enumerate(pairs):
        observed = values[one] - values[other]
        p_values = (np.nan, np.nan) if np.isnan(observed) else (reached[:, position] + 1) / (permutations + 1)
        found.append(SwapTest(one, other, observed, float(p_values[0]), float(p_values[1])))
    return found


def random_signs(rng: np.random.Generator, permutations: int, shape: tuple[int, ...]) -> Matrix:
    """Return +1 and -1 at random, one bit each; whole words are drawn for each permutation, so blocks do not matter."""
    cells = int(np.prod(shape))
    words = rng.integers(2**64, size=(permutations, -(-cells // 64)), dtype=np.uint64)
    bits = np.unpackbits(words.view(np.uint8), axis=1)[:, :cells]
    signs: Matrix = np.asarray(bits * 2.0 - 1.0, dtype=np.float64).reshape(permutations, *shape)
    return signs


def clusters(values: Sequence[float], better: Callable[[int, int], float], level: float = SIGNIFICANT) -> list[int]:
    """Return the cluster of each metric, from 1 for the best, as WMT ranks metrics.

    From the best metric downwards, a metric joins the cluster of the one before it, unless it is significantly worse
    than any metric in that cluster; it then starts a new one. Metrics whose statistic is undefined come last.

    Args:
        values: Statistic of each metric.
        better: One-sided p-value of the difference between two metrics, the better one first.
        level: Largest p-value that is significant.
    """
    order = sorted(range(len(values)), key=lambda k: (np.isnan(values[k]), -np.nan_to_num(values[k]), k))
    found = [0] * len(values)
    cluster: list[int] = []
    number = 1
    for metric in order:
        if any(np.isnan(values[metric]) or better(other, metric) <= level for other in cluster):
            number += 1
            cluster = []
        cluster.append(metric)
        found[metric] = number
    return found


def _data(questions: Sequence[Question], wishes: Preferences | None) -> _Data:
    first = questions[0]
    whole = any(each.metric.shape[1] == 1 for each in questions)
    if whole:  # scores of whole systems, at least of one metric: all metrics are swapped system by system
        each_means = [each.system_means(np.ones((1, each.human.shape[1]))) for each in questions]
        matrices = [np.broadcast_to(metric, human.shape).reshape(-1, 1) for metric, human in each_means]
        human = each_means[0][1].reshape(-1, 1)
    else:
        matrices = [each.metric for each in questions]
        human = first.human
    scores = np.stack(matrices)
    used = ~np.isnan(scores).any(axis=0)
    if wishes is None and human.shape[1] == used.shape[1]:
        used &= ~np.isnan(human)
    elif wishes is None:
        used &= ~np.isnan(human[:, :1])
    if not used.any():
        raise DataError("no candidate has scores by all metrics; compare fewer metrics")
    spread = np.array([matrix[used].std() for matrix in scores])
    centre = np.array([matrix[used].mean() for matrix in scores])
    standard = (scores - centre[:, None, None]) / np.where(spread > 0, spread, 1.0)[:, None, None]
    if first.method == "kendall-wmt" and wishes is None:
        wishes = preferences(np.where(used, human, np.nan), first.min_difference)
    outcomes = _outcomes(matrices, human, np.asarray(used)) if first.method == "acc-eq" else np.empty((len(scores), 0))
    return _Data(np.where(used, standard, 0.0), used.astype(float), human, first.method, first.ties, wishes, outcomes)


def _outcomes(matrices: Sequence[Matrix], human: Matrix, used: Small) -> Matrix:
    """Return what each pair of candidates adds to each metric's calibrated accuracy: an array (metrics, pairs)."""
    theirs = np.where(used, human, np.nan)
    found = [calibrated_outcomes(np.where(used, matrix, np.nan), theirs) for matrix in matrices]
    return np.stack(found)


def _engine(question: Question) -> Swapped:
    if question.method == "spa":
        return _soft
    if question.level == "system":
        return _of_systems
    if question.method == "acc-eq":
        return _of_outcomes
    if question.method == "kendall-wmt":
        return _wmt_tau
    if question.method == "pearson":
        return {"none": _pearson, "system": _pearson_by_system, "segment": _pearson_by_segment}[question.average]
    return _of_ranks(question)


def _block(question: Question, data: _Data) -> int:
    """Return how many permutations are computed at a time."""
    size = math.prod(data.swapped)
    if (question.level == "segment" and question.method in RANKED) or question.method in ("spa", "kendall-wmt"):
        return max(1, 8 * _CELLS // size)  # large products, and sorting only once, are worth the memory
    if question.method == "pearson" and question.average == "segment":
        size = max(size, 3 * len(data.scores) * data.used.shape[1])
    return max(1, _CELLS // size)


# ---------------------------------------------------------------------------------------------------------- Pearson


def _columns(data: _Data, cells: tuple[Index, Index]) -> tuple[Matrix, Matrix]:
    """Return scores, squares and products with human scores, (cells, 3, metrics); and human scores around 0."""
    own = data.scores[:, cells[0], cells[1]].T
    human = data.human[cells]
    human = human - human.mean()
    return np.stack([own, own * own, own * human[:, None]], axis=1), human


def _both_sides(totals: Matrix, changes: Matrix, one: int, other: int) -> tuple[Matrix, Matrix]:
    """Return the three sums of both swapped metrics, from totals (..., metrics) and signed sums (..., metrics)."""
    half = (totals[..., one] + totals[..., other]) / 2
    change = (changes[..., one] - changes[..., other]) / 2
    return half + change, half - change


def _pearson(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    rows, places = np.nonzero(data.used)
    columns, human = _columns(data, (rows, places))
    changes = np.tensordot(signs[:, rows, places], columns, axes=1)  # (permutations, 3, metrics)
    totals = columns.sum(axis=0)
    for one, other in pairs:
        yield _pearson_sides(_both_sides(totals, changes, one, other), human)


def _pearson_sides(sides: tuple[Matrix, Matrix], human: Matrix) -> tuple[Matrix, Matrix]:
    n, theirs, squares = np.array(float(len(human))), human.sum(), (human * human).sum()
    first, second = (pearson_of_sums(n, sums[:, 0], theirs, sums[:, 1], squares, sums[:, 2]) for sums in sides)
    return first, second


def _pearson_by_system(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    parts = []
    for system in range(len(data.used)):
        (places,) = np.nonzero(data.used[system])
        if len(places) > 1:
            columns, human = _columns(data, (np.full(len(places), system), places))
            parts.append((columns.sum(axis=0), np.tensordot(signs[:, system, places], columns, axes=1), human))
    for one, other in pairs:
        found = [_pearson_sides(_both_sides(totals, changes, one, other), human) for totals, changes, human in parts]
        yield _mean([first for first, _ in found]), _mean([second for _, second in found])


def _mean(parts: Sequence[Matrix] | Matrix) -> Matrix:
    table = np.asarray(parts)
    known = ~np.isnan(table)
    return ratio(np.where(known, table, 0.0).sum(axis=0), known.sum(axis=0))


def _pearson_by_segment(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    used = data.used.T  # (segments, systems)
    counts = used.sum(axis=1)
    human = np.where(used > 0, np.nan_to_num(data.human.T), 0.0)
    human = np.where(used > 0, human - ratio(human.sum(axis=1), counts)[:, None], 0.0)
    own = data.scores.transpose(2, 1, 0)  # (segments, systems, metrics)
    columns = np.concatenate([own, own * own, own * human[:, :, None]], axis=2)
    changes = np.matmul(signs.transpose(2, 0, 1), columns)  # (segments, permutations, 3 * metrics)
    changes = np.ascontiguousarray(changes.transpose(2, 0, 1)).reshape(3, len(data.scores), len(used), len(signs))
    totals = columns.sum(axis=1).T.reshape(3, len(data.scores), len(used), 1)
    size = counts[:, None]
    spread = np.sqrt((human * human).sum(axis=1))[:, None]
    for one, other in pairs:
        half, change = (totals[:, one] + totals[:, other]) / 2, (changes[:, one] - changes[:, other]) / 2
        sides = []
        for sums, squares, products in (half + change, half - change):
            own_squares = squares - sums * sums / np.maximum(size, 1)
            with np.errstate(invalid="ignore", divide="ignore"):
                defined = (own_squares > 1e-13 * squares) & (spread > 0)
                sides.append(_mean(np.where(defined, products / (np.sqrt(own_squares) * spread), np.nan)))
        yield sides[0], sides[1]


# ---------------------------------------------------------------------------------------------------------- systems


def _of_systems(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    counts = data.used.sum(axis=1)
    known = counts > 0
    human = data.human[:, 0] if data.human.shape[1] == 1 else _row_means(data)
    known &= ~np.isnan(human)
    means = ratio(data.scores.sum(axis=2).T, counts[:, None])[known]  # (systems, metrics)
    changes = np.stack([signs[:, k] @ data.scores[:, k].T / counts[k] for k in np.flatnonzero(known)], axis=1)
    theirs = np.broadcast_to(human[known], (len(signs), int(known.sum())))
    for one, other in pairs:
        first, second = (
            pairwise_accuracy(own, theirs)
            if data.method == "pairwise-accuracy"
            else correlate_rows(own, theirs, data.method)
            for own in _both_sides(means, changes, one, other)
        )
        yield first, second


def _row_means(data: _Data) -> Matrix:
    return ratio(np.where(data.used > 0, data.human, 0.0).sum(axis=1), data.used.sum(axis=1))


def _soft(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield soft accuracies, with p-values in the limit of many permutations.

    A p-value needs the sum of the differences between two systems and the sum of their squares, over segments that both
    have. Sums and squares of each system depend on its own signs, products of both systems on two.
    """
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    small, scores = signs.astype(np.float32), data.scores.astype(np.float32)
    gaps = np.zeros((2, len(signs), len(pairs)))
    count = 0
    for i, j in zip(*system_pairs(len(data.used)), strict=True):
        (shared,) = np.nonzero((data.used[i] > 0) & (data.used[j] > 0))
        if not len(shared):
            continue
        count += 1
        human = data.human[i, shared] - data.human[j, shared]
        target = limit_p_values(np.array(human.sum()), np.array((human * human).sum()))
        s, t = small[:, i, shared], small[:, j, shared]
        own, others = scores[:, i, shared], scores[:, j, shared]
        columns = _two_signs(*(own[m] * others[n] for m, n in ((x, x), (x, y), (y, x), (y, y))))
        even = (columns[0].sum(axis=1, dtype=np.float64) + (s * t) @ columns[3].T) / 4
        odd = (s @ columns[1].T + t @ columns[2].T).astype(np.float64) / 4
        # Half the sum and half the difference of both metrics: of scores, then of squares.
        sides = (own, others, own**2, others**2)
        totals = [side.sum(axis=1, dtype=np.float64) for side in sides]
        signed = [sign @ side.T for sign, side in zip((s, t, s, t), sides, strict=True)]
        level = [(total[x] + total[y]) / 2 for total in totals]
        move = [(each[:, x] - each[:, y]) / 2 for each in signed]
        for side, turn in enumerate((1.0, -1.0)):
            sums = level[0] - level[1] + turn * (move[0] - move[1])
            squares = level[2] + level[3] + turn * (move[2] + move[3]) - 2 * (even + turn * odd)
            gaps[side] += np.abs(limit_p_values(sums, np.maximum(squares, 0.0)) - target)
    accuracy = 1 - gaps / count if count else np.full_like(gaps, np.nan)
    yield from zip(accuracy[0].T, accuracy[1].T, strict=True)


def _two_signs(both: Small, first: Small, second: Small, none: Small) -> tuple[Small, Small, Small, Small]:
    """Return p, q, r and u of 4 f(s, t) = p + q s + r t + u s t from f(1, 1), f(1, -1), f(-1, 1) and f(-1, -1)."""
    plus, minus, rest, gap = both + none, both - none, first + second, first - second
    return plus + rest, minus + gap, minus - gap, plus - rest


# ---------------------------------------------------------------------------------------- pairs of candidates


def _wmt_tau(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    small = signs.astype(np.float32)
    wishes = data.wishes or preferences(data.human)

    def term(which: int) -> Callable[[int, Index, Small], Small]:
        def value(pair: int, places: Index, gaps: Small) -> Small:
            here = Preferences(wishes.won[pair, places], wishes.lost[pair, places])
            return tau_terms(gaps, here, data.ties)[which]

        return value

    balance = _pair_sums(data, small, pairs, term(0))
    if data.ties == "ignored":
        count = _pair_sums(data, small, pairs, term(1))
    else:  # the number of pairs is the same for all metrics
        i, j = system_pairs(len(data.used))
        count = np.full_like(balance, ((wishes.won + wishes.lost) * (data.used[i] * data.used[j] > 0)).sum())
    yield from zip(ratio(balance[0], count[0]).T, ratio(balance[1], count[1]).T, strict=True)


def _of_outcomes(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield accuracies with tie calibration after outcomes of pairs of candidates were swapped."""
    totals = data.outcomes.sum(axis=1)
    changes = signs @ data.outcomes.T
    for one, other in pairs:
        yield _both_sides(totals, changes, one, other)


def _pair_sums(
    data: _Data,
    signs: Small,
    pairs: Pairs,
    value: Callable[[int, Index, Small], Small],
) -> Matrix:
    """Return the sums of a function of differences over all pairs of candidates, for both metrics of each pair.

    Args:
        data: Scores of all metrics.
        signs: Signs (permutations, systems, segments).
        pairs: Pairs of metrics.
        value: The function, given the number of the pair of systems, the segments and the differences (..., segments).
    """
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    scores = data.scores.astype(np.float32)
    even = np.zeros((len(signs), len(pairs)))
    linear = np.zeros((len(data.used), len(pairs), data.used.shape[1]), dtype=np.float32)
    for number, (i, j) in enumerate(zip(*system_pairs(len(data.used)), strict=True)):
        (places,) = np.nonzero((data.used[i] > 0) & (data.used[j] > 0))
        if not len(places):
            continue
        own, others = scores[:, i, places], scores[:, j, places]
        found = value(number, places, own[:, None] - others[None])  # (metrics, metrics, segments)
        plain, by_s, by_t, by_both = _two_signs(found[x, x], found[x, y], found[y, x], found[y, y])
        even += plain.sum(axis=1, dtype=np.float64)
        even += (signs[:, i, places] * signs[:, j, places]) @ by_both.astype(np.float32).T
        linear[i][:, places] += by_s
        linear[j][:, places] += by_t
    odd = np.zeros_like(even)
    for system, columns in enumerate(linear):
        odd += signs[:, system] @ columns.T
    return np.stack([even + odd, even - odd]) / 4


# ------------------------------------------------------------------------------------------------------------ ranks


def _of_ranks(question: Question) -> Swapped:
    """Return an engine for Spearman's and Kendall's correlations of candidates.

    Ranks change with every swap, so nothing is linear. But the scores of two metrics together are sorted only once:
    walking them in order meets the swapped scores of each side in order, too. The native core does so for 32
    permutations at a time.
    """

    def swapped(data: _Data, signs: Matrix, pairs: Pairs) -> Iterator[tuple[Matrix, Matrix]]:
        if question.average == "segment":
            places, rows = np.nonzero(data.used.T)
            starts = np.flatnonzero(np.diff(places, prepend=-1))
        else:
            rows, places = np.nonzero(data.used)
            starts = np.flatnonzero(np.diff(rows, prepend=-1)) if question.average == "system" else np.zeros(1, int)
        if len(rows) >= MOST_RANKED:
            raise DataError(
                f"permutation tests of {question.method} take fewer than {MOST_RANKED:,} candidates; found "
                f"{len(rows):,}; compare metrics by pearson, or by system or on fewer segments"
            )
        group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(rows)))
        scores = np.ascontiguousarray(data.scores[:, rows, places])
        levels = _levels(data.human[rows, places], group, starts)
        found = _core.swapped_correlations(
            scores=scores,
            orders=np.stack([np.lexsort((levels, own, group)) for own in scores]).astype(np.int32),
            levels=levels,
            groups=np.append(starts, len(rows)).astype(np.int64),
            pairs=np.array(pairs, dtype=np.int32),
            kept=_in_words(signs[:, rows, places] > 0),
            statistic=question.method,
            threads=thread_count(None),
        )
        for sides in found[:, :, : len(signs)]:
            yield sides[0], sides[1]

    return swapped


def _levels(values: Matrix, group: Index, starts: Index) -> NDArray[np.int32]:
    """Return which of the different values of its group each value is, in rising order from 0."""
    order = np.lexsort((values, group))
    new = np.diff(values[order], prepend=np.nan) != 0
    new[starts] = False
    count = np.cumsum(new)
    levels = np.empty(len(values), dtype=np.int32)
    levels[order] = count - count[starts][group]
    return levels


def _in_words(kept: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Return bits (permutations, items) as words of 32 permutations, the first one lowest."""
    full = np.zeros((-(-len(kept) // 32), 32, kept.shape[1]), dtype=bool)
    full.reshape(-1, kept.shape[1])[: len(kept)] = kept
    words = np.zeros((len(full), kept.shape[1]), dtype=np.uint32)
    for place in range(32):
        words |= full[:, place].astype(np.uint32) << np.uint32(place)
    return words
