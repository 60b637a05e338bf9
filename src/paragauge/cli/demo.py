"""``paragauge demo``: every metric on eight built-in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import output_options
from paragauge.cli.output import emit, progress_bar

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.score import ScoreResult
    from paragauge.report.table import Cell, Format, ResultTable


@click.command()
@output_options
def demo(form: Format, output: str, quiet: bool) -> None:
    """Score a small built-in example with every metric. Needs no files.

    Eight sentences, two references each, and three systems: 'paraphrase' rewords the sentence and keeps its meaning,
    'copy' repeats it, 'drift' keeps many words and loses the meaning.

    \b
    Example:
      paragauge demo
    """
    from paragauge.corpora.demo import demo_testset
    from paragauge.evaluate.score import ScoreRequest, score_testset
    from paragauge.metrics.registry import available_metrics

    testset = demo_testset()
    request = ScoreRequest(metrics=tuple(available_metrics()), bootstrap=0)
    with progress_bar("segments", quiet=quiet) as progress:
        result = score_testset(testset, request, progress=progress)
    emit(_table(testset, result).render(form), output)


def _table(testset: TestSet, result: ScoreResult) -> ResultTable:
    """Return one row for each metric and one column for each system."""
    from paragauge.report.table import ResultTable

    rows: dict[str, dict[str, Cell]] = {}
    for each in result.scores:
        row = rows.setdefault(each.metric.name, {"metric": each.metric.name, "better": each.metric.better})
        row[each.system] = each.score.value
        row["signature"] = str(each.score.signature)
    columns = ["metric", *testset.candidates, "better"]
    notes = [
        f"{len(testset.ids)} sentences, such as:",
        f"  original    {(testset.originals or ('',))[0]}",
        *(f"  {system:<11} {texts[0]}" for system, texts in testset.candidates.items()),
        "Against references alone, the copy does well; what tells a paraphrase from a copy is the original.",
        "Next: paragauge explain -m bleu --ref 'one sentence' 'another sentence'",
    ]
    return ResultTable(columns, list(rows.values()), notes=notes, machine_columns=[*columns, "signature"])
