"""Write native/src/text/categories.inc: the characters of Unicode's categories N, P and S, by the package regex.

    python tools/make_categories.py

The tokeniser ``intl`` of mteval-v14 is defined by these categories.
"""

from __future__ import annotations

from pathlib import Path

import regex

OUTPUT = Path(__file__).resolve().parent.parent / "native" / "src" / "text" / "categories.inc"
NAMES = {"N": "numbers", "P": "punctuation", "S": "symbols"}


def ranges(category: str) -> list[tuple[int, int]]:
    """Return the first and last characters of all runs of characters of *category*."""
    pattern = regex.compile(rf"\p{{{category}}}")
    found: list[tuple[int, int]] = []
    for code in range(0x110000):
        if pattern.match(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1] = (found[-1][0], code)
            else:
                found.append((code, code))
    return found


def main() -> None:
    """Write the file."""
    lines = [f"// Made by tools/make_categories.py from the package regex {regex.__version__}."]
    for category, name in NAMES.items():
        lines.append(f"constexpr Range {name}[] = {{")
        cells = [f"{{0x{first:x}, 0x{last:x}}}" for first, last in ranges(category)]
        lines += ["    " + ", ".join(cells[start : start + 6]) + "," for start in range(0, len(cells), 6)]
        lines.append("};")
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
