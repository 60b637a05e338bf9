"""Edit-based dissimilarity: Levenshtein (1966) distance between candidate and original over the longer length.

0 for a copy, 1 if nothing is kept. Counted in words or in characters; a system's score is the mean over its
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
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
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Step,
    calculation,
    counted,
    percent,
)
from paragauge.text import TextPipeline

_LEGEND: dict[Mark, str] = {"match": "kept", "partial": "replaced", "none": "only here: deleted or inserted"}
_DONE: dict[str, str] = {"replace": "replaced", "delete": "deleted", "insert": "inserted", "equal": "kept"}


@dataclass(frozen=True, kw_only=True)
class EditDissimilarity(SentenceMetric):
    """Normalised Levenshtein distance of a candidate from its original."""

    unit: Literal["word", "char"] = "word"
    tokenizer: str = "13a"
    lowercase: bool = True
    max_length: int = 250_000  # words or characters per text; a pair of that length takes about a second

    name: ClassVar[str] = "edit-dissimilarity"
    summary: ClassVar[str] = "edit distance from the original, relative to length"
    citation: ClassVar[str] = "Levenshtein (1966)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, ("word", "char"))
        check_choice(self.name, "lowercase", self.lowercase, (True, False))
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)
        _ = self.pipeline

    def check(self, segments: Segments) -> None:
        super().check(segments)
        originals_only = Segments(segments.candidates, None, segments.originals)
        check_lengths(self.name, originals_only, lambda text: len(self.units(text)), f"{self.unit}s", self.max_length)

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens."""
        return TextPipeline(tokenizer=self.tokenizer, lowercase=self.lowercase)

    @property
    def words_of(self) -> TextPipeline | None:
        return self.pipeline if self.unit == "word" else None

    def units(self, text: str) -> Sequence[str]:
        """Return the units to edit: the words of *text*, or the characters of its tokens with single spaces."""
        tokens = self.pipeline(text)
        return tokens if self.unit == "word" else " ".join(tokens)

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[distance / longer length, 1]``."""
        from rapidfuzz.distance import Levenshtein

        pairs = zip(segments.originals or (), segments.candidates, strict=True)
        return np.array(
            [
                [Levenshtein.normalized_distance(self.units(original), self.units(candidate)), 1.0]
                for original, candidate in pairs
            ]
        )

    def measure(self, totals: Sequence[float]) -> Measurement:
        return Measurement(totals[0] / totals[1])

    def signature_items(self) -> dict[str, object]:
        return {**self.pipeline.signature_items(), "unit": self.unit}

    def explain(self, segments: Segments) -> Explanation:
        from rapidfuzz.distance import Levenshtein

        text, candidate_text = (segments.originals or ("",))[0], segments.candidates[0]
        original, candidate = self.units(text), self.units(candidate_text)
        own, other = self._written(candidate_text, candidate), self._written(text, original)
        joiner = " " if self.unit == "word" else ""
        before: list[MarkedWord] = []
        after: list[MarkedWord] = []
        rows = []
        replaced = 0
        for step in Levenshtein.opcodes(original, candidate):
            mark: Mark = "match" if step.tag == "equal" else "partial" if step.tag == "replace" else "none"
            replaced += step.tag == "replace"
            pair = replaced if step.tag == "replace" and self.unit == "word" else 0
            old, new = other[step.src_start : step.src_end], own[step.dest_start : step.dest_end]
            rows.append((_DONE[step.tag], joiner.join(old), joiner.join(new)))
            if self.unit == "char":
                old, new = ["".join(old)] if old else [], ["".join(new)] if new else []
            before += [MarkedWord(word, mark, pair) for word in old]
            after += [MarkedWord(word, mark, pair) for word in new]
        score = self.score_segments(segments)[0]
        distance, longer = Levenshtein.distance(original, candidate), max(len(original), len(candidate))
        numbers = f"{distance} / {longer}" if longer else "0"
        last = Step(self.name, f"edits / {self.unit}s of the longer text", numbers, score.value)
        if not distance:
            verdict = "Nothing was changed: a copy of the original."
        else:
            unit = "word" if self.unit == "word" else "character"
            changes = f"{counted(distance, 'edit')} on {counted(longer, unit)}"
            verdict = f"{changes}: {percent(score.value)} of the longer text differs."
        spaced = self.unit == "word"
        return Explanation(
            score,
            (MarkedText("original", tuple(before), spaced), MarkedText("candidate", tuple(after), spaced)),
            verdict,
            _LEGEND,
            (
                calculation([last]),
                Detail("All edits", (Grid("edits", ("step", "original", "candidate"), tuple(rows)),)),
            ),
        )

    def _written(self, text: str, units: Sequence[str]) -> Sequence[str]:
        """Return the units as they are written, where that is known."""
        return self.pipeline.as_written(text) if self.unit == "word" else units
