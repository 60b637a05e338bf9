"""Rules of a synchronous grammar as values, and the line of text that Joshua, Thrax and PPDB write for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from paragauge.errors import DataError

BARS = " ||| "
LAYOUT = "'[LHS] ||| source ||| target ||| features ||| alignment'"
NONTERMINAL = re.compile(r"\[(\S+),(\d{1,2})\]")


@dataclass(frozen=True, slots=True)
class Nonterminal:
    """A nonterminal: its label, and the index that links both sides."""

    label: str
    index: int

    def __str__(self) -> str:
        return f"[{self.label},{self.index}]"


Symbol: TypeAlias = str | Nonterminal


class RuleClass(IntEnum):
    """The kind of paraphrase of a rule, by its source side (section 3 of the PARADIGM paper)."""

    LEXICAL = 0  # one word
    PHRASAL = 1  # several words
    SYNTACTIC = 2  # with a nonterminal


def parse_side(text: str) -> tuple[Symbol, ...]:
    """Return the symbols of a right-hand side.

    >>> parse_side("want [VP,1]")
    ('want', Nonterminal(label='VP', index=1))
    """
    matches = [(word, NONTERMINAL.fullmatch(word)) for word in text.split(" ") if word]
    return tuple(word if match is None else Nonterminal(match[1], int(match[2])) for word, match in matches)


@dataclass(frozen=True, slots=True)
class Rule:
    """A synchronous rule: a label is rewritten as a pair of sides whose nonterminals correspond by index.

    Attributes:
        lhs: Label of the left-hand side.
        source: Symbols of the source side.
        target: Symbols of the target side.
        features: Values by name, as in the text.
        alignment: Links between symbols, ``0-0 1-1``, if known.

    >>> rule = Rule.parse("[VP] ||| want [VP,1] ||| propose [VP,1] ||| p(e|f)=1.5 ||| 0-0 1-1")
    >>> rule.lhs, rule.target, rule.features, rule.rule_class.name
    ('VP', ('propose', Nonterminal(label='VP', index=1)), {'p(e|f)': 1.5}, 'SYNTACTIC')
    >>> str(rule)
    '[VP] ||| want [VP,1] ||| propose [VP,1] ||| p(e|f)=1.5 ||| 0-0 1-1'
    """

    lhs: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    alignment: str | None = None

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Return the rule of a line of text.

        Nonterminals are renumbered in the order of the source side. Unnamed features are named by their
        position, from 0.

        Raises:
            DataError: The line is not a rule.
        """
        from paragauge.grammar.files import parse_rules

        rules = parse_rules([text])
        if len(rules) != 1:
            raise DataError(f"found {len(rules)} rules in {text[:60]!r}, expected one: {LAYOUT}")
        return rules[0]

    @property
    def source_text(self) -> str:
        """The source side as text."""
        return " ".join(map(str, self.source))

    @property
    def target_text(self) -> str:
        """The target side as text."""
        return " ".join(map(str, self.target))

    @property
    def rule_class(self) -> RuleClass:
        """Lexical, phrasal or syntactic."""
        if any(isinstance(symbol, Nonterminal) for symbol in self.source):
            return RuleClass.SYNTACTIC
        return RuleClass.PHRASAL if len(self.source) > 1 else RuleClass.LEXICAL

    @property
    def is_identity(self) -> bool:
        """Whether both sides are the same, so that the rule paraphrases nothing."""
        return self.source == self.target

    def __str__(self) -> str:
        fields = [f"[{self.lhs}]", self.source_text, self.target_text]
        features = " ".join(f"{name}={value:.6g}" for name, value in self.features.items())
        if features or self.alignment:
            fields.append(features)
        if self.alignment:
            fields.append(self.alignment)
        return BARS.join(fields)


def parse_features(text: str) -> dict[str, float]:
    """Return the features of a rule; values that are not numbers, as in PPDB's files, are left out.

    >>> parse_features("p(e|f)=0.5 Identity=0 1.5")
    {'p(e|f)': 0.5, 'Identity': 0.0, '2': 1.5}
    """
    features: dict[str, float] = {}
    for place, item in enumerate(text.split()):
        name, equals, value = item.rpartition("=")
        try:
            features[name if equals else str(place)] = float(value)
        except ValueError:
            continue
    return features
