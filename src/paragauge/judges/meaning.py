"""Whether a candidate says what its original says: a number from 0 to 1, and the evidence for it.

    meaning = coverage * exp(-sum of weight_k * check_k)
    coverage = 1 - sum of weight_k * loss_k, at least 0

*Losses* are shares of what the two sentences say that the other does not: of the original that is missing, of the
candidate that was added, over all words and over content words alone, each weighed by its information, and of the
letters. *Checks* count changes that were found by name (`paragauge.judges.changes`).

The weight of a change depends on the rest of the sentence. A word that differs in a sentence which is otherwise the
same was exchanged; one among many differences is more likely a rewording that no table knows. So a check counts by how
much of the rest is said alike, to a high power: ``closeness ** power``. Both kinds of weights are not negative, and a
copy has exactly 1.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp

import numpy as np
from numpy.typing import NDArray

from paragauge._core import letter_f1
from paragauge.judges.change import Change
from paragauge.judges.changes import find_changes
from paragauge.judges.likeness import Likeness
from paragauge.judges.linking import Linked, link_readings
from paragauge.judges.reading import Reading

LOSSES = ("missing", "missing_content", "added", "added_content", "letters")
CHECKS = (
    "number", "denial", "perhaps_denial",
    "name", "quantifier", "roles", "attachment", "order", "pieces", "thing", "action", "addition", "omission",
)  # fmt: skip
FEATURES = LOSSES + CHECKS

# What follows was chosen by leaving data sets out (docs/judges.md).
STRICT = frozenset(("number", "denial", "perhaps_denial"))
UNUSED: frozenset[str] = frozenset()  # losses and checks that did not earn their place
ADDITIONS_BY, OMISSIONS_BY = "words", "words"  # what has to be said alike: all words, content words, or the rest
# Checks for which only content words have to be said alike: a passive or a "did not" brings others along.
BY_CONTENT = frozenset(("denial", "perhaps_denial", "roles"))
UNCOUNTED = frozenset(("order", "pieces"))  # checks that are shares already

_SAID_OTHERWISE = frozenset(("cancelled", "converse", "reworded"))  # changes that keep the meaning
_NOT_WORDS = frozenset(("missing", "added", "attachment", "roles"))  # changes that explain no single words


@dataclass(frozen=True, slots=True)
class MeaningWeights:
    """Weights of losses and checks, in the order of `LOSSES` and `CHECKS`.

    Attributes:
        losses: Of coverage; together they say at which loss nothing is left.
        checks: Of changes.
    """

    losses: tuple[float, ...]
    checks: tuple[float, ...]

    def coverage(self, features: Mapping[str, float]) -> float:
        """Return how much of both sentences the other expresses, from 0 to 1."""
        return max(0.0, 1 - sum(weight * features[name] for name, weight in zip(LOSSES, self.losses, strict=True)))

    def factors(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the factor of each check on the meaning; checks that found nothing are left out."""
        pairs = zip(CHECKS, self.checks, strict=True)
        return {name: exp(-weight * features[name]) for name, weight in pairs if weight * features[name] > 0}

    def meaning(self, features: Mapping[str, float]) -> float:
        """Return the number from 0 to 1."""
        found = zip(CHECKS, self.checks, strict=True)
        return self.coverage(features) * exp(-sum(weight * features[name] for name, weight in found))

    def predict(self, rows: NDArray[np.float64], *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the meaning of many pairs, from an array (pairs, features) in the order of `FEATURES`."""
        losses, checks = rows[:, : len(LOSSES)], rows[:, len(LOSSES) : len(FEATURES)]
        coverage = np.maximum(0.0, 1 - losses @ np.array(self.losses))
        found: NDArray[np.float64] = coverage * np.exp(-(checks @ np.array(self.checks)))
        return found


@dataclass(frozen=True, slots=True)
class MeaningEvidence:
    """The evidence for a judgment of meaning.

    Attributes:
        linked: The two sentences and their links.
        changes: Changes that were found.
        closeness: How much is said alike besides that, from 0 to 1.
        content_closeness: The same of content words alone.
        features: Losses and checks by name.
    """

    linked: Linked
    changes: tuple[Change, ...]
    closeness: float
    content_closeness: float
    features: Mapping[str, float]

    def nearness(self, check: str) -> float:
        """Return how much of the rest is said alike, from 0 to 1, where the *check* looks."""
        form, side = "closeness", ""
        if check == "addition":  # to an original that is all there
            form, side = ADDITIONS_BY, "missing"
        elif check == "omission":  # by a candidate that the original supports
            form, side = OMISSIONS_BY, "added"
        elif check in BY_CONTENT:
            return self.content_closeness
        if form == "closeness":
            return self.closeness
        return 1 - self.features[side if form == "words" else f"{side}_content"]


def weigh_evidence(original: Reading, candidate: Reading, likeness: Likeness) -> MeaningEvidence:
    """Return the evidence against a candidate having the meaning of its original.

    Raises:
        DataError: The sentences are too long.
    """
    linked = link_readings(original, candidate, likeness)
    return weigh_links(linked, find_changes(linked, likeness), likeness)


def weigh_links(linked: Linked, changes: tuple[Change, ...], likeness: Likeness) -> MeaningEvidence:
    """Return the evidence in a pair of sentences whose links and *changes* are known."""
    original, candidate = linked.original, linked.candidate
    denied = [change for change in changes if change.kind in _SAID_OTHERWISE]
    settings = likeness.settings
    wordly = [change for change in changes if change.kind not in _NOT_WORDS]
    said = likeness.unsaid(
        original,
        linked.said,
        denied=(place for change in denied for place in change.original),
        explained=(place for change in wordly for place in change.original),
    )
    supported = likeness.unsaid(
        candidate,
        linked.supported,
        denied=(place for change in denied for place in change.candidate),
        explained=(place for change in wordly for place in change.candidate),
    )
    closeness = f1(1 - said.other_loss, 1 - supported.other_loss)
    content_closeness = f1(1 - said.other_content_loss, 1 - supported.other_content_loss)
    features = {
        "missing": said.loss,
        "missing_content": said.content_loss,
        "added": supported.loss,
        "added_content": supported.content_loss,
        "letters": 1 - letter_f1(original.compared, candidate.compared),
    }
    counts = count_changes(linked, changes, likeness)
    evidence = MeaningEvidence(linked, changes, closeness, content_closeness, features)
    if not any(change.kind == "converse" for change in changes):  # which asks for another order
        counts["order"], counts["pieces"] = _disorder(linked)
    for name in CHECKS:
        if not counts[name]:
            features[name] = 0.0
            continue
        amount = counts[name] if name in UNCOUNTED else saturated(counts[name])
        power = settings.strict_power if name in STRICT else settings.role_power if name == "roles" else settings.power
        features[name] = amount * evidence.nearness(name) ** power
    features.update(dict.fromkeys(UNUSED, 0.0))
    return evidence


def f1(recall: float, precision: float) -> float:
    """Return the harmonic mean; 0 if both are."""
    return 2 * recall * precision / (recall + precision) if recall + precision > 0 else 0.0


def saturated(amount: float) -> float:
    """Return 0 for no change and 0.5 for one change; each further change adds less."""
    return amount / (1 + amount)


def count_changes(linked: Linked, changes: Sequence[Change], likeness: Likeness) -> dict[str, float]:
    """Return how many changes of each kind there are; uncertain ones count less."""
    counts = dict.fromkeys(CHECKS, 0.0)
    words, others = linked.original.words, linked.candidate.words
    settings = likeness.settings
    for change in changes:
        kind = change.kind
        if kind == "cancelled":
            counts["perhaps_denial"] += not change.certain
        elif kind == "negation":
            counts["denial"] += settings.in_place if change.certain else 0.5
        elif kind in ("moved", "opposite"):  # these turn the meaning round, too
            counts["denial"] += 1
        elif kind == "replaced":
            one, other = words[change.original[0]], others[change.candidate[0]]
            name = "thing" if one.part in ("n", "a", "") and other.part in ("n", "a", "") else "action"
            counts[name] += (1.0 if change.certain else 0.5) * likeness.surely_different(one, other)
        elif kind in ("number", "date"):  # both say which one it was
            both = change.original and change.candidate
            counts["number"] += settings.in_place if change.certain else 0.25 if both else 0.125
        elif kind in ("place", "hedge", "question"):
            counts["quantifier"] += getattr(settings, kind) * (1.0 if change.certain else 0.5)
        elif kind in _SAID_OTHERWISE:
            pass
        elif kind == "roles":
            counts["roles"] += 1.0 if change.certain else settings.lone_role
        elif kind not in ("missing", "added"):
            counts[kind] += 1.0 if change.certain else 0.5
    more = len(linked.added) - len(linked.missing)
    free = min(settings.free_additions, settings.free_share * len(linked.original.content))
    counts["addition"] = max(0.0, more - free)
    counts["omission"] = max(0.0, -more - settings.free_omissions)
    return counts


def _disorder(linked: Linked) -> tuple[float, float]:
    """Return the share of pairs of content links in another order, and of neighbouring links that turn back."""
    words = linked.original.words
    seen: list[int] = []  # sorted places in the candidate; no two links have the same
    inverted = 0
    for link in linked.links:
        if words[link.original].is_content:
            at = bisect(seen, link.candidate)
            inverted += len(seen) - at
            seen.insert(at, link.candidate)
    pairs = len(seen) * (len(seen) - 1) // 2
    everything = [link.candidate for link in linked.links]
    breaks = sum(one > other for one, other in pairwise(everything))
    return (inverted / pairs if pairs else 0.0), (breaks / (len(everything) - 1) if len(everything) > 1 else 0.0)
