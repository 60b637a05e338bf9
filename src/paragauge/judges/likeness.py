"""How alike two words are, and why: the same word, another form of it, a synonym, or shared translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import JaroWinkler

from paragauge import _core
from paragauge.analysis.lexicon import Lexicon
from paragauge.judges.closed_words import NEGATIVE_WORDS, negated_forms
from paragauge.judges.reading import DENYING_PARTS, Reading, Word
from paragauge.judges.settings import JudgeSettings
from paragauge.judges.vectors import WordVectors

_REMEMBERED = 1 << 16

_FORM = 0.95  # another form of the same word
_GROUP = 0.7  # two quantifiers or modals of one group
_SHORTEST_SPELLED = 4  # letters of words that may be compared by them
_SHORTEST_PART = 3  # letters of words that may be part of another
_SPELLED_ALIKE = 0.85  # Jaro-Winkler similarities up to here say nothing
_SENSES = 3  # of a word, the most frequent ones, that may be a kind of another word
_NEIGHBOUR = 0.06  # a neighbour, or the head, that is the same word on both sides
_DISTANCE = 0.05  # from one end of a sentence to the other
_DENIED_OPPOSITE = 0.9  # how well "not thin" expresses "fat"


class Evidence(NamedTuple):
    """Evidence for a link between two words: its strength, from 0 to 1, and its kind."""

    score: float
    kind: str


class Link(NamedTuple):
    """Two words with the same meaning: positions in original and candidate, and the evidence."""

    original: int
    candidate: int
    evidence: Evidence


class Unsaid(NamedTuple):
    """How much of a sentence the other does not express: shares of the information of its words.

    Attributes:
        loss: Of all words.
        content_loss: Of content words.
        other_loss: Of all words but those that a change explains.
        other_content_loss: Of content words but those.
    """

    loss: float
    content_loss: float
    other_loss: float
    other_content_loss: float


class Links(NamedTuple):
    """The links between two sentences.

    Attributes:
        links: Linked words, in the order of the original.
        to_candidate: Linked position in the candidate for each position of the original, -1 for none.
        to_original: The same the other way round.
        said: For each position of the original how well the candidate expresses it, from 0 to 1, whatever the links.
        supported: For each position of the candidate how well the original supports it, likewise.
        in_phrases: Pairs of positions inside phrases that mean the same.
        kind_bits: A bit for each kind of evidence that was found.
    """

    links: tuple[Link, ...]
    to_candidate: tuple[int, ...]
    to_original: tuple[int, ...]
    said: tuple[float, ...]
    supported: tuple[float, ...]
    in_phrases: list[tuple[int, int]]
    kind_bits: int

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of evidence that were found, whether it led to a link or not."""
        return frozenset(name for number, name in enumerate(_KINDS) if self.kind_bits >> number & 1)


# In the order in which the native core numbers them.
_KINDS = (
    "same", "form", "number", "group", "opposite", "synonym", "derived", "kind", "translation", "spelling", "phrase",
)  # fmt: skip


class Likeness:
    """Compares words through WordNet and through vectors of their translations."""

    def __init__(self, lexicon: Lexicon, vectors: WordVectors, settings: JudgeSettings) -> None:
        self.lexicon = lexicon
        self.vectors = vectors
        self.settings = settings
        self._denies: dict[tuple[str, str], bool] = {}
        self._native = _core.NativeLikeness(
            lexicon.native,
            lexicon.relations,
            _core.LikenessVectors(
                codes=np.ravel(vectors.codes), scales=vectors.scales, trust=vectors.trust(settings.trusted)
            ),
            _core.LikenessSettings(
                form=_FORM,
                group=_GROUP,
                synonym=settings.synonym,
                derived=settings.derived,
                related=settings.related,
                phrase=settings.phrase,
                least=settings.least,
                unrelated_square=settings.unrelated**2,
                spelled_alike=_SPELLED_ALIKE,
                contained=settings.contained > 0,
                noun_steps=int(settings.noun_steps),
                verb_steps=int(settings.verb_steps),
                senses=_SENSES,
                neighbour=_NEIGHBOUR,
                distance=_DISTANCE,
                enough=settings.enough,
                information_power=settings.information_power,
                name_weight=settings.name_weight,
                denied_opposite=_DENIED_OPPOSITE,
            ),
        )

    def link(self, one: Reading, other: Reading) -> Links:
        """Return the links between two sentences.

        The strongest evidence is taken first, at most one link per word; neighbours, heads and positions break ties.
        """
        phrases = list(self._phrase_places(one, other))
        linked, to_other, to_one, said, supported, kinds = self._native.link(
            one.compared, other.compared, first_heads=one.heads, second_heads=other.heads, phrases=phrases,
            spelling=self._spelled,
        )  # fmt: skip
        links = tuple(Link(i, j, Evidence(score, _KINDS[kind])) for i, j, kind, score in linked)
        counted = phrases if self.settings.phrase >= self.settings.least else []
        return Links(links, to_other, to_one, said, supported, counted, kinds)

    def unsaid(
        self, reading: Reading, expressed: Sequence[float], *, denied: Iterable[int], explained: Iterable[int]
    ) -> Unsaid:
        """Return how much of a sentence is not expressed.

        Args:
            reading: The sentence.
            expressed: How well each word is expressed, from 0 to 1.
            denied: Positions of words whose opposite is denied: they are said all the same.
            explained: Positions of words that a change explains.
        """
        return Unsaid(*self._native.unsaid(reading.compared, expressed, denied=list(denied), explained=list(explained)))

    def _spelled(self, one: str, other: str) -> float:
        return spelled_alike(one, other, contained=self.settings.contained)

    def _phrase_places(self, one: Reading, other: Reading) -> Iterator[tuple[int, int]]:
        """Yield the pairs of positions inside phrases, or in a phrase and a word, that share a synset."""
        if not self.settings.phrase:
            return
        for phrase in one.phrases:
            for place in other.content:
                if not phrase.synsets.isdisjoint(other.words[place].synsets):
                    yield from ((i, place) for i in range(phrase.begin, phrase.end))
            for their in other.phrases:
                if not phrase.synsets.isdisjoint(their.synsets):
                    for i in range(phrase.begin, phrase.end):
                        yield from ((i, j) for j in range(their.begin, their.end))
        for their in other.phrases:
            for place in one.content:
                if not their.synsets.isdisjoint(one.words[place].synsets):
                    yield from ((place, j) for j in range(their.begin, their.end))

    def opposite(self, one: Word, other: Word) -> bool:
        """Return whether two words are opposites: antonyms, or one with a negative prefix."""
        return self._native.opposite(one.compared, other.compared)

    def denies(self, word: Word) -> bool:
        """Return whether a word is negative: on a list, or with a negative prefix."""
        key = (word.lemma, word.part)
        found = self._denies.get(key)
        if found is None:
            if len(self._denies) >= _REMEMBERED:
                self._denies.clear()
            found = self._denies[key] = self._says_not(*key)
        return found

    def _says_not(self, lemma: str, part: str) -> bool:
        if lemma in NEGATIVE_WORDS:
            return True
        return part in DENYING_PARTS and any(self.lexicon.are_antonyms(lemma, form) for form in negated_forms(lemma))

    def surely_different(self, one: Word, other: Word) -> float:
        """Return the certainty, from 0 to 1, that two words differ in meaning: both well known, nothing shared."""
        if (one.is_name and other.is_name) or one.number is not None or other.number is not None:
            return 1.0
        if one.vector < 0 or other.vector < 0:
            return 0.5
        seen = min(one.count, other.count)
        cosine = max(0.0, self._native.cosine(one.vector, other.vector))
        return seen / (seen + self.settings.sure) * max(0.0, 1 - cosine / max(self.settings.unrelated, 1e-9))


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
