"""Work that an engine elsewhere does as a whole, such as a Spark cluster: files in, files out, a summary back.

A function with an argument ``engine`` does its work here, with DuckDB under `EngineOptions`, or hands it as a `Job` to
a `RemoteEngine`. Jobs are plain values; which code does them is the engine's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from paragauge.errors import OptionError
from paragauge.io import PathLike
from paragauge.progress import Progress
from paragauge.storage.engine import EngineOptions

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What went in, what came out, and what was left out on the way.

    Attributes:
        input: What was counted going in.
        rows_in: How many.
        output: What came out.
        rows_out: How many.
        dropped: By reason, how many did not come out.
    """

    input: str
    rows_in: int
    output: str
    rows_out: int
    dropped: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        dropped = ", ".join(f"{count:,} {reason}" for reason, count in self.dropped.items() if count)
        return f"{self.rows_in:,} {self.input} in, {self.rows_out:,} {self.output} out; dropped: {dropped or 'nothing'}"


class Job(Generic[R]):
    """A piece of work with all its options; derive a frozen dataclass from it. *R* is what comes back.

    Attributes:
        kind: Under which name engines know it.
    """

    kind: ClassVar[str]


@runtime_checkable
class RemoteEngine(Protocol):
    """An engine that does whole jobs."""

    def perform(self, job: Job[R]) -> R:
        """Do *job*, and return what came of it."""


def remote_output(output: PathLike | None, progress: Progress | None) -> PathLike:
    """Return where a remote engine writes; refuse what it has no use for."""
    if output is None:
        raise OptionError("a remote engine writes to files; name a folder with output=...")
    if progress is not None:
        raise OptionError("a remote engine reports progress itself; pass progress to its own options")
    return output


def local_options(engine: EngineOptions | RemoteEngine | None) -> EngineOptions:
    """Return the options of the embedded engine; refuse a remote one where data lies in memory."""
    if engine is None:
        return EngineOptions()
    if not isinstance(engine, EngineOptions):
        raise OptionError("a remote engine works on files, and these data lie in memory; write them to files first")
    return engine
