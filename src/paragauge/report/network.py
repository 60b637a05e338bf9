"""Networks as inline SVG: segments from left to right, their edges stacked."""

from __future__ import annotations

import unicodedata
from html import escape

from paragauge.metrics.explanation import Network, NetworkSegment

_LETTER = 7.5  # pixels per letter, a generous estimate
_PADDING = 28
_ROW = 34
_MARGIN = 14


def network_html(network: Network) -> str:
    """Return a heading and the drawing, with all text escaped."""
    rows = max(len(segment.edges) for segment in network.segments)
    height = rows * _ROW + 3 * _MARGIN
    middle = rows * _ROW / 2 + _MARGIN
    place = float(_MARGIN)
    drawn = [_node(place, middle)]
    for segment in network.segments:
        width = _width(segment)
        drawn += [*_edges(segment, place, width, middle), _text(place + width / 2, height - 6, segment.label, "label")]
        place += width
        drawn.append(_node(place, middle))
    size = f'width="{place + _MARGIN:.0f}" height="{height}"'
    title = escape(network.title)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" {size}>{"".join(drawn)}</svg>'
    return f'<h3>{title}</h3>\n<div class="network" role="region" aria-label="{title}" tabindex="0">{picture}</div>'


def _edges(segment: NetworkSegment, left: float, width: float, middle: float) -> list[str]:
    drawn = []
    for number, edge in enumerate(segment.edges):
        y = middle + (number - (len(segment.edges) - 1) / 2) * _ROW
        right, bend = left + width, min(24.0, width / 4)
        up, down = left + bend / 2, right - bend / 2  # where the curves turn
        path = (
            f"M{left:.1f} {middle:.1f} C{up:.1f} {middle:.1f} {up:.1f} {y:.1f} {left + bend:.1f} {y:.1f} "
            f"L{right - bend:.1f} {y:.1f} C{down:.1f} {y:.1f} {down:.1f} {middle:.1f} {right:.1f} {middle:.1f}"
        )
        drawn.append(f'<path class="{edge.mark}" d="{path}"/>')
        drawn.append(_text(left + width / 2, y - 5, f"{edge.text} {edge.weight:.2f}", "edge"))
    return drawn


def _node(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _width(segment: NetworkSegment) -> float:
    texts = [segment.label, *(f"{edge.text} 0.00" for edge in segment.edges)]
    return max(map(columns, texts)) * _LETTER + 2 * _PADDING


def columns(text: str) -> int:
    """Return the width of *text* in columns; East Asian characters count as two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
