"""Folders that every worker needs: sent with the job, and unpacked once on each machine."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path

from paragauge.io import PathLike
from paragauge.spark.engine import SparkEngine


@lru_cache(maxsize=1)
def _sent() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of everything sent; it lasts as long as the process, for workers that join later."""
    return tempfile.TemporaryDirectory(prefix="paragauge-sent-")


def send_folder(engine: SparkEngine, folder: PathLike) -> str:
    """Send a folder to all workers, and return its name for `received_folder`."""
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    packed = Path(_sent().name) / f"paragauge-{digest.hexdigest()[:16]}.zip"
    if not packed.exists():
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
            for path in paths:
                file.write(path, path.relative_to(folder).as_posix())
    engine.session.sparkContext.addFile(os.fspath(packed))
    return packed.name


@lru_cache(maxsize=1)
def received_folder(name: str) -> Path:
    """Return a folder that was sent, on a worker. All tasks on a machine share it."""
    from pyspark import SparkFiles

    packed = Path(SparkFiles.get(name))
    folder = packed.with_suffix(".folder")
    if not folder.is_dir():
        part = Path(tempfile.mkdtemp(dir=packed.parent))
        with zipfile.ZipFile(packed) as file:
            file.extractall(part)  # made by the driver of this job, so it can be trusted
        with contextlib.suppress(OSError):  # another task was faster
            part.rename(folder)
        shutil.rmtree(part, ignore_errors=True)
    return folder
