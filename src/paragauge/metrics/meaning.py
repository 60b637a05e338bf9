"""meaning: how much of what a text says another text says, by the judges of pem+.

    meaning(c, r) = coverage(c, r) * product over checks k of exp(-w_k * a_k(c, r))

Coverage is the share of words and letters that both texts have in common, through translations, WordNet and stems; the
checks look for changed numbers, negations, names and roles (`paragauge.judges.meaning`). The component `fluency` comes
from the judge of fluency (`paragauge.judges.fluency`), which the words of the other text do not surprise. Of several
references, the one whose meaning is kept best counts. A system's score is the mean over its sentences.

It is two of the three judges of pem+, without the reward for other wording: for translations, which need not be worded
differently from their references, and for paraphrases of which only the meaning matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.judges.model import JudgeModel, Judgments, open_judges
from paragauge.metrics.base import Measurement, Need, check_choice
from paragauge.metrics.explanation import Explanation
from paragauge.metrics.model_metric import ModelMetric
from paragauge.resource import ModelOpener


@dataclass(frozen=True, kw_only=True)
class Meaning(ModelMetric):
    """The judge of meaning, with the judge of fluency as a component."""

    against: Literal["references", "originals"] = "references"

    name: ClassVar[str] = "meaning"
    summary: ClassVar[str] = "how much of the meaning is kept, with checks of changes"
    citation: ClassVar[str] = "paragauge, after Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("model", "analysis", "lexicon")
    opener: ClassVar[ModelOpener[JudgeModel]] = open_judges
    language: ClassVar[str | None] = "English"
    empty_score: ClassVar[float | None] = 0.0
    in_python: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "against", self.against, ("references", "originals"))
        object.__setattr__(self, "needs", frozenset({self.against}))

    @cached_property
    def opened(self) -> JudgeModel:
        """The model."""
        opened: JudgeModel = self.opener(self.model)
        return opened

    def others(self, segments: Segments) -> tuple[tuple[str, ...], ...]:
        """Return the texts with which each candidate is compared."""
        if self.against == "originals":
            return tuple((text,) for text in segments.originals or ())
        return segments.references or ()

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[meaning, fluency, 1]``."""
        groups = self.others(segments)
        judged = self._judge(segments.candidates, groups)
        rows, begin = np.ones((len(segments), 3)), 0
        for number, group in enumerate(groups):
            best = begin + int(judged.meaning[begin : begin + len(group)].argmax())
            rows[number, :2] = judged.meaning[best], judged.fluency[best]
            begin += len(group)
        return rows

    def _judge(self, candidates: Sequence[str], groups: Sequence[Sequence[str]]) -> Judgments:
        """Return the judgments of each candidate beside each text of its group, one after another."""
        repeated = [text for text, group in zip(candidates, groups, strict=True) for _ in group]
        return self.opened.judge(repeated, originals=[text for group in groups for text in group])

    def measure(self, totals: Sequence[float]) -> Measurement:
        meaning, fluency, count = totals
        return Measurement(meaning / count, {"fluency": fluency / count})

    def signature_items(self) -> dict[str, object]:
        opened = self.opened
        items = {"model": opened.digest, "analysis": opened.analysis, "lexicon": opened.likeness.lexicon.digest}
        return {"against": self.against, **items}

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.pem_plus_explain import explain_meaning

        return explain_meaning(self, segments)
