"""Agreement of pivoted paraphrase probabilities with people: Spearman correlation with the scores of ppdb_human_26k.

Tables from Tatoeba, Multi30k and the Bible, with several pivot languages; p(e2|e1) for the pairs in the tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from bitexts import NAMES, prepare
from measure import DATA

from paragauge import PhraseTable
from paragauge.meta.correlation import correlate
from paragauge.phrases import paraphrase_probability
from paragauge.phrases.extract import extract_phrase_files

GROUPS = {
    "Tatoeba (fr)": ["tatoeba.fr"],
    "Multi30k (fr, de, cs)": ["multi30k.fr", "multi30k.de", "multi30k.cs"],
    "Bible (fr, de, es, cs)": ["bible.fr", "bible.de", "bible.es", "bible.cs"],
    "all eight": list(NAMES),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="bitexts and links, made if they are missing, and the tables")
    parser.add_argument("--max-length", type=int, default=5)
    arguments = parser.parse_args()
    prepare(arguments.folder, NAMES)
    tables = {name: phrase_table(arguments.folder, name, arguments.max_length) for name in NAMES}
    pairs = judged_pairs()
    print(f"{len(pairs):,} judged pairs\n")
    print("| tables | pairs known | Spearman |\n|---|---|---|")
    for title, names in GROUPS.items():
        chosen = [tables[name] for name in names]
        scored = [(p, score) for one, two, score in pairs if (p := paraphrase_probability(chosen, one, two))]
        values, scores = np.array(scored).T
        print(f"| {title} | {len(scored):,} | {correlate(values, scores, 'spearman'):.3f} |")


def phrase_table(folder: Path, name: str, max_length: int) -> PhraseTable:
    output = folder / f"{name}.{max_length}.table"
    if output.exists():
        return PhraseTable.open(output)
    files = [folder / f"{name}.{suffix}" for suffix in ("src", "tgt", "links")]
    return extract_phrase_files(*files, max_length=max_length, lexical=False, output=output)


def judged_pairs() -> list[tuple[str, str, float]]:
    text = (DATA / "ppdb_human_26k" / "ppdb-sample.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    return [(row[2].lower(), row[3].lower(), float(row[0])) for row in rows]


if __name__ == "__main__":
    main()
