"""Unicode normalisation and stemming: small steps between a string and its tokens."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias

NormalForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]
NORMAL_FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")

_NEVER_STEMMED = 2  # words of up to this many letters


def normalize(text: str, form: NormalForm) -> str:
    """Return *text* in a Unicode normal form, so that é is one thing however it was typed."""
    return unicodedata.normalize(form, text)


@lru_cache(maxsize=2)
def _stemmer(name: str) -> object:
    import snowballstemmer

    return snowballstemmer.stemmer(name)


def _stem(name: str, word: str) -> str:
    # Porter's own program leaves words of one or two letters alone; Snowball's version makes "i" of "is" and nothing
    # of "s".
    if len(word) <= _NEVER_STEMMED:
        return word
    try:
        stem: str = _stemmer(name).stemWord(word)  # type: ignore[attr-defined]
    except UnicodeEncodeError:  # half a character; PyStemmer, if it is there, takes text alone
        return word
    return stem or word


@lru_cache(maxsize=1 << 18)
def porter_stem(word: str) -> str:
    """Return the Porter (1980) stem of an English word in lower case; capitals are left as they are.

    This is the original algorithm, which the papers used, not its successor "english" (Porter 2).

    >>> porter_stem("relational")
    'relat'
    """
    return _stem("porter", word)


@lru_cache(maxsize=1 << 18)
def english_stem(word: str) -> str:
    """Return the stem of an English word in lower case by Porter's second algorithm (Snowball's "english").

    >>> english_stem("generously"), porter_stem("generously")
    ('generous', 'gener')
    """
    return _stem("english", word)
