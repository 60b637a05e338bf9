"""Damaged versions of sentences: what is done to them, and what they count as."""

import numpy as np
import pytest

from paragauge.corpora.damaged_pairs import DAMAGES, damaged_pairs, negate
from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY
from paragauge.errors import DataError

# Fifty small words, so that others are not among the most frequent.
FREQUENT = " ".join(f"{one}{other}" for one in "abcde" for other in "abcdefghij")
TEXTS = [
    f"{FREQUENT} {FREQUENT}",
    "Seven men will carry 25 boxes, ab slowly.",
    "Some women saw green houses yesterday.",
]


def damaged(text, seed=1, **options):
    rows = damaged_pairs(TEXTS, np.random.default_rng(seed), **options)
    return {row.system: row.candidate for row in rows if row.original == text}


def test_each_damage_does_what_it_says():
    found = damaged(TEXTS[1])
    words = TEXTS[1].split()
    assert set(found) == set(DAMAGES)
    assert found["control-unpunctuated"] == "Seven men will carry 25 boxes ab slowly"
    assert sorted(found["control-shuffled"].split()) == sorted(words)
    assert found["control-dropped"] == "Seven men will carry 25 boxes, slowly."
    for kind, count in (
        ("control-one-word", 1),
        ("control-two-words", 2),
        ("control-three-words", 3),
        ("control-swapped", 2),
    ):
        changed = [one for one, other in zip(words, found[kind].split(), strict=True) if one != other]
        assert len(changed) <= count
        assert changed
    assert sorted(found["control-swapped"].split()) == sorted(words)
    digits = found["control-numbers"].removeprefix("Seven men will carry ").removesuffix(" boxes, ab slowly.")
    assert digits.isdigit()
    assert all(one != other for one, other in zip(digits, "25", strict=True))
    assert found["control-negated"] == "Seven men will not carry 25 boxes, ab slowly."
    assert found["control-first-half"] == "Seven men will carry."
    assert found["control-second-half"] == "25 boxes, ab slowly."
    after = damaged(TEXTS[2])
    assert after["control-joined"] == "Some women saw 25 boxes, ab slowly."
    assert after["control-added"] == "Some women saw green houses yesterday, and Seven men will carry."


def test_scores_are_those_of_the_table_and_no_candidate_is_the_original():
    rows = damaged_pairs(TEXTS, np.random.default_rng(3))
    for row in rows:
        adequacy, fluency = DAMAGES[row.system]
        assert row.score == 1 + 4 * (adequacy if row.criterion == ADEQUACY else fluency)
        assert row.candidate != row.original
    assert {row.criterion for row in rows} == {ADEQUACY, FLUENCY}


def test_the_seed_decides_and_other_languages_are_not_negated():
    assert damaged(TEXTS[1]) == damaged(TEXTS[1])
    assert damaged(TEXTS[1], seed=2)["control-shuffled"] != damaged(TEXTS[1])["control-shuffled"]
    assert "control-negated" not in damaged(TEXTS[1], english=False)
    assert "control-negated" not in damaged(TEXTS[2])
    assert "control-numbers" not in damaged(TEXTS[2])


def test_a_negation_is_taken_away():
    assert negate("They did not see it".split()) == "They did see it".split()


def test_texts_without_words_are_refused():
    with pytest.raises(DataError, match="need originals with lower-case words"):
        damaged_pairs(["1 2 3", "4 5"], np.random.default_rng(1))
