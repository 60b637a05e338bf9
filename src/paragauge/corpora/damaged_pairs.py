"""Control candidates made by damaging a sentence, with the adequacy and fluency that remain.

Alongside PEM's three control systems (`paragauge.corpora.judged_pairs.control_pairs`), these teach a regressor that a
sentence that shares the words of its original is not necessarily a paraphrase. They have no human judgments: the values
below are set by construction, on a scale from 0 to 1, and mapped to PEM's scale from 1 to 5.

| control | made by | adequacy | fluency |
|---|---|---|---|
| unpunctuated | removing punctuation: a copy | 1 | 1 |
| shuffled | shuffling the words | 0.3 | 0 |
| dropped | removing the most frequent words of the text | 0.6 | 0 |
| one-word | replacing one word with another from the text | 0.3 | 0.6 |
| two-words | replacing two words | 0.1 | 0.45 |
| three-words | replacing three words, twice | 0 | 0.3 |
| swapped | swapping two words | 0.2 | 0.5 |
| numbers | changing the digits of numbers | 0.3 | 1 |
| negated | adding "not" after an auxiliary, or removing it (English) | 0.1 | 0.9 |
| first-half | removing the second half | 0.3 | 0.9 |
| second-half | removing the first half | 0.3 | 0.7 |
| joined | continuing with the second half of another sentence | 0.15 | 0.7 |
| added | adding the beginning of another sentence | 0.4 | 0.8 |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY, HIGHEST, LOWEST, JudgedPair, JudgedPairs
from paragauge.corpora.judgments import NO_JUDGE
from paragauge.errors import DataError

if TYPE_CHECKING:
    import numpy as np

# Adequacy and fluency that remain after the damage, from 0 to 1, set by construction.
DAMAGES = {
    "control-unpunctuated": (1.0, 1.0),
    "control-shuffled": (0.3, 0.0),
    "control-dropped": (0.6, 0.0),
    "control-one-word": (0.3, 0.6),
    "control-two-words": (0.1, 0.45),
    "control-three-words": (0.0, 0.3),
    "control-swapped": (0.2, 0.5),
    "control-numbers": (0.3, 1.0),
    "control-negated": (0.1, 0.9),
    "control-first-half": (0.3, 0.9),
    "control-second-half": (0.3, 0.7),
    "control-joined": (0.15, 0.7),
    "control-added": (0.4, 0.8),
}

_LEAST_WORDS = 6  # shortest sentence that is cut in half
# Three words twice: in long sentences, this damage looks most like a paraphrase.
_EXCHANGES = (
    ("control-one-word", 1),
    ("control-two-words", 2),
    ("control-three-words", 3),
    ("control-three-words", 3),
)
_FREQUENT = 50  # this many of the most frequent words count as function words
_AUXILIARIES = frozenset(
    ["am", "is", "are", "was", "were", "will", "would", "can", "could", "shall", "should", "may", "might", "must",
     "do", "does", "did"]
)  # fmt: skip
_SIGNS = re.compile(r"[^\w\s'’-]+")
_DIGITS = re.compile(r"[0-9]")


@dataclass(frozen=True)
class _Words:
    """The words of a text: the frequent ones, and those that may replace others."""

    frequent: frozenset[str]
    others: Sequence[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Words:
        counts = Counter(word for text in texts for word in text.split())
        small = [word for word, _ in counts.most_common() if word.isalpha() and word.islower()]
        frequent = frozenset(small[:_FREQUENT])
        return cls(frequent, small[_FREQUENT:] or small)


def damaged_pairs(originals: Iterable[str], rng: np.random.Generator, *, english: bool = True) -> JudgedPairs:
    """Return the damaged versions of each original, with adequacy and fluency scores from 1 to 5.

    A kind of damage that would not change a sentence, or that its words do not allow, is left out.

    Args:
        originals: Sentences, each with a few words at least.
        rng: Random number generator for all choices.
        english: Whether the sentences are English, so that "not" negates them.

    Raises:
        DataError: There are no words to use as replacements.
    """
    texts = tuple(dict.fromkeys(originals))
    words = _Words.of(texts)
    if not words.others:
        raise DataError("control candidates need originals with lower-case words, found none")
    rows = [
        JudgedPair(text, candidate, LOWEST + (HIGHEST - LOWEST) * share, system, NO_JUDGE, criterion)
        for place, text in enumerate(texts)
        for system, candidate in _damaged(text, texts[place - 1], words, rng, english=english)
        if candidate != text
        for criterion, share in zip((ADEQUACY, FLUENCY), DAMAGES[system], strict=True)
    ]
    return JudgedPairs(tuple(rows))


def _damaged(
    text: str, another: str, words: _Words, rng: np.random.Generator, *, english: bool
) -> Iterator[tuple[str, str]]:
    tokens = text.split()
    yield "control-unpunctuated", " ".join(_SIGNS.sub(" ", text).split())
    yield "control-shuffled", " ".join(tokens[place] for place in rng.permutation(len(tokens)).tolist())
    yield "control-dropped", " ".join(token for token in tokens if token not in words.frequent)
    places = [place for place, token in enumerate(tokens) if token.isalpha() and token not in words.frequent]
    for system, count in _EXCHANGES:
        if len(places) >= count:
            exchanged = list(tokens)
            for place in rng.choice(places, size=count, replace=False).tolist():
                exchanged[place] = words.others[int(rng.integers(len(words.others)))]
            yield system, " ".join(exchanged)
    if len(places) > 1:
        one, other = rng.choice(places, size=2, replace=False).tolist()
        swapped = list(tokens)
        swapped[one], swapped[other] = tokens[other], tokens[one]
        yield "control-swapped", " ".join(swapped)
    yield "control-numbers", _DIGITS.sub(lambda found: str((int(found[0]) + int(rng.integers(1, 10))) % 10), text)
    if english and (negated := negate(tokens)) is not None:
        yield "control-negated", " ".join(negated)
    if len(tokens) >= _LEAST_WORDS and another != text:
        yield from _halves(tokens, another.split())


def _halves(tokens: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, str]]:
    half, end = (len(tokens) + 1) // 2, tokens[-1][-1] if _SIGNS.fullmatch(tokens[-1][-1]) else ""
    yield "control-first-half", " ".join(tokens[:half]) + end
    yield "control-second-half", " ".join(tokens[half:])
    yield "control-joined", " ".join([*tokens[:half], *others[len(others) // 2 :]])
    beginning = " ".join(others[: max(4, len(others) // 2)])
    yield "control-added", f"{' '.join(tokens).removesuffix(end)}, and {beginning.removesuffix(end)}{end}"


def negate(words: Sequence[str]) -> list[str] | None:
    """Return English *words* with "not" after the first auxiliary, or without it; None if there is no auxiliary.

    >>> negate("He will come".split()), negate("He will not come".split()), negate("He came".split())
    (['He', 'will', 'not', 'come'], ['He', 'will', 'come'], None)
    """
    for place, word in enumerate(words):
        if word.lower() in _AUXILIARIES:
            if list(words[place + 1 : place + 2]) == ["not"]:
                return [*words[: place + 1], *words[place + 2 :]]
            return [*words[: place + 1], "not", *words[place + 1 :]]
    return None
