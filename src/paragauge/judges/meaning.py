"""Whether a candidate says what its original says: a number from 0 to 1, and what it comes from.

    meaning = exp(-sum of weight_k * loss_k)

A loss is 0 for a copy and grows with what is missing, added or changed; weights are not negative. So a copy has exactly
1, every change can only lower the number, and each multiplies it by a factor of its own, which an explanation can show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from paragauge.judges.changes import Change, find_changes
from paragauge.judges.likeness import Likeness
from paragauge.judges.linking import Linked, link_readings
from paragauge.judges.reading import Reading

LOSSES = (
    "missing_n", "missing_v", "added_n", "added_v", "soft_missing", "soft_added", "soft_missing_c", "soft_added_c", "small", "order", "chunks", "letters",
    "number", "date", "negation", "cancelled", "uncertain", "opposite", "name", "quantifier", "roles", "moved",
    "replaced_n", "replaced_v", "contrast", "lost", "gained", "rest_r", "rest_p", "extra", "lacking", "n_o", "n_c",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeaningEvidence:
    """What a judgment of meaning stands on.

    Attributes:
        linked: The two sentences and their links.
        changes: What was found to be changed.
        losses: By name, in the order of `LOSSES`.
    """

    linked: Linked
    changes: tuple[Change, ...]
    losses: Mapping[str, float]


def weigh_evidence(original: Reading, candidate: Reading, likeness: Likeness) -> MeaningEvidence:
    """Return what speaks against a candidate saying the same as its original."""
    linked = link_readings(original, candidate, likeness)
    changes = find_changes(linked, likeness)
    return MeaningEvidence(linked, changes, _losses(linked, changes, likeness))


def meaning_of(losses: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the number from 0 to 1 that *losses* amount to."""
    return exp(-sum(weight * losses[name] for name, weight in weights.items()))


def _saturated(amount: float) -> float:
    return amount / (1 + amount)


def _losses(linked: Linked, changes: Sequence[Change], likeness: Likeness) -> dict[str, float]:
    counts = dict.fromkeys(LOSSES, 0.0)
    words, others = linked.original.words, linked.candidate.words
    supported: set[int] = set()  # words whose opposite is denied are said all the same
    their_supported: set[int] = set()
    for change in changes:
        kind = change.kind
        if kind == "cancelled":
            supported.update(change.original)
            their_supported.update(change.candidate)
            counts["cancelled" if change.certain else "uncertain"] += 1
        elif kind in ("missing", "added"):
            continue
        elif kind == "replaced":
            i, j = change.original[0], change.candidate[0]
            sure = likeness.surely_different(words[i], others[j])
            noun = words[i].part in "na" and others[j].part in "na"
            counts["replaced_n" if noun else "replaced_v"] += (1.0 if change.certain else 0.5) * sure
            if likeness.lexicon.are_siblings(words[i].lemma, others[j].lemma):
                counts["contrast"] += 1.0
        elif kind in ("number", "date"):
            counts[kind] += 1.0 if change.original and change.candidate else 0.5
        else:
            counts[kind] += 1.0 if change.certain else 0.5
    losses = dict(counts)
    scores = {link.original: link.evidence.score for link in linked.links}
    their_scores = {link.candidate: link.evidence.score for link in linked.links}
    losses["missing_n"], losses["missing_v"] = _unsaid(linked.original, scores, supported, likeness)
    losses["added_n"], losses["added_v"] = _unsaid(linked.candidate, their_scores, their_supported, likeness)
    losses["soft_missing"], losses["soft_added"] = _soft(linked, likeness, False, supported, their_supported)
    losses["soft_missing_c"], losses["soft_added_c"] = _soft(linked, likeness, True, supported, their_supported)
    explained = set()
    their_explained = set()
    for change in changes:
        if change.kind not in ("missing", "added", "moved", "roles"):
            explained.update(change.original)
            their_explained.update(change.candidate)
    losses["rest_r"], losses["rest_p"] = _soft(linked, likeness, False, supported, their_supported, explained, their_explained)
    losses["extra"] = float(max(0, len(linked.added) - len(linked.missing)))
    losses["lacking"] = float(max(0, len(linked.missing) - len(linked.added)))
    losses["n_o"] = float(len(linked.original.content))
    losses["n_c"] = float(len(linked.candidate.content))
    losses["lost"] = float(sum(c.kind == "missing" for c in changes))
    losses["gained"] = float(sum(c.kind == "added" for c in changes))
    losses["small"] = _small_words(linked)
    losses["order"], losses["chunks"] = _disorder(linked)
    losses["letters"] = 1 - _letter_f1(linked.original, linked.candidate)
    return losses


def _unsaid(
    reading: Reading, scores: Mapping[int, float], supported: set[int], likeness: Likeness
) -> tuple[float, float]:
    """Return the share of what a sentence says that the other does not, each content word by its information."""
    total = 0.0
    unsaid = {True: 0.0, False: 0.0}
    for place, word in enumerate(reading.words):
        if not word.is_content:
            continue
        weight = word.information
        total += weight
        unsaid[word.part in ("v", "r")] += weight * (1 - (0.9 if place in supported else scores.get(place, 0.0)))
    return (unsaid[False] / total, unsaid[True] / total) if total > 0 else (0.0, 0.0)


def _soft(linked, likeness, content, supported, their_supported, skip=frozenset(), skip2=frozenset()):
    import numpy as np
    from rapidfuzz.distance import JaroWinkler
    W = likeness.vectors.rows
    A = [(i, w) for i, w in enumerate(linked.original.words) if not w.is_mark and (not content or w.is_content)]
    B = [(i, w) for i, w in enumerate(linked.candidate.words) if not w.is_mark and (not content or w.is_content)]
    if not A or not B:
        return float(bool(A)), float(bool(B))
    full = (A, B)
    S = np.maximum(W[[w.vector for _, w in A]] @ W[[w.vector for _, w in B]].T, 0) ** 2
    for r, (i, x) in enumerate(A):
        for c, (j, y) in enumerate(B):
            if x.text == y.text or x.lemma == y.lemma or x.stem == y.stem or (x.number is not None and x.number == y.number):
                S[r, c] = 1
            elif x.vector < 0 or y.vector < 0:
                S[r, c] = max(S[r, c], JaroWinkler.similarity(x.text, y.text) ** 8 if len(x.text) > 3 and len(y.text) > 3 else 0)
    a, b = S.max(1), S.max(0)
    for r, (i, x) in enumerate(A):
        if i in supported: a[r] = max(a[r], .9)
        j = linked.to_candidate[i]
    for c, (j, y) in enumerate(B):
        if j in their_supported: b[c] = max(b[c], .9)
    for link in linked.links:
        for r, (i, x) in enumerate(A):
            if i == link.original: a[r] = max(a[r], link.evidence.score)
        for c, (j, y) in enumerate(B):
            if j == link.candidate: b[c] = max(b[c], link.evidence.score)
    ia = np.array([0. if i in skip else w.information ** .5 for i, w in A]); ib = np.array([0. if i in skip2 else w.information ** .5 for i, w in B])
    if not ia.sum() or not ib.sum():
        return 0., 0.
    return 1 - float(a @ ia / ia.sum()), 1 - float(b @ ib / ib.sum())


def _small_words(linked: Linked) -> float:
    """Return the share of function words of both sides that have no link."""
    total = alone = 0
    for reading, to in ((linked.original, linked.to_candidate), (linked.candidate, linked.to_original)):
        for place, word in enumerate(reading.words):
            if not word.is_content and not word.is_mark:
                total += 1
                alone += to[place] < 0
    return alone / total if total else 0.0


def _disorder(linked: Linked) -> tuple[float, float]:
    """Return the share of pairs of content links that stand in another order, and how far links fall into pieces."""
    words = linked.original.words
    places = [link.candidate for link in linked.links if words[link.original].is_content]
    pairs = len(places) * (len(places) - 1) // 2
    inverted = sum(one > other for k, one in enumerate(places) for other in places[k + 1 :])
    everything = [(link.original, link.candidate) for link in linked.links]
    breaks = sum(
        (one[1] > other[1]) or (other[1] - one[1] > 1 and other[0] - one[0] > 1 and False)
        for one, other in zip(everything, everything[1:], strict=False)
    )
    return (inverted / pairs if pairs else 0.0), breaks / max(1, len(everything) - 1)


def _trigrams(reading: Reading) -> dict[str, int]:
    bag: dict[str, int] = {}
    for word in reading.words:
        if not word.is_mark:
            spelled = f"<{word.text}>"
            for place in range(len(spelled) - 2):
                trigram = spelled[place : place + 3]
                bag[trigram] = bag.get(trigram, 0) + 1
    return bag


def _letter_f1(one: Reading, other: Reading) -> float:
    ours, theirs = _trigrams(one), _trigrams(other)
    shared = sum(min(count, theirs[trigram]) for trigram, count in ours.items() if trigram in theirs)
    total = sum(ours.values()) + sum(theirs.values())
    return 2 * shared / total if total else 1.0
