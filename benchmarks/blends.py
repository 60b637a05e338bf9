"""The blend `translation` and its parts beside human judgments: every set left out in turn, and what each part adds.

    python benchmarks/blends.py [--cache FOLDER] [--wmt12 N]

Prints Markdown tables for docs/reproduction.md:

* Pearson's correlation of segments with people on newstest2015, newstest2017 (mean over language pairs), sts-mt and
  newstest2021 zh-en (MQM): for a blend with the metrics and the penalty of the one that ships, learned from those sets
  that may be learned from (`LEARNED`), without the one measured; for the same without one of the metrics; and for each
  feature alone;
* DEMETR: the share of pairs in which the translation scores above the same with an error in it;
* newstest2012, fr-en and cs-en: Spearman's correlation of systems with their mean ranks by people, for N segments;
* all three for blends learned from newstest2015 with other penalties, beside BLEU: the choice of the penalty.

``--cache`` keeps features between runs. Reads the development data (PARAGAUGE_DATA).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import DATA

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from judged_sets import newstest2015, newstest2017, read_gzipped, read_rows, sts_similarity
from make_blend import METRICS, PENALTY

from paragauge.corpora.judged_texts import JudgedText, JudgedTexts
from paragauge.corpora.segments import Segments
from paragauge.learn.regression import fit_ridge
from paragauge.learn.validation import pearson, spearman
from paragauge.metrics.blend.features import Feature, compute_features, parse_features
from paragauge.metrics.blend.metric import Blend
from paragauge.metrics.blend.model import metrics_of, part_items

LEARNED = ("newstest2015", "sts-mt")  # the notes of the other sets ask to use them for testing only
REFERENCE_COPIED = "base_id35_reference"  # the "error" is the reference itself: there is nothing to notice


def judged_sets() -> dict[str, JudgedTexts]:
    """Return the sets of judged translations; the system is the language pair."""
    sts = [
        JudgedText(row.candidate, row.score, (row.original,), system="sts") for row in sts_similarity(DATA).pairs.rows
    ]
    mqm = [
        JudgedText(row["hypothesis"], float(row["mqm"]), (row["refA"],), system="zh-en")
        for row in read_rows(DATA / "wmt21_mqm" / "newstest2021.zh-en.tsv.gz")
        if row["mqm"]
    ]
    return {
        "newstest2015": newstest2015(DATA),
        "newstest2017": newstest2017(DATA),
        "sts-mt": JudgedTexts(tuple(sts)),
        "newstest2021 MQM": JudgedTexts(tuple(mqm)),
    }


class Features:
    """Features of texts, kept in a folder."""

    def __init__(self, features: tuple[Feature, ...], cache: Path | None) -> None:
        self.features, self.cache = features, cache

    def __call__(self, candidates: list[str], references: list[str]) -> np.ndarray:
        """Return the features of each candidate."""
        columns = {}
        for metric in metrics_of(self.features):
            mine = tuple(each for each in self.features if each.metric == metric)
            for each, column in zip(mine, self._computed(mine, candidates, references).T, strict=True):
                columns[each] = column
        return np.stack([columns[each] for each in self.features], axis=1)

    def _computed(self, features: tuple[Feature, ...], candidates: list[str], references: list[str]) -> np.ndarray:
        texts = "\n".join([*candidates, *references])
        key = repr([(str(each), part_items(each.metric)) for each in features]) + texts
        path = None if self.cache is None else self.cache / f"{hashlib.sha256(key.encode()).hexdigest()[:20]}.npy"
        if path is not None and path.exists():
            return np.load(path)
        found = compute_features(features, Segments.of(candidates, references))
        if path is not None:
            np.save(path, found)
        return found


def by_group(values: np.ndarray, targets: np.ndarray, groups: list[str]) -> float:
    """Return the mean over groups of Pearson's correlation."""
    places = {name: [k for k, group in enumerate(groups) if group == name] for name in dict.fromkeys(groups)}
    return float(np.mean([pearson(values[mine], targets[mine]) for mine in places.values()]))


def segments(compute: Features) -> None:
    """Sets left out in turn."""
    sets = judged_sets()
    rows, targets, groups = {}, {}, {}
    for name, texts in sets.items():
        rows[name] = compute([row.candidate for row in texts], [row.references[0] for row in texts])
        scores = np.array([row.score for row in texts])
        targets[name] = (scores - scores.mean()) / scores.std()
        groups[name] = [row.system for row in texts]

    def left_out(columns: list[int], name: str) -> float:
        others = [other for other in LEARNED if other != name]
        learned = fit_ridge(
            np.concatenate([rows[other][:, columns] for other in others]),
            np.concatenate([targets[other] for other in others]),
            PENALTY,
        )
        return by_group(learned.predict(rows[name][:, columns]), targets[name], groups[name])

    table = {"blend, set left out": [left_out(list(range(len(compute.features))), name) for name in sets]}
    shipped = Blend().opened.regressor
    table["blend that ships (learned from newstest2015)"] = [
        by_group(shipped.predict(rows[name]), targets[name], groups[name]) for name in sets
    ]
    for metric in metrics_of(compute.features):
        kept = [place for place, feature in enumerate(compute.features) if feature.metric != metric]
        table[f"- without `{metric}`"] = [left_out(kept, name) for name in sets]
    for place, feature in enumerate(compute.features):
        sign = -1 if feature.sign < 0 else 1
        table[f"`{feature}` alone"] = [
            by_group(sign * rows[name][:, place], targets[name], groups[name]) for name in sets
        ]
    show("Pearson with people, segments", list(sets), table)


def demetr_pairs(compute: Features) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features of translations, of the same with an error, and the severities of the errors."""
    pairs = [row for row in read_rows(DATA / "demetr" / "data.tsv.gz") if row["perturbation"] != REFERENCE_COPIED]
    references = [row["reference"] for row in pairs]
    good, bad = (compute([row[name] for row in pairs], references) for name in ("translation", "perturbed"))
    return good, bad, np.array([row["severity"] for row in pairs])


def demetr(compute: Features) -> None:
    """The better translation of each pair."""
    good, bad, severities = demetr_pairs(compute)
    names = ["critical", "major", "minor", "base"]

    def shares(one: np.ndarray, other: np.ndarray) -> list[float]:
        wins = one > other
        return [float(wins.mean()), *(float(wins[severities == name].mean()) for name in names)]

    regressor = Blend().opened.regressor
    table = {"blend": shares(regressor.predict(good), regressor.predict(bad))}
    for place, feature in enumerate(compute.features):
        sign = -1 if feature.sign < 0 else 1
        table[f"`{feature}`"] = shares(sign * good[:, place], sign * bad[:, place])
    show(f"DEMETR, {len(good):,} pairs: share in which the better translation wins", ["all", *names], table)


SYSTEM_PAIRS = {"fr-en": "French-English", "cs-en": "Czech-English"}


def judged_systems(compute: Features, pair: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean features of the systems of a language pair, and the share of comparisons that they win."""
    folder = DATA / "wmt12_toen"
    references = read_gzipped(folder / "references" / "newstest2012-ref.en.gz", count)
    people = wins(folder / "wmt12.RNK_results.csv.gz", SYSTEM_PAIRS[pair])
    files = {
        file.name.removeprefix(f"newstest2012.{pair}.").removesuffix(".gz"): file
        for file in sorted((folder / "system-outputs" / pair).iterdir())
    }
    known = [name for name in files if name in people]
    means = [compute(read_gzipped(files[name], count), references).mean(axis=0) for name in known]
    return np.array(means), np.array([people[name] for name in known])


def systems(compute: Features, count: int) -> None:
    """Systems of newstest2012. A blend is linear, so that its mean is what it says of the mean features."""
    table: dict[str, list[float]] = defaultdict(list)
    for pair in SYSTEM_PAIRS:
        means, human = judged_systems(compute, pair, count)
        table["blend"].append(spearman(Blend().opened.regressor.predict(means), human))
        for place, feature in enumerate(compute.features):
            sign = -1 if feature.sign < 0 else 1
            table[f"`{feature}`, mean of segments"].append(spearman(sign * means[:, place], human))
    show(f"newstest2012, Spearman of systems, {count} segments", list(SYSTEM_PAIRS), dict(table))


def penalties(compute: Features, count: int) -> None:
    """What other penalties would do, and BLEU."""
    sets = {name: texts for name, texts in judged_sets().items() if name.startswith("newstest201")}
    rows = {
        name: compute([row.candidate for row in texts], [row.references[0] for row in texts])
        for name, texts in sets.items()
    }
    targets = {name: np.array([row.score for row in texts]) for name, texts in sets.items()}
    groups = [row.system for row in sets["newstest2017"]]
    good, bad, _ = demetr_pairs(compute)
    judged = [judged_systems(compute, pair, count) for pair in SYSTEM_PAIRS]

    def figures(predict: Callable[[np.ndarray], np.ndarray]) -> list[float]:
        return [
            by_group(predict(rows["newstest2017"]), targets["newstest2017"], groups),
            float((predict(good) > predict(bad)).mean()),
            *(spearman(predict(means), human) for means, human in judged),
        ]

    table = {
        f"penalty {penalty:g}": figures(fit_ridge(rows["newstest2015"], targets["newstest2015"], penalty).predict)
        for penalty in (0.03, 0.1, 0.3, 1.0, 3.0)
    }
    table["`bleu`"] = figures(lambda rows: rows[:, METRICS.index("bleu")])
    show("Blends of newstest2015", ["newstest2017", "DEMETR", *(f"{pair} systems" for pair in SYSTEM_PAIRS)], table)


def wins(path: Path, language: str) -> dict[str, float]:
    """Return the share of comparisons that people let each system win, ties left out."""
    won: dict[str, list[int]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(io.StringIO(file.read())):
            if f"{row['srclang']}-{row['trglang']}" != language:
                continue
            ranked = [(row[f"system{k}Id"], int(row[f"system{k}rank"])) for k in range(1, 6)]
            for one, rank in ranked:
                for other, other_rank in ranked:
                    if one != other and -1 not in (rank, other_rank) and rank != other_rank:
                        won[one.removeprefix("newstest2012.").split(".", 1)[-1]].append(int(rank < other_rank))
    return {name: float(np.mean(found)) for name, found in won.items()}


def show(title: str, columns: list[str], table: dict[str, list[float]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n\n| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name, cells in table.items():
        print(f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    sys.stdout.flush()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--wmt12", type=int, default=3003, metavar="N")
    arguments = parser.parse_args()
    if arguments.cache is not None:
        arguments.cache.mkdir(parents=True, exist_ok=True)
    compute = Features(parse_features(METRICS), arguments.cache)
    segments(compute)
    demetr(compute)
    systems(compute, arguments.wmt12)
    penalties(compute, arguments.wmt12)


if __name__ == "__main__":
    main()
