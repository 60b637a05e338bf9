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
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.judges.model import DEFAULT, JudgeModel, judges_folder, open_judges
from paragauge.metrics.base import Measurement, Need, SentenceMetric
from paragauge.metrics.explanation import Explanation

COMPONENTS = ("meaning", "fluency", "difference")


@dataclass(frozen=True, kw_only=True)
class PEMPlus(SentenceMetric):
    """pem+ with a trained model; ``PEMPlus.load("default")`` has the one that ships."""

    model: str = DEFAULT  # or the folder of another

    name: ClassVar[str] = "pem+"
    summary: ClassVar[str] = "quality of a paraphrase: meaning, fluency, difference"
    citation: ClassVar[str] = "paragauge, after Liu, Dahlmeier & Ng (2010)"
    scale: ClassVar[str] = "1 to 5"
    needs: ClassVar[frozenset[Need]] = frozenset({"originals"})
    language: ClassVar[str | None] = "English"
    empty_score: ClassVar[float | None] = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model:
            raise OptionError(f"the option 'model' of {self.name} must be 'default' or a folder; got {self.model!r}")

    @classmethod
    def load(cls, model: str = DEFAULT) -> Self:
        """Return the metric with the model *model*, ``default`` or a folder, which is opened at once.

        Raises:
            FileError: There is no such folder.
            DataError: It is no model of the judges, or is damaged.
        """
        metric = cls(model=model)
        _ = metric.opened
        return metric

    @property
    def opened(self) -> JudgeModel:
        """The model."""
        return open_judges(self.model)

    @property
    def available(self) -> bool:
        return judges_folder(self.model).is_dir()

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[value, meaning, fluency, difference, 1]``."""
        judged = self.opened.judge(segments.originals or (), segments.candidates)
        columns = (judged.values, judged.meaning, judged.fluency, judged.difference, np.ones(len(segments)))
        return np.stack(columns, axis=1)

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
