"""Slow and obvious re-implementations that the fast ones are compared with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence


def ngram_counts(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped_matches(candidate: Sequence[str], references: Sequence[Sequence[str]], order: int) -> int:
    bags = [ngram_counts(reference, order) for reference in references]
    return sum(
        min(count, max((bag[ngram] for bag in bags), default=0))
        for ngram, count in ngram_counts(candidate, order).items()
    )


def pinc(original: Sequence[str], candidate: Sequence[str], max_order: int) -> float:
    shares = []
    for order in range(1, max_order + 1):
        own = set(ngram_counts(candidate, order))
        if own:
            shares.append(1 - len(own & set(ngram_counts(original, order))) / len(own))
    return sum(shares) / len(shares) if shares else 0.0


def levenshtein(one: Sequence[str], other: Sequence[str]) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, start=1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def exact_permutation_p_value(value: Callable[[list[int]], float], segments: int, observed: float) -> float:
    """Try every way of swapping two systems; *value* gives the difference for a list of 0 and 1."""
    hits = 0
    for pattern in range(2**segments):
        swaps = [(pattern >> i) & 1 for i in range(segments)]
        hits += abs(value(swaps)) >= abs(observed) - 1e-12
    return hits / 2**segments


def words(rng: random.Random, longest: int, vocabulary: int = 6) -> str:
    return " ".join(f"w{rng.randrange(vocabulary)}" for _ in range(rng.randint(0, longest)))
