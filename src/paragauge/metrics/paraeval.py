"""ParaEval (Zhou, Lin & Hovy, 2006): unigram precision and recall supported by paraphrases.

Two phrases are paraphrases if they share a translation: a phrase table gives one set of English phrases for each
foreign phrase. Matching has two tiers (`paragauge.matching.cover`): phrases of candidate and references that belong to
a common set, then single words among the rest. With both tiers together,

    precision = matched words of the candidates / words of the candidates,
    recall    = matched words of a reference / words of this reference, the mean over the references,
    F1        = 2 * precision * recall / (precision + recall),

all counts summed over the corpus. Precision is clipped as in BLEU, by the largest count in any single reference;
phrases that are linked through common sets count as occurrences of one phrase.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.io import digest
from paragauge.matching.cover import BY_PHRASE, BY_WORD, AnyTable, PhraseCoverer, SetOptions, coverer
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_number
from paragauge.metrics.explanation import Explanation, Grid, Mark, MarkedText, component_grid
from paragauge.phrases.opening import open_tables, table_digest
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.table import PhraseTable
from paragauge.resource import DEFAULT
from paragauge.text import TextPipeline

EXACT_STEPS = 100_000  # maximum steps of a search; most sentences need fewer than a thousand
PIVOTS_SHOWN = 3  # foreign phrases shown with each match in an explanation

_MARKS: dict[int, Mark] = {BY_PHRASE: "match", BY_WORD: "partial"}


@dataclass(frozen=True, kw_only=True)
class ParaEval(SentenceMetric):
    """ParaEval precision, recall and F1."""

    table: str | PhraseTable | ParaphraseTable = DEFAULT  # a folder; tokenised by the pipeline below
    value: Literal["f1", "precision", "recall"] = "f1"
    tokenizer: str = "penn"
    lowercase: bool = True
    stem: bool = True  # the table that ships with paragauge holds stems
    min_prob: float = 0.05  # minimum p(f|e); without it, short phrases share translations by accident
    min_inverse_prob: float = 0.05  # p(e|f)
    min_length: int = 1  # minimum phrase length in words; the paper found three or more most reliable
    matching: Literal["greedy", "exact"] = "greedy"

    name: ClassVar[str] = "paraeval"
    summary: ClassVar[str] = "word precision and recall, with matching of paraphrases"
    citation: ClassVar[str] = "Zhou, Lin & Hovy (2006)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("table",)
    language: ClassVar[str | None] = "English"

    def __post_init__(self) -> None:
        if not isinstance(self.table, str | PhraseTable | ParaphraseTable):
            raise OptionError(f"the option 'table' of {self.name} must be a folder or a table; got {self.table!r}")
        check_choice(self.name, "value", self.value, ("f1", "precision", "recall"))
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_choice(self.name, "stem", self.stem, (True, False))
        check_number(self.name, "min_prob", self.min_prob, low=0, high=1)
        check_number(self.name, "min_inverse_prob", self.min_inverse_prob, low=0, high=1)
        check_number(self.name, "min_length", self.min_length, low=1, high=1000, whole=True)
        check_choice(self.name, "matching", self.matching, ("greedy", "exact"))
        _ = self.pipeline

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase, stem=self.stem)

    @property
    def expected_language(self) -> str | None:
        return self.language if self.stem or self.table == DEFAULT else None  # the stems are English

    @cached_property
    def tables(self) -> tuple[AnyTable, ...]:
        """The tables that give the sets of paraphrases."""
        return open_tables(self.table) if isinstance(self.table, str) else (self.table,)

    @cached_property
    def coverer(self) -> PhraseCoverer:
        """The object that finds matches."""
        steps = EXACT_STEPS if self.matching == "exact" else 0
        return coverer(self.tables, SetOptions(self.min_prob, self.min_inverse_prob, self.min_length, steps))

    def statistics(self, segments: Segments) -> NDArray[np.int64]:
        """Return rows of matched words, words, paraphrased words and cut searches, then two numbers per reference."""
        candidates = [self.pipeline(text) for text in segments.candidates]
        references = [[self.pipeline(text) for text in group] for group in segments.references or ()]
        return self.coverer.rows(candidates, references)

    def measure(self, totals: Sequence[float]) -> Measurement:
        matched, words, paraphrased, unproven, *references = totals
        precision = matched / words if words else 0.0
        recalls = [found / of for found, of in zip(references[::2], references[1::2], strict=True) if of]
        recall = math.fsum(recalls) / len(recalls) if recalls else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        components = {
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "paraphrased": paraphrased / words if words else 0.0,
        }
        if self.matching == "exact":
            components["unproven"] = unproven
        return Measurement(components[self.value], components)

    def signature_items(self) -> dict[str, object]:
        items: dict[str, object] = {
            "value": self.value,
            **self.pipeline.signature_items(),
            "table": digest("".join(map(table_digest, self.tables)).encode()),
            "pfe": f"{self.min_prob:g}",
            "pef": f"{self.min_inverse_prob:g}",
            "minlen": self.min_length,
        }
        if self.matching == "exact":
            items["match"] = "exact"
        return items

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        candidate = self.pipeline(segments.candidates[0])
        references = [self.pipeline(text) for text in (segments.references or ((),))[0]]
        coverer = self.coverer
        cover = coverer.cover(candidate, references)
        texts = [_marked("candidate", candidate, cover.candidate)]
        for number, (tokens, marks) in enumerate(zip(references, cover.references, strict=True), start=1):
            texts.append(_marked("reference" if len(references) == 1 else f"reference {number}", tokens, marks))
        rows = []
        for match in sorted(cover.matches, key=lambda each: (each.candidate, each.reference)):
            own = candidate[slice(*match.candidate)]
            other = references[match.reference][slice(*match.other)]
            through = coverer.shared_sets(own, other)
            shown = " / ".join(through[:PIVOTS_SHOWN]) + (" / ..." if len(through) > PIVOTS_SHOWN else "")
            counted = "yes" if match.counts else "no (clipped)"
            rows.append((" ".join(own), match.reference + 1, " ".join(other), shown, counted))
        columns = ("candidate", "reference", "its phrase", "through", "counts")
        return Explanation(score, (*texts, component_grid(score), Grid("phrases", columns, tuple(rows))))


def _marked(label: str, tokens: Sequence[str], marks: Sequence[int]) -> MarkedText:
    return MarkedText(
        label, tuple((token, _MARKS.get(mark, "none")) for token, mark in zip(tokens, marks, strict=True))
    )
