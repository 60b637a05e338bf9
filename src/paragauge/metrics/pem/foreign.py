"""Pivot words for people: PEM compares stems, readers know words."""

from __future__ import annotations

from functools import lru_cache

from paragauge.judges.describe import LANGUAGES
from paragauge.judges.model import open_judges
from paragauge.resource import DEFAULT
from paragauge.text.normalize import get_stemmer


def language_name(pivot: str) -> str:
    """Return the name of a pivot language.

    >>> language_name("fr"), language_name("xx")
    ('French', 'xx')
    """
    return LANGUAGES.get(pivot, pivot)


def word_for(pivot: str, text: str) -> str:
    """Return *text*, stems of a pivot language, with each stem as the most frequent word that has it, if one is known.

    >>> word_for("fr", "remettr la réunion")
    'remettre la réunion'
    """
    words = _words(pivot)
    return " ".join(words.get(stem, stem) for stem in text.split(" "))


@lru_cache(maxsize=4)
def _words(pivot: str) -> dict[str, str]:
    """Return the most frequent word of each stem in the translations that the judges have for that language."""
    table = open_judges(DEFAULT).translations.get(pivot)
    if table is None or pivot not in LANGUAGES:
        return {}
    stem = get_stemmer(LANGUAGES[pivot].lower())
    counts = table.target_counts()
    best: dict[str, tuple[int, str]] = {}
    for number, word in enumerate(table.strings("target").to_pylist()):
        key = stem(word)
        found = (int(counts[number]), word)
        if key not in best or found[0] > best[key][0]:
            best[key] = found
    return {key: word for key, (_, word) in best.items()}
