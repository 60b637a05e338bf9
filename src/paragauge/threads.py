"""The number of threads for the native core."""

from __future__ import annotations

import os

from paragauge.errors import OptionError

MOST_THREADS = 1024


def thread_count(threads: int | None) -> int:
    """Return *threads*, or the number of cores available to this process if it is ``None``."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= threads <= MOST_THREADS:
        raise OptionError(f"the number of threads must be between 1 and {MOST_THREADS}; got {threads!r}")
    return threads
