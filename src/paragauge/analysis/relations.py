"""Subjects and objects as triples, as MAXSIM compares them.

MAXSIM takes its triples from a parser trained on the Penn Treebank, which sees the surface of the sentence:

- *active and passive*: the surface subject is the subject. With ``deep=True`` the subject of a passive is the
  object of its verb and the agent ("by the cat") is the subject, so that both voices give the same triples;
- *clausal*: a clause may be a subject ("that he left surprised me") or an object ("I know that he left"),
  represented by its main word. Infinitives that share their subject with the governing verb ("want to go") are not
  objects;
- *copular*: the verb is the parent ("the sky is blue" gives sky, subj, be), whereas Universal Dependencies attach the
  subject to the predicate.

Auxiliaries are skipped: the parent of "she" in "she has been singing" is "sing".
"""

from __future__ import annotations

from typing import NamedTuple

from paragauge.analysis.sentence import ROOT, Analysis
from paragauge.errors import OptionError

SUBJECT, OBJECT = "subj", "obj"

_SUBJECTS = {"nsubj", "csubj"}
_OBJECTS = {"obj", "iobj", "ccomp"}


class Triple(NamedTuple):
    """A word, its relation to another, and that other word; words are lemmas."""

    child: str
    relation: str
    """``subj`` or ``obj``."""
    parent: str


def relations_of(analysis: Analysis, *, deep: bool = False) -> list[Triple]:
    """Return the subjects and objects of a sentence in the order of the child words.

    >>> dogs = Analysis(("dogs", "ate", "it"), lemmas=("dog", "eat", "it"), heads=(1, -1, 1),
    ...                 relations=("nsubj", "root", "obj"))
    >>> relations_of(dogs)
    [Triple(child='dog', relation='subj', parent='eat'), Triple(child='it', relation='obj', parent='eat')]

    Raises:
        OptionError: The analysis has no lemmas or no dependencies.
    """
    heads, relations, lemmas = analysis.heads, analysis.relations, analysis.lemmas
    if heads is None or relations is None or lemmas is None:
        raise OptionError("subjects and objects need an analysis with lemmas and dependencies")
    copulas: dict[int, int] = {}
    for child, relation in enumerate(relations):
        if relation == "cop":
            copulas.setdefault(heads[child], child)
    triples = []
    for child, relation in enumerate(relations):
        kind = _kind(relation, deep)
        if kind is None or heads[child] == ROOT:
            continue
        parent = heads[child]
        if kind == SUBJECT:
            parent = copulas.get(parent, parent)
        triples.append(Triple(lemmas[child], kind, lemmas[parent]))
    return triples


def _kind(relation: str, deep: bool) -> str | None:
    base, _, subtype = relation.partition(":")
    if base in _SUBJECTS:
        return OBJECT if deep and subtype == "pass" else SUBJECT
    if base in _OBJECTS:
        return OBJECT
    return SUBJECT if deep and relation == "obl:agent" else None
