"""PEM and human judgments: choice of settings, correlations with judgments, and damaged sentences.

    python benchmarks/pem_vs_people.py choose TABLE... [--data DATA]   adequacy settings, each set left out in turn
    python benchmarks/pem_vs_people.py regressor [--data DATA]         regressor and limits of fluency, likewise
    python benchmarks/pem_vs_people.py fluency [--data DATA]           forms of fluency on sound and damaged sentences
    python benchmarks/pem_vs_people.py correlate [--data DATA]         PEM and simple metrics with judgments
    python benchmarks/pem_vs_people.py stress [--data DATA]            human paraphrases against damaged originals

Sets: ParaScore's tweets (share of "same meaning" votes), ParaBank (adequacy, mean over the judges of a candidate,
without copies), MSRP (label "same meaning") and the STS companion (similarity of reference and translation). They judge
meaning, not overall quality; *overall* is the score computed by the rule in paragauge.judges.verdict. *choose* takes
phrase tables of stems (``--save-table`` of tools/make_pem_model.py) and reports, for each set, the setting that is best
on the other three. *regressor* trains the regressor of the default model again with other options and other limits of
fluency, never on the set that is measured or left out. Its sets include the paraphrases of Tatoeba and of the Edinburgh
corpus against their damaged originals (share of wins). Values qualify if a copy is worth 2, as the
rule says, and if damaged originals lose as often as they have to.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import os
import sys
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge import METRICS, PEM, PhraseTable
from paragauge.corpora import Segments
from paragauge.corpora.damaged_pairs import damaged_pairs
from paragauge.corpora.judged_pairs import ADEQUACY, HIGHEST, LOWEST, control_pairs
from paragauge.judges.verdict import difference, verdict
from paragauge.learn.svr import RbfRegressor, SvrOptions, fit_svr, svr_grid
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.meta.correlation import correlate
from paragauge.metrics.pem.features import (
    FLUENCIES,
    LEAST_FLUENCY,
    ORDINARY_LOG_ODDS,
    RARE,
    PairBatch,
    PemResources,
)
from paragauge.metrics.pem.training import TrainingOptions, known_items, prune_for_pem

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import make_pem_model
from judged_sets import edinburgh_paraphrases
from judges import StressSet

DATA = os.environ.get("PARAGAUGE_DATA", str(Path(__file__).resolve().parent.parent.parent / "shared" / "data"))
PLAIN = ("bleu", "chrf", "meteor", "ter", "ngram-f1", "pinc")
SAMPLE = 1500
STRESSED = 200  # pairs of each set of damaged originals that options are chosen by
# What PEM's protocol says a copy is worth, and how far a regressor may be from it. The paper's scores are means over
# three judges, who give whole numbers: a copy has to be worth 2 to the nearest third.
COPY, COPY_MARGIN = 2.0, 1 / 6
LEAST_WINS = 0.7  # the share of damaged originals that have to lose against a paraphrase
EARNS = 0.001  # of the mean figure, what a part that can be left out has to add

# Parts of the training data that nothing requires. Tweets and ParaBank are the judgments, and PEM's protocol has the
# control systems.
OPTIONAL_PARTS = ("damaged sentences", "paraphrases of Tatoeba", "verses")

Items = list[tuple[str, str, float]]


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table without quoting."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def twitter(data: Path) -> Items:
    """Return (original, candidate, share of votes)."""
    table = rows(data / "parascore_twitter" / "twitter_para.tsv")
    return [(row["source"], row["candidate"], float(row["human_score"])) for row in table]


def parabank(data: Path) -> Items:
    """Return (original, candidate, mean adequacy) for candidates that are not copies."""
    originals = {row["ref_id"]: row["ref_sent"] for row in rows(data / "parabank_eval" / "ref.tsv")}
    scores: dict[tuple[str, str], list[float]] = {}
    for row in rows(data / "parabank_eval" / "candidates.tsv"):
        original = originals[row["ref_id"]]
        if row["human_score"] and row["candidate"] != original:
            scores.setdefault((original, row["candidate"]), []).append(float(row["human_score"]))
    return [(original, candidate, float(np.mean(each))) for (original, candidate), each in scores.items()]


def msrp(data: Path) -> Items:
    """Return (first, second, 1 for the same meaning)."""
    table = rows(data / "msrp" / "msr_paraphrase_train.txt")
    return [(row["#1 String"], row["#2 String"], float(row["Quality"])) for row in table]


def sts(data: Path) -> Items:
    """Return (reference, translation, similarity)."""
    lines = (data / "sts_companion" / "sts-mt.csv").read_text(encoding="utf-8").splitlines()
    return [(row[4], row[5], float(row[3])) for row in (line.split("\t") for line in lines)]


SETS: dict[str, Callable[[Path], Items]] = {"tweets": twitter, "ParaBank": parabank, "MSRP": msrp, "STS": sts}


def sampled(items: Items) -> Items:
    """Return an evenly spaced sample of the items."""
    step = max(1.0, len(items) / SAMPLE)
    return [items[int(k * step)] for k in range(min(len(items), SAMPLE))]


def pearson(values: object, human: Sequence[float]) -> float:
    """Return the correlation with people."""
    return correlate(np.asarray(values, dtype=np.float64), list(human), "pearson")


def adequacy(table: PhraseTable, options: TrainingOptions, items: Items) -> float:
    """Return the correlation of adequacy alone with people."""
    resources = replace(PEM().opened.resources, pivots={"fr": PivotBags(prune_for_pem(table, options), options.bags)},
                        punctuation=options.punctuation)  # fmt: skip
    batch = PairBatch(resources, [item[0] for item in items], [item[1] for item in items])
    return pearson(batch.adequacy(), [item[2] for item in items])


def settings() -> Iterator[tuple[str, TrainingOptions]]:
    """Yield the candidate settings: the paper's, and combinations of others."""
    yield "paper", TrainingOptions.paper()
    for phrase, order, edge, unknown in product((1, 4), (1, 2, 4), (0.01, 0.03), (0.4, 0.7)):
        name = f"up to {phrase} words, n-grams up to {order}, edges > {edge:g}, unknown {unknown:g}"
        bags = BagOptions(max_order=order, min_edge=edge, unknown=unknown)
        yield name, TrainingOptions(max_phrase=phrase, bags=bags)


def choose(data: Path, tables: Sequence[str]) -> None:
    """Print, for each set, the setting that is best on the other sets, and its correlations."""
    samples = {name: sampled(load(data)) for name, load in SETS.items()}
    found: dict[str, dict[str, float]] = {}
    for folder in tables:
        table = PhraseTable.open(folder)
        for name, options in settings():
            found[f"{Path(folder).name}, {name}"] = {
                each: adequacy(table, options, items) for each, items in samples.items()
            }
    print(f"| left out | best on the others | there | {' | '.join(SETS)} |\n|---|---|---|{'---|' * len(SETS)}")

    def mean(setting: str, names: Sequence[str]) -> float:
        return float(np.mean([found[setting][name] for name in names]))

    for out in (*SETS, "nothing"):
        others = [name for name in SETS if name != out]
        best = max(found, key=lambda setting: mean(setting, others))
        cells = " | ".join(f"{value:.3f}" for value in found[best].values())
        print(f"| {out} | {best} | {found[best].get(out, mean(best, others)):.3f} | {cells} |")
    print("\nAll settings, by their mean:\n")
    for setting in sorted(found, key=lambda setting: -mean(setting, list(SETS))):
        print(f"{mean(setting, list(SETS)):.4f} {' '.join(f'{v:.3f}' for v in found[setting].values())}  {setting}")


@dataclass(frozen=True)
class RegressorOptions:
    """What the regressor is trained with: limits of fluency, options of the support vector regression, and data."""

    ordinary: float = ORDINARY_LOG_ODDS
    rare: float = RARE
    svr: SvrOptions = make_pem_model.OPTIONS.svr or SvrOptions()
    steadying: float = 0.0  # words that count as fluent as the original, so that one pair of words does not decide
    without: str = ""  # a part of the training data that is left out

    def tried(self) -> Iterator[tuple[str, RegressorOptions]]:
        """Yield options that differ from these in one respect; in each, the simplest comes first."""
        for part in ("", *OPTIONAL_PARTS):
            yield f"training on {f'all but {part}' if part else 'all'}", replace(self, without=part)
        for steadying, ordinary in product((0.0, 4.0, 8.0, 16.0), (0.6, 0.7, 0.8, 0.9, 1.0, math.inf)):
            name = f"original counts at most {ordinary:g}, {steadying:g} words more"
            yield name, replace(self, ordinary=ordinary, steadying=steadying)
        for rare in (-math.inf, -5.2, -4.7, -4.2):
            yield f"rare below {rare:g}", replace(self, rare=rare)
        for svr in svr_grid(3):
            name = f"C {svr.c:g}, gamma {svr.gamma:.3g}, epsilon {svr.epsilon:g}"
            yield name, replace(self, svr=svr)


class Pairs:
    """The features of pairs of original and candidate, for any limits of fluency."""

    def __init__(self, resources: PemResources, pairs: Sequence[tuple[str, str]]) -> None:
        self._resources = resources
        self._batch = PairBatch(resources, [original for original, _ in pairs], [candidate for _, candidate in pairs])
        self._odds: dict[float, NDArray[np.float64]] = {}

    @cached_property
    def adequacy(self) -> NDArray[np.float64]:
        """The pivot F1 of each pair."""
        return self._batch.adequacy()

    @cached_property
    def shared(self) -> NDArray[np.float64]:
        """The wording that each pair shares."""
        return self._batch.dissimilarity()

    def rows(self, options: RegressorOptions) -> NDArray[np.float64]:
        """Return what the regressor reads."""
        if options.rare not in self._odds:
            words = [*self._batch.candidate_words, *self._batch.original_words]
            self._odds[options.rare] = self._resources.language_model.log_odds(words, rare=options.rare)
        candidates, originals = np.split(self._odds[options.rare], 2)
        words = np.array([len(words) + 1 for words in self._batch.candidate_words])
        relative = (candidates - np.minimum(originals, options.ordinary)) * words / (words + options.steadying)
        fluency = relative.clip(LEAST_FLUENCY, 0.0)
        return np.column_stack([self.adequacy, fluency, self.shared])


class RegressorTrials:
    """Figures of regressors that were trained without the set that they are measured on."""

    def __init__(self, data: Path) -> None:
        resources = PEM().opened.resources
        control_text, more = make_pem_model.controls(make_pem_model.read_tatoeba(data / make_pem_model.TATOEBA), data)
        chance = np.random.default_rng(make_pem_model.OPTIONS.seed)
        training = {
            "tweets": known_items(make_pem_model.read_tweets(data / make_pem_model.TWEETS)),
            "ParaBank": known_items(make_pem_model.read_parabank(data / make_pem_model.PARABANK)),
            "controls": known_items(control_pairs(control_text, chance)),
            "damaged sentences": known_items(damaged_pairs(control_text, chance)),
        }
        pairs_known = known_items(more)
        training["paraphrases of Tatoeba"] = pairs_known[: make_pem_model.PARAPHRASES]
        training["verses"] = pairs_known[make_pem_model.PARAPHRASES :]
        self._training: dict[str, tuple[Pairs, NDArray[np.float64]]] = {}
        for name, items in training.items():
            pairs = Pairs(resources, [(item.original, item.candidate) for item in items])
            scores = np.array([(item.adequacy, item.fluency) for item in items])
            adequacy, fluency = ((scores - LOWEST) / (HIGHEST - LOWEST)).T
            self._training[name] = pairs, verdict(adequacy, fluency, difference(pairs.shared))
        self._judged: dict[str, tuple[Pairs, NDArray[np.float64]]] = {}
        for name, load in SETS.items():
            items = sampled(load(data))
            pairs, human = Pairs(resources, [item[:2] for item in items]), np.array([item[2] for item in items])
            meaning = (human - human.min()) / np.ptp(human)
            self._judged[name] = pairs, verdict(meaning, np.ones(len(meaning)), difference(pairs.shared))
        self._stress: dict[str, tuple[StressSet, Pairs, Pairs]] = {}
        for name, found in (
            ("Tatoeba", tatoeba_paraphrases(data)),
            ("Edinburgh", edinburgh_paraphrases(data).pairs),
        ):
            stressed = StressSet.of(name, found, STRESSED)
            copies = [(original, original) for original, _ in stressed.pairs]
            self._stress[name] = stressed, Pairs(resources, stressed.all_pairs), Pairs(resources, copies)
        self._fitted: dict[tuple[RegressorOptions, frozenset[str]], RbfRegressor] = {}
        self.sets = (*self._judged, *self._stress)

    def values(self, pairs: Pairs, options: RegressorOptions, without: frozenset[str]) -> NDArray[np.float64]:
        """Return the scores by a regressor that was trained without some sets."""
        without |= {options.without}
        key = (options, without & {*self._training})
        if key not in self._fitted:
            parts = [part for name, part in self._training.items() if name not in without]
            rows = np.vstack([each.rows(options) for each, _ in parts])
            self._fitted[key] = fit_svr(rows, np.concatenate([targets for _, targets in parts]), options.svr)
        return self._fitted[key].predict(pairs.rows(options)).clip(LOWEST, HIGHEST)

    def figure(self, name: str, options: RegressorOptions, without: frozenset[str]) -> float:
        """Return the figure of a set: correlation with the rule's overall score, or share of wins over damages."""
        if name in self._judged:
            pairs, overall = self._judged[name]
            return pearson(self.values(pairs, options, without | {name}), overall.tolist())
        stressed, pairs, _ = self._stress[name]
        return float(np.mean(list(stressed.wins(self.values(pairs, options, without)).values())))

    def copy_value(self, options: RegressorOptions) -> float:
        """Return what a copy is worth."""
        return float(
            np.mean([self.values(copies, options, frozenset()).mean() for *_, copies in self._stress.values()])
        )

    def least_wins(self, options: RegressorOptions) -> float:
        """Return the lower of the shares of wins over damaged originals in the two sets that have them."""
        return min(self.figure(name, options, frozenset()) for name in self._stress)

    def mean_figure(self, options: RegressorOptions, left_out: frozenset[str] = frozenset()) -> float:
        """Return the mean over the sets that are not left out."""
        return float(np.mean([self.figure(name, options, left_out) for name in self.sets if name not in left_out]))


def choose_regressor(data: Path) -> None:
    """Print, for each set, what is chosen by the other sets; then all options."""
    trials, shipped = RegressorTrials(data), RegressorOptions()
    tried = dict(shipped.tried())
    copies = {name: trials.copy_value(options) for name, options in tried.items()}
    qualifying = [
        name
        for name, value in copies.items()
        if abs(value - COPY) <= COPY_MARGIN and trials.least_wins(tried[name]) >= LEAST_WINS
    ]
    groups = {
        "original": "fluency relative to the original",
        "rare": "limit of rare words",
        "C": "regressor",
        "training": "training data",
    }

    def chosen(begin: str, left_out: frozenset[str]) -> str:
        names = [name for name in qualifying if name.startswith(begin)]
        means = {name: trials.mean_figure(tried[name], left_out) for name in names}
        if begin == "training":  # parts that add too little are left out
            worth = {name: means[names[0]] - means[name] for name in names[1:]}
            least = min(worth, key=worth.__getitem__)
            return least if worth[least] < EARNS else names[0]
        best = max(names, key=means.__getitem__)
        plain = [name for name in names if tried[name].steadying == 0]
        if begin == "original" and tried[best].steadying:  # words that are not there have to earn their place
            simple = max(plain, key=means.__getitem__)
            best = best if means[best] >= means[simple] + EARNS else simple
        return best

    print("| left out | chosen for | chosen by the others | there | as shipped, there |\n|---|---|---|---|---|")
    for out in (*trials.sets, ""):
        for begin, what in groups.items():
            best = chosen(begin, frozenset({out}))
            cells = [trials.figure(out, each, frozenset()) for each in (tried[best], shipped)] if out else []
            print(f"| {out or 'nothing'} | {what} | {best} | {' | '.join(f'{cell:.3f}' for cell in cells) or '|'} |")
    print(f"\n| option | copy | {' | '.join(trials.sets)} | mean |\n|---|---|{'---|' * len(trials.sets)}---|")
    for name, options in tried.items():
        figures = [trials.figure(each, options, frozenset()) for each in trials.sets]
        cells = " | ".join(f"{figure:.3f}" for figure in (*figures, np.mean(figures)))
        mark = "" if name in qualifying else " (does not qualify)"
        print(f"| {name}{' (ships)' if options == shipped else ''} | {copies[name]:.2f}{mark} | {cells} |")


def correlations(data: Path, model: str) -> None:
    """Print how PEM, its components and simple metrics correlate with human judgments."""
    print(f"| metric | {' | '.join(SETS)} |\n|---|{'---|' * len(SETS)}")
    cells: dict[str, list[float]] = defaultdict(list)
    for load in SETS.values():
        items = load(data)
        originals, candidates, human = (list(column) for column in zip(*items, strict=True))
        segments = Segments.of(candidates, [[text] for text in originals], originals)
        for name in PLAIN:
            if name in METRICS and METRICS[name]().available:
                scores = METRICS[name]().score_segments(segments)
                cells[name].append(pearson([score.value for score in scores], human))
        scores = PEM(model=model).score_segments(segments)
        cells["pem"].append(pearson([score.value for score in scores], human))
        shared = np.array([score.dissimilarity for score in scores])
        meaning = (np.array(human) - min(human)) / (max(human) - min(human))
        overall = verdict(meaning, np.ones(len(meaning)), difference(shared))
        cells["pem, with overall"].append(pearson([score.value for score in scores], overall.tolist()))
        for name in scores[0].components:
            cells[f"{name} alone"].append(pearson([score.components[name] for score in scores], human))
    for name, values in cells.items():
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in values)} |")


def tatoeba_paraphrases(data: Path) -> list[tuple[str, str]]:
    """Return pairs of English sentences that translate one French sentence, from the second half of the file's groups.

    The shipped model was trained on the first half.
    """
    groups: dict[str, list[str]] = {}
    with zipfile.ZipFile(data / "tatoeba_fra_eng" / "fra-eng.zip") as archive, archive.open("fra.txt") as file:
        for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n"):
            english, french = line.split("\t")[:2]
            groups.setdefault(french, []).append(english)
    pairs = [(group[0], group[-1]) for group in groups.values() if len(group) > 1 and len(group[0].split()) >= 6]
    return pairs[1::2]


def sound_and_damaged(pairs: list[tuple[str, str]]) -> tuple[dict[str, str], dict[str, list[tuple[str, str]]]]:
    """Return some human paraphrases by original, and damaged versions of these originals by kind."""
    rng = np.random.default_rng(11)
    good = dict(pairs[k] for k in rng.permutation(len(pairs))[:1000].tolist())
    damaged: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in damaged_pairs(good, rng).mean_over_judges(ADEQUACY):
        damaged[row.system.removeprefix("control-")].append((row.original, row.candidate))
    return good, damaged


def fluency_forms(data: Path, model: str) -> None:
    """Print the AUC of forms of fluency: sound paraphrases against shuffled originals and those without small words.

    All sentences of a source together: a regressor has to compare sentences of different originals, too.
    """
    resources = PEM(model=model).opened.resources
    sources = {
        "Tatoeba": tatoeba_paraphrases(data),
        "ParaBank": [(one, other) for one, other, score in parabank(data) if score > 80],
        "MSRP": [(one, other) for one, other, label in msrp(data) if label == 1],
    }
    print(f"| fluency | {' | '.join(sources)} | all |\n|---|---|---|---|---|")
    for form in FLUENCIES:
        found: list[tuple[list[float], list[float]]] = []
        for pairs in sources.values():
            good, damaged = sound_and_damaged(pairs)
            sides = (list(good.items()), [*damaged["shuffled"], *damaged["dropped"]])
            batches = (
                PairBatch(replace(resources, fluency=form), [o for o, _ in side], [c for _, c in side])
                for side in sides
            )
            sound, broken = (batch.fluency().tolist() for batch in batches)
            found.append((sound, broken))
        found.append(([value for sound, _ in found for value in sound], [value for _, bad in found for value in bad]))
        print(f"| {form} | {' | '.join(f'{auc(*sides):.3f}' for sides in found)} |")


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Return how often a value of the first kind is above one of the second; ties count half."""
    ordered = np.sort(np.asarray(lower))
    below, up_to = (np.searchsorted(ordered, higher, side=side) for side in ("left", "right"))
    return float((below + up_to).mean() / (2 * len(ordered)))


def stress(data: Path, model: str) -> None:
    """Print how often a human paraphrase scores above the damaged original."""
    pem = PEM.load(model)
    sources = {
        "Tatoeba": tatoeba_paraphrases(data),
        "MSRP": [(one, other) for one, other, label in msrp(data) if label == 1],
    }
    for name, pairs in sources.items():
        good, damaged = sound_and_damaged(pairs)
        damaged["copy"] = [(text, text) for text in good]

        def values(pairs: Sequence[tuple[str, str]]) -> list[float]:
            scores = pem.segment_scores([c for _, c in pairs], originals=[o for o, _ in pairs])
            return [score.value for score in scores]

        best = dict(zip(good, values(list(good.items())), strict=True))
        print(f"{name}: mean of people's paraphrases {np.mean(list(best.values())):.2f}")
        for kind, changed in damaged.items():
            scores = values(changed)
            wins = np.mean([best[original] > score for (original, _), score in zip(changed, scores, strict=True)])
            print(f"  {kind:16} {wins:.3f} of {len(changed)}, mean {np.mean(scores):.2f}")


def main() -> None:
    """Run the command and print its tables."""
    parser = argparse.ArgumentParser(description="PEM beside people.")
    parser.add_argument("what", choices=("choose", "regressor", "fluency", "correlate", "stress"))
    parser.add_argument("tables", nargs="*", help="for choose: phrase tables of stems")
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--model", default="default")
    arguments = parser.parse_args()
    data = Path(arguments.data)
    if arguments.what == "choose":
        choose(data, arguments.tables)
    elif arguments.what == "regressor":
        choose_regressor(data)
    elif arguments.what == "fluency":
        fluency_forms(data, arguments.model)
    elif arguments.what == "correlate":
        correlations(data, arguments.model)
    else:
        stress(data, arguments.model)


if __name__ == "__main__":
    main()
