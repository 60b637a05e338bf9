"""Grammars by their path, here or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from paragauge.grammar.grammar import Grammar
from paragauge.io import PathLike
from paragauge.storage.engine import EngineOptions
from paragauge.storage.remote import Job, RemoteEngine


class KnownGrammar(Protocol):
    """What is known of a grammar, wherever its rules are."""

    @property
    def name(self) -> str:
        """Where it lies."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns of its rules."""

    @property
    def digest(self) -> str | None:
        """What signatures carry."""


@dataclass(frozen=True, slots=True)
class OpenGrammar(Job[KnownGrammar]):
    """The work of `open_grammar`, for a remote engine."""

    kind: ClassVar[str] = "tables"

    path: PathLike


def open_grammar(path: PathLike, *, engine: EngineOptions | RemoteEngine | None = None) -> KnownGrammar:
    """Return a grammar folder, or a file of rules in Joshua's text format.

    Args:
        path: Where it lies; on a cluster, on any file system that it reads.
        engine: Where its rules are to be worked on: here, which gives a `Grammar`, or on a cluster.
    """
    if isinstance(engine, RemoteEngine):
        return engine.perform(OpenGrammar(path))
    return Grammar.open(path)
