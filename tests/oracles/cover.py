"""ParaEval's matching, written down as slowly and plainly as its definition."""

from __future__ import annotations

from collections import Counter
from itertools import combinations


def spans(tokens, sets_of, min_length):
    """All (begin, end) whose phrase belongs to a set."""
    n = len(tokens)
    return [
        (i, j) for i in range(n) for j in range(i + min_length, n + 1) if sets_of(tokens[i:j])
    ]  # fmt: skip


def items(candidate, references, sets_of, min_length=1):
    """All possible matches (reference, own span, other span), best first."""
    own = spans(candidate, sets_of, min_length)
    found = [
        (r, a, b)
        for r, reference in enumerate(references)
        for b in spans(reference, sets_of, min_length)
        for a in own
        if sets_of(candidate[slice(*a)]) & sets_of(reference[slice(*b)])
    ]
    return sorted(found, key=lambda m: (-(m[1][1] - m[1][0] + m[2][1] - m[2][0]), m[1][0], m[0], m[2][0], -m[1][1]))


def fits(taken, new):
    r, own, other = new
    for r2, own2, other2 in taken:
        if own2 != own and own2[0] < own[1] and own[0] < own2[1]:
            return False
        if r2 == r and (own2 == own or (other2[0] < other[1] and other[0] < other2[1])):
            return False
    return True


def greedy(candidate, references, sets_of, min_length=1):
    taken = []
    for item in items(candidate, references, sets_of, min_length):
        if fits(taken, item):
            taken.append(item)
    return taken


def covered(matches):
    """Words on both sides: those of the candidate count once."""
    own = {m[1] for m in matches}
    return sum(j - i for i, j in own) + sum(m[2][1] - m[2][0] for m in matches)


def most_covered(candidate, references, sets_of):
    """The most words that any choice of matches covers; for tiny inputs."""
    every = items(candidate, references, sets_of)
    best = 0
    for size in range(1, len(every) + 1):
        for choice in combinations(every, size):
            if all(fits(choice[:k], choice[k]) for k in range(size)):
                best = max(best, covered(choice))
    return best


def clipped(matches, candidate, references, sets_of):
    """The phrases of the candidate that count."""
    own = sorted({m[1] for m in matches})
    groups = [{span} for span in own]
    merged = True
    while merged:
        merged = False
        for one, other in combinations(groups, 2):
            if any(sets_of(candidate[slice(*a)]) & sets_of(candidate[slice(*b)]) for a in one for b in other):
                groups.remove(other)
                one |= other
                merged = True
                break
    kept = set()
    for group in groups:
        limit = max(sum(m[0] == r and m[1] in group for m in matches) for r in range(len(references)))
        kept |= set(sorted(group, key=lambda span: (span[0] - span[1], span[0]))[:limit])
    return kept


def matched_words(candidate, references, sets_of, min_length=1, matches=None):
    """Matched words of the candidate against all references, and of a reference if there is only one."""
    if matches is None:
        matches = greedy(candidate, references, sets_of, min_length)
    kept = clipped(matches, candidate, references, sets_of)
    inside = {k for span in kept for k in range(*span)}
    left = Counter(word for k, word in enumerate(candidate) if k not in inside)
    rest = []
    for r, reference in enumerate(references):
        taken = {k for m in matches if m[0] == r and m[1] in kept for k in range(*m[2])}
        rest.append(Counter(word for k, word in enumerate(reference) if k not in taken))
    by_word = sum(min(count, max(other[word] for other in rest)) for word, count in left.items())
    of_reference = sum(m[2][1] - m[2][0] for m in matches if m[1] in kept) + by_word if len(references) == 1 else None
    return len(inside) + by_word, of_reference
