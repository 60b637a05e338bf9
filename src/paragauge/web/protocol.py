"""The protocol between the server and its workers."""

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
    """Settings of every worker.

    Attributes:
        work: Folder for temporary files of requests.
        metrics: Metrics whose options may name files, since the owner of the server chose them.
        grammar: Grammar for derivations and rewritings, if any.
        lm: Language model for rewritings, if any.
        weights: Weights for rewritings, if any.
        memory: Most bytes of memory that a worker may allocate; ``None`` for no limit.
    """

    work: str
    metrics: tuple[str, ...] = ()
    grammar: str | None = None
    memory: int | None = None
    lm: str | None = None
    weights: str | None = None
