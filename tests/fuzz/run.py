"""Damage every kind of resource in many ways: nothing may crash, hang, allocate without bounds or change in silence.

``python tests/fuzz/run.py --count 1000`` runs a thousand mutations of each kind; the tests run a few.
"""

from __future__ import annotations

import argparse
import collections
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from kinds import KINDS  # noqa: E402

SECONDS = 60.0  # for one mutation, with room for a busy machine
BAD = ("SILENT", "UNSEEN", "UNVERIFIED", "MUTE", "MEMORY", "TRACEBACK", "CRASH", "HANG")


def fuzz(kind: str, count: int, seed: int = 1, first: int = 0) -> tuple[collections.Counter[str], list[str]]:
    """Return how *count* mutations of a kind ended, and descriptions of those that ended badly."""
    ends: collections.Counter[str] = collections.Counter()
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example"
        KINDS[kind].make(path)
        number = first
        while number < first + count:
            number = _batch(kind, path, number, first + count - number, seed, ends, bad)
            path = Path(folder) / f"example-{number}"
            if number < first + count:  # the process ended in the middle: its example may be damaged
                KINDS[kind].make(path)
    return ends, bad


def _batch(
    kind: str, path: Path, first: int, count: int, seed: int, ends: collections.Counter[str], bad: list[str]
) -> int:
    """Run mutations in one process until all are done or it ends; return the number of the next one."""
    command = [sys.executable, str(HERE / "worker.py"), kind, str(path), str(first), str(count), str(seed)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment) as process,
    ):
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=lambda: [*map(lines.put, process.stdout or ()), lines.put("")], daemon=True).start()
        begun = ""
        while True:
            try:
                line = lines.get(timeout=SECONDS)
            except queue.Empty:
                process.kill()
                return _ended_badly("HANG", begun, first, ends, bad)
            if not line:
                break
            number, end, _ = line.split(maxsplit=2)
            if end == "begun":
                begun = line.strip()
                continue
            ends[end] += 1
            begun = ""
            first = int(number) + 1
            if end in BAD:
                bad.append(f"{kind} seed {seed}: {line.strip()}")
        code = process.wait()
        if code == 0:
            return first
        errors.seek(0)
        tail = errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        if not begun:
            raise RuntimeError(f"{kind}: the worker ended with {code}: {tail}")
        return _ended_badly(f"CRASH {code} {tail}", begun, first, ends, bad)


def _ended_badly(how: str, begun: str, first: int, ends: collections.Counter[str], bad: list[str]) -> int:
    ends[how.split()[0]] += 1
    bad.append(f"{how}: {begun}")
    return int(begun.split()[0]) + 1 if begun else first + 1


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Fuzz some kinds, print how the mutations ended, and return 1 if any ended badly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: all")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failed = False
    for kind in arguments.kind or KINDS:
        ends, bad = fuzz(kind, arguments.count, arguments.seed)
        say(f"{kind}: " + ", ".join(f"{count} {end}" for end, count in sorted(ends.items())))
        for line in bad:
            say(f"  {line}")
        failed = failed or bool(bad)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
