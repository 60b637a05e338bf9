"""Agreement of ParaEval and other metrics with people: newstest2012, newstest2015 (segments), newstest2021, ParaBank.

    python benchmarks/paraeval_vs_people.py FOLDER [--table DIR] [-m METRIC]... [--bootstrap 1000]

Writes test sets and judgments in our own formats to FOLDER, for `paragauge report` and other commands, and prints the
tables of docs/reproduction.md.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from measure import DATA

from paragauge import METRICS, parse_metric
from paragauge.corpora import read_judgments, write_judgments, write_testset
from paragauge.corpora.judgments import Judgments
from paragauge.corpora.testset import TestSet, line_ids
from paragauge.meta.agreement import correlate_judges
from paragauge.meta.correlation import Correlation, correlate_metric
from paragauge.meta.evaluation import join_scores
from paragauge.meta.rankings import correlate_wins, ranking_tau, read_rankings
from paragauge.meta.scores import ScoreRow, ScoreTable

DASEG_PAIRS = ("cs-en", "de-en", "fi-en", "ru-en")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--table", default="default", help="phrase table of ParaEval")
    parser.add_argument("-m", "--metric", action="append", help="instead of BLEU, METEOR, MAXSIM and ParaEval's three")
    parser.add_argument("--bootstrap", type=int, default=1000)
    options = parser.parse_args()
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    others = [name for name in ("bleu", "meteor", "maxsim") if name in METRICS]
    values = ("precision", "recall", "f1")
    metrics = options.metric or [*others, *(f"paraeval(table={options.table!r}, value={value})" for value in values)]
    print("metrics:", ", ".join(metrics))
    wmt12(folder, metrics, options.bootstrap)
    wmt21(folder, metrics, options.bootstrap)
    daseg(folder, metrics, options.bootstrap)
    parabank(folder, metrics, options.bootstrap)


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def scored(folder: Path, name: str, testset: TestSet, metrics: Iterable[str]) -> dict[str, ScoreTable]:
    """Return the scores by level: of segments, and of whole systems."""
    write_testset(testset, folder / f"{name}.jsonl")
    rows: dict[str, list[ScoreRow]] = {"segment": [], "system": []}
    for metric in map(parse_metric, metrics):
        for system in testset.systems:
            segments = testset.segments(system)
            for segment, score in zip(testset.ids, metric.score_segments(segments), strict=True):
                rows["segment"].append(ScoreRow(str(metric), system, segment, score.value))
            rows["system"].append(ScoreRow(str(metric), system, None, metric.score_corpus(segments).value))
    return {level: ScoreTable(tuple(each)) for level, each in rows.items()}


def show(title: str, found: Iterable[Correlation]) -> None:
    print(f"\n{title}")
    for each in found:
        interval = "" if each.interval is None else f" | {each.interval.low:.3f} to {each.interval.high:.3f}"
        print(f"| {each.metric} | {each.level} | {each.method} | {each.value:.3f}{interval} | {each.items} |")


def wmt12(folder: Path, metrics: list[str], resamples: int) -> None:
    base = DATA / "wmt12_toen"
    reference = lines(base / "references" / "newstest2012-ref.en.gz")
    for pair, name in (("cs-en", "Czech-English"), ("fr-en", "French-English")):
        systems = {
            path.name.removeprefix(f"newstest2012.{pair}.").removesuffix(".gz"): lines(path)
            for path in sorted((base / "system-outputs" / pair).glob("*.gz"))
        }
        testset = TestSet(ids=line_ids(len(reference)), references={"1": reference}, candidates=systems)
        scores = scored(folder, f"wmt12.{pair}", testset, metrics)
        rankings = read_rankings(base / "wmt12.RNK_results.csv.gz", pair=name)
        found = []
        for metric in scores["system"].metrics:
            means = {
                row.system: row.score for row in scores["system"] if row.metric == metric and row.score is not None
            }
            found += [
                correlate_wins(means, metric, rankings, method="spearman", resamples=resamples),
                correlate_wins(means, metric, rankings, method="pearson", resamples=resamples),
                ranking_tau(scores["segment"], metric, rankings, resamples=resamples),
                replace(
                    ranking_tau(scores["segment"], metric, rankings, ties="ignored", resamples=resamples),
                    metric=f"{metric}, its ties ignored",
                ),
            ]
        show(f"newstest2012 {pair}, rankings", found)


def wmt21(folder: Path, metrics: list[str], resamples: int) -> None:
    base = DATA / "wmt21_toen"
    prefix = "newstest2021.cs-en."
    references = {name: lines(base / "references" / f"{prefix}ref.{name}.en.gz") for name in ("A", "B")}
    systems = {
        path.name.removeprefix(f"{prefix}hyp.").removesuffix(".en.gz"): lines(path)
        for path in sorted((base / "system-outputs").glob("*.gz"))
    }
    rows = []
    for line in lines(base / "humaneval" / "ad-seg-scores-cs-en.csv.gz")[1:]:
        system, segment, _, standardised, _ = line.split()
        rows.append((system.rpartition(".")[0], segment, "", "da", float(standardised)))
    judgments = Judgments.from_rows(row for row in rows if row[0] in systems)
    write_judgments(judgments, folder / "wmt21.judgments.tsv")
    for label, chosen in (("two references", ("A", "B")), ("reference A", ("A",)), ("reference B", ("B",))):
        testset = TestSet(
            ids=line_ids(len(references["A"])),
            references={name: references[name] for name in chosen},
            candidates=systems,
        )
        scores = scored(folder, f"wmt21.{'-'.join(chosen)}", testset, metrics)
        # The published numbers of segments are not those of lines, so that only systems can be compared.
        found = both_levels(scores, judgments, resamples)
        show(f"newstest2021 cs-en, {label}", (each for each in found if each.level == "system"))


def both_levels(scores: dict[str, ScoreTable], judgments: Judgments, resamples: int) -> list[Correlation]:
    found = []
    segment, system = (join_scores(scores[level], judgments) for level in ("segment", "system"))
    for metric in segment.metrics:
        found.append(correlate_metric(segment, metric, resamples=resamples))
        for method in ("spearman", "pearson"):
            found.append(correlate_metric(system, metric, level="system", method=method, resamples=resamples))
    return found


def daseg(folder: Path, metrics: list[str], resamples: int) -> None:
    base = DATA / "mt_daseg" / "newstest2015"
    totals: dict[str, list[float]] = {}
    for pair in DASEG_PAIRS:
        texts = {
            kind: (base / f"DAseg.newstest2015.{kind}.{pair}").read_text(encoding="utf-8").splitlines()
            for kind in ("mt-system", "reference", "human")
        }
        ids = line_ids(len(texts["human"]))
        testset = TestSet(ids=ids, references={"1": texts["reference"]}, candidates={"mt": texts["mt-system"]})
        judgments = Judgments.from_rows(
            ("mt", segment, "", "da", float(score)) for segment, score in zip(ids, texts["human"], strict=True)
        )
        scores = scored(folder, f"daseg.{pair}", testset, metrics)["segment"]
        evaluation = join_scores(scores, judgments)
        found = [correlate_metric(evaluation, metric, resamples=resamples) for metric in evaluation.metrics]
        show(f"newstest2015 segments {pair}", found)
        for each in found:
            totals.setdefault(each.metric, []).append(each.value)
    print("\nnewstest2015 segments, mean of four pairs")
    for metric, values in totals.items():
        print(f"| {metric} | segment | pearson | {math.fsum(values) / len(values):.3f} |")


def parabank(folder: Path, metrics: list[str], resamples: int) -> None:
    """Judges with one another, and metrics with judges; the references are the originals of the paraphrases."""
    base = DATA / "parabank_eval"
    with (base / "ref.tsv").open(encoding="utf-8", newline="") as file:
        originals = {
            row["ref_id"]: row["ref_sent"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    rows: dict[tuple[str, str, str, str], list[float]] = {}
    candidates: dict[tuple[str, str], str] = {}
    with (base / "candidates.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            for system in row["sys_id"].split():
                candidates[system, row["ref_id"]] = row["candidate"]
                for criterion, value in (("adequacy", row["human_score"]), ("fluency", row["gm"])):
                    if value:
                        key = (system, row["ref_id"], row["worker_id_anon"], criterion)
                        rows.setdefault(key, []).append(float(value))
    judgments = Judgments.from_rows((*key, math.fsum(values) / len(values)) for key, values in rows.items())
    write_judgments(judgments, folder / "parabank.judgments.tsv.gz")
    judgments = read_judgments(folder / "parabank.judgments.tsv.gz")
    print("\nParaBank: judges with one another, mean over pairs of judges")
    for criterion in ("adequacy", "fluency"):
        for level in ("segment", "system"):
            pairs = correlate_judges(judgments, criterion=criterion, level=level, min_items=10)
            values = [pair.value for pair in pairs if not math.isnan(pair.value)]
            if values:
                mean = math.fsum(values) / len(values)
                print(f"| {criterion} | {level} | pearson | {mean:.3f} | {len(values)} pairs of judges |")
    segments = sorted(originals, key=int)
    scores = []
    for system in sorted({system for system, _ in candidates}, key=int):
        judged = [segment for segment in segments if (system, segment) in candidates]
        testset = TestSet(
            ids=judged,
            references={"1": [originals[segment] for segment in judged]},
            candidates={system: [candidates[system, segment] for segment in judged]},
        )
        scores.append(scored(folder, f"parabank.{system}", testset, ["chrf", *metrics]))
    together = {level: ScoreTable(tuple(row for each in scores for row in each[level])) for level in scores[0]}
    for criterion in ("adequacy", "fluency"):
        chosen = Judgments.from_rows(row for row in judgments if row.criterion == criterion)
        show(f"ParaBank, {criterion}", both_levels(together, chosen, resamples))


if __name__ == "__main__":
    main()
