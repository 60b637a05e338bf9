"""Agreement of an analysis with a treebank: tags, dependencies, subjects and objects, constituents.

Constituents are compared as ``evalb`` does: labelled brackets as a multiset, without the root, without function tags,
and with punctuation deleted before spans are counted; sentences whose words differ are rejected rather than skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from paragauge.analysis.sentence import Analysis
from paragauge.analysis.tree import Span, Tree, category
from paragauge.errors import DataError

# The tags that evalb deletes, and their equivalents in other treebanks; evalb counts $ and # as words.
PUNCTUATION = frozenset({",", ":", "``", "''", ".", "-LRB-", "-RRB-", "HYPH", "NFP"})


@dataclass(frozen=True, slots=True)
class Agreement:
    """The numbers of items found, of gold items and of items in both."""

    found: int = 0
    gold: int = 0
    shared: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(self.found + other.found, self.gold + other.gold, self.shared + other.shared)

    @property
    def precision(self) -> float:
        return self.shared / self.found if self.found else float(not self.gold)

    @property
    def recall(self) -> float:
        return self.shared / self.gold if self.gold else float(not self.found)

    @property
    def f(self) -> float:
        """2 PR / (P + R), which is 2 shared / (found + gold); 1 if there are no gold items and none were found."""
        return 2 * self.shared / (self.found + self.gold) if self.found + self.gold else 1.0


def tag_agreement(found: Iterable[Analysis], gold: Iterable[Analysis]) -> Agreement:
    """Return the number of words with the correct tag: precision, recall and F all equal the accuracy.

    >>> tag_agreement([Analysis(("a", "b"), ("DT", "NN"))], [Analysis(("a", "b"), ("DT", "JJ"))]).f
    0.5
    """
    total = Agreement()
    for one, other in _pairs(found, gold):
        same = sum(a == b for a, b in zip(one.tags or (), other.tags or (), strict=True))
        total += Agreement(len(one.words), len(other.words), same)
    return total


def dependency_agreement(
    found: Iterable[Analysis], gold: Iterable[Analysis], counts: Callable[[str], bool] | None = None
) -> Agreement:
    """Return the number of words with the correct head and relation.

    With *counts*, only relations for which it is true are compared, and they all count as the same:
    ``counts=is_subject`` compares subjects, ``counts=lambda relation: True`` compares heads only.
    """
    total = Agreement()
    for one, other in _pairs(found, gold):
        for head, relation, gold_head, gold_relation in zip(
            one.heads or (), one.relations or (), other.heads or (), other.relations or (), strict=True
        ):
            if counts is None:
                total += Agreement(1, 1, head == gold_head and relation == gold_relation)
            else:
                is_found, is_gold = counts(relation), counts(gold_relation)
                total += Agreement(is_found, is_gold, is_found and is_gold and head == gold_head)
    return total


def is_subject(relation: str) -> bool:
    """Return whether a relation is a subject of any kind."""
    return relation.partition(":")[0] in {"nsubj", "csubj"}


def is_object(relation: str) -> bool:
    """Return whether a relation is a direct or indirect object."""
    return relation.partition(":")[0] in {"obj", "iobj"}


def brackets(tree: Tree) -> Counter[Span]:
    """Return the labelled brackets of a tree that are compared.

    >>> tree = Tree.from_penn("(ROOT (S (NP-SBJ (PRP I)) (VP (VBP do)) (. .)))")
    >>> sorted(brackets(tree))
    [Span(label='NP', begin=0, end=1), Span(label='S', begin=0, end=2), Span(label='VP', begin=1, end=2)]
    """
    before = [0]  # number of counted words before each position
    for tag in tree.tags:
        before.append(before[-1] + (tag not in PUNCTUATION))
    moved = (Span(category(label), before[begin], before[end]) for label, begin, end in tree.spans)
    return Counter(span for span in moved if span.begin < span.end)


def bracket_agreement(found: Iterable[Tree], gold: Iterable[Tree]) -> Agreement:
    """Return the number of correct labelled brackets."""
    total = Agreement()
    for one, other in _pairs(found, gold):
        # The gold tags decide what is punctuation, on both sides.
        a, b = brackets(Tree(one.words, other.tags, one.spans)), brackets(other)
        total += Agreement(a.total(), b.total(), (a & b).total())
    return total


_Item = TypeVar("_Item", Analysis, Tree)


def _pairs(found: Iterable[_Item], gold: Iterable[_Item]) -> Iterator[tuple[_Item, _Item]]:
    for number, (one, other) in enumerate(zip(found, gold, strict=True), 1):
        if one.words != other.words:
            raise DataError(f"the words of sentence {number} differ from the treebank's: {' '.join(one.words)[:80]!r}")
        yield one, other
