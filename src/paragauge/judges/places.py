"""Where something is: prepositions of place, and nouns that stand after another one than before.

"The cat is under the table" is not "the cat is on the table". Prepositions of one group say much the same; those of two
groups do not. "At", "to" and "with" fit most places and are in no group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paragauge.judges.change import Change
from paragauge.judges.linking import Linked
from paragauge.judges.reading import Reading

_GROUPS = {
    "in": ("in", "inside", "within", "into", "inside of", "in the middle of"),
    "on": ("on", "onto", "upon", "atop", "on top of"),
    "near": ("near", "nearby", "beside", "alongside", "by", "next to", "close to", "adjacent to", "near to"),
    "above": ("above", "over"),
    "below": ("below", "under", "beneath", "underneath"),
    "behind": ("behind", "in back of", "at the back of"),
    "in front": ("in front of",),
    "away": ("off", "away from", "far from", "distant from", "off of", "out of", "outside", "outside of"),
    "opposite": ("across from", "opposite"),
    "between": ("between", "among", "amid", "amidst"),
}  # fmt: skip
_GROUP_OF: Mapping[tuple[str, ...], str] = {
    tuple(phrase.split()): group for group, phrases in _GROUPS.items() for phrase in phrases
}
_LAST_WORDS = frozenset(phrase[-1] for phrase in _GROUP_OF)
_LONGEST = max(map(len, _GROUP_OF))
# Which of two is meant is often left to the reader: "in" and "on" the street, "on" and "over" the fire.
_ALIKE = frozenset(map(frozenset, (("in", "on"), ("on", "above"), ("in", "between"), ("near", "in front"))))
_CONTRARY = frozenset(("near", "away"))
_BEFORE_NOUN = ("det", "amod", "nummod", "compound", "nmod:poss", "advmod")


def find_places(linked: Linked) -> Iterator[Change]:
    """Give prepositions of place that another took the place of; one of the same group says the same."""
    original, candidate = linked.original, linked.candidate
    for link in linked.links:
        i, j = link.original, link.candidate
        if original.words[i].part != "n" or original.words[i].is_date or original.words[i].number is not None:
            continue
        ours = _place_of(original, i)
        theirs = _place_of(candidate, j) if ours else None
        if not ours or not theirs:
            continue
        if ours[0] != theirs[0]:
            yield Change("place", ours[1], theirs[1], certain=frozenset((ours[0], theirs[0])) not in _ALIKE)
        elif any(linked.to_candidate[place] not in theirs[1] for place in ours[1]):
            yield Change("reworded", ours[1], theirs[1])  # "next to" for "beside"


def are_contrary(linked: Linked, change: Change) -> bool:
    """Return whether a change of place turned one round: "near" and "far from"."""
    groups = (
        _GROUP_OF.get(tuple(reading.words[place].text for place in places))
        for reading, places in ((linked.original, change.original), (linked.candidate, change.candidate))
    )
    return frozenset(groups) == _CONTRARY


def _place_of(reading: Reading, noun: int) -> tuple[str, tuple[int, ...]] | None:
    """Return the group of the preposition of place before a noun, and its positions; None if there is none."""
    if reading.relations[noun] == "obl:agent":  # "by" names who did it
        return None
    begin = noun
    while begin > 0 and reading.heads[begin - 1] == noun and reading.relations[begin - 1].startswith(_BEFORE_NOUN):
        begin -= 1
    if not begin or reading.words[begin - 1].text not in _LAST_WORDS:
        return None
    for length in range(min(_LONGEST, begin), 0, -1):
        places = tuple(range(begin - length, begin))
        group = _GROUP_OF.get(tuple(reading.words[place].text for place in places))
        if group is not None:
            return group, places
    return None
