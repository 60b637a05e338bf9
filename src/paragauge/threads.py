"""The number of threads for the native core."""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path

from paragauge.errors import OptionError

MOST_THREADS = 1024

_limit: int | None = None

_CGROUP = Path("/sys/fs/cgroup")


def thread_count(threads: int | None) -> int:
    """Return *threads*, or the number of cores available to this process if it is ``None``.

    Available are the cores that the process may run on, and in a container no more than its share of processor time.
    """
    if threads is None:
        if _limit is not None:
            return _limit
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(cores, _container_cores())
    if not 1 <= threads <= MOST_THREADS:
        raise OptionError(f"the number of threads must be between 1 and {MOST_THREADS}; got {threads!r}")
    return threads


def limit_threads(threads: int) -> None:
    """Let `thread_count` return *threads* where nobody asks for a number: for programs that run beside others."""
    global _limit
    _limit = threads


@cache
def _container_cores() -> int:
    """Return how many cores the limits of a container (cgroup version 2 or 1) amount to, at least one."""
    try:
        text = (_CGROUP / "cpu.max").read_text(encoding="ascii").split()
        quota, period = text[0], text[1]
    except (OSError, ValueError, IndexError):
        try:
            quota = (_CGROUP / "cpu" / "cpu.cfs_quota_us").read_text(encoding="ascii").strip()
            period = (_CGROUP / "cpu" / "cpu.cfs_period_us").read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return MOST_THREADS
    try:
        limit = int(quota) / int(period)  # "max" or -1: no limit
    except (ValueError, ZeroDivisionError):
        return MOST_THREADS
    return max(1, math.ceil(limit)) if limit > 0 else MOST_THREADS
