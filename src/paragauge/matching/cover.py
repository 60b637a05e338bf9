"""Phrases of a candidate and of its references that belong to a common set, matched without overlap.

Sets come from tables. In a phrase table each foreign phrase is a set: the phrases that it translates. In a paraphrase
table each pair is one. A phrase that belongs to any set matches itself, too.

Greedy matching takes the match that covers the most words first (both sides added), then the leftmost: by its place in
the candidate, by reference, by its place in the reference. Against several references the candidate is cut into
phrases once, and each of them may match one phrase in each reference. Then phrases of the candidate that are linked to
one another through common sets count as one phrase, and match no more often than they do in the single reference where
they do most; the longest stay, then the leftmost. Words that are left over match by identity, clipped in the same way.
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
from paragauge.phrases.store import pack_strings, string_arrays
from paragauge.phrases.table import PhraseTable
from paragauge.threads import thread_count

AnyTable: TypeAlias = PhraseTable | ParaphraseTable
Tokens: TypeAlias = Sequence[str]

UNMATCHED, BY_WORD, BY_PHRASE = range(3)  # marks of words


@dataclass(frozen=True, slots=True)
class SetOptions:
    """Which phrases belong to a set, and how matches are found.

    Attributes:
        min_prob: The least p(f|e) of a member; in a paraphrase table, the least score of a pair.
        min_inverse_prob: The least p(e|f) of a member; phrase tables only.
        min_length: The fewest words of a member.
        exact_steps: 0 for greedy matching; otherwise the most steps of the search for the matches that cover most.
    """

    min_prob: float = 0.0
    min_inverse_prob: float = 0.0
    min_length: int = 1
    exact_steps: int = 0


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase of the candidate and one of a reference, as spans of words [begin, end).

    Attributes:
        reference: Which reference, from 0.
        counts: False if the phrase was clipped.
    """

    reference: int
    candidate: tuple[int, int]
    other: tuple[int, int]
    counts: bool


@dataclass(frozen=True, slots=True)
class PhraseCover:
    """What one candidate shares with its references.

    Attributes:
        matches: Phrases matched against all references together, in the order in which they were found.
        candidate: A mark for each word of the candidate, against all references together.
        references: Marks of each reference's words, against this reference alone.
    """

    matches: tuple[PhraseMatch, ...]
    candidate: tuple[int, ...]
    references: tuple[tuple[int, ...], ...]


class PhraseCoverer:
    """Finds what candidates share with references, by the sets of some tables."""

    def __init__(self, tables: Sequence[AnyTable], options: SetOptions) -> None:
        self.tables = tuple(tables)
        self.options = options
        self._matcher = _core.PhraseMatcher(options.min_length, options.exact_steps)
        for table in self.tables:
            rows, sets, known, count = _sets(table, options)
            self._matcher.add(_phrases(table), rows=rows, sets=sets, known=known, set_count=count)

    def rows(self, candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> NDArray[np.int64]:
        """Return one row for each candidate.

        Columns: matched words of the candidate, its words, the matched ones in phrases that no reference has as they
        are, 1 if an exact search was broken off; then for each reference by itself its matched words and its words.
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
        """Return the foreign phrases that two phrases have in common, the likeliest way from one to other first."""
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
    """Return the sets of each phrase: offsets, numbers; which phrases have any; and how many sets there are."""
    if isinstance(table, ParaphraseTable):
        if options.min_inverse_prob > 0:
            raise OptionError("a paraphrase table knows no p(e|f); min_inverse_prob goes with phrase tables")
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
    """Tables as a key: the same objects, not equal contents, which would take reading them."""

    def __init__(self, tables: tuple[AnyTable, ...]) -> None:
        self.tables = tables

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.tables)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identical) and [*map(id, self.tables)] == [*map(id, other.tables)]


def coverer(tables: Sequence[AnyTable], options: SetOptions) -> PhraseCoverer:
    """Return the coverer of *tables*; recent ones are kept, since gathering the sets of a large table takes time."""
    return _coverer(_Identical(tuple(tables)), options)


@lru_cache(maxsize=4)
def _coverer(tables: _Identical, options: SetOptions) -> PhraseCoverer:
    return PhraseCoverer(tables.tables, options)
