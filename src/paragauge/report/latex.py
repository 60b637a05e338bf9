"""The tables of a report as LaTeX for papers; no packages needed."""

from __future__ import annotations

from paragauge.meta.choices import SIGNIFICANT
from paragauge.report.model import GridCell, GridPart, Report
from paragauge.report.table import Cell, ResultTable
from paragauge.report.text import part_table

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "\n": " ",
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


def latex_escape(text: str) -> str:
    r"""Return *text* escaped for LaTeX.

    >>> latex_escape("50% of a_b")
    '50\\% of a\\_b'
    """
    return text.translate(_SPECIAL)


def report_latex(report: Report) -> str:
    """Return the tables of *report*, each in a table environment."""
    lines = [f"% {line}" for text in (report.title, *report.notes) for line in text.splitlines()]
    for section in report.sections:
        for part in section.parts:
            if isinstance(part, GridPart):
                lines += ["", _grid(part)]
                continue
            table = part_table(report, part)
            if table is not None:
                lines += ["", _table(table, part.title, part.key)]
    return "\n".join(lines) + "\n"


def _grid(part: GridPart) -> str:
    """Return systems by metrics: best scores in bold, a dagger on significant differences, signatures as comments."""
    arrows = {"higher": r"$\uparrow$", "lower": r"$\downarrow$"}
    names = [
        f"{latex_escape(metric)} {arrows[better]}" for metric, better in zip(part.metrics, part.better, strict=True)
    ]
    body = [
        " & ".join([latex_escape(system), *map(_score, cells)]) + r" \\"
        for system, cells in zip(part.systems, part.cells, strict=True)
    ]
    signatures = dict.fromkeys(cell.signature for cells in part.cells for cell in cells)
    caption = latex_escape(part.title)
    if part.baseline is not None:
        caption += rf". $^\dagger$ differs significantly from {latex_escape(part.baseline)} ($p < 0.05$)."
    return "\n".join(
        [
            *(f"% {signature}" for signature in signatures),
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{part.key}}}",
            r"\begin{tabular}{l" + "r" * len(part.metrics) + "}",
            r"\hline",
            " & ".join(["system", *names]) + r" \\",
            r"\hline",
            *body,
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _score(cell: GridCell) -> str:
    number = f"{cell.value:.{cell.digits}f}"
    shown = rf"\mathbf{{{number}}}" if cell.best else number
    if cell.p_value is not None and cell.p_value < SIGNIFICANT:
        shown += r"^\dagger"
    if cell.low is not None and cell.high is not None:
        shown += rf" \pm {(cell.high - cell.low) / 2:.{cell.digits}f}"
    return f"${shown}$"


def _table(table: ResultTable, caption: str, label: str) -> str:
    numeric = [any(isinstance(row.get(name), int | float) for row in table.rows) for name in table.columns]
    body = [" & ".join(_cell(row.get(name)) for name in table.columns) + r" \\" for row in table.rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_escape(caption)}}}",
            rf"\label{{tab:{label}}}",
            r"\begin{tabular}{" + "".join("r" if number else "l" for number in numeric) + "}",
            r"\hline",
            " & ".join(map(latex_escape, table.columns)) + r" \\",
            r"\hline",
            *body,
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"${cell:.4f}$" if cell < 0 else f"{cell:.4f}"
    return latex_escape(str(cell))
