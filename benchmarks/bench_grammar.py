"""Grammars: time and memory of extraction, and the speed of synchronous parsing by sentence length and grammar size.

Thrax, Moses, cdec and Joshua are on no package registry, so their figures come from a similar machine: Thrax 197 s and
1,356 MB for the Hiero grammar of 10,000 English-French pairs (3.42 million rules), Moses' extract-rules 99 s with wider
limits (8.46 million rules; 256 s and 1,501 MB with scores); cdec 2.2 s and Joshua 8.5 s for 100 pairs of 13 and 15
words with 323,089 rules, which they read first. nltk's phrase extraction, which took 17 s for 41,364 pairs there, is
run in turn with ours to show the current speed of this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from bitexts import prepare
from measure import DATA, write_section
from nltk.translate.phrase_based import phrase_extraction

import paragauge
from paragauge import Alignment, Grammar
from paragauge.grammar.parse import ParseOptions, parse_pairs

PAIRS = 10_000
THRAX, MOSES_EXTRACT, MOSES = 197.0, 99.0, 256.0
THRAX_RULES, MOSES_RULES = 3_420_000, 8_460_000
CDEC, JOSHUA = 2.2, 8.5
NLTK_SECONDS_A_PAIR = 17 / 41_364
SIZES = (10_000, 100_000, 1_000_000, 3_000_000)
LENGTHS = ((1, 10), (11, 15), (16, 20), (21, 30), (31, 50))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="bitexts and links, made if they are missing")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    arguments = parser.parse_args()
    folder = arguments.folder
    prepare(folder, ["multi30k.fr"])
    rows: list[str] = []

    def record(what: str, figure: str) -> None:
        rows.append(f"| {what} | {figure} |")
        print(rows[-1], flush=True)

    extraction(folder, arguments.rounds, record)
    rivals(folder, arguments.rounds, record)
    rates(folder, record)
    if arguments.write:
        write_section("Grammars", TEXT.format(rows="\n".join(rows), **versions()))


def extraction(folder: Path, rounds: int, record) -> None:
    cut(folder, "ten", 0, PAIRS)
    sample = nltk_sample(folder)
    runs, wide, machine = [], [], []
    for _ in range(rounds):
        runs.append(make(folder, "ten", folder / "ten.grammar"))
        begun = time.perf_counter()
        for source, target, links in sample:
            phrase_extraction(source, target, links, 7)
        # How many times slower this machine is at the moment than the one of the figures.
        machine.append((time.perf_counter() - begun) / len(sample) / NLTK_SECONDS_A_PAIR)
    wide.append(make(folder, "ten", folder / "wide.grammar", "--loose", "--max-target-symbols", "0"))
    wall, cpu, memory = (statistics.median(values) for values in zip(*runs, strict=True))
    size = len(Grammar.open(folder / "ten.grammar"))
    record(f"Hiero grammar of {PAIRS:,} pairs, {size:,} rules, whole command with index", seconds(wall, cpu, memory))
    record("Thrax on another bitext, 3.42 million rules", f"{THRAX:.0f} s, 1,356 MB: {THRAX / wall:.1f} times as long")
    slower = statistics.median(machine)
    record("the same by nltk's time here and there", f"{THRAX * slower / wall:.1f} times as long")
    record("rules a second, ours / Thrax", f"{size / wall:,.0f} / {THRAX_RULES / THRAX:,.0f}")
    record("Moses' extract-rules alone, no scores", f"{MOSES_EXTRACT:.0f} s: {MOSES_EXTRACT / wall:.1f} times as long")
    wide_size = len(Grammar.open(folder / "wide.grammar"))
    record(f"wider limits (loose phrases, any target side), {wide_size:,} rules", seconds(*wide[0]))
    record(
        "Moses' whole grammar, wider limits, 8.46 million rules",
        f"{MOSES:.0f} s, 1,501 MB: {MOSES / wide[0][0]:.1f} times",
    )


def rivals(folder: Path, rounds: int, record) -> None:
    given = DATA / "rivals" / "syncparse"
    output = folder / "thrax.grammar"
    begun = time.perf_counter()
    Grammar.open(given / "grammar.gz").save(output)
    record("indexing 323,089 rules of a gzipped file", f"{time.perf_counter() - begun:.1f} s")
    lines = (given / "pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.split("\t")[:2] for line in lines]
    for threads in (1, None):
        times = []
        for _ in range(max(rounds, 5)):
            begun = time.perf_counter()
            grammar = Grammar.open(output)
            options = ParseOptions(pass_through="none", max_span=10, threads=threads)  # noqa: S106
            results = parse_pairs(grammar, *zip(*pairs, strict=True), options=options)
            times.append(time.perf_counter() - begun)
        spent = statistics.median(times)
        record(
            f"100 pairs of rivals/syncparse, opening included, {threads or 'all'} thread(s)",
            f"{spent:.3f} s, {sum(one.derived for one in results)} derived; cdec {CDEC} s, {CDEC / spent:.0f} times "
            f"as long; Joshua {JOSHUA} s, {JOSHUA / spent:.0f} times",
        )


def rates(folder: Path, record) -> None:
    """Parse pairs that were not used for extraction, so that most are not derived, as usual."""
    cut(folder, "many", 0, 16_000)
    if not (folder / "many.grammar").exists():
        make(folder, "many", folder / "many.grammar")
    grammar = Grammar.open(folder / "many.grammar")
    cut(folder, "rest", 20_000, 21_000)
    sides = [(folder / f"rest.{suffix}").read_text(encoding="utf-8").splitlines() for suffix in ("src", "tgt")]
    pairs = list(zip(*sides, strict=True))
    for low, high in LENGTHS:
        chosen = [pair for pair in pairs if low <= max(len(side.split()) for side in pair) <= high]
        if low > 20:  # captions are short: longer pairs are two or three of them
            chosen = [
                tuple(f"{a} {b}" for a, b in zip(*two, strict=True))
                for two in zip(pairs[::2], pairs[1::2], strict=True)
            ]
            chosen = [pair for pair in chosen if low <= max(len(side.split()) for side in pair) <= high]
        rate(grammar, chosen[:200], f"pairs of {low} to {high} words, {len(grammar):,} rules", record)
    for size in SIZES:
        batches, left = [], size
        step = max(len(grammar) // size, 1)
        for batch in grammar.batches(["lhs", "source", "target"]):
            if left <= 0:
                break
            part = batch.take(list(range(0, batch.num_rows, step)))[:left]
            batches.append(part)
            left -= part.num_rows
        some = Grammar.from_batches(batches, ["lhs", "source", "target"])
        rate(some, pairs[:300], f"captions, {len(some):,} rules", record)


def rate(grammar: Grammar, pairs: list, what: str, record) -> None:
    if not pairs:
        return
    _ = grammar.index
    sides = list(zip(*pairs, strict=True))
    begun = time.perf_counter()
    results = parse_pairs(grammar, *sides, options=ParseOptions(threads=1))
    spent = time.perf_counter() - begun
    rules = statistics.mean(result.rules for result in results)
    record(f"{what}, one thread", f"{len(pairs) / spent:,.0f} pairs per second ({rules:,.0f} matching rules per pair)")


def cut(folder: Path, name: str, first: int, last: int) -> None:
    for suffix in ("src", "tgt", "links"):
        with (folder / f"multi30k.fr.{suffix}").open(encoding="utf-8") as file:
            (folder / f"{name}.{suffix}").write_text("".join(islice(file, first, last)), encoding="utf-8")


def nltk_sample(folder: Path) -> list[tuple[str, str, list[tuple[int, int]]]]:
    texts = [(folder / f"ten.{suffix}").read_text(encoding="utf-8").splitlines() for suffix in ("src", "tgt", "links")]
    rows = islice(zip(*texts, strict=True), 0, None, 10)
    return [(source, target, sorted(Alignment.from_pharaoh(links).links)) for source, target, links in rows]


def make(folder: Path, name: str, output: Path, *options: str) -> tuple[float, float, float]:
    """Run the command and return wall-clock seconds, CPU seconds and megabytes."""
    files = [str(folder / f"{name}.{suffix}") for suffix in ("src", "tgt", "links")]
    command = [str(Path(sys.executable).parent / "paragauge"), "grammar", *files, "-o", str(output), "-q", *options]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def seconds(wall: float, cpu: float, memory: float) -> str:
    return f"{wall:.1f} s ({cpu:.1f} s of processor), {memory:,.0f} MB"


def versions() -> dict[str, str]:
    return {
        "paragauge": paragauge.__version__, "python": platform.python_version(), "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
    }  # fmt: skip


TEXT = """
`python benchmarks/bench_grammar.py FOLDER --write`, paragauge {paragauge}, Python {python}, {cores} cores shared with
other work (load {load} at the end). Multi30k, English to French, lower-cased 13a tokens, links by our aligner. Whole
commands from start to exit, medians. The figures of other tools come from another bitext, on a similar machine; their
parsing times include reading the grammar, which ours has already indexed.

| work | figure |
|---|---|
{rows}
"""

if __name__ == "__main__":
    main()
