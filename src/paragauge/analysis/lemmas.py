"""Lemmas of tagged words."""

from __future__ import annotations

from collections.abc import Sequence


def lemmas_of(words: Sequence[str], tags: Sequence[str]) -> tuple[str, ...]:
    """Return the lemma of each word, given its Penn tag."""
    return tuple(word.lower() for word in words)  # until the lexicon is there
