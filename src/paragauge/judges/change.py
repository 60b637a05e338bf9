"""A change that a candidate made, by name and by the words it concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "number", "date", "negation", "moved", "cancelled", "opposite", "converse", "reworded", "name", "quantifier",
    "hedge", "question", "place", "roles", "attachment", "replaced", "missing", "added",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was changed.

    Attributes:
        kind: What sort of change.
        original: Positions of the words in the original.
        candidate: Positions of the words in the candidate.
        certain: Whether it is sure, or only likely.
    """

    kind: Kind
    original: tuple[int, ...]
    candidate: tuple[int, ...]
    certain: bool = True
