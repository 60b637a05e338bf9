"""A drawing of a synchronous derivation as SVG: both sentences and the rules that connect them."""

from __future__ import annotations

from xml.sax.saxutils import escape

from paragauge.grammar.parse import Derivation, DerivationNode

_CHARACTER = 8.0  # approximate width of a character
_GAP = 14.0
_LEVEL = 34.0
_STYLE = (
    "text{font:13px sans-serif}.label{font-weight:bold;fill:#1f4e79}.rule{stroke:#7f9db9;fill:none}"
    ".joint{stroke:#c55a11;stroke-dasharray:4 3;fill:none}"
)


def derivation_svg(derivation: Derivation, *, styled: bool = True) -> str:
    """Return the drawing: the source tree above its words and the target tree, upside down, below its words.

    Corresponding nodes have the same number; dashed lines connect the words produced by one rule. For a page that
    does not allow inline styles, *styled* is false and ``explain.css`` has the style rules.
    """
    sides = (derivation.source, derivation.target)
    centres = [_places(words) for words in sides]
    numbered = [(number, depth, node) for number, (depth, node) in enumerate(derivation.nodes(), start=1)]
    height = max((depth for _, depth, _ in numbered), default=0) + 1
    top = 24 + height * _LEVEL  # the line of source words
    bottom = top + 90  # the line of target words
    parts: list[str] = []
    places: list[dict[int, tuple[float, float]]] = [{}, {}]
    tallest = _heights(derivation)
    for number, _, node in numbered:
        for side, span in ((0, node.source), (1, node.target)):
            x = (centres[side][span[0]] + centres[side][span[1] - 1]) / 2
            level = (tallest[id(node)] + 1) * _LEVEL - 10
            places[side][id(node)] = (x, top - level - 4 if side == 0 else bottom + level + 8)
            parts.append(_text(*places[side][id(node)], f"{node.label} {number}", "label"))
    for _, _, node in numbered:
        parts += _edges(node, centres, places, (top, bottom))
        parts += _joints(node, centres, (top, bottom))
    for side, y in ((0, top), (1, bottom)):
        parts += [_text(x, y, word, "word") for x, word in zip(centres[side], sides[side], strict=True)]
    width = max(
        (row[-1] + _CHARACTER * len(words[-1]) for row, words in zip(centres, sides, strict=True) if row), default=0
    )
    across, down = f"{width + 20:.0f}", f"{bottom + height * _LEVEL + 24:.0f}"
    size = f'viewBox="0 0 {across} {down}" width="{across}" height="{down}"'
    body = "\n".join(parts)
    style = f"<style>{_STYLE}</style>\n" if styled else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{style}{body}\n</svg>\n'


def _places(words: tuple[str, ...]) -> list[float]:
    places = []
    x = 10.0
    for word in words:
        width = _CHARACTER * max(len(word), 3)
        places.append(x + width / 2)
        x += width + _GAP
    return places


def _heights(derivation: Derivation) -> dict[int, int]:
    heights: dict[int, int] = {}
    for _, node in reversed(list(derivation.nodes())):
        heights[id(node)] = 1 + max((heights[id(child)] for child in node.children), default=-1)
    return heights


def _own_words(node: DerivationNode, side: int) -> list[int]:
    """Return the positions of the words that the node's own rule produces."""
    spans = [child.source if side == 0 else child.target for child in node.children]
    whole = node.source if side == 0 else node.target
    return [place for place in range(*whole) if not any(first <= place < last for first, last in spans)]


def _edges(
    node: DerivationNode,
    centres: list[list[float]],
    places: list[dict[int, tuple[float, float]]],
    lines: tuple[float, float],
) -> list[str]:
    parts = []
    for side in (0, 1):
        x, y = places[side][id(node)]
        near = 3.0 if side == 0 else -13.0
        ends = [(centres[side][place], lines[side] + (-13 if side == 0 else 4)) for place in _own_words(node, side)]
        for child in node.children:
            child_x, child_y = places[side][id(child)]
            ends.append((child_x, child_y - 13 if side == 0 else child_y + 4))
        parts += [f'<path class="rule" d="M{x:.1f} {y + near:.1f}L{to_x:.1f} {to_y:.1f}"/>' for to_x, to_y in ends]
    return parts


def _joints(node: DerivationNode, centres: list[list[float]], lines: tuple[float, float]) -> list[str]:
    own = [_own_words(node, side) for side in (0, 1)]
    if not own[0] or not own[1]:
        return []
    middles = [sum(centres[side][place] for place in own[side]) / len(own[side]) for side in (0, 1)]
    return [f'<path class="joint" d="M{middles[0]:.1f} {lines[0] + 5:.1f}L{middles[1]:.1f} {lines[1] - 15:.1f}"/>']


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" class="{kind}">{escape(text)}</text>'


def derivation_lines(system: str, segment: int, derivation: Derivation, *, as_json: bool) -> str:
    """Return a derivation as a line of JSON, or as readable text."""
    import json

    if as_json:
        return (
            json.dumps({"system": system, "segment": str(segment), **derivation.to_dict()}, ensure_ascii=False) + "\n"
        )
    words = " ".join(derivation.source), " ".join(derivation.target)
    return f"# {system} {segment}: {words[0]} -> {words[1]}\n{derivation.to_text()}\n"
