"""Paraphrases that say nothing new, by name, so that they can be left out on request.

containment     one side contains all words of the other, in order: "house", "my house"
inflection      the same words in other forms: "house", "houses"; lemmas come from WordNet
punctuation     the same words but for punctuation: "house", "house ."; or no letters or digits on one side
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Literal, TypeAlias

from paragauge.errors import OptionError

Noise: TypeAlias = Literal["containment", "inflection", "punctuation"]
NOISES: tuple[Noise, ...] = ("containment", "inflection", "punctuation")


def is_noise(source: str, target: str, kinds: Collection[Noise] = NOISES) -> bool:
    """Return whether a pair of sides is one of *kinds*; nonterminals count as words.

    >>> is_noise("house", "my house"), is_noise("house", "houses"), is_noise("house", "home")
    (True, True, False)
    """
    one, other = source.lower().split(), target.lower().split()
    return any(_TESTS[kind](one, other) for kind in kinds)


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise an error for an unknown kind of noise."""
    for kind in kinds:
        if kind not in NOISES:
            raise OptionError(f"noise must be one of {', '.join(NOISES)}; got {kind!r}")


def _containment(one: list[str], other: list[str]) -> bool:
    short, long = sorted((one, other), key=len)
    starts = range(len(long) - len(short) + 1)
    return len(short) < len(long) and any(long[start : start + len(short)] == short for start in starts)


def _inflection(one: list[str], other: list[str]) -> bool:
    if len(one) != len(other) or one == other:
        return False
    return all(a == b or bool(_lemmas(a) & _lemmas(b)) for a, b in zip(one, other, strict=True))


def _punctuation(one: list[str], other: list[str]) -> bool:
    words = [[word for word in side if any(map(str.isalnum, word))] for side in (one, other)]
    return one != other and (words[0] == words[1] or not all(words))


_TESTS: dict[str, Callable[[list[str], list[str]], bool]] = {
    "containment": _containment,
    "inflection": _inflection,
    "punctuation": _punctuation,
}


@cache
def _lemmas(word: str) -> frozenset[str]:
    from paragauge.analysis.lexicon import Lexicon

    return frozenset({word, *Lexicon.load().morphy(word)})
