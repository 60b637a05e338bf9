"""A sentence as the judges read it: words as written, with what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.sentence import Analysis
from paragauge.judges.closed_words import DATE_WORDS, NEGATIONS, QUANTIFIER_GROUPS, number_value
from paragauge.judges.marked import word_set
from paragauge.judges.vectors import WordVectors
from paragauge.text.normalize import porter_stem

_CONTENT_TAGS = ("NN", "VB", "JJ", "RB", "CD", "FW", "GW", "ADD", "UH")
_LIGHT_LEMMAS = word_set("be have do get will would shall should can could may might must ca wo")
_LIGHT_ADVERBS = word_set("not n't also so too then just very really quite even as there here")
_PARTS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
_MOST_WORDS = 1 << 18
_LONGEST_PHRASE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One word form with its tag, and what is known of it; made once, so that two of them compare by identity.

    Attributes:
        text: The word in lower case.
        tag: Its Penn tag.
        lemma: Its lemma.
        stem: Its Porter stem.
        part: n, v, a or r, as WordNet calls parts of speech; "" for others.
        is_content: Whether it says something by itself.
        is_mark: Whether it has neither letter nor digit.
        is_name: Whether it is tagged as a proper noun.
        number: Its value, for numbers.
        is_date: Whether it is a month, a weekday or the like.
        is_negation: Whether it denies.
        group: The family and group of quantifiers, modals or opposed prepositions that it belongs to, if any.
        synsets: Its synsets in WordNet.
        derived: Lemmas that WordNet derives from it, or it from them.
        vector: Its row among the word vectors, -1 for none.
        count: How often the parallel text has it.
        information: How much it says, from 0 to 1: the rarer, the more.
        letters: Two characters in a row, its borders among them; none for punctuation.
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
    group: tuple[str, str] | None
    synsets: frozenset[int]
    derived: frozenset[str]
    vector: int
    count: int
    information: float
    letters: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{self.text} {self.tag}>"


class Phrase(NamedTuple):
    """Words from *begin* to *end* that WordNet has as one lemma, and the synsets of it."""

    begin: int
    end: int
    synsets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence, read.

    Attributes:
        text: As written.
        surface: Its tokens as written.
        words: Its tokens in lower case, with what is known of them.
        heads: For each word the position of its head, -1 for none.
        relations: For each word its relation to the head.
        content: Positions of content words.
        phrases: Words that WordNet has as one lemma, such as "put off".
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
    def is_empty(self) -> bool:
        """Whether there is no word, punctuation apart."""
        return all(word.is_mark for word in self.words)


class Reader:
    """Turns sentences into readings; recent ones are remembered, since originals come back for every system.

    Args:
        tokenize: Splits a sentence into Penn tokens.
        analyse: Gives tags, lemmas and dependencies of tokenised sentences.
        lexicon: WordNet.
        vectors: Of stems.
        remembered: How many readings to keep.
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
        self._readings: dict[str, Reading] = {}
        self._known_phrases: dict[str, frozenset[int]] = {}

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
            words = tuple(map(self._word, surface, analysis.tags or (), analysis.lemmas or ()))
            content = tuple(place for place, word in enumerate(words) if word.is_content)
            heads, relations = analysis.heads or (), analysis.relations or ()
            yield Reading(text, tuple(surface), words, heads, relations, content, tuple(self._phrases(words)))

    def _phrases(self, words: Sequence[Word]) -> Iterator[Phrase]:
        """Give the lemmas of several words; every word counts as its lemma."""
        for begin, first in enumerate(words):
            if first.is_mark:
                continue
            lemma = first.lemma
            for end in range(begin + 1, min(begin + _LONGEST_PHRASE, len(words))):
                if words[end].is_mark:
                    break
                lemma = f"{lemma}_{words[end].lemma}"
                synsets = self._known_phrases.get(lemma)
                if synsets is None:
                    if len(self._known_phrases) >= _MOST_WORDS:
                        self._known_phrases.clear()
                    synsets = self._known_phrases[lemma] = self._lexicon.synset_numbers(lemma)
                if synsets:
                    yield Phrase(begin, end + 1, synsets)

    def _word(self, surface: str, tag: str, lemma: str) -> Word:
        text = surface.lower().replace("’", "'")
        key = (text, tag, lemma)
        word = self._words.get(key)
        if word is None:
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            word = self._words[key] = self._new_word(*key)
        return word

    def _new_word(self, text: str, tag: str, lemma: str) -> Word:
        stem = porter_stem(text)
        is_mark = not any(map(str.isalnum, text))
        is_name = tag.startswith("NNP")
        is_negation = text in NEGATIONS or lemma in NEGATIONS
        # "one" is mostly a pronoun, "second" a unit of time.
        number = None if text in ("one", "second") and tag != "CD" else number_value(text)
        is_content = number is not None or (
            not is_mark
            and not is_negation
            and tag.startswith(_CONTENT_TAGS)
            and lemma not in _LIGHT_LEMMAS
            and text not in _LIGHT_ADVERBS
        )
        # "rose" is a flower in most tables; of an inflected form the lemma is the better witness.
        spelled = f"<{text}>"
        vector, count, information = self._vectors.look_up(porter_stem(lemma) if lemma != text else stem)
        if vector < 0:
            vector, count, information = self._vectors.look_up(stem)
        return Word(
            text=text,
            tag=tag,
            lemma=lemma,
            stem=stem,
            part=_PARTS.get(tag[:2], ""),
            is_content=is_content,
            is_mark=is_mark,
            is_name=is_name,
            number=number,
            is_date=text in DATE_WORDS,
            is_negation=is_negation,
            group=None if is_name or is_negation else QUANTIFIER_GROUPS.get(lemma),
            synsets=self._lexicon.synset_numbers(lemma) if is_content else frozenset(),
            derived=self._lexicon.derivations(lemma) if is_content and not is_name else frozenset(),
            vector=vector,
            count=count,
            information=information,
            letters=() if is_mark else tuple(map("".join, pairwise(spelled))),
        )
