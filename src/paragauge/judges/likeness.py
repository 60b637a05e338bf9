"""How alike two words are, and why: the same word, another form of it, a synonym, or shared translations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import JaroWinkler

from paragauge.analysis.lexicon import Lexicon
from paragauge.judges.closed_words import NEGATIVE_WORDS, negated_forms
from paragauge.judges.reading import Reading, Word
from paragauge.judges.settings import JudgeSettings
from paragauge.judges.vectors import WordVectors

_REMEMBERED = 1 << 19

_FORM = 0.95  # another form of the same word
_GROUP = 0.7  # two quantifiers or modals of one group
_SHORTEST_SPELLED = 4  # letters of words that may be compared by them
_SHORTEST_PART = 3  # letters of words that may be part of another
_SPELLED_ALIKE = 0.85  # Jaro-Winkler similarities up to here say nothing


class Evidence(NamedTuple):
    """Evidence for a link between two words: its strength, from 0 to 1, and its kind."""

    score: float
    kind: str


SAME = Evidence(1.0, "same")
FORM = Evidence(_FORM, "form")
NUMBER = Evidence(1.0, "number")
GROUP = Evidence(_GROUP, "group")
OPPOSITE = Evidence(0.0, "opposite")


class Likeness:
    """Compares words through WordNet and through vectors of their translations."""

    def __init__(self, lexicon: Lexicon, vectors: WordVectors, settings: JudgeSettings) -> None:
        self.lexicon = lexicon
        self.vectors = vectors
        self.settings = settings
        self._trust = vectors.trust(settings.trusted)
        self._phrase = Evidence(settings.phrase, "phrase")
        self._steps = {"n": int(settings.noun_steps), "v": int(settings.verb_steps)}
        self._opposite: dict[tuple[str, ...], bool] = {}
        self._related: dict[tuple[str, ...], bool] = {}
        self._denies: dict[tuple[str, ...], bool] = {}

    def of_translations(self, one: Reading, other: Reading) -> NDArray[np.float32]:
        """Return the squared cosines of all words of two sentences, 0 for words without a vector or far apart."""
        ours, theirs = [word.vector for word in one.words], [word.vector for word in other.words]
        cosines: NDArray[np.float32] = np.maximum(self.vectors.cosines(ours, theirs), 0)
        trust = self._trust
        believed: NDArray[np.float32] = np.minimum(trust[ours][:, None], trust[theirs][None, :])
        return cosines * cosines * believed

    def evidence(self, one: Reading, other: Reading, alike: NDArray[np.float32]) -> Iterator[tuple[int, int, Evidence]]:
        """Yield the pairs of positions with evidence for or against the same meaning."""
        near = (alike > self.settings.unrelated**2).tolist()
        squares = alike.tolist()
        others = other.words
        for i, word in enumerate(one.words):
            if word.is_mark:
                continue
            for j, their in enumerate(others):
                if word is their or word.text == their.text:
                    yield i, j, SAME
                elif their.is_mark:
                    continue
                elif word.lemma == their.lemma:
                    yield i, j, FORM
                elif word.number is not None or their.number is not None:
                    if word.number == their.number:
                        yield i, j, NUMBER
                elif word.is_content and their.is_content:
                    evidence = self._compare(word, their, squares[i][j] if near[i][j] else 0.0)
                    if evidence is not None:
                        yield i, j, evidence
                elif (word.group and word.group == their.group) or (word.is_negation and their.is_negation):
                    yield i, j, GROUP

    def phrase_evidence(self, one: Reading, other: Reading) -> Iterator[tuple[int, int, Evidence]]:
        """Yield the pairs of positions inside phrases, or in a phrase and a word, that share a synset."""
        if not self.settings.phrase:
            return
        for phrase in one.phrases:
            for place in other.content:
                if not phrase.synsets.isdisjoint(other.words[place].synsets):
                    yield from ((i, place, self._phrase) for i in range(phrase.begin, phrase.end))
            for their in other.phrases:
                if not phrase.synsets.isdisjoint(their.synsets):
                    for i in range(phrase.begin, phrase.end):
                        yield from ((i, j, self._phrase) for j in range(their.begin, their.end))
        for their in other.phrases:
            for place in one.content:
                if not their.synsets.isdisjoint(one.words[place].synsets):
                    yield from ((place, j, self._phrase) for j in range(their.begin, their.end))

    def _compare(self, one: Word, other: Word, translated: float) -> Evidence | None:
        """Return the best evidence about two content words that differ in text and lemma, None if there is none."""
        if one.is_date or other.is_date:
            return None
        if one.stem == other.stem:
            found = FORM
        elif one.group and one.group == other.group:
            found = GROUP
        elif self.settings.synonym and not one.synsets.isdisjoint(other.synsets):
            found = Evidence(1 - (1 - self.settings.synonym) * (1 - translated), "synonym")
        elif self.settings.derived and (other.lemma in one.derived or one.lemma in other.derived):
            found = Evidence(max(self.settings.derived, translated), "derived")
        elif translated < self.settings.related and self.related(one, other):
            found = Evidence(self.settings.related, "kind")
        elif translated and not (one.is_name and other.is_name):
            found = Evidence(translated, "translation")
        elif one.vector < 0 or other.vector < 0 or one.is_name or other.is_name:
            alike = spelled_alike(one.text, other.text, contained=self.settings.contained)
            if not alike:
                return None
            found = Evidence(alike, "spelling")
        else:
            return None
        return OPPOSITE if self.opposite(one, other) else found

    def opposite(self, one: Word, other: Word) -> bool:
        """Return whether two words are opposites: antonyms, or one with a negative prefix."""
        if one.part != "n" and other.part != "n" and one.stem != other.stem and _prefixed(one.text, other.text):
            return True  # "staffed" has the lemma "staff", "unstaffed" itself
        return _remember(self._opposite, (one.lemma, other.lemma), self._opposed)

    def related(self, one: Word, other: Word) -> bool:
        """Return whether WordNet has one word as a kind of the other, or two adjectives as similar."""
        if one.part != other.part or one.is_name or other.is_name or not one.synsets or not other.synsets:
            return False
        return _remember(self._related, (one.part, one.lemma, other.lemma), self._are_related)

    def denies(self, word: Word) -> bool:
        """Return whether a word is negative: on a list, or with a negative prefix."""
        return _remember(self._denies, (word.lemma, word.part), self._says_not)

    def _says_not(self, lemma: str, part: str) -> bool:
        if lemma in NEGATIVE_WORDS:
            return True
        return part in ("a", "r") and any(self.lexicon.are_antonyms(lemma, form) for form in negated_forms(lemma))

    def _are_related(self, part: str, one: str, other: str) -> bool:
        if part == "a":
            return self.lexicon.similar(one, other)
        steps = self._steps.get(part)
        if not steps:
            return False
        return self.lexicon.is_kind_of(one, other, steps) or self.lexicon.is_kind_of(other, one, steps)

    def _opposed(self, one: str, other: str) -> bool:
        if one in negated_forms(other) or other in negated_forms(one):  # "harmless" and "harmful", too
            return True
        return self.lexicon.are_antonyms(one, other, indirect=True)

    def surely_different(self, one: Word, other: Word) -> float:
        """Return the certainty, from 0 to 1, that two words differ in meaning: both well known, nothing shared."""
        if (one.is_name and other.is_name) or one.number is not None or other.number is not None:
            return 1.0
        if one.vector < 0 or other.vector < 0:
            return 0.5
        seen = min(one.count, other.count)
        cosine = max(0.0, float(self.vectors.cosines([one.vector], [other.vector])[0, 0]))
        return seen / (seen + self.settings.sure) * max(0.0, 1 - cosine / max(self.settings.unrelated, 1e-9))


def _prefixed(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return long.endswith(short) and short in negated_forms(long)


def _remember(known: dict[tuple[str, ...], bool], key: tuple[str, ...], ask: Callable[..., bool]) -> bool:
    found = known.get(key)
    if found is None:
        if len(known) >= _REMEMBERED:
            known.clear()
        found = known[key] = ask(*key)
    return found


def spelled_alike(one: str, other: str, *, contained: float = 0.0) -> float:
    """Return the similarity of two words' spelling, from 0 to 1; 0 for most pairs.

    Args:
        one: A word.
        other: Another.
        contained: Similarity if one word starts or ends with the other.

    >>> spelled_alike("Shamarko", "Shamarco") > 0.5, spelled_alike("house", "garden")
    (True, 0.0)
    >>> spelled_alike("nfldraft", "draft", contained=0.8)
    0.8
    """
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if contained and len(short) >= _SHORTEST_PART and (long.startswith(short) or long.endswith(short)):
        return contained
    if len(one) < _SHORTEST_SPELLED or len(other) < _SHORTEST_SPELLED:
        return 0.0
    alike = JaroWinkler.similarity(one, other, score_cutoff=_SPELLED_ALIKE)
    return float(max(0.0, (alike - _SPELLED_ALIKE) / (1 - _SPELLED_ALIKE)))
