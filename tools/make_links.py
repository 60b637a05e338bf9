"""Make the link model that ships with paragauge: how the evidence for word links becomes a probability.

    python tools/make_links.py DATA -o src/paragauge/data/links/default
    python tools/make_links.py DATA --measure

DATA is a folder with ``edinburgh_pp``, ``msr_rte06_align`` and ``multimwa``. With --measure, nothing is written: a
quarter of each set is kept aside, with all pairs that share a sentence, and the tool prints F1 on sure links, learned
from all sets, and without any pair of the set that is measured, with a calibration table. Wikipedia's development part
is always kept aside. Takes about three processor minutes; ten with --measure, two and a half for --kinds english.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are too small to share
import numpy as np

from paragauge.align.annotated import AlignedPairs, read_aligned_pairs
from paragauge.monolingual.aligner import Knowledge, any_knowledge, english_knowledge
from paragauge.monolingual.networks import NAMES, write_networks
from paragauge.monolingual.training import GoldPairs, train_networks

LICENCE = (
    "Weights learned from the Edinburgh corpus (Apache 2.0), Microsoft's RTE alignments and MultiMWA's Wikipedia pairs"
)
# Wikipedia's pairs are many, and nearly all of their words are the same on both sides.
WEIGHTS = {"edinburgh": 2.0, "rte": 2.0, "wiki": 1.0}
KEPT = 4  # one of so many groups of pairs is kept aside to measure


def read_sets(data: Path) -> dict[str, AlignedPairs]:
    """Return the hand-aligned pairs by name."""
    edinburgh, rte = data / "edinburgh_pp", data / "msr_rte06_align"
    return {
        "edinburgh": read_aligned_pairs(
            edinburgh / "gold.train.sure.json", possible=edinburgh / "gold.train.sure+poss.json"
        ),
        "rte": read_aligned_pairs(rte / "RTE2_dev_M.align.json.gz"),
        "wiki": read_aligned_pairs(data / "multimwa" / "wiki-train.tsv.gz"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="folder of the model")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--kinds", nargs="+", default=NAMES, choices=NAMES, help="models to measure")
    arguments = parser.parse_args()
    sets = read_sets(arguments.data)
    unseen = read_aligned_pairs(arguments.data / "multimwa" / "wiki-dev.tsv.gz")
    kinds = {
        "english": (english_knowledge(), False),
        "english+corpus": (english_knowledge(), True),
        "any": (any_knowledge(), False),
        "any+corpus": (any_knowledge(), True),
    }
    if arguments.measure:
        for kind in arguments.kinds:
            for line in _measured(sets, unseen, *kinds[kind]):
                print(f"{kind:15} {line}", flush=True)
        return
    if arguments.output is None:
        parser.error("give the folder to write with -o, or --measure")
    networks = {}
    for kind, (knowledge, statistical) in kinds.items():
        print(f"{kind} ...", file=sys.stderr)
        networks[kind] = train_networks(
            [GoldPairs(each, knowledge, statistical=statistical, weight=WEIGHTS[name]) for name, each in sets.items()]
        )
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write_networks(
        arguments.output, networks, inputs={name: gold.digest for name, gold in sets.items()}, licence=LICENCE
    )


def _measured(
    sets: dict[str, AlignedPairs], unseen: AlignedPairs, knowledge: Knowledge, statistical: bool
) -> Iterator[str]:
    learned, kept = {}, {}
    for name, gold in sets.items():
        folds = GoldPairs(gold, knowledge).folds(KEPT)
        rest, aside = (tuple(np.flatnonzero(part).tolist()) for part in (folds != 0, folds == 0))
        learned[name] = GoldPairs(gold, knowledge, statistical=statistical, places=rest, weight=WEIGHTS[name])
        kept[name] = GoldPairs(gold, knowledge, statistical=statistical, places=aside)
    networks = train_networks(list(learned.values()))
    for name, gold in {**kept, "wiki-dev": GoldPairs(unseen, knowledge, statistical=statistical)}.items():
        precision, recall, f1 = gold.f1(networks)
        found = recall * gold.sure
        changes = (gold.sure - found + found / precision - found) / len(gold)
        yield (
            f"{name:10} from all sets        {_shown((precision, recall, f1))}  pairs {len(gold)}  links {gold.sure}  "
            f"to change {changes:.2f} a pair, {gold.sure / len(gold):.2f} without a proposal"
        )
    predicted, truths = [], []
    for name, gold in kept.items():
        networks = train_networks([learned[other] for other in sets if other != name])
        yield f"{name:10} from the other sets  {_shown(gold.f1(networks))}"
        run = gold.run(networks, evidence=False)
        predicted.append(run.probabilities)
        truths.append(gold.labels(run)[0])
    p, truth = np.concatenate(predicted), np.concatenate(truths)
    for low in np.arange(0, 1, 0.1):
        chosen = (p >= low) & (p < low + 0.1 + 1e-6 * (low > 0.85))
        means = f"mean {p[chosen].mean():.3f}, links {truth[chosen].mean():.3f}"
        yield f"p {low:.1f} to {low + 0.1:.1f}: {means}, cells {chosen.sum():,}"


def _shown(figures: tuple[float, float, float]) -> str:
    return "precision {:.4f}  recall {:.4f}  F1 {:.4f}".format(*figures)


if __name__ == "__main__":
    main()
