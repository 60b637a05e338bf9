"""The workbench as users start it: a process of its own, on a port that is free."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def serving(
    *options: str, folder: Path | None = None, path: Path | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run ``paragauge serve`` and yield its address and process; it must end well when interrupted.

    Args:
        options: Of the command.
        folder: Where to run it.
        path: A folder with more packages for it to find.
    """
    command = [sys.executable, "-m", "paragauge", "serve", "--port", "0", *options]
    environment = {**os.environ, **({} if path is None else {"PYTHONPATH": str(path)})}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment)
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        yield found[0], process
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
