"""``paragauge demo``: every metric on eight built-in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import output_options
from paragauge.cli.output import emit

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.report.table import Cell, Format, ResultTable


@click.command()
@output_options
def demo(form: Format, output: str, quiet: bool) -> None:
    """Score a small built-in example with every metric. Needs nothing, opens nothing.

    Eight sentences, two references each, and three systems: 'paraphrase' rewords the sentence and keeps its meaning,
    'copy' repeats it, 'drift' keeps many words and loses the meaning.

    \b
    Example:
      paragauge demo
    """
    from paragauge.corpora.demo import demo_testset

    emit(demo_table(demo_testset()).render(form), output)


def demo_table(testset: TestSet) -> ResultTable:
    """Return the scores of all sentence metrics, one row each, one column for each system."""
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.registry import METRICS
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    for cls in METRICS.values():
        if not issubclass(cls, SentenceMetric):
            continue
        metric = cls()
        if not metric.available:
            continue
        row: dict[str, Cell] = {"metric": metric.name}
        for system in testset.candidates:
            score = metric.score_corpus(testset.segments(system))
            row[system] = score.value
            row["signature"] = str(score.signature)
        row["better"] = metric.better
        rows.append(row)
    example = testset.segments("paraphrase")
    originals = example.originals or ()
    columns = ["metric", *testset.candidates, "better"]
    notes = [
        f"{len(testset.ids)} sentences, such as:",
        f"  original    {originals[0]}",
        *(f"  {system:<11} {texts[0]}" for system, texts in testset.candidates.items()),
        "Against references alone, the copy does well; what tells a paraphrase from a copy is the original.",
        "Next: paragauge explain -m bleu --ref 'one sentence' 'another sentence'",
    ]
    return ResultTable(columns, rows, notes=notes, machine_columns=[*columns, "signature"])
