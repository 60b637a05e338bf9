"""What is known of each word, gathered once and handed to the native core as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.judges.closed_words import number_value
from paragauge.judges.marked import word_set
from paragauge.judges.vectors import WordVectors
from paragauge.storage.store import pack_strings
from paragauge.text.normalize import porter_stem

if TYPE_CHECKING:
    from paragauge.analysis.lexicon import Lexicon

_MOST_WORDS = 1 << 18
_MARK, _CONTENT, _NAME = 1, 2, 4
_CONTENT_TAGS = ("NN", "VB", "JJ", "RB", "CD", "FW", "GW", "ADD", "UH")
_LIGHT = word_set(
    "be have do get will would shall should can could may might must ca wo not n't also so too then just very really "
    "quite even as there here"
)
# One part for all tags that may replace each other.
_PARTS = {
    tag: part
    for part, tags in enumerate(
        ("NN NNS NNP NNPS", "VB VBD VBG VBN VBP VBZ", "JJ JJR JJS", "RB RBR RBS", "CD", "PRP PRP$ WP WP$ EX",
         "DT PDT WDT", "IN TO RP", "CC", "MD", "POS")
    )
    for tag in tags.split()
}  # fmt: skip
_OTHER_PART = 20
# Words and marks that annotators treat in ways of their own, each by its number.
_COMMON = {
    word: number
    for number, words in enumerate(
        ("the", "a", "of", "to", "in into", "for", "on upon", "at", "by", "with", "from", "and", "or", "but", "that",
         "which who", "this these those", "be", "have", "do", "will would shall", "can could may might must should",
         "not no", "it", "he she", "they we you i", "his her its their our my your", "'s '", "as", "than", "there",
         "also", "say tell", "what how when where why", "up out off", ",", ".", '"', "( )", "- -- : ;")
    )
    for word in words.split()
}  # fmt: skip
_FULL_FORMS = {
    "n't": "not", "ca": "can", "wo": "will", "'ll": "will", "'re": "be", "'m": "be", "'ve": "have", "cannot": "can",
    "an": "a", "''": '"', "``": '"', "-lrb-": "(", "-rrb-": ")", "&amp;": "&", "%": "percent", "u.s.": "us", "&": "and",
    "us$": "$", "jan.": "january", "feb.": "february", "mar.": "march", "apr.": "april", "aug.": "august",
    "sept.": "september", "sep.": "september", "oct.": "october", "nov.": "november", "dec.": "december",
}  # fmt: skip
_PRONOUNS = {"him": "he", "them": "they", "me": "i", "whom": "who"}  # lemmas that WordNet does not have
_TRUSTED = 10.0  # occurrences at which a vector is believed by half
_SHORTEST_CONTENT = 4  # letters, where nothing else is known of a word


class _Word(NamedTuple):
    form: int
    cased: int
    lemma: int
    stem: int
    number: int
    part: int
    common: int
    flags: int
    vector: int
    entry: int
    information: float
    text: str
    synsets: tuple[int, ...]
    derived: tuple[int, ...]
    opposites: tuple[int, ...]
    kinds: tuple[int, ...]


class _Numbers(dict[str, int]):
    """Numbers things as they come."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


class Batch(NamedTuple):
    """Sentence pairs in the form that the native core takes."""

    facts: _core.FactColumns
    source: tuple[NDArray[np.int32], NDArray[np.int64]]
    target: tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(eq=False)
class WordBook:
    """Facts about words, each found once.

    Attributes:
        lexicon: WordNet, for English.
        vectors: Vectors of translations, for English.
    """

    lexicon: Lexicon | None
    vectors: WordVectors | None
    _words: dict[tuple[str, str], _Word] = field(default_factory=dict)
    _strings: _Numbers = field(default_factory=_Numbers)

    @cached_property
    def trust(self) -> NDArray[np.float32]:
        """How far the vector of each row is believed, from 0 to 1."""
        return self.vectors.trust(_TRUSTED)[:-1] if self.vectors is not None else np.empty(0, np.float32)

    def batch(self, source: Sequence[Tagged], target: Sequence[Tagged]) -> Batch:
        """Return sentence pairs with the facts about their words."""
        if len(self._words) > _MOST_WORDS:
            self._words.clear()
            self._strings.clear()
        places: dict[tuple[str, str], int] = {}
        encoded = []
        for sentences in (source, target):
            ids = np.fromiter(
                (places.setdefault(word, len(places)) for word in chain.from_iterable(sentences)), dtype=np.int32
            )
            offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
            np.cumsum([len(sentence) for sentence in sentences], out=offsets[1:])
            encoded.append((ids, offsets))
        known = self._words
        return Batch(_columns([known.get(word) or self._add(word) for word in places]), encoded[0], encoded[1])

    def _add(self, key: tuple[str, str]) -> _Word:
        word = self._words[key] = self._english(*key) if self.lexicon is not None else self._any(key[0])
        return word

    def _english(self, surface: str, tag: str) -> _Word:
        lexicon = self.lexicon
        assert lexicon is not None  # noqa: S101
        number_of = self._strings
        text = surface.lower().replace("’", "'")
        full = _FULL_FORMS.get(text, text)
        lemma = _FULL_FORMS.get(text) or _PRONOUNS.get(text) or lexicon.lemma(text, tag)
        # A verb as a noun, a participle as an adjective: the form without its ending, whatever the tag says.
        root = lexicon.lemma(text) if lemma == text else lemma
        is_mark = not any(map(str.isalnum, full))
        stem = porter_stem(full)
        value = None if full in ("one", "second") and tag != "CD" else number_value(full)
        is_content = value is not None or (not is_mark and tag.startswith(_CONTENT_TAGS) and lemma not in _LIGHT)
        vector, information = -1, 1.0
        if self.vectors is not None:
            for form in (porter_stem(lemma), stem):
                vector, _, information = self.vectors.look_up(form)
                if vector >= 0:
                    break
        entry = int(lexicon.native.find(root)) if root.isascii() else -1
        related = lexicon.related_numbers(entry) if entry >= 0 and is_content else ((), (), (), ())
        return _Word(
            form=number_of[full],
            cased=number_of[surface],
            lemma=number_of[lemma],
            stem=number_of["stem " + porter_stem(root)],
            number=-1 if value is None else number_of[f"value {value:g}"],
            part=_PARTS.get(tag, _OTHER_PART),
            common=_COMMON.get(full, _COMMON.get(lemma, -1)),
            flags=_MARK * is_mark + _CONTENT * is_content + _NAME * tag.startswith("NNP"),
            vector=vector,
            entry=entry,
            information=information,
            text=text,
            synsets=related[0],
            derived=related[1],
            opposites=related[2],
            kinds=related[3],
        )

    def _any(self, surface: str) -> _Word:
        """A word of any language: its letters, and its value if it is a number in digits."""
        text = surface.lower()
        is_mark = not any(map(str.isalnum, text))
        value = number_value(text) if text[:1].isdigit() else None
        number_of = self._strings
        return _Word(
            form=number_of[text],
            cased=number_of[surface],
            lemma=number_of[text],
            stem=number_of[f"start {text[:4]} {min(len(text), 4)}"]
            if len(text) > _SHORTEST_CONTENT
            else number_of[text],
            number=-1 if value is None else number_of[f"value {value:g}"],
            part=_OTHER_PART,
            common=-1,
            flags=_MARK * is_mark + _CONTENT * (not is_mark and len(text) >= _SHORTEST_CONTENT),
            vector=-1,
            entry=-1,
            information=min(1.0, log(1 + len(text)) / log(12)),
            text=text,
            synsets=(),
            derived=(),
            opposites=(),
            kinds=(),
        )


Tagged = Sequence[tuple[str, str]]


def _sequences(rows: Iterable[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    listed = list(rows)
    offsets = np.zeros(len(listed) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in listed], out=offsets[1:])
    return np.fromiter(chain.from_iterable(listed), dtype=np.int32, count=int(offsets[-1])), offsets


def _columns(words: Sequence[_Word]) -> _core.FactColumns:
    def numbers(name: str) -> NDArray[np.int32]:
        return np.array([getattr(word, name) for word in words], dtype=np.int32)

    return _core.FactColumns(
        forms=numbers("form"),
        cased=numbers("cased"),
        lemmas=numbers("lemma"),
        stems=numbers("stem"),
        numbers=numbers("number"),
        parts=numbers("part"),
        common=numbers("common"),
        flags=numbers("flags"),
        vectors=numbers("vector"),
        entries=numbers("entry"),
        information=np.array([word.information for word in words], dtype=np.float32),
        letters=_sequences([list(map(ord, word.text)) for word in words]),
        synsets=_sequences([word.synsets for word in words]),
        derived=_sequences([word.derived for word in words]),
        opposites=_sequences([word.opposites for word in words]),
        kinds=_sequences([word.kinds for word in words]),
        text=pack_strings([word.text for word in words]),
    )
