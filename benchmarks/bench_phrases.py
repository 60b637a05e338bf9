"""Phrase tables: time and memory of extraction and counting, and the speed of look-ups.

Moses is on no package registry, so its figures come from a similar machine: 38 s and 374 MB for the whole table of
41,364 sentence pairs, phrases up to 7 words, without lexical weights; 9.2 s for extraction alone. nltk, which only
extracts, took 17 s there. It is run here in turn with ours to show the current speed of this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import duckdb
from bitexts import prepare
from measure import write_section
from nltk.translate.phrase_based import phrase_extraction

import paragauge
from paragauge import Alignment, PhraseTable
from paragauge.phrases import segment_sentences

MOSES_SECONDS_A_PAIR = 38 / 41_364
MOSES_TO_NLTK = 38 / 17  # the whole table by Moses against extraction alone by nltk, on the same bitext and machine
PAIRS = 30_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="bitexts and links, made if they are missing")
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    arguments = parser.parse_args()
    folder = arguments.folder
    prepare(folder, ["multi30k.fr", "tatoeba.fr"])
    first_pairs(folder)

    rows = []

    def record(what: str, figure: str) -> None:
        rows.append(f"| {what} | {figure} |")
        print(rows[-1], flush=True)

    sample = nltk_sample(folder)
    runs, rival = [], []
    for _ in range(5):
        runs.append(make(folder, "first", folder / "first.table", "--max-length", "7"))
        rival.append(median_seconds(lambda: extract_with_nltk(sample), 1) * PAIRS / len(sample))
    wall, cpu, memory = (statistics.median(values) for values in zip(*runs, strict=True))
    moses = MOSES_SECONDS_A_PAIR * PAIRS
    times = statistics.median(theirs * MOSES_TO_NLTK / run[0] for theirs, run in zip(rival, runs, strict=True))
    record(
        f"table of {PAIRS:,} pairs, up to 7 words, whole command",
        f"{wall:.1f} s ({cpu:.1f} s of processor), {memory:.0f} MB",
    )
    record("the same at Moses' rate on the other machine, without lexical weights", f"{moses:.1f} s")
    record(
        "extraction alone by nltk, alternating with ours (extrapolated from a tenth of the pairs)",
        f"{statistics.median(rival):.1f} s",
    )
    record("how many times as long Moses would take here, calibrated by nltk's time", f"{times:.1f}")

    free, limited = folder / "free.table", folder / "limited.table"
    for output, options in ((free, ()), (limited, ("--memory-limit", "1GiB"))):
        wall, cpu, memory = make(folder, "tatoeba.fr", output, "--max-length", "7", *options)
        record(
            f"Tatoeba, 142,787 pairs, up to 7 words {' '.join(options) or 'without a limit'}",
            f"{wall:.1f} s, {memory:.0f} MB",
        )
    same = PhraseTable.open(free).digest == PhraseTable.open(limited).digest
    record("the two tables are the same", "yes" if same else "NO")
    assert same

    record("opening that table", f"{1000 * median_seconds(lambda: PhraseTable.open(free), 50):.1f} ms")
    table = PhraseTable.open(free)
    chance = random.Random(1)  # noqa: S311
    phrases = [table.source(chance.randrange(table.source_phrases)) for _ in range(20_000)]
    record(f"pairs in it ({table.source_phrases:,} source phrases)", f"{len(table):,}")
    for what, ask in (
        ("finding a phrase", table.find),
        ("p(f\\|e) of a phrase, all f", table.probabilities),
        ("all pairs of a phrase with everything", table.lookup),
    ):
        seconds = median_seconds(lambda ask=ask: [ask(phrase) for phrase in phrases], 5) / len(phrases)
        record(what, f"{1e6 * seconds:.1f} µs")
    with (folder / "tatoeba.fr.src").open(encoding="utf-8") as file:
        sentences = list(islice(file, 0, 142_787, 7))
    seconds = median_seconds(lambda: segment_sentences(table, sentences), 3)
    record("segmenting a sentence", f"{1e6 * seconds / len(sentences):.0f} µs")
    if arguments.write:
        write_section("Phrase tables", TEXT.format(rows="\n".join(rows), **versions()))


def nltk_sample(folder: Path) -> list[tuple[str, str, list[tuple[int, int]]]]:
    """Return every tenth sentence pair with its links, in the form that nltk expects."""
    sides = [
        (folder / f"first.{suffix}").read_text(encoding="utf-8").splitlines() for suffix in ("src", "tgt", "links")
    ]
    return [
        (source, target, sorted(Alignment.from_pharaoh(text).links))
        for source, target, text in islice(zip(*sides, strict=True), 0, None, 10)
    ]


def extract_with_nltk(sample: list[tuple[str, str, list[tuple[int, int]]]]) -> None:
    for source, target, alignment in sample:
        phrase_extraction(source, target, alignment, 7)


def first_pairs(folder: Path) -> None:
    """Write the first 30,000 pairs: all of Multi30k's captions, then Tatoeba's longest sentences."""
    for suffix in ("src", "tgt", "links"):
        captions, others = (
            (folder / f"{name}.{suffix}").read_text(encoding="utf-8").splitlines(keepends=True)
            for name in ("multi30k.fr", "tatoeba.fr")
        )
        chosen = captions + others[-(PAIRS - len(captions)) :]
        (folder / f"first.{suffix}").write_text("".join(chosen), encoding="utf-8")


def make(folder: Path, name: str, output: Path, *options: str) -> tuple[float, float, float]:
    """Run the command and return wall-clock seconds, CPU seconds and megabytes."""
    files = [str(folder / f"{name}.{suffix}") for suffix in ("src", "tgt", "links")]
    command = [str(Path(sys.executable).parent / "paragauge"), "phrases", *files, "-o", str(output), "-q", *options]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median_seconds(work: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def versions() -> dict[str, str | float]:
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "paragauge": paragauge.__version__, "duckdb": duckdb.__version__, "python": platform.python_version(),
        "cores": str(os.cpu_count()), "load": load, "goal": MOSES_SECONDS_A_PAIR * PAIRS / 8,
    }  # fmt: skip


TEXT = """
`python benchmarks/bench_phrases.py FOLDER --write`, paragauge {paragauge}, DuckDB {duckdb}, Python {python}, {cores}
cores shared with other work (load {load} at the end). Multi30k and Tatoeba, English to French, lower-cased 13a tokens,
links by our aligner. Whole commands from start to exit, with lexical weights and alignments; medians.
Moses cannot be installed from a registry: its rate was measured on another bitext of 41,364 pairs with longer
sentences, on a similar machine. There nltk took 17 s for extraction alone; the last row about Moses uses nltk's time
here to calibrate for this machine. How each tool's time grows with sentence length was not measured, so both
comparisons are rough. Our target is eight times Moses' speed: {goal:.2f} s.

| work | figure |
|---|---|
{rows}
"""

if __name__ == "__main__":
    main()
