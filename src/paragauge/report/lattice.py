"""A drawing of a word lattice as SVG: states from left to right, with a lane for the words of each sentence."""

from __future__ import annotations

from xml.sax.saxutils import escape

from paragauge.grammar.lattice import Edge, Lattice

_CHARACTER = 8.0  # approximate width of a character
_GAP = 34.0  # space around each word
_LANE = 46.0
_MARGIN = 24.0
_STYLE = (
    "text{font:13px sans-serif;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".state{fill:#fff;stroke:#1f4e79}.number{font-size:9px;fill:#1f4e79}.edge{stroke:#7f9db9;fill:none}"
)


def lattice_svg(lattice: Lattice) -> str:
    """Return the drawing. A state or an edge is in the lane of the first sentence that passes through it."""
    lanes: dict[int, int] = {}
    for number, path in enumerate(lattice.paths):
        for state in path:
            lanes.setdefault(state, number)
    across = dict.fromkeys(lanes, _MARGIN)
    for edge in lattice.edges:  # in the order of their states, so earlier states are already placed
        reach = across[edge.begin] + _CHARACTER * len(edge.word) + _GAP
        across[edge.end] = max(across[edge.end], reach)
    places = {state: (across[state], _MARGIN + _LANE * lane) for state, lane in lanes.items()}
    parts = [part for edge in lattice.edges for part in _edge(edge, places)]
    for state, (x, y) in sorted(places.items()):
        parts.append(f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="8"/>')
        parts.append(f'<text class="number" x="{x:.1f}" y="{y + 3:.1f}">{state}</text>')
    width = max(across.values(), default=0) + _MARGIN
    height = _LANE * max(len(lattice.paths) - 1, 0) + 2 * _MARGIN
    size = f'width="{width:.0f}" height="{height:.0f}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{_STYLE}</style>\n{body}\n</svg>\n'


def _edge(edge: Edge, places: dict[int, tuple[float, float]]) -> list[str]:
    (left, start), (right, end) = places[edge.begin], places[edge.end]
    lane = _MARGIN + _LANE * edge.sentences[0]
    bend = (right - left) / 4
    middle = 0.75 * lane + 0.125 * (start + end)  # of the curve below
    curve = f"M{left:.1f} {start:.1f}C{left + bend:.1f} {lane:.1f} {right - bend:.1f} {lane:.1f} {right:.1f} {end:.1f}"
    return [
        f'<path class="edge" d="{curve}"/>',
        f'<text x="{(left + right) / 2:.1f}" y="{middle - 4:.1f}">{escape(edge.word)}</text>',
    ]
