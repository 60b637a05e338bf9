"""Checks that name what a candidate changed: numbers, dates, negation, opposites, names, quantifiers, roles, content.

Every check looks at two linked sentences (`paragauge.judges.linking`) and gives changes with the words they concern.
Negations are compared by what they deny (`paragauge.judges.denials`). One that only one side has turns the meaning
round, unless the word it denies was replaced by its opposite: "not fat" is "thin". One that denies another word than
before has moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from paragauge.judges.change import Change, Kind
from paragauge.judges.closed_words import joined_value
from paragauge.judges.degrees import find_degrees
from paragauge.judges.denials import Denial, Denials, denies_its_clause, share_denials
from paragauge.judges.likeness import Likeness
from paragauge.judges.linking import Linked
from paragauge.judges.moods import find_moods
from paragauge.judges.places import are_contrary, find_places
from paragauge.judges.reading import Reading, Word
from paragauge.judges.roles import are_converses, find_attachments, find_roles, may_have_converse

_SURE_PLACE = 3  # signs that a word took the place of another


def find_changes(linked: Linked, likeness: Likeness) -> tuple[Change, ...]:
    """Return all changes of a pair; words that one change explains are not named by a later one."""
    missing, added = set(linked.missing), set(linked.added)
    found: list[Change] = []
    _join_numbers(linked, missing, added)
    found += _exchanged(linked, missing, added, "number", lambda word: word.number is not None)
    found += _exchanged(linked, missing, added, "date", lambda word: word.is_date)
    found += _converses(linked, missing, added, likeness)
    found += _denials(linked, missing, added, likeness)
    found += _names(linked, missing, added)
    found = _with_places(linked, found, tuple(_explained(find_places(linked), missing, added)))
    found += _explained(find_degrees(linked), missing, added)
    found += _quantifiers(linked, missing, added, found)
    found += _explained(find_moods(linked), missing, added)
    found += find_roles(linked)
    found += find_attachments(linked)
    for i, j, signs in linked.replacements:
        if i in missing and j in added:
            missing.discard(i)
            added.discard(j)
            found.append(Change("replaced", (i,), (j,), signs >= _SURE_PLACE))
    found += [Change("missing", (i,), ()) for i in sorted(missing)]
    found += [Change("added", (), (j,)) for j in sorted(added)]
    return tuple(found)


def _with_places(linked: Linked, earlier: list[Change], places: Sequence[Change]) -> list[Change]:
    """Return the changes with those of place; a negation right before a contrary place cancels it: "not far from"."""
    found = list(earlier)
    for change in places:
        cancelling = next(
            (each for each in found if are_contrary(linked, change) and _denies_place(each, change)), None
        )
        if cancelling is None:
            found.append(change)
        else:
            found.remove(cancelling)
            ours, theirs = (*cancelling.original, *change.original), (*cancelling.candidate, *change.candidate)
            found.append(Change("cancelled", ours, theirs))
    return found


def _denies_place(negation: Change, place: Change) -> bool:
    if negation.kind != "negation":
        return False
    sides = ((negation.original, place.original), (negation.candidate, place.candidate))
    return any(cues and cues[-1] + 1 == places[0] for cues, places in sides)


def _explained(changes: Iterator[Change], missing: set[int], added: set[int]) -> Iterator[Change]:
    """Give the changes, and take their words out of *missing* and *added*."""
    for change in changes:
        missing.difference_update(change.original)
        added.difference_update(change.candidate)
        yield change


def _exchanged(
    linked: Linked, missing: set[int], added: set[int], kind: Kind, is_one: Callable[[Word], bool]
) -> Iterator[Change]:
    """Give the numbers or dates that only one side has, in pairs as far as they go."""
    ours = [place for place in sorted(missing) if is_one(linked.original.words[place])]
    theirs = [place for place in sorted(added) if is_one(linked.candidate.words[place])]
    ours = [place for place in ours if not _not_one(linked.original, place)]
    theirs = [place for place in theirs if not _not_one(linked.candidate, place)]
    # A number in the place of another was changed; others that differ may be told in another way.
    for i, j, _ in linked.replacements:
        if i in ours and j in theirs:
            ours.remove(i)
            theirs.remove(j)
            missing.discard(i)
            added.discard(j)
            yield Change(kind, (i,), (j,))
    for place in range(max(len(ours), len(theirs))):
        change = Change(kind, tuple(ours[place : place + 1]), tuple(theirs[place : place + 1]), certain=False)
        missing.difference_update(change.original)
        added.difference_update(change.candidate)
        yield change


def _join_numbers(linked: Linked, missing: set[int], added: set[int]) -> None:
    """Take numbers that are written in several words here and in others there out of *missing* and *added*."""
    ours, theirs = _number_runs(linked.original), _number_runs(linked.candidate)
    for run, value in ours:
        for their_run, their_value in theirs:
            if value == their_value and (len(run) > 1 or len(their_run) > 1):
                missing.difference_update(run)
                added.difference_update(their_run)


def _number_runs(reading: Reading) -> list[tuple[list[int], float]]:
    """Return the numbers of a sentence that are neighbours, with the value that they have together."""
    words = reading.words
    runs: list[list[int]] = []
    for place, word in enumerate(words):
        if word.number is None or word.is_date:
            continue
        last = runs[-1][-1] if runs else -9
        near = last == place - 1 or (last == place - 2 and words[place - 1].text == "and")
        if near and words[last].tag == word.tag == "CD":
            runs[-1].append(place)
        else:
            runs.append([place])
    return [(run, joined_value([value for place in run if (value := words[place].number) is not None])) for run in runs]


def _not_one(reading: Reading, place: int) -> bool:
    """Return whether a number only says "none": "not one"."""
    return reading.words[place].text == "one" and place > 0 and reading.words[place - 1].is_negation


def _denials(linked: Linked, missing: set[int], added: set[int], likeness: Likeness) -> Iterator[Change]:
    """Give what is denied on one side alone, and opposites; a negation and an opposite at one place cancel out."""
    opposites = _opposites(linked, missing, added, likeness)
    ours, theirs = (Denials.of(reading, likeness.denies) for reading in (linked.original, linked.candidate))
    if not ours.found and not theirs.found:
        yield from (Change("opposite", (i,), (j,)) for i, j in opposites)
        return
    shared = share_denials(linked, ours.found, theirs.found)
    left, their_left = list(shared.original), list(shared.candidate)
    for one, other in shared.both:
        yield from _said_otherwise(linked, missing, added, opposites, one, other)
    for one, other in shared.moved:
        yield Change("moved", (one.cues[0], one.denied[0]), (other.cues[0], other.denied[0]))
    for i, j in opposites:
        cancelling = next((one for one in left if i not in one.cues and ours.reaches(one, i)), None)
        their_cancelling = next((one for one in their_left if j not in one.cues and theirs.reaches(one, j)), None)
        # A word that denies and its opposite are one change, not two.
        left = [one for one in left if i not in one.cues and one is not cancelling]
        their_left = [one for one in their_left if j not in one.cues and one is not their_cancelling]
        if (cancelling is None) == (their_cancelling is None):
            yield Change("opposite", (i,), (j,))
        else:
            cues = cancelling.cues if cancelling else ()
            yield Change("cancelled", (*cues, i), (*(their_cancelling.cues if their_cancelling else ()), j))
    if len(left) == 2 and not their_left and ours.undoes(*left):  # "not without" is "only with"
        yield Change("cancelled", (*left[0].cues, *left[1].cues), (), certain=False)
        return
    if len(their_left) == 2 and not left and theirs.undoes(*their_left):
        yield Change("cancelled", (), (*their_left[0].cues, *their_left[1].cues), certain=False)
        return
    for one in left:
        yield from _one_sided(linked, missing, added, ours, one, is_original=True)
    for one in their_left:
        yield from _one_sided(linked, missing, added, theirs, one, is_original=False)


def _said_otherwise(
    linked: Linked,
    missing: set[int],
    added: set[int],
    opposites: list[tuple[int, int]],
    one: Denial,
    other: Denial,
) -> Iterator[Change]:
    """Give a denial that both sides have, where it is put in another way: "unable to" for "could not"."""
    words, others = linked.original.words, linked.candidate.words
    cue, their_cue = one.cues[0], other.cues[0]
    if words[cue].is_negation and others[their_cue].is_negation:
        return
    if linked.to_candidate[cue] == their_cue:  # "rarely" and "seldom"
        return
    places, their_places = [*one.cues], [*other.cues]
    for pair in list(opposites):  # "few" for "not many"
        if pair[0] in one.cues or pair[1] in other.cues:
            opposites.remove(pair)
            places += [pair[0]] * (pair[0] not in places)
            their_places += [pair[1]] * (pair[1] not in their_places)
    if not one.is_word and other.is_word:  # "not allow" for "prohibit"
        places += [i for i in one.denied[:1] if linked.to_candidate[i] in other.cues]
    if not other.is_word and one.is_word:
        their_places += [j for j in other.denied[:1] if linked.to_original[j] in one.cues]
    missing.difference_update(places)
    added.difference_update(their_places)
    yield Change("cancelled", tuple(places), tuple(their_places))


def _one_sided(
    linked: Linked, missing: set[int], added: set[int], denials: Denials, denial: Denial, *, is_original: bool
) -> Iterator[Change]:
    """Give what a denial that only one side has comes to, where no opposite balances it."""
    words = denials.reading.words
    to = linked.to_candidate if is_original else linked.to_original
    cue = denial.cues[0]
    if denial.is_word:
        told = denial.denied[0]
        alone = denies_its_clause(words[cue]) and cue in (missing if is_original else added)
        if alone and told != cue and to[told] >= 0:  # "failed to win" became "won"
            (missing if is_original else added).discard(cue)
            yield _of_side("negation", denial.cues, is_original)
        return
    limit = denials.limit(denial)
    other = linked.candidate if is_original else linked.original
    is_otherwise = limit >= 0 and (to[limit] < 0 or other.words[to[limit]].text != words[limit].text)
    if is_otherwise and not any(word.text == "before" for word in other.words):  # "not until" is not "before"
        yield _of_side("cancelled", (*denial.cues, limit), is_original)
        return
    for i, j, signs in linked.replacements:
        here = i if is_original else j
        if signs >= _SURE_PLACE and i in missing and j in added and denials.reaches(denial, here):
            missing.discard(i)
            added.discard(j)
            group, other_group = linked.original.words[i].group, linked.candidate.words[j].group
            if here in denial.cues and group and other_group and group != other_group:  # "few" became "most"
                yield Change("opposite", (i,), (j,))
                return
            # A word was replaced at the same time: perhaps by an opposite that nobody listed.
            cues = denial.cues if is_original else ()
            their_cues = () if is_original else denial.cues
            ours, theirs = dict.fromkeys((*cues, i)), dict.fromkeys((*their_cues, j))  # a cue may be what was replaced
            yield Change("cancelled", tuple(ours), tuple(theirs), certain=False)
            return
    # What is denied here is affirmed there, or not said at all.
    affirmed = any(to[place] >= 0 for place in denial.denied if words[place].is_content)
    yield _of_side("negation", denial.cues, is_original, certain=affirmed)


def _of_side(kind: Kind, places: tuple[int, ...], is_original: bool, *, certain: bool = True) -> Change:
    return Change(kind, places, (), certain) if is_original else Change(kind, (), places, certain)


def _converses(linked: Linked, missing: set[int], added: set[int], likeness: Likeness) -> Iterator[Change]:
    """Give words that say the same of words that changed places: "taller" and "shorter", "before" and "after"."""
    ours = [i for i, word in enumerate(linked.original.words) if linked.to_candidate[i] < 0 and may_have_converse(word)]
    if not ours:
        return
    theirs = [j for j, word in enumerate(linked.candidate.words) if linked.to_original[j] < 0]
    for i in ours:
        for j in theirs:
            if are_converses(linked, i, j, likeness):
                missing.discard(i)
                added.discard(j)
                yield Change("converse", (i,), (j,))
                break


def _opposites(linked: Linked, missing: set[int], added: set[int], likeness: Likeness) -> list[tuple[int, int]]:
    """Return words that their opposites took the place of, and take them out of *missing* and *added*."""
    found = []
    for i in sorted(missing):
        for j in sorted(added):
            if likeness.opposite(linked.original.words[i], linked.candidate.words[j]):
                found.append((i, j))
                missing.discard(i)
                added.discard(j)
                break
    return found


def _names(linked: Linked, missing: set[int], added: set[int]) -> Iterator[Change]:
    ours = [i for i in sorted(missing) if linked.original.words[i].is_name]
    theirs = [j for j in sorted(added) if linked.candidate.words[j].is_name]
    for place in range(min(len(ours), len(theirs))):
        missing.discard(ours[place])
        added.discard(theirs[place])
        yield Change("name", (ours[place],), (theirs[place],))


def _quantifiers(linked: Linked, missing: set[int], added: set[int], earlier: Sequence[Change]) -> Iterator[Change]:
    """Give quantifiers, modals and prepositions that another of their family took the place of."""
    named = {i for change in earlier for i in change.original}
    their_named = {j for change in earlier for j in change.candidate}
    ours = [i for i, word in enumerate(linked.original.words) if word.group and linked.to_candidate[i] < 0]
    theirs = [j for j, word in enumerate(linked.candidate.words) if word.group and linked.to_original[j] < 0]
    ours, theirs = [i for i in ours if i not in named], [j for j in theirs if j not in their_named]
    for i in ours:
        for j in theirs:
            one, other = linked.original.words[i].group, linked.candidate.words[j].group
            if one and other and one[0] == other[0]:
                if one[0] == "degree" and any(change.kind == "cancelled" for change in earlier):
                    continue  # "too young" is "not old enough"
                theirs.remove(j)
                missing.discard(i)
                added.discard(j)
                yield Change("quantifier", (i,), (j,))
                break
