"""Programs run with a real terminal at the other end of standard error."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Sequence
from pathlib import Path


def run_in_terminal(program: Sequence[str], folder: Path) -> tuple[int, bytes]:
    """Return the exit code of *program* and what its terminal showed; the terminal claims to have no size at all."""
    terminal, other_end = pty.openpty()
    process = subprocess.Popen(program, cwd=folder, stdout=subprocess.DEVNULL, stderr=other_end)
    os.close(other_end)
    seen = b""
    try:
        while chunk := os.read(terminal, 4096):
            seen += chunk
    except OSError:
        pass  # the terminal closes with the program
    os.close(terminal)
    return process.wait(timeout=60), seen
