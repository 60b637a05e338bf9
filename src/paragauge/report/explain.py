"""Explanations as text for a terminal, as an HTML page or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Any

from paragauge.metrics.explanation import (
    BORDER,
    Cell,
    Drawing,
    DrawnLink,
    Explanation,
    Formula,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Network,
    Part,
    Remarks,
    Step,
    is_spaced,
)
from paragauge.report.network import network_html
from paragauge.report.table import ResultTable, finite
from paragauge.report.visible import columns, shortened, visible

# Marks must be readable without colour (in a pipe, by a screen reader), so brackets duplicate the colours.
_BRACKETS: dict[Mark, tuple[str, str]] = {
    "match": ("[", "]"),
    "partial": ("(", ")"),
    "moved": ("{", "}"),
    "none": ("", ""),
}
_MEANINGS: dict[Mark, str] = {
    "match": "matched",
    "partial": "partly matched",
    "moved": "moved",
    "none": "not matched",
}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

Style = Callable[[str, Mark], str]
STYLES = ("report.css", "explain.css")  # in static/, for pages with explanations


_PENN_QUOTES = {"``": '"', "''": '"'}  # what the tokeniser makes of double quotes
_LONG_WORD = re.compile(r"(\S{40})\S+?('?[,;:.)]*)(?=\s|$)")
_LONGEST_CELL = 60  # in a terminal


def _unstyled(text: str, mark: Mark) -> str:
    return text


def explanation_text(explanations: Sequence[Explanation], style: Style = _unstyled, *, details: bool = False) -> str:
    """Return *explanations* as text for a terminal.

    Args:
        explanations: What to show.
        style: May colour a piece of text by its mark.
        details: Whether to show the details; otherwise a line says what there is.
    """
    return "\n".join(_text(explanation, style, details) for explanation in explanations)


def _sentence(text: str) -> str:
    """Return a sentence for people: words of absurd length are cut off.

    >>> _sentence("New: 'a' and '" + "x" * 50 + "'.")[13:]
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'."
    """
    return _LONG_WORD.sub(r"\1…\2", visible(text))


def _text(explanation: Explanation, style: Style, details: bool) -> str:
    score = explanation.score
    blocks = ["\n".join(filter(None, (f"{score.metric} {score.value:.4f}", _sentence(explanation.verdict)))) + "\n"]
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    if texts:
        width = max(len(part.label) for part in texts)
        lines = [f"{part.label:<{width}}  {_marked(part, style)}".rstrip() for part in texts]
        legend = "   ".join(f"{_bracketed(MarkedWord('word', mark))} {said}" for mark, said in legend_of(explanation))
        if legend:
            lines.append(f"{'':<{width}}  {legend}")
        blocks.append("\n".join(lines) + "\n")
    blocks += _part_texts(explanation.parts, style)
    if details:
        for detail in explanation.details:
            blocks.append(f"{detail.title}\n{'=' * len(detail.title)}\n")
            blocks += _part_texts(detail.parts, style)
    elif explanation.details:
        blocks.append(f"With --details: {', '.join(_small(detail.title) for detail in explanation.details)}.\n")
    return "\n".join([*blocks, f"{score.signature}\n"])


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def legend_of(explanation: Explanation) -> list[tuple[Mark, str]]:
    """Return what the marks in the texts mean; nothing if no word is marked."""
    texts = [{word.mark for word in part.tokens} for part in explanation.parts if isinstance(part, MarkedText)]
    used = {mark for marks in texts if marks - {"none"} for mark in marks}  # a text without marks was not looked at
    return [(mark, explanation.legend.get(mark, said)) for mark, said in _MEANINGS.items() if mark in used]


def _part_texts(parts: Iterable[Part], style: Style) -> list[str]:
    blocks = []
    for part in parts:
        if isinstance(part, Remarks):
            blocks.append("\n".join((part.title, *(f"  {_sentence(line)}" for line in part.lines))) + "\n")
        elif isinstance(part, Grid) and part.rows:
            rows = [dict(zip(part.columns, map(_cell_text, row), strict=True)) for row in part.rows]
            blocks.append(f"{part.title}\n{ResultTable(part.columns, rows).to_text()}")
        elif isinstance(part, Formula):
            blocks.append("\n".join(_step_text(step) for step in part.steps) + "\n")
        elif isinstance(part, Network) and part.segments:
            blocks.append(_network_text(part, style))
        elif isinstance(part, Drawing):
            blocks.append(_drawn(part, style))
    return blocks


def _step_text(step: Step) -> str:
    value = f"{step.value:.6g}"
    if step.numbers.strip("()") == value:
        return f"{step.name} = {step.symbols} = {value}"
    return f"{step.name} = {step.symbols}\n  = {step.numbers} = {value}"


def _cell_text(cell: Cell) -> Cell:
    return shortened(cell, _LONGEST_CELL) if isinstance(cell, str) else cell


def _network_text(network: Network, style: Style) -> str:
    """Return one line per segment: its label, then its edges with their weights."""
    labels = [shortened(segment.label, _LONGEST_CELL) for segment in network.segments]
    width = max(map(len, labels))
    lines = [network.title]
    for label, segment in zip(labels, network.segments, strict=True):
        words = [MarkedWord(shortened(edge.text, _LONGEST_CELL), edge.mark) for edge in segment.edges]
        edges = "  ".join(
            f"{style(_bracketed(word), word.mark)} {edge.weight:.2f}"
            for word, edge in zip(words, segment.edges, strict=True)
        )
        lines.append(f"  {label:<{width}}  {edges}".rstrip())
    return "\n".join(lines) + "\n"


def _marked(part: MarkedText, style: Style) -> str:
    shown = [style(_bracketed(word), word.mark) for word in part.tokens]
    return "".join(piece for pair in zip(shown, _spaces(part), strict=True) for piece in pair).rstrip()


def _spaces(part: MarkedText) -> list[str]:
    """Return what follows each word of a text: a space, or nothing where the text itself has none."""
    texts = [word.text for word in part.tokens]
    return [" " if part.spaced and is_spaced(*pair) else "" for pair in pairwise([*texts, ""])]


def _bracketed(word: MarkedWord) -> str:
    before, after = _BRACKETS[word.mark]
    pair = str(word.pair).translate(_RAISED) if word.pair else ""
    return f"{before}{_word(word)}{after}{pair}"


def _word(word: MarkedWord) -> str:
    return visible(_PENN_QUOTES.get(word.text, word.text))


def _drawn(part: Drawing, style: Style) -> str:
    """Return a drawing with the left items in order, each next to the item it is linked to, and the rest below."""
    left = {link.left[0]: link for link in part.links}
    right_of_link = {position for link in part.links for position in range(*link.right)}
    inside = {position for link in part.links for position in range(link.left[0] + 1, link.left[1])}
    rows: list[tuple[str, str, str, Mark]] = []
    for position in range(len(part.left)):
        link = left.get(position)
        if link is not None:
            mark: Mark = "match" if link.weight >= 1 else "partial"
            rows.append(
                (_span(part.left, link.left), f"{link.kind} {link.weight:.2f}", _span(part.right, link.right), mark)
            )
        elif position not in inside:
            rows.append((_span(part.left, (position, position + 1)), "", "", "none"))
    alone = [(j, j + 1) for j in range(len(part.right)) if j not in right_of_link]
    rows += [("", "", _span(part.right, span), "none") for span in alone]
    width = max([len(part.left_label), *(len(row[0]) for row in rows)])
    middle = max((len(row[1]) for row in rows), default=0)
    lines = [part.title, f"{part.left_label:<{width}}    {'':<{middle}}    {part.right_label}"]
    for one, how, other, mark in rows:
        line = f"──{how:─^{middle + 2}}──" if how else " " * (middle + 6)
        lines.append(style(f"{one:<{width}} {line} {other}".rstrip(), mark))
    return "\n".join(lines) + "\n"


def _span(items: Sequence[str], span: tuple[int, int]) -> str:
    return f"{span[0]} {shortened(' '.join(items[slice(*span)]), _LONGEST_CELL)}"


def explanation_json(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as a JSON list."""
    return json.dumps(finite([explanation_dict(item) for item in explanations]), indent=2, ensure_ascii=False) + "\n"


def explanation_dict(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain data for JSON, except that numbers may be infinite."""
    return {
        **explanation.score.to_dict(),
        "verdict": explanation.verdict,
        "legend": dict(legend_of(explanation)),
        "parts": [_part_dict(part) for part in explanation.parts],
        "details": [
            {"title": detail.title, "parts": [_part_dict(part) for part in detail.parts]}
            for detail in explanation.details
        ],
    }


def _part_dict(part: Part) -> dict[str, Any]:
    match part:
        case Remarks():
            return {"kind": "remarks", "title": part.title, "lines": list(part.lines)}
        case MarkedText():
            tokens = [
                {"token": word.text, "mark": word.mark, **({"pair": word.pair} if word.pair else {})}
                for word in part.tokens
            ]
            return {"kind": "text", "label": part.label, "tokens": tokens}
        case Formula():
            return {"kind": "formula", "title": part.title, "steps": [asdict(step) for step in part.steps]}
        case Network():
            return {"kind": "network", "title": part.title, "segments": [asdict(each) for each in part.segments]}
        case Drawing():
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
            return {"kind": "links", "title": part.title, **sides, "links": links}
        case Grid():
            rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
            return {"kind": "grid", "title": part.title, "rows": rows}


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
<main>
<h1>Why this score</h1>
{body}
</main>
</body>
</html>
"""


def explanation_html(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* as one self-contained page, with all text escaped."""
    body = "\n".join(explanation_section(item) for item in explanations)
    return _PAGE.format(style=_look(*STYLES), body=body)


def _look(*names: str) -> str:
    return "".join((files("paragauge.report") / "static" / name).read_text("utf-8") for name in names)


def explanation_cell(explanations: Sequence[Explanation]) -> str:
    """Return *explanations* for a notebook cell, with all text escaped; the style applies only to them."""
    look = _look("explain.css", "cell.css").replace(":root", "&")
    body = "\n".join(explanation_section(item) for item in explanations)
    return f'<div class="paragauge"><style>.paragauge {{\n{look}}}</style>\n{body}\n</div>'


def explanation_section(explanation: Explanation) -> str:
    """Return one explanation as a section of a page, with all text escaped and no inline styles."""
    score = explanation.score
    texts = [part for part in explanation.parts if isinstance(part, MarkedText)]
    lines = [
        f'<section class="explanation"><h2>{escape(score.metric)} <span class="value">{score.value:.4f}</span></h2>'
    ]
    if explanation.verdict:
        lines.append(f'<p class="verdict" dir="auto">{escape(_sentence(explanation.verdict))}</p>')
    if texts:
        lines.append('<dl class="pair">' + "".join(map(_definition, texts)) + "</dl>")
    legend = legend_of(explanation)
    if legend:
        items = "".join(f'<li><mark class="{_CLASSES[mark]}">word</mark> {escape(said)}</li>' for mark, said in legend)
        lines.append(f'<ul class="legend">{items}</ul>')
    lines += _html_parts(part for part in explanation.parts if not isinstance(part, MarkedText))
    for detail in explanation.details:
        inner = "\n".join(_html_parts(detail.parts))
        if inner:
            lines.append(f"<details><summary>{escape(detail.title)}</summary>\n{inner}\n</details>")
    lines.append(f'<p class="signature"><code>{escape(str(score.signature))}</code></p>')
    return "\n".join([*lines, "</section>"])


_CLASSES: dict[Mark, str] = {"match": "match", "partial": "partial", "moved": "moved", "none": "new"}


def _html_parts(parts: Iterable[Part]) -> list[str]:
    lines: list[str] = []
    for kind, group in groupby(parts, type):
        if kind is Grid:  # small tables go side by side
            grids = "".join(_html_grid(part) for part in group if isinstance(part, Grid) and part.rows)
            lines += [f'<div class="grids">{grids}</div>'] if grids else []
            continue
        for part in group:
            match part:
                case Remarks():
                    lines.append(_html_remarks(part))
                case Formula():
                    lines.append(_html_formula(part))
                case Network() if part.segments:
                    lines.append(network_html(part))
                case Drawing():
                    lines.append(_svg(part))
    return lines


def _definition(part: MarkedText) -> str:
    judged = any(word.mark != "none" for word in part.tokens)  # otherwise the metric does not look at this text
    words = [_html_word(word) if judged and word.text != BORDER else escape(_word(word)) for word in part.tokens]
    kind = "" if part.spaced else ' class="letters"'
    shown = "".join(piece for pair in zip(words, _spaces(part), strict=True) for piece in pair).rstrip()
    return f'<dt>{escape(part.label)}</dt><dd dir="auto"{kind}>{shown}</dd>'


def _html_word(word: MarkedWord) -> str:
    pair = f"<sup>{word.pair}</sup>" if word.pair else ""
    return f'<mark class="{_CLASSES[word.mark]}">{escape(_word(word))}{pair}</mark>'


def _html_remarks(remarks: Remarks) -> str:
    items = "".join(f'<li dir="auto">{escape(_sentence(line))}</li>' for line in remarks.lines)
    return f"<h3>{escape(remarks.title)}</h3>\n<ul>{items}</ul>"


def _html_formula(formula: Formula) -> str:
    steps = []
    for step in formula.steps:
        value = f"{step.value:.6g}"
        numbers = "" if step.numbers.strip("()") == value else f"<span>= {escape(step.numbers)}</span> "
        steps.append(
            f"<dt>{escape(step.name)}</dt><dd><span>= {escape(step.symbols)}</span> {numbers}"
            f'<span class="result">= {escape(value)}</span></dd>'
        )
    return f'<dl class="formula">{"".join(steps)}</dl>'


def _html_grid(grid: Grid) -> str:
    numeric = [all(isinstance(row[k], (int, float)) for row in grid.rows) for k in range(len(grid.columns))]
    head = "".join(
        f'<th scope="col"{" class=number" if right else ""}>{escape(column)}</th>' if column else "<td></td>"
        for column, right in zip(grid.columns, numeric, strict=True)
    )
    body = "".join("<tr>" + "".join(_html_cell(cell) for cell in row) + "</tr>" for row in grid.rows)
    title = escape(grid.title)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    box = f'<div class="scroll" role="region" aria-label="{title}" tabindex="0">{table}</div>'
    return f"<div><h3>{title}</h3>\n{box}</div>"


_ROW, _LINES, _LETTER, _SMALL = 26, 110, 9, 6.5  # heights and widths of a drawing, in pixels


def _svg(part: Drawing) -> str:
    """Return a drawing: left items, how each is linked, lines, right items.

    The kind of a link stands beside its left item, in a column of its own: on the lines, labels would meet.
    """
    left_items, right_items = (tuple(shortened(item) for item in items) for items in (part.left, part.right))
    labels = [f"{link.kind} {link.weight:.2f}" for link in part.links]
    left_width = max(map(columns, (part.left_label, *left_items))) * _LETTER
    label_width = round(max(map(columns, labels), default=0) * _SMALL) + 16
    right_width = max(map(columns, (part.right_label, *right_items))) * _LETTER
    begin = left_width + label_width
    end = begin + _LINES
    width, height = end + 10 + right_width, (max(len(part.left), len(part.right)) + 1) * _ROW
    pieces = [
        f'<text x="{left_width}" y="{_ROW // 2}" text-anchor="end" font-weight="600">{escape(part.left_label)}</text>',
        f'<text x="{end + 10}" y="{_ROW // 2}" font-weight="600">{escape(part.right_label)}</text>',
    ]
    linked = (
        {position for link in part.links for position in range(*link.left)},
        {position for link in part.links for position in range(*link.right)},
    )
    for items, known, x, anchor in (
        (left_items, linked[0], left_width, "end"),
        (right_items, linked[1], end + 10, "start"),
    ):
        for position, item in enumerate(items):
            quiet = "" if position in known else ' class="unmatched"'
            y = _ROW * (position + 1) + 12
            pieces.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}"{quiet}>{escape(item)}</text>')
    for link, label in zip(part.links, labels, strict=True):
        pieces += [_svg_line(link, begin, end), _svg_label(link, left_width + 10, label)]
    title = escape(part.title)
    return (
        f'<h3>{title}</h3>\n<div class="drawing">'
        f'<svg class="links" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}">{"".join(pieces)}</svg></div>'
    )


def _middle(span: tuple[int, int]) -> float:
    return _ROW * (sum(span) - 1) / 2 + _ROW + 8


def _svg_label(link: DrawnLink, x: float, text: str) -> str:
    return f'<text class="how" x="{x}" y="{_middle(link.left) + 4:g}">{escape(text)}</text>'


def _svg_line(link: DrawnLink, begin: int, end: int) -> str:
    kind = "moved" if link.kind == "moved" else "match" if link.weight >= 1 else "partial"
    return f'<line x1="{begin}" y1="{_middle(link.left):g}" x2="{end}" y2="{_middle(link.right):g}" class="{kind}"/>'


def _html_cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f'<td class="number">{cell:.4f}</td>'
    if isinstance(cell, int):
        return f'<td class="number">{cell}</td>'
    return f'<td dir="auto">{escape(visible(cell or ""))}</td>'
