"""Explanations of sentence scores as plain data, which `paragauge.report` turns into text, HTML or JSON.

An explanation opens with a verdict in words. Then come the texts, with their words as written and marked, and what was
counted or checked; details (n-grams, networks, links, the formula with its numbers) are for those who ask for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from paragauge.corpora.segments import Segments
    from paragauge.metrics.base import Score

Mark: TypeAlias = Literal["match", "partial", "moved", "none"]
Cell: TypeAlias = str | float | int | None

BORDER = "|||"  # separates phrases of a marked text; not a word of the text
MOST_QUOTED = 4  # words in a verdict


class MarkedWord(NamedTuple):
    """A word as written; words of two texts with the same ``pair`` stand for each other (0: no other word does)."""

    text: str
    mark: Mark = "none"
    pair: int = 0


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A sentence whose words are marked by how well they matched.

    Attributes:
        label: Which text it is.
        tokens: Its words, or runs of characters.
        spaced: Whether spaces separate the words; runs of characters contain their own.
    """

    label: str
    tokens: tuple[MarkedWord, ...]
    spaced: bool = True


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
class Step:
    """One line of a calculation: ``name = symbols = numbers = value``.

    The numbers are arithmetic with + - × / ^ ( ) exp min max, rounded to six digits: a reader can work out the value.
    """

    name: str
    symbols: str
    numbers: str
    value: float


@dataclass(frozen=True, slots=True)
class Formula:
    """How the score is calculated; the value of the last step is the score."""

    title: str
    steps: tuple[Step, ...]


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


Part: TypeAlias = Remarks | MarkedText | Grid | Formula | Network | Drawing


@dataclass(frozen=True, slots=True)
class Detail:
    """Parts that are folded until somebody asks for them."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score and what explains it.

    Attributes:
        score: The score.
        parts: Marked texts, and what was counted or checked.
        verdict: One or two sentences: what was kept, what changed, what cost most.
        legend: What each mark in the texts means.
        details: Folded parts: n-grams, networks, links, the formula.
    """

    score: Score
    parts: tuple[Part, ...]
    verdict: str = ""
    legend: Mapping[Mark, str] = field(default_factory=dict, hash=False)
    details: tuple[Detail, ...] = ()

    def __post_init__(self) -> None:
        # An empty candidate has no n-grams to list.
        object.__setattr__(self, "details", tuple(detail for detail in self.details if detail.parts))

    @property
    def formula(self) -> Formula | None:
        """How the score is calculated, if the metric says so."""
        parts = (part for detail in self.details for part in detail.parts)
        return next((part for part in parts if isinstance(part, Formula)), None)


CALCULATION = "How the score is calculated"


def calculation(steps: Iterable[Step], *more: Part) -> Detail:
    """Return the detail with the formula, and what else belongs to it."""
    return Detail(CALCULATION, (Formula("formula", tuple(steps)), *more))


def number(value: float) -> str:
    """Return a number with six digits.

    >>> number(3.0), number(2 / 3), number(1234567), number(-0.5)
    ('3', '0.666667', '1234567', '(-0.5)')
    """
    text = str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"
    return f"({text})" if value < 0 else text


def total(values: Iterable[float]) -> str:
    """Return a sum of numbers.

    >>> total([1, 0.5]), total([])
    ('1 + 0.5', '0')
    """
    return " + ".join(map(number, values)) or "0"


def mean_of(values: Sequence[str]) -> str:
    """Return the mean of numbers or calculations.

    >>> mean_of(["1 / 2", "3"]), mean_of(["4"])
    ('(1 / 2 + 3) / 2', '4')
    """
    return values[0] if len(values) == 1 else f"({' + '.join(values)}) / {len(values)}" if values else "0"


def counted(count: float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "word"), counted(2, "word"), counted(0, "entry", "entries")
    ('1 word', '2 words', '0 entries')
    """
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def quoted(words: Sequence[str], most: int = MOST_QUOTED) -> str:
    """Return words in quotes, each once, the first few of many.

    >>> quoted(["a"]), quoted(["a", "b", "a", "c"]), quoted(["a", "b", "c"], 1)
    ("'a'", "'a', 'b' and 'c'", "'a' and 2 more")
    """
    words = list(dict.fromkeys(words))
    shown = [f"'{word}'" for word in words[:most]]
    rest = len(words) - most
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "nothing"


_ENDS = re.compile(r"n['’]t|['’](?:s|re|ve|ll|d|m)|''|[.,;:!?%)\]}…”]", re.IGNORECASE)
_BEGINS = re.compile(r"``|[(\[{$“]")


def is_spaced(word: str, following: str) -> bool:
    """Return whether a text has a space between two words; only tokenisers put one before a comma."""
    return not _ENDS.fullmatch(following) and not _BEGINS.fullmatch(word)


def joined(words: Sequence[str]) -> str:
    """Return words of a text in a row, without the spaces that only tokenisers put between them.

    >>> joined(["do", "n't", "know", ",", "Ann", "'s", "cat", "(", "or", "dog", ")", "."])
    "don't know, Ann's cat (or dog)."
    """
    pieces = [f"{word} " if is_spaced(word, following) else word for word, following in pairwise(words)]
    return "".join([*pieces, *words[-1:]])


def spelled(words: Sequence[str], places: Iterable[int]) -> list[str]:
    """Return some words of a text, and those that are written as one as one.

    >>> spelled(["I", "did", "n't", "know", "n't"], [1, 2, 4])
    ["didn't", "n't"]
    """
    found: list[str] = []
    last = -1
    for place in places:
        if found and place == last + 1 and not is_spaced(words[last], words[place]):
            found[-1] += words[place]
        else:
            found.append(words[place])
        last = place
    return found


def percent(share: float) -> str:
    """Return a share in per cent.

    >>> percent(0.256), percent(0.004), percent(1)
    ('26%', 'under 1%', '100%')
    """
    return "under 1%" if 0 < share < 0.01 else f"{100 * share:.0f}%"


def capital(text: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def plain(label: str, text: str) -> MarkedText:
    """Return *text* without marks."""
    return MarkedText(label, tuple(MarkedWord(token) for token in text.split()))


def original_of(segments: Segments) -> list[Part]:
    """Return the original without marks if there is one, for metrics that do not look at it."""
    return [] if segments.originals is None else [plain("original", segments.originals[0])]


def best_label(noun: str, place: int, count: int, best: str = "best") -> str:
    """Return the name of one of several texts of a kind.

    >>> best_label("reference", 0, 1), best_label("reference", 1, 3, "closest")
    ('reference', 'reference 2 (the closest of 3)')
    """
    return noun if count == 1 else f"{noun} {place + 1} (the {best} of {count})"


def component_grid(score: Score) -> Grid:
    """Return the components of *score* as a table."""
    return Grid("components", ("component", "value"), tuple(score.components.items()))


def components_only(segments: Segments, score: Score) -> Explanation:
    """Return the generic explanation: the texts and the components of the score."""
    parts: list[Part] = [*original_of(segments), plain("candidate", segments.candidates[0])]
    if segments.references is not None:
        parts += [plain(f"reference {i}", text) for i, text in enumerate(segments.references[0], start=1)]
    shown = ", ".join(f"{name} {value:.4g}" for name, value in score.components.items())
    verdict = f"{score.metric} gives {score.value:.4g}" + (f": {shown}." if shown else "; it names no components.")
    return Explanation(score, (*parts, component_grid(score)), verdict)
