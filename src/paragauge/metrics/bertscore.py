"""BERTScore (Zhang, Kishore, Wu, Weinberger & Artzi, 2020): greedy matching of token embeddings.

Every token of the candidate c is matched with the most similar token of the reference r, and the other way round:

    P = mean over tokens i of c of max_j cos(c_i, r_j)        R = mean over tokens j of r of max_i cos(c_i, r_j)
    F = 2 P R / (P + R)

The model's marks of beginning and end may be matched with, but have no place in the means, as in the authors' program.
With a baseline b, each of the three becomes (x - b) / (1 - b), which is 0 for texts that have nothing to do with each
other. Of several references, the one with the best F counts. A system's scores are means over its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from unicodedata import combining, normalize

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.metrics.base import Measurement, check_number
from paragauge.metrics.embedding_metric import DECIMALS, ComparingMetric
from paragauge.metrics.explanation import (
    Detail,
    Drawing,
    DrawnLink,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Step,
    best_label,
    calculation,
    mean_of,
    number,
    original_of,
    quoted,
)
from paragauge.metrics.f_score import f_score

if TYPE_CHECKING:
    from paragauge.embeddings import Embedder, Embedding


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """Precision, recall and F of matched tokens, before any baseline."""

    precision: float
    recall: float
    f1: float

    def rescaled(self, baseline: float) -> TokenMatch:
        """Return all three on the scale on which *baseline* is 0 and 1 is 1."""
        return TokenMatch(*((value - baseline) / (1 - baseline) for value in (self.precision, self.recall, self.f1)))


_CLOSE, _PARTLY_CLOSE = 0.7, 0.4  # cosines
_SKIPPED = 40  # letters of a text that a model may have no piece for
LEGEND: dict[Mark, str] = {
    "match": f"close to a token there (cosine of {_CLOSE} or more)",
    "partial": f"partly close ({_PARTLY_CLOSE} or more)",
    "none": "far from all",
}


def match_tokens(candidate: Embedding, other: Embedding) -> TokenMatch:
    """Return how well the tokens of two texts match; all zero if one of them has none."""
    if not candidate.content.any() or not other.content.any():
        return TokenMatch(0.0, 0.0, 0.0)
    cosines = candidate.tokens @ other.tokens.T
    precision = round(float(cosines.max(axis=1)[candidate.content].mean(dtype=np.float64)), DECIMALS)
    recall = round(float(cosines.max(axis=0)[other.content].mean(dtype=np.float64)), DECIMALS)
    # Means below zero occur, but F of them means nothing.
    return TokenMatch(precision, recall, f_score(precision, recall, 0.5) if precision > 0 and recall > 0 else 0.0)


@dataclass(frozen=True, kw_only=True)
class BertScore(ComparingMetric):
    """BERTScore's F, with the vectors of any model."""

    layer: int | None = None  # whose vectors are taken, from 1; by default the last
    baseline: float = 0.0  # mean score of unrelated texts (`unrelated_score`); 0 leaves the scores as they are

    name: ClassVar[str] = "bertscore"
    summary: ClassVar[str] = "greedy matching of token embeddings, by a model from disk"
    citation: ClassVar[str] = "Zhang et al. (2020)"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.name, "baseline", self.baseline, low=-1)
        if self.baseline >= 1:
            raise OptionError(f"the option 'baseline' of {self.name} must be below 1; got {self.baseline!r}")

    @property
    def token_layer(self) -> int | None:
        return self.layer

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[precision, recall, F, 1]``."""
        groups = self.others(segments)
        rows = []
        for match in best_matches(self.embedder, segments.candidates, groups):
            scaled = match.rescaled(self.baseline)
            rows.append([scaled.precision, scaled.recall, scaled.f1, 1.0])
        return np.array(rows)

    def measure(self, totals: Sequence[float]) -> Measurement:
        precision, recall, f1, count = totals
        return Measurement(f1 / count, {"precision": precision / count, "recall": recall / count})

    def signature_items(self) -> dict[str, object]:
        baseline = {"baseline": f"{self.baseline:g}"} if self.baseline else {}
        return {**super().signature_items(), **baseline}

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        [group] = self.others(segments)
        noun = self.against.removesuffix("s")
        matched = TokenMatches.of(self.embedder, segments.candidates[0], group, noun)
        steps = matched.steps()
        if self.baseline:
            raw = number(matched.match.f1)
            numbers = f"({raw} - {number(self.baseline)}) / (1 - {number(self.baseline)})"
            steps.append(Step("rescaled", "(F - baseline) / (1 - baseline)", numbers, score.value))
        return Explanation(
            score,
            (
                *([] if noun == "original" else original_of(segments)),
                *matched.texts(segments.candidates[0], group[matched.best]),
            ),
            matched.verdict(),
            LEGEND,
            details=(calculation(steps), *matched.details()),
        )


def best_matches(embedder: Embedder, candidates: Sequence[str], groups: Sequence[Sequence[str]]) -> list[TokenMatch]:
    """Return the match of each candidate with that of its group with which F is greatest."""
    texts = [*candidates, *(text for group in groups for text in group)]
    embedded = dict(zip(texts, embedder.embed(texts), strict=True))
    return [
        max((match_tokens(embedded[candidate], embedded[text]) for text in group), key=lambda match: match.f1)
        for candidate, group in zip(candidates, groups, strict=True)
    ]


@dataclass(frozen=True)
class TokenMatches:
    """The tokens of a candidate and of the best of the texts that it is compared with, and their cosines.

    Attributes:
        label: What to call that text.
        best: Its number.
        match: Precision, recall and F.
        drawing: Each token of the candidate, linked to the nearest of the text.
        own: The greatest cosine of each token of the candidate.
        other: The greatest cosine of each token of the text.
    """

    label: str
    best: int
    match: TokenMatch
    drawing: Drawing
    own: tuple[float, ...]
    other: tuple[float, ...]

    @classmethod
    def of(cls, embedder: Embedder, candidate: str, group: Sequence[str], noun: str) -> TokenMatches:
        """Compare *candidate* with the text of *group* with which F is greatest."""
        own, *others = embedder.embed([candidate, *group])
        matches = [match_tokens(own, other) for other in others]
        best = max(range(len(group)), key=lambda number: matches[number].f1)
        other = others[best]
        label = best_label(noun, best, len(group))
        left, right = (np.flatnonzero(side.content) for side in (own, other))
        links = []
        nearest: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        if len(left) and len(right):
            cosines = own.tokens[left] @ other.tokens[right].T
            back = cosines.argmax(axis=0)
            for i, j in enumerate(cosines.argmax(axis=1).tolist()):
                kind = "mutual" if back[j] == i else "one way"
                links.append(DrawnLink((i, i + 1), (j, j + 1), kind, round(float(cosines[i, j]), DECIMALS)))
            both = own.tokens @ other.tokens.T  # marks of beginning and end may be nearest, too
            nearest = tuple(map(float, both.max(axis=1)[left])), tuple(map(float, both.max(axis=0)[right]))
        pieces = [tuple(side.pieces[k] for k in kept.tolist()) for side, kept in ((own, left), (other, right))]
        drawing = Drawing("most similar tokens", "candidate", pieces[0], label, pieces[1], tuple(links))
        return cls(label, best, matches[best], drawing, *nearest)

    def texts(self, candidate: str, other: str) -> list[MarkedText]:
        """Return the other text and the candidate, each word marked by the mean of its tokens' greatest cosines."""
        sides = (
            (self.label, other, self.drawing.right, self.other),
            ("candidate", candidate, self.drawing.left, self.own),
        )
        return [MarkedText(label, _marked(text, pieces, cosines)) for label, text, pieces, cosines in sides]

    def steps(self) -> list[Step]:
        """Return how F follows from the cosines."""
        if not self.own:
            return [Step("F", "0, since a text has no tokens", "0", 0.0)]
        p, r = self.match.precision, self.match.recall
        numbers = f"2 × {number(p)} × {number(r)} / ({number(p)} + {number(r)})" if p > 0 and r > 0 else "0"
        symbols = "mean of the greatest cosine of each token"
        return [
            Step("P", f"{symbols} of the candidate", mean_of([number(each) for each in self.own]), p),
            Step("R", f"{symbols} of the other text", mean_of([number(each) for each in self.other]), r),
            Step("F", "2 × P × R / (P + R)", numbers, self.match.f1),
        ]

    def verdict(self) -> str:
        """Return in words how close the tokens are, and which are furthest from any other."""
        if not self.own:
            return "One of the texts has no tokens."
        value = self.match.f1
        close = (
            "very close" if value >= 0.9
            else "close" if value >= _CLOSE
            else "partly close" if value >= _PARTLY_CLOSE
            else "far"
        )  # fmt: skip
        order = np.argsort(self.own, kind="stable").tolist()
        far = [self.drawing.left[place].lstrip("▁Ġ#") for place in order if self.own[place] < 0.9][:3]
        told = f" Furthest from any token there: {quoted(far)}." if far else ""
        where = f"{'from' if close == 'far' else 'to'} those of the {self.label}"
        return f"The tokens are {close} {where} (F {value:.2f}).{told}"

    def details(self) -> tuple[Detail, ...]:
        """Return the tokens as a drawing, and those of the other text with their greatest cosines."""
        grid = Grid(
            "tokens of the other text",
            ("token", "greatest cosine"),
            tuple(zip(self.drawing.right, self.other, strict=False)),
        )
        return (Detail("Most similar tokens, drawn", (self.drawing, grid)),)


def _marked(text: str, pieces: Sequence[str], cosines: Sequence[float]) -> tuple[MarkedWord, ...]:
    words = text.split()
    found: list[list[float]] = [[] for _ in words]
    for place, value in zip(words_of_pieces(words, pieces), cosines, strict=False):
        if place is not None:
            found[place].append(value)
    means = [sum(each) / len(each) if each else 0.0 for each in found]
    return tuple(
        MarkedWord(word, "match" if mean >= _CLOSE else "partial" if mean >= _PARTLY_CLOSE else "none")
        for word, mean in zip(words, means, strict=True)
    )


def words_of_pieces(words: Sequence[str], pieces: Sequence[str]) -> list[int | None]:
    """Return the number of the word that each piece of a text belongs to; none if it cannot be found in the text.

    A model may write pieces in lower case, without accents, or as a mark for the unknown.

    >>> words_of_pieces(["Zoë's", "cats!"], ["zoe", "'", "s", "[UNK]", "!"])
    [0, 0, 0, None, 1]
    """
    letters = [(letter, place) for place, word in enumerate(words) for letter in _bare(word)]
    whole = "".join(letter for letter, _ in letters)
    found: list[int | None] = []
    reached = 0
    for piece in pieces:
        bare = _bare(piece.removeprefix("##").lstrip("▁Ġ"))
        begin = whole.find(bare, reached, reached + len(bare) + _SKIPPED) if bare else -1
        found.append(None if begin < 0 else letters[begin][1])
        if begin >= 0:
            reached = begin + len(bare)
    return found


def _bare(text: str) -> str:
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter)).casefold()


def unrelated_score(embedder: Embedder, texts: Sequence[str], *, seed: int = 12345) -> float:
    """Return the mean F of texts paired at random: the ``baseline`` for `BertScore`.

    Raises:
        OptionError: There are fewer than two texts.
    """
    if len(texts) < 2:
        raise OptionError(f"a baseline needs at least two texts; got {len(texts)}")
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()
    # Each text is paired with the next one in a random circle, so never with itself.
    pairs = zip(order, order[1:] + order[:1], strict=True)
    candidates, others = zip(*((texts[one], (texts[other],)) for one, other in pairs), strict=True)
    return float(np.mean([match.f1 for match in best_matches(embedder, candidates, others)]))
