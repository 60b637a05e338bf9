"""Networks as inline SVG: one drawing per segment, its edges stacked; long networks continue in the next line."""

from __future__ import annotations

from html import escape

from paragauge.metrics.explanation import Edge, Network, NetworkSegment
from paragauge.report.visible import columns, shortened, visible

_LETTER = 7.5  # pixels per letter, a generous estimate
_PADDING = 28
_ROW = 30
_LABEL = 24  # above and below the edges; the label stands below
_MOST_EDGES = 5  # shown besides those that match


def network_html(network: Network) -> str:
    """Return a heading and the drawing, with all text escaped."""
    title = escape(network.title)
    drawn = "".join(map(_segment, network.segments))
    return f'<h3>{title}</h3>\n<div class="network" role="group" aria-label="{title}">{drawn}</div>'


def _segment(segment: NetworkSegment) -> str:
    edges, left_out = shown_edges(segment)
    texts = [shortened(segment.label), *(_text_of(edge) for edge in edges), _more(left_out)]
    width = max(map(columns, texts)) * _LETTER + 2 * _PADDING
    rows = len(edges) + (left_out > 0)
    height = rows * _ROW + 2 * _LABEL
    middle = height / 2
    drawn = [_node(4, middle), _node(width - 4, middle)]
    for number, edge in enumerate(edges):
        y = middle + (number - (rows - 1) / 2) * _ROW + 5
        drawn += [_path(width, middle, y, edge.mark), _text(width / 2, y - 5, _text_of(edge), "edge")]
    if left_out:
        drawn.append(_text(width / 2, middle + (rows - 1) / 2 * _ROW, _more(left_out), "edge more"))
    drawn.append(_text(width / 2, height - 5, shortened(segment.label), "label"))
    said = ", ".join(f"{edge.text} {edge.weight:.2f}" for edge in edges)
    name = escape(visible(f"{segment.label}: {said}"))
    size = f'viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}" {size}>{"".join(drawn)}</svg>'


def shown_edges(segment: NetworkSegment) -> tuple[list[Edge], int]:
    """Return the most probable edges of a segment and those that match, and how many others there are."""
    edges = [edge for place, edge in enumerate(segment.edges) if place < _MOST_EDGES or edge.mark == "match"][
        : 2 * _MOST_EDGES
    ]
    return edges, len(segment.edges) - len(edges)


def _more(count: int) -> str:
    return f"{count} more" if count else ""


def _text_of(edge: Edge) -> str:
    return f"{shortened(edge.text)} {edge.weight:.2f}"


def _path(width: float, middle: float, y: float, mark: str) -> str:
    left, right, bend = 4.0, width - 4, min(24.0, width / 4)
    up, down = left + bend / 2, right - bend / 2  # where the curves turn
    path = (
        f"M{left:.1f} {middle:.1f} C{up:.1f} {middle:.1f} {up:.1f} {y:.1f} {left + bend:.1f} {y:.1f} "
        f"L{right - bend:.1f} {y:.1f} C{down:.1f} {y:.1f} {down:.1f} {middle:.1f} {right:.1f} {middle:.1f}"
    )
    return f'<path class="{mark}" d="{path}"/>'


def _node(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
