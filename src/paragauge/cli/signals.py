"""How a run ends when it is told to: Ctrl-C, a closed terminal, ``kill``.

The signal becomes an exception, so that every block that has something to undo does so. A native loop does not see
exceptions; if the run has not ended after a few seconds, a thread removes what is unfinished and ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_GRACE = 3.0  # seconds

_program = threading.Event()  # set while this process is the program ``paragauge``


class Ended(BaseException):
    """The process was told to end, by another signal than Ctrl-C."""


@dataclass
class Ending:
    """Which signal the run received, if any."""

    number: int | None = None

    @property
    def code(self) -> int:
        """The exit code that shells show for it."""
        return 128 + (self.number or 0)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[Ending]:
    """Turn signals into exceptions inside the block; one that the caller has set to be ignored stays ignored."""
    ending = Ending()

    def end(number: int, _: object) -> None:
        if ending.number is not None:
            end_now(ending.code)  # asked twice
        ending.number = number
        raise KeyboardInterrupt if number == signal.SIGINT else Ended

    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end)
    watching = _watch({int(number) for number in numbers if before[number] is not signal.SIG_IGN})
    _program.set()
    try:
        yield ending
    finally:
        _program.clear()
        if watching is not None:
            signal.set_wakeup_fd(-1)
            os.close(watching)
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)


def _watch(numbers: set[int]) -> int | None:
    """Start the thread that ends the process if a signal does not; closing the returned descriptor ends the thread."""
    if sys.platform == "win32":
        return None
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def watch() -> None:
        while received := os.read(reading, 1):
            if received[0] in numbers:
                time.sleep(_GRACE)
                end_now(128 + received[0])
        os.close(reading)

    threading.Thread(target=watch, name="paragauge-signals", daemon=True).start()
    return writing


def is_program() -> bool:
    """Return whether this process is the program ``paragauge``, and not another one that calls `main`."""
    return _program.is_set()


def end_now(code: int) -> None:
    """Remove what is unfinished, and end the process without waiting for anything."""
    from paragauge.temporary import remove_all

    try:
        remove_all()
    finally:
        os._exit(code)
