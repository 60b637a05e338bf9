"""The workbench as users start it: a process of its own, on a port that is free."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TINY_GRAMMAR = "[X] ||| bought ||| purchased\n[X] ||| the [X,1] ||| the [X,1]\n[X] ||| house ||| house\n"


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


@pytest.fixture(scope="session")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running workbench with a small grammar, without the slash at its end."""
    folder = tmp_path_factory.mktemp("workbench")
    (folder / "tiny.grammar").write_text(TINY_GRAMMAR, encoding="utf-8")
    (folder / "work").mkdir()
    with serving("--grammar", "tiny.grammar", "--work", "work", "--time-limit", "30", folder=folder) as (address, _):
        yield address.rstrip("/")
