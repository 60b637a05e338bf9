"""PEM without each of its features: which of them does it take to agree with people?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from os import fspath
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, unknown_name
from paragauge.evaluate.asking import Resampling, request_of
from paragauge.evaluate.option import option
from paragauge.evaluate.pem import PEM_SCALE, Scale, judged_pairs
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Method

if TYPE_CHECKING:
    from paragauge.corpora.judged_pairs import JudgedPairs
    from paragauge.io import PathLike
    from paragauge.meta.ablation import Ablation
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class AblationRequest(Resampling):
    """Options for leaving features out."""

    criterion: str = option("overall", metavar="NAME", help="Criterion of the judgments to learn and to agree with.")
    method: Method = option("pearson", help="Correlation coefficient; kendall is tau-b.")
    folds: int = option(5, low=2, metavar="N", help="Number of cross-validation folds; no original is in two of them.")


@dataclass(frozen=True)
class AblationResult(Result):
    """Agreement with people of regressors with some of PEM's features.

    Attributes:
        request: The request that this answers.
        ablations: All features, without each, and each alone.
        candidates: Number of judged candidates.
        originals: Number of their originals.
        signature: Everything that affects the numbers.
    """

    request: AblationRequest
    ablations: tuple[Ablation, ...]
    candidates: int
    originals: int
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        return [
            {
                "features": each.features,
                "used": each.used,
                "correlation": each.value,
                "difference": each.difference,
                "low": None if each.interval is None else each.interval.low,
                "high": None if each.interval is None else each.interval.high,
                "p": each.p_value,
                "system_correlation": each.system_value,
            }
            for each in self.ablations
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        columns = [name for name in rows[0] if self.request.bootstrap or name not in ("low", "high", "p")]
        if all(isnan(each.system_value) for each in self.ablations):
            columns.remove("system_correlation")
        sizes = f"{self.candidates:,} candidates for {self.originals:,} originals, each scored by a regressor that saw "
        return ResultTable(columns, rows, notes=[f"{sizes}other originals", str(self.signature)])


def leave_out(
    model: PathLike,
    judgments: PathLike | JudgedPairs,
    request: AblationRequest | None = None,
    *,
    scale: Scale = PEM_SCALE,
    encoding: str = "utf-8",
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> AblationResult:
    """Return how well PEM agrees with people without each of its features, and with each alone.

    Args:
        model: Folder of a PEM model, whose phrase tables and language model give the features; or ``default``.
        judgments: Judged paraphrases, or their file.
        request: All options; alternatively, pass the fields of `AblationRequest` as keywords.
        scale: Lowest and highest score that judges could give.
        encoding: Encoding of the file.
        threads: Number of threads; affects only the running time.
        progress: Called with the number of sets of features done.

    Raises:
        DataError: There are no judgments by the criterion.
        MissingExtraError: scikit-learn is not installed.
    """
    import numpy as np

    from paragauge.meta.ablation import leave_features_out
    from paragauge.metrics.base import package_version
    from paragauge.metrics.pem.features import PairBatch, feature_names
    from paragauge.metrics.pem.metric import PEM
    from paragauge.metrics.signature import Signature

    asked = request_of(AblationRequest, request, options)
    metric = PEM.load(fspath(model))
    people = judged_pairs(judgments, encoding).rescaled(*scale)
    known = sorted({row.criterion for row in people})
    if asked.criterion not in known:
        raise unknown_name("criterion", asked.criterion, known)
    judged = people.mean_over_judges(asked.criterion)
    if not len(judged):
        raise DataError(f"the judgments have no score by {asked.criterion}; expected at least one")
    batch = PairBatch(
        metric.opened.resources, [row.original for row in judged], [row.candidate for row in judged], threads=threads
    )
    names = feature_names(batch.pivots)
    found = leave_features_out(
        {name: batch.column(name) for name in names},
        np.array([row.score for row in judged], dtype=np.float64),
        [row.original for row in judged],
        [row.system for row in judged],
        kinds=_kinds(names),
        method=asked.method,
        folds=asked.folds,
        resamples=asked.bootstrap,
        seed=asked.seed,
        threads=threads,
        progress=progress,
    )
    items = {
        "criterion": asked.criterion,
        "method": asked.method,
        "folds": asked.folds,
        **({"bs": asked.bootstrap} if asked.bootstrap else {}),
        "seed": asked.seed,
        "model": metric.opened.digest,
        "version": package_version(),
    }
    return AblationResult(asked, tuple(found), len(judged), len(judged.originals), Signature.of("pem-ablation", items))


def _kinds(names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the features to leave out together: those of adequacy are one kind, and so is each pivot of several."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.partition(":")[0], []).append(name)
    return kinds | {name: [name] for name in names if ":" in name}
