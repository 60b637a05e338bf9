"""Shell patterns that have been expanded: ``--ref ref* SYSTEM`` reaches the program as ``--ref ref1 ref2 SYSTEM``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

_REFERENCE = re.compile(r"(?<![a-z])refs?(?![a-z])|reference", re.IGNORECASE)


def expanded_with(first: str, following: Sequence[str]) -> list[str]:
    """Return those of the files *following* that probably come from the same pattern as *first*.

    Names that differ only in their numbers do. Others do if they look like what a shell makes of a pattern, which is
    all matching files, sorted: they are in one folder, in order, and no other file of the folder has the beginning and
    the end that their names share. If no file is left for a system, what they share must also contain "ref".
    """
    for count in range(len(following), 0, -1):
        paths = [Path(file) for file in (first, *following[:count])]
        if len({path.parent for path in paths}) > 1 or sorted(set(paths)) != paths:
            continue
        names = [path.name for path in paths]
        start, end = _shared(names)
        numbered = len({re.sub(r"\d+", "#", name) for name in names}) == 1
        if numbered or (_all_matching(paths[0].parent, start, end) == set(names) and count < len(following)):
            return list(following[:count])
        if _REFERENCE.search(start) or _REFERENCE.search(end):
            return list(following[:count])
    return []


def _shared(names: Sequence[str]) -> tuple[str, str]:
    """Return the beginning and the end that all *names* share, without overlap."""
    start = _beginning(names)
    return start, _beginning([name[len(start) :][::-1] for name in names])[::-1]


def _beginning(names: Sequence[str]) -> str:
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike)


def _all_matching(folder: Path, start: str, end: str) -> set[str]:
    """Return the names in *folder* that a shell gives for the pattern ``start*end``."""
    try:
        present = [each.name for each in folder.iterdir()]
    except OSError:
        return set()
    seen = [name for name in present if start or not name.startswith(".")]
    return {name for name in seen if name.startswith(start) and name[len(start) :].endswith(end)}
