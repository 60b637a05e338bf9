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
    """Return *text* in a Unicode normal form, so that é is always the same string however it was typed."""
    return unicodedata.normalize(form, text)


@cache
def stemmer_names() -> tuple[str, ...]:
    """Return the names of the Snowball stemmers: ``porter``, ``english``, ``french`` and other languages."""
    import Stemmer

    return tuple(sorted(Stemmer.algorithms()))


@cache
def get_stemmer(name: str) -> Stemmer:
    """Return the stemmer *name*, a function of a lower-case word whose results are cached.

    Words of one or two letters are left unchanged, and no stem is empty.

    Raises:
        OptionError: There is no such stemmer; the message lists the known ones.

    >>> get_stemmer("french")("continuellement")
    'continuel'
    """
    if name not in stemmer_names():
        raise unknown_name("stemmer", name, stemmer_names())
    import Stemmer

    snowball, alone = Stemmer.Stemmer(name, 0), Lock()  # a stemmer object holds the word it is working on; no cache

    @lru_cache(maxsize=1 << 16)
    def stem(word: str) -> str:
        # Porter's own program leaves words of one or two letters alone; Snowball's version turns "is" into "i" and
        # "s" into nothing.
        if len(word) <= _NEVER_STEMMED:
            return word
        try:
            with alone:
                found: str = snowball.stemWord(word)
        except UnicodeEncodeError:  # a lone surrogate, which is not text
            return word
        # Some stemmers turn symbols that are not letters into a space or nothing; a stem must be one word.
        return found if found.split() == [found] else word

    return stem


def porter_stem(word: str) -> str:
    """Return the Porter (1980) stem of a lower-case English word; capitals are left unchanged.

    This is the original algorithm, which the papers used, not its successor "english" (Porter 2).

    >>> porter_stem("relational")
    'relat'
    """
    return get_stemmer(PORTER)(word)


def english_stem(word: str) -> str:
    """Return the stem of a lower-case English word by Porter's second algorithm (Snowball's "english").

    >>> english_stem("generously"), porter_stem("generously")
    ('generous', 'gener')
    """
    return get_stemmer("english")(word)
