"""MAXSIM (Chan & Ng, 2008): similarity of two sentences by the best matching of their items.

Items are n-grams (n = 1, 2, 3) of lemmas with Penn tags and, in MAXSIM-n+d, subject and object relations. If match is
the weight of the best one-to-one matching of one kind of items,

    P = match / items of the candidate      R = match / items of the reference      F = P R / (alpha P + (1 - alpha) R)

and the score of a sentence is the mean F over all kinds. A kind that neither side has is left out; if only one side
has it, its F is 0. The score of a corpus is the mean over its sentences; with several references, the mean over them.

All defaults are the paper's. Beyond it, `paraphrases` adds a table of paraphrases to the synonyms, and
`similarity="words"` matches no words by their tags alone, as the paper's third stage does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.matching.items import STAGES, ItemMatches, Items, match_items
from paragauge.metrics.base import (
    Measurement,
    Need,
    SentenceMetric,
    check_choice,
    check_lengths,
    check_number,
)
from paragauge.metrics.explanation import Drawing, DrawnLink, Explanation, Part, component_grid
from paragauge.metrics.f_score import f_score
from paragauge.phrases.opening import open_paraphrases
from paragauge.text import TextPipeline

if TYPE_CHECKING:
    from paragauge.analysis import Lexicon, Provider

_MOST_ANALYSED = 1 << 15  # cached sentences, since references recur for every system


@dataclass(frozen=True, kw_only=True)
class MaxSim(SentenceMetric):
    """MAXSIM-n or, with dependencies, MAXSIM-n+d."""

    alpha: float = 0.9  # favours recall, as in METEOR; 0.7 did better on the paper's NIST data
    max_order: int = 3
    dependencies: bool = False  # add subject and object relations: MAXSIM-n+d
    distance: float = 0.0  # the paper's future work: penalty for similar n-grams that are far apart
    paraphrases: str | None = None  # 'default' or the folder of a paraphrase table: its words count as synonyms
    similarity: Literal["paper", "words"] = "paper"  # words: equal tags count only where lemmas are synonyms
    provider: str = "builtin"  # provider of tags, lemmas and parses
    max_length: int = 1000  # words per text; the assignment takes seconds beyond this

    name: ClassVar[str] = "maxsim"
    summary: ClassVar[str] = "best matching of n-grams and relations, with synonyms"
    citation: ClassVar[str] = "Chan & Ng (2008)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("analysis", "lexicon", "table")
    language: ClassVar[str | None] = "English"

    def __post_init__(self) -> None:
        check_number(self.name, "alpha", self.alpha, low=0, high=1)
        check_number(self.name, "max_order", self.max_order, low=1, high=100, whole=True)
        check_choice(self.name, "dependencies", self.dependencies, (True, False))
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
        tokens = [self.pipeline(text) for text in new]
        analyses = _provider(self.provider).analyse(tokens, lemmas=True, dependencies=self.dependencies)
        for text, analysis in zip(new, analyses, strict=True):
            known[text] = Items.of(analysis, triples=self.dependencies)
        return [known[text] for text in texts]

    def matches(self, candidates: Sequence[Items], references: Sequence[Items]) -> ItemMatches:
        """Return the matches of each candidate with the reference at the same index."""
        return match_items(
            candidates,
            references,
            _lexicon(),
            max_order=self.max_order,
            triples=self.dependencies,
            distance=float(self.distance),
            tags_alone=self.similarity == "paper",
            paraphrases=None if self.paraphrases is None else open_paraphrases(self.paraphrases),
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of items, named as the components."""
        return (*(f"f_{order}" for order in range(1, self.max_order + 1)), *(("f_d",) if self.dependencies else ()))

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, 1, F of each kind, share of references that have that kind]``."""
        groups = segments.references or ((),) * len(segments)
        references = self.items([text for group in groups for text in group])
        own = self.items(segments.candidates)
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
        own, other = (_item_counts(side, self.max_order, self.dependencies) for side in (candidates, references))
        rows = zip(match.ravel().tolist(), own.ravel().tolist(), other.ravel().tolist(), strict=True)
        f_scores = [f_score(m / p, m / r, self.alpha) if p and r else 0.0 if p or r else np.nan for m, p, r in rows]
        return np.array(f_scores).reshape(match.shape)

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
        if self.distance:
            items["distance"] = f"{self.distance:g}"
        return items

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        texts = (segments.references or ((),))[0]
        parts: list[Part] = [component_grid(score)]
        (own,) = self.items(segments.candidates)
        for number, reference in enumerate(self.items(texts), start=1):
            label = "reference" if len(texts) == 1 else f"reference {number}"
            found = self.matches([own], [reference])
            for group, kind in enumerate(self.kinds):
                begin, end = found.starts[0, group : group + 2].tolist()
                left, right = (_names(items, kind, group + 1) for items in (own, reference))
                if not left and not right:
                    continue
                rows, weights = found.rows[begin:end].tolist(), found.weights[begin:end].tolist()
                links = sorted(
                    DrawnLink((i, i + 1), (j, j + 1), STAGES[stage], weight)
                    for (i, j, stage), weight in zip(rows, weights, strict=True)
                )
                title = "relations" if kind == "f_d" else f"{group + 1}-grams"
                parts.append(Drawing(title, "candidate", left, label, right, tuple(links)))
        return Explanation(score, tuple(parts))


_ANALYSED: dict[tuple[str, bool], dict[str, Items]] = {}


def _item_counts(side: Sequence[Items], max_order: int, triples: bool) -> NDArray[np.float64]:
    """Return the number of items of each sentence, an array (sentences, kinds)."""
    lengths = np.array([len(items.lemmas) for items in side], dtype=np.float64)
    columns = [np.maximum(0, lengths - order + 1) for order in range(1, max_order + 1)]
    if triples:
        columns.append(np.array([len(items.triples) for items in side], dtype=np.float64))
    return np.stack(columns, axis=1)


def _names(items: Items, kind: str, order: int) -> tuple[str, ...]:
    if kind == "f_d":
        return tuple(f"{triple.child} -{triple.relation}-> {triple.parent}" for triple in items.triples)
    return items.ngrams(order)


def _provider(name: str) -> Provider:
    from paragauge.analysis import provider

    return provider(name)


def _lexicon() -> Lexicon:
    from paragauge.analysis import Lexicon

    return Lexicon.load()
