"""Writing results: whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator

from paragauge.errors import FileError, ParagaugeError
from paragauge.io import STANDARD_STREAM, atomic_output, buffered_stdout
from paragauge.progress import Progress


def emit(text: str, path: str) -> None:
    """Write *text* to the file *path*, atomically, or to standard output if it is ``-``."""
    # A file name that is not UTF-8 has lone surrogates; they are shown, since nobody could read them otherwise.
    data = text.encode("utf-8", errors="backslashreplace")
    if path != STANDARD_STREAM:
        with atomic_output(path) as file:
            file.write(data)
        return
    with closed_pipe_ends_quietly(), buffered_stdout() as stdout:
        stdout.write(data)


@contextlib.contextmanager
def closed_pipe_ends_quietly() -> Iterator[None]:
    """End the run quietly if the reader of standard output closes the pipe (``| head``)."""
    try:
        yield
    except BrokenPipeError:
        silence_stdout()
        raise SystemExit(141) from None
    except ParagaugeError:
        raise
    except OSError as error:
        silence_stdout()
        reason = "the disk is full" if error.errno == errno.ENOSPC else error.strerror
        raise FileError(f"<stdout>: cannot write: {reason}; choose another place with -o") from error


def silence_stdout() -> None:
    """Keep the interpreter from failing again when it flushes standard output at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def progress_bar(unit: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """Yield a `paragauge.progress.Progress` that draws a bar on standard error; ``None`` if that is not a terminal.

    Short work shows no bar. If the total is unknown, the bar shows only the rate.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    import shutil

    from tqdm import tqdm

    # Some terminals claim to have no rows and no columns; tqdm would believe them and show nothing.
    size = shutil.get_terminal_size()
    with tqdm(
        total=None,
        unit=f" {unit}",
        delay=0.5,
        leave=False,
        file=sys.stderr,
        ncols=size.columns,
        nrows=size.lines,
        miniters=1,  # else a slow step after a fast one stands still: its counts are small beside those before
    ) as bar:

        def show(done: int, total: int | None, what: str, /) -> None:
            bar.set_postfix_str(what, refresh=False)
            bar.total = total
            if done < bar.n:
                bar.reset(total)  # another step began: its rate is its own
            bar.update(done - bar.n)

        yield show
