"""MAXSIM (Chan & Ng, 2008): similarity of two sentences by the best matching of their items.

Items are n-grams (n = 1, 2, 3) of lemmas with Penn tags and, in MAXSIM-n+d, subject and object relations. If match is
the weight of the best one-to-one matching of one kind of items,

    P = match / items of the candidate      R = match / items of the reference      F = P R / (alpha P + (1 - alpha) R)

and the score of a sentence is the mean F over all kinds. A kind that neither side has is left out; if only one side
has it, its F is 0. The score of a corpus is the mean over its sentences; with several references, the mean over them.

All defaults are the paper's. Beyond it, `paraphrases` adds a table of paraphrases to the synonyms, `aligner` what the
aligner of English links; `similarity="words"` matches no words by their tags alone, as the paper's third stage does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.matching.items import STAGES, ItemMatches, Items, match_items, match_sums
from paragauge.metrics.base import (
    Measurement,
    Need,
    SentenceMetric,
    check_choice,
    check_lengths,
    check_number,
)
from paragauge.metrics.explanation import (
    Detail,
    Drawing,
    DrawnLink,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Step,
    calculation,
    counted,
    mean_of,
    number,
    original_of,
    quoted,
    spelled,
)
from paragauge.metrics.f_score import f_score
from paragauge.metrics.words_aligned import word_aligner
from paragauge.phrases.opening import open_paraphrases
from paragauge.text import TextPipeline

if TYPE_CHECKING:
    from paragauge.analysis import Lexicon, Provider

_KINDS = {"f_1": "words", "f_2": "pairs of words", "f_3": "runs of three words", "f_d": "subjects and objects"}
_LEGEND: dict[Mark, str] = {
    "match": "the same lemma",
    "partial": "similar; equal numbers belong together",
    "none": "not matched",
}
_MOST_ANALYSED = 1 << 15  # cached sentences, since references recur for every system
_MOST_IN_ORDER = 7  # kinds of items; NumPy adds up more than this not one after the other


@dataclass(frozen=True, kw_only=True)
class MaxSim(SentenceMetric):
    """MAXSIM-n or, with dependencies, MAXSIM-n+d."""

    alpha: float = 0.9  # favours recall, as in METEOR; 0.7 did better on the paper's NIST data
    max_order: int = 3
    dependencies: bool = False  # add subject and object relations: MAXSIM-n+d
    distance: float = 0.0  # the paper's future work: penalty for similar n-grams that are far apart
    paraphrases: str | None = None  # 'default' or the folder of a paraphrase table: its words count as synonyms
    aligner: bool = False  # words that the English aligner links count as synonyms
    similarity: Literal["paper", "words"] = "paper"  # words: equal tags count only where lemmas are synonyms
    provider: str = "builtin"  # provider of tags, lemmas and parses
    max_length: int = 1000  # words per text; the assignment takes seconds beyond this

    name: ClassVar[str] = "maxsim"
    summary: ClassVar[str] = "best matching of n-grams and relations, with synonyms"
    citation: ClassVar[str] = "Chan & Ng (2008)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("analysis", "lexicon", "table", "aligner")
    language: ClassVar[str | None] = "English"

    def __post_init__(self) -> None:
        check_number(self.name, "alpha", self.alpha, low=0, high=1)
        check_number(self.name, "max_order", self.max_order, low=1, high=100, whole=True)
        check_choice(self.name, "dependencies", self.dependencies, (True, False))
        check_choice(self.name, "aligner", self.aligner, (True, False))
        check_number(self.name, "distance", self.distance, low=0, high=1)
        check_choice(self.name, "similarity", self.similarity, ("paper", "words"))
        if self.paraphrases is not None and not isinstance(self.paraphrases, str):
            raise OptionError(
                f"the option 'paraphrases' of maxsim must be 'default' or the folder of a paraphrase table; "
                f"got {self.paraphrases!r}"
            )
        if not isinstance(self.provider, str):
            raise OptionError(f"the option 'provider' of maxsim must be a provider's name, got {self.provider!r}")
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens; case is kept for the tagger."""
        return TextPipeline(tokenizer="penn")

    def check(self, segments: Segments) -> None:
        super().check(segments)
        references_only = Segments(segments.candidates, segments.references)
        check_lengths(self.name, references_only, lambda text: len(self.pipeline(text)), "words", self.max_length)

    def items(self, texts: Sequence[str]) -> list[Items]:
        """Return the items of each text."""
        known = _ANALYSED.setdefault((self.provider, self.dependencies), {})
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(new) > _MOST_ANALYSED:
            known.clear()
            new = list(dict.fromkeys(texts))
        if new:
            tokens = [self.pipeline(text) for text in new]
            analyses = _provider(self.provider).analyse(tokens, lemmas=True, dependencies=self.dependencies)
            for text, analysis in zip(new, analyses, strict=True):
                known[text] = Items.of(analysis, triples=self.dependencies)
        return [known[text] for text in texts]

    def matches(self, candidates: Sequence[Items], references: Sequence[Items]) -> ItemMatches:
        """Return the matches of each candidate with the reference at the same index."""
        return match_items(candidates, references, _lexicon(), **self._matching)

    @property
    def _matching(self) -> dict[str, Any]:
        return {
            "max_order": self.max_order,
            "triples": self.dependencies,
            "distance": float(self.distance),
            "tags_alone": self.similarity == "paper",
            "paraphrases": None if self.paraphrases is None else open_paraphrases(self.paraphrases),
            "aligner": word_aligner().align if self.aligner else None,
        }

    def row(self, segments: Segments) -> Sequence[float]:
        group = (segments.references or ((),))[0]
        kinds = self.max_order + self.dependencies
        if len(group) != 1 or kinds > _MOST_IN_ORDER:
            return super().row(segments)
        reference, candidate = self.items([group[0], segments.candidates[0]])
        match = match_sums(candidate, reference, _lexicon(), **self._matching)
        f_scores = self._f_of_counts(match, [candidate], [reference])
        present = [not math.isnan(value) for value in f_scores]
        values = [value if there else 0.0 for value, there in zip(f_scores, present, strict=True)]
        total = 0.0
        for value in values:
            total += value
        return [total / sum(present) if any(present) else 0.0, 1.0, *values, *map(float, present)]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of items, named as the components."""
        return (*(f"f_{order}" for order in range(1, self.max_order + 1)), *(("f_d",) if self.dependencies else ()))

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, 1, F of each kind, share of references that have that kind]``."""
        groups = segments.references or ((),) * len(segments)
        texts = [text for group in groups for text in group]
        analysed = self.items([*texts, *segments.candidates])
        references, own = analysed[: len(texts)], analysed[len(texts) :]
        candidates = [items for items, group in zip(own, groups, strict=True) for _ in group]
        f_scores = self._f_scores(self.matches(candidates, references).sums, candidates, references)
        present = ~np.isnan(f_scores)
        values = np.where(present, f_scores, 0.0)
        kinds_there = present.sum(axis=1)
        scores = np.where(kinds_there > 0, values.sum(axis=1) / np.maximum(kinds_there, 1), 0.0)
        table = np.column_stack([scores, np.ones(len(scores)), values, present.astype(float)])
        sizes = np.array([len(group) for group in groups])
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        rows: NDArray[np.float64] = np.add.reduceat(table, starts, axis=0) / sizes[:, None]
        return rows

    def _f_scores(
        self, match: NDArray[np.float64], candidates: Sequence[Items], references: Sequence[Items]
    ) -> NDArray[np.float64]:
        """Return the F of each pair and kind by the paper's formula; NaN if neither side has the kind."""
        return np.array(self._f_of_counts(match.ravel().tolist(), candidates, references)).reshape(match.shape)

    def _f_of_counts(
        self, match: Sequence[float], candidates: Sequence[Items], references: Sequence[Items]
    ) -> list[float]:
        own, other = (_item_counts(side, self.max_order, self.dependencies) for side in (candidates, references))
        rows = zip(match, own, other, strict=True)
        return [f_score(m / p, m / r, self.alpha) if p and r else 0.0 if p or r else math.nan for m, p, r in rows]

    def measure(self, totals: Sequence[float]) -> Measurement:
        score, count, *rest = totals
        kinds = self.kinds
        components = {
            kind: value / there if there else 0.0
            for kind, value, there in zip(kinds, rest[: len(kinds)], rest[len(kinds) :], strict=True)
        }
        return Measurement(score / count, components)

    def signature_items(self) -> dict[str, object]:
        items: dict[str, object] = {
            "items": "n+d" if self.dependencies else "n",
            "order": self.max_order,
            "alpha": f"{self.alpha:g}",
            "tok": "penn",
            "analysis": _provider(self.provider).signature,
            "lexicon": _lexicon().digest,
        }
        if self.similarity != "paper":
            items["similarity"] = self.similarity
        if self.paraphrases is not None:
            items["table"] = open_paraphrases(self.paraphrases).digest
        if self.aligner:
            items["aligner"] = word_aligner().signature
        if self.distance:
            items["distance"] = f"{self.distance:g}"
        return items

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        texts = (segments.references or ((),))[0]
        (own,) = self.items(segments.candidates)
        written = self._written(segments.candidates[0])
        sides: list[_Compared] = []
        for place, (text, reference) in enumerate(zip(texts, self.items(texts), strict=True), start=1):
            label = "reference" if len(texts) == 1 else f"reference {place}"
            sides.append(
                _Compared(label, self._written(text), reference, self._drawings(own, written, reference, label, text))
            )
        # The candidate is marked by its best reference; every reference has its own drawings.
        values = [_mean([f for _, f, *_ in self._kind_rows(own, side)]) for side in sides]
        best = max(range(len(sides)), key=values.__getitem__)
        parts: list[Part] = original_of(segments)
        for place, side in enumerate(sides):
            links = side.drawings[0].links if side.drawings else ()
            right = [(link.right[0], link) for link in links]
            parts.append(_marked(side.label, side.words, right, numbered=place == best))
            if place == best:
                candidate = _marked("candidate", written, [(link.left[0], link) for link in links])
        grids = [self._kind_grid(own, side) for side in sides]
        return Explanation(
            score,
            (*parts, candidate, *grids),
            self._verdict(own, sides[best], written),
            _LEGEND,
            (
                calculation(self._steps(own, sides, score.value)),
                *(
                    Detail(f"Best matching with the {side.label}, drawn", side.drawings)
                    for side in sides
                    if side.drawings
                ),
            ),
        )

    def _written(self, text: str) -> tuple[str, ...]:
        """Return the words that have letters or digits as they are written: items have one place for each."""
        return tuple(word for word in self.pipeline.as_written(text) if any(map(str.isalnum, word)))

    def _drawings(
        self, own: Items, written: Sequence[str], reference: Items, label: str, text: str
    ) -> tuple[Drawing, ...]:
        found = self.matches([own], [reference])
        drawings = []
        for group, kind in enumerate(self.kinds):
            begin, end = found.starts[0, group : group + 2].tolist()
            left, right = _names(own, written, kind, group + 1), _names(reference, self._written(text), kind, group + 1)
            if not left and not right:
                continue
            rows, weights = found.rows[begin:end].tolist(), found.weights[begin:end].tolist()
            links = sorted(
                DrawnLink((i, i + 1), (j, j + 1), STAGES[stage], weight)
                for (i, j, stage), weight in zip(rows, weights, strict=True)
            )
            drawings.append(
                Drawing(_KINDS.get(kind, f"{group + 1}-grams"), "candidate", left, label, right, tuple(links))
            )
        return tuple(drawings)

    def _kind_rows(self, own: Items, side: _Compared) -> list[tuple[str, float, float, int, int]]:
        """Return the name, F, matched weight and numbers of items on both sides of each kind that a pair has."""
        rows = []
        for drawing in side.drawings:
            weight = sum(link.weight for link in drawing.links)
            one, two = len(drawing.left), len(drawing.right)
            f = f_score(weight / one, weight / two, self.alpha) if one and two else 0.0
            rows.append((drawing.title, f, weight, one, two))
        return rows

    def _kind_grid(self, own: Items, side: _Compared) -> Grid:
        rows = tuple((name, weight, one, two, f) for name, f, weight, one, two in self._kind_rows(own, side))
        return Grid(f"matched with the {side.label}", ("items", "matched", "candidate", side.label, "F"), rows)

    def _steps(self, own: Items, sides: Sequence[_Compared], value: float) -> list[Step]:
        steps = []
        means = []
        alpha = number(self.alpha)
        for side in sides:
            of = "" if len(sides) == 1 else f", {side.label}"
            found = self._kind_rows(own, side)
            for name, f, weight, one, two in found:
                if weight > 0:
                    p, r = f"({number(weight)} / {one})", f"({number(weight)} / {two})"
                    numbers = f"{p} × {r} / ({alpha} × {p} + (1 - {alpha}) × {r})"
                    symbols = "P × R / (alpha × P + (1 - alpha) × R), P and R: matched / items of each side"
                else:
                    numbers, symbols = "0", "0, since nothing is matched"
                steps.append(Step(f"F of {name}{of}", symbols, numbers, f))
            means.append((mean_of([number(f) for _, f, *_ in found]), _mean([f for _, f, *_ in found])))
            if len(sides) > 1:
                steps.append(Step(f"mean F{of}", "mean over the kinds of items", *means[-1]))
        symbols = "mean over the kinds of items" if len(sides) == 1 else "mean over the references"
        numbers = means[0][0] if len(sides) == 1 else mean_of([number(each[1]) for each in means])
        return [*steps, Step("maxsim", symbols, numbers, value)]

    def _verdict(self, own: Items, side: _Compared, written: Sequence[str]) -> str:
        if not side.drawings:
            return "Neither text has words."
        words = side.drawings[0]
        if not words.links:
            return f"No word of the candidate matches the {side.label}."
        same = sum(link.kind != "similar" for link in words.links)
        alike = [
            f"'{written[link.left[0]]}' ~ '{side.words[link.right[0]]}' ({link.weight:.2f})"
            for link in words.links
            if link.kind == "similar"
        ]
        linked = {link.right[0] for link in words.links}
        missing = spelled(side.words, (place for place in range(len(side.words)) if place not in linked))
        said = f"{same} of {counted(len(words.left), 'word')} {'is' if same == 1 else 'are'} matched by lemma"
        if alike:
            said += f", others are similar: {', '.join(alike[:2])}" + (" and more" if len(alike) > 2 else "")
        lost = f" Missing: {quoted(missing)}." if missing else ""
        name, f, *_ = min(self._kind_rows(own, side), key=lambda row: row[1])
        weakest = f" {name.capitalize()} match least (F {f:.2f})." if f < 1 else " All items match."
        return f"{said}.{lost}{weakest}"


@dataclass(frozen=True, slots=True)
class _Compared:
    """A reference: its words as written, its items, and how they match those of the candidate."""

    label: str
    words: tuple[str, ...]
    items: Items
    drawings: tuple[Drawing, ...]


def _marked(
    label: str, words: Sequence[str], links: Sequence[tuple[int, DrawnLink]], *, numbered: bool = True
) -> MarkedText:
    marked = [MarkedWord(word) for word in words]
    pair = 0
    for place, link in links:
        similar = link.kind == "similar"
        pair += similar and numbered
        mark: Mark = "partial" if similar else "match"
        marked[place] = MarkedWord(words[place], mark, pair if similar else 0)
    return MarkedText(label, tuple(marked))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


_ANALYSED: dict[tuple[str, bool], dict[str, Items]] = {}


def _item_counts(side: Sequence[Items], max_order: int, triples: bool) -> Iterator[int]:
    """Yield the number of items of each kind in each sentence."""
    for items in side:
        length = len(items.lemmas)
        for order in range(max_order):
            yield max(0, length - order)
        if triples:
            yield len(items.triples)


def _names(items: Items, written: Sequence[str], kind: str, order: int) -> tuple[str, ...]:
    """Return what a drawing calls the items of a text: n-grams by its words as *written*."""
    if kind == "f_d":
        return tuple(f"{triple.child} -{triple.relation}-> {triple.parent}" for triple in items.triples)
    return tuple(" ".join(written[begin : begin + order]) for begin in range(len(written) - order + 1))


def _provider(name: str) -> Provider:
    from paragauge.analysis import provider

    return provider(name)


def _lexicon() -> Lexicon:
    from paragauge.analysis import Lexicon

    return Lexicon.load()
