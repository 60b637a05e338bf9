"""Syntactic alignment (Pang, Knight and Marcu 2003): sentences with the same meaning, merged into a word lattice.

The trees of the sentences are merged from the top into a forest. Nodes of one category become one node of the
forest. If both expand into the same sequence of categories, their children are merged in turn; if not, the node has two
expansions. Nodes are not merged if a content word of one child is in a different child of the other tree: the order of
the constituents has changed.

In the lattice every word is an edge between two states, and every sentence a path from the first state to the last.
Merged nodes share a first and a last state, so the words below them are alternatives. Then the lattice is squeezed:
edges with the same word that leave or enter the same state are joined, unless that would create a cycle.
Paths between the same two states are paraphrases.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise, permutations
from typing import Any, NamedTuple

from paragauge.align.alignment import Alignment
from paragauge.analysis.providers import Provider, provider
from paragauge.analysis.tree import Tree, category
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.storage.engine import EngineOptions
from paragauge.storage.links import Link
from paragauge.storage.seen import Seen

MAX_WORDS = 250  # longer sentences become separate paths: merging takes quadratic time
MAX_PATHS = 1000  # from one state; states with more yield only phrases of the sentences
MAX_ALTERNATIVES = 64  # between two states, likewise
_GROUPS_IN_BLOCK = 256  # parsed at a time
_CONTENT = ("N", "V", "J", "R", "CD", "FW")  # prefixes of the tags of content words


class Edge(NamedTuple):
    """A word between two states, and the sentences that pass through it."""

    begin: int
    end: int
    word: str
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """A word lattice.

    Attributes:
        sentences: Words of each sentence.
        paths: States that each sentence passes through, one more than it has words. States are numbered so that every
            edge leads to a higher number; the first is 0.

    >>> trees = ["(S (NP (CD 12) (NNS persons)) (VP (VBD were) (VP (VBN killed))))",
    ...          "(S (NP (CD twelve) (NNS people)) (VP (VBD died)))"]
    >>> lattice = build_lattice(map(Tree.from_penn, trees))
    >>> lattice.paths
    ((0, 1, 2, 3, 4), (0, 1, 2, 4))
    >>> [sorted(phrases) for phrases in lattice.alternatives(3) if "people died" in phrases]
    [['people died', 'people were killed', 'persons died', 'persons were killed']]
    """

    sentences: tuple[tuple[str, ...], ...]
    paths: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.sentences) != len(self.paths):
            raise DataError(
                f"found {len(self.sentences)} sentences and {len(self.paths)} paths, expected one path each"
            )
        for words, path in zip(self.sentences, self.paths, strict=True):
            if len(path) != len(words) + 1 or any(one >= other for one, other in pairwise(path)):
                raise DataError(f"a sentence of {len(words)} words has the states {path}, expected increasing ones")

    @property
    def end(self) -> int:
        """The last state."""
        return max((path[-1] for path in self.paths), default=0)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, sorted by states and words."""
        found: dict[tuple[int, int, str], list[int]] = {}
        for number, (words, path) in enumerate(zip(self.sentences, self.paths, strict=True)):
            for word, (begin, end) in zip(words, pairwise(path), strict=True):
                found.setdefault((begin, end, word), []).append(number)
        return tuple(Edge(*key, tuple(sentences)) for key, sentences in sorted(found.items()))

    def alignment(self, one: int, other: int) -> Alignment:
        """Return the links of two sentences: between shared states, every word is linked with every other."""
        shared = sorted({*self.paths[one]} & {*self.paths[other]})
        places = [{state: place for place, state in enumerate(self.paths[side])} for side in (one, other)]
        links: set[Link] = set()
        for begin, end in pairwise(shared):
            rows, columns = (range(place[begin], place[end]) for place in places)
            links.update((row, column) for row in rows for column in columns)
        return Alignment(frozenset(links))

    def alternatives(self, max_length: int = 5, *, mixed: bool = True) -> Iterator[frozenset[str]]:
        """Yield the sets of two or more phrases between the same two states.

        Args:
            max_length: Maximum phrase length in words.
            mixed: Also use paths that no single sentence follows.
        """
        for state, own in sorted(self._own_phrases(max_length).items()):
            found = (self._paths_from(state, max_length) if mixed else None) or own
            for end, phrases in sorted(found.items()):
                chosen = phrases if len(phrases) <= MAX_ALTERNATIVES else own.get(end, set())
                if len(chosen) > 1:
                    yield frozenset(chosen)

    def _own_phrases(self, max_length: int) -> dict[int, dict[int, set[str]]]:
        """Return the phrases of the sentences by their first and last state."""
        found: dict[int, dict[int, set[str]]] = {}
        for words, path in zip(self.sentences, self.paths, strict=True):
            for begin in range(len(words)):
                by_end = found.setdefault(path[begin], {})
                for end in range(begin + 1, min(begin + max_length, len(words)) + 1):
                    by_end.setdefault(path[end], set()).add(" ".join(words[begin:end]))
        return found

    def _paths_from(self, state: int, max_length: int) -> dict[int, set[str]] | None:
        """Return the phrases from *state* to each state that it leads to; None if there are too many."""
        found: dict[int, set[str]] = {}
        reached = {state: {""}}
        paths = 0
        for _ in range(max_length):
            onward: dict[int, set[str]] = {}
            for at, phrases in reached.items():
                for end, word in self._leaving.get(at, ()):
                    onward.setdefault(end, set()).update(f"{phrase} {word}" if phrase else word for phrase in phrases)
            paths += sum(map(len, onward.values()))
            if paths > MAX_PATHS:
                return None
            for end, phrases in onward.items():
                found.setdefault(end, set()).update(phrases)
            reached = onward
        return found

    @cached_property
    def _leaving(self) -> dict[int, list[tuple[int, str]]]:
        found: dict[int, list[tuple[int, str]]] = {}
        for edge in self.edges:
            found.setdefault(edge.begin, []).append((edge.end, edge.word))
        return found

    def to_text(self) -> str:
        """Return one line per edge: its states, its word, and the numbers of its sentences, from 1."""
        lines = (
            f"{edge.begin} -> {edge.end}  {edge.word}  ({', '.join(str(number + 1) for number in edge.sentences)})\n"
            for edge in self.edges
        )
        return "".join(lines)

    def to_dot(self) -> str:
        """Return the lattice for Graphviz."""
        lines = ["digraph lattice {", "  rankdir=LR;", "  node [shape=circle, fontsize=10];"]
        lines += [f"  {state};" for state in sorted({state for path in self.paths for state in path})]
        for edge in self.edges:
            word = edge.word.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  {edge.begin} -> {edge.end} [label="{word}"];')
        return "\n".join([*lines, "}"]) + "\n"


def build_lattice(
    trees: Iterable[Tree], *, keywords: bool = True, squeeze: bool = True, lowercase: bool = False
) -> Lattice:
    """Return the lattice of sentences with the same meaning.

    Args:
        trees: Trees of the sentences; function tags and indices of labels are ignored.
        keywords: Do not merge nodes if content words would change places.
        squeeze: Join edges with the same word that leave or enter the same state.
        lowercase: Lower-case the words of the lattice; sentences are best parsed before lower-casing.

    Raises:
        DataError: A sentence has no words.
    """
    sentences = [replace(tree, words=tuple(map(str.lower, tree.words))) if lowercase else tree for tree in trees]
    for number, tree in enumerate(sentences, start=1):
        if not tree.words:
            raise DataError(f"sentence {number} of a group has no words; leave it out")
    states = _States()
    rows = [states.row(len(tree.words) + 1) for tree in sentences]
    forest: _Packed | None = None
    for tree, row in zip(sentences, rows, strict=True):
        states.join(rows[0][0], row[0])
        states.join(rows[0][-1], row[-1])
        if len(tree.words) > MAX_WORDS:
            continue
        root = _nested(tree)
        if forest is None:
            forest = _Packed("", row[0], row[-1])
        _merge(forest, root, row, states, keywords)
    if squeeze:
        short = [(tree, row) for tree, row in zip(sentences, rows, strict=True) if len(tree.words) <= MAX_WORDS]
        _squeeze(states, [(tree.words, row) for tree, row in short])
    paths = _numbered([[states.find(state) for state in row] for row in rows])
    return Lattice(tuple(tree.words for tree in sentences), paths)


def build_lattices(
    groups: Iterable[Sequence[str]],
    *,
    analysis: Provider | None = None,
    keywords: bool = True,
    squeeze: bool = True,
    lowercase: bool = False,
    threads: int | None = None,
) -> Iterator[Lattice]:
    """Yield the lattice of each group of sentences, with tokens separated by white space; empty sentences are skipped.

    *analysis* parses the sentences; the other options are those of `build_lattice`.

    >>> lattice = next(build_lattices([["he died yesterday", "he passed away yesterday"]]))
    >>> lattice.alignment(0, 1).to_pharaoh()
    '0-0 1-1 1-2 2-3'
    """
    parser = analysis or provider()
    waiting = iter(groups)
    while block := list(islice(waiting, _GROUPS_IN_BLOCK)):
        texts = [[text.split() for text in group if text.strip()] for group in block]
        flat = [words for group in texts for words in group]
        found = iter(parser.analyse(flat, trees=True, threads=threads))
        for group in texts:
            trees = [analysed.tree for analysed in islice(found, len(group)) if analysed.tree is not None]
            yield build_lattice(trees, keywords=keywords, squeeze=squeeze, lowercase=lowercase)


def syntactic_alignments(
    pairs: ParaphrasePairs, lattices: Callable[[list[list[str]]], Iterable[Lattice]]
) -> list[Alignment]:
    """Return the alignment of each pair in the lattice of all sentences of its group, built by *lattices*."""
    groups: dict[str, dict[str, int]] = {}  # each sentence once, with its position in the group
    rows = list(zip(pairs.group_names(), pairs.source, pairs.target, strict=True))
    for name, *texts in rows:
        for text in texts:
            if text.strip():
                sentences = groups.setdefault(name, {})
                sentences.setdefault(text, len(sentences))
    made = dict(zip(groups, lattices([list(sentences) for sentences in groups.values()]), strict=True))
    return [
        made[name].alignment(groups[name][one], groups[name][other]) if one.strip() and other.strip() else Alignment()
        for name, one, other in rows
    ]


def syntactic_paraphrases(
    lattices: Iterable[Lattice],
    *,
    max_length: int = 5,
    mixed: bool = True,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    seen: Seen | None = None,
    options: Mapping[str, Any] | None = None,
) -> ParaphraseTable:
    """Return the paraphrases of many lattices; the score is the share of e2 among all alternatives to e1.

    A pair counts once for each lattice that contains it.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for lattice in lattices:
        pairs = {pair for phrases in lattice.alternatives(max_length, mixed=mixed) for pair in permutations(phrases, 2)}
        counts.update(pairs)
    totals: Counter[str] = Counter()
    for (phrase, _), count in counts.items():
        totals[phrase] += count
    rows = ((phrase, other, count / totals[phrase]) for (phrase, other), count in counts.items())
    settings = {"method": "syntactic", "max_length": max_length, "mixed": mixed, **(options or {})}
    return ParaphraseTable.from_rows(rows, engine=engine, output=output, options=settings, seen=seen)


class _States:
    """States that may turn out to be the same (union-find)."""

    def __init__(self) -> None:
        self._parents: list[int] = []

    def row(self, count: int) -> list[int]:
        """Return *count* new states."""
        begin = len(self._parents)
        self._parents += range(begin, begin + count)
        return self._parents[begin:]

    def find(self, state: int) -> int:
        """Return the representative of *state*."""
        while self._parents[state] != state:
            self._parents[state] = state = self._parents[self._parents[state]]
        return state

    def join(self, one: int, other: int) -> int:
        """Merge two states, and return their representative: the lower number."""
        one, other = sorted((self.find(one), self.find(other)))
        self._parents[other] = one
        return one


@dataclass(slots=True)
class _Node:
    """A node of a tree: a constituent or, without children, a tag."""

    label: str
    begin: int
    end: int
    children: list[_Node] = field(default_factory=list)
    words: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Packed:
    """A node of the forest: its category, first and last state, expansions and content words."""

    label: str
    begin: int
    end: int
    expansions: list[tuple[tuple[str, ...], list[_Packed]]] = field(default_factory=list)
    words: set[str] = field(default_factory=set)


def _nested(tree: Tree) -> _Node:
    """Return the tree as nodes, under a root without a label."""
    root = _Node("", 0, len(tree.words))
    nodes, open_nodes = [root], [root]
    for span in tree.spans:
        while open_nodes[-1].end <= span.begin:
            open_nodes.pop()
        node = _Node(category(span.label), span.begin, span.end)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)
        nodes.append(node)
    content = [
        frozenset({word.lower()} if tag.startswith(_CONTENT) else ())
        for word, tag in zip(tree.words, tree.tags, strict=True)
    ]
    for node in nodes:
        filled: list[_Node] = []
        at = node.begin
        for child in [*node.children, None]:
            until = node.end if child is None else child.begin
            filled += [_Node(tree.tags[place], place, place + 1, [], content[place]) for place in range(at, until)]
            if child is not None:
                filled.append(child)
                at = child.end
        node.children = filled
        node.words = frozenset().union(*content[node.begin : node.end])
    return root


def _merge(forest: _Packed, root: _Node, row: Sequence[int], states: _States, keywords: bool) -> None:
    """Merge a tree, whose sentence passes through the states in *row*, into the forest."""
    waiting = [(forest, root)]
    while waiting:
        packed, node = waiting.pop()
        states.join(packed.begin, row[node.begin])
        states.join(packed.end, row[node.end])
        packed.words |= node.words
        if not node.children:
            continue
        key = tuple(child.label for child in node.children)
        for known, children in packed.expansions:
            if known == key and not (keywords and _moved(children, node.children)):
                break
        else:
            children = [_Packed(child.label, row[child.begin], row[child.end]) for child in node.children]
            packed.expansions.append((key, children))
        waiting += zip(children, node.children, strict=True)


def _moved(packed: Sequence[_Packed], nodes: Sequence[_Node]) -> bool:
    """Return whether a content word of a node is in a node other than its counterpart."""
    for place, node in enumerate(nodes):
        for word in node.words - packed[place].words:
            if any(word in other.words for other in packed):
                return True
    return False


def _squeeze(states: _States, paths: Iterable[tuple[Sequence[str], Sequence[int]]]) -> None:
    """Join equal words that leave or enter the same state, as long as this creates no cycle."""
    # For each direction: state, word, states on the other side.
    tables: tuple[dict[int, dict[str, set[int]]], dict[int, dict[str, set[int]]]] = ({}, {})
    for words, row in paths:
        for word, (begin, end) in zip(words, pairwise(map(states.find, row)), strict=True):
            tables[0].setdefault(begin, {}).setdefault(word, set()).add(end)
            tables[1].setdefault(end, {}).setdefault(word, set()).add(begin)
    waiting = deque(
        (side, state, word)
        for side in (0, 1)
        for state, table in sorted(tables[side].items())
        for word in sorted(table)
    )
    while waiting:
        side, state, word = waiting.popleft()
        ends = sorted(tables[side].get(states.find(state), {}).get(word, ()))
        for one, other in pairwise(ends):
            if not (_reaches(tables[0], one, other) or _reaches(tables[0], other, one)):
                joined = states.join(one, other)
                waiting += _joined_edges(tables, joined, other if joined == one else one)
                waiting.append((side, state, word))
                break


def _joined_edges(
    tables: tuple[dict[int, dict[str, set[int]]], dict[int, dict[str, set[int]]]], kept: int, gone: int
) -> list[tuple[int, int, str]]:
    """Move the edges of the state *gone* to *kept*; return where equal words may now meet."""
    changed = []
    for side in (0, 1):
        own = tables[side].setdefault(kept, {})
        for word, others in sorted(tables[side].pop(gone, {}).items()):
            own.setdefault(word, set()).update(others)
            changed.append((side, kept, word))
            for other in sorted(others):
                back = tables[1 - side][other][word]
                back.discard(gone)
                back.add(kept)
                changed.append((1 - side, other, word))
    return changed


def _reaches(leaving: dict[int, dict[str, set[int]]], begin: int, end: int) -> bool:
    seen, waiting = {begin}, [begin]
    while waiting:
        for ends in leaving.get(waiting.pop(), {}).values():
            if end in ends:
                return True
            waiting += ends - seen
            seen |= ends
    return False


def _numbered(rows: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the rows with states numbered from 0, so that every step leads to a higher number."""
    onward: dict[int, set[int]] = {}
    entering: Counter[int] = Counter()
    for row in rows:
        for begin, end in pairwise(row):
            if end not in onward.setdefault(begin, set()):
                onward[begin].add(end)
                entering[end] += 1
    ready = [state for state in {row[0] for row in rows} if not entering[state]]
    heapq.heapify(ready)
    numbers: dict[int, int] = {}
    while ready:
        state = heapq.heappop(ready)
        numbers[state] = len(numbers)
        for end in onward.get(state, ()):
            entering[end] -= 1
            if not entering[end]:
                heapq.heappush(ready, end)
    return tuple(tuple(numbers[state] for state in row) for row in rows)
