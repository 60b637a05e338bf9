"""Sentences whose words know where they stand in the text, so that a change leaves the rest byte for byte.

A `MarkedText` holds the Penn tokens of a line with their character offsets, tags, lemmas and dependencies. A line of
several sentences is analysed sentence by sentence. A *word* is what a reader takes for one: ``don't`` and ``$5`` are
single words of two tokens.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from paragauge.analysis.providers import Provider
from paragauge.text import get_tokenizer

ROOT = -1
_QUOTES = frozenset('"“”')
_PENN_QUOTES = frozenset({"``", "''"})
_SYMBOLS = frozenset({"$", "%", "#", "&", "@"})  # which belong to the word they touch
_SENTENCE_END = re.compile(r"(\S+[.?!][\"”')\]]*)\s+(?=[\"“'(\[]?[A-Z])")
_ABBREVIATION = re.compile(
    r"(?:[A-Za-z]|\S*\.\S+|Mrs?|Ms|Drs?|Prof|St|Gen|Sen|Rep|Gov|Sgt|Col|Capt|Lt|Cmdr|Adm|Rev|Hon|Jr|Sr|vs|etc|No|Inc|"
    r"Corp|Co|Ltd|Bros|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.",
)
_VOWEL_SOUND = re.compile(r"(?:[aeiou]|8|1[18](?!\d)|hour|honest|hono|heir)", re.I)
_NO_VOWEL_SOUND = re.compile(r"(?:uni(?!n|m)|us[aeu]|util|eu|ew|one|once|ur[aei])", re.I)
NAME_TAGS = frozenset({"NNP", "NNPS"})


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list that is written as one string."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one string, as a set."""
    return frozenset(text.split())


NATIONS = word_set(
    "african american arab arabic asian australian austrian brazilian british canadian chinese christian cuban "
    "czech danish dutch egyptian english esperanto european finnish french german greek hebrew hungarian indian "
    "iranian iraqi irish islamic israeli italian japanese jewish korean latin mexican muslim norwegian pakistani "
    "palestinian polish portuguese roman russian scottish spanish swedish swiss turkish ukrainian welsh"
)
"""Adjectives and languages that are written with a capital letter."""

Edit = tuple[int, int, str]
"""Characters from, up to, and what they become."""


@dataclass(frozen=True)
class MarkedText:
    """One line of text and its tokens; all sequences but `words` have one entry for each token."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    sentence_of: tuple[int, ...]
    """The number of the sentence that the token is in."""

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens as the text spells them."""
        return tuple(self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True))

    @cached_property
    def lowered(self) -> tuple[str, ...]:
        return tuple(token.lower().replace("’", "'") for token in self.tokens)

    @cached_property
    def wordlike(self) -> tuple[bool, ...]:
        return tuple(any(map(str.isalnum, token)) for token in self.tokens)

    @cached_property
    def initial(self) -> frozenset[int]:
        """The first word of each sentence, where it has a capital letter."""
        first: dict[int, int] = {}
        for position, sentence in enumerate(self.sentence_of):
            if self.wordlike[position]:
                first.setdefault(sentence, position)
        return frozenset(position for position in first.values() if self.tokens[position][0].isupper())

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in range(len(self))]
        for position, head in enumerate(self.heads):
            if head != ROOT:
                found[head].append(position)
        return tuple(map(tuple, found))

    @cached_property
    def words(self) -> tuple[tuple[int, int], ...]:
        """The words of the text: their first token, and the one after their last."""
        found: list[tuple[int, int]] = []
        begin = 0
        for position in range(1, len(self) + 1):
            if position < len(self) and self.glued(position) and self._in_word(position - 1, position):
                continue
            if any(self.wordlike[begin:position]):
                found.append((begin, position))
            begin = position
        return tuple(found)

    def _in_word(self, before: int, after: int) -> bool:
        return all(
            self.wordlike[position] or self.tokens[position] in _SYMBOLS or self.tags[position] == "POS"
            for position in (before, after)
        )

    def glued(self, position: int) -> bool:
        """Return whether nothing stands between the token and the one before it."""
        return position > 0 and self.ends[position - 1] == self.starts[position]

    def alone(self, position: int) -> bool:
        """Return whether the token is a word by itself, apart from a possessive ending."""
        before = self.glued(position) and self._in_word(position - 1, position)
        after = position + 1
        followed = after < len(self) and self.glued(after) and self._in_word(position, after)
        return not before and (not followed or self.tags[after] == "POS")

    def surface(self, begin: int, end: int) -> str:
        """Return the text of the tokens from *begin* up to *end*."""
        return self.text[self.starts[begin] : self.ends[end - 1]]

    def inside(self, begin: int, end: int) -> str:
        """Return the text of these tokens as it would stand inside a sentence: no capital but a name's."""
        surface = self.surface(begin, end)
        token = self.tokens[begin]
        # "I" and "NATO" keep their capitals anywhere.
        ordinary = token[1:].islower() or self.tags[begin] == "DT"
        name = self.tags[begin] in NAME_TAGS or self.lowered[begin] in NATIONS
        if begin not in self.initial or name or not ordinary:
            return surface
        return surface[0].lower() + surface[1:]

    def moved(self, begin: int, end: int, target: int) -> str:
        """Return the text of these tokens as it would stand where the token *target* is."""
        surface = self.inside(begin, end)
        return capitalised(surface) if target in self.initial else surface

    def replaced(self, position: int, new: str) -> list[Edit]:
        """Return the edits that put *new* in place of a token: its case follows, and so does an article before it."""
        old = self.tokens[position]
        if len(old) > 1 and old.isupper() and new.isalpha():
            new = new.upper()
        elif old[0].isupper():
            new = capitalised(new)
        edits = [(self.starts[position], self.ends[position], new)]
        if position and self.lowered[position - 1] in ("a", "an") and self.tags[position - 1] == "DT":
            article = with_case("an" if has_vowel_sound(new) else "a", self.tokens[position - 1])
            edits.append((self.starts[position - 1], self.ends[position - 1], article))
        return edits

    def apply(self, edits: Iterable[Edit]) -> str:
        """Return the text after *edits* that do not overlap."""
        out, reached = [], 0
        for start, end, new in sorted(edits):
            out += [self.text[reached:start], new]
            reached = end
        return "".join([*out, self.text[reached:]])

    def without(self, dropped: Collection[int], changed: Mapping[int, str] | None = None) -> str:
        """Return the text without the *dropped* tokens and with those that are *changed*; spaces and capitals follow.

        Punctuation that would be left at the beginning goes too.
        """
        changed = changed or {}
        out: list[str] = []
        gap: str | None = None  # the narrowest space since the last token that stays
        last = -1
        capital = set[int]()  # sentences whose first word went
        for position in range(len(self)):
            before = self.text[self.ends[position - 1] if position else 0 : self.starts[position]]
            gap = before if gap is None else min(gap, before, key=len)
            sentence = self.sentence_of[position]
            if position in dropped:
                if position in self.initial:
                    capital.add(sentence)
                continue
            if last < 0 and position and self.tokens[position] in (",", ";", ":"):
                continue
            token = changed.get(position, self.tokens[position])
            if capital and sentence in capital and self.wordlike[position]:
                capital.discard(sentence)
                token = capitalised(token)
            touching = last == position - 1 and self.glued(position) and position not in changed
            if not gap and last >= 0 and self.wordlike[position] and self.wordlike[last] and not touching:
                gap = " "
            out += [gap if last >= 0 else self.text[: self.starts[0]], token]
            gap, last = None, position
        end = self.text[self.ends[-1] :] if len(self) else ""
        return "".join([*out, end])

    @cached_property
    def tail(self) -> int:
        """Where the last word ends and the final punctuation begins."""
        return self.ends[self.words[-1][1] - 1] if self.words else 0


def capitalised(text: str) -> str:
    """Return *text* with a capital first letter."""
    return text[:1].upper() + text[1:]


def with_case(new: str, old: str) -> str:
    """Return *new* with the capital first letter of *old*, if it has one."""
    return capitalised(new) if old[:1].isupper() else new


def has_vowel_sound(word: str) -> bool:
    """Return whether ``an`` stands before *word*."""
    return bool(_VOWEL_SOUND.match(word)) and not _NO_VOWEL_SOUND.match(word)


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a line begin and end; an abbreviation ends none."""
    bounds, begin = [], 0
    for found in _SENTENCE_END.finditer(text):
        if not _ABBREVIATION.fullmatch(found[1]):
            bounds.append((begin, found.end()))
            begin = found.end()
    return [*bounds, (begin, len(text))]


def locate(text: str, tokens: Iterable[str], begin: int = 0) -> list[tuple[int, int]]:
    """Return the character offsets of Penn tokens in the text that they were made from."""
    offsets = []
    for token in tokens:
        while text[begin].isspace():
            begin += 1
        # The tokeniser changes nothing but double quotes.
        length = 1 if token in _PENN_QUOTES and text[begin] in _QUOTES else len(token)
        offsets.append((begin, begin + length))
        begin += length
    return offsets


def mark(texts: Sequence[str], provider: Provider, threads: int | None = None) -> list[MarkedText]:
    """Return the *texts* with what *provider* finds about their tokens, analysed in one batch."""
    tokenize = get_tokenizer("penn")
    bounds = [split_sentences(text) for text in texts]
    sentences = [tokenize(text[begin:end]) for text, parts in zip(texts, bounds, strict=True) for begin, end in parts]
    analyses = iter(provider.analyse(sentences, lemmas=True, dependencies=True, threads=threads))
    marked = []
    for text, parts in zip(texts, bounds, strict=True):
        offsets: list[tuple[int, int]] = []
        tags: list[str] = []
        lemmas: list[str] = []
        heads: list[int] = []
        relations: list[str] = []
        sentence_of: list[int] = []
        for number, (begin, _) in enumerate(parts):
            analysis = next(analyses)
            before = len(offsets)
            offsets += locate(text, analysis.words, begin)
            tags += analysis.tags or ()
            lemmas += analysis.lemmas or ()
            heads += [head if head == ROOT else head + before for head in analysis.heads or ()]
            relations += analysis.relations or ()
            sentence_of += [number] * len(analysis.words)
        starts = tuple(start for start, _ in offsets)
        ends = tuple(end for _, end in offsets)
        marked.append(
            MarkedText(
                text, starts, ends, tuple(tags), tuple(lemmas), tuple(heads), tuple(relations), tuple(sentence_of)
            )
        )
    return marked
