"""Explanations as terminal text, HTML page or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from paragauge.metrics.explanation import Cell, Explanation, Grid, Mark, MarkedText, Network
from paragauge.report.network import network_html
from paragauge.report.table import ResultTable, finite

# Marks must survive without colour (a pipe, a screen reader): brackets say the same as the colours.
_BRACKETS: dict[Mark, tuple[str, str]] = {"match": ("[", "]"), "partial": ("(", ")"), "none": ("", "")}
_LEGEND: dict[Mark, str] = {"match": "[word] matched", "partial": "(word) matched alone", "none": "word not matched"}

Style = Callable[[str, Mark], str]


def _unstyled(text: str, mark: Mark) -> str:
    return text


def explanation_text(explanations: Sequence[Explanation], style: Style = _unstyled) -> str:
    """Return *explanations* for a terminal; *style* may colour a piece of text by its mark."""
    return "\n".join(_text(explanation, style) for explanation in explanations)


def _text(explanation: Explanation, style: Style) -> str:
    score = explanation.score
    blocks = [f"{score.metric} {score.value:.4f}\n{score.signature}\n"]
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    width = max((len(part.label) for part in texts), default=0)
    if texts:
        lines = [f"{part.label:<{width}}  {_marked(part, style)}".rstrip() for part in texts]
        used = {mark for part in texts for _, mark in part.tokens}
        if used - {"none"}:
            lines.append(f"{'':<{width}}  " + "   ".join(text for mark, text in _LEGEND.items() if mark in used))
        blocks.append("\n".join(lines) + "\n")
    for part in explanation.parts:
        if isinstance(part, Grid) and part.rows:
            rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
            blocks.append(f"{part.title}\n{ResultTable(part.columns, rows).to_text()}")
        elif isinstance(part, Network) and part.segments:
            blocks.append(_network_text(part, style))
    return "\n".join(blocks)


def _network_text(network: Network, style: Style) -> str:
    """Return one line for each segment: its label, then its edges with their weights."""
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


def explanation_json(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as a JSON list."""
    return json.dumps(finite([_plain(item) for item in explanations]), indent=2, ensure_ascii=False) + "\n"


def _plain(explanation: Explanation) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    for part in explanation.parts:
        if isinstance(part, MarkedText):
            tokens = [{"token": token, "mark": mark} for token, mark in part.tokens]
            parts.append({"kind": "text", "label": part.label, "tokens": tokens})
        elif isinstance(part, Network):
            parts.append({"kind": "network", "title": part.title, "segments": [asdict(s) for s in part.segments]})
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
:root {{ color-scheme: light dark; --line: #8886; --match: #2da44e55; --partial: #d4a72c55; --none: #cf222e22; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.4rem; }} h2 {{ font-size: 1.2rem; margin-top: 2.5rem; }} h3 {{ font-size: 1rem; }}
code {{ overflow-wrap: anywhere; font-size: .85rem; opacity: .8; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }}
dt {{ font-weight: 600; }} dd {{ margin: 0; }}
mark {{ color: inherit; background: none; padding: .1em .25em; border-radius: .3em; }}
mark.match {{ background: var(--match); }} mark.partial {{ background: var(--partial); }}
mark.new {{ background: var(--none); }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: left; }}
.network {{ overflow-x: auto; }}
.network text {{ fill: currentColor; text-anchor: middle; font-size: 13px; }}
.network path {{ fill: none; stroke: currentColor; stroke-opacity: .35; stroke-width: 1.5; }}
.network path.match {{ stroke: #2da44e; stroke-opacity: 1; }}
.network path.partial {{ stroke: #d4a72c; stroke-opacity: 1; }}
.network circle {{ fill: currentColor; }}
.network .label {{ font-weight: 600; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
</style>
</head>
<body>
<h1>Why this score</h1>
{body}
</body>
</html>
"""


def explanation_html(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as one self-contained page; every text in it is escaped."""
    return _PAGE.format(body="\n".join(_section(item) for item in explanations))


def _section(explanation: Explanation) -> str:
    score = explanation.score
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    lines = [f"<section><h2>{escape(score.metric)} {score.value:.4f}</h2>"]
    lines.append(f"<p><code>{escape(str(score.signature))}</code></p>")
    lines.append("<dl>" + "".join(_definition(part) for part in texts) + "</dl>")
    for part in explanation.parts:
        if isinstance(part, Grid) and part.rows:
            lines.append(_html_grid(part))
        elif isinstance(part, Network) and part.segments:
            lines.append(network_html(part))
    return "\n".join([*lines, "</section>"])


def _definition(part: MarkedText) -> str:
    judged = any(mark != "none" for _, mark in part.tokens)
    words = [
        f'<mark class="{"new" if mark == "none" else mark}">{escape(token)}</mark>' if judged else escape(token)
        for token, mark in part.tokens
    ]
    return f"<dt>{escape(part.label)}</dt><dd>{' '.join(words)}</dd>"


def _html_grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in grid.columns)
    body = "".join("<tr>" + "".join(_html_cell(cell) for cell in row) + "</tr>" for row in grid.rows)
    title = escape(grid.title)
    return f"<h3>{title}</h3>\n<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f'<td class="number">{cell:.4f}</td>'
    if isinstance(cell, int):
        return f'<td class="number">{cell}</td>'
    return f"<td>{escape(cell or '')}</td>"
