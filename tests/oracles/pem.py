"""Bags of pivot n-grams by reading every sentence that a network stands for: slow and obvious."""

from collections import Counter
from itertools import product


def segmentations(words, known):
    """Yield all ways to cut *words* into known phrases and single words."""
    if not words:
        yield []
        return
    for length in range(1, len(words) + 1):
        phrase = " ".join(words[:length])
        if length == 1 or phrase in known:
            yield from ([phrase, *rest] for rest in segmentations(words[length:], known))


def best_segmentation(words, counts, unseen=0.5):
    """Return the most probable segmentation; ties: fewer phrases, then the longer phrase first."""
    total = sum(counts.values())

    def rank(phrases):
        probability = 1.0
        for phrase in phrases:
            probability *= counts.get(phrase, unseen) / max(total, 1)
        return (round(probability, 15), -len(phrases), [len(phrase.split()) for phrase in phrases])

    return max(segmentations(words, counts), key=rank)


def network(sentence, table, *, min_edge, unknown=1.0):
    """Return a list of lists of (pivot words, probability); *table* gives p(f|e) by phrase, *counts* N(e)."""
    counts, probabilities = table
    segments = []
    for phrase in best_segmentation(sentence.split(), counts):
        edges = probabilities.get(phrase, {phrase: unknown})
        kept = {target: p for target, p in edges.items() if p > min_edge}
        if phrase not in probabilities:
            kept = edges
        if not kept:
            # As in a table: the most frequent, of equals the first by bytes.
            best = min(edges, key=lambda target: (-edges[target], target.encode()))
            kept = {best: edges[best]}
        segments.append([(target.split(), p) for target, p in kept.items()])
    return segments


def bag(segments, max_order, min_weight):
    """Return the bag of a network.

    Every choice of one edge a segment is a sentence. An n-gram at one place touches some edges; it has the product of
    *their* probabilities once, however many sentences agree there and differ elsewhere.
    """
    seen = set()
    weights = Counter()
    for path in product(*(range(len(edges)) for edges in segments)):
        words = [
            (word, (place, choice, position))
            for place, choice in enumerate(path)
            for position, word in enumerate(segments[place][choice][0])
        ]
        for order in range(1, max_order + 1):
            for start in range(len(words) - order + 1):
                piece = words[start : start + order]
                where = tuple(place for _, place in piece)
                if where in seen:
                    continue
                seen.add(where)
                weight = 1.0
                for place, choice in dict.fromkeys((place, choice) for place, choice, _ in where):
                    weight *= segments[place][choice][1]
                weights[tuple(word for word, _ in piece)] += weight
    return {ngram: weight for ngram, weight in weights.items() if weight > min_weight}


def f1(one, other):
    """Return F1 of two bags."""
    matched = sum(min(weight, other[ngram]) for ngram, weight in one.items() if ngram in other)
    total = sum(one.values()) + sum(other.values())
    return 2 * matched / total if total else 0.0
