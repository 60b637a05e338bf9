"""A report as text for a terminal, as one long TSV table, and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from paragauge.report.model import ChangeList, Distribution, ExampleList, GridPart, HeatMap, Part, Report, TablePart
from paragauge.report.table import Cell, ResultTable, finite


def part_table(report: Report, part: Part) -> ResultTable | None:
    """Return a part as a table, or ``None`` for a plot, whose numbers are in the tables."""
    if isinstance(part, TablePart):
        return ResultTable(part.columns, [dict(zip(part.columns, row, strict=True)) for row in part.rows])
    if isinstance(part, HeatMap):
        rows: list[dict[str, Cell]] = [
            {"": name, **dict(zip(part.columns, values, strict=True))}
            for name, values in zip(part.rows, part.values, strict=True)
        ]
        return ResultTable(["", *part.columns], rows, digits=3)
    if isinstance(part, ExampleList):
        found: list[dict[str, Cell]] = []
        for example in part.examples:
            item = report.items[example.item]
            place: dict[str, Cell] = {"system": item.system, "segment": item.segment}
            found.append({**place, **dict(example.values), **dict(item.texts)})
        return ResultTable(list(dict.fromkeys(name for row in found for name in row)), found)
    if isinstance(part, GridPart):
        return _grid_table(part)
    if isinstance(part, Distribution):
        names = ("5%", "25%", "median", "75%", "95%")
        spread: list[dict[str, Cell]] = [
            {"system": row.label, **dict(zip(names, row.quantiles, strict=False))} for row in part.rows
        ]
        return ResultTable(["system", *names], spread)
    if isinstance(part, ChangeList):
        changed: list[dict[str, Cell]] = [
            {
                "segment": each.segment,
                "metric": each.metric,
                "before": each.before,
                "after": each.after,
                **{text.name: text.text for text in each.texts},
            }
            for each in part.changes
        ]
        return ResultTable(list(dict.fromkeys(name for row in changed for name in row)), changed)
    return None


def _grid_table(part: GridPart) -> ResultTable:
    """Return the scores in long form, with signatures."""
    rows: list[dict[str, Cell]] = [
        {
            "metric": metric,
            "system": system,
            "score": cell.value,
            "low": cell.low,
            "high": cell.high,
            "p_value": cell.p_value,
            "signature": cell.signature,
        }
        for column, metric in enumerate(part.metrics)
        for system, cells in zip(part.systems, part.cells, strict=True)
        for cell in [cells[column]]
    ]
    columns = ["metric", "system", "score", "low", "high", "p_value"]
    return ResultTable(columns, rows, machine_columns=[*columns, "signature"])


def report_text(report: Report) -> str:
    """Return all answers, tables and example candidates of *report* as text for a terminal."""
    blocks = [_heading(report.title, "=")]
    for section in report.sections:
        inner = [text for part in section.parts if (text := _part(report, part)) is not None]
        if inner:
            blocks += [_heading(section.title, "="), *(f"{answer}\n" for answer in section.answers), *inner]
    return "\n".join([*blocks, *report.notes]) + "\n"


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"


def _part(report: Report, part: Part) -> str | None:
    if isinstance(part, ExampleList):
        lines = [_heading(part.title, "-")]
        for example in part.examples:
            values = ", ".join(f"{name} {value:.4f}" for name, value in example.values[:2])
            lines.append(f"{example.title} ({values})")
            lines += [f"  {name}: {text}" for name, text in report.items[example.item].texts]
            lines.append("")
        return "\n".join(lines)
    if isinstance(part, ChangeList):
        lines = [_heading(part.title, "-")]
        for change in part.changes:
            lines.append(f"line {change.segment}: {change.before:.4f} -> {change.after:.4f}")
            lines += [f"  {text.name}: {text.text}" for text in change.texts]
            lines.append("")
        return "\n".join(lines)
    table = part_table(report, part)
    return None if table is None else f"{_heading(part.title, '-')}{table.to_text()}"


def report_tsv(report: Report) -> str:
    """Return every cell of every table as a row: part, row (from 1), column, value."""
    rows: list[dict[str, Cell]] = []
    for section in report.sections:
        for part in section.parts:
            table = part_table(report, part)
            if table is None:
                continue
            for number, row in enumerate(table.rows, start=1):
                rows += [
                    {"part": part.key, "row": number, "column": column or "name", "value": row.get(column)}
                    for column in table.machine_columns or table.columns
                ]
    return ResultTable(["part", "row", "column", "value"], rows).to_tsv()


def report_dict(report: Report) -> dict[str, Any]:
    """Return the whole report, plots included, as plain data ready for JSON."""
    data = asdict(report)
    for section, plain in zip(report.sections, data["sections"], strict=True):
        for part, each in zip(section.parts, plain["parts"], strict=True):
            each["kind"] = type(part).__name__
    found: dict[str, Any] = finite(data)
    return found


def report_json(report: Report) -> str:
    """Return `report_dict` as text."""
    return json.dumps(report_dict(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
