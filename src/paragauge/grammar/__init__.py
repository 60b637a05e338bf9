"""Synchronous grammars extracted from links and trees, and derivations of sentence pairs with them."""

from __future__ import annotations

from paragauge.grammar.extract import Labelling, RuleLimits, extract_grammar
from paragauge.grammar.files import read_rules
from paragauge.grammar.grammar import Grammar
from paragauge.grammar.rule import Nonterminal, Rule, RuleClass

__all__ = [
    "Grammar",
    "Labelling",
    "Nonterminal",
    "Rule",
    "RuleClass",
    "RuleLimits",
    "extract_grammar",
    "read_rules",
]
