"""Opens damaged copies of one resource, in a process of its own: ``python worker.py KIND FOLDER FIRST COUNT SEED``.

One line for each mutation: its number, how it ended, and what it was. The limits of the process make a hang or an
allocation out of all proportion an end that the caller sees.
"""

from __future__ import annotations

import logging
import random
import re
import resource
import sys
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from kinds import KINDS, Kind  # noqa: E402
from mutate import flipped, mutated, renumbered  # noqa: E402

from paragauge.errors import ParagaugeError  # noqa: E402

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
        file = data_files[number // 4 % len(data_files)] if way == 0 else rng.choice(data_files if way == 1 else files)
        sign = kind.sign if way in (1, 3) and file.name != "manifest.json" else None
        signed = sign is not None
        before = {each: each.read_bytes() for each in files if each.name == "manifest.json"} if signed else {}
        damaged = (flipped, renumbered, mutated, mutated)[way](whole[file], rng)
        what = f"{file.relative_to(folder) if folder.is_dir() else file.name}{' signed' if signed else ''}"
        say(number, "begun", what)
        file.write_bytes(damaged)
        if sign is not None:
            sign(folder)
        try:
            end = _compared(kind, kind.use(folder) == expected, signed=signed, is_manifest=file == manifest)
            if damaged == whole[file]:
                end = "same"
        except ParagaugeError as error:
            end = "refused" if str(error) else "MUTE"
        except MemoryError:
            end = "MEMORY"
        except Exception:
            end = "TRACEBACK " + " | ".join(traceback.format_exc().strip().splitlines()[-3:])
        finally:
            file.write_bytes(whole[file])
            for each, text in before.items():
                each.write_bytes(text)
        say(number, end, what)


def _compared(kind: Kind, same: bool, *, signed: bool, is_manifest: bool) -> str:
    """Return how the use of a damaged resource ended that was not refused."""
    if signed or kind.notices == "nothing":
        return "same" if same else "changed"
    if not same:
        return "SILENT"
    # The manifest is compared by its entries: another space or line end in it is no damage.
    return "UNSEEN" if kind.notices == "every byte" and not is_manifest else "same"


if __name__ == "__main__":
    main()
