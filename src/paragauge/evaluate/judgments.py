"""Published judgments as our own table: read, scored by MQM, standardised by judge, cleaned of outliers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.option import Request, option
from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.evaluate.people import People
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class JudgmentsRequest(Request):
    """Options for reading judgments."""

    pair: str | None = option(None, metavar="PAIR", help="Language pair to take, if there are several.")
    criterion: str | None = option(
        None, metavar="NAME", help="Keep one criterion, or the mean of several: 'adequacy,fluency'."
    )
    mqm_weights: str | None = option(
        None,
        metavar="WEIGHTS",
        help="Weights of MQM errors by severity, category and subcategory, such as 'major:5 minor:1 "
        "minor/fluency/punctuation:0.1'.",
        default_help="Google's",
    )
    z_scores: bool = option(False, help="Standardise the scores of each judge.")
    drop_outliers: bool = option(False, help="Leave out judges who agree with the others less than the median judge.")
    strip_numbers: bool = option(False, help="Remove WMT's numbers from names of systems: 'online-A.0' is 'online-A'.")


@dataclass(frozen=True)
class JudgmentsResult(Result):
    """Judgments as a table.

    Attributes:
        judgments: The judgments.
        outliers: Judges left out.
    """

    judgments: Judgments
    outliers: tuple[str, ...]

    def rows(self) -> list[dict[str, Cell]]:
        return [dict(row._asdict()) for row in self.judgments]

    def table(self) -> ResultTable:
        from paragauge.corpora.judgments import COLUMNS
        from paragauge.report.table import ResultTable

        notes = [f"left out as outliers: {', '.join(self.outliers)}"] if self.outliers else []
        return ResultTable(list(COLUMNS), self.rows(), notes=notes)


def judgments(people: People, *, encoding: str = "utf-8", **options: Any) -> JudgmentsResult:
    """Return judgments in any form that is known as a table; options are the fields of `JudgmentsRequest`."""
    return convert_judgments(people, JudgmentsRequest(**options), encoding=encoding)


def convert_judgments(people: People, request: JudgmentsRequest, *, encoding: str = "utf-8") -> JudgmentsResult:
    """Return the result of *request*."""
    from paragauge.corpora.judgments import read_judgments
    from paragauge.corpora.mqm import parse_weights
    from paragauge.evaluate.people import as_people
    from paragauge.meta.evaluation import select
    from paragauge.meta.judge_quality import judge_judges, renamed_systems, standardise, without_judges
    from paragauge.meta.rankings import Rankings

    if request.mqm_weights is not None:
        found = read_judgments(
            people, encoding=encoding, pair=request.pair, mqm_weights=parse_weights(request.mqm_weights)
        )
        if set(found.criteria) != {"mqm"}:
            raise OptionError("--mqm-weights applies only to tables of MQM errors")
    else:
        read = as_people(people, pair=request.pair, encoding=encoding)
        if isinstance(read, Rankings):
            raise DataError("found rankings, which have no scores; expected judgments with scores")
        found = read
    if request.criterion is not None:
        found = select(found, criterion=request.criterion)
    outliers: tuple[str, ...] = ()
    if request.drop_outliers:
        outliers = tuple(each.judge for each in judge_judges(found) if each.outlier)
        found = without_judges(found, outliers)
    if request.z_scores:
        if not any(found.judges):
            raise DataError("the judgments name no judges, whose scores could be standardised")
        found = standardise(found)
    if request.strip_numbers:
        found = renamed_systems(found, _without_numbers(found.systems))
    return JudgmentsResult(found, outliers)


def _without_numbers(systems: Iterable[str]) -> dict[str, str]:
    names = dict.fromkeys(systems)
    short = {name: re.sub(r"\.\d+$", "", name) for name in names}
    if len(set(short.values())) < len(short):
        raise DataError("without their numbers, two systems would have the same name; leave the numbers")
    return short
