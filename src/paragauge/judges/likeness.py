"""How alike two words are, and why: the same word, another form of it, a synonym, or shared translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rapidfuzz.distance import JaroWinkler

from paragauge.analysis.lexicon import Lexicon
from paragauge.judges.closed_words import negated_forms
from paragauge.judges.reading import Reading, Word
from paragauge.judges.vectors import WordVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REMEMBERED = 1 << 19

_FORM = 0.95  # another form of the same word
_DERIVED = 0.85  # decide and decision
_SYNONYM = 0.6  # in WordNet, of any sense: a floor that shared translations raise
_GROUP = 0.7  # two quantifiers or modals of one group
_SPELLED_ALIKE = 0.85  # Jaro-Winkler similarities up to here say nothing
_UNRELATED = 0.45  # cosines up to here say nothing: one pair of words in seventy by chance
_TRUSTED = 50.0  # occurrences at which a word's vector is believed by half


class Evidence(NamedTuple):
    """Why two words are linked: how strong it is, from 0 to 1, and of what kind."""

    score: float
    kind: str


NOTHING = Evidence(0.0, "")
SAME = Evidence(1.0, "same")
_FORMS = Evidence(_FORM, "form")
_GROUPS = Evidence(_GROUP, "group")
_NUMBERS = Evidence(1.0, "number")


class Likeness:
    """Compares words through WordNet and through vectors of their translations."""

    def __init__(self, lexicon: Lexicon, vectors: WordVectors) -> None:
        self.lexicon = lexicon
        self.vectors = vectors
        self._opposite: dict[tuple[str, str], bool] = {}

    def cosines(self, one: Reading, other: Reading) -> NDArray[np.float32]:
        """Return the cosines of all content words of two sentences; 0 where a word has no vector."""
        rows = self.vectors.rows
        ours = [one.words[place].vector for place in one.content]
        theirs = [other.words[place].vector for place in other.content]
        table: NDArray[np.float32] = rows[ours] @ rows[theirs].T
        return table

    def cosine(self, one: Word, other: Word) -> float:
        """Return the cosine of two words."""
        rows = self.vectors.rows
        return float(rows[one.vector] @ rows[other.vector])

    def compare(self, one: Word, other: Word, cosine: float) -> Evidence:
        """Return the best evidence that two words say the same."""
        if one is other or one.text == other.text:
            return SAME
        if one.lemma == other.lemma:
            return _FORMS
        if one.number is not None or other.number is not None:
            return _NUMBERS if one.number == other.number else NOTHING
        if (one.group and one.group == other.group) or (one.is_negation and other.is_negation):
            return _GROUPS
        if not (one.is_content and other.is_content) or one.is_date or other.is_date:
            return NOTHING
        if one.stem == other.stem:
            return _FORMS
        score, kind = 0.0, ""
        if cosine > _UNRELATED and not (one.is_name and other.is_name):
            score, kind = cosine * cosine, "translation"
        if not one.synsets.isdisjoint(other.synsets):
            score, kind = 1 - (1 - _SYNONYM) * (1 - score), "synonym"
        elif score < _DERIVED and (other.lemma in one.derived or one.lemma in other.derived):
            score, kind = _DERIVED, "derived"
        elif score < 1 and (one.vector < 0 or other.vector < 0 or one.is_name or other.is_name):
            alike = self._spelled_alike(one.text, other.text)
            if alike > score:
                score, kind = alike, "spelling"
        if kind and self.opposite(one, other):
            return NOTHING
        return Evidence(score, kind) if kind else NOTHING

    @staticmethod
    def _spelled_alike(one: str, other: str) -> float:
        if len(one) < 4 or len(other) < 4:
            return 0.0
        alike = JaroWinkler.similarity(one, other, score_cutoff=_SPELLED_ALIKE)
        return float(max(0.0, (alike - _SPELLED_ALIKE) / (1 - _SPELLED_ALIKE)))

    def opposite(self, one: Word, other: Word) -> bool:
        """Return whether two words deny each other: antonyms, or one with a negative prefix."""
        key = (one.lemma, other.lemma)
        found = self._opposite.get(key)
        if found is None:
            if len(self._opposite) >= _REMEMBERED:
                self._opposite.clear()
            found = self._opposite[key] = self._opposed(*key)
        return found

    def _opposed(self, one: str, other: str) -> bool:
        if one in negated_forms(other) or other in negated_forms(one):
            return True
        return self.lexicon.are_antonyms(one, other, indirect=True)

    def surely_different(self, one: Word, other: Word) -> float:
        """Return how sure it is that two words mean different things, from 0 to 1: both known well, nothing shared."""
        if (one.is_name and other.is_name) or one.number is not None or other.number is not None:
            return 1.0
        if one.vector < 0 or other.vector < 0:
            return 0.5
        seen = min(one.count, other.count)
        apart = max(0.0, 1 - max(0.0, self.cosine(one, other)) / _UNRELATED)
        return seen / (seen + _TRUSTED) * apart
