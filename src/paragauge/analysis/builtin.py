"""The analyser that ships with paragauge: a tagger and two parsers, all beam search over linear models.

Time is linear in the number of words. Every sequence of tokens is accepted; one of more than a thousand is processed
in pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from paragauge import _core
from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.model import Model
from paragauge.analysis.sentence import Analysis
from paragauge.analysis.training import tag_kinds
from paragauge.analysis.tree import Span, Tree
from paragauge.errors import DataError, OptionError
from paragauge.resource import SHIPPED
from paragauge.threads import thread_count

MODEL_FILE = SHIPPED / "analysis" / "english.bin"


@dataclass(frozen=True, eq=False)
class Builtin:
    """The built-in tagger and parsers over one model file."""

    model: Model
    widths: tuple[int, int, int] = (3, 4, 6)
    """Beam widths of the tagger, the dependency parser and the constituency parser."""

    @classmethod
    def load(cls, path: str | Path = MODEL_FILE) -> Builtin:
        """Return the analyser with the model file *path*, by default the one that ships with paragauge."""
        return cls(Model.read(path))

    @property
    def signature(self) -> str:
        return f"builtin-{self.model.digest}"

    @cached_property
    def _analyser(self) -> _core.Analyser:
        blocks = {name: block if len(block) else None for name, block in self.model.blocks.items()}
        words, tagger = self.model.blocks["words"], self.model.blocks["tagger"]
        try:
            analyser = _core.Analyser(
                words=words,
                tag_kinds=tag_kinds(self.model.tags),
                tagger=tagger,
                arcs=blocks["arcs"],
                relations=blocks["relations"],
                structure=blocks["structure"],
                labels=blocks["labels"],
            )
        except ValueError as error:
            raise DataError(f"the model file is damaged: {error}") from error
        expected = (len(self.model.tags), len(self.model.relations), len(self.model.labels))
        if any(found not in (0, wanted) for found, wanted in zip(analyser.classes, expected, strict=True)):
            raise DataError(
                f"the model file is damaged: it names {expected} classes, but its weights have {analyser.classes}"
            )
        return analyser

    @cached_property
    def _relations(self) -> list[str]:
        """The names of relations by the core's numbers."""
        # A root has no relation in the model; pieces of a very long sentence depend on the first as parataxis.
        return [*self.model.relations, *[""] * (254 - len(self.model.relations)), "parataxis", "root"]

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
        """Return an analysis of each sentence; tags are always included, since the rest depends on them."""
        if trees and not self.model.labels:
            raise OptionError("this model has no constituency parser; train it with trees")
        texts = [tuple(sentence) for sentence in sentences]
        found_tags, heads, relations, spans = self._analyser.analyse(
            texts,
            dependencies=dependencies,
            trees=trees,
            # One sentence is not worth asking how many cores there are.
            threads=1 if threads is None and len(texts) == 1 else thread_count(threads),
            widths=self.widths,
        )
        tag_names = list(map(self.model.tags.__getitem__, found_tags.tolist()))
        head_list = heads.tolist()
        relation_names = list(map(self._relations.__getitem__, relations.tolist()))
        lexicon = Lexicon.load() if lemmas else None
        span_lists = self._spans(spans.tolist(), len(texts)) if trees else None
        analyses = []
        begin = 0
        for number, words in enumerate(texts):
            end = begin + len(words)
            own_tags = tuple(tag_names[begin:end])
            analyses.append(
                Analysis(
                    words,
                    tags=own_tags,
                    lemmas=lexicon.lemmas(words, own_tags) if lexicon is not None else None,
                    heads=tuple(head_list[begin:end]) if dependencies else None,
                    relations=tuple(relation_names[begin:end]) if dependencies else None,
                    tree=Tree(words, own_tags, tuple(span_lists[number])) if span_lists is not None else None,
                )
            )
            begin = end
        return analyses

    def _spans(self, rows: Sequence[tuple[int, int, int, int]], count: int) -> list[list[Span]]:
        chains = [label.split("+") for label in self.model.labels]
        spans: list[list[Span]] = [[] for _ in range(count)]
        for sentence, begin, end, label in rows:
            spans[sentence].extend(Span(name, begin, end) for name in chains[label])
        return spans
