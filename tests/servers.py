"""The workbench as users start it: a process of its own, on a port that is free."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def serving(*options: str, folder: Path | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run ``paragauge serve`` and yield its address and process; it must end well when interrupted."""
    command = [sys.executable, "-m", "paragauge", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        yield found[0], process
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
