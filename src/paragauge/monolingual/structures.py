"""Who did what to whom in two sentences, compared: predicates and arguments of both, joined by word links.

Predicates are joined by the links of their words: the same word, a form of it, a synonym or a derivation ("decided",
"decision"). PropBank's roles do not depend on voice, so a passive needs no undoing. A linked word inside an argument of
one predicate should stand in an argument with the same role of the joined predicate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paragauge.align.alignment import Alignment
from paragauge.analysis.builtin import Builtin
from paragauge.analysis.roles import Predicate, RoleLabeller
from paragauge.analysis.sentence import Analysis
from paragauge.monolingual.aligner import WordAligner

_LOST = 0.5  # how much of a change it is that one side has no role: often the labeller has only missed it
_CONTENT = ("NN", "VB", "JJ", "RB", "CD", "PRP")


class RoleChange(NamedTuple):
    """A word whose role differs: predicate and word in both sentences, and both roles; "" for none."""

    predicates: tuple[str, str]
    words: tuple[str, str]
    roles: tuple[str, str]

    def __str__(self) -> str:
        one, other = (role or "no role" for role in self.roles)
        return f"{self.words[0]} has {one} of {self.predicates[0]}, but {other} of {self.predicates[1]}"


@dataclass(frozen=True, slots=True)
class RoleComparison:
    """Two sentences compared by their roles.

    Attributes:
        joined: Number of predicates that were joined.
        compared: Number of words with a role on at least one side whose roles were compared.
        changes: What differs.
    """

    joined: int
    compared: int
    changes: tuple[RoleChange, ...]

    @property
    def agreement(self) -> float:
        """Share of the compared words that have the same role; 1 if none could be compared.

        A word with a role on one side only counts half.
        """
        changed = sum(1.0 if all(change.roles) else _LOST for change in self.changes)
        return 1 - changed / self.compared if self.compared else 1.0


def compare_roles(
    originals: Sequence[Sequence[str]], candidates: Sequence[Sequence[str]], *, threads: int | None = None
) -> list[RoleComparison]:
    """Return the comparison of each two tokenised sentences.

    >>> [same] = compare_roles(["Mary sold the house .".split()], ["The house was sold by Mary .".split()])
    >>> same.agreement
    1.0
    >>> one, other = "The police arrested the students .", "The students arrested the police ."
    >>> [exchanged] = compare_roles([one.split()], [other.split()])
    >>> str(exchanged.changes[0])
    'police has ARG0 of arrested, but ARG1 of arrested'
    """
    analyses = Builtin.load().analyse([*originals, *candidates], lemmas=True, dependencies=True, threads=threads)
    labelled = RoleLabeller.load().label(analyses, threads=threads)
    links = WordAligner.load().align(originals, candidates, threads=threads)
    count = len(links)
    return [
        _compared(analyses[k], analyses[count + k], labelled[k], labelled[count + k], links[k]) for k in range(count)
    ]


def _compared(
    one: Analysis, other: Analysis, ours: Sequence[Predicate], theirs: Sequence[Predicate], links: Alignment
) -> RoleComparison:
    by_word = {predicate.word: predicate for predicate in theirs}
    tags = one.tags or ()
    joined = compared = 0
    changes = []
    for predicate in ours:
        partners = [by_word[j] for i, j in links if i == predicate.word and j in by_word]
        if not partners:
            continue
        joined += 1
        partner = partners[0]
        left, right = _roles_by_word(predicate), _roles_by_word(partner)
        for i, j in links:
            if i == predicate.word or j == partner.word or not tags[i].startswith(_CONTENT):
                continue
            roles = left.get(i, ""), right.get(j, "")
            if not any(roles):
                continue
            compared += 1
            if roles[0] != roles[1]:
                words = (one.words[predicate.word], other.words[partner.word]), (one.words[i], other.words[j])
                changes.append(RoleChange(*words, roles))
    return RoleComparison(joined, compared, tuple(changes))


def _roles_by_word(predicate: Predicate) -> Mapping[int, str]:
    return {place: each.role for each in predicate.arguments for place in range(each.begin, each.end)}
