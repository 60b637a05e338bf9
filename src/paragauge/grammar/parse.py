"""Synchronous parsing: whether a grammar derives a pair of sentences, and by which derivation.

The answer is exact. Rules are filtered by both sides of the pair, and a chart over both sentences is filled bottom-up
(Wu 1997). Two kinds of rules are added to every grammar:

- *glue* joins labelled pieces that follow one another in both sentences;
- *pass-through* maps a word to itself, with the label X: words that occur in no source side of the grammar
  (`unknown`), or every word (`all`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.grammar.rule import Nonterminal, Rule, parse_side
from paragauge.progress import Progress
from paragauge.storage.store import pack_strings
from paragauge.text.vocabulary import Vocabulary
from paragauge.threads import thread_count

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar

PassThrough: TypeAlias = Literal["none", "unknown", "all"]
Sentence: TypeAlias = str | Sequence[str]  # tokens, or text with tokens separated by white space

PASS_THROUGH: tuple[PassThrough, ...] = ("none", "unknown", "all")
LABEL_OF_WORDS = "X"  # label of words that pass through
_FIRST_BLOCK = 16
_NODE_SIZE = 7
_MOST = 2**31 - 1  # of the numbers that the native core takes


class ParseStatus(IntEnum):
    """The outcome for a pair. If a limit was hit, it is unknown whether the pair can be derived."""

    NOT_DERIVED = 0
    DERIVED = 1
    TIME_LIMIT = 2
    MEMORY_LIMIT = 3

    @property
    def at_limit(self) -> bool:
        """Whether parsing stopped at a limit."""
        return self in (ParseStatus.TIME_LIMIT, ParseStatus.MEMORY_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseOptions:
    """Options for parsing pairs.

    Attributes:
        pass_through: Words that may pass through unchanged: ``none``, those ``unknown`` to the grammar, or ``all``.
        glue: Whether labelled pieces may be joined; if not, one label must cover the whole pair.
        max_span: Maximum number of source words that a rule other than glue may cover; None means no limit.
        max_target_span: The same for target words.
        seconds: Time limit for each pair in seconds; 0 means no limit.
        megabytes: Memory limit for the chart of each pair in MB. Sentences of more than 1,023 words always exceed it.
        threads: Number of threads; all cores by default.
    """

    pass_through: PassThrough = "unknown"  # noqa: S105 - not a password
    glue: bool = True
    max_span: int | None = None
    max_target_span: int | None = None
    seconds: float = 60.0
    megabytes: int = 1024
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.pass_through not in PASS_THROUGH:
            raise OptionError(f"pass_through must be one of {', '.join(PASS_THROUGH)}; got {self.pass_through!r}")
        if not isinstance(self.glue, bool):
            raise OptionError(f"glue must be True or False, got {self.glue!r}")
        for name in ("max_span", "max_target_span"):
            value = getattr(self, name)
            if value is not None and not (_is_whole(value) and 1 <= value <= _MOST):
                raise OptionError(f"{name} must be a whole number from 1 to {_MOST:,}, got {value!r}")
        if not (_is_whole(self.seconds) or isinstance(self.seconds, float)) or not self.seconds >= 0:
            raise OptionError(f"seconds must be a number of at least 0, got {self.seconds!r}")
        if not (_is_whole(self.megabytes) and 1 <= self.megabytes <= _MOST):
            raise OptionError(f"megabytes must be a whole number from 1 to {_MOST:,}, got {self.megabytes!r}")
        thread_count(self.threads)

    def signature_items(self) -> dict[str, object]:
        """Return the options that can change the result."""
        items: dict[str, object] = {"glue": "yes" if self.glue else "no", "pass": self.pass_through}
        items["span"] = self.max_span or "any"
        if self.max_target_span is not None:
            items["tspan"] = self.max_target_span
        return items | {"seconds": f"{self.seconds:g}", "mb": self.megabytes}


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class DerivationNode:
    """An applied rule: the words that it covers in both sentences, and the nodes that fill its nonterminals.

    Attributes:
        label: Label of the node.
        rule: Rule, or None if a word passes through.
        source: First source word, and one past the last.
        target: First target word, and one past the last.
        children: Child nodes, in the order of the rule's source side.
    """

    label: str
    rule: Rule | None
    source: tuple[int, int]
    target: tuple[int, int]
    children: tuple[DerivationNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """A derivation of a pair: pieces joined by glue, each a tree of rules."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    pieces: tuple[DerivationNode, ...]

    def nodes(self) -> Iterator[tuple[int, DerivationNode]]:
        """Yield all nodes, parents before children, with their depth."""
        stack = [(0, piece) for piece in reversed(self.pieces)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack.extend((depth + 1, child) for child in reversed(node.children))

    def to_text(self) -> str:
        """Return the derivation as readable text, one rule per line, with children indented below their parents."""
        lines = []
        for depth, node in self.nodes():
            words = " ".join(self.source[slice(*node.source)]), " ".join(self.target[slice(*node.target)])
            sides = words if node.rule is None else (node.rule.source_text, node.rule.target_text)
            what = " (passes through)" if node.rule is None else ""
            lines.append(f"{'  ' * depth}[{node.label}] {sides[0]} -> {sides[1]}{what}")
            if node.children:
                lines[-1] += f"   = {words[0]} -> {words[1]}"
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the derivation as plain data, ready for JSON: a flat list of nodes with their parents' positions."""
        nodes: list[dict[str, Any]] = []
        stack: list[tuple[int | None, DerivationNode]] = [(None, piece) for piece in reversed(self.pieces)]
        while stack:
            parent, node = stack.pop()
            rule = (
                None
                if node.rule is None
                else f"[{node.rule.lhs}] ||| {node.rule.source_text} ||| {node.rule.target_text}"
            )
            nodes.append(
                {"label": node.label, "rule": rule, "parent": parent, "source": node.source, "target": node.target}
            )
            stack.extend((len(nodes) - 1, child) for child in reversed(node.children))
        return {"source": " ".join(self.source), "target": " ".join(self.target), "nodes": nodes}

    def to_json(self) -> str:
        """Return the derivation as JSON on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the pair that results from applying the rules, which proves that the derivation is valid."""
        source: list[str] = []
        target: list[str] = []
        for piece in self.pieces:
            for side, out in ((0, source), (1, target)):
                out.extend(self._yield(piece, side))
        return tuple(source), tuple(target)

    def _yield(self, node: DerivationNode, side: int) -> Iterator[str]:
        stack: list[DerivationNode | str] = [node]
        while stack:
            top = stack.pop()
            if isinstance(top, str):
                yield top
            elif top.rule is None:
                yield from (self.source[slice(*top.source)], self.target[slice(*top.target)])[side]
            else:
                symbols = (top.rule.source, top.rule.target)[side]
                stack.extend(
                    top.children[symbol.index - 1] if isinstance(symbol, Nonterminal) else symbol
                    for symbol in reversed(symbols)
                )


@dataclass(frozen=True, slots=True)
class ParseResult:
    """The result for one pair.

    Attributes:
        status: Derived, not derived, or stopped at a limit.
        rules: Number of rules of the grammar that match both sentences.
        items: Number of (label, source span, target span) items in the chart.
        seconds: Time taken in seconds.
        derivation: One derivation, if there is one and it was requested.
    """

    status: ParseStatus
    rules: int
    items: int
    seconds: float
    derivation: Derivation | None = None

    @property
    def derived(self) -> bool:
        """Whether the grammar derives the pair."""
        return self.status is ParseStatus.DERIVED


def parse_pairs(
    grammar: Grammar,
    source: Iterable[Sentence],
    target: Iterable[Sentence],
    *,
    options: ParseOptions | None = None,
    derivations: bool = False,
    progress: Progress | None = None,
) -> list[ParseResult]:
    """Return whether *grammar* derives each pair of sentences.

    Args:
        grammar: Grammar to use.
        source: Sentences, as token sequences or as text with tokens separated by white space.
        target: Sentences to derive from them.
        options: Glue, pass-through and limits.
        derivations: Whether to return a derivation of each pair that has one.
        progress: Called with the number of pairs done.

    Raises:
        DataError: The two sides differ in the number of sentences.

    >>> from paragauge.grammar import Grammar, Rule
    >>> grammar = Grammar.from_rules(map(Rule.parse, ["[X] ||| want [X,1] ||| propose [X,1]", "[X] ||| to ||| to"]))
    >>> result = parse_pairs(grammar, ["Ann want to go"], ["Ann propose to go"], derivations=True)[0]
    >>> print(result.derivation.to_text(), end="")
    [X] Ann -> Ann (passes through)
    [X] want [X,1] -> propose [X,1]   = want to -> propose to
      [X] to -> to
    [X] go -> go (passes through)
    """
    pairs = [[tuple(one.split()) if isinstance(one, str) else tuple(one) for one in side] for side in (source, target)]
    if len(pairs[0]) != len(pairs[1]):
        raise DataError(f"source has {len(pairs[0]):,} sentences, target has {len(pairs[1]):,}; expected equal numbers")
    index = grammar.index
    chosen = options or ParseOptions()
    results: list[ParseResult] = []
    while len(results) < len(pairs[0]):
        # Blocks keep a progress bar moving and memory small.
        first = len(results)
        block = [side[first : first + max(_FIRST_BLOCK, first)] for side in pairs]
        results += _parse_block(index, block[0], block[1], chosen, derivations, grammar.name)
        if progress is not None:
            progress(len(results), len(pairs[0]), "pairs")
    return results


def _parse_block(
    index: Any,
    source: list[tuple[str, ...]],
    target: list[tuple[str, ...]],
    options: ParseOptions,
    derivations: bool,
    name: str,
) -> list[ParseResult]:
    from paragauge import _core

    tokens = Vocabulary()
    sides = [tokens.encode(side) for side in (source, target)]
    try:
        status, rules, items, seconds, starts, nodes = index.parse(
            pack_strings(tokens),
            source=sides[0].arrays,
            target=sides[1].arrays,
            options=_core.ParseOptions(
                pass_through=_core.PassThrough[options.pass_through],
                glue=options.glue,
                max_span=options.max_span or 0,
                max_target_span=options.max_target_span or 0,
                seconds=float(options.seconds),
                bytes=options.megabytes << 20,
                derivations=derivations,
                threads=thread_count(options.threads),
            ),
        )
    except ValueError as error:
        raise _damaged(error, name) from error
    answers = []
    for place in range(len(source)):
        derivation = None
        if starts[place] < starts[place + 1]:
            rows = nodes[_NODE_SIZE * starts[place] : _NODE_SIZE * starts[place + 1]].reshape(-1, _NODE_SIZE)
            derivation = Derivation(source[place], target[place], tree_of_rows(index, rows.tolist(), name))
        answers.append(
            ParseResult(
                ParseStatus(status[place]), int(rules[place]), int(items[place]), float(seconds[place]), derivation
            )
        )
    return answers


def _damaged(error: ValueError, name: str) -> DataError:
    return DataError(f"{error}; create the grammar again", path=name)


def tree_of_rows(index: Any, rows: list[list[int]], name: str) -> tuple[DerivationNode, ...]:
    """Return the pieces of a derivation from a list of nodes with parents before children."""
    children: list[list[DerivationNode]] = [[] for _ in rows]
    pieces: list[DerivationNode] = []
    for place in range(len(rows) - 1, -1, -1):
        number, parent, _, *ends = rows[place]
        rule = None
        label = LABEL_OF_WORDS
        if number >= 0:
            try:
                label, source, target = index.rule(number)
            except ValueError as error:
                raise _damaged(error, name) from error
            rule = Rule(label, parse_side(source), parse_side(target))
        node = DerivationNode(
            label,
            rule,
            (ends[0], ends[1]),
            (ends[2], ends[3]),
            tuple(sorted(children[place], key=lambda child: child.source)),
        )
        (pieces if parent < 0 else children[parent]).append(node)
    return tuple(reversed(pieces))
