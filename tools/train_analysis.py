"""Train the English analysis models that ship with paragauge.

    python tools/train_analysis.py TREEBANKS -o src/paragauge/data/analysis

TREEBANKS is a folder with CoNLL-U files (``*.train.conllu.gz``) and, for some of them, bracketed trees of the
same sentences (``*.train.ptb.gz``). The same files give the same bytes. Takes about twenty minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from paragauge.analysis import Lexicon, read_conllu, read_trees
from paragauge.analysis.model import write_model
from paragauge.analysis.training import Training, dictionary_kinds
from paragauge.errors import DataError

NOTES = {
    "treebanks": "Universal Dependencies English-EWT (Silveira et al., 2014) and GUM (Zeldes, 2017), training parts",
    "licence": "CC BY-SA 4.0; see NOTICE.txt",
    "dictionary": "WordNet 3.0",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for english.bin")
    parser.add_argument("--threads", type=int, default=2, help="number of folds trained at once")
    arguments = parser.parse_args()

    began = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {text}", file=sys.stderr, flush=True)

    sentences, trees = [], {}
    for path in sorted(arguments.treebanks.glob("*.train.conllu.gz")):
        own_trees = path.with_name(path.name.replace(".conllu", ".ptb"))
        own = list(read_conllu(path))
        if own_trees.exists():
            for number, tree in enumerate(read_trees(own_trees)):
                # Words and tags may be spelt differently in the brackets; only their number must match.
                if len(tree.words) != len(own[number].words):
                    raise DataError(f"tree {number + 1} has more or fewer words than its sentence", path=str(own_trees))
                trees[len(sentences) + number] = tree
        sentences += own
    report(f"{len(sentences):,} sentences, {len(trees):,} of them with trees")
    training = Training(
        sentences, trees, dictionary_kinds(Lexicon.load(), sentences), report=report, threads=arguments.threads
    )
    names, blocks = training.run()
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_model(arguments.output / "english.bin", {**names, "notes": NOTES}, blocks)
    report(", ".join(f"{name} {len(block):,} bytes" for name, block in blocks.items()))


if __name__ == "__main__":
    main()
