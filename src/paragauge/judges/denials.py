"""What a sentence denies: each negation with the words that it belongs to, and which of them two sentences share.

A negation is attached by the dependencies to the word it denies: "did not leave" denies *leave*, "no water" denies
*water* and the verb it depends on, "unable to see" denies *see*. Two sentences deny the same where these words are
linked. A negation whose words are linked to words that the other sentence affirms was dropped, added, or moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from paragauge.judges.closed_words import DENYING_THEIR_CLAUSE, WEAK_ADVERBS, WEAK_AMOUNTS
from paragauge.judges.linking import Linked
from paragauge.judges.marked import word_set
from paragauge.judges.reading import Reading, Word

_NOT_DENYING_BEFORE = word_set("only just merely simply")  # "not only ... but": what follows is affirmed
_NO_DENIAL_AFTER = word_set("doubt matter wonder")  # "no doubt" affirms
_BOUNDING = word_set("more less fewer later earlier")
_LIMITS = word_set("until till unless")  # "not until May" is "only in May", "not unless" is "only if"
_NO_ONE, _EXCEPT = word_set("no nobody nothing none"), word_set("but except")  # "nobody but Ann" is "only Ann"
_RAISING = word_set(
    "think believe expect suppose want seem appear imagine feel intend"
)  # "don't think it is" is "isn't"
_CARRIERS = word_set("longer more all every each any even yet always much many one")  # "no longer", "not all"
_CARRIED = frozenset(("advmod", "det", "aux", "cop", "case", "cc", "nummod", "mark", "fixed", "amod"))
_ARGUMENTS = ("nsubj", "obj", "iobj", "obl", "csubj", "nmod", "conj", "attr", "dep")
_CLAUSES = ("ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis")
_COMPLEMENTS = ("xcomp", "ccomp", "csubj")
_SCOPE = ("amod", "advmod", "obj", "xcomp", "compound", "nsubj", "det", "obl", "acl", "nummod")


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation, or a word that denies by itself.

    Attributes:
        cues: Positions of the words that deny: one, or two as in "neither ... nor".
        denied: Positions of what is denied, the most telling first; never a cue alone unless nothing else is there.
        is_word: Whether the cue says more than "not": "refuse", "unable", "unaware".
        is_phrase: Whether the cue belongs to a noun and not to a verb: "no water", "without water".
    """

    cues: tuple[int, ...]
    denied: tuple[int, ...]
    is_word: bool = False
    is_phrase: bool = False


@dataclass(frozen=True, eq=False)
class Denials:
    """All denials of a sentence."""

    reading: Reading
    found: tuple[Denial, ...]

    @classmethod
    def of(cls, reading: Reading, denies: Callable[[Word], bool]) -> Denials:
        """Return the denials of a sentence; *denies* tells words that deny by themselves."""
        return cls(reading, tuple(_merged(reading, list(_denials(reading, denies)))))

    def reaches(self, denial: Denial, place: int) -> bool:
        """Return whether a word is denied or stands beside what is: "not a good man" reaches "good"."""
        if place in denial.denied:
            return True
        head = self.reading.heads[place]
        # "No visitors" says nothing of how often they came.
        denied = denial.denied[:1] if denial.is_phrase else denial.denied
        return head in denied and self.reading.relations[place].startswith(_SCOPE)

    def undoes(self, one: Denial, other: Denial) -> bool:
        """Return whether one negation stands within what another denies: "never seen one that could not fly"."""
        if not one.denied or not other.denied or one.is_word or other.is_word:
            return False
        for inner, outer in ((one, other), (other, one)):
            at = inner.denied[0]
            while self.reading.heads[at] >= 0 and not self.reading.relations[at].startswith(("conj", "parataxis")):
                at = self.reading.heads[at]
                if at == outer.denied[0]:
                    return True
        return False

    def limit(self, denial: Denial) -> int:
        """Return the position of an "until", "unless" or "but" that a negation goes with, -1 if there is none."""
        words = self.reading.words
        cue = denial.cues[0]
        if words[cue].text in _NO_ONE and any(word.text in _EXCEPT for word in words[cue + 1 : cue + 3]):
            return cue + 1 if words[cue + 1].text in _EXCEPT else cue + 2
        if words[cue].lemma not in ("not", "never"):
            return -1
        for place in range(denial.cues[-1] + 1, len(words)):
            if words[place].is_negation:
                break
            if words[place].text in _LIMITS:
                return place
        return -1


@dataclass(frozen=True, slots=True)
class SharedDenials:
    """Denials of two sentences: those that both have, those of one alone, and those that moved to other words.

    Attributes:
        both: Pairs that deny the same.
        moved: Pairs of which each denies what the other sentence affirms.
        original: What only the original denies.
        candidate: What only the candidate denies.
    """

    both: tuple[tuple[Denial, Denial], ...]
    moved: tuple[tuple[Denial, Denial], ...]
    original: tuple[Denial, ...]
    candidate: tuple[Denial, ...]


def share_denials(linked: Linked, ours: Sequence[Denial], theirs: Sequence[Denial]) -> SharedDenials:
    """Return which denials two sentences share."""
    options = sorted(
        (-score, a, b)
        for a, one in enumerate(ours)
        for b, other in enumerate(theirs)
        if not (_denies_denial(one, other, ours) or _denies_denial(other, one, theirs))
        and (score := _agreement(linked, one, other))
    )
    left, their_left = dict(enumerate(ours)), dict(enumerate(theirs))
    both = []
    for _, a, b in options:
        if a in left and b in their_left:
            both.append((left.pop(a), their_left.pop(b)))
    # A clause that is said twice is denied twice: "neither A nor B came" is "A did not come, and B did not come".
    for _, a, b in options:
        if a in left and b not in their_left and _is_new(left[a], linked.to_candidate):
            del left[a]
        elif b in their_left and a not in left and _is_new(their_left[b], linked.to_original):
            del their_left[b]
    moved = []
    for a, one in list(left.items()):
        for b, other in list(their_left.items()):
            same_cue = linked.to_candidate[one.cues[0]] == other.cues[0]
            said = _is_linked(one, linked.to_candidate), _is_linked(other, linked.to_original)
            if (one.is_word or other.is_word) and any(said) and not same_cue:
                continue
            if one.is_word and other.is_word and not same_cue:
                continue
            if said[0] != said[1] and _elsewhere(linked, one, other):
                continue  # "no A" became "A, but no B": one was dropped, the other added
            del left[a], their_left[b]
            if all(said):
                moved.append((one, other))
            else:  # what is denied was reworded
                both.append((one, other))
            break
    return SharedDenials(tuple(both), tuple(moved), tuple(left.values()), tuple(their_left.values()))


def _denies_denial(one: Denial, other: Denial, beside: Sequence[Denial]) -> bool:
    """Return whether *one* denies a word that denies, and *other* is such a word: "not impossible", "impossible"."""
    return other.is_word and not one.is_word and any(each.is_word and each.cues[0] in one.denied[:1] for each in beside)


def _is_new(denial: Denial, to: Sequence[int]) -> bool:
    """Return whether the other sentence does not say what is denied."""
    return any(to[place] < 0 for place in denial.denied[:1] if place not in denial.cues)


def _is_linked(denial: Denial, to: Sequence[int]) -> bool:
    """Return whether the other sentence says what is denied."""
    return any(to[place] >= 0 for place in denial.denied[:1] if place not in denial.cues)


def _elsewhere(linked: Linked, one: Denial, other: Denial) -> bool:
    """Return whether one side affirms what the other denies, and denies something new in a part of its own."""
    for reading, denial, other_denial, to in (
        (linked.candidate, one, other, linked.to_candidate),
        (linked.original, other, one, linked.to_original),
    ):
        if not denial.denied or not other_denial.denied or denial.denied[0] in denial.cues:
            continue
        place, new = to[denial.denied[0]], other_denial.denied[0]
        if place < 0 or place in other_denial.denied or new in other_denial.cues:
            continue
        is_new = (linked.to_original if reading is linked.candidate else linked.to_candidate)[new] < 0
        if is_new and (
            reading.relations[new] == "conj" or reading.relations[place] == "conj"
        ) and _joined(reading, new) == _joined(reading, place):  # fmt: skip
            return True
    return False


def _joined(reading: Reading, place: int) -> int:
    """Return the first of the words that are joined by "and" or "but" with the one at *place*."""
    while reading.relations[place] == "conj" and reading.heads[place] >= 0:
        place = reading.heads[place]
    return place


def _agreement(linked: Linked, one: Denial, other: Denial) -> int:
    """Return how well two denials agree in what they deny, 0 for not at all."""
    if not one.denied or not other.denied:
        return int(linked.to_candidate[one.cues[0]] == other.cues[0])
    to, back = linked.to_candidate, linked.to_original
    first, their_first = one.denied[0], other.denied[0]
    alike = one.is_word == other.is_word  # "rarely failed" and "failed" share a word, but not what they deny
    if to[first] == their_first:
        return 6 + alike
    # Both first words are said on the other side, but not denied: "no X but Y" became "X but no Y".
    if to[first] not in (-1, *other.denied) and back[their_first] not in (-1, *one.denied):
        # Within one clause parsers differ about what a negation depends on.
        if one.is_word or other.is_word or (one.is_phrase and other.is_phrase):
            return 0
        within = _clause(linked.original, first) == _clause(linked.original, back[their_first])
        return int(within and _clause(linked.candidate, to[first]) == _clause(linked.candidate, their_first))
    if _elsewhere(linked, one, other):
        return 0
    if any(to[place] in other.denied for place in one.denied):
        return 4 + alike
    ours, theirs = linked.original.words, linked.candidate.words
    lemmas = {ours[place].lemma for place in one.denied if ours[place].is_content}
    same = any(theirs[place].is_content and theirs[place].lemma in lemmas for place in other.denied)
    return 2 + alike if same else 0


def _children(reading: Reading) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in reading.words]
    for place, head in enumerate(reading.heads):
        if head >= 0:
            children[head].append(place)
    return children


def _clause(reading: Reading, place: int) -> int:
    """Return the head of the clause that a word belongs to."""
    while reading.heads[place] >= 0 and not reading.relations[place].startswith(_CLAUSES):
        if reading.relations[place] == "conj" and (reading.words[place].part == "v" or _has_subject(reading, place)):
            break
        place = reading.heads[place]
    return place


def _has_subject(reading: Reading, place: int) -> bool:
    relations = reading.relations
    return any(head == place and relations[child].startswith("nsubj") for child, head in enumerate(reading.heads))


def _denials(reading: Reading, denies: Callable[[Word], bool]) -> Iterator[Denial]:
    words = reading.words
    children: list[list[int]] | None = None
    for place, word in enumerate(words):
        if not word.may_deny:
            continue
        negates = word.is_negation and _negates(reading, place)
        if not negates and not _is_weak(reading, place) and not (word.is_content and denies(word)):
            continue
        if word.lemma in _NO_DENIAL_AFTER and place and words[place - 1].text in ("no", "without"):
            continue
        children = children or _children(reading)
        if negates or word.text in WEAK_ADVERBS or word.text in WEAK_AMOUNTS:
            head = reading.heads[place]
            is_phrase = reading.relations[place].startswith(("det", "case", "amod")) and words[head].text != "one"
            yield Denial((place,), _denied(reading, place, children), is_phrase=is_phrase)
        else:
            governs = denies_its_clause(word)
            complement = tuple(
                child for child in children[place] if governs and reading.relations[child].startswith(_COMPLEMENTS)
            )
            thing = tuple(
                child for child in children[place] if reading.relations[child] == "obj" and word.lemma == "lack"
            )
            yield Denial((place,), (*complement[:1], *thing[:1], place), is_word=True)


def _negates(reading: Reading, place: int) -> bool:
    words = reading.words
    text, after = words[place].text, words[place + 1 :]
    if not after:
        return text not in ("no", "not")  # "said no", "or not"
    if text == "no" and (after[0].is_mark or after[0].text[0].isdigit()):  # "No, ...", "No 207"
        return False
    if text in ("no", "without") and after[0].lemma in _NO_DENIAL_AFTER:
        return False  # "no doubt"
    if text == "not" and place and words[place - 1].text == "or":
        return False  # "whether or not"
    if after[0].text in _BOUNDING and len(after) > 1 and after[1].text == "than":
        return False  # "no more than ten"
    if after[0].text in _NOT_DENYING_BEFORE and any(word.text in ("but", "also") for word in after):
        return False  # "not only"
    # "isn't it?" asks for agreement.
    return not (text in ("n't", "not") and after[-1].text == "?" and [word.tag for word in after[:-1]] == ["PRP"])


def _is_weak(reading: Reading, place: int) -> bool:
    """Return whether a word says "hardly any" or "hardly ever": few and little, but not a few or the little house."""
    text = reading.words[place].text
    if text in WEAK_ADVERBS:
        return True
    if text not in WEAK_AMOUNTS:
        return False
    before = reading.words[place - 1].tag if place else ""
    return before not in ("DT", "PRP$", "POS", "JJ", "CD") and (
        text == "few" or (place + 1 < len(reading.words) and reading.words[place + 1].tag in ("NN", "JJ", "NNP"))
    )


def _denied(reading: Reading, place: int, children: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return what a negation denies: its head, past words that only carry it, and the verb of a denied noun."""
    words, heads, relations = reading.words, reading.heads, reading.relations
    at = _head(reading, place)
    if at < 0:
        return tuple(child for child in children[place] if words[child].is_content)[:1]
    while heads[at] >= 0 and relations[at].partition(":")[0] in _CARRIED and (
        not words[at].is_content or words[at].text in _CARRIERS or words[at].part == "r"
    ):  # fmt: skip
        at = heads[at]
    found = [at]
    if words[at].text in _CARRIERS and _verb_of(reading, at):  # "not one of the witnesses"
        found = [*_verb_of(reading, at), *(child for child in children[at] if words[child].part == "n")]
    elif words[at].part in ("n", "a") and not _has_subject(reading, at):
        found += _verb_of(reading, at)
    elif not words[at].is_content:  # "did not have any effect" denies the effect, as "had no effect" does
        found = [*_told(reading, at, children), at]
    if words[at].lemma in _RAISING:
        found += [child for child in children[at] if relations[child].startswith(("ccomp", "xcomp"))]
    # "none of the witnesses"
    found += [child for child in children[place] if words[child].part == "n"]
    if relations[place].startswith("case"):  # "without water" says nothing of the verb
        found = found[:1]
    return tuple(dict.fromkeys(found))


def _head(reading: Reading, place: int) -> int:
    """Return the head of a negation; where a parser has "not" depend on a word before it, the verb that follows."""
    head = reading.heads[place]
    if 0 <= head < place and reading.words[place].lemma in ("not", "never"):
        for after in range(place + 1, min(place + 4, len(reading.words))):
            if reading.words[after].is_mark:
                break
            if reading.words[after].tag.startswith("VB"):
                return after
    return head


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
            kept[-1] = replace(
                last, cues=last.cues + denial.cues, denied=tuple(dict.fromkeys(last.denied + denial.denied))
            )
        else:
            kept.append(denial)
    yield from kept


def denies_its_clause(word: Word) -> bool:
    """Return whether a word that denies turns the clause it governs round: "failed to win" is "did not win"."""
    return word.lemma in DENYING_THEIR_CLAUSE
