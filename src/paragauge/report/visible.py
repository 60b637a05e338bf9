"""Texts of users as people may see them: nothing in them steers a terminal, turns its surroundings or is too wide."""

from __future__ import annotations

import unicodedata

WIDEST = 30  # columns of a text in a drawing
# Characters that would steer a terminal or turn the text around them are shown instead of sent.
_VISIBLE = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: "␡",
    **{code: f"[U+{code:04X}]" for code in (*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))},
}


def visible(text: str) -> str:
    """Return *text* with pictures or numbers of the characters that would change how the text around them is shown.

    >>> visible("\x1b[31mred\u202e")
    '␛[31mred[U+202E]'
    """
    return text.translate(_VISIBLE)


def shortened(text: str, widest: int = WIDEST) -> str:
    """Return *text*, all of it visible, cut off if it would not fit into a drawing."""
    text = visible(text)
    return text if columns(text) <= widest else f"{text[: widest - 1]}…"


def columns(text: str) -> int:
    """Return the width of *text* in columns; East Asian characters count as two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
