"""Opens damaged copies of one resource, in a process of its own: ``python worker.py KIND FOLDER FIRST COUNT SEED``.

One line for each mutation: its number, how it ended, and what it was. The limits of the process make a hang or an
allocation out of all proportion an end that the caller sees.
"""

from __future__ import annotations

import contextlib
import logging
import random
import re
import resource
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from kinds import KINDS, Kind  # noqa: E402
from mutate import different, flipped, mutated, renumbered  # noqa: E402

from paragauge.errors import ParagaugeError  # noqa: E402
from paragauge.evaluate.verify import verify  # noqa: E402

VERIFIED = 5  # every fifth mutation is given to 'paragauge verify' as well
MEMORY_FACTOR = 16  # times the size of the resource
MEMORY_MORE = 256 << 20  # bytes beyond what a whole resource took, for the stacks of threads and the like


def say(number: int, end: str, what: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{number} {end} {what}\n")
    sys.stdout.flush()


def main() -> None:
    """Run some mutations, and print how each ended."""
    kind_name, folder = sys.argv[1], Path(sys.argv[2])
    first, count, seed = map(int, sys.argv[3:6])
    kind = KINDS[kind_name]
    logging.getLogger("paragauge").setLevel(logging.CRITICAL)
    files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else [folder]
    whole = {file: file.read_bytes() for file in files}
    expected = kind.use(folder)
    if kind.use(folder) != expected:
        raise RuntimeError("two uses of the whole resource differ, so nothing can be told by comparing")
    _restore(folder, whole)
    taken = re.search(r"^VmData:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE)
    limit = 1024 * int(taken[1] if taken else 0) + MEMORY_MORE + MEMORY_FACTOR * sum(map(len, whole.values()))
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    manifest = folder / "manifest.json"
    data_files = [file for file in files if file != manifest and whole[file]]
    for number in range(first, first + count):
        rng = random.Random(f"{kind_name} {seed} {number}")
        # In turn: a flipped bit in each file after the other, wrong numbers with checksums that fit, anything,
        # anything with checksums that fit.
        way = number % 4
        file = data_files[number // 4 % len(data_files)] if way == 0 else rng.choice(files)
        sign = kind.sign if way in (1, 3) else None
        what = f"{file.relative_to(folder) if folder.is_dir() else file.name}{' signed' if sign else ''}"
        say(number, "begun", what)
        file.write_bytes(different(whole[file], rng, (flipped, renumbered, mutated, mutated)[way]))
        if sign is not None:
            with contextlib.suppress(Exception):  # a manifest that cannot be signed
                sign(folder)
        end = _end(lambda: _compared(kind, kind.use(folder) == expected, signed=bool(sign), manifest=file == manifest))  # noqa: B023, called at once
        if number % VERIFIED == 0:
            end = _verified(end, folder, kind, signed=bool(sign))
        _restore(folder, whole)
        say(number, end, what)
    if kind.use(folder) != expected:
        raise RuntimeError("the whole resource no longer gives what it gave")


def _end(use: Callable[[], str]) -> str:
    """Return how the use of a damaged resource ended."""
    try:
        return use()
    except MemoryError:  # before our own errors: one of them is a memory error as well
        return "MEMORY"
    except ParagaugeError as error:
        if isinstance(error.__cause__, MemoryError):
            return "MEMORY"
        return "refused" if str(error) else "MUTE"
    except Exception:
        return "TRACEBACK " + " | ".join(traceback.format_exc().strip().splitlines()[-3:])


def _verified(end: str, folder: Path, kind: Kind, *, signed: bool) -> str:
    """Return how a mutation ended, after looking whether ``paragauge verify`` sees what its use saw."""
    found = _end(lambda: "whole" if verify(folder).whole else "refused")
    if found == "whole":
        return "UNVERIFIED" if end == "refused" and not signed and kind.notices != "nothing" else end
    return end if found == "refused" else found


def _restore(folder: Path, whole: dict[Path, bytes]) -> None:
    """Make the example what it was, without what its use left beside it, such as the journal of a database."""
    for file, data in whole.items():
        if file.read_bytes() != data:
            file.write_bytes(data)
    for file in folder.rglob("*") if folder.is_dir() else folder.parent.glob(f"{folder.name}-*"):
        if file.is_file() and file not in whole:
            file.unlink()


def _compared(kind: Kind, same: bool, *, signed: bool, manifest: bool) -> str:
    """Return how the use of a damaged resource ended that was not refused."""
    if signed or kind.notices == "nothing":
        return "same" if same else "changed"
    if not same:
        return "SILENT"
    # The manifest is compared by its entries: another space or line end in it is no damage.
    return "UNSEEN" if kind.notices == "every byte" and not manifest else "same"


if __name__ == "__main__":
    main()
