"""The work of evaluating systems: one grid of scores beside sacreBLEU's, a report of plain files, and MBR.

    python benchmarks/bench_systems.py [--rounds 3] [--write]

The grid has six systems of newstest2012, Czech to English. sacreBLEU's command computes BLEU and chrF of the same
systems with its paired bootstrap; ours runs in turn with it, with the same two metrics, and then alone with five.
Figures are processor seconds (medians). --write puts them into RESULTS.md.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import DATA, write_section

FOLDER = DATA / "wmt12_toen"
OURS = [sys.executable, "-m", "paragauge"]
SEGMENTS = 500
SAMPLES = 20


def processor_seconds(command: list[str], folder: Path) -> float:
    """Run *command* and return its processor seconds, those of its threads and children included."""
    before = os.times()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def prepared(folder: Path) -> list[str]:
    """Write plain texts, short texts and samples to *folder*; return the names of the systems."""
    names = []
    for path in [FOLDER / "references" / "newstest2012-ref.en.gz", *sorted(FOLDER.glob("system-outputs/cs-en/*.gz"))]:
        name = "ref" if "ref" in path.name else path.name.split(".")[2]
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / f"{name}.short").write_text("".join(f"{line}\n" for line in lines[:SEGMENTS]), encoding="utf-8")
        names += [name] if name != "ref" else []
    texts = [(folder / name).read_text(encoding="utf-8").splitlines() for name in names]
    samples = [texts[k % len(texts)][place + k // len(texts)] for place in range(200) for k in range(SAMPLES)]
    (folder / "samples").write_text("".join(f"{text}\n" for text in samples), encoding="utf-8")
    return names


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = prepared(folder)
        score = [*OURS, "score", "--ref", "ref", *names, "-q"]
        short = [f"{name}.short" for name in names[:3]]
        work = {
            "grid: bleu, chrf, six systems, paired bootstrap": [*score, "-m", "bleu,chrf"],
            "the same by sacreBLEU": [
                *[sys.executable, "-m", "sacrebleu", "ref", "-i", *names],
                *["-m", "bleu", "chrf", "--paired-bs", "--format", "text"],
            ],
            "grid: bleu, chrf, meteor, maxsim, paraeval, six systems": [
                *score, "-m", "bleu,chrf,meteor,maxsim,paraeval",
            ],
            f"report: bleu, chrf, {SEGMENTS} segments, three systems": [
                *OURS, "report", "-m", "bleu,chrf", "--ref", "ref.short", *short, "-o", "page.html", "-q",
            ],
            f"report: pem+, pinc, {SEGMENTS} segments, three systems": [
                *OURS, "report", "--original", "ref.short", *short, "-o", "page.html", "-q",
            ],
            f"mbr: chrf, 200 segments, {SAMPLES} candidates": [
                *OURS, "mbr", "-m", "chrf", "--samples", str(SAMPLES), "samples", "-q",
            ],
        }  # fmt: skip
        seconds: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(arguments.rounds):
            for name, command in work.items():
                seconds[name].append(processor_seconds(command, folder))
    rows = [f"| {name} | {statistics.median(values):.1f} |" for name, values in seconds.items()]
    text = "\n".join(
        [
            "",
            "`python benchmarks/bench_systems.py --write`, newstest2012, Czech to English. Processor seconds with the "
            f"start of the program, medians; rounds: {arguments.rounds}.",
            "",
            "| work | s |",
            "|---|---|",
            *rows,
        ]
    )
    print(text)
    if arguments.write:
        write_section("Evaluating systems", text)


if __name__ == "__main__":
    main()
