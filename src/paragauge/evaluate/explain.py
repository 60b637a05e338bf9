"""Explanations of the score of one candidate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.errors import OptionError
from paragauge.evaluate.option import option
from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, MetricsRequest, metric_names
from paragauge.progress import Counter

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.explanation import Explanation
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable


@dataclass(frozen=True, kw_only=True)
class ExplainRequest(MetricsRequest):
    """The candidate to explain."""

    candidate: str = option(help="Candidate sentence whose score is to be explained.")
    original: str | None = option(None, metavar="TEXT", help="Original sentence that the candidate paraphrases.")
    references: tuple[str, ...] = option((), flags=("--ref",), metavar="TEXT", help="Reference for the candidate.")


@dataclass(frozen=True)
class ExplainResult(Result):
    """Explanations of one candidate, one per metric."""

    explanations: tuple[Explanation, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per metric: its score and signature."""
        return [
            {
                "metric": each.score.metric,
                "score": each.score.value,
                "signature": str(each.score.signature),
            }
            for each in self.explanations
        ]

    def table(self) -> ResultTable:
        """Return a table of the scores only."""
        from paragauge.report.table import ResultTable

        rows = self.rows()
        notes = [str(row["signature"]) for row in rows]
        return ResultTable(["metric", "score"], rows, notes=notes, machine_columns=["metric", "score", "signature"])

    def to_dict(self) -> Any:
        """Return the explanations with all their parts as plain data for JSON."""
        from paragauge.report.explain import explanation_dict
        from paragauge.report.table import finite

        return finite([explanation_dict(each) for each in self.explanations])

    def to_page(self) -> str:
        """Return a self-contained HTML page."""
        from paragauge.report.explain import explanation_html

        return explanation_html(self.explanations)

    def to_text(self, *, details: bool = True) -> str:
        """Return text for a terminal, with or without the details: n-grams, links, networks, calculations."""
        from paragauge.report.explain import explanation_text

        return explanation_text(self.explanations, details=details).rstrip("\n")

    def __str__(self) -> str:
        return self.to_text(details=False)

    def _repr_html_(self) -> str:
        from paragauge.report.explain import explanation_cell

        return explanation_cell(self.explanations)


def explain(
    candidate: str,
    references: str | Iterable[str] | None = None,
    *,
    original: str | None = None,
    metric: MetricLike | Iterable[MetricLike],
    progress: Progress | None = None,
) -> ExplainResult:
    """Explain the score of one candidate.

    Args:
        candidate: Candidate sentence.
        references: One reference or several.
        original: Original sentence that the candidate paraphrases.
        metric: One metric or several, by name or as objects.
        progress: Called with the number of metrics done.

    Raises:
        DataError: A metric needs other texts.
        OptionError: A metric is invalid.
    """
    given = () if references is None else (references,) if isinstance(references, str) else tuple(references)
    request = ExplainRequest(metrics=metric_names(metric), candidate=candidate, original=original, references=given)
    for each in request.load_metrics():
        each.check_order(references, original)
    return explain_candidate(request, progress=progress)


def segment_texts(testset: TestSet, system: str | None, segment: str) -> dict[str, Any]:
    """Return the candidate, the references and the original of one segment of a test set.

    Args:
        testset: The test set.
        system: Name of the system; may be ``None`` if there is only one.
        segment: Name of the segment.

    Raises:
        OptionError: There is no such system or segment, or there are several systems and none was named.
    """
    if system is None:
        if len(testset.candidates) != 1:
            raise OptionError(
                f"the test set has {len(testset.candidates)} systems; name one: {', '.join(testset.systems)}"
            )
        system = testset.systems[0]
    texts = testset.segments(system)
    if segment not in testset.ids:
        named = f"{testset.ids[0]} to {testset.ids[-1]}" if len(testset) > 1 else testset.ids[0]
        raise OptionError(f"the test set has no segment {segment!r}; segments: {len(testset):,}, named {named}")
    place = list(testset.ids).index(segment)
    return {
        "candidate": texts.candidates[place],
        "references": () if texts.references is None else texts.references[place],
        "original": None if texts.originals is None else texts.originals[place],
    }


def explain_candidate(request: ExplainRequest, *, progress: Progress | None = None) -> ExplainResult:
    """Explain the candidate of a request."""
    from paragauge.corpora.segments import Segments

    metrics = request.load_metrics()
    segments = Segments.of(
        [request.candidate],
        [request.references] if request.references else None,
        None if request.original is None else [request.original],
    )
    for metric in metrics:
        metric.check(segments)
    counter = Counter(progress, len(metrics))
    explanations = []
    for metric in metrics:
        counter.now(metric.name)
        explanations.append(metric.explain(segments))
        counter.advance()
    return ExplainResult(tuple(explanations))
