"""Compare the models of English that ship with the dev sets of the treebanks: the tables of docs/reproduction.md.

python tools/evaluate_analysis.py TREEBANKS
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from paragauge.analysis import provider, read_conllu, read_trees
from paragauge.analysis.evaluation import (
    bracket_agreement,
    dependency_agreement,
    is_object,
    is_subject,
    tag_agreement,
)

LENGTHS = ((1, 10), (11, 20), (21, 40), (41, 1_000_000))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    arguments = parser.parse_args()
    analyser = provider("builtin")
    gold = {name: list(read_conllu(arguments.treebanks / f"{name}.dev.conllu.gz")) for name in ("ewt", "gum")}
    gold["both"] = gold["ewt"] + gold["gum"]
    trees = list(read_trees(arguments.treebanks / "gum.dev.ptb.gz"))
    print(analyser.signature)
    print("| dev set | tags | heads | heads and relations | subjects F | objects F |\n|---|---|---|---|---|---|")
    for lower in (False, True):
        for name, bank in gold.items():
            texts = [[word.lower() if lower else word for word in sentence.words] for sentence in bank]
            found = [
                replace(one, words=other.words)
                for one, other in zip(analyser.analyse(texts, dependencies=True), bank, strict=True)
            ]
            agreements = (
                tag_agreement(found, bank),
                dependency_agreement(found, bank, lambda relation: True),
                dependency_agreement(found, bank),
                dependency_agreement(found, bank, is_subject),
                dependency_agreement(found, bank, is_object),
            )
            print(
                f"| {name}{' in lower case' if lower else ''} | "
                + " | ".join(f"{one.f:.3f}" for one in agreements)
                + " |"
            )
    analyses = analyser.analyse([tree.words for tree in trees], trees=True)
    pairs = [(one.tree, tree) for one, tree in zip(analyses, trees, strict=True) if one.tree is not None]
    print("\n| words | sentences | precision | recall | F |\n|---|---|---|---|---|")
    for low, high in (*LENGTHS, (1, 1_000_000)):
        some = [(one, tree) for one, tree in pairs if low <= len(tree.words) <= high]
        agreement = bracket_agreement([one for one, _ in some], [tree for _, tree in some])
        figures = " | ".join(f"{one:.3f}" for one in (agreement.precision, agreement.recall, agreement.f))
        print(f"| {low} to {high:,} | {len(some)} | {figures} |")


if __name__ == "__main__":
    main()
