"""A sentence as the judges read it: the words as written, with everything known about each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paragauge._core import ComparedWord
from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.sentence import Analysis
from paragauge.judges.closed_words import (
    DATE_WORDS,
    NEGATIONS,
    NEGATIVE_WORDS,
    OPPOSED,
    QUANTIFIER_GROUPS,
    WEAK_ADVERBS,
    WEAK_AMOUNTS,
    negated_forms,
    number_value,
)
from paragauge.judges.marked import word_set
from paragauge.judges.vectors import WordVectors
from paragauge.text.normalize import porter_stem

_CONTENT_TAGS = ("NN", "VB", "JJ", "RB", "CD", "FW", "GW", "ADD", "UH")
_LIGHT_LEMMAS = word_set("be have do get will would shall should can could may might must ca wo")
_LIGHT_ADVERBS = word_set("not n't also so too then just very really quite even as there here")
_PARTS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
_SUBJECT_FORMS = {"me": "i", "him": "he", "us": "we", "them": "they", "her": "she"}  # of pronouns
_TWO = word_set("couple pair")  # before "of"
DENYING_PARTS = ("a", "r")  # parts of speech of words that deny by their form: "unaware", "carelessly"
_MOST_WORDS = 1 << 15  # with all that is known about them about 40 MB
_LONGEST_PHRASE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word form with its tag and everything known about it; each is created once, so identity means equality.

    Attributes:
        text: The word in lower case.
        tag: Its Penn tag.
        lemma: Its lemma.
        stem: Its Porter stem.
        part: Part of speech in WordNet: n, v, a or r; "" for others.
        is_content: Whether it is a content word.
        is_mark: Whether it has neither letter nor digit.
        is_name: Whether it is tagged as a proper noun.
        number: Its value, for numbers.
        is_date: Whether it is a month, a weekday or the like.
        is_negation: Whether it is a negation.
        may_deny: Whether it may deny something: as a negation, as a word such as "few", or by what it means.
        group: The family and group of quantifiers, modals or opposed prepositions that it belongs to, if any.
        synsets: Its synsets in WordNet.
        vector: Its row among the word vectors, -1 for none.
        count: Number of occurrences in the parallel text.
        information: Information content from 0 to 1; rarer words have more.
        compared: What the native core needs to compare it with other words.
    """

    text: str
    tag: str
    lemma: str
    stem: str
    part: str
    is_content: bool
    is_mark: bool
    is_name: bool
    number: float | None
    is_date: bool
    is_negation: bool
    may_deny: bool
    group: tuple[str, str] | None
    synsets: frozenset[int]
    vector: int
    count: int
    information: float
    compared: ComparedWord

    def __repr__(self) -> str:
        return f"<{self.text} {self.tag}>"


class Phrase(NamedTuple):
    """Words from *begin* to *end* that form one lemma in WordNet, with its synsets."""

    begin: int
    end: int
    synsets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence that was read.

    Attributes:
        text: The text as written.
        surface: Its tokens as written.
        words: Its tokens in lower case, with everything known about them.
        heads: Position of each word's head, -1 for none.
        relations: Relation of each word to its head.
        content: Positions of content words.
        phrases: Multi-word lemmas of WordNet, such as "put off".
    """

    text: str
    surface: tuple[str, ...]
    words: tuple[Word, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    content: tuple[int, ...]
    phrases: tuple[Phrase, ...]

    @property
    def tagged(self) -> list[tuple[str, str]]:
        """The words in lower case, each with its tag."""
        return [(word.text, word.tag) for word in self.words]

    @property
    def compared(self) -> list[ComparedWord]:
        """The words as the native core compares them."""
        return [word.compared for word in self.words]

    @property
    def is_empty(self) -> bool:
        """Whether there are no words besides punctuation."""
        return all(word.is_mark for word in self.words)


def _counted(text: str, surface: Sequence[str], tags: Sequence[str]) -> Sequence[str]:
    """Return the tags of the words of *text*, with "a couple of" as the number that it is."""
    lowered = text.lower()
    if all(word not in lowered for word in _TWO):  # most texts
        return tags
    follows = (*(word.lower() for word in surface[1:]), "")
    return ["CD" if word.lower() in _TWO and after == "of" else tag
            for word, after, tag in zip(surface, follows, tags, strict=True)]  # fmt: skip


class Reader:
    """Turns sentences into readings; recent readings are cached, since originals recur for every system.

    Args:
        tokenize: Splits a sentence into Penn tokens.
        analyse: Returns tags and dependencies of tokenised sentences.
        lexicon: WordNet.
        vectors: Vectors of stems.
        remembered: Number of readings to cache.
    """

    def __init__(
        self,
        tokenize: Callable[[str], Sequence[str]],
        analyse: Callable[[list[Sequence[str]]], list[Analysis]],
        lexicon: Lexicon,
        vectors: WordVectors,
        *,
        remembered: int = 4096,
    ) -> None:
        self._tokenize = tokenize
        self._analyse = analyse
        self._lexicon = lexicon
        self._vectors = vectors
        self._remembered = remembered
        self._words: dict[tuple[str, str, str], Word] = {}
        self._written: dict[tuple[str, str], Word] = {}  # the same words, by every spelling
        self._readings: dict[str, Reading] = {}
        self._known_phrases: dict[int, frozenset[int]] = {}

    def read(self, sentences: Iterable[str]) -> list[Reading]:
        """Return the reading of each sentence."""
        texts = list(sentences)
        known = self._readings
        new = [text for text in dict.fromkeys(texts) if text not in known]
        fresh = dict(zip(new, self._read_new(new), strict=True)) if new else {}
        found = [fresh[text] if text in fresh else known[text] for text in texts]
        if len(known) + len(fresh) > self._remembered:
            known.clear()
        if len(fresh) <= self._remembered:
            known.update(fresh)
        return found

    def _read_new(self, texts: Sequence[str]) -> Iterable[Reading]:
        tokens = [self._tokenize(text) for text in texts]
        for text, surface, analysis in zip(texts, tokens, self._analyse([*tokens]), strict=True):
            tags = _counted(text, surface, analysis.tags or ())
            words = tuple([self._written.get(key) or self._word(key) for key in zip(surface, tags, strict=True)])
            content = tuple([place for place, word in enumerate(words) if word.is_content])
            heads, relations = analysis.heads or (), analysis.relations or ()
            yield Reading(text, tuple(surface), words, heads, relations, content, tuple(self._phrases(words)))

    def _phrases(self, words: Sequence[Word]) -> Iterator[Phrase]:
        """Yield multi-word lemmas; every word is matched by its lemma."""
        lemmas = ["" if word.is_mark else word.lemma for word in words]
        for begin, end, number in self._lexicon.native.find_phrases(lemmas, _LONGEST_PHRASE):
            synsets = self._known_phrases.get(number)
            if synsets is None:
                synsets = self._known_phrases[number] = frozenset(self._lexicon.native.synsets(number))
            yield Phrase(begin, end, synsets)

    def _word(self, key: tuple[str, str]) -> Word:
        word = self._written.get(key)
        if word is None:
            if len(self._written) >= _MOST_WORDS:
                self._words.clear()
                self._written.clear()
            surface, tag = key
            lowered = (surface.lower().replace("’", "'"), tag, self._lexicon.lemma(surface, tag))
            word = self._words.get(lowered)
            if word is None:
                word = self._words[lowered] = self._new_word(*lowered)
            self._written[key] = word
        return word

    def _new_word(self, text: str, tag: str, lemma: str) -> Word:
        stem = porter_stem(text)
        if tag == "PRP":
            lemma = _SUBJECT_FORMS.get(lemma, lemma)
        if text == "%":
            lemma = stem = "percent"
        is_mark = text != "%" and not any(map(str.isalnum, text))
        is_name = tag.startswith("NNP")
        is_negation = text in NEGATIONS or lemma in NEGATIONS
        # "one" is mostly a pronoun, a "second" a unit of time.
        is_other = (text == "one" and tag != "CD") or (text == "second" and tag.startswith("NN"))
        number = None if is_other else 2.0 if text in _TWO and tag == "CD" else number_value(text)
        is_content = number is not None or (
            not is_mark
            and not is_negation
            and tag.startswith(_CONTENT_TAGS)
            and lemma not in _LIGHT_LEMMAS
            and text not in _LIGHT_ADVERBS
        )
        # "rose" is a flower in most tables; of an inflected form the lemma is the better witness.
        vector, count, information = self._vectors.look_up(porter_stem(lemma) if lemma != text else stem)
        if vector < 0:
            vector, count, information = self._vectors.look_up(stem)
        group = None if is_name or is_negation else QUANTIFIER_GROUPS.get(lemma)
        part = _PARTS.get(tag[:2], "")
        is_date = text in DATE_WORDS
        denied = negated_forms(text)
        denied_by_lemma = denied if lemma == text else negated_forms(lemma)
        says_not = lemma in NEGATIVE_WORDS or (part in DENYING_PARTS and len(denied_by_lemma) > 0)
        entry = self._lexicon.number(lemma)
        compared = ComparedWord(
            text=text,
            lemma=lemma,
            stem=stem,
            group=" ".join(group or ()),
            part=part,
            is_mark=is_mark,
            is_content=is_content,
            is_name=is_name,
            is_date=is_date,
            is_negation=is_negation,
            number=number,
            information=information,
            vector=vector,
            entry=entry,
            denied=denied,
            denied_by_lemma=denied_by_lemma | OPPOSED.get(lemma, frozenset()),
        )
        return Word(
            text=text,
            tag=tag,
            lemma=lemma,
            stem=stem,
            part=part,
            is_content=is_content,
            is_mark=is_mark,
            is_name=is_name,
            number=number,
            is_date=is_date,
            is_negation=is_negation,
            may_deny=is_negation or text in WEAK_ADVERBS or text in WEAK_AMOUNTS or (is_content and says_not),
            group=group,
            synsets=frozenset(self._lexicon.native.synsets(entry)) if is_content and entry >= 0 else frozenset(),
            vector=vector,
            count=count,
            information=information,
            compared=compared,
        )
