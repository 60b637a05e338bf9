"""Linguistic analysis of sentences: tags, lemmas, dependencies, constituents."""

from __future__ import annotations

from paragauge.analysis.conllu import read_conllu, write_conllu
from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.providers import Provider, provider
from paragauge.analysis.relations import Triple, relations_of
from paragauge.analysis.sentence import Analysis
from paragauge.analysis.tree import Span, Tree, read_trees, write_trees

__all__ = [
    "Analysis",
    "Lexicon",
    "Provider",
    "Span",
    "Tree",
    "Triple",
    "provider",
    "read_conllu",
    "read_trees",
    "relations_of",
    "write_conllu",
    "write_trees",
]
