"""Semantic-role overlap: the formula worked out by hand, and what it notices."""

from __future__ import annotations

import pytest

from paragauge.metrics.roles import Element, RoleOverlap, Roles

ONE = Roles(
    ("the", "man", "saw", "a", "dog"), (Element("ARG0", "saw", ("the", "man")), Element("ARG1", "saw", ("a", "dog")))
)
OTHER = Roles(
    ("the", "man", "saw", "the", "old", "dog", "today"),
    (
        Element("ARG0", "saw", ("the", "man")),
        Element("ARG1", "saw", ("the", "old", "dog")),
        Element("ARGM-TMP", "saw", ("today",)),
    ),
)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("words", (2 / 2 + 1 / 4 + 0 / 1) / 3),  # dog of {a, the, old, dog}
        ("arguments", (1 + 0 + 0) / 3),
        ("roles", 2 / 3),
    ],
)
def test_the_formula_by_hand(items, expected):
    assert RoleOverlap(items=items).compare(ONE, OTHER) == (pytest.approx(expected), 1.0)
    assert RoleOverlap(items=items).compare(OTHER, ONE) == (pytest.approx(expected), 1.0)


def test_words_stand_in_where_there_are_no_roles():
    bare = Roles(("yes", "sir"), ()), Roles(("yes",), ())
    assert RoleOverlap().compare(*bare) == (0.5, 1.0)
    assert RoleOverlap(back_off=False).compare(*bare) == (0.0, 0.0)


def test_exchanged_roles_cost_and_the_best_reference_counts():
    metric = RoleOverlap()
    said = "The police arrested the students ."
    assert metric.score(said, references=[said]).value == 1.0
    exchanged = metric.score("The students arrested the police .", references=[said]).value
    assert exchanged == pytest.approx(1 / 3)  # "the" in both arguments
    assert metric.score(said, references=["Nobody came .", said]).value == 1.0
