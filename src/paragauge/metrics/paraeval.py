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
from paragauge.metrics.explanation import (
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Step,
    calculation,
    counted,
    joined,
    mean_of,
    number,
    original_of,
    quoted,
    spelled,
)
from paragauge.phrases.opening import open_tables, table_digest
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.table import PhraseTable
from paragauge.resource import DEFAULT
from paragauge.text import TextPipeline

EXACT_STEPS = 100_000  # maximum steps of a search; most sentences need fewer than a thousand
PIVOTS_SHOWN = 3  # foreign phrases shown with each match in an explanation

_LEGEND: dict[Mark, str] = {"match": "in a matched phrase", "partial": "the same word", "none": "not covered"}
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
        texts = (segments.references or ((),))[0]
        candidate, references = self.pipeline(segments.candidates[0]), [self.pipeline(text) for text in texts]
        own = self.pipeline.as_written(segments.candidates[0])
        others = [self.pipeline.as_written(text) for text in texts]
        cover = self.coverer.cover(candidate, references)
        rows = []
        told = []
        for match in sorted(cover.matches, key=lambda each: (each.candidate, each.reference)):
            stems, other_stems = candidate[slice(*match.candidate)], references[match.reference][slice(*match.other)]
            through = self.coverer.shared_sets(stems, other_stems)
            shown = " / ".join(through[:PIVOTS_SHOWN]) + (" / ..." if len(through) > PIVOTS_SHOWN else "")
            phrase, other = (
                joined(words[slice(*span)])
                for words, span in ((own, match.candidate), (others[match.reference], match.other))
            )
            rows.append((phrase, match.reference + 1, other, shown, "yes" if match.counts else "no (clipped)"))
            if stems != other_stems and match.counts:
                told.append(f"'{phrase}' = '{other}'" + (f" through '{through[0]}'" if through else ""))
        marked = [
            _marked("reference" if len(others) == 1 else f"reference {place}", words, marks)
            for place, (words, marks) in enumerate(zip(others, cover.references, strict=True), start=1)
        ]
        columns = ("candidate", "reference", "its phrase", "through", "counts")
        return Explanation(
            score,
            (
                *original_of(segments),
                *marked,
                _marked("candidate", own, cover.candidate),
                Grid("phrases", columns, tuple(rows)),
            ),
            _verdict(own, cover.candidate, told),
            _LEGEND,
            (calculation(self._steps(self.statistics(segments)[0].tolist(), score.value)),),
        )

    def _steps(self, totals: Sequence[int], value: float) -> list[Step]:
        matched, words, _, _, *references = totals
        pairs = [(found, of) for found, of in zip(references[::2], references[1::2], strict=True) if of]
        precision = matched / words if words else 0.0
        recall = math.fsum(found / of for found, of in pairs) / len(pairs) if pairs else 0.0
        p, r = number(precision), number(recall)
        steps = {
            "precision": Step(
                "precision",
                "covered words / words of the candidate",
                f"{matched} / {words}" if words else "0",
                precision,
            ),
            "recall": Step(
                "recall",
                "covered words / words, mean over references",
                mean_of([f"{a} / {b}" for a, b in pairs]),
                recall,
            ),
        }
        if self.value == "f1":
            numbers = f"2 × {p} × {r} / ({p} + {r})" if precision + recall else "0"
            return [*steps.values(), Step("f1", "2 × precision × recall / (precision + recall)", numbers, value)]
        return [steps[self.value]]


def _verdict(words: Sequence[str], marks: Sequence[int], told: Sequence[str]) -> str:
    if not words:
        return "The candidate has no words."
    covered = sum(mark in _MARKS for mark in marks)
    said = f"{covered} of {counted(len(words), 'word')} {'is' if covered == 1 else 'are'} covered by the references"
    if told:
        said += f"; {', '.join(told[:2])}" + (f" and {len(told) - 2} more" if len(told) > 2 else "")
    else:
        said += ", none through a paraphrase"
    new = spelled(words, (place for place, mark in enumerate(marks) if mark not in _MARKS))
    return f"{said}. Not covered: {quoted(new)}." if new else f"{said}."


def _marked(label: str, words: Sequence[str], marks: Sequence[int]) -> MarkedText:
    return MarkedText(
        label, tuple(MarkedWord(word, _MARKS.get(mark, "none")) for word, mark in zip(words, marks, strict=True))
    )
