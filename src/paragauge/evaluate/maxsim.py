"""MAXSIM's alpha, chosen by what people said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.evaluate.option import Request, option
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Level, Method

if TYPE_CHECKING:
    from collections.abc import Mapping

    from paragauge.corpora.judgments import Judgments
    from paragauge.corpora.testset import TestSet
    from paragauge.meta.tuning import Tuning
    from paragauge.metrics.maxsim import MaxSim
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class TuneRequest(Request):
    """Which values to try, and how to judge them."""

    criterion: str | None = option(
        None, metavar="NAME", help="Criterion of the judgments; needed if there are several."
    )
    level: Level = option("segment", help="Correlate candidates (segment) or systems.")
    method: Method = option("pearson", help="Coefficient; Kendall's is tau-b.")
    steps: int = option(20, low=1, high=1000, help="Number of steps from alpha 0 to alpha 1.")
    folds: int = option(5, low=2, high=1000, help="Number of parts of the segments for the row 'held out'.")
    dependencies: bool = option(False, help="Tune MAXSIM-n+d, which compares dependencies too.")
    provider: str = option("builtin", metavar="NAME", help="Tagger and parser: builtin, spacy:NAME or files:PATH.")

    def settings(self) -> dict[str, MaxSim]:
        """Return the metrics to try, by alpha."""
        from paragauge.metrics.maxsim import MaxSim

        alphas = [step / self.steps for step in range(self.steps + 1)]
        return {
            f"{alpha:g}": MaxSim(alpha=alpha, dependencies=self.dependencies, provider=self.provider)
            for alpha in alphas
        }


@dataclass(frozen=True)
class TuneResult(Result):
    """What each alpha reaches.

    Attributes:
        request: What was asked for.
        tuning: Correlations by alpha, the best alpha, and what to expect of it on other data.
        signatures: Of MAXSIM with each alpha.
    """

    request: TuneRequest
    tuning: Tuning
    signatures: Mapping[str, Signature]

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row for each alpha, and one for held-out segments."""
        rows: list[dict[str, Cell]] = [
            {
                "alpha": name,
                "correlation": value,
                "best": "best" if name == self.tuning.best else "",
                "signature": str(self.signatures[name]),
            }
            for name, value in self.tuning.correlations.items()
        ]
        return [*rows, {"alpha": "held out", "correlation": self.tuning.held_out, "best": "", "signature": ""}]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        columns = ["alpha", "correlation", "best"]
        request = self.request
        best = self.signatures[self.tuning.best]
        notes = [f"{request.method} at {request.level} level, {request.folds} folds; best: {best}"]
        return ResultTable(columns, self.rows(), notes=notes, machine_columns=[*columns, "signature"])


def tune_maxsim(
    request: TuneRequest, testset: TestSet, judgments: Judgments, *, progress: Progress | None = None
) -> TuneResult:
    """Return how well MAXSIM agrees with people, by alpha."""
    from paragauge.meta.tuning import tune

    settings = request.settings()
    found = tune(
        settings,
        testset,
        judgments,
        criterion=request.criterion,
        level=request.level,
        method=request.method,
        folds=request.folds,
        progress=progress,
    )
    segments = testset.segments(next(iter(testset.candidates)))
    return TuneResult(request, found, {name: metric.signature(segments) for name, metric in settings.items()})
