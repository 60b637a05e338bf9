"""A Spark session: its master, its settings, and the errors if Spark is not available."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paragauge.errors import MissingExtraError, OptionError, ParagaugeError
from paragauge.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DEFAULT_MASTER = "local[*]"
_LOOPBACK = re.compile(r"local(\[.*\])?|spark://(127\.0\.0\.1|localhost)(:\d+)?(,.*)?")

# Needed by every run. Line numbers come from counting lines in the blocks of a file, so the blocks must be the same
# each time it is read, whatever the number of workers: block size must not depend on it.
_NEEDED = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.files.maxPartitionBytes": "32m",
    "spark.sql.files.minPartitionNum": "1",
    "spark.sql.sources.default": "parquet",
    "spark.sql.sources.partitionOverwriteMode": "static",
}
# Defaults for a new session.
_USUAL = {
    "spark.app.name": "paragauge",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    # Files of a task appear only when the whole job is done: a failed job leaves none.
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "1",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
}


class ClusterError(ParagaugeError, RuntimeError):
    """Spark cannot be started, or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkOptions:
    """Where Spark runs, and how.

    Attributes:
        master: Spark master, such as ``local[2]``, ``spark://host:7077``, ``yarn`` or ``k8s://...``.
        temp: Folder for intermediate tables: a path that all workers and the driver can access. By default the system's
            folder for temporary files, if all of them run on this machine.
        settings: Spark settings, such as ``spark.executor.memory``.
        pairs_in_part: Number of sentence pairs that a task processes at a time.
        pairs_in_task: In pivoting, a foreign phrase that connects more pairs of phrases than this is split between
            several tasks.
        progress: Called regularly with the number of tasks done and what they do.
    """

    master: str = DEFAULT_MASTER
    temp: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    pairs_in_part: int = 1 << 14
    pairs_in_task: int = 1 << 24
    progress: Progress | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.pairs_in_part < 1:
            raise OptionError(f"pairs_in_part must be at least 1, got {self.pairs_in_part}")
        if self.master.startswith("sc://"):
            raise OptionError(
                f"{self.master!r} is a Spark Connect server, which gives no access to its driver's files and tasks; "
                "give the master itself, such as spark://host:7077 or yarn"
            )
        for name in self.settings:
            if not name.startswith("spark."):
                raise OptionError(f"{name!r} is not a Spark setting; expected one such as spark.executor.memory=4g")

    @property
    def is_this_machine(self) -> bool:
        """Whether all workers run on this machine, so that they share its disk."""
        return _LOOPBACK.fullmatch(self.master) is not None


def open_session(options: SparkOptions) -> tuple[SparkSession, bool]:
    """Return a session for *options*, and whether it is new, so that the caller must stop it.

    A session that is already running, as in a notebook or under ``spark-submit``, is used if it has the same master.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("the engine 'spark'", "pyspark", "spark") from error

    active = SparkSession.getActiveSession()
    if active is not None:
        running = active.sparkContext.master
        if running != options.master:
            raise OptionError(f"a Spark session is running on {running!r}, not on {options.master!r}; stop it first")
        return _prepared(active.newSession()), False
    settings = {**_USUAL, **_NEEDED}
    if options.is_this_machine:
        # Otherwise Java looks up the name of the machine in the network, and listens there.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = SparkSession.builder.master(options.master)
    for name, value in {**settings, **options.settings}.items():
        builder = builder.config(name, value)
    try:
        return _prepared(builder.getOrCreate()), True
    except Exception as error:
        text = " ".join(str(error).split())
        if "JAVA_GATEWAY_EXITED" in text or "Java gateway process exited" in text:
            raise ClusterError("Spark did not start; it needs Java 17 or newer (JAVA_HOME, or java on PATH)") from error
        raise ClusterError(f"Spark did not start on {options.master!r}: {text[:300]}") from error


def _prepared(session: SparkSession) -> SparkSession:
    for name, value in _NEEDED.items():
        session.conf.set(name, value)
    return session
