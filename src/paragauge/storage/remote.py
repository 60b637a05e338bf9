"""Jobs for a remote engine, such as a Spark cluster: it reads files, writes files, and returns a summary.

A function with an argument ``engine`` does its work locally, with DuckDB under `EngineOptions`, or passes it as a `Job`
to a `RemoteEngine`. Jobs are plain values; the engine chooses the code that runs them.
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
    """What a job read, what it wrote, and what it dropped.

    Attributes:
        input: Kind of the rows read.
        rows_in: Number of rows read.
        output: Kind of the rows written.
        rows_out: Number of rows written.
        dropped: Number of dropped rows, by reason.
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
    """A piece of work with all its options; derive a frozen dataclass from it. *R* is the type of its result.

    Attributes:
        kind: Name under which engines know the job.
    """

    kind: ClassVar[str]


@runtime_checkable
class RemoteEngine(Protocol):
    """An engine that runs whole jobs."""

    def perform(self, job: Job[R]) -> R:
        """Run *job*, and return its result."""


def remote_output(output: PathLike | None, progress: Progress | None) -> PathLike:
    """Return the output path of a remote engine; raise an error for arguments that it does not support."""
    if output is None:
        raise OptionError("a remote engine writes to files; give a folder with output=...")
    if progress is not None:
        raise OptionError("a remote engine reports progress itself; pass progress to its own options")
    return output


def local_options(engine: EngineOptions | RemoteEngine | None) -> EngineOptions:
    """Return the options of the embedded engine; raise an error for a remote one if the data is in memory."""
    if engine is None:
        return EngineOptions()
    if not isinstance(engine, EngineOptions):
        raise OptionError("a remote engine works on files, but this data is in memory; write it to files first")
    return engine
