"""Check the fluency judge that ships with paragauge on data it was not trained on.

    python tools/check_fluency.py [DATA] [-m FOLDER] [--leave-out] [--threads N]

Prints how often human paraphrases (MSRP) are rated more fluent than damaged originals, how fluency agrees with human
judgments of fluency (ParaBank), with errors made by crowd workers (ParaQuality) and with small errors in translations
(DEMETR), and how fluent correct sentences are. With ``--leave-out`` the weights are refitted without one kind of
damage, or without one kind of text, and tested on it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))
from make_fluency_model import POOL, ROOT, read_examples, read_lines, spread

from paragauge.judges.damage import Damager
from paragauge.judges.fluency import LOSSES, FluencyModel
from paragauge.judges.fluency_training import DAMAGE_KINDS, example_losses, fit_weights, tag_sentences

Judge = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]


def judge_of(model: FluencyModel, threads: int | None) -> Judge:
    """Return a function that gives the fluency of candidates for originals."""

    def judge(candidates: Sequence[str], originals: Sequence[str]) -> NDArray[np.float64]:
        return model.fluency(tag_sentences(candidates, threads), tag_sentences(originals, threads))

    return judge


def area(good: NDArray[np.float64], bad: NDArray[np.float64]) -> float:
    """Return how often a good value is higher than a bad one, with ties counted as half."""
    ranked = np.sort(bad)
    wins = np.searchsorted(ranked, good, "left") + np.searchsorted(ranked, good, "right")
    return float(wins.mean() / 2 / len(bad))


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return Spearman's correlation."""
    from scipy.stats import spearmanr

    return float(spearmanr(one, other)[0])


def describe(values: NDArray[np.float64]) -> str:
    """Return the mean and the tenth percentile as text."""
    return f"mean {values.mean():.3f}, tenth percentile {np.quantile(values, 0.1):.3f} ({len(values):,})"


def check_paraphrases(data: Path, judge: Judge, threads: int | None) -> None:
    """Compare human paraphrases of news with damaged originals."""
    text = (data / "msrp" / "msr_paraphrase_train.txt").read_text(encoding="utf-8-sig")
    rows = [line.split("\t") for line in text.split("\n")[1:] if line]
    pairs = [(row[3], row[4]) for row in rows if row[0] == "1"]
    originals, paraphrases = [one for one, _ in pairs], [other for _, other in pairs]
    fluent = judge(paraphrases, originals)
    print(f"MSRP: paraphrases {describe(fluent)}")
    damager = Damager([line for name in POOL for line in spread(read_lines(data / name), 1_500)], threads=threads)
    kinds = (*DAMAGE_KINDS, "three-words-exchanged", "one-word-exchanged", "lower-cased", "punctuation-dropped")
    for kind in kinds:
        damaged = damager.damage(kind, originals)
        numbers = [number for number, sentence in enumerate(damaged) if sentence is not None]
        found = judge([damaged[number] or "" for number in numbers], [originals[number] for number in numbers])
        wins = (fluent[numbers] > found).mean()
        print(f"  {kind:24} paraphrase more fluent in {wins:.3f}; damaged {describe(found)}")


def check_parabank(data: Path, judge: Judge) -> None:
    """Compare with human judgments of fluency."""
    folder = data / "parabank_eval"
    rows = [line.split("\t") for line in (folder / "ref.tsv").read_text(encoding="utf-8").split("\n")[1:] if line]
    references = {row[0]: row[1] for row in rows}
    judged: dict[tuple[str, str], list[int]] = defaultdict(list)
    for line in (folder / "candidates.tsv").read_text(encoding="utf-8").split("\n")[1:]:
        if line:
            row = line.split("\t")
            judged[references[row[1]], row[4]].append(int(row[7]))
    means = np.array([np.mean(votes) for votes in judged.values()])
    found = judge([candidate for _, candidate in judged], [original for original, _ in judged])
    print(
        f"ParaBank: {len(means):,} candidates, Spearman {spearman(found, means):.3f}, all votes 2 against mean below 2 "
        f"{area(found[means == 2], found[means < 2]):.3f}, against mean of at most 1 "
        f"{area(found[means == 2], found[means <= 1]):.3f}"
    )


def check_other_sets(data: Path, judge: Judge) -> None:
    """Check errors of crowd workers, fluent contradictions, and small errors in translations."""
    rows = [line.split("\t") for line in read_lines(data / "paraquality" / "data.tsv.gz")[1:]]
    found = judge([row[1] for row in rows], [row[0] for row in rows])
    labels = np.array([row[2] for row in rows])
    broken = np.array(["Linguistic Error" in label for label in labels])
    correct = found[labels == "Correct"]
    print(
        f"ParaQuality: correct {describe(correct)}, against linguistic error alone "
        f"{area(correct, found[labels == 'Linguistic Error']):.3f}, among others {area(correct, found[broken]):.3f}"
    )
    rows = [line.split("\t") for line in read_lines(data / "semantoneg" / "data.tsv.gz")[1:]]
    found = judge([candidate for row in rows for candidate in row[2:5]], [row[1] for row in rows for _ in row[2:5]])
    print(f"SemAntoNeg, all fluent: {describe(found)}")
    print("DEMETR: good translation more fluent (as fluent) than with the error")
    groups = defaultdict(list)
    for line in read_lines(data / "demetr" / "data.tsv.gz")[1:]:
        row = line.split("\t")
        groups[row[0]].append(row[4:7])
    for name, members in sorted(groups.items()):
        references = [row[0] for row in members]
        good, bad = judge([row[1] for row in members], references), judge([row[2] for row in members], references)
        print(f"  {name:34} {(good > bad).mean():.3f} ({(good == bad).mean():.3f}); {describe(bad)}")


def check_left_out(data: Path, model: FluencyModel, threads: int | None) -> None:
    """Fit the weights without one kind of damage or text, and test them on it."""
    examples = read_examples(data, threads)
    losses = example_losses(model, examples, threads=threads)
    good = np.array([not example.damage for example in examples])

    def fit(kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        weights = fit_weights(losses[kept], [example for example, one in zip(examples, kept, strict=True) if one])
        print("   ", ", ".join(f"{name} {weight:.2f}" for name, weight in weights.items()))
        fluency: NDArray[np.float64] = np.exp(-(losses * [weights[name] for name in LOSSES]).sum(axis=1))
        return fluency

    def mean_area(found: NDArray[np.float64], texts: Iterable[str], kinds: Iterable[str]) -> float:
        values = []
        for text in texts:
            mine = np.array([example.text == text for example in examples])
            if (mine & good).any():
                for kind in kinds:
                    bad = np.array([example.damage == kind for example in examples]) & mine
                    values.append(area(found[mine & good], found[bad]))
        return float(np.mean(values))

    texts = list(dict.fromkeys(example.text for example in examples))
    everything = fit(np.ones(len(examples), dtype=bool))
    for kind in DAMAGE_KINDS:
        found = fit(np.array([example.damage != kind for example in examples]))
        before = mean_area(everything, texts, [kind])
        print(f"  without {kind}: {mean_area(found, texts, [kind]):.3f}, with it {before:.3f}")
    for text in texts:
        mine = np.array([example.text == text for example in examples])
        if (mine & good).any():
            found = fit(~mine)
            before = mean_area(everything, [text], DAMAGE_KINDS)
            after = mean_area(found, [text], DAMAGE_KINDS)
            print(f"  without {text}: {after:.3f}, with it {before:.3f}; good {describe(found[mine & good])}")


def main() -> None:
    """Check the model."""
    parser = argparse.ArgumentParser(description="Check the fluency judge.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    shipped = ROOT / "src" / "paragauge" / "data" / "judges" / "default" / "fluency"
    parser.add_argument("-m", "--model", default=str(shipped))
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    data = Path(arguments.data)
    model = FluencyModel.open(arguments.model)
    if arguments.leave_out:
        check_left_out(data, replace(model, weights=dict.fromkeys(LOSSES, 1.0)), arguments.threads)
        return
    judge = judge_of(model, arguments.threads)
    check_paraphrases(data, judge, arguments.threads)
    check_parabank(data, judge)
    check_other_sets(data, judge)


if __name__ == "__main__":
    main()
