"""Opening grammars by path, locally or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from paragauge.grammar.grammar import Grammar
from paragauge.io import PathLike
from paragauge.storage.engine import EngineOptions
from paragauge.storage.remote import Job, RemoteEngine


class KnownGrammar(Protocol):
    """The properties of a grammar, wherever its rules are stored."""

    @property
    def name(self) -> str:
        """The path of the grammar."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns of its rules."""

    @property
    def digest(self) -> str | None:
        """The digest for signatures."""


@dataclass(frozen=True, slots=True)
class OpenGrammar(Job[KnownGrammar]):
    """The work of `open_grammar`, for a remote engine."""

    kind: ClassVar[str] = "tables"

    path: PathLike


def open_grammar(path: PathLike, *, engine: EngineOptions | RemoteEngine | None = None) -> KnownGrammar:
    """Return a grammar folder, or a file of rules in Joshua's text format.

    Args:
        path: Path of the grammar; on a cluster, on any file system that the cluster reads.
        engine: Where to process its rules: locally, which returns a `Grammar`, or on a cluster.
    """
    if isinstance(engine, RemoteEngine):
        return engine.perform(OpenGrammar(path))
    return Grammar.open(path)
