"""Memory of many different calls: does what metrics remember stay bounded?

    python benchmarks/bench_calls.py FOLDER [--calls 100000] [--metrics pem pem+ ...] [--write]

FOLDER keeps the texts of `bench_speed.py`. Every call scores a sentence that no earlier call had, with a name that
occurs nowhere else, in one process for each metric; the resident memory is read after every tenth of the calls.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from bench_speed import prepare_texts, versions
from measure import write_section

METRICS = ("pem", "pem+", "meteor", "maxsim", "paraeval", "chrf", "bleu")
SHOWN = (1, 2, 5, 8, 10)  # tenths of the calls

CALLS = """
import json, logging, os, sys, time
import paragauge
logging.getLogger("paragauge").setLevel(logging.ERROR)
file, name, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
candidates, others = json.load(open(file))
metric = paragauge.parse_metric(name)
used, memory = time.process_time(), []
for call in range(calls):
    made_up = f" Mr Nam{call}qx said so."
    one, other = candidates[call % len(candidates)] + made_up, others[call % len(others)] + made_up
    if name.startswith("pem"):
        metric.score(one, original=other)
    else:
        metric.score(one, [other])
    if (call + 1) % (calls // 10) == 0:
        pages = int(open("/proc/self/statm").read().split()[1])
        memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
print(json.dumps([time.process_time() - used, memory]))
"""


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--metrics", nargs="+", default=METRICS)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    prepare_texts(folder)
    heads = " | ".join(f"{arguments.calls * tenth // 10:,}" for tenth in SHOWN)
    lines = [f"| metric | processor s | {heads} |", f"|---|---|{'---|' * len(SHOWN)}"]
    print("\n".join(lines), flush=True)
    for name in arguments.metrics:
        program = [sys.executable, "-c", CALLS, str(folder / "many.json"), name, str(arguments.calls)]
        said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
        used, memory = json.loads(said.splitlines()[-1])
        lines.append(f"| {name} | {used:.1f} | {' | '.join(f'{memory[tenth - 1]:.0f}' for tenth in SHOWN)} |")
        print(lines[-1], flush=True)
    if arguments.write:
        intro = (
            f"`python benchmarks/bench_calls.py FOLDER --write`: {versions(None)}. Resident memory in MB after so many "
            "calls, each with a sentence and a word that no earlier call had: what metrics remember of words and "
            "sentences is bounded.\n\n"
        )
        write_section("Memory of many calls", "\n" + intro + "\n".join(lines))


if __name__ == "__main__":
    main()
