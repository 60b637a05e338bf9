"""What a sentence denies: each negation with the words that it belongs to, and which of them two sentences share.

A negation is attached by the dependencies to the word it denies: "did not leave" denies *leave*, "no water" denies
*water* and the verb it depends on, "unable to see" denies *see*. Two sentences deny the same where these words are
linked. A negation whose words are linked to words that the other sentence affirms was dropped, added, or moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from paragauge.judges.closed_words import DENYING_THEIR_CLAUSE
from paragauge.judges.linking import Linked
from paragauge.judges.marked import word_set
from paragauge.judges.reading import Reading, Word

_WEAK_ADVERBS = word_set("rarely seldom")
_WEAK_AMOUNTS = word_set("few little")
_NOT_DENYING_BEFORE = word_set("only just merely simply necessarily")  # "not only": what follows is affirmed
_LIMITS = word_set("until till unless")  # "not until May" is "only in May", "not unless" is "only if"
_RAISING = word_set("think believe expect suppose want seem appear imagine feel intend")  # "don't think it is" is "isn't"
_CARRIERS = word_set("longer more all every each any even yet always much many one")  # "no longer", "not all"
_CARRIED = ("advmod", "det", "aux", "cop", "case", "cc", "nummod", "mark", "fixed", "amod", "advcl")
_ARGUMENTS = ("nsubj", "obj", "iobj", "obl", "csubj", "nmod", "conj", "attr", "dep")
_COMPLEMENTS = ("xcomp", "ccomp", "csubj")
_SCOPE = ("amod", "advmod", "obj", "xcomp", "compound", "nsubj", "det", "obl", "acl", "nummod")


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation, or a word that denies by itself.

    Attributes:
        cues: Positions of the words that deny: one, or two as in "neither ... nor".
        denied: Positions of what is denied, the most telling first; never a cue alone unless nothing else is there.
        is_word: Whether the cue says more than "not": "refuse", "unable", "unaware".
    """

    cues: tuple[int, ...]
    denied: tuple[int, ...]
    is_word: bool = False


@dataclass(frozen=True, eq=False)
class Denials:
    """All denials of a sentence."""

    reading: Reading
    found: tuple[Denial, ...]

    @classmethod
    def of(cls, reading: Reading, denies: Callable[[Word], bool]) -> Denials:
        """Return the denials of a sentence; *denies* tells words that deny by themselves."""
        return cls(reading, tuple(_merged(reading, list(_denials(reading, denies)))))

    @cached_property
    def _children(self) -> list[list[int]]:
        return _children(self.reading)

    def reaches(self, denial: Denial, place: int) -> bool:
        """Return whether a word is denied or stands beside what is: "not a good man" reaches "good"."""
        if place in denial.denied:
            return True
        head = self.reading.heads[place]
        return head in denial.denied and self.reading.relations[place].startswith(_SCOPE)

    def limit(self, denial: Denial) -> int:
        """Return the position of an "until" or "unless" that a negation goes with, -1 if there is none."""
        near = [place for place in denial.denied if place not in denial.cues]
        for place, word in enumerate(self.reading.words):
            if word.text not in _LIMITS or place < denial.cues[0]:
                continue
            at = self.reading.heads[place]
            if at in near or (at >= 0 and self.reading.heads[at] in near):
                return place
        return -1


@dataclass(frozen=True, slots=True)
class SharedDenials:
    """Denials of two sentences: those that both have, those of one alone, and those that moved to other words.

    Attributes:
        both: Pairs that deny the same.
        moved: Pairs of which each denies what the other sentence affirms, and whether that is sure.
        original: What only the original denies.
        candidate: What only the candidate denies.
    """

    both: tuple[tuple[Denial, Denial], ...]
    moved: tuple[tuple[Denial, Denial, bool], ...]
    original: tuple[Denial, ...]
    candidate: tuple[Denial, ...]


def share_denials(linked: Linked, ours: Sequence[Denial], theirs: Sequence[Denial]) -> SharedDenials:
    """Return which denials two sentences share."""
    options = sorted(
        (-score, a, b)
        for a, one in enumerate(ours)
        for b, other in enumerate(theirs)
        if (score := _agreement(linked, one, other))
    )
    left, their_left = dict(enumerate(ours)), dict(enumerate(theirs))
    both = []
    for _, a, b in options:
        if a in left and b in their_left:
            both.append((left.pop(a), their_left.pop(b)))
    # A clause that is said twice is denied twice: "neither A nor B came" is "A did not come, and B did not come".
    for _, a, b in options:
        left.pop(a, None) if b not in their_left else None
        their_left.pop(b, None) if a not in left else None
    moved = []
    for a, one in list(left.items()):
        for b, other in list(their_left.items()):
            if one.is_word and other.is_word and linked.to_candidate[one.cues[0]] != other.cues[0]:
                continue
            free = not _is_linked(one, linked.to_candidate), not _is_linked(other, linked.to_original)
            if (one.is_word or other.is_word) and not all(free) and not _same_cue(linked, one, other):
                continue
            del left[a], their_left[b]
            if all(free):  # what is denied was reworded
                both.append((one, other))
            else:
                moved.append((one, other, not any(free)))
            break
    return SharedDenials(tuple(both), tuple(moved), tuple(left.values()), tuple(their_left.values()))


def _same_cue(linked: Linked, one: Denial, other: Denial) -> bool:
    return linked.to_candidate[one.cues[0]] == other.cues[0]


def _is_linked(denial: Denial, to: Sequence[int]) -> bool:
    """Return whether the other sentence says what is denied."""
    return any(to[place] >= 0 for place in denial.denied[:1] if place not in denial.cues)


def _agreement(linked: Linked, one: Denial, other: Denial) -> int:
    """Return how well two denials agree in what they deny, 0 for not at all."""
    if not one.denied or not other.denied:
        return 0
    to, back = linked.to_candidate, linked.to_original
    if to[one.denied[0]] == other.denied[0]:
        return 3
    ours, theirs = linked.original.words, linked.candidate.words
    # Both first words are said on the other side, but not denied: "no X but Y" became "X but no Y".
    apart = to[one.denied[0]] not in (-1, *other.denied) and back[other.denied[0]] not in (-1, *one.denied)
    if not apart and any(to[place] in other.denied for place in one.denied):
        return 2
    lemmas = {ours[place].lemma for place in one.denied if ours[place].is_content}
    return int(any(theirs[place].is_content and theirs[place].lemma in lemmas for place in other.denied))


def _children(reading: Reading) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in reading.words]
    for place, head in enumerate(reading.heads):
        if head >= 0:
            children[head].append(place)
    return children


def _denials(reading: Reading, denies: Callable[[Word], bool]) -> Iterator[Denial]:
    words = reading.words
    children: list[list[int]] | None = None
    for place, word in enumerate(words):
        negates = word.is_negation and _negates(reading, place)
        if not negates and not _is_weak(reading, place) and not (word.is_content and denies(word)):
            continue
        children = children or _children(reading)
        if negates or word.text in _WEAK_ADVERBS or word.text in _WEAK_AMOUNTS:
            yield Denial((place,), _denied(reading, place, children))
        else:
            complement = tuple(child for child in children[place] if reading.relations[child].startswith(_COMPLEMENTS))
            thing = tuple(
                child for child in children[place] if reading.relations[child] == "obj" and word.lemma == "lack"
            )
            yield Denial((place,), (*complement[:1], *thing[:1], place), is_word=True)


def _negates(reading: Reading, place: int) -> bool:
    after = reading.words[place + 1].text if place + 1 < len(reading.words) else ""
    if after in _NOT_DENYING_BEFORE and reading.words[place].lemma == "not":
        return False
    return not reading.relations[place].startswith(("discourse", "intj"))


def _is_weak(reading: Reading, place: int) -> bool:
    """Return whether a word says "hardly any" or "hardly ever": few and little, but not a few or the little house."""
    text = reading.words[place].text
    if text in _WEAK_ADVERBS:
        return True
    if text not in _WEAK_AMOUNTS:
        return False
    before = reading.words[place - 1].tag if place else ""
    return before not in ("DT", "PRP$", "POS", "JJ", "CD") and (
        text == "few" or (place + 1 < len(reading.words) and reading.words[place + 1].tag in ("NN", "JJ", "NNP"))
    )


def _denied(reading: Reading, place: int, children: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return what a negation denies: its head, past words that only carry it, and the verb of a denied noun."""
    words, heads, relations = reading.words, reading.heads, reading.relations
    at = heads[place]
    if at < 0:
        return tuple(child for child in children[place] if words[child].is_content)[:1]
    carried: list[int] = []
    while heads[at] >= 0 and relations[at].startswith(_CARRIED) and (
        not words[at].is_content or words[at].text in _CARRIERS or words[at].part == "r"
    ):  # fmt: skip
        if words[at].is_content:
            carried.append(at)
        at = heads[at]
    found = [at]
    if words[at].part == "n" or (words[at].part == "a" and relations[at].startswith(_ARGUMENTS)):
        found += _verb_of(reading, at)
    elif not words[at].is_content:  # "did not have any effect" denies the effect, as "had no effect" does
        found = [*_told(reading, at, children), at]
    if words[at].lemma in _RAISING:
        found += [child for child in children[at] if relations[child].startswith(("ccomp", "xcomp"))]
    # "none of the witnesses"
    found += [child for child in children[place] if words[child].part == "n"]
    if relations[place].startswith("case"):  # "without water" says nothing of the verb
        found = found[:1]
    return tuple(dict.fromkeys([*found, *carried]))


def _verb_of(reading: Reading, noun: int) -> list[int]:
    at = noun
    while reading.relations[at].startswith(_ARGUMENTS) and reading.heads[at] >= 0:
        at = reading.heads[at]
        if reading.words[at].part in ("v", "a"):
            return [at]
    return []


def _told(reading: Reading, verb: int, children: Sequence[Sequence[int]]) -> list[int]:
    """Return what a light verb is about: its object, or what there is."""
    for wanted in ("obj", "xcomp"):
        found = [child for child in children[verb] if reading.relations[child] == wanted]
        if found:
            return found[:1]
    there = any(reading.relations[child] == "expl" for child in children[verb])
    return [child for child in children[verb] if there and reading.relations[child].startswith("nsubj")][:1]


def _merged(reading: Reading, denials: list[Denial]) -> Iterator[Denial]:
    """Give the denials with "neither" and "nor" joined to the one of the same clause before them."""
    kept: list[Denial] = []
    for denial in denials:
        text = reading.words[denial.cues[0]].text
        last = kept[-1] if kept else None
        if text == "nor" and last is not None and not last.is_word and not set(last.denied).isdisjoint(denial.denied):
            kept[-1] = Denial(last.cues + denial.cues, tuple(dict.fromkeys(last.denied + denial.denied)))
        else:
            kept.append(denial)
    yield from kept


def denies_its_clause(word: Word) -> bool:
    """Return whether a word that denies turns the clause it governs round: "failed to win" is "did not win"."""
    return word.lemma in DENYING_THEIR_CLAUSE
