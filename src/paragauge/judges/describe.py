"""Changes and judgments in words, with the words of the sentences as they were written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from paragauge.judges.change import Change
from paragauge.judges.likeness import Link
from paragauge.judges.linking import Linked
from paragauge.judges.reading import Reading, Word
from paragauge.judges.roles import slots_of
from paragauge.phrases.table import PhraseTable

LANGUAGES = {"cs": "Czech", "de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "pt": "Portuguese",
             "ru": "Russian"}  # fmt: skip

_ROLE_NAMES = {"iobj ": "indirect object", "obl than": "standard of comparison"}
_SHORT = {"n't": "not", "n’t": "not"}  # what tokens that are no words stand for
_MOST_LISTED = 5  # words of one kind


def describe_changes(linked: Linked, changes: Sequence[Change]) -> list[str]:
    """Return one phrase for each change; content that is missing or new is named in one phrase each."""
    phrases = [_describe(linked, change) for change in changes if change.kind not in ("missing", "added")]
    missing = [place for change in changes if change.kind == "missing" for place in change.original]
    added = [place for change in changes if change.kind == "added" for place in change.candidate]
    if missing:
        phrases.append(f"{_list(linked.original, missing)} {_is(missing)} missing")
    if added:
        phrases.append(f"{_list(linked.candidate, added)} {_is(added, 'was', 'were')} added")
    return phrases


def _is(places: Sequence[int], one: str = "is", many: str = "are") -> str:
    return one if len(places) == 1 else many


def _list(reading: Reading, places: Sequence[int]) -> str:
    shown = ", ".join(f"'{reading.surface[place]}'" for place in places[:_MOST_LISTED])
    rest = len(places) - _MOST_LISTED
    return f"{shown} and {rest} more" if rest > 0 else shown


def _describe(linked: Linked, change: Change) -> str:
    ours = [linked.original.surface[place] for place in change.original]
    theirs = [linked.candidate.surface[place] for place in change.candidate]
    match change.kind:
        case "number" if len(ours) == len(theirs) == 2:
            return f"the numbers {ours[0]} and {ours[1]} changed places"
        case "number" | "date" | "name":
            return _exchanged(change.kind, ours, theirs)
        case "negation":
            return _negation(ours, theirs)
        case "moved":
            return f"'{theirs[0]}' moved from '{ours[1]}' to '{theirs[1]}'"
        case "cancelled":
            return _cancelled(ours, theirs, certain=change.certain)
        case "opposite":
            return f"'{ours[0]}' became its opposite, '{theirs[0]}'"
        case "reworded":
            return _cancelled(ours, theirs, certain=True)
        case "converse":
            return f"'{ours[0]}' is said from the other side, as '{theirs[0]}'"
        case "question":
            return "the statement became a question" if theirs else "the question became a statement"
        case "hedge":
            return _negation(ours, theirs)
        case "place" | "quantifier":
            return f"'{' '.join(ours)}' became '{' '.join(theirs)}'"
        case "roles":
            return _roles(linked, change)
        case "attachment":
            word, head, other_head = ours[0], ours[1], theirs[1]
            return f"'{word}' belongs to '{other_head}' instead of '{head}'"
        case _:
            return f"'{ours[0]}' became '{theirs[0]}'"


def _roles(linked: Linked, change: Change) -> str:
    x, y = change.original
    if not change.certain:
        slots = slots_of(linked.original)[x], slots_of(linked.candidate)[change.candidate[0]]
        before, now = (_ROLE_NAMES.get(role, role) for _, role in slots)
        noun, verb = linked.original.surface[x], linked.original.surface[y]
        return f"'{noun}' was the {before} of '{verb}' and is now its {now}"
    (head, role), (other_head, other_role) = (slots_of(linked.original)[place] for place in (x, y))
    if head == other_head and {role, other_role} == {"subject", "object"}:
        return f"subject and object of '{linked.original.surface[head]}' changed places"
    return f"'{linked.original.surface[x]}' and '{linked.original.surface[y]}' changed places"


def _exchanged(kind: str, ours: Sequence[str], theirs: Sequence[str]) -> str:
    if not theirs:
        return f"the {kind} {ours[0]} is missing"
    if not ours:
        return f"the {kind} {theirs[0]} was added"
    return f"the {kind} {ours[0]} became {theirs[0]}"


def _negation(ours: Sequence[str], theirs: Sequence[str]) -> str:
    dropped, inserted = (" and ".join(f"'{_SHORT.get(word, word)}'" for word in words) for words in (ours, theirs))
    if dropped and inserted:
        return f"{dropped} was dropped, and {inserted} added"
    return f"{dropped} was dropped" if dropped else f"{inserted} was added"


def _cancelled(ours: Sequence[str], theirs: Sequence[str], *, certain: bool) -> str:
    one, other = " ".join(ours), " ".join(theirs)
    if not one or not other:  # "not until" became "only"
        return f"'{one or other}' {'is' if certain else 'may be'} said in another way"
    if certain:
        return f"'{one}' is said as '{other}'"
    return f"'{one}' became '{other}', which may say the same"


def through(one: Word, other: Word, tables: Mapping[str, PhraseTable]) -> str:
    """Return the translation that two words share most, such as "French remettre"; "" if none is known."""
    best, found = 0.0, ""
    for language, table in tables.items():
        ours, theirs = table.probabilities(one.stem), table.probabilities(other.stem)
        for word in sorted(ours.keys() & theirs.keys()):
            shared = ours[word] * theirs[word]
            if shared > best:
                best, found = shared, f"{LANGUAGES.get(language, language)} {word}"
    return found


def describe_links(linked: Linked, tables: Mapping[str, PhraseTable]) -> Iterator[tuple[Link, str]]:
    """Give the links between different words with the reason for each."""
    for link in linked.links:
        one, other = linked.original.words[link.original], linked.candidate.words[link.candidate]
        match link.evidence.kind:
            case "same":
                continue
            case "form":
                yield link, "a form of the same word"
            case "derived":
                yield link, "derived from the same word"
            case "number":
                yield link, "the same number"
            case "group":
                yield link, "much the same quantity, modality or negation"
            case "phrase":
                yield link, "a phrase for the same"
            case "kind":
                yield link, "similar" if one.part == "a" else "one is a kind of the other"
            case "spelling":
                yield link, "spelt alike"
            case kind:
                shared = through(one, other, tables)
                if kind == "synonym":
                    yield link, f"synonyms, both {shared}" if shared else "synonyms"
                else:
                    yield link, f"both {shared}" if shared else "similar translations"


def opening(
    meaning: float, fluency: float, difference: float, changes: Iterable[str], *, copied: str | None = None
) -> str:
    """Return one or two sentences that say what was judged, the most important thing first.

    *copied* names the text of which the candidate is a copy, if it is one.
    """
    if copied:
        return f"A copy of the {copied}, punctuation and case apart."
    said = (
        "Says the same" if meaning >= 0.8
        else "Says much the same" if meaning >= 0.6
        else "Keeps part of the meaning" if meaning >= 0.3
        else "Says something else"
    )  # fmt: skip
    how = (
        "in other words" if difference >= 0.6
        else "in partly other words" if difference >= 0.25
        else "in nearly the same words"
    )  # fmt: skip
    tongue = "" if fluency >= 0.6 else "; hardly fluent English" if fluency >= 0.3 else "; not fluent English"
    listed = list(changes)
    first = f"{said}, {how}{tongue}."
    if not listed:
        return f"{first} No change of numbers, negation, names, quantities, places or roles was found."
    told = "; ".join(listed[:3])
    return f"{first} {told[0].upper()}{told[1:]}."
