"""The rule that makes one value of three judgments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.judges.verdict import HIGHEST, LOWEST, difference, verdict

SHARE = st.floats(0, 1)


def test_what_the_protocol_fixes():
    assert verdict(1.0, 1.0, 0.0) == 2  # a copy
    assert verdict(0.0, 1.0, 1.0) == 1  # an unrelated sentence
    assert verdict(0.0, 0.0, 1.0) == 1  # a word salad
    assert verdict(1.0, 1.0, 1.0) == 5


@given(SHARE, SHARE, SHARE, SHARE)
def test_it_rises_with_every_judge_and_stays_on_the_scale(meaning, fluency, different, more):
    value = verdict(meaning, fluency, different)
    assert LOWEST <= value <= HIGHEST
    slack = 1e-12
    assert verdict(max(meaning, more), fluency, different) >= value - slack
    assert verdict(meaning, max(fluency, more), different) >= value - slack
    assert verdict(meaning, fluency, max(different, more)) >= value - slack


def test_difference_is_the_square_that_is_not_shared():
    assert difference(0.5) == pytest.approx(0.75)
    assert difference(1.0) == 0
