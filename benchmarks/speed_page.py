"""All sections on speed of RESULTS.md, made again by one command.

    python benchmarks/speed_page.py FOLDER [--only speed stream calls pem matching] [--moses DIR] [--fast-align PROGRAM]
        [--lmplz PROGRAM] [--eflomal PYTHON] [--jar meteor-1.5.jar] [--wordnet DIR]

Runs the programs below one after another, each of which measures rivals in turn and writes its own section. Needs about
ten minutes on two cores; nothing else should run meanwhile. FOLDER keeps texts and models, so that a second run need
not make them; the first takes some minutes more. Rivals that are on no package registry run if their paths are given.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS_OF_A_ROW = "6"  # seconds after which a row is not repeated
RIVALS = {"speed": ("moses", "fast-align", "lmplz", "eflomal", "wordnet"), "matching": ("jar", "wordnet")}


def programs(folder: str) -> dict[str, list[str]]:
    """Return what runs, by name."""
    return {
        "speed": ["bench_speed.py", folder, "--within", ROUNDS_OF_A_ROW],
        "stream": ["bench_stream.py", folder],
        "calls": ["bench_calls.py", folder],
        "pem": ["bench_pem.py", "--rounds", "3"],
        "matching": ["bench_matching.py", "--rounds", "2"],
    }


def main() -> None:
    """Run all programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--only", nargs="+", choices=list(programs("")), default=list(programs("")))
    for option in dict.fromkeys(name for names in RIVALS.values() for name in names):
        parser.add_argument(f"--{option}", help="path of the rival")
    arguments = parser.parse_args()
    begun = time.perf_counter()
    for name in arguments.only:
        rivals = [(rival, getattr(arguments, rival.replace("-", "_"))) for rival in RIVALS.get(name, ())]
        paths = [part for rival, path in rivals if path is not None for part in (f"--{rival}", path)]
        program, *options = programs(arguments.folder)[name]
        subprocess.run([sys.executable, str(HERE / program), *options, *paths, "--write"], check=True)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        print(f"{name}: done after {time.perf_counter() - begun:.0f} s, load {load:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
