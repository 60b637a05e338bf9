"""The consistent phrase pairs of each single sentence pair, as sets: PP(e1, e2, A) of Och and Ney (2004)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from paragauge.corpora.segments import unequal_lengths
from paragauge.errors import OptionError
from paragauge.phrases.extract import NO_LIMIT, encode_batches, too_many_phrases
from paragauge.storage.links import LinkPlace, Links, pack_links
from paragauge.storage.store import arrow_strings
from paragauge.text.vocabulary import Sentence, TextVocabulary

PhraseSet: TypeAlias = set[tuple[str, str]]

# Maximum sentence length in words if phrase length is unlimited: 500 words have 125,250 phrases, 125 MB of text.
_MOST_WORDS = 500


def phrase_pairs_by_sentence(
    source: Iterable[Sentence],
    target: Iterable[Sentence],
    alignments: Iterable[Links],
    *,
    max_length: int | None = None,
) -> Iterator[PhraseSet]:
    """Yield the phrase pairs of each sentence pair, including identical ones; see `extract_phrases`.

    Args:
        source: Sentences, as token sequences or as text with tokens separated by white space.
        target: The other sentence of each pair.
        alignments: Links of each pair.
        max_length: Maximum phrase length in words, on both sides; None means no limit.

    Raises:
        DataError: The three differ in length, a link points past its sentence, or a pair has millions of phrases.

    >>> [sorted(pairs) for pairs in phrase_pairs_by_sentence(["the house"], ["a home"], ["0-0 1-1"])]
    [[('house', 'home'), ('the', 'a'), ('the house', 'a home')]]
    """
    from paragauge import _core

    if max_length is not None and max_length < 1:
        raise OptionError(f"max_length must be at least 1, got {max_length}")
    names = ("source", "target", "alignments")
    texts, others, links = list(source), list(target), list(alignments)
    for name, length in zip(names[1:], (len(others), len(links)), strict=True):
        if length != len(texts):
            raise unequal_lengths(names[0], len(texts), name, length)
    counts = _core.PhraseCounts(max_length or NO_LIMIT, 1)
    for number, (text, other, linked) in enumerate(zip(texts, others, links, strict=True), start=1):
        place = LinkPlace(first=number)
        vocabularies = (
            TextVocabulary(),
            TextVocabulary(),
        )  # new for each call: it costs no more than its sentences
        counts.clear()
        packed = iter([(pack_links([linked], place), place)])
        for batch in encode_batches(iter([text]), iter([other]), packed, names, vocabularies):
            longest = max(int(batch.source.offsets[-1]), int(batch.target.offsets[-1]))
            if max_length is None and longest > _MOST_WORDS:
                raise too_many_phrases(number)
            source_words, target_words = (vocabulary.strings() for vocabulary in vocabularies)
            wrong = counts.add(batch.native, source_words=source_words, target_words=target_words, lexical=None)
            if wrong >= 0:
                raise too_many_phrases(number)
        phrases, partners, *_ = counts.rows(0, len(counts))
        yield set(zip(arrow_strings(*phrases).to_pylist(), arrow_strings(*partners).to_pylist(), strict=True))
