"""Whether something is stated, asked, or held for possible: questions, and words such as "perhaps"."""

from __future__ import annotations

from collections.abc import Iterator

from paragauge.judges.change import Change
from paragauge.judges.linking import Linked
from paragauge.judges.marked import word_set
from paragauge.judges.reading import Reading

_AUXILIARIES = word_set("be have do will would shall should can could may might must")
_REQUESTING = word_set("can could will would may might")  # "could you close the door?" asks for the same as "close it"
_REQUESTED = word_set("you i we")
_ASKING = word_set("ask wonder know tell whether if inquire please question")  # in statements that ask all the same
_QUESTION_WORDS = {
    "when": "time", "where": "place", "why": "reason", "who": "person", "whom": "person", "whose": "person",
}  # fmt: skip
_HEDGES = word_set("may might perhaps maybe possibly probably presumably supposedly allegedly reportedly if")
_OTHER_HEDGES = word_set(
    "could can would should unless whether when whenever possible probable likely unlikely potential potentially seem "
    "appear suggest think believe suspect assume allege claim say report accord hope able"
)  # that hedge as well, among other things


def find_moods(linked: Linked) -> Iterator[Change]:
    """Give a statement that became a question, or the reverse, other question words, and hedges of one side alone."""
    original, candidate = linked.original, linked.candidate
    asked, their_asked = _asked(original), _asked(candidate)
    if asked and their_asked and asked != their_asked:
        yield Change("quantifier", (_first(original),), (_first(candidate),))
    if asks_whether(original) and states(candidate):
        yield Change("question", (_first(original), _last(original)), ())
    elif asks_whether(candidate) and states(original):
        yield Change("question", (), (_first(candidate), _last(candidate)))
    for reading, other, to, is_original in (
        (original, candidate, linked.to_candidate, True),
        (candidate, original, linked.to_original, False),
    ):
        hedges = [place for place, word in enumerate(reading.words) if to[place] < 0 and word.text in _HEDGES]
        if not hedges or any(word.lemma in _HEDGES or word.lemma in _OTHER_HEDGES for word in other.words):
            continue
        for place in hedges:
            ours, theirs = ((place,), ()) if is_original else ((), (place,))
            yield Change("hedge", ours, theirs, certain=False)


def asks_whether(reading: Reading) -> bool:
    """Return whether a sentence is a question that "yes" or "no" answers, and no request in the form of one."""
    words = reading.words
    if len(words) < 3 or words[_last(reading)].text != "?":
        return False
    first = _first(reading)
    if words[first].lemma not in _AUXILIARIES or words[first].tag in ("VB", "VBG", "VBN"):
        return False
    if any(word.text == "please" for word in words):
        return False
    return not (words[first].lemma in _REQUESTING and words[first + 1].lemma in _REQUESTED)


def _asked(reading: Reading) -> str:
    """Return what a question asks for: a time, a place, a reason or a person; "" if its first word leaves that open."""
    words = reading.words
    if len(words) < 2 or words[_last(reading)].text != "?":
        return ""
    first = _first(reading)
    if [word.text for word in words[first : first + 2]] == ["what", "time"]:
        return "time"
    return _QUESTION_WORDS.get(words[first].text, "")


def states(reading: Reading) -> bool:
    """Return whether a sentence states something: it has a subject, no question mark, and does not ask indirectly."""
    if any(word.text == "?" or word.lemma in _ASKING for word in reading.words):
        return False
    return any(relation.startswith("nsubj") for relation in reading.relations)


def _first(reading: Reading) -> int:
    """Return the position of the first word, 0 if there is none."""
    return next((place for place, word in enumerate(reading.words) if not word.is_mark), 0)


def _last(reading: Reading) -> int:
    """Return the position of the last token that is no quotation mark or bracket."""
    for place in range(len(reading.words) - 1, -1, -1):
        if reading.words[place].text not in ("''", '"', "”", "’", ")", "'"):
            return place
    return len(reading.words) - 1
