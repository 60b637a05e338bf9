"""Precision and recall against the number of rules, as SVG: figure 4 of the PARADIGM paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _MARGIN = 560.0, 340.0, 56.0
_COLOURS = {"recall": "#1f4e79", "precision": "#c55a11"}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Precision and recall of a grammar pruned to its most probable rules."""

    rules: int
    precision: float
    recall: float


def curve_svg(points: Sequence[CurvePoint], title: str) -> str:
    """Return the plot: rules on a logarithmic scale, precision on the left, recall on the right."""
    return curves_svg([(points, title)])


def curves_svg(curves: Sequence[tuple[Sequence[CurvePoint], str]]) -> str:
    """Return several plots, each with its title, one below the other."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH:.0f}" height="{_HEIGHT * len(curves):.0f}">',
        "<style>text{font:12px sans-serif}</style>",
    ]
    for number, (points, title) in enumerate(curves):
        parts += [f'<g transform="translate(0 {_HEIGHT * number:.0f})">', *_plot(points, title), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _plot(points: Sequence[CurvePoint], title: str) -> list[str]:
    parts = [
        _text(_WIDTH / 2, 20, title, "middle"),
        f'<rect x="{_MARGIN}" y="32" width="{_WIDTH - 2 * _MARGIN}" height="{_HEIGHT - 80}" fill="none" '
        'stroke="#888"/>',
        _text(_WIDTH / 2, _HEIGHT - 10, "number of rules", "middle"),
    ]
    if points:
        low = math.floor(math.log10(points[0].rules))
        high = max(math.ceil(math.log10(points[-1].rules)), low + 1)
        for power in range(low, high + 1):
            x = _x(10**power, low, high)
            parts.append(f'<path d="M{x:.1f} {_HEIGHT - 48:.1f}v5" stroke="#888"/>')
            parts.append(_text(x, _HEIGHT - 30, _short(10**power), "middle"))
        for name, side in (("precision", "start"), ("recall", "end")):
            values = [getattr(point, name) for point in points]
            most = _nice(max(values))
            line = " ".join(
                f"{_x(point.rules, low, high):.1f},{_y(value, most):.1f}"
                for point, value in zip(points, values, strict=True)
            )
            parts.append(f'<polyline points="{line}" fill="none" stroke="{_COLOURS[name]}" stroke-width="2"/>')
            x = 4.0 if side == "start" else _WIDTH - 4
            parts += [
                _text(x, _y(most * step / 4, most) + 4, f"{most * step / 4:g}", side, _COLOURS[name])
                for step in range(5)
            ]
            label_x = _MARGIN + 8 if side == "start" else _WIDTH - _MARGIN - 8
            parts.append(_text(label_x, 48, name, side, _COLOURS[name]))
    return parts


def _x(rules: int, low: int, high: int) -> float:
    return _MARGIN + (math.log10(rules) - low) / (high - low) * (_WIDTH - 2 * _MARGIN)


def _y(value: float, most: float) -> float:
    return _HEIGHT - 48 - value / most * (_HEIGHT - 100)


def _nice(value: float) -> float:
    """Return a round number of at least *value*."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value * 0.999999)


def _short(number: int) -> str:
    for size, unit in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{unit}"
    return str(number)


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
