"""Does a comparison of who did what to whom tell paraphrases from sentences with the same words?

    python benchmarks/roles_vs_people.py DATA

DATA is a folder with ``paws_wiki/data.tsv.gz``. Prints, for each part of it, how often a paraphrase
has the higher agreement of roles than a pair that is none (ties count half), by `compare_roles` alone.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from pathlib import Path

from pem_vs_people import auc

from paragauge.monolingual.structures import compare_roles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    arguments = parser.parse_args()
    with gzip.open(arguments.data / "paws_wiki" / "data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for split in sorted({row["split"] for row in rows}):
        part = [row for row in rows if row["split"] == split]
        compared = compare_roles([row["sentence1"].split() for row in part], [row["sentence2"].split() for row in part])
        sides = [
            [each.agreement for each, row in zip(compared, part, strict=True) if row["label"] == label]
            for label in "10"
        ]
        print(f"{split:6} {len(part):6,} pairs  area under the curve {auc(*sides):.4f}", flush=True)


if __name__ == "__main__":
    main()
