"""A worker process of the server, one job after another: ``python -m paragauge.web.worker SETTINGS``.

A job that takes too long is stopped by ending its process, which is impossible with threads, and a job that crashes its
process (out of memory) does not crash the server. Jobs come on standard input and answers go to standard output, both
in frames: eight bytes of length, then that many bytes of JSON. The JSON of an answer follows one letter for its kind.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import time
import traceback
from typing import Any, BinaryIO

from paragauge.errors import ParagaugeError
from paragauge.metrics.helpers import VARIABLE as PROCESSES
from paragauge.web.protocol import LENGTH, PROBLEM, PROGRESS, RESULT, Kind, Settings
from paragauge.web.tasks import TASKS

_SECONDS_BETWEEN_PROGRESS = 0.1


class Reporter:
    """Reports progress to the server a few times per second."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._last = 0.0

    def __call__(self, done: int, total: int | None, what: str, /) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_PROGRESS:
            self._last = now
            write(self._output, frame(PROGRESS, {"done": done, "total": total, "what": what}))


def frame(kind: Kind, value: object) -> bytes:
    """Return one answer as written to the stream."""
    data = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return (len(data) + 1).to_bytes(LENGTH) + kind + data


def write(output: BinaryIO, data: bytes) -> None:
    """Write an answer and flush it."""
    output.write(data)
    output.flush()


def serve_jobs(source: BinaryIO, output: BinaryIO, settings: Settings) -> None:
    """Report that the worker is ready, then run jobs until there are no more."""
    write(output, frame(RESULT, None))
    while header := source.read(LENGTH):
        job = json.loads(source.read(int.from_bytes(header)))
        write(output, answer(job, settings, Reporter(output)))


def answer(job: dict[str, Any], settings: Settings, progress: Reporter) -> bytes:
    """Return the result of a job, or the problem with it."""
    try:
        return frame(RESULT, TASKS[job["task"]](job["request"], settings, progress))
    except ParagaugeError as error:
        return _problem(422, _printable(error))
    except (MemoryError, RecursionError):
        return _problem(413, "this needs more memory than is available; send fewer or shorter segments")
    except BrokenPipeError:  # the server is not listening
        raise
    except Exception:
        traceback.print_exc()  # to the server's standard error: a bug here or in a plug-in
        return _problem(500, "the computation failed; see the standard error of the server for details")


def _problem(status: int, detail: str) -> bytes:
    return frame(PROBLEM, {"status": status, "detail": detail})


def _printable(error: Exception) -> str:
    """Return the message without lone surrogates, which a response cannot contain."""
    return str(error).encode("utf-8", errors="backslashreplace").decode("utf-8")


def limit_memory(limit: int | None) -> None:
    """Make allocations beyond *limit* bytes fail in this process, where the system can (Linux).

    Files that are only mapped, as models are, do not count.
    """
    if limit is None or sys.platform != "linux":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def main() -> None:
    """Serve jobs on the standard streams."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when to stop
    logging.getLogger("paragauge").setLevel(logging.ERROR)  # answers carry the warnings
    settings = Settings(**json.loads(sys.argv[1]))
    limit_memory(settings.memory)
    os.environ[PROCESSES] = "1"  # the server has a worker for each core
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of a metric must not look like an answer
    try:
        serve_jobs(sys.stdin.buffer, output, settings)
    except BrokenPipeError:  # the server is gone
        os._exit(0)


if __name__ == "__main__":
    main()
