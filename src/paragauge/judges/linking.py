"""Link the words of an original and a candidate; find what was replaced, is missing or was added.

Every word is compared with every other: the same text, lemma, stem or number, a common synset or derivation in WordNet,
shared translations (`paragauge.judges.vectors`), and letters for words that no table contains. The strongest evidence
is taken first, at most one link per word; neighbours, heads and positions break ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paragauge.errors import DataError
from paragauge.judges.likeness import Likeness, Link
from paragauge.judges.reading import Reading

MAX_COMPARISONS = 4_000_000  # of words in a pair of sentences: less than a second

_SAME_PLACE = 2  # signs that a word took the place of another


class Replacement(NamedTuple):
    """A content word that replaced one of the original; *signs*, from 2 to 4, tell how certain the position is."""

    original: int
    candidate: int
    signs: int


@dataclass(frozen=True, slots=True)
class Linked:
    """A pair of sentences with its links.

    Attributes:
        original: The original, read.
        candidate: The candidate, read.
        links: Linked words, in the order of the original.
        replacements: Words that took the place of others.
        missing: Content words of the original that have no link.
        added: Content words of the candidate that have no link.
        to_candidate: Linked position in the candidate for each position of the original, -1 for none.
        to_original: Linked position in the original for each position of the candidate, -1 for none.
        said: For each position of the original how well the candidate expresses it, from 0 to 1, whatever the links.
        supported: For each position of the candidate how well the original supports it, likewise.
    """

    original: Reading
    candidate: Reading
    links: tuple[Link, ...]
    replacements: tuple[Replacement, ...]
    missing: tuple[int, ...]
    added: tuple[int, ...]
    to_candidate: tuple[int, ...]
    to_original: tuple[int, ...]
    said: tuple[float, ...]
    supported: tuple[float, ...]


def link_readings(original: Reading, candidate: Reading, likeness: Likeness) -> Linked:
    """Return the links of a pair of sentences.

    Raises:
        DataError: The sentences are too long to compare each word with each.
    """
    ours, theirs = original.words, candidate.words
    if len(ours) * len(theirs) > MAX_COMPARISONS:
        raise DataError(
            f"a pair of sentences has {len(ours):,} and {len(theirs):,} words, too many to compare each with each; "
            "split the sentences"
        )
    found = likeness.link(original, candidate)
    to_candidate, to_original = found.to_candidate, found.to_original
    # One word of a phrase is linked; the others are said with it.
    within, their_within = {i for i, _ in found.in_phrases}, {j for _, j in found.in_phrases}
    missing = tuple(i for i in original.content if to_candidate[i] < 0 and i not in within)
    added = tuple(j for j in candidate.content if to_original[j] < 0 and j not in their_within)
    return Linked(
        original,
        candidate,
        found.links,
        _replacements(original, candidate, missing, added, to_candidate),
        missing,
        added,
        to_candidate,
        to_original,
        found.said,
        found.supported,
    )


def _replacements(
    original: Reading,
    candidate: Reading,
    missing: tuple[int, ...],
    added: tuple[int, ...],
    to_candidate: Sequence[int],
) -> tuple[Replacement, ...]:
    options = []
    for i in missing:
        for j in added:
            signs = _signs(original, candidate, i, j, to_candidate)
            if signs >= _SAME_PLACE:
                options.append((-signs, abs(i - j), i, j))
    options.sort()
    taken: set[int] = set()
    their_taken: set[int] = set()
    found = []
    for signs, _, i, j in options:
        if i not in taken and j not in their_taken:
            taken.add(i)
            their_taken.add(j)
            found.append(Replacement(i, j, -signs))
    return tuple(sorted(found))


def _signs(original: Reading, candidate: Reading, i: int, j: int, to_candidate: Sequence[int]) -> int:
    """Count what says that *j* stands in the place of *i*: both neighbours, head with relation, kind of word."""
    ours, theirs = original.words, candidate.words
    left = (i == 0 and j == 0) or (i > 0 and j > 0 and to_candidate[i - 1] == j - 1)
    at_end = i + 1 == len(ours) and j + 1 == len(theirs)
    right = at_end or (
        i + 1 < len(ours)
        and j + 1 < len(theirs)
        and (to_candidate[i + 1] == j + 1 or (ours[i + 1].is_mark and theirs[j + 1].is_mark))
    )
    head, other_head = original.heads[i], candidate.heads[j]
    same_head = to_candidate[head] == other_head if head >= 0 and other_head >= 0 else head == other_head
    same_role = same_head and original.relations[i] == candidate.relations[j]
    kind = ours[i].part == theirs[j].part and ours[i].is_name == theirs[j].is_name
    return left + right + same_role + kind if left or right or same_role else 0
