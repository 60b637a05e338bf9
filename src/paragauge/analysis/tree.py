"""Constituency trees, and reading and writing them in the Penn Treebank's brackets.

A tree consists of its words, their tags and its labelled spans. It is flat, so that even a very deep tree can be
compared, hashed and printed like any other value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from paragauge.errors import DataError
from paragauge.io import PathLike, display_name, read_lines, write_lines

ROOT_LABEL = "ROOT"
# Labels of the bracket around a whole tree; it carries no information, so it is not kept.
_ROOTS = frozenset({"", ROOT_LABEL, "TOP", "S1", "VROOT"})
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_ESCAPED = re.compile("|".join(_ESCAPES))
_PIECE = re.compile(r"[()]|[^\s()]+")


class Span(NamedTuple):
    """A constituent: its label and the words ``begin <= i < end`` that it covers."""

    label: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A constituency tree.

    >>> tree = Tree.from_penn("(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat))))")
    >>> tree.words, tree.tags
    (('the', 'cat', 'sat'), ('DT', 'NN', 'VBD'))
    >>> tree.spans
    (Span(label='S', begin=0, end=3), Span(label='NP', begin=0, end=2), Span(label='VP', begin=2, end=3))
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[Span, ...]
    """The constituents, parents before children, left before right, without tags and the outermost ``ROOT``."""

    def __post_init__(self) -> None:
        count = len(self.words)
        if len(self.tags) != count:
            raise DataError(f"a tree of {count} words has {len(self.tags)} tags; expected one per word")
        open_spans: list[Span] = []
        previous = Span("", 0, count)
        for span in self.spans:
            if not 0 <= span.begin < span.end <= count:
                raise DataError(f"{span} covers no words, or words beyond the {count} of its tree")
            while open_spans and open_spans[-1].end <= span.begin:
                open_spans.pop()
            if (open_spans and span.end > open_spans[-1].end) or span.begin < previous.begin:
                raise DataError(f"{span} crosses {(open_spans or [previous])[-1]}, or comes before its parent")
            open_spans.append(span)
            previous = span

    @classmethod
    def from_penn(cls, text: str) -> Tree:
        """Return the tree given in brackets in *text*.

        Empty elements (``-NONE-``) and constituents that contain nothing else are left out. ``-LRB-`` and the like
        become the brackets they represent.

        Raises:
            DataError: *text* is not one tree.
        """
        trees = [tree for tree, _ in _parse([(1, text)], None)]
        if len(trees) != 1:
            raise DataError(f"expected one bracketed tree, found {len(trees)} in {text[:60]!r}")
        return trees[0]

    def to_penn(self) -> str:
        """Return the tree in brackets on one line, with ``(ROOT ...)`` around it.

        Raises:
            DataError: A word, tag or label cannot be written because it is empty or contains a space.
        """
        pieces = [f"({ROOT_LABEL}"]
        open_ends: list[int] = []
        upcoming = iter(self.spans)
        span = next(upcoming, None)
        for position, (word, tag) in enumerate(zip(self.words, self.tags, strict=True)):
            while span is not None and span.begin == position:
                pieces.append(f" ({_symbol(span.label)}")
                open_ends.append(span.end)
                span = next(upcoming, None)
            pieces.append(f" ({_symbol(tag)} {_symbol(word)})")
            while open_ends and open_ends[-1] == position + 1:
                pieces.append(")")
                open_ends.pop()
        return "".join(pieces) + ")"

    def without_functions(self) -> Tree:
        """Return the tree with bare categories: ``NP`` for ``NP-SBJ``, ``NP=2`` and ``NP|S``."""
        return Tree(self.words, self.tags, tuple(span._replace(label=category(span.label)) for span in self.spans))


def category(label: str) -> str:
    """Return the category of a label, without function tags and indices.

    >>> [category(label) for label in ("NP-SBJ-1", "PP=2", "S", "-LRB-")]
    ['NP', 'PP', 'S', '-LRB-']
    """
    return label if label.startswith("-") else re.split(r"[-=|]", label, maxsplit=1)[0]


def read_trees(path: PathLike, *, encoding: str = "utf-8") -> Iterator[Tree]:
    """Yield the trees of a file of bracketed trees, each on one or several lines.

    Raises:
        DataError: The brackets do not match, or contain something other than a tree.
    """
    for tree, _ in _parse(enumerate(read_lines(path, encoding=encoding), 1), display_name(path)):
        yield tree


def write_trees(path: PathLike, trees: Iterable[Tree]) -> int:
    """Write trees, one per line, and return their number."""
    return write_lines(path, (tree.to_penn() for tree in trees))


def _symbol(text: str) -> str:
    if not text or any(character.isspace() for character in text):
        raise DataError(f"{text!r} is empty or contains a space, which a bracketed tree does not allow")
    return text.replace("(", "-LRB-").replace(")", "-RRB-")


class _Node:
    """An open bracket while reading: its first symbol, the word if it is a leaf, where it started."""

    __slots__ = ("begin", "label", "line", "span_index", "word")

    def __init__(self, begin: int, span_index: int, line: int) -> None:
        self.begin, self.span_index, self.line = begin, span_index, line
        self.label: str | None = None
        self.word: str | None = None


def _parse(lines: Iterable[tuple[int, str]], path: str | None) -> Iterator[tuple[Tree, int]]:
    stack: list[_Node] = []
    words: list[str] = []
    tags: list[str] = []
    spans: list[Span | None] = []

    for number, line in lines:
        for piece in _PIECE.findall(line):
            if piece == "(":
                if stack:
                    parent = stack[-1]
                    if parent.word is not None:
                        raise DataError(f"a bracket opens after the word {parent.word!r}", path=path, line=number)
                    if parent.label is None:
                        parent.label = ""
                stack.append(_Node(len(words), len(spans), number))
                spans.append(None)  # reserves its place before its children
            elif not stack:
                hint = "; this looks like CoNLL-U: 'paragauge parse --format penn' writes trees" if "\t" in line else ""
                raise DataError(f"{piece!r} is outside any tree; expected '('{hint}", path=path, line=number)
            elif piece != ")":
                node = stack[-1]
                if node.label is None:
                    node.label = piece
                elif node.word is None and len(spans) == node.span_index + 1:
                    node.word = piece
                else:
                    raise DataError(
                        f"{piece!r} is a word without its own bracket; expected (TAG {piece})",
                        path=path,
                        line=number,
                    )
            else:
                node = stack.pop()
                label = node.label or ""
                if node.word is not None:
                    if label != "-NONE-":
                        words.append(_ESCAPED.sub(lambda found: _ESCAPES[found[0]], node.word))
                        tags.append(label)
                elif len(words) > node.begin and not (not stack and label in _ROOTS):
                    if not label:
                        raise DataError("a bracket inside a tree has no label", path=path, line=number)
                    spans[node.span_index] = Span(label, node.begin, len(words))
                if not stack:
                    yield Tree(tuple(words), tuple(tags), tuple(span for span in spans if span is not None)), node.line
                    words, tags, spans = [], [], []
    if stack:
        raise DataError(
            f"{len(stack)} bracket(s) not closed; the file may be incomplete", path=path, line=stack[0].line
        )
