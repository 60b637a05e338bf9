"""The analysis that ships with paragauge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paragauge.analysis.lemmas import lemmas_of
from paragauge.analysis.sentence import ROOT, Analysis
from paragauge.analysis.tree import Span, Tree


class Builtin:
    """A stand-in until the models are there: every word is a noun that hangs on the first."""

    @property
    def signature(self) -> str:
        return "builtin-0"

    def analyse(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        tags: bool = True,
        lemmas: bool = False,
        dependencies: bool = False,
        trees: bool = False,
        threads: int | None = None,
    ) -> list[Analysis]:
        analyses = []
        for sentence in sentences:
            words = tuple(sentence)
            nouns = ("NN",) * len(words)
            analyses.append(
                Analysis(
                    words,
                    tags=nouns if tags else None,
                    lemmas=lemmas_of(words, nouns) if lemmas else None,
                    heads=(ROOT, *(0 for _ in words[1:]))[: len(words)] if dependencies else None,
                    relations=("root", *("dep" for _ in words[1:]))[: len(words)] if dependencies else None,
                    tree=Tree(words, nouns, (Span("FRAG", 0, len(words)),) if words else ()) if trees else None,
                )
            )
        return analyses
