"""Agreement among people: judges by correlation, annotators by C-hat."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paragauge.align.alignment import Alignment
from paragauge.align.basic import Box, basic_phrase_pairs
from paragauge.corpora.judgments import Judgments
from paragauge.errors import DataError
from paragauge.meta.correlation import Level, Method, correlate
from paragauge.meta.evaluation import select


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Correlation of two judges over the candidates (or systems) that both judged; NaN if undefined."""

    one: str
    other: str
    value: float
    items: int


def correlate_judges(
    judgments: Judgments,
    *,
    criterion: str | None = None,
    method: Method = "pearson",
    level: Level = "segment",
    min_items: int = 3,
) -> list[JudgePair]:
    """Return the correlation of each pair of judges with at least *min_items* items in common (PEM, table 1)."""
    by_judge: dict[str, dict[tuple[str, str], float]] = {}
    for row in select(judgments, criterion=criterion):
        if row.score is not None:
            by_judge.setdefault(row.judge, {})[row.system, row.segment] = row.score
    pairs = []
    for one, other in combinations(sorted(by_judge), 2):
        common = sorted(by_judge[one].keys() & by_judge[other].keys())
        scores = [[by_judge[judge][key] for key in common] for judge in (one, other)]
        if level == "system":
            scores = [_system_means(common, each) for each in scores]
        if len(scores[0]) >= min_items:
            pairs.append(JudgePair(one, other, correlate(scores[0], scores[1], method), len(scores[0])))
    return pairs


def _system_means(keys: Sequence[tuple[str, str]], scores: Sequence[float]) -> list[float]:
    by_system: dict[str, list[float]] = {}
    for (system, _), score in zip(keys, scores, strict=True):
        by_system.setdefault(system, []).append(score)
    return [float(np.mean(each)) for _, each in sorted(by_system.items())]


def c_hat(one: Sequence[Set[Hashable]], other: Sequence[Set[Hashable]], options: int | Sequence[int]) -> float:
    """Return C-hat (Kupper & Hafner, 1989): chance-corrected agreement of two annotators who choose sets.

    With A_i and B_i the sets chosen for item i from k options: pi = mean of |A_i & B_i| / max(|A_i|, |B_i|),
    pi_0 = 1/(nk) * sum of min(|A_i|, |B_i|), C-hat = (pi - pi_0) / (1 - pi_0). Items for which both chose nothing count
    as full agreement. If items have different numbers of options, pi_0 is the mean of min(|A_i|, |B_i|) / k_i.

    >>> round(c_hat([{1}, {2, 3}], [{1}, {3}], options=4), 4)
    0.6667
    """
    if len(one) != len(other):
        raise DataError(f"annotators must judge the same items; found {len(one)} and {len(other)} items")
    if not one:
        raise DataError("there is nothing to agree on; expected at least one item")
    numbers = [options] * len(one) if isinstance(options, int) else list(options)
    if len(numbers) != len(one):
        raise DataError(f"found numbers of options for {len(numbers)} items, expected {len(one)}")
    pairs = list(zip(one, other, numbers, strict=True))
    for a, b, number in pairs:
        if number < 1 or max(len(a), len(b)) > number:
            raise DataError(f"more options were chosen than the {number} available")
    shares = [len(a & b) / max(len(a), len(b)) if a or b else 1.0 for a, b, _ in pairs]
    observed = sum(shares) / len(shares)
    by_chance = sum(min(len(a), len(b)) / number for a, b, number in pairs) / len(pairs)
    if by_chance == 1:
        return 1.0 if observed == 1 else 0.0
    return (observed - by_chance) / (1 - by_chance)


def link_agreement(one: Sequence[Alignment], other: Sequence[Alignment], lengths: Sequence[tuple[int, int]]) -> float:
    """Return C-hat of two annotators of word links, comparing the target words linked to each source word.

    Args:
        one: Links of one annotator, by sentence pair.
        other: Links of the other annotator.
        lengths: Numbers of source and target words in each sentence pair; pairs with an empty side are ignored.
    """
    return _agreement_by_word(one, other, lengths, lambda links: links, lambda place, source, target: target)


def phrase_agreement(one: Sequence[Alignment], other: Sequence[Alignment], lengths: Sequence[tuple[int, int]]) -> float:
    """Return C-hat of two annotators, comparing the basic phrase pairs that each source word's links belong to.

    Basic phrase pairs are the smallest ones (`basic_phrase_pairs`); the options of a word are all pairs of a source
    phrase with the word in it and a target phrase. The arguments are those of `link_agreement`.
    """

    def pairs(links: Alignment) -> Iterator[tuple[int, Box]]:
        for box, linked in basic_phrase_pairs(links).items():
            yield from {(i, box) for i, _ in linked}

    def options(place: int, source: int, target: int) -> int:
        return (place + 1) * (source - place) * (target * (target + 1) // 2)

    return _agreement_by_word(one, other, lengths, pairs, options)


def _agreement_by_word(
    one: Sequence[Alignment],
    other: Sequence[Alignment],
    lengths: Sequence[tuple[int, int]],
    chosen: Callable[[Alignment], Iterable[tuple[int, Hashable]]],
    options: Callable[[int, int, int], int],
) -> float:
    """Return C-hat over source words, given what is *chosen* for each and its number of *options*."""
    if not len(one) == len(other) == len(lengths):
        raise DataError(
            f"annotators must link the same sentence pairs; found {len(one)}, {len(other)} and {len(lengths)} texts"
        )
    sets: tuple[list[Set[Hashable]], list[Set[Hashable]]] = ([], [])
    numbers: list[int] = []
    for links, others, (source, target) in zip(one, other, lengths, strict=True):
        if target:
            for all_sets, each in zip(sets, (links, others), strict=True):
                by_word: list[set[Hashable]] = [set() for _ in range(source)]
                for place, choice in chosen(each):
                    by_word[place].add(choice)
                all_sets += by_word
            numbers += [options(place, source, target) for place in range(source)]
    return c_hat(sets[0], sets[1], numbers)
