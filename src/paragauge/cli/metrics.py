"""``paragauge metrics``: list the metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.options import format_option, output_option
from paragauge.cli.output import emit
from paragauge.cli.requests import complete_metric

if TYPE_CHECKING:
    from paragauge.report.table import Format, ResultTable


@click.command()
@click.argument("name", required=False, shell_complete=complete_metric)
@format_option("table", "tsv", "json")
@output_option
def metrics(name: str | None, form: Format, output: str) -> None:
    """List the metrics, or show the options of the metric NAME.

    \b
    Example:
      paragauge metrics
      paragauge metrics bleu
    """
    from paragauge.metrics.registry import METRICS

    table = _list() if name is None else _options(METRICS[name])
    emit(table.render(form), output)


def _list() -> ResultTable:
    from paragauge.metrics.registry import METRICS
    from paragauge.report.table import ResultTable

    rows = [
        {
            "metric": name,
            "needs": _needs(cls),
            "scale": cls.scale,
            "better": cls.better,
            "summary": cls.summary,
            "citation": cls.citation,
        }
        for name, cls in METRICS.items()
    ]
    notes = ["paragauge metrics NAME shows the options of one."]
    return ResultTable(["metric", "needs", "summary", "citation"], rows, notes=notes, machine_columns=list(rows[0]))


def _options(cls: Any) -> ResultTable:
    from dataclasses import fields

    from paragauge.metrics.option_help import example_command, option_help
    from paragauge.report.table import ResultTable

    rows = [
        {
            "option": option.name,
            "default": repr(option.default),
            "type": str(option.type),
            "meaning": option_help(cls, option),
        }
        for option in fields(cls)
    ]
    notes = [
        f"{cls.name}: {cls.summary}",
        f"{cls.citation}; scale {cls.scale}, {cls.better} is better; needs {_needs(cls)}",
        f"example: {example_command(cls)}",
    ]
    columns = ["option", "default", "type", "meaning"]
    return ResultTable(["option", "default", "meaning"], rows, notes=notes, machine_columns=columns)


def _needs(cls: Any) -> str:
    return " and ".join(sorted(getattr(cls, "needs", ()))) or "candidates"
