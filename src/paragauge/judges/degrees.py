"""How much: bounds of numbers, comparisons, numbers that changed places, and what only nearly happened.

"At least ten" is not "at most ten", "as fast as" not "faster than", "from ten to five" not "from five to ten", and who
nearly died did not die.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from paragauge.judges.change import Change
from paragauge.judges.linking import Linked
from paragauge.judges.marked import word_set
from paragauge.judges.reading import Reading

_AT_LEAST, _AT_MOST = "at least", "at most"
_BEFORE = {
    _AT_LEAST: ("at least", "no fewer than", "no less than", "not less than", "not fewer than", "a minimum of",
                "more than", "over", "upwards of", "in excess of"),
    _AT_MOST: ("at most", "no more than", "not more than", "a maximum of", "up to", "less than", "fewer than", "under"),
}  # fmt: skip
_AFTER = {
    _AT_LEAST: ("or more", "or over", "or above", "and more", "and over", "and above"),
    _AT_MOST: ("or less", "or fewer", "or under", "or below"),
}
_LONGEST_BEFORE, _LONGEST_AFTER = 3, 2


def _by_phrase(phrases: Mapping[str, Sequence[str]]) -> Mapping[tuple[str, ...], str]:
    return {tuple(phrase.split()): bound for bound, listed in phrases.items() for phrase in listed}


_BOUND_BEFORE, _BOUND_AFTER = _by_phrase(_BEFORE), _by_phrase(_AFTER)
_NEARLY = word_set("nearly almost narrowly")
_ABOUT = word_set("nearly almost narrowly practically virtually about close verge brink barely hardly scarcely point")


def find_degrees(linked: Linked) -> Iterator[Change]:
    """Give bounds of numbers and comparisons that changed, numbers that changed places, and what nearly happened."""
    numbers = [
        link.original
        for link in linked.links
        if linked.original.words[link.original].number is not None and not linked.original.words[link.original].is_date
    ]
    if numbers:
        yield from _bounds(linked, numbers)
        yield from _swapped(linked, numbers)
    yield from _comparisons(linked)
    yield from _nearly(linked)


def _bounds(linked: Linked, numbers: Sequence[int]) -> Iterator[Change]:
    for i in numbers:
        ours = _bound(linked.original, i)
        theirs = _bound(linked.candidate, linked.to_candidate[i]) if ours else None
        if not ours or not theirs:
            continue
        if ours[0] != theirs[0]:
            yield Change("quantifier", ours[1], theirs[1])
        elif any(linked.to_candidate[place] not in theirs[1] for place in ours[1]):
            yield Change("reworded", ours[1], theirs[1])  # "or more" for "at least"


def _bound(reading: Reading, number: int) -> tuple[str, tuple[int, ...]] | None:
    """Return whether a number is the least or the most, and the positions of the words that say so."""
    texts = [word.text for word in reading.words]
    begin = number
    while begin > 0 and reading.words[begin - 1].is_mark and texts[begin - 1] != ",":  # "$"
        begin -= 1
    for length in range(min(_LONGEST_BEFORE, begin), 0, -1):
        bound = _BOUND_BEFORE.get(tuple(texts[begin - length : begin]))
        if bound is not None:
            return bound, tuple(range(begin - length, begin))
    for end in (number + 1, number + 2):  # "ten or more people", "ten people or more"
        bound = _BOUND_AFTER.get(tuple(texts[end : end + _LONGEST_AFTER]))
        if bound is not None:
            return bound, tuple(range(end, end + _LONGEST_AFTER))
    return None


def _swapped(linked: Linked, numbers: Sequence[int]) -> Iterator[Change]:
    """Give two numbers of which each stands after the word that the other stood after, without its noun."""
    to = linked.to_candidate
    for x, y in pairwise(numbers):
        if linked.original.words[x].number == linked.original.words[y].number or to[x] < to[y]:
            continue
        if _counts_the_same(linked, x) or _counts_the_same(linked, y):
            continue  # "two cups and one plate" is "one plate and two cups"
        before, their_before = _word_before(linked.original, x), _word_before(linked.candidate, to[y])
        between, their_between = _word_before(linked.original, y), _word_before(linked.candidate, to[x])
        if before == their_before and between == their_between and before != between:
            yield Change("number", (x, y), (to[x], to[y]))


def _counts_the_same(linked: Linked, number: int) -> bool:
    """Return whether a number belongs to the same noun in both sentences."""
    ours, theirs = linked.original, linked.candidate
    place = linked.to_candidate[number]
    if not ours.relations[number].startswith("nummod") or not theirs.relations[place].startswith("nummod"):
        return False
    return linked.to_candidate[ours.heads[number]] == theirs.heads[place]


def _word_before(reading: Reading, place: int) -> str:
    """Return the lemma of the word before a number and its marks, "" at the beginning."""
    return next((word.lemma for word in reversed(reading.words[:place]) if not word.is_mark), "")


def _comparisons(linked: Linked) -> Iterator[Change]:
    """Give a comparison that became one of equals, or the reverse."""
    original, candidate = linked.original, linked.candidate
    if not _compares(original) or not _compares(candidate):
        return
    if any(word.is_negation for reading in (original, candidate) for word in reading.words):
        return  # "not as fast as" is "slower than"
    for link in linked.links:
        ours, theirs = _than(original, link.original), _than(candidate, link.candidate)
        if ours and theirs and len(ours) != len(theirs):
            yield Change("quantifier", ours, theirs)


def _compares(reading: Reading) -> bool:
    return any(word.text in ("than", "as") for word in reading.words)


def _than(reading: Reading, place: int) -> tuple[int, ...]:
    """Return the positions of "faster than" or "as fast as", given that of the adjective or adverb."""
    words = reading.words
    before, after = place - 1, place + 1
    if after >= len(words):
        return ()
    if words[place].tag in ("JJR", "RBR") and words[after].text == "than":
        return (place, after)
    is_equal = before >= 0 and words[before].text == words[after].text == "as" and words[place].tag in ("JJ", "RB")
    return (before, place, after) if is_equal else ()


def _nearly(linked: Linked) -> Iterator[Change]:
    """Give a "nearly" before a verb that the other sentence has without it."""
    for reading, other, to, is_original in (
        (linked.original, linked.candidate, linked.to_candidate, True),
        (linked.candidate, linked.original, linked.to_original, False),
    ):
        for place, word in enumerate(reading.words):
            head = reading.heads[place]
            if word.text not in _NEARLY or head < 0 or reading.words[head].part != "v" or to[head] < 0:
                continue
            if any(each.text in _ABOUT for each in other.words):
                continue
            yield Change("hedge", (place,), ()) if is_original else Change("hedge", (), (place,))
