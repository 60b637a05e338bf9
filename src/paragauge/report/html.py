"""A report as a folder that any browser can open, without network access or inline code, and with all text escaped."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from paragauge.report.latex import report_latex
from paragauge.report.model import (
    ExampleList,
    HeatMap,
    IntervalPlot,
    Item,
    Part,
    Point,
    Report,
    ScatterPlot,
    Section,
    TablePart,
)
from paragauge.report.table import Cell
from paragauge.report.text import part_table, report_json

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'">
<title>{title}</title>
<link rel="stylesheet" href="report.css">
</head>
<body>
<main>
<h1>{title}</h1>
{content}
</main>
<script type="application/json" id="items">{items}</script>
<script src="report.js"></script>
</body>
</html>
"""


def write_html(report: Report, folder: Path) -> None:
    """Write the page, its style sheet and script, and the same content as JSON, LaTeX and one TSV file per table."""
    (folder / "index.html").write_text(report_html(report), encoding="utf-8")
    for name in ("report.css", "report.js"):
        (folder / name).write_bytes((files("paragauge.report") / "static" / name).read_bytes())
    (folder / "report.json").write_text(report_json(report), encoding="utf-8")
    (folder / "report.tex").write_text(report_latex(report), encoding="utf-8")
    for section in report.sections:
        for part in section.parts:
            table = part_table(report, part)
            if table is not None:
                (folder / f"{part.key}.tsv").write_text(table.to_tsv(), encoding="utf-8")


def report_html(report: Report) -> str:
    """Return the page; it expects report.css and report.js in the same folder."""
    return _PAGE.format(title=escape(report.title), content=report_content(report), items=_items(report.items))


def report_content(report: Report) -> str:
    """Return the report without head, heading and script, for a page that already has report.css and report.js."""
    notes = "".join(f'<p class="soft">{escape(note)}</p>' for note in report.notes)
    links = "".join(f'<li><a href="#{each.key}">{escape(each.title)}</a></li>' for each in report.sections)
    sections = [_section(report, section) for section in report.sections]
    return "\n".join([notes, f'<nav aria-label="Sections"><ul>{links}</ul></nav>', *sections])


def report_tables(report: Report) -> str:
    """Return only the tables of the report, for use in another page such as a notebook."""
    tables = (
        (part.title, table)
        for section in report.sections
        for part in section.parts
        if (table := part_table(report, part)) is not None
    )
    notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in report.notes)
    return "".join(f"<h4>{escape(title)}</h4>{table.to_html()}" for title, table in tables) + notes


def _items(items: Sequence[Item]) -> str:
    data = [{"system": item.system, "segment": item.segment, "texts": item.texts} for item in items]
    # Inside <script>, only the end tag counts as markup; without < there can be none.
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _section(report: Report, section: Section) -> str:
    lines = [f'<section id="{section.key}"><h2>{escape(section.title)}</h2>', f"<p>{escape(section.text)}</p>"]
    grid: list[str] = []
    for part in section.parts:
        if isinstance(part, IntervalPlot | ScatterPlot):  # small figures go side by side
            grid.append(_figure(part))
            continue
        lines += _grid(grid)
        grid = []
        lines.append(_block(report, part))
    return "\n".join([*lines, *_grid(grid), "</section>"])


def _grid(figures: Sequence[str]) -> list[str]:
    return ['<div class="plots">', *figures, "</div>"] if figures else []


def _figure(part: IntervalPlot | ScatterPlot) -> str:
    return _intervals(part) if isinstance(part, IntervalPlot) else _scatter(part)


def _block(report: Report, part: Part) -> str:
    if isinstance(part, TablePart):
        return _table(part)
    if isinstance(part, HeatMap):
        return _heat_map(part)
    assert isinstance(part, ExampleList)  # noqa: S101, figures were handled above
    return _examples(report, part)


# Tables


def _table(part: TablePart) -> str:
    head = "".join(f'<th scope="col"><button type="button">{escape(column)}</button></th>' for column in part.columns)
    body = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in part.rows)
    return _in_box(
        part.key,
        part.title,
        f'<table class="sortable" aria-labelledby="{part.key}-title"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table>",
    )


def _cell(cell: Cell) -> str:
    if cell is None:
        return "<td></td>"
    if isinstance(cell, float):
        return f'<td class="number" data-value="{cell!r}">{cell:.4f}</td>'
    if isinstance(cell, int):
        return f'<td class="number" data-value="{cell}">{cell:,}</td>'
    return f"<td>{escape(cell)}</td>"


def _in_box(key: str, title: str, content: str) -> str:
    # A scrolling box must be reachable by keyboard.
    label = f'role="region" aria-labelledby="{key}-title" tabindex="0"'
    return f'<h3 id="{key}-title">{escape(title)}</h3>\n<div class="scroll" {label}>{content}</div>'


def _heat_map(part: HeatMap) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in part.columns)
    rows = [
        f'<tr><th scope="row">{escape(name)}</th>' + "".join(_heat_cell(value) for value in values) + "</tr>"
        for name, values in zip(part.rows, part.values, strict=True)
    ]
    return _in_box(
        part.key,
        part.title,
        f'<table class="heat" aria-labelledby="{part.key}-title"><thead><tr><td></td>{head}</tr></thead>\n'
        f"<tbody>{''.join(rows)}</tbody></table>",
    )


def _heat_cell(value: float | None) -> str:
    if value is None:
        return "<td></td>"
    depth = min(5, math.ceil(abs(value) * 5))
    return f'<td class="{"p" if value >= 0 else "n"}{depth}">{value:.3f}</td>'


# Figures


class _Axis:
    """A mapping from a range of numbers to a range of the picture."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = min(values), max(values)
        margin = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
        self.low, self.high, self.start, self.end = low - margin, high + margin, start, end

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Return three to six round numbers."""
        size = 10.0 ** math.floor(math.log10((self.high - self.low) / 2))
        step = next(step for step in (size, 2 * size, 5 * size, 10 * size) if (self.high - self.low) / step <= 6)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def _number(value: float) -> str:
    return f"{value:.4g}"


def _intervals(part: IntervalPlot) -> str:
    width, line, left = 420, 22, 150
    bounds = [x for bar in part.bars for x in (bar.value, bar.low, bar.high) if x is not None]
    height = line * len(part.bars) + 34
    shapes = []
    if bounds:
        axis = _Axis(bounds, left, width - 20)
        for tick in axis.ticks():
            x = axis(tick)
            shapes.append(f'<line class="axis" x1="{x}" x2="{x}" y1="4" y2="{height - 24}"/>')
            shapes.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle">{_number(tick)}</text>')
        for number, bar in enumerate(part.bars):
            y = 4 + line * (number + 0.5)
            known = "" if bar.low is None or bar.high is None else f" [{_number(bar.low)}, {_number(bar.high)}]"
            shapes.append(f"<g><title>{escape(bar.label)}: {_number(bar.value)}{known}</title>")
            shapes.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(_short(bar.label, 22))}</text>')
            if bar.low is not None and bar.high is not None:
                shapes.append(f'<line class="bar" x1="{axis(bar.low)}" x2="{axis(bar.high)}" y1="{y}" y2="{y}"/>')
            shapes.append(f'<circle class="dot" cx="{axis(bar.value)}" cy="{y}" r="4"/></g>')
    title = escape(part.title)
    return (
        f'<figure id="{part.key}"><figcaption>{title}</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}: values in the table of rankings">'
        f"{''.join(shapes)}</svg></figure>"
    )


def _scatter(part: ScatterPlot) -> str:
    width, height, left, bottom = 420, 320, 58, 276
    x_axis = _Axis([value for point in part.points for value in (point.x, point.shown_x)] or [0], left, width - 12)
    y_axis = _Axis([value for point in part.points for value in (point.y, point.shown_y)] or [0], bottom, 12)
    shapes = []
    for tick in x_axis.ticks():
        shapes.append(f'<line class="axis" x1="{x_axis(tick)}" x2="{x_axis(tick)}" y1="12" y2="{bottom}"/>')
        shapes.append(f'<text x="{x_axis(tick)}" y="{bottom + 16}" text-anchor="middle">{_number(tick)}</text>')
    for tick in y_axis.ticks():
        shapes.append(f'<line class="axis" x1="{left}" x2="{width - 12}" y1="{y_axis(tick)}" y2="{y_axis(tick)}"/>')
        shapes.append(f'<text x="{left - 6}" y="{y_axis(tick) + 4}" text-anchor="end">{_number(tick)}</text>')
    shapes.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">{escape(part.x_label)}</text>')
    middle = (12 + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle})"'
    shapes.append(f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{escape(part.y_label)}</text>')
    shapes += [_point(part, point, x_axis, y_axis) for point in part.points]
    title = escape(part.title)
    left_out = f' <span class="soft">{part.left_out:,} more points not drawn</span>' if part.left_out else ""
    kind = "scatter labelled" if part.labelled else "scatter"
    return (
        f'<figure class="{kind}" id="{part.key}"><figcaption>{title}{left_out}</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" tabindex="0" role="group" '
        f'aria-label="{title}: {len(part.points)} points; arrow keys move from point to point">{"".join(shapes)}</svg>'
        f'<div class="reading" aria-live="polite"></div></figure>'
    )


def _point(part: ScatterPlot, point: Point, x_axis: _Axis, y_axis: _Axis) -> str:
    x, y = x_axis(point.shown_x), y_axis(point.shown_y)
    label = escape(point.label)
    values = escape(f"{part.x_label} {_number(point.x)}, {part.y_label} {_number(point.y)}")
    item = "" if point.item is None else f' data-item="{point.item}"'
    circle = (
        f'<circle class="point" cx="{x}" cy="{y}" r="{5 if part.labelled else 3.5}"{item} data-label="{label}" '
        f'data-values="{values}"><title>{label}: {values}</title></circle>'
    )
    if not part.labelled:
        return circle
    side = ("start", x + 8) if x < (x_axis.start + x_axis.end) / 2 else ("end", x - 8)
    return f'{circle}<text x="{side[1]}" y="{y + 4}" text-anchor="{side[0]}">{escape(_short(point.label, 18))}</text>'


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


# Examples


def _examples(report: Report, part: ExampleList) -> str:
    lines = [f'<details open id="{part.key}"><summary>{escape(part.title)}</summary>']
    for example in part.examples:
        values = "".join(f"<dt>{escape(name)}</dt><dd>{value:.4f}</dd>" for name, value in example.values)
        texts = "".join(
            f'<dt>{escape(name)}</dt><dd dir="auto">{escape(text)}</dd>'
            for name, text in report.items[example.item].texts
        )
        lines.append(f'<div class="example"><h4>{escape(example.title)}</h4><dl>{texts}{values}</dl></div>')
    return "\n".join([*lines, "</details>"])
