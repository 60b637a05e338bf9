"""Scatter plots as SVG: for reports, and as files of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from paragauge.report.axis import Axis, short, written
from paragauge.report.model import Point, ScatterPlot

WIDTH, HEIGHT = 420, 320
_TITLE = 28  # height of a title above its plot
_SCALE = 1.5
_STYLE = (
    "text{font:11px sans-serif;fill:#1b1f24}.title{font-weight:600}.axis{stroke:#d0d7de}"
    ".point{fill:#0757b8;fill-opacity:.45;stroke:#0757b8;stroke-opacity:.8}.hollow{fill:none;stroke:#bc342b}"
)


def scatter_svg(plots: Sequence[tuple[ScatterPlot, Collection[int]]]) -> str:
    """Return plots one below the other, each with its title, as a file that needs no style sheet.

    Args:
        plots: Plots, each with the places of points that are drawn hollow.
    """
    height = (HEIGHT + _TITLE) * len(plots)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * _SCALE:.0f}" height="{height * _SCALE:.0f}" '
        f'viewBox="0 0 {WIDTH} {height}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for place, (plot, hollow) in enumerate(plots):
        left_out = f" ({plot.left_out:,} more points not drawn)" if plot.left_out else ""
        parts += [
            f'<g transform="translate(0 {(HEIGHT + _TITLE) * place})">',
            f'<text class="title" x="{WIDTH / 2}" y="18" text-anchor="middle">{escape(plot.title + left_out)}</text>',
            f'<g transform="translate(0 {_TITLE})">',
            *scatter_shapes(plot, hollow),
            "</g></g>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def scatter_shapes(part: ScatterPlot, hollow: Collection[int] = ()) -> list[str]:
    """Return the axes, points and labels of a plot of `WIDTH` times `HEIGHT`, to be drawn by a style sheet."""
    width, height, left, bottom = WIDTH, HEIGHT, 58, 276
    x_axis = Axis([value for point in part.points for value in (point.x, point.shown_x)] or [0], left, width - 12)
    y_axis = Axis([value for point in part.points for value in (point.y, point.shown_y)] or [0], bottom, 12)
    shapes = []
    for tick in x_axis.ticks():
        shapes.append(f'<line class="axis" x1="{x_axis(tick)}" x2="{x_axis(tick)}" y1="12" y2="{bottom}"/>')
        shapes.append(f'<text x="{x_axis(tick)}" y="{bottom + 16}" text-anchor="middle">{written(tick)}</text>')
    for tick in y_axis.ticks():
        shapes.append(f'<line class="axis" x1="{left}" x2="{width - 12}" y1="{y_axis(tick)}" y2="{y_axis(tick)}"/>')
        shapes.append(f'<text x="{left - 6}" y="{y_axis(tick) + 4}" text-anchor="end">{written(tick)}</text>')
    shapes.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">{escape(part.x_label)}</text>')
    middle = (12 + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle})"'
    shapes.append(f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{escape(part.y_label)}</text>')
    kinds = ("point hollow" if place in hollow else "point" for place in range(len(part.points)))
    shapes += [_point(part, point, x_axis, y_axis, kind) for point, kind in zip(part.points, kinds, strict=True)]
    return [*shapes, *(_labels(part, x_axis, y_axis) if part.labelled else [])]


def _point(part: ScatterPlot, point: Point, x_axis: Axis, y_axis: Axis, kind: str) -> str:
    x, y = x_axis(point.shown_x), y_axis(point.shown_y)
    label = escape(point.label)
    values = escape(f"{part.x_label} {written(point.x)}, {part.y_label} {written(point.y)}")
    item = "" if point.item is None else f' data-item="{point.item}"'
    size = 5 if part.labelled else 3.5
    return (
        f'<circle class="{kind}" cx="{x}" cy="{y}" r="{size}"{item} data-label="{label}" '
        f'data-values="{values}"><title>{label}: {values}</title></circle>'
    )


def _labels(part: ScatterPlot, x_axis: Axis, y_axis: Axis) -> list[str]:
    """Return labels beside their points, moved up or down until none covers another or leaves the picture."""
    line, letter = 12.0, 6.2  # height of a line and approximate width of a letter
    top, bottom = min(y_axis.start, y_axis.end), max(y_axis.start, y_axis.end)
    placed: list[tuple[float, float, float]] = []  # left and right end, and height, of each label
    shapes = []
    for point in sorted(part.points, key=lambda each: y_axis(each.shown_y)):
        x, y = x_axis(point.shown_x), y_axis(point.shown_y)
        label = short(point.label, 18)
        wide = len(label) * letter
        before = x > (x_axis.start + x_axis.end) / 2
        start = x - 8 - wide if before else x + 8

        def free(height: float, start: float = start, wide: float = wide) -> bool:
            return top <= height <= bottom and all(
                abs(height - other) >= line or start > right or start + wide < left for left, right, other in placed
            )

        moves = (sign * step * line / 2 for step in range(int(bottom - top)) for sign in (1, -1))
        height = next((y + move for move in moves if free(y + move)), y)
        placed.append((start, start + wide, height))
        if abs(height - y) > line / 2:
            near = x - 6 if before else x + 6
            shapes.append(f'<line class="axis" x1="{x}" x2="{near}" y1="{y}" y2="{round(height, 2)}"/>')
        side, anchor = ("end", x - 8) if before else ("start", x + 8)
        place = f'x="{round(anchor, 2)}" y="{round(height + 4, 2)}" text-anchor="{side}"'
        shapes.append(f"<text {place}>{escape(label)}</text>")
    return shapes
