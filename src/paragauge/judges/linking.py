"""Which words of an original and a candidate belong together, what was replaced, what is missing, what was added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from paragauge.judges.likeness import Evidence, Likeness
from paragauge.judges.reading import Reading

_LEAST = 0.2  # evidence below this links nothing
_NEIGHBOUR = 0.06  # a neighbour, or the head, that is the same word on both sides
_DISTANCE = 0.05  # from one end of a sentence to the other
_SAME_PLACE = 2  # signs that a word took the place of another: neighbours, head and relation


class Link(NamedTuple):
    """Two words that say the same: positions in original and candidate, and why."""

    original: int
    candidate: int
    evidence: Evidence


class Replacement(NamedTuple):
    """A content word of the candidate that stands where the original has another, and how sure the place is (2 to 4)."""

    original: int
    candidate: int
    signs: int


@dataclass(frozen=True, slots=True)
class Linked:
    """A pair of sentences with its links.

    Attributes:
        original: The original, read.
        candidate: The candidate, read.
        links: Words that belong together, in the order of the original.
        replacements: Words that took the place of others.
        missing: Content words of the original that have no link.
        added: Content words of the candidate that have no link.
        to_candidate: For each position of the original that of the candidate, -1 for none.
        to_original: For each position of the candidate that of the original, -1 for none.
    """

    original: Reading
    candidate: Reading
    links: tuple[Link, ...]
    replacements: tuple[Replacement, ...]
    missing: tuple[int, ...]
    added: tuple[int, ...]
    to_candidate: tuple[int, ...]
    to_original: tuple[int, ...]


def link_readings(original: Reading, candidate: Reading, likeness: Likeness) -> Linked:
    """Return the links of a pair: the strongest first, each word once."""
    ours, theirs = original.words, candidate.words
    cosines = likeness.cosines(original, candidate).tolist()
    their_content = {place: column for column, place in enumerate(candidate.content)}
    row = 0
    options: list[tuple[float, int, int, Evidence]] = []
    for i, one in enumerate(ours):
        if one.is_mark:
            continue
        for j, other in enumerate(theirs):
            if one.is_content != other.is_content and one.text != other.text and one.lemma != other.lemma:
                continue
            cosine = cosines[row][their_content[j]] if one.is_content and other.is_content else 0.0
            evidence = likeness.compare(one, other, cosine)
            if evidence.score >= _LEAST:
                options.append((evidence.score + _context(original, candidate, i, j), i, j, evidence))
        row += one.is_content
    options.sort(key=lambda option: (-option[0], option[1], option[2]))
    to_candidate, to_original = [-1] * len(ours), [-1] * len(theirs)
    links = []
    for _, i, j, evidence in options:
        if to_candidate[i] < 0 and to_original[j] < 0:
            to_candidate[i], to_original[j] = j, i
            links.append(Link(i, j, evidence))
    links.sort()
    missing = tuple(i for i, word in enumerate(ours) if word.is_content and to_candidate[i] < 0)
    added = tuple(j for j, word in enumerate(theirs) if word.is_content and to_original[j] < 0)
    replaced = _replacements(original, candidate, missing, added, to_candidate)
    return Linked(
        original, candidate, tuple(links), replaced, missing, added, tuple(to_candidate), tuple(to_original)
    )


def _context(original: Reading, candidate: Reading, i: int, j: int) -> float:
    """Return what speaks for linking words *i* and *j* beside themselves: their neighbours, their heads, their places."""
    ours, theirs = original.words, candidate.words
    bonus = 0.0
    if i and j:
        bonus += _NEIGHBOUR * (ours[i - 1].text == theirs[j - 1].text)
    elif i == j:
        bonus += _NEIGHBOUR
    if i + 1 < len(ours) and j + 1 < len(theirs):
        bonus += _NEIGHBOUR * (ours[i + 1].text == theirs[j + 1].text)
    head, other_head = original.heads[i], candidate.heads[j]
    if head >= 0 and other_head >= 0:
        bonus += _NEIGHBOUR * (ours[head].lemma == theirs[other_head].lemma)
    return bonus - _DISTANCE * abs(i / len(ours) - j / len(theirs))


def _replacements(
    original: Reading,
    candidate: Reading,
    missing: tuple[int, ...],
    added: tuple[int, ...],
    to_candidate: list[int],
) -> tuple[Replacement, ...]:
    options = []
    for i in missing:
        for j in added:
            signs = _signs(original, candidate, i, j, to_candidate)
            if signs >= _SAME_PLACE:
                options.append((-signs, abs(i - j), i, j))
    options.sort()
    used_i: set[int] = set()
    used_j: set[int] = set()
    found = []
    for signs, _, i, j in options:
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            found.append(Replacement(i, j, -signs))
    return tuple(sorted(found))


def _signs(original: Reading, candidate: Reading, i: int, j: int, to_candidate: list[int]) -> int:
    """Count what says that *j* stands in the place of *i*: left and right neighbour, head with relation, kind of word."""
    ours, theirs = original.words, candidate.words
    left = (i == 0 and j == 0) or (i > 0 and j > 0 and to_candidate[i - 1] == j - 1)
    at_end = i + 1 == len(ours) and j + 1 == len(theirs)
    right = at_end or (
        i + 1 < len(ours)
        and j + 1 < len(theirs)
        and (to_candidate[i + 1] == j + 1 or (ours[i + 1].is_mark and theirs[j + 1].is_mark))
    )
    head, other_head = original.heads[i], candidate.heads[j]
    same_head = (
        to_candidate[head] == other_head if head >= 0 and other_head >= 0 else head == other_head
    ) and original.relations[i] == candidate.relations[j]
    kind = ours[i].part == theirs[j].part and ours[i].is_name == theirs[j].is_name
    return left + right + same_head + kind if left or right or same_head else 0
