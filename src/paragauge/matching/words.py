"""Links between the words of two sentences: equal words, equal stems, synonyms, paraphrases.

The links that are kept cover the most words of both sentences; among those choices, the best order wins: fewest
crossings and then fewest chunks, or fewest chunks and then the shortest distance between linked words. The search is
exact: it considers groups of words that compete with one another, and prunes only with valid bounds. If long sentences
repeat their words so often that it reaches its limits, it keeps the best links so far and reports this.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.align.alignment import Alignment
from paragauge.analysis.lexicon import Lexicon
from paragauge.concern import report_pairs
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.storage.links import Link
from paragauge.text import EncodedSentences, Vocabulary
from paragauge.threads import thread_count

logger = logging.getLogger(__name__)

Tokens: TypeAlias = Sequence[str]
Cover: TypeAlias = tuple[float, float, int]
STAGES = ("exact", "stem", "synonym", "paraphrase")

MAX_OPTIONS = 20_000  # ways to link one group of competing words; a word that occurs 7 and 14 times has 3,432
MAX_STEPS = 30_000  # search limit; 5 of 8,006 pairs of news sentences (75 words and more) need more
_MOST_WORDS = 1 << 16  # in a book
_LONGEST_PHRASE = 4  # maximum length of a paraphrase in words


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Rules for which words may be linked and which links are best.

    Attributes:
        stem: Function that returns the stem of a word, ``None`` to skip the stem stage.
        lexicon: Source of synsets: two words are synonyms if a lemma of one shares a synset with a lemma of the other.
        paraphrases: Table of phrases that may be linked to phrases.
        aligner: Function that aligns sentences; what it links may be linked as paraphrases are.
        min_score: Minimum score of a paraphrase.
        joint: Whether to link as METEOR 1.5 does: equal words, stems and synonyms compete, and fewest chunks decide.
            Otherwise each kind of link sees only the words left by the one before, and fewest crossings decide.
    """

    stem: Callable[[str], str] | None = None
    lexicon: Lexicon | None = None
    paraphrases: ParaphraseTable | None = None
    joint: bool = False
    min_score: float | None = None
    aligner: Callable[[Sequence[Tokens], Sequence[Tokens]], Sequence[Alignment]] | None = None


@dataclass(frozen=True, slots=True)
class WordLinks:
    """The links of many pairs of sentences.

    Attributes:
        rows: An array (links, 5): position in the candidate, in the reference, words covered in the candidate, in
            the reference, stage (an index of `STAGES`).
        starts: The rows of pair k are those from ``starts[k]`` up to ``starts[k + 1]``.
        chunks: Number of chunks of each pair: runs of links that are adjacent in both sentences.
        candidates: Words of the candidates as numbers.
        references: Words of the references as numbers.
        vocabulary: Number of each word.
        unproven: Pairs whose links may not be the best ones because the search reached its limits.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    chunks: NDArray[np.int64]
    candidates: EncodedSentences
    references: EncodedSentences
    vocabulary: Vocabulary
    unproven: int

    @property
    def pairs(self) -> NDArray[np.int64]:
        """The pair that each row belongs to."""
        pairs: NDArray[np.int64] = np.repeat(np.arange(len(self.chunks)), np.diff(self.starts))
        return pairs

    def alignments(self) -> list[Alignment]:
        """Return the links of each pair; two linked phrases give a link from each word to each word."""
        found: list[set[Link]] = [set() for _ in self.chunks]
        for pair, (i, j, rows, columns, _) in zip(self.pairs.tolist(), self.rows.tolist(), strict=True):
            found[pair].update((i + row, j + column) for row in range(rows) for column in range(columns))
        return [Alignment(frozenset(links)) for links in found]


def link_words(
    candidates: Sequence[Tokens], references: Sequence[Tokens], rules: LinkRules, *, threads: int | None = None
) -> WordLinks:
    """Return the links between each candidate and the reference at the same index; see the module docstring.

    >>> found = link_words([["a", "b", "a"]], [["b", "a"]], LinkRules())
    >>> found.rows[:, :2].tolist(), found.chunks.tolist()
    ([[1, 0], [2, 1]], [1])
    """
    vocabulary = Vocabulary()
    encoded = vocabulary.encode(candidates), vocabulary.encode(references)
    words = list(vocabulary)
    stems = np.arange(len(words), dtype=np.int32)
    if rules.stem is not None:
        stem_numbers = Vocabulary()
        stems = np.array([stem_numbers[rules.stem(word)] for word in words], dtype=np.int32)
    synsets, offsets = np.empty(0, np.int32), np.zeros(len(words) + 1, np.int64)
    if rules.lexicon is not None:
        synsets, offsets = rules.lexicon.word_synsets(words)
    # One pair is not worth asking how many cores there are.
    threads = 1 if threads is None and len(candidates) == 1 else thread_count(threads)
    rows, starts, chunks, proven = _core.link_words(
        encoded[0].arrays,
        encoded[1].arrays,
        known=_core.WordClasses(stems=stems, synsets=(synsets, offsets)),
        paraphrases=_phrase_links(candidates, references, rules, threads),
        options=_options(rules),
        threads=threads,
    )
    unproven = int(len(proven) - proven.sum())
    if unproven:
        _report_unproven(np.flatnonzero(np.asarray(proven) == 0).tolist())
    return WordLinks(rows.reshape(-1, 5), starts, chunks, *encoded, vocabulary, unproven)


def _options(rules: LinkRules) -> _core.LinkOptions:
    return _core.LinkOptions(
        stem=rules.stem is not None,
        synonym=rules.lexicon is not None,
        joint=rules.joint,
        limits=_core.SearchLimits(options=MAX_OPTIONS, steps=MAX_STEPS),
    )


def _report_unproven(pairs: list[int]) -> None:
    report_pairs(
        logger,
        "%d pair(s) of texts repeat their words so often that the search for the best links was cut short; "
        "their links may not be the best ones",
        pairs,
    )


class WordBook(dict[str, int]):
    """What is known of words, kept from call to call: for links of one pair of sentences at a time.

    Args:
        rules: Which words may be linked.
        weight: Returns the weight of a word.
        stage_weights: Weight of links by stage.
    """

    def __init__(self, rules: LinkRules, weight: Callable[[str], float], stage_weights: Sequence[float]) -> None:
        super().__init__()
        self._rules = rules
        self._weight = weight
        self._stage_weights = stage_weights
        self._options = _options(rules)
        self._stems = Vocabulary()
        self._native = _core.WordBook()
        self._lock = Lock()

    @property
    def is_full(self) -> bool:
        """Whether it is time for a new book, so that memory stays bounded."""
        return len(self) > _MOST_WORDS

    def _learn(self, words: Sequence[str]) -> None:
        """Add *words*, all at once: a sentence is looked up in one step."""
        stem, lexicon = self._rules.stem, self._rules.lexicon
        synsets: list[int] = []
        offsets = [0] * (len(words) + 1)
        if lexicon is not None:
            synsets, offsets = (each.tolist() for each in lexicon.word_synsets(words))
        with self._lock:  # another thread may have met the same words
            for number, word in enumerate(words):
                if word not in self:
                    own = synsets[offsets[number] : offsets[number + 1]]
                    self._native.add(self._stems[word if stem is None else stem(word)], own, self._weight(word))
                    self[word] = len(self)

    def cover(self, candidate: Tokens, reference: Tokens) -> tuple[Cover, Cover, int]:
        """Link two sentences; return what the links cover of each, and the number of chunks.

        Covers are the weight of the linked words, the weight of all words, and the number of linked words.
        """
        new = dict.fromkeys(word for word in (*candidate, *reference) if word not in self)
        if new:
            self._learn(list(new))
        own, other, chunks, proven = self._native.cover(
            [self[word] for word in candidate],
            [self[word] for word in reference],
            paraphrases=_phrase_links([candidate], [reference], self._rules, 1)[0],
            options=self._options,
            stage_weights=self._stage_weights,
        )
        if not proven:
            _report_unproven([0])
        return own, other, chunks


def _phrase_links(
    candidates: Sequence[Tokens], references: Sequence[Tokens], rules: LinkRules, threads: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the places where a phrase of a candidate has a paraphrase in the reference, and offsets by pair."""
    rows, starts = np.empty(0, np.int32), np.zeros(len(candidates) + 1, np.int64)
    if rules.paraphrases is not None:
        rows, starts = rules.paraphrases.links(
            candidates, references, max_length=_LONGEST_PHRASE, min_score=rules.min_score, threads=threads
        )
    if rules.aligner is None:
        return rows, starts
    table = list(map(tuple, rows.reshape(-1, 4).tolist()))
    found = [
        sorted({*table[begin:end], *linked_blocks(alignment)})
        for (begin, end), alignment in zip(
            pairwise(starts.tolist()), rules.aligner(candidates, references), strict=True
        )
    ]
    offsets = np.zeros(len(found) + 1, np.int64)
    np.cumsum([len(each) for each in found], out=offsets[1:])
    return np.array([number for each in found for row in each for number in row], dtype=np.int32), offsets


def linked_blocks(alignment: Alignment) -> list[tuple[int, int, int, int]]:
    """Return what is linked as places and lengths: a phrase to a phrase where all its words are linked to all of it.

    >>> linked_blocks(Alignment.from_pharaoh("0-0 1-2 1-3 3-1 4-1 4-5"))
    [(0, 0, 1, 1), (1, 2, 1, 2), (3, 1, 1, 1), (4, 1, 1, 1), (4, 5, 1, 1)]
    """
    blocks: list[tuple[int, int, int, int]] = []
    left = set(alignment.links)
    for link in sorted(alignment.links):
        if link not in left:
            continue
        group, new = {link}, [link]  # all that hangs together
        while new:
            i, j = new.pop()
            met = {other for other in left - group if other[0] == i or other[1] == j}
            group |= met
            new += met
        left -= group
        i, j = (min(each[side] for each in group) for side in (0, 1))
        rows, columns = (max(each[side] for each in group) - first + 1 for side, first in enumerate((i, j)))
        blocks += [(i, j, rows, columns)] if len(group) == rows * columns else [(*each, 1, 1) for each in sorted(group)]
    return blocks
