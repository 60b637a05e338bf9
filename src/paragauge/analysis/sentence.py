"""One analysed sentence as a value."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.analysis.tree import Tree
from paragauge.errors import DataError

ROOT = -1  # the head of a word that depends on no other


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of one sentence; a field that was not requested is ``None``.

    >>> analysis = Analysis(("dogs", "bark"), tags=("NNS", "VBP"), heads=(1, ROOT), relations=("nsubj", "root"))
    >>> analysis.words[analysis.heads[0]]
    'bark'
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    """Penn Treebank part-of-speech tags."""
    lemmas: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    """For each word, the position (from 0) of the word it depends on; `ROOT` (-1) for none."""
    relations: tuple[str, ...] | None = None
    """For each word, its relation to its head, named as in Universal Dependencies."""
    tree: Tree | None = None

    def __post_init__(self) -> None:
        count = len(self.words)
        for name in ("tags", "lemmas", "heads", "relations"):
            found = getattr(self, name)
            if found is not None and len(found) != count:
                raise DataError(f"an analysis of {count} words has {len(found)} {name}; expected one per word")
        if (self.heads is None) != (self.relations is None):
            raise DataError("an analysis must have both heads and relations, or neither")
        for position, head in enumerate(self.heads or ()):
            if not ROOT <= head < count or head == position:
                raise DataError(f"word {position} has head {head}; expected another of the {count} words, or {ROOT}")
        if self.tree is not None and self.tree.words != self.words:
            raise DataError("the words of the tree differ from the words of the analysis")
