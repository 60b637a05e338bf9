"""Paths on any file system that Spark reads, and simple file operations there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragauge.io import PathLike

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|file:")


def has_scheme(path: PathLike) -> bool:
    """Return whether a path names its file system, such as ``hdfs://`` or ``s3a://``."""
    return _SCHEME.match(str(path)) is not None


def qualified(path: PathLike) -> str:
    """Return the path with its file system; a path without one is local, whatever the cluster's default is."""
    text = str(path)
    return text if has_scheme(text) else f"file://{Path(text).expanduser().absolute()}"


def literal(path: str) -> str:
    """Return a path escaped so that Spark does not treat it as a pattern."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", path)


class Files:
    """Files on any file system, through Spark's own driver."""

    def __init__(self, session: SparkSession) -> None:
        self._jvm: Any = session.sparkContext._jvm
        self._settings: Any = session.sparkContext._jsc.hadoopConfiguration()

    def default(self) -> str:
        """Return the cluster's file system for paths without a scheme."""
        return str(self._jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(self._settings).toString())

    def exists(self, path: str) -> bool:
        """Return whether a file or folder exists."""
        place, system = self._open(path)
        return bool(system.exists(place))

    def delete(self, path: str) -> None:
        """Delete a file or folder if it exists."""
        place, system = self._open(path)
        system.delete(place, True)

    def move(self, path: str, target: str) -> None:
        """Rename a file."""
        place, system = self._open(path)
        system.rename(place, self._open(target)[0])

    def parts(self, folder: str) -> list[str]:
        """Return the data files that a Spark job has written to a folder, in order."""
        place, system = self._open(folder)
        if not system.exists(place):
            return []
        names = [status.getPath().getName() for status in system.listStatus(place)]
        return [f"{folder}/{name}" for name in sorted(names) if name.startswith("part-")]

    def write(self, path: str, text: str) -> None:
        """Write a small file."""
        place, system = self._open(path)
        stream = system.create(place, True)
        try:
            stream.write(bytearray(text.encode("utf-8")))
        finally:
            stream.close()

    def read(self, path: str) -> str:
        """Return the text of a small file."""
        place, system = self._open(path)
        stream = system.open(place)
        try:
            return bytes(stream.readAllBytes()).decode("utf-8")
        finally:
            stream.close()

    def _open(self, path: str) -> tuple[Any, Any]:
        place = self._jvm.org.apache.hadoop.fs.Path(path)
        return place, place.getFileSystem(self._settings)
