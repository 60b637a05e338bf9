"""Rewritings as text: unchanged words as the input has them, new ones joined and capitalised to fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paragauge.grammar.decode import Candidate
    from paragauge.grammar.parse import Derivation
    from paragauge.text.pipeline import TextPipeline

# What is written together with the word before it, or the word after it.
_CLITIC = re.compile(r"['’](?:s|m|d|ll|re|ve)|n['’]t", re.IGNORECASE)
_CLOSES = frozenset(".,;:!?)]}%…”''") | {"''", "-RRB-"}
_OPENS = frozenset("([{$£€“`") | {"``", "-LRB-"}
_AS_TEXT = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_BEFORE_A_SENTENCE = frozenset(".!?:“\"`'(") | {"``", "''"}


@dataclass(frozen=True, slots=True)
class Piece:
    """What an applied rule did: the places of its own words, without those in its gaps.

    Attributes:
        source: Places in the source.
        target: Places in the target.
        kept: Places in the target of words that the source has too, with their places there.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    kept: Mapping[int, int]


def pieces_of(derivation: Derivation) -> Iterator[Piece]:
    """Yield a piece for each node of a derivation."""
    for _, node in derivation.nodes():
        inside = [(child.source, child.target) for child in node.children]
        source = [k for k in range(*node.source) if not any(first <= k < last for (first, last), _ in inside)]
        target = [k for k in range(*node.target) if not any(first <= k < last for _, (first, last) in inside)]
        free, kept = list(source), {}
        for place in target:
            found = next((k for k in free if derivation.source[k] == derivation.target[place]), None)
            if found is not None:
                free.remove(found)
                kept[place] = found
        yield Piece(tuple(source), tuple(target), kept)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line and where its tokens stand in it.

    Attributes:
        text: Line as it was given.
        spans: Where each token begins and ends; None if the tokeniser does not say.
    """

    text: str
    spans: tuple[tuple[int, int], ...] | None

    @classmethod
    def of(cls, text: str, pipeline: TextPipeline) -> WrittenLine:
        """Return *text* with the places of the tokens that *pipeline* makes of it."""
        spans = pipeline.spans(text)
        return cls(text, None if spans is None else tuple(spans))

    def word(self, place: int) -> str:
        """Return a token as it is written."""
        begin, end = (self.spans or ())[place]
        return self.text[begin:end]

    def begins_sentence(self, place: int) -> bool:
        """Return whether a token can have its capital from the beginning of a sentence."""
        return place == 0 or self.word(place - 1) in _BEFORE_A_SENTENCE

    def rendered(self, candidate: Candidate) -> str:
        """Return a candidate, which has its derivation, as text."""
        derivation = candidate.derivation
        if self.spans is None or derivation is None:
            return candidate.text
        words = [_AS_TEXT.get(word, word) for word in candidate.words]
        first, last = [0] * len(words), [0] * len(words)  # what each word stands for in the source
        copied = [False] * len(words)
        for piece in pieces_of(derivation):
            self._write(piece, words)
            for place in piece.target:
                first[place], last[place] = (piece.source[0], piece.source[-1]) if piece.source else (-1, -1)
            for place, source in piece.kept.items():
                first[place] = last[place] = source
                copied[place] = True
        if words and self.spans and self.word(0)[:1].isupper():
            words[0] = words[0][:1].upper() + words[0][1:]
        parts = words[:1]
        for place in range(1, len(words)):
            next_to = first[place] == last[place - 1] + 1
            gap = self.text[self.spans[last[place - 1]][1] : self.spans[first[place]][0]] if next_to else None
            both = copied[place - 1] and copied[place]
            parts += [_gap(words[place - 1], words[place], gap, exact=both), words[place]]
        return "".join(parts)

    def _write(self, piece: Piece, words: list[str]) -> None:
        """Write the words of a piece: kept ones as they were, new ones with the capitals of those they replace."""
        for place, source in piece.kept.items():
            words[place] = self.word(source)
        new = [place for place in piece.target if place not in piece.kept]
        gone = [source for source in piece.source if source not in piece.kept.values()]
        letters = "".join(map(self.word, gone))
        if new and len(letters) > 1 and letters.isupper():
            for place in new:
                words[place] = words[place].upper()
        elif (
            new and letters[:1].isupper() and (gone[0] > 0 or new[0] == 0)
        ):  # the capital of the first word stays there
            words[new[0]] = words[new[0]][:1].upper() + words[new[0]][1:]


def _gap(before: str, after: str, written: str | None, *, exact: bool) -> str:
    """Return what stands between two words; *written* is what stands there in the input, if they are neighbours there.

    Args:
        exact: Whether both words are those of the input.
    """
    if _CLITIC.fullmatch(after) and not exact:
        return ""
    if written is not None and (exact or written or not (_is_word(before) and _is_word(after))):
        return written
    return "" if _CLITIC.fullmatch(after) or after in _CLOSES or before in _OPENS else " "


def _is_word(text: str) -> bool:
    return any(character.isalnum() for character in text)
