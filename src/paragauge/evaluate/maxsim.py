"""Tuning of MAXSIM's alpha to human judgments."""

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
    """Options for tuning."""

    criterion: str | None = option(
        None, metavar="NAME", help="Criterion to use; required if the judgments have several."
    )
    level: Level = option("segment", help="Items to correlate: candidates (segment) or systems.")
    method: Method = option("pearson", help="Correlation coefficient; kendall is tau-b.")
    steps: int = option(20, low=1, high=1000, help="Number of steps between alpha 0 and alpha 1.")
    folds: int = option(5, low=2, high=1000, help="Number of cross-validation folds for the row 'held out'.")
    dependencies: bool = option(False, help="Tune MAXSIM-n+d, which also compares dependencies.")
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
    """Correlation reached with each alpha.

    Attributes:
        request: The request that this answers.
        tuning: Correlations by alpha, the best alpha, and its expected correlation on other data.
        signatures: Signature of MAXSIM with each alpha.
    """

    request: TuneRequest
    tuning: Tuning
    signatures: Mapping[str, Signature]

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per alpha and one for held-out segments."""
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
    """Return how well MAXSIM agrees with people for each alpha."""
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
