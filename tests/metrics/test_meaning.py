"""The metric `meaning`: two of pem+'s judges, beside references or originals."""

import pytest

from paragauge.errors import OptionError
from paragauge.metrics import Meaning, PEMPlus

ORIGINAL = "Wolves attacked three people in 1998."
CANDIDATE = "In 1989, three people were attacked by wolves."


@pytest.mark.parametrize("against", ["references", "originals"])
def test_meaning_and_fluency_are_those_of_pem_plus(against):
    judged = PEMPlus().score(CANDIDATE, original=ORIGINAL)
    metric = Meaning(against=against)
    found = metric.score(CANDIDATE, ORIGINAL) if against == "references" else metric.score(CANDIDATE, original=ORIGINAL)
    assert (found.value, found.fluency) == (judged.meaning, judged.fluency)
    assert found.signature.get("against") == against
    assert found.signature.get("model") == judged.signature.get("model")


def test_the_reference_whose_meaning_is_kept_best_counts():
    metric = Meaning()
    other = "The council rejected the plan."
    alone = metric.score(CANDIDATE, ORIGINAL)
    for references in ([ORIGINAL, other], [other, ORIGINAL]):
        both = metric.score(CANDIDATE, references)
        assert (both.value, both.fluency) == (alone.value, alone.fluency)
    assert metric.score(CANDIDATE, other).value < alone.value


def test_references_differ_in_number():
    metric = Meaning()
    scores = metric.segment_scores([CANDIDATE, ORIGINAL], [[ORIGINAL, "It rained."], [ORIGINAL]])
    assert [score.value for score in scores] == [metric.score(CANDIDATE, ORIGINAL).value, 1.0]


def test_needs_follow_what_is_compared():
    assert Meaning().needs == {"references"}
    assert Meaning(against="originals").needs == {"originals"}
    with pytest.raises(OptionError, match="against"):
        Meaning(against="sources")


def test_empty_candidates_score_nothing():
    assert Meaning().score("", ORIGINAL).value == 0.0
