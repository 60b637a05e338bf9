"""MAXSIM's items for whole corpora: n-grams of lemmas with tags, and dependency triples, matched in the native core."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.align.alignment import Alignment
from paragauge.analysis import Analysis, Lexicon, Triple, relations_of
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.text import EncodedSentences, Vocabulary
from paragauge.threads import thread_count

Align: TypeAlias = Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], Sequence[Alignment]]
STAGES = ("lemma+tag", "lemma", "similar")


@dataclass(frozen=True, slots=True)
class Items:
    """The parts of one sentence that are compared.

    >>> analysis = Analysis(("Dogs", "bark", "!"), tags=("NNS", "VBP", "."), lemmas=("dog", "bark", "!"))
    >>> Items.of(analysis, triples=False).lemmas
    ('dog', 'bark')
    """

    lemmas: tuple[str, ...]
    tags: tuple[str, ...]
    triples: tuple[Triple, ...] = ()
    words: tuple[str, ...] = ()  # as written, for an aligner

    @classmethod
    def of(cls, analysis: Analysis, *, triples: bool) -> Items:
        """Return the items of an analysed sentence, without tokens that have no letter or digit."""
        lemmas, tags = analysis.lemmas or (), analysis.tags or ()
        kept = [i for i, word in enumerate(analysis.words) if word.isalnum() or any(map(str.isalnum, word))]
        return cls(
            tuple(lemmas[i] for i in kept),
            tuple(tags[i] for i in kept),
            tuple(relations_of(analysis)) if triples else (),
            tuple(analysis.words[i] for i in kept),
        )

    def ngrams(self, order: int) -> tuple[str, ...]:
        """Return the n-grams of one order as text: ``dog/NNS bark/VBP``."""
        words = [f"{lemma}/{tag}" for lemma, tag in zip(self.lemmas, self.tags, strict=True)]
        return tuple(" ".join(words[i : i + order]) for i in range(len(words) - order + 1))


@dataclass(frozen=True, slots=True)
class ItemMatches:
    """The matches of many pairs of sentences, group by group: n-grams of order 1, 2, ..., then triples.

    Attributes:
        rows: An array (matches, 3): item of the candidate, item of the reference, stage (an index of `STAGES`).
        weights: Weight of each match, up to 1.
        starts: The matches of group g of pair k are those from ``starts[k, g]`` up to ``starts[k, g + 1]``.
        sums: An array (pairs, groups): the total weight.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float64]
    starts: NDArray[np.int64]
    sums: NDArray[np.float64]


def match_items(
    candidates: Sequence[Items],
    references: Sequence[Items],
    lexicon: Lexicon,
    *,
    max_order: int,
    triples: bool,
    distance: float = 0.0,
    tags_alone: bool = True,
    paraphrases: ParaphraseTable | None = None,
    aligner: Align | None = None,
    threads: int | None = None,
) -> ItemMatches:
    """Return the matches of each candidate with the reference at the same index (Chan and Ng, 2008, section 4).

    N-grams with equal lemmas and tags are matched first, then those with equal lemmas, each left to right. The rest
    get a maximum-weight matching in which tags count half and synonyms half at each position and, beyond unigrams,
    every position must have something in common. Triples go straight to a maximum-weight matching.

    Args:
        candidates: Items of the candidates.
        references: Items of the references.
        lexicon: Source of synonyms.
        max_order: Longest n-grams.
        triples: Also match dependency triples.
        distance: Share of its weight that a match in the last stage loses if its items lie at opposite ends.
        tags_alone: Whether equal tags count where lemmas are not synonyms, as in the paper.
        paraphrases: Single words of this table count as synonyms of their paraphrases, in either direction.
        aligner: Aligns the words of sentences; words that it links in a pair count as synonyms there.
        threads: All cores if None; affects only the running time.
    """
    rows, weights, starts = _matches(
        candidates, references, lexicon, max_order, triples, distance, tags_alone, paraphrases, aligner, threads
    )
    groups = max_order + triples
    owner = np.repeat(np.arange(len(candidates) * groups), np.diff(starts))
    sums: NDArray[np.float64] = np.bincount(owner, weights, minlength=len(candidates) * groups).astype(np.float64)
    places = np.arange(len(candidates))[:, None] * groups + np.arange(groups + 1)[None, :]
    return ItemMatches(rows.reshape(-1, 3), weights, starts[places], sums.reshape(-1, groups))


def match_sums(
    candidate: Items,
    reference: Items,
    lexicon: Lexicon,
    *,
    max_order: int,
    triples: bool,
    distance: float = 0.0,
    tags_alone: bool = True,
    paraphrases: ParaphraseTable | None = None,
    aligner: Align | None = None,
) -> list[float]:
    """Return the total weights of the groups of one pair: the sums of `match_items`, the short way."""
    _, weights, starts = _matches(
        [candidate], [reference], lexicon, max_order, triples, distance, tags_alone, paraphrases, aligner, 1
    )
    found = weights.tolist()
    return [_added(found[begin:end]) for begin, end in pairwise(starts.tolist())]


def _added(numbers: list[float]) -> float:
    # One after the other, as arrays add them: sum() rounds in another way from Python 3.12 on.
    total = 0.0
    for number in numbers:
        total += number
    return total


def _matches(
    candidates: Sequence[Items],
    references: Sequence[Items],
    lexicon: Lexicon,
    max_order: int,
    triples: bool,
    distance: float,
    tags_alone: bool,
    paraphrases: ParaphraseTable | None,
    aligner: Align | None,
    threads: int | None,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Return the rows and weights of all matches, and where those of each group of each pair begin."""
    options = _core.ItemOptions(max_order=max_order, triples=triples, distance=distance, tags_alone=tags_alone)
    # One pair is not worth asking how many cores there are.
    threads = 1 if threads is None and len(candidates) == 1 else thread_count(threads)
    if aligner is None:
        return _native_matches(candidates, references, lexicon, options, triples, paraphrases, (), threads)
    # What an aligner links holds for its pair alone, so every pair has relations of its own.
    alignments = aligner([items.words for items in candidates], [items.words for items in references])
    parts = [
        _native_matches([own], [other], lexicon, options, triples, paraphrases, _linked_lemmas(own, other, links), 1)
        for own, other, links in zip(candidates, references, alignments, strict=True)
    ]
    counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(starts) for _, _, starts in parts)])
    return (
        np.concatenate([np.empty(0, np.int32), *(rows for rows, _, _ in parts)]),
        np.concatenate([np.empty(0, np.float64), *(weights for _, weights, _ in parts)]),
        np.cumsum(counts),
    )


def _native_matches(
    candidates: Sequence[Items],
    references: Sequence[Items],
    lexicon: Lexicon,
    options: _core.ItemOptions,
    triples: bool,
    paraphrases: ParaphraseTable | None,
    linked: Collection[tuple[str, str]],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    lemmas, tags = Vocabulary(), Vocabulary()
    own, other = (
        _core.SentenceItems(
            lemmas=lemmas.encode(items.lemmas for items in side).arrays,
            tags=tags.encode(items.tags for items in side).ids,
            triples=(_encode_triples(side, lemmas) if triples else _no_triples(len(side))).arrays,
        )
        for side in (candidates, references)
    )
    return _core.match_items(
        own,
        other,
        options=options,
        lexicon_ids=lexicon.numbers(list(lemmas)),
        lexicon=lexicon.native,
        related=_related(lemmas, paraphrases, linked),
        threads=threads,
    )


def _linked_lemmas(own: Items, other: Items, alignment: Alignment) -> set[tuple[str, str]]:
    return {(own.lemmas[i], other.lemmas[j]) for i, j in alignment.links}


def _related(
    lemmas: Vocabulary, paraphrases: ParaphraseTable | None, linked: Collection[tuple[str, str]]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return for each lemma the numbers of its paraphrases and of those that it is *linked* to, and offsets."""
    if paraphrases is None and not linked:
        return np.empty(0, np.int32), np.zeros(1, np.int64)
    found: list[set[int]] = [set() for _ in lemmas]
    for one, other in linked:
        found[lemmas[one]].add(lemmas[other])
        found[lemmas[other]].add(lemmas[one])
    if paraphrases is not None:
        numbers: dict[str, list[int]] = {}
        for number, lemma in enumerate(lemmas):
            numbers.setdefault(lemma.lower(), []).append(number)
        for word, mine in numbers.items():
            for paraphrase in paraphrases.paraphrases(word):
                for theirs in numbers.get(paraphrase.text, ()):
                    for number in mine:
                        found[number].add(theirs)
                        found[theirs].add(number)
    offsets = np.zeros(len(found) + 1, np.int64)
    offsets[1:] = np.cumsum([len(each) for each in found])
    return np.array([number for each in found for number in sorted(each)], dtype=np.int32), offsets


def _encode_triples(side: Iterable[Items], lemmas: Vocabulary) -> EncodedSentences:
    # Relations are distinguished by number only; a space keeps them from being mistaken for lemmas.
    return lemmas.encode(
        [part for triple in items.triples for part in (triple.child, f" {triple.relation}", triple.parent)]
        for items in side
    )


def _no_triples(count: int) -> EncodedSentences:
    return EncodedSentences(np.empty(0, np.int32), np.zeros(count + 1, np.int64))
