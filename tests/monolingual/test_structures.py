"""Two sentences compared by who did what to whom."""

from __future__ import annotations

from paragauge.monolingual.structures import RoleChange, RoleComparison, compare_roles


def compared(one, other):
    return compare_roles([one.split()], [other.split()])[0]


def test_voice_and_synonyms_change_nothing():
    assert compared("Mary sold the house .", "The house was sold by Mary .").agreement == 1.0
    found = compared("The committee bought the car .", "The car was purchased by the committee .")
    assert found.joined == 1
    assert found.changes == ()


def test_exchanged_arguments_are_named():
    found = compared("The police arrested the students .", "The students arrested the police .")
    assert found.agreement == 0
    assert RoleChange(("arrested", "arrested"), ("police", "police"), ("ARG0", "ARG1")) in found.changes


def test_nothing_to_compare_is_no_disagreement():
    assert compared("Hello !", "Good morning !").agreement == 1.0
    assert RoleComparison(0, 0, ()).agreement == 1.0
    assert compare_roles([], []) == []
