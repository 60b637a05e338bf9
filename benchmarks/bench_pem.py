"""PEM and pem+: pairs per second, cold and warm, on one core and on all; single calls, start-up time and memory.

    python benchmarks/bench_pem.py [DATA] [--rounds N] [--write]

Pairs are those of ParaScore's Twitter judgments (DATA/parascore_twitter) or, without data, sentences of the demo.
*Cold*: the first time that a process scores these sentences, with the model already open; *warm*: again, with tokens in
the cache. Our chrF is run in turn on the same pairs as a measure of the machine's speed, since there is no
other implementation of either metric to compare with. --write puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from measure import write_section

DATA = os.environ.get("PARAGAUGE_DATA", str(Path(__file__).resolve().parent.parent.parent / "shared" / "data"))


def pairs(data: str) -> list[tuple[str, str]]:
    """Return (original, candidate) pairs."""
    path = Path(data) / "parascore_twitter" / "twitter_para.tsv"
    if path.is_file():
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        return [(row[0], row[2]) for row in rows]
    from paragauge.corpora.demo import demo_testset

    testset = demo_testset()
    originals = testset.originals or ()
    return [(o, c) for texts in testset.candidates.values() for o, c in zip(originals, texts, strict=True)] * 200


def measure(data: str, metric_text: str, rounds: int, cores: int) -> None:
    """Print one row of the table: cold and warm speed, speed of the yardstick, memory."""
    if hasattr(os, "sched_setaffinity") and cores:
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:cores]))
    import paragauge as pg
    from paragauge.corpora import Segments
    from paragauge.metrics import Chrf

    items = pairs(data)
    segments = Segments.of([c for _, c in items], [[o] for o, _ in items], [o for o, _ in items])
    metric, yardstick = pg.parse_metric(metric_text), Chrf()
    metric.score("one", original="two")
    begun = time.perf_counter()
    metric.statistics(segments)
    cold = len(items) / (time.perf_counter() - begun)
    warm, other = [], []
    for _ in range(rounds):
        begun = time.perf_counter()
        metric.statistics(segments)
        warm.append(len(items) / (time.perf_counter() - begun))
        begun = time.perf_counter()
        yardstick.statistics(segments)
        other.append(len(items) / (time.perf_counter() - begun))
    rate, chrf = statistics.median(warm), statistics.median(other)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cells = [
        metric.name, str(count), f"{cold:,.0f} pairs/s", f"{rate:,.0f} pairs/s", f"{chrf:,.0f} pairs/s",
        f"{memory:,.0f} MB",
    ]  # fmt: skip
    print(f"| {' | '.join(cells)} |")


def start_up(metric: str, rounds: int) -> str:
    """Return how long a new process takes, after imports, to open the model and to score the first pair."""
    code = (
        "import time; a = time.perf_counter()\n"
        "from paragauge.metrics.registry import METRICS\n"
        f"Metric = METRICS[{metric!r}]\n"
        "b = time.perf_counter(); metric = Metric.load()\n"
        "c = time.perf_counter(); metric.score('He went away.', original='He left.')\n"
        "print(b - a, c - b, time.perf_counter() - c)"
    )
    times = [
        [float(x) for x in subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split()]
        for _ in range(rounds)
    ]
    imports, load, first = (statistics.median(column) for column in zip(*times, strict=True))
    return f"a new process: imports {imports:.3f} s, opening the model {load:.3f} s, first pair {first:.3f} s"


def one_by_one(name: str, data: str) -> str:
    """Return how long a call takes in a loop over single pairs, for new texts and again for the same texts."""
    from paragauge.metrics.registry import METRICS

    metric, items = METRICS[name].load(), pairs(data)[:2000]
    metric.score("one", original="two")
    said = []
    for what in ("new", "known"):
        begun, busy = time.perf_counter(), time.thread_time()
        for original, candidate in items:
            metric.score(candidate, original=original)
        took, used = ((end - start) / len(items) for end, start in
                      ((time.perf_counter(), begun), (time.thread_time(), busy)))  # fmt: skip
        said.append(f"{1000 * took:.3f} ms for {what} texts (of the processor {1000 * used:.3f} ms)")
    return f"one call of `score` in a loop: {', '.join(said)}"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="Measure the speed of PEM.")
    parser.add_argument("data", nargs="?", default=DATA)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("METRIC", "CORES"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.data, arguments.one[0], arguments.rounds, int(arguments.one[1]))
        return
    table = ["| metric | cores | cold | warm | chrF, alternating | peak memory |", "|---|---|---|---|---|---|"]
    notes = []
    for metric in ("pem", "pem+"):
        notes.append(f"- {metric}, {one_by_one(metric, arguments.data)}; {start_up(metric, arguments.rounds)}.")
        for cores in ("1", "0"):
            command = [sys.executable, __file__, arguments.data, "--rounds", str(arguments.rounds)]
            found = subprocess.run([*command, "--one", metric, cores], check=True, capture_output=True, text=True)
            table.append(found.stdout.strip())
    lines = [*table, "", *notes]
    print("\n".join(lines))
    if arguments.write:
        intro = (
            "`python benchmarks/bench_pem.py --write`: the models that ship, ParaScore's tweets, strings in and scores "
            "out; our chrF alternates on the same pairs. *Cold*: sentences new to the process; *warm*: again.\n\n"
        )
        write_section("PEM and pem+", intro + "\n".join(lines))


if __name__ == "__main__":
    main()
