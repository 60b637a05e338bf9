"""PEM beside people: correlations on ParaScore's Twitter and ParaBank's judgments, with plain metrics beside it.

    python benchmarks/pem_vs_people.py [DATA] [--model FOLDER]

Twitter: overall quality. ParaBank: adequacy, the mean over judges of a candidate; copies are left out.
*Model*: the scores of the model as it is; not shown for Twitter, which the shipped model was trained on.
*Cross-validated*: regressors trained on the data set itself, in five folds by original, without controls; their options
are those of the usual grid that do best in the same folds. Metrics of translations take the original as reference.
"""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path

import numpy as np

from paragauge import METRICS, PEM, Segments
from paragauge.learn.svr import cross_validate
from paragauge.meta.correlation import correlate
from paragauge.metrics.pem_features import PairBatch, feature_matrix

DATA = os.environ.get("PARAGAUGE_DATA", str(Path(__file__).resolve().parent.parent.parent / "shared" / "data"))
PLAIN = ("bleu", "chrf", "meteor", "ter", "ngram-f1", "pinc")

Items = list[tuple[str, str, float]]


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table without quoting."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def twitter(data: Path) -> Items:
    """Return (original, candidate, score from 1 to 5)."""
    table = rows(data / "parascore_twitter" / "twitter_para.tsv")
    return [(row["source"], row["candidate"], 1 + 4 * float(row["human_score"])) for row in table]


def parabank(data: Path) -> Items:
    """Return (original, candidate, mean score from 1 to 5) of candidates that are no copies."""
    originals = {row["ref_id"]: row["ref_sent"] for row in rows(data / "parabank_eval" / "ref.tsv")}
    scores: dict[tuple[str, str], list[float]] = {}
    for row in rows(data / "parabank_eval" / "candidates.tsv"):
        original = originals[row["ref_id"]]
        if row["human_score"] and row["candidate"] != original:
            scores.setdefault((original, row["candidate"]), []).append(1 + float(row["human_score"]) / 25)
    return [(original, candidate, float(np.mean(each))) for (original, candidate), each in scores.items()]


def show(data_set: str, what: str, values: object, human: list[float]) -> None:
    """Print a row."""
    numbers = np.asarray(values, dtype=np.float64)
    pearson, spearman = (correlate(numbers, human, method) for method in ("pearson", "spearman"))
    print(f"| {data_set} | {what} | {pearson:.3f} | {spearman:.3f} |", flush=True)


def measure(data_set: str, items: Items, model: str, trained_on: bool) -> None:
    """Print all rows of a data set."""
    originals, candidates, human = (list(column) for column in zip(*items, strict=True))
    segments = Segments.of(candidates, [[text] for text in originals], originals)
    for name in PLAIN:
        if name in METRICS and METRICS[name]().available:
            show(data_set, name, [score.value for score in METRICS[name]().score_segments(segments)], human)
    opened = PEM(model=model).opened
    batch = PairBatch(opened.resources, originals, candidates)
    names = ("adequacy", "fluency", "dissimilarity")
    for name, column in zip(names, feature_matrix(names, batch).T, strict=True):
        show(data_set, f"{name} alone", column, human)
    for name, variant in opened.variants.items():
        features = feature_matrix(variant.features, batch)
        if not trained_on:
            show(data_set, f"{name}, model", variant.regressor.predict(features), human)
        found = cross_validate(features, np.array(human), originals, folds=5, seed=1)
        show(data_set, f"{name}, cross-validated", found.predictions, human)


def main() -> None:
    """Print a table for docs/reproduction.md."""
    parser = argparse.ArgumentParser(description="Correlate PEM with people.")
    parser.add_argument("data", nargs="?", default=DATA)
    parser.add_argument("--model", default="default")
    arguments = parser.parse_args()
    data = Path(arguments.data)
    print("| data | metric | Pearson | Spearman |\n|---|---|---|---|")
    measure("Twitter", twitter(data), arguments.model, trained_on=True)
    measure("ParaBank", parabank(data), arguments.model, trained_on=False)


if __name__ == "__main__":
    main()
