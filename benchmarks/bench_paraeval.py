"""Segments per second of ParaEval's matching and of the whole metric, compared with sacreBLEU's sentence BLEU.

    python benchmarks/bench_paraeval.py [--table DIR] [--rounds 5]

Data: newstest2012, one French-English system (3,003 segments) against its reference. There is no public implementation
of ParaEval to compare with, so sentence BLEU, a familiar metric, is timed in the same run.
"""

from __future__ import annotations

import argparse
import gzip
import statistics

from measure import DATA, alternate, median_ratio
from sacrebleu.metrics.bleu import BLEU

from paragauge.corpora.segments import Segments
from paragauge.metrics import ParaEval
from paragauge.text.pipeline import _tokens

BASE = DATA / "wmt12_toen"


def lines(name: str) -> list[str]:
    with gzip.open(BASE / name, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="default")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    candidates = lines("system-outputs/fr-en/newstest2012.fr-en.onlineB.gz")
    references = lines("references/newstest2012-ref.en.gz")
    segments = Segments.of(candidates, references)
    metric = ParaEval(table=options.table)
    wide = ParaEval(table=options.table, min_prob=0, min_inverse_prob=0)
    exact = ParaEval(table=options.table, matching="exact")
    tokens = [metric.pipeline(text) for text in candidates], [[metric.pipeline(text)] for text in references]
    coverers = {"greedy": metric.coverer, "greedy, nothing pruned": wide.coverer, "exact": exact.coverer}
    bleu = BLEU(effective_order=True)

    def whole() -> None:
        _tokens.cache_clear()  # or tokenising would be free
        metric.statistics(segments)

    rivals = {f"matching, {name}": (lambda each=each: each.rows(*tokens)) for name, each in coverers.items()}
    rivals |= {
        "whole metric, with tokens and stems": whole,
        "sacreBLEU, sentence BLEU": lambda: [
            bleu.sentence_score(own, [other]) for own, other in zip(candidates, references, strict=True)
        ],
    }
    seconds = alternate(rivals, options.rounds)
    theirs = seconds["sacreBLEU, sentence BLEU"]
    for name, each in seconds.items():
        rate = len(candidates) / statistics.median(each)
        print(f"{name:38} {rate:10,.0f} segments/s   time, relative to sacreBLEU {median_ratio(each, theirs):.2f}")


if __name__ == "__main__":
    main()
