"""Where results go: whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import Protocol

from paragauge.errors import FileError, ParagaugeError
from paragauge.io import STANDARD_STREAM, atomic_output, buffered_stdout
from paragauge.progress import Progress as Reporter


def emit(text: str, path: str) -> None:
    """Write *text* to the file *path*, atomically, or to standard output if it is ``-``."""
    data = text.encode("utf-8", errors="surrogatepass")
    if path != STANDARD_STREAM:
        with atomic_output(path) as file:
            file.write(data)
        return
    with closed_pipe_ends_quietly(), buffered_stdout() as stdout:
        stdout.write(data)


@contextlib.contextmanager
def closed_pipe_ends_quietly() -> Iterator[None]:
    """End the run without a word if the reader of standard output has seen enough (``| head``)."""
    try:
        yield
    except BrokenPipeError:
        _silence_stdout()
        raise SystemExit(141) from None
    except ParagaugeError:
        raise
    except OSError as error:
        _silence_stdout()
        reason = "the disk is full" if error.errno == errno.ENOSPC else error.strerror
        raise FileError(f"<stdout>: cannot write: {reason}; write somewhere else with -o") from error


def _silence_stdout() -> None:
    """Keep the interpreter from failing again when it flushes standard output at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Progress(Protocol):
    """What a progress bar can do."""

    def update(self, n: int = 1) -> object:
        """Take note of *n* more items."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> object:
        """Take note of what is being done."""


class _NoProgress:
    def update(self, n: int = 1) -> None:
        pass

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        pass


@contextlib.contextmanager
def progress(total: int | None, unit: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Show a bar on standard error while the block runs, if a person is looking; short work stays silent.

    Without a *total*, where nobody knows how much there is, it shows the rate alone.
    """
    if quiet or not sys.stderr.isatty():
        yield _NoProgress()
        return
    import shutil

    from tqdm import tqdm

    # Some terminals claim to have no rows and no columns; tqdm would believe them and show nothing.
    size = shutil.get_terminal_size()
    with tqdm(
        total=total, unit=f" {unit}", delay=0.5, leave=False, file=sys.stderr, ncols=size.columns, nrows=size.lines
    ) as bar:
        yield bar


@contextlib.contextmanager
def progress_bar(unit: str, *, quiet: bool = False) -> Iterator[Reporter | None]:
    """Give a `paragauge.progress.Progress` that draws a bar on standard error; none if nobody is looking.

    Short work stays silent. Where the total is unknown, the bar shows the rate alone.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    import shutil

    from tqdm import tqdm

    # Some terminals claim to have no rows and no columns; tqdm would believe them and show nothing.
    size = shutil.get_terminal_size()
    with tqdm(
        total=None, unit=f" {unit}", delay=0.5, leave=False, file=sys.stderr, ncols=size.columns, nrows=size.lines
    ) as bar:

        def show(done: int, total: int | None, what: str, /) -> None:
            if done < bar.n:
                bar.reset(total)  # another step began: its rate is its own
            bar.total = total
            bar.set_postfix_str(what, refresh=False)
            bar.update(done - bar.n)

        yield show
