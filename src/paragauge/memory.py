"""Sizes of memory: as users write them, as this machine has them, and as this process uses them."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

from paragauge.errors import OptionError

_SIZE = re.compile(r"\s*(\d{1,30}(?:\.\d{1,15})?)\s*([KMGT]i?B|B)\s*", re.IGNORECASE | re.ASCII)
_STATUS = Path("/proc/self/status")
_SECONDS_BETWEEN_LOOKS = 0.05


def parse_size(text: str) -> int:
    """Return a size such as ``1GB`` (1000^3) or ``512MiB`` (1024^2) in bytes.

    >>> parse_size("1GB"), parse_size("0.5 MiB")
    (1000000000, 524288)

    Raises:
        OptionError: *text* is not a size.
    """
    found = _SIZE.fullmatch(text)
    if found is None:
        raise OptionError(f"{text!r} is not a memory size; expected one such as 1GB or 512MiB")
    unit = found[2].upper()
    base = 1024 if "I" in unit else 1000
    return int(float(found[1]) * base ** "BKMGT".index(unit[0]))


def shown_size(size: int) -> str:
    """Return a size in megabytes, rounded up.

    >>> shown_size(300_000_001)
    '301MB'
    """
    return f"{-(-size // 1_000_000):,}MB".replace(",", "")


def total_memory() -> int | None:
    """Return the memory of this machine in bytes, if the system tells."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def used_memory() -> int | None:
    """Return how much memory this process occupies, without the pages of mapped files; ``None`` if unknown.

    The system drops pages of mapped files when it needs the memory, so they are nobody's.
    """
    try:
        text = _STATUS.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.findall(r"^(?:RssAnon|RssShmem):\s+(\d+) kB$", text, re.MULTILINE)
    return 1024 * sum(map(int, found)) if found else None


def address_limit() -> int | None:
    """Return how many bytes of addresses this process may have (``ulimit -v``); ``None`` if there is no limit."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def watch_memory(limit: int, exceeded: Callable[[], object]) -> None:
    """Call *exceeded* from a thread of its own once this process occupies more than *limit* bytes."""
    if used_memory() is None:
        return

    def watch() -> None:
        while (used_memory() or 0) <= limit:
            stop.wait(_SECONDS_BETWEEN_LOOKS)
        exceeded()

    stop = threading.Event()
    threading.Thread(target=watch, name="paragauge-memory", daemon=True).start()
