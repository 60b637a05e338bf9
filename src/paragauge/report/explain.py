"""Explanations as text for a terminal, as an HTML page or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

from paragauge.metrics.explanation import (
    BORDER,
    Cell,
    Drawing,
    DrawnLink,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    Network,
    Remarks,
)
from paragauge.report.network import columns, network_html
from paragauge.report.table import ResultTable, finite

# Marks must be readable without colour (in a pipe, by a screen reader), so brackets duplicate the colours.
_BRACKETS: dict[Mark, tuple[str, str]] = {"match": ("[", "]"), "partial": ("(", ")"), "none": ("", "")}
_LEGEND: dict[Mark, str] = {"match": "[word] matched", "partial": "(word) partly matched", "none": "word not matched"}

Style = Callable[[str, Mark], str]
STYLES = ("report.css", "explain.css")  # in static/, for pages with explanations


def _unstyled(text: str, mark: Mark) -> str:
    return text


def explanation_text(explanations: Sequence[Explanation], style: Style = _unstyled) -> str:
    """Return *explanations* as text for a terminal; *style* may colour a piece of text by its mark."""
    return "\n".join(_text(explanation, style) for explanation in explanations)


def _text(explanation: Explanation, style: Style) -> str:
    score = explanation.score
    blocks = [f"{score.metric} {score.value:.4f}\n{score.signature}\n"]
    verdict = _verdict(explanation)
    if verdict is not None:
        blocks.append("\n".join(verdict.lines) + "\n")
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    width = max((len(part.label) for part in texts), default=0)
    if texts:
        lines = [f"{part.label:<{width}}  {_marked(part, style)}".rstrip() for part in texts]
        used = {mark for part in texts for _, mark in part.tokens}
        if used - {"none"}:
            lines.append(f"{'':<{width}}  " + "   ".join(text for mark, text in _LEGEND.items() if mark in used))
        blocks.append("\n".join(lines) + "\n")
    for part in explanation.parts:
        if isinstance(part, Remarks) and part is not verdict:
            blocks.append("\n".join((part.title, *(f"  {line}" for line in part.lines))) + "\n")
        elif isinstance(part, Grid) and part.rows:
            rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
            blocks.append(f"{part.title}\n{ResultTable(part.columns, rows).to_text()}")
        elif isinstance(part, Network) and part.segments:
            blocks.append(_network_text(part, style))
        elif isinstance(part, Drawing):
            blocks.append(_drawn(part, style))
    return "\n".join(blocks)


def _verdict(explanation: Explanation) -> Remarks | None:
    """Return the opening remarks of an explanation, if any."""
    first = explanation.parts[0] if explanation.parts else None
    return first if isinstance(first, Remarks) else None


def _network_text(network: Network, style: Style) -> str:
    """Return one line per segment: its label, then its edges with their weights."""
    width = max(len(segment.label) for segment in network.segments)
    lines = [network.title]
    for segment in network.segments:
        edges = "  ".join(f"{_bracketed(edge.text, edge.mark, style)} {edge.weight:.2f}" for edge in segment.edges)
        lines.append(f"  {segment.label:<{width}}  {edges}".rstrip())
    return "\n".join(lines) + "\n"


def _marked(part: MarkedText, style: Style) -> str:
    return " ".join(_bracketed(token, mark, style) for token, mark in part.tokens)


def _bracketed(text: str, mark: Mark, style: Style) -> str:
    return style("".join((_BRACKETS[mark][0], text, _BRACKETS[mark][1])), mark)


def _drawn(part: Drawing, style: Style) -> str:
    """Return a drawing with the left items in order, each next to the item it is linked to, and the rest below."""
    left = {link.left[0]: link for link in part.links}
    right_of_link = {position for link in part.links for position in range(*link.right)}
    inside = {position for link in part.links for position in range(link.left[0] + 1, link.left[1])}
    rows: list[tuple[str, str, str, Mark]] = []
    for position, item in enumerate(part.left):
        link = left.get(position)
        if link is not None:
            mark: Mark = "match" if link.weight >= 1 else "partial"
            rows.append(
                (_span(part.left, link.left), f"{link.kind} {link.weight:.2f}", _span(part.right, link.right), mark)
            )
        elif position not in inside:
            rows.append((f"{position} {item}", "", "", "none"))
    rows += [("", "", f"{j} {item}", "none") for j, item in enumerate(part.right) if j not in right_of_link]
    width = max([len(part.left_label), *(len(row[0]) for row in rows)])
    middle = max((len(row[1]) for row in rows), default=0)
    lines = [part.title, f"{part.left_label:<{width}}    {'':<{middle}}    {part.right_label}"]
    for one, how, other, mark in rows:
        line = f"──{how:─^{middle + 2}}──" if how else " " * (middle + 6)
        lines.append(style(f"{one:<{width}} {line} {other}".rstrip(), mark))
    return "\n".join(lines) + "\n"


def _span(items: Sequence[str], span: tuple[int, int]) -> str:
    return f"{span[0]} {' '.join(items[span[0] : span[1]])}"


def explanation_json(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as a JSON list."""
    return json.dumps(finite([explanation_dict(item) for item in explanations]), indent=2, ensure_ascii=False) + "\n"


def explanation_dict(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain data for JSON, except that numbers may be infinite."""
    parts: list[dict[str, Any]] = []
    for part in explanation.parts:
        if isinstance(part, Remarks):
            parts.append({"kind": "remarks", "title": part.title, "lines": list(part.lines)})
        elif isinstance(part, MarkedText):
            tokens = [{"token": token, "mark": mark} for token, mark in part.tokens]
            parts.append({"kind": "text", "label": part.label, "tokens": tokens})
        elif isinstance(part, Network):
            parts.append({"kind": "network", "title": part.title, "segments": [asdict(s) for s in part.segments]})
        elif isinstance(part, Drawing):
            links = [
                {"left": list(link.left), "right": list(link.right), "kind": link.kind, "weight": link.weight}
                for link in part.links
            ]
            sides = {
                "left_label": part.left_label,
                "left": part.left,
                "right_label": part.right_label,
                "right": part.right,
            }
            parts.append({"kind": "links", "title": part.title, **sides, "links": links})
        else:
            rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
            parts.append({"kind": "grid", "title": part.title, "rows": rows})
    return {**explanation.score.to_dict(), "parts": parts}


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>paragauge: why this score</title>
<style>
{style}</style>
</head>
<body>
<h1>Why this score</h1>
{body}
</body>
</html>
"""


def explanation_html(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as one self-contained page, with all text escaped."""
    look = "".join((files("paragauge.report") / "static" / name).read_text("utf-8") for name in STYLES)
    return _PAGE.format(style=look, body="\n".join(explanation_section(item) for item in explanations))


# What explain.css uses from report.css, for a notebook cell, whose page has its own style.
_CELL_LOOK = (
    "--soft: #57606a; --line: #d0d7de; --accent: #0757b8; svg { color: inherit; } td.number { text-align: right; }"
)


def explanation_cell(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* for a notebook cell, with all text escaped; the style applies only to them."""
    look = (files("paragauge.report") / "static" / "explain.css").read_text("utf-8").replace(":root", "&")
    body = "\n".join(explanation_section(item) for item in explanations)
    return f'<div class="paragauge"><style>.paragauge {{ {_CELL_LOOK}\n{look}}}</style>\n{body}\n</div>'


def explanation_section(explanation: Explanation) -> str:
    """Return one explanation as a section of a page, with all text escaped and no inline styles."""
    score = explanation.score
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    lines = [f'<section class="explanation"><h2>{escape(score.metric)} {score.value:.4f}</h2>']
    lines.append(f"<p><code>{escape(str(score.signature))}</code></p>")
    verdict = _verdict(explanation)
    if verdict is not None:
        lines += [f'<p class="verdict">{escape(line)}</p>' for line in verdict.lines]
    if texts:
        lines.append("<dl>" + "".join(_definition(part) for part in texts) + "</dl>")
    others = (part for part in explanation.parts if not isinstance(part, MarkedText) and part is not verdict)
    for kind, parts in groupby(others, type):
        if kind is Grid:  # small tables go side by side
            grids = (_html_grid(part) for part in parts if isinstance(part, Grid) and part.rows)
            lines.append(f'<div class="grids">{"".join(grids)}</div>')
            continue
        for part in parts:
            if isinstance(part, Remarks):
                lines.append(_html_remarks(part))
            elif isinstance(part, Network) and part.segments:
                lines.append(network_html(part))
            elif isinstance(part, Drawing):
                lines.append(_svg(part))
    return "\n".join([*lines, "</section>"])


def _definition(part: MarkedText) -> str:
    judged = any(mark != "none" for _, mark in part.tokens)
    words = [
        f'<mark class="{"new" if mark == "none" else mark}">{escape(token)}</mark>'
        if judged and token != BORDER
        else escape(token)
        for token, mark in part.tokens
    ]
    return f'<dt>{escape(part.label)}</dt><dd dir="auto">{" ".join(words)}</dd>'


def _html_remarks(remarks: Remarks) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in remarks.lines)
    return f"<h3>{escape(remarks.title)}</h3>\n<ul>{items}</ul>"


def _html_grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in grid.columns)
    body = "".join("<tr>" + "".join(_html_cell(cell) for cell in row) + "</tr>" for row in grid.rows)
    title = escape(grid.title)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    box = f'<div class="scroll" role="region" aria-label="{title}" tabindex="0">{table}</div>'
    return f"<div><h3>{title}</h3>\n{box}</div>"


_ROW, _COLUMN, _LETTER = 26, 300, 9  # heights and widths of a drawing, in pixels


def _svg(part: Drawing) -> str:
    """Return a drawing: left items in one column, right items in another, lines between them."""
    left_width = max(map(columns, (part.left_label, *part.left))) * _LETTER
    right_width = max(map(columns, (part.right_label, *part.right))) * _LETTER
    width, height = left_width + _COLUMN + right_width, (max(len(part.left), len(part.right)) + 1) * _ROW
    begin, end = left_width + 10, left_width + _COLUMN - 10
    pieces = [
        f'<text x="{left_width}" y="{_ROW // 2}" text-anchor="end" font-weight="600">{escape(part.left_label)}</text>',
        f'<text x="{left_width + _COLUMN}" y="{_ROW // 2}" font-weight="600">{escape(part.right_label)}</text>',
    ]
    linked = (
        {position for link in part.links for position in range(*link.left)},
        {position for link in part.links for position in range(*link.right)},
    )
    for items, known, x, anchor in (
        (part.left, linked[0], left_width, "end"),
        (part.right, linked[1], left_width + _COLUMN, "start"),
    ):
        for position, item in enumerate(items):
            quiet = "" if position in known else ' class="unmatched"'
            y = _ROW * (position + 1) + 12
            pieces.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}"{quiet}>{escape(item)}</text>')
    pieces += [_svg_line(link, begin, end) for link in part.links]
    title = escape(part.title)
    return (
        f'<h3>{title}</h3>\n<div class="drawing" role="region" aria-label="{title}" tabindex="0">'
        f'<svg class="links" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}">{"".join(pieces)}</svg></div>'
    )


def _svg_line(link: DrawnLink, begin: int, end: int) -> str:
    one, other = (_ROW * (sum(span) - 1) / 2 + _ROW + 8 for span in (link.left, link.right))
    kind = "" if link.weight >= 1 else ' class="partial"'
    x, y = begin + (end - begin) * 0.25, one + (other - one) * 0.25 - 3
    return (
        f'<line x1="{begin}" y1="{one:g}" x2="{end}" y2="{other:g}"{kind}/>'
        f'<text class="how" x="{x:g}" y="{y:g}">{escape(link.kind)} {link.weight:.2f}</text>'
    )


def _html_cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f'<td class="number">{cell:.4f}</td>'
    if isinstance(cell, int):
        return f'<td class="number">{cell}</td>'
    return f"<td>{escape(cell or '')}</td>"
