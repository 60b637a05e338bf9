"""Checks of texts as a result: one row per suspicious segment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    from paragauge.corpora.checks import Finding
    from paragauge.corpora.testset import TestSet
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True)
class CheckResult(Result):
    """What looks wrong in the texts of a test set.

    Attributes:
        findings: Suspicious segments, by system and kind.
        systems: Number of systems checked.
        segments: Number of segments of each.
    """

    findings: tuple[Finding, ...]
    systems: int
    segments: int

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per suspicious segment."""
        return [
            {"system": each.system, "check": each.check, "segment": segment, "text": text}
            for each in self.findings
            for segment, text in zip(each.segments, each.texts, strict=True)
        ]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        size = f"systems: {self.systems:,}, segments: {self.segments:,}"
        counts = [f"{each.system}: {each}" for each in self.findings]
        columns = ["system", "check", "segment", "text"]
        return ResultTable(columns, self.rows(), notes=[size, *(counts or ["nothing suspicious"])])


def check_texts_of(testset: TestSet) -> CheckResult:
    """Check the texts of *testset* for empty lines, copies, chat replies, wrong encodings and the like."""
    from paragauge.corpora.checks import check_testset

    return CheckResult(check_testset(testset), len(testset.candidates), len(testset))
