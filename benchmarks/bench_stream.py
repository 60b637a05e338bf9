"""Scores of very many segments in constant memory: processor seconds and peak memory by number of segments.

    python benchmarks/bench_stream.py FOLDER [--sizes 100000 1000000] [--rows bleu segments chrf ter spark] [--write]

FOLDER is that of bench_speed.py, which makes the texts (many.json: 100,000 pairs; more are copies with a number at the
end). sacreBLEU alternates on the same files; it reads them whole. The row spark is BLEU on a local cluster of two cores
(extra spark, and Java; left out without them); its seconds and memory are those of all its processes together, sampled.
The last column extends the line through the two sizes. --write puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from bench_speed import COMMAND, Run, prepare_texts, run, versions
from measure import descendants, write_section


def write_texts(folder: Path, size: int) -> tuple[Path, Path]:
    """Write *size* candidates and references, unless they exist."""
    paths = folder / f"many.{size}.candidates", folder / f"many.{size}.references"
    if not all(path.exists() for path in paths):
        for path, texts in zip(paths, json.loads((folder / "many.json").read_text(encoding="utf-8")), strict=True):
            with path.open("w", encoding="utf-8") as file:
                for number in range(size):
                    copy, place = divmod(number, len(texts))
                    file.write(
                        f"{' '.join(texts[place].split())} {copy}\n" if copy else f"{' '.join(texts[place].split())}\n"
                    )
    return paths


def run_cluster(command: list[str]) -> Run:
    """Run a command that starts Java and workers: they are not all waited for, so their costs are sampled."""

    def others() -> tuple[float, float]:
        found = [process for process in descendants() if process.number != os.getpid()]
        return sum(process.seconds for process in found), sum(process.memory for process in found)

    begun = time.perf_counter()
    seconds = memory = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            now = others()
            seconds, memory = max(seconds, now[0]), max(memory, now[1])
            time.sleep(0.2)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with status {process.returncode}")
    return Run(wall=time.perf_counter() - begun, processor=seconds, memory=memory)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    spark = ("spark",) if find_spec("pyspark") and shutil.which("java") else ()
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--rows", nargs="+", default=[*("bleu", "segments", "chrf", "ter"), *spark])
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    prepare_texts(folder)
    options = {
        "bleu": ["-m", "bleu"],
        "segments": ["-m", "bleu", "--segments", "-o", str(folder / "segments.tsv")],
        "chrf": ["-m", "chrf"],
        "ter": ["-m", "ter"],
        "pem+": ["-m", "pem+"],
        "spark": ["-m", "bleu", "--engine", "spark", "--master", "local[2]"],
    }
    labels = {
        "segments": "BLEU of each segment, TSV",
        "spark": "bleu on Spark, local[2], all processes",
    }
    rivals = {"bleu": ["-m", "bleu"], "chrf": ["-m", "chrf"]}
    table = [
        "| work | segments | processor s | wall s | MB | sacreBLEU, processor s | MB | ten million, processor s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(table), flush=True)
    for name in arguments.rows:
        before: tuple[int, float] | None = None
        for size in arguments.sizes:
            candidates, others = map(str, write_texts(folder, size))
            place = "--original" if name == "pem+" else "--ref"
            streamed = [] if name == "spark" else ["--stream"]
            measured = run_cluster if name == "spark" else run
            ours = measured([*COMMAND, "score", "-q", *options[name], *streamed, place, others, candidates])
            theirs: Run | None = None
            if name in rivals and size <= 100_000:
                theirs = run([sys.executable, "-m", "sacrebleu", others, "-i", candidates, *rivals[name], "-b"])
            beside = f"{theirs.processor:.1f} | {theirs.memory:,.0f}" if theirs is not None else " | "
            extended = ""
            if before is not None:
                extended = f"{ours.processor + (ours.processor - before[1]) / (size - before[0]) * (10**7 - size):,.0f}"
            before = size, ours.processor
            label = labels.get(name, name)
            table.append(
                f"| {label} | {size:,} | {ours.processor:.1f} | {ours.wall:.1f} | {ours.memory:,.0f} | {beside} | "
                f"{extended} |"
            )
            print(table[-1], flush=True)
    if arguments.write:
        program = f"`python benchmarks/bench_stream.py FOLDER --write`: {versions(None)}, {os.cpu_count()} cores."
        intro = f"{program} One run each, start included.\n\n"
        write_section("Streams of segments", "\n" + intro + "\n".join(table) + "\n")


if __name__ == "__main__":
    main()
