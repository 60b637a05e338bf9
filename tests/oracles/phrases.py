"""Slow and obvious re-implementations of phrase extraction, lexical weights, pivoting and segmentation."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import prod


def consistent_boxes(rows, columns, links, max_length):
    """Yield every consistent box, by the definition."""
    for i1 in range(rows):
        for i2 in range(i1, min(rows, i1 + max_length)):
            for j1 in range(columns):
                for j2 in range(j1, min(columns, j1 + max_length)):
                    inside = [(i1 <= i <= i2, j1 <= j <= j2) for i, j in links]
                    if any(row and column for row, column in inside) and all(row == column for row, column in inside):
                        yield i1, i2, j1, j2


def extract(bitext, max_length):
    """Return the joint counts of a list of (source tokens, target tokens, set of links)."""
    counts = Counter()
    for source, target, links in bitext:
        for i1, i2, j1, j2 in consistent_boxes(len(source), len(target), links, max_length):
            counts[" ".join(source[i1 : i2 + 1]), " ".join(target[j1 : j2 + 1])] += 1
    return counts


def word_probabilities(bitext):
    """Return w(target word | source word), with None for the word that unlinked target words belong to."""
    counts = defaultdict(Counter)
    for source, target, links in bitext:
        for i, j in links:
            counts[source[i]][target[j]] += 1
        for j, word in enumerate(target):
            if all(j != other for _, other in links):
                counts[None][word] += 1
    return {
        given: {word: Fraction(count, sum(row.values())) for word, count in row.items()}
        for given, row in counts.items()
    }


def direct_lexical_weights(bitext, max_length):
    """Return the highest lexical weight of each target phrase given its source phrase."""
    w = word_probabilities(bitext)
    best = {}
    for source, target, links in bitext:
        for i1, i2, j1, j2 in consistent_boxes(len(source), len(target), links, max_length):
            factors = []
            for j in range(j1, j2 + 1):
                linked = [source[i] for i, other in links if other == j] or [None]
                factors.append(sum(w[word][target[j]] for word in linked) / len(linked))
            key = " ".join(source[i1 : i2 + 1]), " ".join(target[j1 : j2 + 1])
            best[key] = max(best.get(key, 0), prod(factors))
    return best


def moses_probabilities(bitext):
    """Return w(target word | source word) as Moses counts it: a word without a link is linked to None."""
    counts = defaultdict(Counter)
    for source, target, links in bitext:
        null = [(i, None) for i in range(len(source)) if all(i != other for other, _ in links)]
        null += [(None, j) for j in range(len(target)) if all(j != other for _, other in links)]
        for i, j in [*links, *null]:
            counts[None if i is None else source[i]][None if j is None else target[j]] += 1
    return {
        given: {word: Fraction(count, sum(row.values())) for word, count in row.items()}
        for given, row in counts.items()
    }


def moses_direct_weights(bitext, max_length):
    """Return Moses' alignment, links by target word, and its weight of each target phrase given its source phrase."""
    w = moses_probabilities(bitext)
    alignments = defaultdict(Counter)
    for source, target, links in bitext:
        for i1, i2, j1, j2 in consistent_boxes(len(source), len(target), links, max_length):
            sources_of = tuple(
                tuple(sorted(i - i1 for i, other in links if other == j)) for j in range(j1, j2 + 1)
            )  # tuples compare as the sets and lists of Moses' program
            alignments[tuple(source[i1 : i2 + 1]), tuple(target[j1 : j2 + 1])][sources_of] += 1
    chosen = {}
    for (source, target), seen in alignments.items():
        best = max(seen, key=lambda alignment: (seen[alignment], alignment))
        factors = [
            sum(w[word][target[j]] for word in ([source[i] for i in linked] or [None])) / (len(linked) or 1)
            for j, linked in enumerate(best)
        ]
        chosen[" ".join(source), " ".join(target)] = best, prod(factors)
    return chosen


def pivot(tables):
    """Return p(e2|e1) over several joint count tables {(e, f): count}, exactly, e2 = e1 included."""
    result = defaultdict(Fraction)
    known = Counter()
    for counts in tables:
        of_e, of_f = Counter(), Counter()
        for (e, f), count in counts.items():
            of_e[e] += count
            of_f[f] += count
        known.update(of_e.keys())
        for (e1, f), count in counts.items():
            for (e2, other), back in counts.items():
                if other == f:
                    result[e1, e2] += Fraction(count, of_e[e1]) * Fraction(back, of_f[f])
    return {(e1, e2): p / known[e1] for (e1, e2), p in result.items()}


def segmentations(words):
    """Yield every way to cut a sentence into phrases."""
    if not words:
        yield []
    for length in range(1, len(words) + 1):
        for rest in segmentations(words[length:]):
            yield [" ".join(words[:length]), *rest]


def best_segmentation(counts, words):
    """Return the best segmentation by exact arithmetic: product of N(p) / total, fewer phrases, longer phrase first."""
    total = max(sum(counts.values()), 1)

    def key(phrases):
        probability = prod(
            (Fraction(counts.get(phrase, Fraction(1, 2))) / total for phrase in phrases), start=Fraction(1)
        )
        return probability, -len(phrases), [len(phrase.split()) for phrase in phrases]

    allowed = (
        phrases for phrases in segmentations(words) if all(phrase in counts or " " not in phrase for phrase in phrases)
    )
    return max(allowed, key=key)
