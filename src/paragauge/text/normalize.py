"""Unicode normalisation and stemming: small steps between a string and its tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from threading import Lock
from typing import Literal, TypeAlias

from paragauge.errors import unknown_name

NormalForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]
NORMAL_FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")
Stemmer: TypeAlias = Callable[[str], str]

PORTER = "porter"

_NEVER_STEMMED = 2  # words of up to this many letters


def normalize(text: str, form: NormalForm) -> str:
    """Return *text* in a Unicode normal form, so that é is one thing however it was typed."""
    return unicodedata.normalize(form, text)


@cache
def stemmer_names() -> tuple[str, ...]:
    """Return the names of Snowball's stemmers: ``porter``, ``english``, ``french`` and those of other languages."""
    import snowballstemmer

    return tuple(sorted(snowballstemmer.algorithms()))


@cache
def get_stemmer(name: str) -> Stemmer:
    """Return the stemmer *name*, a function of a word in lower case; what it gave for a word is remembered.

    Words of one or two letters stay as they are, and no stem is empty.

    Raises:
        OptionError: There is no such stemmer; the message lists those that there are.

    >>> get_stemmer("french")("continuellement")
    'continuel'
    """
    if name not in stemmer_names():
        raise unknown_name("stemmer", name, stemmer_names())
    import snowballstemmer

    snowball, alone = snowballstemmer.stemmer(name), Lock()  # a stemmer keeps the word it is at work on

    @lru_cache(maxsize=1 << 18)
    def stem(word: str) -> str:
        # Porter's own program leaves words of one or two letters alone; Snowball's version makes "i" of "is" and
        # nothing of "s".
        if len(word) <= _NEVER_STEMMED:
            return word
        try:
            with alone:
                found: str = snowball.stemWord(word)
        except UnicodeEncodeError:  # half a character; PyStemmer, if it is there, takes text alone
            return word
        # Some stemmers make a space or nothing of signs that are no letters: a stem stays one word.
        return found if found.split() == [found] else word

    return stem


def porter_stem(word: str) -> str:
    """Return the Porter (1980) stem of an English word in lower case; capitals are left as they are.

    This is the original algorithm, which the papers used, not its successor "english" (Porter 2).

    >>> porter_stem("relational")
    'relat'
    """
    return get_stemmer(PORTER)(word)


def english_stem(word: str) -> str:
    """Return the stem of an English word in lower case by Porter's second algorithm (Snowball's "english").

    >>> english_stem("generously"), porter_stem("generously")
    ('generous', 'gener')
    """
    return get_stemmer("english")(word)
