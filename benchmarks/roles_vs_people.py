"""Does a comparison of who did what to whom tell paraphrases from sentences with the same words?

    python benchmarks/roles_vs_people.py DATA [--with-meaning]

DATA is a folder with ``paws_wiki/data.tsv.gz``. Prints, for each part of it, how often a paraphrase
has the higher agreement of roles than a pair that is none (ties count half), by `compare_roles` alone.
With --with-meaning, the changes of roles also multiply pem+'s judgment of meaning, as its own checks do: the factor of
a change is chosen on the even pairs, the figures before and after are those of the odd ones, and the processor time of
both is printed.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pem_vs_people import auc

from paragauge.judges.model import open_judges
from paragauge.monolingual.structures import RoleComparison, compare_roles

FACTORS = (1.0, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--with-meaning", action="store_true", help="in pem+'s judgment of meaning, too; one thread")
    arguments = parser.parse_args()
    with gzip.open(arguments.data / "paws_wiki" / "data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for split in sorted({row["split"] for row in rows}):
        part = [row for row in rows if row["split"] == split]
        ours, theirs = [row["sentence1"] for row in part], [row["sentence2"] for row in part]
        began = time.process_time()
        compared = compare_roles([text.split() for text in ours], [text.split() for text in theirs], threads=1)
        spent = time.process_time() - began
        sides = [
            [each.agreement for each, row in zip(compared, part, strict=True) if row["label"] == label]
            for label in "10"
        ]
        print(f"{split:6} {len(part):6,} pairs  area under the curve {auc(*sides):.4f}", flush=True)
        if arguments.with_meaning:
            report_meaning(ours, theirs, np.array([row["label"] == "1" for row in part]), compared, spent)


def report_meaning(
    ours: Sequence[str],
    theirs: Sequence[str],
    same: NDArray[np.bool_],
    compared: Sequence[RoleComparison],
    spent: float,
) -> None:
    """Print how well pem+'s judgment of meaning does with changes of roles, and what these cost."""
    began = time.process_time()
    meaning = open_judges().judge(theirs, originals=ours, threads=1).meaning
    each, own = ((time.process_time() - began) / len(ours) * 1000, spent / len(ours) * 1000)
    print(f"       milliseconds a pair: meaning {each:.2f}, roles {own:.2f}")
    counts = {
        "changes": np.array([len(each.changes) for each in compared]),
        "any change": np.array([len(each.changes) > 0 for each in compared]),
        "share changed": np.array([1 - each.agreement for each in compared]),
    }
    chosen = np.arange(len(ours)) % 2 == 0

    def figure(values: NDArray[np.float64], part: NDArray[np.bool_]) -> float:
        return auc(values[part & same].tolist(), values[part & ~same].tolist())

    print(f"       meaning alone: even {figure(meaning, chosen):.4f}, odd {figure(meaning, ~chosen):.4f}")
    for name, count in counts.items():
        factor = max(FACTORS, key=lambda factor: figure(meaning * factor**count, chosen))
        after = meaning * factor**count
        print(
            f"       meaning x {factor} ^ {name}: even {figure(after, chosen):.4f}, odd {figure(after, ~chosen):.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
