"""Explanations of sentence scores as plain data, which `paragauge.report` turns into text, HTML or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from paragauge.corpora.segments import Segments
    from paragauge.metrics.base import Score
    from paragauge.text import TextPipeline

Mark: TypeAlias = Literal["match", "partial", "none"]
Cell: TypeAlias = str | float | int | None

BORDER = "|||"  # separates phrases of a marked text; not a word of the text


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A sentence whose tokens are marked by how well they matched."""

    label: str
    tokens: tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Remarks:
    """Notes in plain words, one per line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """One of several alternatives at one position, with its weight."""

    text: str
    weight: float
    mark: Mark = "none"


@dataclass(frozen=True, slots=True)
class NetworkSegment:
    """A position and its alternatives."""

    label: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Segments in series, each with parallel edges: many sentences in one drawing."""

    title: str
    segments: tuple[NetworkSegment, ...]


@dataclass(frozen=True, slots=True, order=True)
class DrawnLink:
    """Matched items ``begin <= i < end`` of both sides, the kind of match and its weight."""

    left: tuple[int, int]
    right: tuple[int, int]
    kind: str
    weight: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Two rows of items (words or others) and the links between them."""

    title: str
    left_label: str
    left: tuple[str, ...]
    right_label: str
    right: tuple[str, ...]
    links: tuple[DrawnLink, ...]


Part: TypeAlias = Remarks | MarkedText | Grid | Network | Drawing


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score and the parts that explain it."""

    score: Score
    parts: tuple[Part, ...]


def plain(label: str, text: str) -> MarkedText:
    """Return *text* without marks."""
    return MarkedText(label, tuple((token, "none") for token in text.split()))


def component_grid(score: Score) -> Grid:
    """Return the components of *score* as a table."""
    return Grid("components", ("component", "value"), tuple(score.components.items()))


def components_only(segments: Segments, score: Score) -> Explanation:
    """Return the generic explanation: the texts and the components of the score."""
    parts: list[Part] = []
    if segments.originals is not None:
        parts.append(plain("original", segments.originals[0]))
    parts.append(plain("candidate", segments.candidates[0]))
    if segments.references is not None:
        parts += [plain(f"reference {i}", text) for i, text in enumerate(segments.references[0], start=1)]
    return Explanation(score, (*parts, component_grid(score)))


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return the n-grams of *tokens* in order.

    >>> ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def mark_by_longest_ngram(tokens: Sequence[str], others: Sequence[Sequence[str]], max_order: int) -> MarkedText:
    """Mark each token of a candidate: in a shared n-gram of two or more words, shared on its own, or new."""
    marks: list[Mark] = ["none"] * len(tokens)
    for order in range(1, max_order + 1):
        known = {ngram for other in others for ngram in ngrams(other, order)}
        for start, ngram in enumerate(ngrams(tokens, order)):
            if ngram in known:
                marks[start : start + order] = ["partial" if order == 1 else "match"] * order
    return MarkedText("candidate", tuple(zip(tokens, marks, strict=True)))


def ngram_grids(tokens: Sequence[str], others: Sequence[Sequence[str]], max_order: int) -> list[Grid]:
    """Return for each order the n-grams of a candidate with their counts: in the text, allowed by *others*, matched."""
    from collections import Counter

    grids = []
    for order in range(1, max_order + 1):
        own = Counter(ngrams(tokens, order))
        if not own:
            break
        counts = [Counter(ngrams(other, order)) for other in others]
        rows = []
        for ngram, count in own.items():
            clip = max((other[ngram] for other in counts), default=0)
            rows.append((" ".join(ngram), count, clip, min(count, clip)))
        grids.append(Grid(f"{order}-grams", ("n-gram", "candidate", "allowed", "matched"), tuple(rows)))
    return grids


def explain_ngrams(
    score: Score,
    pipeline: TextPipeline,
    segments: Segments,
    label: Literal["reference", "original"],
    max_order: int,
) -> Explanation:
    """Return the n-grams that the one candidate in *segments* shares with its references or its original."""
    others = segments.originals if label == "original" else (segments.references or ((),))[0]
    tokens = pipeline(segments.candidates[0])
    compared = [pipeline(text) for text in others or ()]
    written = pipeline.as_written(segments.candidates[0])
    parts: list[Part] = []
    if label == "reference" and segments.originals is not None:
        parts.append(plain("original", segments.originals[0]))
    for number, text in enumerate(others or (), start=1):
        name = label if len(compared) == 1 else f"{label} {number}"
        parts.append(MarkedText(name, tuple((token, "none") for token in pipeline.as_written(text))))
    marked = mark_by_longest_ngram(tokens, compared, max_order)
    shown = tuple((word, mark) for word, (_, mark) in zip(written, marked.tokens, strict=True))
    parts += [MarkedText(marked.label, shown), component_grid(score)]
    return Explanation(score, (*parts, *ngram_grids(tokens, compared, max_order)))
