"""Phrases of a candidate and of its references that belong to a common set, matched without overlap.

Sets come from tables. In a phrase table each foreign phrase is a set: the phrases that it translates. In a paraphrase
table each pair is a set. A phrase that belongs to any set also matches itself.

Greedy matching takes the match that covers the most words first (both sides added), then the leftmost: by position in
the candidate, by reference, by position in the reference. Against several references the candidate is split into
phrases once, and each phrase may match one phrase in each reference. Phrases of the candidate that are linked through
common sets then count as one phrase, and match at most as often as in the single reference with the most matches; the
longest are kept, then the leftmost. Remaining words match if they are identical, clipped in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paragauge import _core
from paragauge.errors import OptionError
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.table import PhraseTable
from paragauge.storage.store import pack_strings, string_arrays
from paragauge.threads import thread_count

AnyTable: TypeAlias = PhraseTable | ParaphraseTable
Tokens: TypeAlias = Sequence[str]

UNMATCHED, BY_WORD, BY_PHRASE = range(3)  # marks of words


@dataclass(frozen=True, slots=True)
class SetOptions:
    """Options for which phrases belong to a set and how matches are found.

    Attributes:
        min_prob: Minimum p(f|e) of a member; in a paraphrase table, minimum score of a pair.
        min_inverse_prob: Minimum p(e|f) of a member; phrase tables only.
        min_length: Minimum length of a member in words.
        exact_steps: 0 for greedy matching; otherwise the maximum number of steps in the search for the matches that
            cover the most words.
    """

    min_prob: float = 0.0
    min_inverse_prob: float = 0.0
    min_length: int = 1
    exact_steps: int = 0


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase of the candidate and one of a reference, as spans of words [begin, end).

    Attributes:
        reference: Number of the reference, from 0.
        counts: False if the phrase was clipped.
    """

    reference: int
    candidate: tuple[int, int]
    other: tuple[int, int]
    counts: bool


@dataclass(frozen=True, slots=True)
class PhraseCover:
    """The matches of one candidate with its references.

    Attributes:
        matches: Phrases matched against all references together, in the order they were found.
        candidate: A mark for each word of the candidate, against all references together.
        references: Marks of each reference's words, against that reference alone.
    """

    matches: tuple[PhraseMatch, ...]
    candidate: tuple[int, ...]
    references: tuple[tuple[int, ...], ...]


class PhraseCoverer:
    """Finds the phrases that candidates share with references, using the sets of given tables."""

    def __init__(self, tables: Sequence[AnyTable], options: SetOptions) -> None:
        self.tables = tuple(tables)
        self.options = options
        self._matcher = _core.PhraseMatcher(options.min_length, options.exact_steps)
        for table in self.tables:
            rows, sets, known, count = _sets(table, options)
            self._matcher.add(_phrases(table), rows=rows, sets=sets, known=known, set_count=count)

    def rows(self, candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> NDArray[np.int64]:
        """Return one row for each candidate.

        Columns: matched words of the candidate, its words, matched words in phrases that no reference contains
        verbatim, 1 if an exact search was cut short; then, for each reference alone, its matched words and its words.
        """
        groups = np.zeros(len(references) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in references], out=groups[1:])
        return self._matcher.rows(
            _pack(candidates), _pack([tokens for group in references for tokens in group]), groups, thread_count(None)
        )

    def cover(self, candidate: Tokens, references: Sequence[Tokens]) -> PhraseCover:
        """Return the matches of one candidate in detail."""
        matches, own, others = self._matcher.explain(_pack([candidate]), _pack(references))
        return PhraseCover(
            tuple(
                PhraseMatch(reference, (begin, begin + length), (other, other + other_length), counts)
                for reference, begin, length, other, other_length, counts in matches
            ),
            tuple(own),
            tuple(map(tuple, others)),
        )

    def shared_sets(self, one: Tokens, other: Tokens) -> list[str]:
        """Return the foreign phrases that two phrases share, the most probable path from one to other first."""
        found: list[tuple[float, str]] = []
        for table in self.tables:
            if isinstance(table, PhraseTable):
                found += _shared(table, " ".join(one), " ".join(other), self.options)
        return list(dict.fromkeys(text for _, text in sorted(found, key=lambda item: (-item[0], item[1]))))


def _pack(sentences: Sequence[Tokens]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    return pack_strings(" ".join(tokens) for tokens in sentences)


def _phrases(table: AnyTable) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    if isinstance(table, ParaphraseTable):
        return table.columns["phrase.text"], table.columns["phrase.offsets"]
    return string_arrays(table.strings("source"))


def _sets(table: AnyTable, options: SetOptions) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8], int]:
    """Return the sets of each phrase (offsets, numbers), the phrases that have any, and the number of sets."""
    if isinstance(table, ParaphraseTable):
        if options.min_inverse_prob > 0:
            raise OptionError("a paraphrase table has no p(e|f); use min_inverse_prob with phrase tables only")
        phrases = len(table.columns["phrase.offsets"]) - 1
        likely = np.flatnonzero(table.columns["scores"] >= options.min_prob)
        heads = np.repeat(np.arange(phrases), np.diff(table.columns["phrase.rows"]))[likely]
        members = np.concatenate([heads, table.columns["paraphrases"][likely]])
        return _compressed(members, np.tile(np.arange(len(likely)), 2), phrases)
    near, far, counts = table.pair_arrays()
    keep = counts / table.source_counts()[near] >= options.min_prob
    keep &= counts / table.target_counts()[far] >= options.min_inverse_prob
    return _compressed(near[keep], far[keep], table.source_phrases)


def _compressed(
    members: NDArray[np.integer], sets: NDArray[np.integer], phrases: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8], int]:
    known = np.zeros(phrases, dtype=np.uint8)
    known[members] = 1
    sizes = np.bincount(sets)
    linking = sizes[sets] > 1  # a set with one member links nothing
    members, sets = members[linking], sets[linking]
    numbers = np.cumsum(sizes > 1) - 1
    order = np.argsort(members, kind="stable")
    rows = np.zeros(phrases + 1, dtype=np.int64)
    np.cumsum(np.bincount(members, minlength=phrases), out=rows[1:])
    return rows, numbers[sets[order]].astype(np.int32), known, int(np.count_nonzero(sizes > 1))


def _shared(table: PhraseTable, one: str, other: str, options: SetOptions) -> list[tuple[float, str]]:
    first, second = table.find(one), table.find(other)
    if first < 0 or second < 0:
        return []
    (sets, counts), (other_sets, other_counts) = table.row(first), table.row(second)
    common, here, there = np.intersect1d(sets, other_sets, assume_unique=True, return_indices=True)
    totals = table.target_counts()[common]
    found = []
    for target, count, other_count, total in zip(
        common.tolist(), counts[here].tolist(), other_counts[there].tolist(), totals.tolist(), strict=True
    ):
        forward = [count / int(table.source_counts()[first]), other_count / int(table.source_counts()[second])]
        backward = [count / total, other_count / total]
        if min(forward) >= options.min_prob and min(backward) >= options.min_inverse_prob:
            found.append((forward[0] * backward[1], table.target(target)))
    return found


class _Identical:
    """Tables as a cache key, compared by identity: comparing contents would mean reading them."""

    def __init__(self, tables: tuple[AnyTable, ...]) -> None:
        self.tables = tables

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.tables)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identical) and [*map(id, self.tables)] == [*map(id, other.tables)]


def coverer(tables: Sequence[AnyTable], options: SetOptions) -> PhraseCoverer:
    """Return the coverer of *tables*; recent ones are cached, since collecting the sets of a large table is slow."""
    return _coverer(_Identical(tuple(tables)), options)


@lru_cache(maxsize=4)
def _coverer(tables: _Identical, options: SetOptions) -> PhraseCoverer:
    return PhraseCoverer(tables.tables, options)
