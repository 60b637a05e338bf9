"""How well the judges of paraphrases do, each set reported by judges that never saw it; and the stress suite.

    python benchmarks/judges.py [DATA] [--quick] [--write]

Two tables. *Sets*: for every judged or adversarial set, `meaning` with weights learned without that set, beside the
value of pem+ and pem, chrF and METEOR. The last column is the share of contrasts, the only option of the fit, that has
the best mean over the *other* sets. Sets whose licence or note says so are never learned from, only measured.
*Stress*: people's paraphrases against damaged originals: how often the paraphrase has the higher value.

``--quick`` takes 300 examples of each set; ``--write`` puts the tables into benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from judged_sets import (  # noqa: E402
    edinburgh_paraphrases,
    msrp_labels,
    parabank_adequacy,
    read_rows,
    sts_similarity,
    tatoeba_paraphrases,
    tweet_votes,
)

from paragauge.judges.damage import DAMAGES, Damager  # noqa: E402
from paragauge.judges.fitting import CONTRAST_SHARE, Examples, fit_meaning  # noqa: E402
from paragauge.judges.meaning import LOSSES, MeaningWeights  # noqa: E402
from paragauge.judges.model import JudgeModel, open_judges  # noqa: E402
from paragauge.judges.training import JudgedSet, contrast_examples, pair_features  # noqa: E402
from paragauge.metrics.registry import METRICS  # noqa: E402

Scores = NDArray[np.float64]
Figure = Callable[[Scores], float]
SHARES = (0.2, 0.35, 0.5)
OTHERS = ("pem+", "pem", "chrf", "meteor")
STRESS = tuple(name for name, each in DAMAGES.items() if name != "lower-cased")
PAIRS = 600  # of the stress suite


@dataclass(frozen=True)
class MeasuredSet:
    """Pairs that are scored, and how their scores become one figure."""

    name: str
    what: str
    pairs: Sequence[tuple[str, str]]
    figure: Figure


def pearson(targets: Sequence[float]) -> Figure:
    """Return the correlation with people's scores as a figure."""
    return lambda scores: float(np.corrcoef(scores, targets)[0, 1])


def auc(labels: Sequence[bool]) -> Figure:
    """Return the chance that a pair of the one kind scores above one of the other, ties by half."""
    from scipy.stats import rankdata

    right = np.array(labels, dtype=bool)

    def figure(scores: Scores) -> float:
        ranks, ones = rankdata(scores), int(right.sum())
        return float((ranks[right].sum() - ones * (ones + 1) / 2) / (ones * (len(right) - ones)))

    return figure


def first_wins(width: int, tests: Sequence[tuple[int, int]]) -> Figure:
    """Return the share of items, of *width* pairs each, in which all *tests* (higher, lower) come out."""
    return lambda scores: float(
        np.mean([all(row[a] > row[b] for a, b in tests) for row in np.reshape(scores, (-1, width))])
    )


def judged(each: JudgedSet, limit: int | None, *, labels: bool = False) -> MeasuredSet:
    """Return a judged set as one to be measured."""
    rows = list(each.pairs.mean_over_judges())[:limit]
    scores = [float(row.score or 0) for row in rows]
    figure = auc([score > 0.5 for score in scores]) if labels else pearson(scores)
    what = "AUC" if labels else "Pearson"
    return MeasuredSet(each.name, what, [(row.original, row.candidate) for row in rows], figure)


def measured_sets(data: Path, limit: int | None) -> list[MeasuredSet]:
    """Return all sets."""
    sets = [
        judged(tweet_votes(data), limit),
        judged(parabank_adequacy(data), limit),
        judged(sts_similarity(data), limit),
        judged(msrp_labels(data), limit, labels=True),
    ]
    rows = list(read_rows(data / "paws_wiki" / "data.tsv.gz"))[:limit]
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    sets.append(MeasuredSet("PAWS", "AUC", pairs, auc([row["label"] == "1" for row in rows])))
    rows = list(read_rows(data / "sugarcrepe_pp" / "data.tsv.gz"))
    rows = rows[:: max(1, len(rows) // limit)] if limit else rows
    pairs = [
        pair
        for row in rows
        for one, other in ((row["caption"], row["paraphrase"]), (row["paraphrase"], row["caption"]))
        for pair in ((one, other), (one, row["negative"]))
    ]
    sets.append(MeasuredSet("SugarCrepe++", "accuracy", pairs, first_wins(4, [(0, 1), (2, 3)])))
    rows = list(read_rows(data / "semantoneg" / "data.tsv.gz"))[:limit]
    pairs = [(row["input"], row[side]) for row in rows for side in ("paraphrase", "negative1", "negative2")]
    sets.append(MeasuredSet("SemAntoNeg", "accuracy", pairs, first_wins(3, [(0, 1), (0, 2)])))
    rows = [row for row in read_rows(data / "breaking_nli" / "data.tsv.gz") if row["label"] != "neutral"]
    rows = rows[:: max(1, len(rows) // limit)] if limit else rows
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    sets.append(MeasuredSet("Breaking NLI", "AUC", pairs, auc([row["label"] == "entailment" for row in rows])))
    rows = list(read_rows(data / "paraquality" / "data.tsv.gz"))
    rows = [row for row in rows if row["labels"] in ("Correct", "Semantic Error")][:limit]
    pairs = [(row["source"], row["paraphrase"]) for row in rows]
    sets.append(MeasuredSet("ParaQuality", "AUC", pairs, auc([row["labels"] == "Correct" for row in rows])))
    rows = list(read_rows(data / "demetr" / "data.tsv.gz"))
    rows = rows[:: max(1, len(rows) // (limit or 4000))]
    pairs = [(row["reference"], row[side]) for row in rows for side in ("translation", "perturbed")]
    sets.append(MeasuredSet("DEMETR", "accuracy", pairs, first_wins(2, [(0, 1)])))
    return sets


def meaning(weights: MeaningWeights, features: Scores) -> Scores:
    """Return the judge of meaning's numbers for rows of features."""
    losses, checks = features[:, : len(LOSSES)], features[:, len(LOSSES) :]
    numbers: Scores = np.maximum(0, 1 - losses @ weights.losses) * np.exp(-(checks @ weights.checks))
    return numbers


def left_out(
    sets: Sequence[MeasuredSet],
    features: Mapping[str, Scores],
    learned: Mapping[str, Examples],
    contrasts: list[Examples],
) -> dict[str, tuple[float, float]]:
    """Return for each set the figure of `meaning` learned without it, and the share that the other sets prefer."""
    results = {}
    for each in sets:
        people = [examples for name, examples in learned.items() if name != each.name]
        figures: dict[float, list[float]] = {}
        fitted = {share: fit_meaning(people, contrasts, contrast_share=share) for share in SHARES}
        for share, weights in fitted.items():
            figures[share] = [
                other.figure(meaning(weights, features[other.name])) for other in sets if other is not each
            ]
        best = max(SHARES, key=lambda share: np.mean(figures[share]))
        results[each.name] = (each.figure(meaning(fitted[CONTRAST_SHARE], features[each.name])), best)
    return results


def score_pairs(metric: str, pairs: Sequence[tuple[str, str]]) -> Scores:
    """Return the scores of a metric; the original stands in for a reference where one is needed."""
    made = METRICS[metric]()
    candidates = [candidate for _, candidate in pairs]
    originals = [original for original, _ in pairs]
    texts = {"originals": originals} if "originals" in made.needs else {"references": originals}
    return np.array([score.value for score in made.segment_scores(candidates, **texts)])


def stress(data: Path, pairs: int) -> tuple[list[tuple[str, str]], dict[str, list[str | None]]]:
    """Return people's paraphrases of news and their originals, damaged."""
    rows = [row for row in msrp_labels(data).pairs if row.score == 1.0]
    chosen = [(row.original, row.candidate) for row in rows[:: max(1, len(rows) // pairs)]][:pairs]
    damager = Damager([text for pair in chosen for text in pair], seed=7)
    return chosen, {kind: damager.damage(kind, [original for original, _ in chosen]) for kind in STRESS}


def wins(
    metric: str, pairs: Sequence[tuple[str, str]], damaged: Mapping[str, Sequence[str | None]]
) -> dict[str, float]:
    """Return, for each kind of damage, the share of pairs whose paraphrase scores above the damaged original."""
    good = score_pairs(metric, pairs)
    shares = {}
    for kind, texts in damaged.items():
        places = [place for place, text in enumerate(texts) if text is not None]
        bad = score_pairs(metric, [(pairs[place][0], texts[place] or "") for place in places])
        shares[kind] = float(np.mean(good[places] > bad))
    return shares


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    cells = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in cells)]
    )


def write(text: str) -> None:
    """Put the tables between their marks in RESULTS.md."""
    path = ROOT / "benchmarks" / "RESULTS.md"
    begin, end = "<!-- judges -->", "<!-- /judges -->"
    old = path.read_text(encoding="utf-8")
    if begin not in old:
        old += f"\n## Judges of paraphrases\n{begin}\n{end}\n"
    before, rest = old.split(begin, 1)
    path.write_text(before + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the judges of paraphrases.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("--quick", action="store_true", help="300 examples of each set")
    parser.add_argument("--write", action="store_true", help="write the tables into RESULTS.md")
    arguments = parser.parse_args()
    data, limit = Path(arguments.data), 300 if arguments.quick else None
    model: JudgeModel = open_judges()
    sets = measured_sets(data, limit)
    features: dict[str, Scores] = {}
    for each in sets:
        begun = time.perf_counter()
        features[each.name] = pair_features(model, each.pairs, each.name)
        print(f"{each.name}: {len(each.pairs):,} pairs, {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    learned = {
        each.name: Examples(
            features[each.name],
            np.array([float(r.score or 0) for r in one.pairs.mean_over_judges()][: len(each.pairs)]),
            each.name,
        )
        for each, one in zip(sets[:3], (tweet_votes(data), parabank_adequacy(data), sts_similarity(data)), strict=True)
    }
    contrasts = [contrast_examples(model, each) for each in (tatoeba_paraphrases(data), edinburgh_paraphrases(data))]
    ours = left_out(sets, features, learned, contrasts)
    rows = []
    for each in sets:
        others = [each.figure(score_pairs(name, each.pairs)) for name in OTHERS]
        rows.append([each.name, len(each.pairs), each.what, ours[each.name][0], *others, f"{ours[each.name][1]:g}"])
        print(rows[-1], file=sys.stderr)
    first = table(["set", "pairs", "figure", "meaning, left out", *OTHERS, "share others prefer"], rows)
    pairs, damaged = stress(data, 100 if arguments.quick else PAIRS)
    won = {name: wins(name, pairs, damaged) for name in OTHERS}
    second = table(
        ["damage", "applies", *OTHERS],
        [
            [kind, sum(text is not None for text in damaged[kind]), *(won[name][kind] for name in OTHERS)]
            for kind in STRESS
        ],
    )
    text = f"{first}\n\nPeople's paraphrases above damaged originals, share of pairs:\n\n{second}"
    print(text)
    if arguments.write:
        write(text)


if __name__ == "__main__":
    main()
