"""Checks of texts: each kind of damage is found, and ordinary texts are left in peace."""

import pytest

from paragauge.corpora.checks import check_testset, summarise
from paragauge.corpora.demo import demo_testset
from paragauge.corpora.testset import TestSet

ORIGINALS = [
    "He left the house early.",
    "They were late again today.",
    "A cat sat down on the mat.",
    "It is cold in the old house.",
    "We ate some food in the café.",
    "Just go home now.",
]
GOOD = [
    "He went out early.",
    "Today they were late once more.",
    "On the mat, a cat sat down.",
    "The old house is cold.",
    "We had a meal in the café.",
    "Please go home.",
]


def found(place, text, **others):
    texts = [*GOOD[:place], text, *GOOD[place + 1 :]]
    testset = TestSet(ids=[f"s{k}" for k in range(6)], candidates={"sys": texts}, **{"originals": ORIGINALS, **others})
    return {each.check: each.segments for each in check_testset(testset)}


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("", "empty"),
        (" \t", "empty"),
        ("he left  the house early.", "copy"),
        ("Sure! Here is a paraphrase: he left.", "chat"),
        ("Here's a rephrased version: He left early.", "chat"),
        ("As an AI language model, I cannot do that.", "chat"),
        ("Paraphrase: He went out.", "chat"),
        ("He went to the cafÃ© early.", "mojibake"),
        ("He didnâ€™t stay in the house.", "mojibake"),
        ("Он рано вышел из дома.", "script"),
        ("He &quot;left&quot; the house early.", "markup"),
        (
            "He left, and then he came back, and left again, and nobody in the whole town knew why he did that.",
            "length",
        ),
        ("Today they were late once more.", "duplicate"),
    ],
)
def test_damage_is_found_and_named(text, check):
    at = 0
    segments = found(at, text)
    assert check in segments
    assert segments[check] == (("s1",) if check == "duplicate" else ("s0",))


@pytest.mark.parametrize("text", ["Sure, he left early.", "Here is the house he left.", "Naïve Zoë left – “early”…"])
def test_ordinary_texts_are_not_suspicious(text):
    assert found(0, text) == {}


def test_a_chat_like_original_excuses_the_candidate():
    originals = ["Sure! Here is my house.", *ORIGINALS[1:]]
    assert "chat" not in found(0, "Sure! Here is our home.", originals=originals)


def test_copies_of_a_foreign_original_are_untranslated():
    czech = ["Ahoj, jak se máš?", "Prší.", "Kočka seděla.", "Je zima.", "Jedli jsme.", "Jdi domů."]
    assert found(1, "Prší.", originals=czech, references={"1": ORIGINALS})["untranslated"] == ("s1",)
    assert "copy" in found(1, ORIGINALS[1], references={"1": GOOD})


def test_the_summary_names_systems_and_segments_and_leaves_copies_made_on_purpose():
    testset = TestSet(
        ids=[str(k) for k in range(6)], originals=ORIGINALS,
        candidates={"good": GOOD, "copy": ORIGINALS, "bad": ["", "", "", "", *GOOD[4:]]},
    )  # fmt: skip
    assert summarise(check_testset(testset)) == "suspicious texts: empty: bad in 4 segments (0, 1, 2, …)"
    assert summarise([]) is None
    assert {each.system for each in check_testset(demo_testset())} == {"copy"}
