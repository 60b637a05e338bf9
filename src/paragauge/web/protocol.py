"""What the server and its workers know of one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[b"p", b"r", b"e"]

PROGRESS: Kind = b"p"  # {"done": 10, "total": 20, "what": "bleu a"}
RESULT: Kind = b"r"
PROBLEM: Kind = b"e"  # {"status": 422, "detail": "..."}
LENGTH = 8  # bytes, before each frame


@dataclass(frozen=True, slots=True)
class Settings:
    """What every worker is started with.

    Attributes:
        work: The folder in which files are laid down while they are read.
        metrics: Metrics whose options may name files: the owner of the server chose them.
        grammar: The grammar of derivations, if there is one.
    """

    work: str
    metrics: tuple[str, ...] = ()
    grammar: str | None = None
