"""Unicode normalisation and stemming: small steps between a string and its tokens."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias

NormalForm: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]
NORMAL_FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")


def normalize(text: str, form: NormalForm) -> str:
    """Return *text* in a Unicode normal form, so that é is one thing however it was typed."""
    return unicodedata.normalize(form, text)


@lru_cache(maxsize=1)
def _porter() -> object:
    import snowballstemmer

    return snowballstemmer.stemmer("porter")


@lru_cache(maxsize=1 << 18)
def porter_stem(word: str) -> str:
    """Return the Porter (1980) stem of an English word in lower case; capitals are left as they are.

    This is the original algorithm, which the papers used, not its successor "english" (Porter 2).

    >>> porter_stem("relational")
    'relat'
    """
    stem: str = _porter().stemWord(word)  # type: ignore[attr-defined]
    return stem
