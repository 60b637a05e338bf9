"""Both estimators once more, slow and obvious: dictionaries of tuples, definitions word for word."""

from __future__ import annotations

from collections import Counter, defaultdict


def raw_counts(sentences, order):
    """Counts of all n-grams up to *order* of ``<s> ... </s>``; ``<s>`` by itself is left out."""
    counts = Counter()
    for sentence in sentences:
        words = ("<s>", *sentence, "</s>")
        for n in range(1, order + 1):
            for i in range(len(words) - n + 1):
                counts[words[i : i + n]] += 1
    del counts["<s>",]
    return counts


def adjusted_counts(sentences, order):
    """What Kneser-Ney counts: different words to the left, or occurrences in the highest order and after ``<s>``."""
    raw = raw_counts(sentences, order)
    left = defaultdict(set)
    for ngram in raw:
        if len(ngram) > 1:
            left[ngram[1:]].add(ngram[0])
    return {
        ngram: count if len(ngram) == order or ngram[0] == "<s>" else len(left[ngram]) for ngram, count in raw.items()
    }


def vocabulary(sentences):
    """All words that can be predicted."""
    return sorted({word for sentence in sentences for word in sentence} | {"</s>", "<unk>"})


class KneserNey:
    """Interpolated modified Kneser-Ney, by recursion on the definition."""

    def __init__(self, sentences, order, discounts, min_counts):
        self.order, self.discounts, self.min_counts = order, discounts, min_counts
        self.raw = raw_counts(sentences, order)
        self.words = vocabulary(sentences)
        self.followers = defaultdict(dict)
        for ngram, count in adjusted_counts(sentences, order).items():
            self.followers[ngram[:-1]][ngram[-1]] = count

    def discount(self, n, count):
        return 0 if count == 0 else self.discounts[n - 1][min(count, 3) - 1]

    def kept(self, ngram):
        return self.raw[ngram] >= self.min_counts[len(ngram) - 1]

    def p(self, word, context):
        context = context[max(0, len(context) - self.order + 1) :]
        n = len(context) + 1
        lower = self.p(word, context[1:]) if context else 1 / len(self.words)
        counts = self.followers.get(context, {})
        total = sum(counts.values())
        if total == 0:
            return lower
        left = sum(
            self.discount(n, count) if self.kept((*context, other)) else count for other, count in counts.items()
        )
        seen = counts.get(word, 0) if self.kept((*context, word)) else 0
        return (seen - self.discount(n, seen)) / total + left / total * lower


class Katz:
    """Katz back-off, by recursion on the definition."""

    def __init__(self, sentences, order, coefficients, min_counts):
        self.order, self.coefficients, self.min_counts = order, coefficients, min_counts
        self.words = vocabulary(sentences)
        self.followers = defaultdict(dict)
        for ngram, count in raw_counts(sentences, order).items():
            self.followers[ngram[:-1]][ngram[-1]] = count

    def discounted(self, n, count):
        if count < self.min_counts[n - 1]:
            return 0
        coefficients = self.coefficients[n - 1]
        return count * coefficients[count - 1] if 0 < count <= len(coefficients) else count

    def seen(self, context):
        """Probabilities of the words that were seen often enough after *context*."""
        n = len(context) + 1
        counts = self.followers.get(context, {})
        kept = {word: self.discounted(n, count) for word, count in counts.items() if self.discounted(n, count) > 0}
        total = sum(counts.values())
        while kept and sum(kept.values()) / total > 1 - 3e-6:
            total += 1
        return {word: count / total for word, count in kept.items()}

    def p(self, word, context):
        context = context[max(0, len(context) - self.order + 1) :]
        seen = self.seen(context)
        if word in seen:
            return seen[word]
        left = 1 - sum(seen.values())
        if not context:
            return left  # <unk>, the only word that was not seen
        if not seen:
            return self.p(word, context[1:])
        return left / (1 - sum(self.p(other, context[1:]) for other in seen)) * self.p(word, context[1:])


def good_turing(n, k):
    """Coefficients d_1 ... d_k by SRILM's rules from counts of counts ``n[r]``."""
    if n.get(1, 0) == 0:
        return []
    while k > 0 and n.get(k + 1, 0) == 0:
        k -= 1
    common = (k + 1) * n.get(k + 1, 0) / n[1]
    result = []
    for r in range(1, k + 1):
        ratio = (r + 1) * n.get(r + 1, 0) / (r * n[r]) if n.get(r) else 2
        d = (ratio - common) / (1 - common) if common != 1 else 0
        result.append(d if ratio <= 1 and d > 3e-6 else 1.0)
    return result
