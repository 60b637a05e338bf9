"""Cost of each stage on Spark against the size of the corpus: wall seconds, processor seconds, bytes shuffled.

Evenly picked pairs of Tatoeba, French-English, go through align, phrases, pivot and grammar in one session of Spark on
this machine. Processor seconds are those of this process and all below it (Java and the Python workers); bytes are
what Spark says of its stages. Every size runs on the same number of cores, so that the growth is that of the work.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import shutil
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pyspark
from bitexts import prepare
from measure import ROOT, write_section

import paragauge
from paragauge.phrases.extract import extract_phrase_files as extract_here
from paragauge.spark import (
    SparkEngine,
    SparkOptions,
    align_files,
    extract_grammar_files,
    extract_phrase_files,
    pivot_paraphrases,
)

SIZES = (20_000, 40_000, 80_000, 140_000)
PLANNED = (10**6, 10**7, 10**8)
TITLE = "Spark: cost against corpus size"


@dataclass(frozen=True)
class Cost:
    """What a stage took."""

    pairs: int
    stage: str
    wall: float
    cpu: float
    shuffled: int
    rows: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="bitexts and links, made if they are missing; tables are written here"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="3g", help="of the Java machine")
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    arguments = parser.parse_args()
    prepare(arguments.folder, ["tatoeba.fr"])
    settings = {"spark.ui.enabled": "true", "spark.ui.port": "0", "spark.driver.memory": arguments.memory}
    costs: list[Cost] = []
    options = SparkOptions(master=arguments.master, settings=settings, temp=str(arguments.folder))
    with SparkEngine(options) as engine:
        warm_up(engine)
        for size in arguments.sizes:
            costs += measure(engine, options, arguments.folder, size)
    text = report(costs, arguments.master)
    print(text)
    print(plan(costs))
    if arguments.write:
        write_section(TITLE, text)
        write_plan(plan(costs))


def warm_up(engine: SparkEngine) -> None:
    """Load what is loaded once, so that the first size does not pay for it."""
    engine.session.range(1000).mapInArrow(lambda batches: batches, "id bigint").count()


def measure(engine: SparkEngine, options: SparkOptions, folder: Path, size: int) -> list[Cost]:
    source, target, links = pick(folder, size)
    costs: list[Cost] = []

    def stage(name: str, run: Callable[[SparkEngine], int]) -> None:
        with SparkEngine(options) as running:  # a database of its own; the session goes on
            before = usage(running)
            begun = time.perf_counter()
            rows = run(running)
            wall = time.perf_counter() - begun
            after = usage(running)
        costs.append(Cost(size, name, wall, after[0] - before[0], int(after[1] - before[1]), rows))
        print(costs[-1], flush=True)

    def out(name: str) -> Path:
        path = folder / f"spark-{name}-{size}"
        shutil.rmtree(path, ignore_errors=True)
        return path

    model = folder / "spark.aligner"
    if not model.exists():
        align_files(engine, source, target, folder / "spark-first.align", sample=10_000, save_model=model)
    stage("align (saved model)", lambda e: align_files(e, source, target, out("links"), model=model).rows_out)
    stage("phrases", lambda e: extract_phrase_files(e, source, target, links, out("table")).rows_out)
    table = folder / f"spark-table-{size}"
    stage("pivot", lambda e: pivot_paraphrases(e, [table], out("paraphrases")).rows_out)
    stage("grammar", lambda e: extract_grammar_files(e, source, target, links, out("grammar")).rows_out)
    if size == min(SIZES):
        assert paragauge.PhraseTable.open(table) == extract_here(source, target, links)
    return costs


def pick(folder: Path, size: int) -> list[Path]:
    """Return files with evenly picked pairs."""
    paths = []
    for kind in ("src", "tgt", "links"):
        lines = (folder / f"tatoeba.fr.{kind}").read_text(encoding="utf-8").splitlines(keepends=True)
        places = [number * len(lines) // size for number in range(size)]
        path = folder / f"spark-{size}.{kind}"
        path.write_text("".join(lines[place] for place in places), encoding="utf-8")
        paths.append(path)
    return paths


def usage(engine: SparkEngine) -> tuple[float, float]:
    """Return the processor seconds of all processes below this one so far, and the bytes shuffled."""
    context = engine.session.sparkContext
    with urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as reply:  # noqa: S310
        stages = json.load(reply)
    return processor_seconds(), float(sum(stage["shuffleWriteBytes"] for stage in stages))


def processor_seconds() -> float:
    """Return what this process and all its descendants, dead or alive, have used."""
    ticks = os.sysconf("SC_CLK_TCK")
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(map(int, fields[11:15])) / ticks  # own and of children that have ended
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(used.get(pid, 0.0) for pid in mine)


def report(costs: list[Cost], master: str) -> str:
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    heads = ("stage", "pairs", "rows out", "wall, s", "processor, s", "shuffled, MB")
    heads += ("processor s per million pairs", "shuffled MB per million pairs")
    lines = [
        "\n`python benchmarks/bench_spark.py FOLDER --write`, Tatoeba French-English, evenly picked, phrases up to",
        f"4 words, Hiero rules; {master}, Spark {pyspark.__version__}, Python {platform.python_version()}, paragauge",
        f"{paragauge.__version__}. Processor seconds are those of Java and all Python workers. The first table is",
        "compared with DuckDB's and equal.\n",
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
    ]
    for stage in dict.fromkeys(cost.stage for cost in costs):
        for cost in (each for each in costs if each.stage == stage):
            megabytes = cost.shuffled / 1e6
            scale = 1e6 / cost.pairs
            lines.append(
                f"| {stage} | {cost.pairs:,} | {cost.rows:,} | {cost.wall:.1f} | {cost.cpu:.1f} | {megabytes:.1f} | "
                f"{cost.cpu * scale:,.0f} | {megabytes * scale:,.0f} |"
            )
    lines.append(f"\nLargest process below the benchmark that has ended: {memory:,.0f} MB.")
    return "\n".join(lines)


def plan(costs: list[Cost]) -> str:
    """Return what larger corpora would take: a power of their size, fitted to what was measured."""
    heads = ("stage", "grows with", *(f"{size // 10**6} million: core hours, GB shuffled" for size in PLANNED))
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    sums = [[0.0, 0.0] for _ in PLANNED]
    for stage in dict.fromkeys(cost.stage for cost in costs):
        rows = [cost for cost in costs if cost.stage == stage]
        fits = [fit([(cost.pairs, value(cost)) for cost in rows]) for value in (lambda c: c.cpu, lambda c: c.shuffled)]
        cells = []
        for total, size in zip(sums, PLANNED, strict=True):
            hours, gigabytes = fits[0].at(size) / 3600, fits[1].at(size) / 1e9
            total[0] += hours
            total[1] += gigabytes
            cells.append(f"{hours:,.1f}, {gigabytes:,.1f}")
        powers = f"pairs<sup>{fits[0].power:.2f}</sup>, bytes pairs<sup>{fits[1].power:.2f}</sup>"
        lines.append(f"| {stage} | {powers} | {' | '.join(cells)} |")
    lines.append(f"| all | | {' | '.join(f'{hours:,.1f}, {gigabytes:,.1f}' for hours, gigabytes in sums)} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Power:
    """A cost that grows with a power of the size."""

    factor: float
    power: float

    def at(self, size: float) -> float:
        """Return the cost of a size."""
        return float(self.factor * size**self.power)


def fit(points: list[tuple[int, float]]) -> Power:
    """Return the power that fits best on a logarithmic scale; of a single point, what is in proportion to it."""
    known = [(math.log(size), math.log(cost)) for size, cost in points if cost > 0]
    if len(known) < 2:
        return Power(points[-1][1] / points[-1][0], 1.0)
    power, logarithm = statistics.linear_regression(*zip(*known, strict=True))
    return Power(math.exp(logarithm), power)


def write_plan(text: str) -> None:
    """Put the plan between its marks in docs/scaling.md."""
    path = ROOT / "docs" / "scaling.md"
    begin, end = "<!-- plan: benchmarks/bench_spark.py -->\n", "<!-- end of plan -->"
    head, _, rest = path.read_text(encoding="utf-8").partition(begin)
    tail = rest.partition(end)[2]
    path.write_text(f"{head}{begin}{text}\n{end}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
