"""Alternating measurements and the file to which they are written."""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))
RESULTS = ROOT / "benchmarks" / "RESULTS.md"


def alternate(rivals: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Run all *rivals* in turn, *rounds* times, and return the wall seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, run in rivals.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def median_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median over rounds of our time divided by the rival's in the same round."""
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def write_section(title: str, text: str) -> None:
    """Replace the text under the heading *title* of RESULTS.md by *text*."""
    current = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    section = f"## {title}\n{text.rstrip()}\n"
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if pattern.search(current):
        current = pattern.sub(lambda _: section + "\n", current)
    else:
        current = current.rstrip() + "\n\n" + section
    RESULTS.write_text(current.rstrip() + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Process:
    """A descendant of this process."""

    number: int
    parent: int
    name: str
    seconds: float
    memory: float


def descendants() -> list[Process]:
    """Return this process and its descendants."""
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    known: dict[int, Process] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue
            fields = rest.split()
            # processor time of its own and of children that have ended
            seconds = sum(map(int, fields[11:15])) / ticks
            number, memory = int(entry.name), int(fields[21]) * page / 1e6
            known[number] = Process(number, int(fields[1]), name, seconds, memory)
    mine = {os.getpid()}
    while more := {each.number for each in known.values() if each.parent in mine} - mine:
        mine |= more
    return [each for number, each in known.items() if number in mine]
