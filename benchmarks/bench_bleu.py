"""BLEU of newstest2012 outputs: paragauge against sacreBLEU, in one process and as whole commands.

Each round scores different systems from the one before, so that neither side has the candidates in its tokenisation
cache; both have cached the references after the first round, as in real use with several systems.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import sacrebleu
from measure import DATA, alternate, median_ratio, write_section
from sacrebleu.metrics.bleu import BLEU

import paragauge
from paragauge import Bleu
from paragauge.corpora import Segments
from paragauge.meta import bootstrap_interval

FOLDER = DATA / "wmt12_toen"


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    arguments = parser.parse_args()

    reference_path = FOLDER / "references" / "newstest2012-ref.en.gz"
    paths = sorted((FOLDER / "system-outputs").rglob("*.gz"))
    references = lines(reference_path)
    systems = [lines(path) for path in paths]
    rows = []

    def record(what: str, seconds: dict[str, list[float]]) -> None:
        ratio = median_ratio(seconds["paragauge"], seconds["sacreBLEU"])
        ours, theirs = (statistics.median(seconds[name]) for name in ("paragauge", "sacreBLEU"))
        rows.append(f"| {what} | {ours:.3f} | {theirs:.3f} | {ratio:.2f} |")
        print(rows[-1])

    ours, theirs = itertools.cycle(systems), itertools.cycle(systems)
    values: dict[str, list[float]] = {"paragauge": [], "sacreBLEU": []}
    record(
        f"corpus BLEU, {len(references):,} segments, one system",
        alternate(
            {
                "paragauge": lambda: values["paragauge"].append(Bleu().corpus_score(next(ours), references).value),
                "sacreBLEU": lambda: values["sacreBLEU"].append(BLEU().corpus_score(next(theirs), [references]).score),
            },
            rounds=len(systems),
        ),
    )
    assert values["paragauge"] == values["sacreBLEU"]

    effective = BLEU(effective_order=True)
    record(
        f"sentence BLEU, {len(references):,} segments",
        alternate(
            {
                "paragauge": lambda: Bleu().segment_scores(next(ours), references),
                "sacreBLEU": lambda: [
                    effective.sentence_score(candidate, [reference])
                    for candidate, reference in zip(next(theirs), references, strict=True)
                ],
            },
            rounds=7,
        ),
    )
    record(
        "corpus BLEU with 1,000 bootstrap resamples",
        alternate(
            {
                "paragauge": lambda: with_interval(next(ours), references),
                "sacreBLEU": lambda: BLEU().corpus_score(next(theirs), [references], n_bootstrap=1000),
            },
            rounds=7,
        ),
    )

    plain = [path for path in paths if "cs-en" in path.name][:3]
    scripts = Path(sys.executable).parent
    record(
        "the command, three systems, from start to exit",
        alternate(
            {
                "paragauge": lambda: command(
                    scripts / "paragauge", "score", "-m", "bleu", "--bootstrap", "0", "--ref", reference_path, *plain
                ),
                "sacreBLEU": lambda: command(scripts / "sacrebleu", reference_path, "-i", *plain, "-m", "bleu", "-b"),
            },
            rounds=7,
        ),
    )
    if arguments.write:
        write_section("BLEU compared with sacreBLEU", TEXT.format(rows="\n".join(rows), **versions()))


def with_interval(candidates: list[str], references: list[str]) -> None:
    segments = Segments.of(candidates, references)
    statistics_rows = Bleu().statistics(segments)
    Bleu().score_corpus(segments, statistics_rows)
    bootstrap_interval(Bleu(), statistics_rows, resamples=1000)


def command(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def versions() -> dict[str, str]:
    return {
        "paragauge": paragauge.__version__,
        "sacrebleu": sacrebleu.__version__,
        "python": platform.python_version(),
    }


TEXT = """
`python benchmarks/bench_bleu.py --write`, newstest2012 into English, paragauge {paragauge}, sacreBLEU {sacrebleu},
Python {python}. Median wall time of alternating runs, and the median of the ratios of each round (below 1: paragauge is
faster). The scores are also compared, and are equal to the last digit.

| work | paragauge, s | sacreBLEU, s | ratio |
|---|---|---|---|
{rows}
"""

if __name__ == "__main__":
    main()
