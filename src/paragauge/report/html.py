"""A report as one page that any browser can open without network access, with all text escaped.

Style and script are part of the page; its Content-Security-Policy allows these two and nothing else, by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from paragauge.meta.choices import SIGNIFICANT
from paragauge.report.axis import Axis, short, written
from paragauge.report.latex import report_latex
from paragauge.report.model import (
    ChangeList,
    Distribution,
    ExampleList,
    GridCell,
    GridPart,
    HeatMap,
    IntervalPlot,
    Item,
    MarkedText,
    Part,
    Report,
    ScatterPlot,
    Section,
    TablePart,
)
from paragauge.report.scatter import HEIGHT, WIDTH, scatter_shapes
from paragauge.report.table import Cell
from paragauge.report.text import part_table, report_json

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {style_rule}; {script_rule}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{content}
</main>
<script type="application/json" id="items">{items}</script>
<script>{script}</script>
</body>
</html>
"""


def write_html(report: Report, folder: Path) -> None:
    """Write the page, and the same content as JSON, LaTeX and one TSV file per table."""
    (folder / "index.html").write_text(report_html(report), encoding="utf-8")
    (folder / "report.json").write_text(report_json(report), encoding="utf-8")
    (folder / "report.tex").write_text(report_latex(report), encoding="utf-8")
    for section in report.sections:
        for part in section.parts:
            table = part_table(report, part)
            if table is not None:
                (folder / f"{part.key}.tsv").write_text(table.to_tsv(), encoding="utf-8")


def report_html(report: Report) -> str:
    """Return the page, which needs no other file."""
    static = files("paragauge.report") / "static"
    style, script = ((static / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    return _PAGE.format(
        title=escape(report.title),
        content=report_content(report),
        items=_items(report.items),
        style=style,
        script=script,
        style_rule=_rule(style),
        script_rule=f"script-src {_rule(script)}",
    )


def _rule(text: str) -> str:
    """Return the digest of a style sheet or script as a Content-Security-Policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def report_content(report: Report) -> str:
    """Return the report without head, heading and script, for a page that already has report.css and report.js."""
    notes = "".join(f'<p class="soft">{escape(note)}</p>' for note in report.notes)
    links = "".join(f'<li><a href="#{each.key}">{escape(each.title)}</a></li>' for each in report.sections)
    sections = [_section(report, section) for section in report.sections]
    made = f'<section id="notes"><h2>How this was made</h2>{notes}</section>'
    return "\n".join([f'<nav aria-label="Sections"><ul>{links}</ul></nav>', *sections, made])


def report_tables(report: Report) -> str:
    """Return only the tables of the report, for use in another page such as a notebook."""
    tables = (
        (part.title, table)
        for section in report.sections
        for part in section.parts
        if (table := part_table(report, part)) is not None
    )
    answers = "".join(f"<p>{escape(answer)}</p>" for section in report.sections for answer in section.answers)
    notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in report.notes)
    return answers + "".join(f"<h4>{escape(title)}</h4>{table.to_html()}" for title, table in tables) + notes


def _items(items: Sequence[Item]) -> str:
    data = [{"system": item.system, "segment": item.segment, "texts": item.texts} for item in items]
    # Inside <script>, only the end tag counts as markup; without < there can be none.
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _section(report: Report, section: Section) -> str:
    heading = f"<h2>{escape(section.title)}</h2>"
    # Folded sections open by a click, by a link to them, and for printing.
    lines = [f'<section id="{section.key}">', f"<details><summary>{heading}</summary>" if section.folded else heading]
    lines += [f'<p class="answer">{escape(answer)}</p>' for answer in section.answers]
    lines.append(f"<p>{escape(section.text)}</p>")
    beside: list[str] = []
    for part in section.parts:
        if isinstance(part, IntervalPlot | ScatterPlot | Distribution):  # small figures go side by side
            beside.append(_figure(part))
            continue
        lines += _side_by_side(beside)
        beside = []
        lines.append(_block(report, part))
    return "\n".join([*lines, *_side_by_side(beside), "</details></section>" if section.folded else "</section>"])


def _side_by_side(figures: Sequence[str]) -> list[str]:
    return ['<div class="plots">', *figures, "</div>"] if figures else []


def _figure(part: IntervalPlot | ScatterPlot | Distribution) -> str:
    if isinstance(part, Distribution):
        return _distribution(part)
    return _intervals(part) if isinstance(part, IntervalPlot) else _scatter(part)


def _block(report: Report, part: Part) -> str:
    if isinstance(part, TablePart):
        return _table(part)
    if isinstance(part, GridPart):
        return _grid(part)
    if isinstance(part, ChangeList):
        return _changes(part)
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


def _grid(part: GridPart) -> str:
    arrows = {"higher": "↑", "lower": "↓"}
    head = "".join(
        f'<th scope="col" class="number">{escape(metric)} <span title="{better} is better">{arrows[better]}</span></th>'
        for metric, better in zip(part.metrics, part.better, strict=True)
    )
    body = "\n".join(
        f'<tr><th scope="row">{escape(system)}</th>{"".join(map(_score, cells))}</tr>'
        for system, cells in zip(part.systems, part.cells, strict=True)
    )
    legend = ["↑ higher is better, ↓ lower is better", "best in bold"]
    if any(cell.low is not None for cells in part.cells for cell in cells):
        legend.append("± half of the 95% interval")
    if any(cell.p_value is not None for cells in part.cells for cell in cells):
        legend.append(f"p: difference from {part.baseline}, * below {SIGNIFICANT}")
    signatures = dict.fromkeys(cell.signature for cells in part.cells for cell in cells)
    said = "".join(f"<li>{escape(signature)}</li>" for signature in signatures)
    return (
        _in_box(
            part.key,
            part.title,
            f'<table class="grid" aria-labelledby="{part.key}-title"><thead><tr><th scope="col">system</th>{head}</tr>'
            f"</thead>\n<tbody>{body}</tbody></table>",
        )
        + f'<p class="soft">{escape("; ".join(legend))}</p>'
        + f'<details class="signatures"><summary>Signatures</summary><ul class="soft">{said}</ul></details>'
    )


def _score(cell: GridCell) -> str:
    number = f"{cell.value:.{cell.digits}f}"
    lines = [f"<strong>{number}</strong>" if cell.best else number]
    if cell.low is not None and cell.high is not None:
        known = f"{cell.low:.{cell.digits}f} to {cell.high:.{cell.digits}f}"
        lines.append(f' <span class="half" title="{known}">± {(cell.high - cell.low) / 2:.{cell.digits}f}</span>')
    if cell.p_value is not None:
        star = "*" if cell.p_value < SIGNIFICANT else ""
        lines.append(f'<span class="p">p = {cell.p_value:.3f}{star}</span>')
    return f'<td class="number">{"".join(lines)}</td>'


def _changes(part: ChangeList) -> str:
    lines = [f'<details id="{part.key}"><summary>{escape(part.title)}</summary>']
    for change in part.changes:
        title = f"Line {change.segment}: {change.before:.4f} → {change.after:.4f}"
        texts = "".join(f'<dt>{escape(text.name)}</dt><dd dir="auto">{_marked(text)}</dd>' for text in change.texts)
        lines.append(f'<div class="example"><h3>{escape(title)}</h3><dl>{texts}</dl></div>')
    return "\n".join([*lines, "</details>"])


def _marked(text: MarkedText) -> str:
    return "".join(f"<mark>{escape(run)}</mark>" if marked else escape(run) for run, marked in text.runs)


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


def _intervals(part: IntervalPlot) -> str:
    width, line, left = 420, 22, 150
    bounds = [x for bar in part.bars for x in (bar.value, bar.low, bar.high) if x is not None]
    height = line * len(part.bars) + 34
    shapes = []
    if bounds:
        axis = Axis(bounds, left, width - 20)
        for tick in axis.ticks():
            x = axis(tick)
            shapes.append(f'<line class="axis" x1="{x}" x2="{x}" y1="4" y2="{height - 24}"/>')
            shapes.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle">{written(tick)}</text>')
        for number, bar in enumerate(part.bars):
            y = 4 + line * (number + 0.5)
            known = "" if bar.low is None or bar.high is None else f" [{written(bar.low)}, {written(bar.high)}]"
            shapes.append(f"<g><title>{escape(bar.label)}: {written(bar.value)}{known}</title>")
            shapes.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(short(bar.label, 22))}</text>')
            if bar.low is not None and bar.high is not None:
                shapes.append(f'<line class="bar" x1="{axis(bar.low)}" x2="{axis(bar.high)}" y1="{y}" y2="{y}"/>')
            shapes.append(f'<circle class="dot" cx="{axis(bar.value)}" cy="{y}" r="4"/></g>')
    title = escape(part.title)
    return (
        f'<figure id="{part.key}"><figcaption>{title}</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}: values in the table of rankings">'
        f"{''.join(shapes)}</svg></figure>"
    )


def _distribution(part: Distribution) -> str:
    width, line, left = 420, 40, 150
    height = line * len(part.rows) + 34
    axis = Axis([part.low, part.high], left, width - 20)
    shapes = []
    for tick in axis.ticks():
        x = axis(tick)
        shapes.append(f'<line class="axis" x1="{x}" x2="{x}" y1="4" y2="{height - 24}"/>')
        shapes.append(f'<text x="{x}" y="{height - 8}" text-anchor="middle">{written(tick)}</text>')
    most = max((count for row in part.rows for count in row.counts), default=0) or 1
    for number, row in enumerate(part.rows):
        base = 4 + line * (number + 1)
        step = (part.high - part.low) / len(row.counts)
        said = ", ".join(written(value) for value in row.quantiles)
        shapes.append(f"<g><title>{escape(row.label)}: 5%, 25%, 50%, 75%, 95% at {said}</title>")
        shapes.append(f'<text x="{left - 10}" y="{base - 10}" text-anchor="end">{escape(short(row.label, 22))}</text>')
        for place, count in enumerate(row.counts):
            if count:
                x, end = axis(part.low + place * step), axis(part.low + (place + 1) * step)
                tall = round((line - 8) * count / most, 2)
                place_and_size = f'x="{x}" y="{round(base - tall, 2)}" width="{round(end - x, 2)}" height="{tall}"'
                shapes.append(f'<rect class="count" {place_and_size}/>')
        if row.quantiles:
            x = axis(row.quantiles[2])
            shapes.append(f'<line class="median" x1="{x}" x2="{x}" y1="{base - line + 8}" y2="{base}"/>')
        shapes.append("</g>")
    title = escape(part.title)
    return (
        f'<figure id="{part.key}"><figcaption>{title}</figcaption>'
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}: histograms of {len(part.rows)} systems">'
        f"{''.join(shapes)}</svg></figure>"
    )


def _scatter(part: ScatterPlot) -> str:
    title = escape(part.title)
    left_out = f' <span class="soft">{part.left_out:,} more points not drawn</span>' if part.left_out else ""
    kind = "scatter labelled" if part.labelled else "scatter"
    return (
        f'<figure class="{kind}" id="{part.key}"><figcaption>{title}{left_out}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" tabindex="0" role="group" '
        f'aria-label="{title}: {len(part.points)} points; arrow keys move from point to point">'
        f"{''.join(scatter_shapes(part))}</svg>"
        f'<div class="reading" aria-live="polite"></div></figure>'
    )


# Examples


def _examples(report: Report, part: ExampleList) -> str:
    lines = [f'<details id="{part.key}"><summary>{escape(part.title)}</summary>']
    for example in part.examples:
        values = "".join(f"<dt>{escape(name)}</dt><dd>{value:.4f}</dd>" for name, value in example.values)
        texts = "".join(
            f'<dt>{escape(name)}</dt><dd dir="auto">{escape(text)}</dd>'
            for name, text in report.items[example.item].texts
        )
        lines.append(f'<div class="example"><h3>{escape(example.title)}</h3><dl>{texts}{values}</dl></div>')
    return "\n".join([*lines, "</details>"])
