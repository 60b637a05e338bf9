"""pem+: three judges and a verdict, for a paraphrase without a reference.

* meaning: is the same said? Words are linked through translations, WordNet, stems and letters, and checks name what
  changed: numbers, negation, names, quantities, roles, additions, omissions (`paragauge.judges.meaning`).
* fluency: is it English? Language models, trained to tell ordinary sentences from damaged ones
  (`paragauge.judges.fluency`).
* difference: is it said differently? From the n-grams that both sentences share (`paragauge.judges.verdict`).

Each is a number from 0 to 1, and value = 1 + meaning * fluency * (1 + 3 * difference) lies between 1 and 5: a copy is
worth 2, as PEM's protocol has it. It is not the metric of the PEM paper, and papers should not call it PEM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.judges.model import JudgeModel, open_judges
from paragauge.judges.verdict import verdict
from paragauge.metrics.base import Measurement, Need
from paragauge.metrics.explanation import Explanation
from paragauge.metrics.model_metric import ModelMetric
from paragauge.resource import ModelOpener

COMPONENTS = ("meaning", "fluency", "difference")


@dataclass(frozen=True, kw_only=True)
class PEMPlus(ModelMetric):
    """pem+ with a trained model; ``PEMPlus.load("default")`` has the one that ships."""

    name: ClassVar[str] = "pem+"
    summary: ClassVar[str] = "quality of a paraphrase: meaning, fluency, difference"
    citation: ClassVar[str] = "paragauge, after Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "1 to 5"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})
    resource_keys: ClassVar[tuple[str, ...]] = ("model", "analysis", "lexicon")
    opener: ClassVar[ModelOpener[JudgeModel]] = open_judges
    language: ClassVar[str | None] = "English"
    empty_score: ClassVar[float | None] = 1.0
    in_python: ClassVar[bool] = True

    @cached_property
    def opened(self) -> JudgeModel:
        """The model."""
        opened: JudgeModel = self.opener(self.model)
        return opened

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[value, meaning, fluency, difference, 1]``."""
        judged = self.opened.judge(segments.candidates, originals=segments.originals or ())
        columns = (judged.values, judged.meaning, judged.fluency, judged.difference, np.ones(len(segments)))
        return np.stack(columns, axis=1)

    def row(self, segments: Segments) -> Sequence[float]:
        judged = self.opened.judge(segments.candidates, originals=segments.originals or ())
        meaning, fluency, different = (column.item() for column in (judged.meaning, judged.fluency, judged.difference))
        return [verdict(meaning, fluency, different), meaning, fluency, different, 1.0]

    def measure(self, totals: Sequence[float]) -> Measurement:
        value, *components, count = totals
        means = (component / count for component in components)
        return Measurement(value / count, dict(zip(COMPONENTS, means, strict=True)))

    def signature_items(self) -> dict[str, object]:
        opened = self.opened
        return {"model": opened.digest, "analysis": opened.analysis, "lexicon": opened.likeness.lexicon.digest}

    def explain(self, segments: Segments) -> Explanation:
        from paragauge.metrics.pem_plus_explain import explain_judges

        return explain_judges(self, segments)
