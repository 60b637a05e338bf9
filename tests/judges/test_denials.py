"""Negations are compared by what they deny: dropped, added, moved, said in another way, or the same.

``negation_edits.tsv`` has sentences of ours, each with a paraphrase of what it denies, an edit that denies something
else (scope), and one that denies nothing (affirmative).
"""

from pathlib import Path

import numpy as np
import pytest

from paragauge.judges.denials import Denials
from paragauge.judges.describe import describe_changes
from paragauge.judges.model import open_judges

EDITS = [
    line.split("\t")
    for line in (Path(__file__).parent / "negation_edits.tsv").read_text(encoding="utf-8").splitlines()[1:]
]
BEFORE = "The district lies in the south of the country. It was first mentioned by a traveller who did not stay long. "
AFTER = " Today about 12,000 people live in the three towns along the coast, and nobody remembers the old names."


@pytest.fixture(scope="module")
def model():
    return open_judges()


def changes(model, original, candidate):
    found = model.weigh(*model.reader.read([original, candidate]))
    return describe_changes(found.linked, found.changes)


def meanings(model, before="", after=""):
    """Return an array (sentences, edits) of what paraphrase, scope and affirmative edit keep of the meaning."""
    originals = [before + row[0] + after for row in EDITS for _ in range(3)]
    candidates = [before + text + after for row in EDITS for text in row[1:]]
    return model.judge(candidates, originals=originals).meaning.reshape(-1, 3)


def test_paraphrases_of_negations_keep_more_than_edits_of_them(model):
    paraphrase, scope, affirmative = meanings(model).T
    assert len(EDITS) == 48
    assert np.mean(paraphrase > scope) >= 0.88  # .958 when this was written
    assert np.mean(paraphrase > affirmative) >= 0.9  # .979
    assert np.mean(affirmative) < 0.5 < 0.8 < np.mean(paraphrase)


def test_a_passage_does_not_hide_the_edit(model):
    paraphrase, scope, affirmative = meanings(model, BEFORE, AFTER).T
    assert np.mean(paraphrase > scope) >= 0.8
    assert np.mean(paraphrase > affirmative) >= 0.85


@pytest.mark.parametrize(
    ("original", "candidate", "expected"),
    [
        ("He said that he had not left.", "He did not say that he had left.", "'not' moved from 'left' to 'say'"),
        ("He left the party but did not sell the house.", "He did not leave the party but sold the house.",
         "'not' moved from 'sell' to 'leave'"),
        ("They had water but no bread.", "They had bread but no water.", "'no' moved from 'bread' to 'water'"),
        ("The team failed to win the match.", "The team won the match.", "'failed' was dropped"),
        ("She rarely visits her brother.", "She visits her brother.", "'rarely' was dropped"),
        ("They crossed the desert without water.", "They crossed the desert with water.", "'without' was dropped"),
        ("It was not connected until 1931.", "It was connected until 1931.", "'not' was dropped"),
        ("It is not impossible.", "It is impossible.", "'not' was dropped"),
        ("Her parents did not know that he had an old car.", "Her parents knew that he had a new car.",
         "'old' became its opposite, 'new'"),
        ("Her parents did not know that he had an old car.", "Her parents knew that he had a new car.",
         "'not' was dropped"),
    ],
)  # fmt: skip
def test_changes_are_named(model, original, candidate, expected):
    assert expected in changes(model, original, candidate)


@pytest.mark.parametrize(
    ("original", "candidate"),
    [
        ("The drug had no effect.", "The drug did not have any effect."),
        ("No one is there.", "There is no one there."),
        ("It's not over yet.", "It isn't over yet."),
        ("Nobody recognised the driver.", "No one recognised the driver."),
        ("None of the witnesses recognised the driver.", "Not one of the witnesses recognised the driver."),
        ("Bread was not only cheap but also good.", "Bread was cheap but also good."),
        ("That is good, isn't it?", "That is good."),
    ],
)
def test_the_same_denied_in_other_words_is_no_denial(model, original, candidate):
    evidence = model.weigh(*model.reader.read([original, candidate]))
    assert not {change.kind for change in evidence.changes} & {"negation", "moved", "opposite"}
    assert evidence.features["denial"] == 0


@pytest.mark.parametrize(
    ("original", "candidate", "expected"),
    [
        ("It was not built until 1931.", "It was built only in 1931.", "'not until' is said in another way"),
        ("The station is not staffed on Sundays.", "The station is unstaffed on Sundays.",
         "'not staffed' is said as 'unstaffed'"),
        ("She could not see the road.", "She was unable to see the road.",
         "'not' is said as 'unable'"),
        ("The school lacked a kitchen.", "The school did not have a kitchen.",
         "'lacked' is said as 'not'"),
    ],
)  # fmt: skip
def test_denials_said_in_another_way(model, original, candidate, expected):
    assert expected in changes(model, original, candidate)


@pytest.mark.parametrize(
    ("original", "candidate", "expected"),
    [
        ("The railway was never extended to the coast.", "The railway was extended to the coast but never electrified.",
         ["'never' was dropped", "'never' was added", "'electrified' was added"]),
        ("The species has no natural predators.", "The species has natural predators but no diseases.",
         ["'no' was dropped", "'no' was added", "'diseases' was added"]),
        ("Few of the original buildings survive.", "Most of the original buildings survive.",
         ["'Few' became its opposite, 'Most'"]),
        ("It was not built until 1931.", "It was built before 1931.", ["'not' was dropped"]),
        ("Crops cannot be grown without water.", "Crops can only be grown with water.",
         ["'not without' may be said in another way", "'only' was added"]),
        ("The castle was rarely used.", "The castle was seldom used.", []),
    ],
)  # fmt: skip
def test_what_became_of_a_denial(model, original, candidate, expected):
    assert changes(model, original, candidate) == expected


@pytest.mark.parametrize(
    ("text", "cues", "denied"),
    [
        ("The pilot was unable to see the runway.", ["unable"], "see"),
        ("He no longer lives here.", ["no"], "lives"),
        ("Neither the mayor nor the council came.", ["Neither", "nor"], "mayor"),
        ("Not all of the members supported the plan.", ["Not"], "supported"),
        ("The doctors said that it did not have any effect.", ["not"], "effect"),
    ],
)
def test_negations_are_attached_to_what_they_deny(model, text, cues, denied):
    (reading,) = model.reader.read([text])
    (found,) = Denials.of(reading, model.likeness.denies).found
    assert [reading.surface[place] for place in found.cues] == cues
    assert reading.surface[found.denied[0]] == denied


@pytest.mark.parametrize("text", ["A few men came.", "She lives in a little house.", "The little boy is my son."])
def test_a_few_and_a_little_house_deny_nothing(model, text):
    (reading,) = model.reader.read([text])
    assert Denials.of(reading, model.likeness.denies).found == ()


@pytest.mark.parametrize("row", EDITS[::4], ids=lambda row: row[0][:30])
def test_a_copy_denies_the_same(model, row):
    for text in row:
        assert changes(model, text, text) == []
