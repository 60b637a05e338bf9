"""Who does what to whom, and what belongs to what: the roles of words that both sentences have.

Passives are undone. Two kinds of exchange change nothing: nouns that are joined by "and" or stand on both sides of a
verb such as "marry", and those on both sides of a word whose *converse* took its place: "Ann is taller than Bob" says
what "Bob is shorter than Ann" does, and so do "before" and "after", "buy" and "sell".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from paragauge.judges.change import Change
from paragauge.judges.likeness import Likeness
from paragauge.judges.linking import Linked
from paragauge.judges.marked import word_set
from paragauge.judges.reading import Reading, Word

SUBJECT, OBJECT = "subject", "object"
_ROLES = {
    "nsubj": SUBJECT,
    "csubj": SUBJECT,
    "obl:agent": SUBJECT,
    "nsubj:pass": OBJECT,
    "obj": OBJECT,
}
_CORE = frozenset((SUBJECT, OBJECT, "iobj ", "obl than"))  # roles that a noun does not change by rewording
_MODIFIERS = ("amod", "nmod", "compound", "nsubj", "obj", "obl", "advmod", "nummod", "appos", "acl", "conj", "flat")
_SURELY_ATTACHED = ("amod", "nummod")

_SYMMETRIC = word_set("marry wed divorce meet resemble equal match border adjoin differ")
_COMPARATIVES = ("JJR", "RBR")
_CONVERSES = frozenset(
    frozenset(pair.split())
    for pair in (
        "buy sell", "purchase sell", "lend borrow", "give receive", "send receive", "teach learn", "precede follow",
        "beat lose", "defeat lose", "before after", "above below", "over under", "above under", "over below",
    )
)  # fmt: skip
_OF_CONVERSES = frozenset(word for pair in _CONVERSES for word in pair)
# Where the other party of a converse stands: "sold it to me", "bought it from him", "lost to them".
_OTHER_PARTY = frozenset(("obl to", "obl from", "obl by", "obl of", "iobj "))

Slot: TypeAlias = tuple[int, str]  # the position of the head, -1 for none, and the role there


def slots_of(reading: Reading) -> list[Slot]:
    """Return for each word where it belongs: its head and its role, passives undone, prepositions named.

    The subject of a passive is an object, and its agent a subject: both voices give the same slots.
    """
    prepositions: dict[int, str] = {}
    for place, relation in enumerate(reading.relations):
        if relation == "case" and (head := reading.heads[place]) >= 0:
            prepositions.setdefault(head, reading.words[place].lemma)
    return [
        (head, _role(relation, prepositions.get(place, "")))
        for place, (head, relation) in enumerate(zip(reading.heads, reading.relations, strict=True))
    ]


@lru_cache(maxsize=1 << 12)
def _role(relation: str, preposition: str) -> str:
    """Return the role that a relation gives a word with this preposition, passives undone."""
    return _ROLES.get(relation) or f"{relation.partition(':')[0]} {preposition}"


def find_roles(linked: Linked) -> Iterator[Change]:
    """Give pairs of nouns of which each stands where the other stood; of pronouns, those that occur once."""
    words, to = linked.original.words, linked.to_candidate
    nouns = _role_bearers(linked)
    if not nouns:
        return
    ours, theirs = slots_of(linked.original), slots_of(linked.candidate)
    seen: set[int] = set()
    for number, x in enumerate(nouns):
        if theirs[to[x]] == (_moved_to(ours[x][0], to), ours[x][1]):
            continue  # where it was
        for y in nouns[number + 1 :]:
            if x in seen or y in seen or words[x].lemma == words[y].lemma:
                continue
            swapped = {x: to[y], y: to[x]}
            if theirs[to[x]] == (_moved_to(ours[y][0], to, swapped), ours[y][1]) and theirs[to[y]] == (
                _moved_to(ours[x][0], to, swapped),
                ours[x][1],
            ):
                seen |= {x, y}
                if not _is_symmetric(linked, x, y):
                    yield Change("roles", (x, y), (to[x], to[y]))
    if not seen:
        yield from _lone_roles(linked, nouns, ours, theirs)


def _role_bearers(linked: Linked) -> list[int]:
    """Return the linked nouns of the original, and the linked pronouns that can be told apart."""
    words = linked.original.words
    return [
        link.original
        for link in linked.links
        if words[link.original].part == "n" or _is_only_pronoun(linked, words[link.original])
    ]


def _is_only_pronoun(linked: Linked, word: Word) -> bool:
    """Return whether a word is a pronoun that each sentence has once, so that both mean the same."""
    return word.tag == "PRP" and all(
        sum(other.lemma == word.lemma for other in reading.words) == 1
        for reading in (linked.original, linked.candidate)
    )


def _is_symmetric(linked: Linked, x: int, y: int) -> bool:
    """Return whether two nouns may change places: joined by "and", or on both sides of a verb such as "marry"."""
    to = linked.to_candidate
    if _are_joined(linked.original, x, y) and _are_joined(linked.candidate, to[x], to[y]):
        return True
    head = linked.original.heads[x]
    return head >= 0 and head == linked.original.heads[y] and linked.original.words[head].lemma in _SYMMETRIC


def _are_joined(reading: Reading, x: int, y: int) -> bool:
    heads, relations = reading.heads, reading.relations
    return (relations[y] == "conj" and heads[y] == x) or (relations[x] == "conj" and heads[x] == y)


def _lone_roles(linked: Linked, nouns: Sequence[int], ours: Sequence[Slot], theirs: Sequence[Slot]) -> Iterator[Change]:
    """Give a noun in another role of a verb that has two: "he saw Ann" and "Ann saw her", or "Ann was seen by him"."""
    to = linked.to_candidate
    filled = [head for head, role in ours if role in _CORE]
    their_filled = [head for head, role in theirs if role in _CORE]
    for x in nouns:
        (head, role), (their_head, their_role) = ours[x], theirs[to[x]]
        if head < 0 or to[head] != their_head or role not in _CORE or their_role not in _CORE:
            continue
        if (role == SUBJECT) == (their_role == SUBJECT):
            continue
        several, their_several = filled.count(head) > 1, their_filled.count(their_head) > 1
        active = several if role == SUBJECT else their_several
        if (several and their_several) or (active and _passive_turned(linked, x)):
            yield Change("roles", (x, head), (to[x], their_head), certain=False)
            return


def _passive_turned(linked: Linked, x: int) -> bool:
    """Return whether the subject of one sentence is that of a passive with "by" in the other, and said once in both."""
    sides = ((linked.original, x), (linked.candidate, linked.to_candidate[x]))
    for (active, subject), (passive, their_subject) in (sides, sides[::-1]):
        if active.relations[subject] == "nsubj" and passive.relations[their_subject] == "nsubj:pass":
            lemma = active.words[subject].lemma
            has_agent = any(word.text == "by" for word in passive.words[passive.heads[their_subject] :])
            return has_agent and all(sum(word.lemma == lemma for word in each.words) == 1 for each, _ in sides)
    return False


def _moved_to(head: int, to: Sequence[int], swapped: Mapping[int, int] | None = None) -> int:
    """Return where a head stands in the candidate, given that two words may have changed places."""
    if head < 0:
        return head
    found = to[head] if swapped is None or head not in swapped else swapped[head]
    return found if found >= 0 else -2  # nowhere


def may_have_converse(word: Word) -> bool:
    """Return whether a word has a converse: "taller", "buy", "before"."""
    return word.lemma in _OF_CONVERSES or word.tag in _COMPARATIVES


def are_converses(linked: Linked, i: int, j: int, likeness: Likeness) -> bool:
    """Return whether *j* says of its words what *i* says of the same ones the other way round.

    They are comparatives that are opposites, or a pair such as "buy" and "sell", and what they are said of has changed
    places.
    """
    one, other = linked.original.words[i], linked.candidate.words[j]
    listed = frozenset((one.lemma, other.lemma)) in _CONVERSES
    if linked.original.relations[i] in ("case", "mark") and linked.candidate.relations[j] in ("case", "mark"):
        return listed and _have_turned_round(linked, i, j)
    comparatives = one.tag in _COMPARATIVES and other.tag in _COMPARATIVES
    if not listed and not (comparatives and likeness.opposite(one, other)):
        return False
    subject, other_party = _parties(linked.original, i)
    their_subject, their_other_party = _parties(linked.candidate, j)
    if -1 in (subject, other_party):
        return False
    to = linked.to_candidate
    return to[subject] == their_other_party >= 0 and to[other_party] == their_subject >= 0


def _parties(reading: Reading, head: int) -> tuple[int, int]:
    """Return the subject of a word and the other party: "taller than", "sold to", "bought from", or the object."""
    subject = other = thing = -1
    for place, (at, role) in enumerate(slots_of(reading)):
        if at != head:
            continue
        if role == SUBJECT:
            subject = place
        elif role.endswith(" than") or role in _OTHER_PARTY:
            other = place
        elif role == OBJECT:
            thing = place
    # "beat them", "precedes the vote"; but "sold the car to me"
    return subject, other if other >= 0 else thing


def _have_turned_round(linked: Linked, i: int, j: int) -> bool:
    """Return whether what follows one preposition or conjunction goes before the other, and the reverse."""
    inner, outer = _operands(linked.original, i)
    their_inner, their_outer = _operands(linked.candidate, j)
    if inner < 0 or their_inner < 0:
        return False
    return linked.to_candidate[inner] in their_outer and linked.to_original[their_inner] in outer


def _operands(reading: Reading, place: int) -> tuple[int, set[int]]:
    """Return what a preposition or conjunction introduces, and what that is related to: its head or its subject."""
    inner = reading.heads[place]
    if inner < 0:
        return -1, set()
    head = reading.heads[inner]
    outer = {head} if head >= 0 else set()
    # Of "the lamp hangs above the table" the lamp counts, too; "the lamp is above the table" has no other head.
    sentence = head if head >= 0 else inner
    outer |= {
        child
        for child, at in enumerate(reading.heads)
        if at == sentence and reading.relations[child].startswith("nsubj")
    }
    return inner, outer


def find_attachments(linked: Linked) -> Iterator[Change]:
    """Give words that depend on another word than before, where both words are there in both sentences."""
    original, candidate = linked.original, linked.candidate
    for i, head in enumerate(original.heads):
        if head < 0 or not original.words[i].is_content or not original.relations[i].startswith(_MODIFIERS):
            continue
        j, expected = linked.to_candidate[i], linked.to_candidate[head]
        if j < 0 or expected < 0:
            continue
        found = candidate.heads[j]
        if found < 0 or found == expected or candidate.heads[expected] == j:
            continue
        back = linked.to_original[found]
        if back < 0 or not candidate.words[found].is_content:
            continue
        # Near in one of the trees is near enough: parsers differ about attachment, but hardly about that of adjectives.
        sure = original.relations[i] == candidate.relations[j] and original.relations[i] in _SURELY_ATTACHED
        is_near = candidate.heads[found] == expected or candidate.heads[expected] == found
        if (is_near or original.heads[head] == back) and not sure:
            continue
        yield Change("attachment", (i, head), (j, found))
