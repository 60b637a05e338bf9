"""Subjects and objects as MAXSIM takes them."""

import pytest

from paragauge.analysis import Analysis, relations_of
from paragauge.errors import OptionError


def parsed(text):
    """An analysis from ``word/lemma/head/relation`` with heads from 1, 0 for the root."""
    rows = [word.split("/") for word in text.split()]
    return Analysis(
        tuple(row[0] for row in rows),
        lemmas=tuple(row[1] for row in rows),
        heads=tuple(int(row[2]) - 1 for row in rows),
        relations=tuple(row[3] for row in rows),
    )


def test_active_and_passive():
    active = parsed("cats/cat/2/nsubj ate/eat/0/root mice/mouse/2/obj")
    passive = parsed("mice/mouse/3/nsubj:pass were/be/3/aux:pass eaten/eat/0/root by/by/5/case cats/cat/3/obl:agent")
    assert relations_of(active) == [("cat", "subj", "eat"), ("mouse", "obj", "eat")]
    assert relations_of(passive) == [("mouse", "subj", "eat")]
    assert set(relations_of(passive, deep=True)) == set(relations_of(active, deep=True))


def test_the_copula_is_the_verb():
    assert relations_of(parsed("sky/sky/3/nsubj is/be/3/cop blue/blue/0/root")) == [("sky", "subj", "be")]


def test_clauses():
    knows = parsed("I/i/2/nsubj know/know/0/root he/he/4/nsubj left/leave/2/ccomp")
    assert relations_of(knows) == [("i", "subj", "know"), ("he", "subj", "leave"), ("leave", "obj", "know")]
    wants = parsed("I/i/2/nsubj want/want/0/root to/to/4/mark go/go/2/xcomp")
    assert relations_of(wants) == [("i", "subj", "want")]
    surprise = parsed("that/that/3/mark he/he/3/nsubj left/leave/4/csubj hurt/hurt/0/root me/i/4/obj")
    assert relations_of(surprise) == [("he", "subj", "leave"), ("leave", "subj", "hurt"), ("i", "obj", "hurt")]


def test_both_objects_count():
    gave = parsed("gave/give/0/root him/he/1/iobj books/book/1/obj")
    assert relations_of(gave) == [("he", "obj", "give"), ("book", "obj", "give")]


def test_lemmas_and_dependencies_are_needed():
    with pytest.raises(OptionError, match="need an analysis with lemmas and dependencies"):
        relations_of(Analysis(("a",), tags=("NN",)))
    assert relations_of(Analysis((), (), (), (), ())) == []
