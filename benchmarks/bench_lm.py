"""Language models: training beside the published figures of lmplz, queries alternating with KenLM's package.

lmplz is on no package registry, so there is nothing to alternate with: its figures were taken on a machine like this one, with a text
of the same size. Each training run is a whole command, from start to exit, on text that is tokenised already, as for lmplz.
"""

from __future__ import annotations

import argparse
import gzip
import io
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import kenlm
from measure import DATA, alternate, median_ratio, write_section

import paragauge
from paragauge import LanguageModel
from paragauge.lm.arpa import read_arpa, write_arpa
from paragauge.text import TextPipeline

TOKENS = 548_000  # of the text that lmplz was measured on
LMPLZ_SECONDS, LMPLZ_MEGABYTES = 0.70, 238
PIPELINE = TextPipeline(tokenizer="13a", lowercase=True)


def sentences() -> Iterator[str]:
    with gzip.open(DATA / "multi30k" / "task1" / "train.en.gz", "rt", encoding="utf-8", newline="\n") as file:
        yield from (line.rstrip("\n") for line in file)
    with zipfile.ZipFile(DATA / "tatoeba_fra_eng" / "fra-eng.zip") as archive, archive.open("fra.txt") as file:
        yield from (line.split("\t")[0] for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n"))


def write_text(path: Path) -> None:
    tokens = 0
    with path.open("w", encoding="utf-8") as file:
        for sentence in sentences():
            words = PIPELINE(sentence)
            tokens += len(words)
            file.write(" ".join(words) + "\n")
            if tokens >= TOKENS:
                return


def test_sentences() -> list[str]:
    with gzip.open(DATA / "multi30k" / "task1" / "val.en.gz", "rt", encoding="utf-8", newline="\n") as file:
        return [" ".join(PIPELINE(line.rstrip("\n"))) for line in file] * 20


def train(text: Path, *arguments: str) -> None:
    program = str(Path(sys.executable).parent / "paragauge")
    subprocess.run([program, "lm", str(text), "-t", "none", "-q", *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the figures into RESULTS.md")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        training, memory = measure_training(Path(folder), arguments.rounds)
        queries = measure_queries(Path(folder), arguments.rounds)
    if arguments.write:
        text = TEXT.format(
            training="\n".join(training), queries="\n".join(queries), memory=memory, version=paragauge.__version__,
            python=platform.python_version(), lmplz=LMPLZ_SECONDS, lmplz_memory=LMPLZ_MEGABYTES,
        )  # fmt: skip
        write_section("Language models beside KenLM", text)


def measure_training(folder: Path, rounds: int) -> tuple[list[str], int]:
    text = folder / "text"
    write_text(text)
    seconds = alternate(
        {
            "model folder": lambda: train(text, "-o", str(folder / "m.lm")),
            "ARPA file": lambda: train(text, "--arpa", str(folder / "m.arpa")),
            "ARPA file, Katz": lambda: train(text, "--arpa", str(folder / "katz.arpa"), "--smoothing", "katz"),
        },
        rounds,
    )
    rows = []
    for name, values in seconds.items():
        ratio = statistics.median(values) / LMPLZ_SECONDS
        rows.append(f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} | {ratio:.2f} |")
        print(rows[-1])
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{memory} MB")
    return rows, memory


def measure_queries(folder: Path, rounds: int) -> list[str]:
    model, sentences = LanguageModel.load(folder / "m.lm"), test_sentences()
    config = kenlm.Config()
    config.show_progress = False
    write_arpa(model, folder / "m.arpa")
    theirs = kenlm.Model(str(folder / "m.arpa"), config)
    tokens = sum(len(sentence.split()) + 1 for sentence in sentences)
    rows = []

    def record(what: str, work: int, unit: str, ours: list[float], others: list[float]) -> None:
        rates = [work / statistics.median(values) / 1e6 for values in (ours, others)]
        rows.append(f"| {what} | {rates[0]:.1f} | {rates[1]:.1f} {unit} | {median_ratio(ours, others):.2f} |")
        print(rows[-1])

    seconds = alternate(
        {
            "one by one": lambda: [model.score(sentence) for sentence in sentences],
            "one thread": lambda: model.scores(sentences, threads=1),
            "two threads": lambda: model.scores(sentences, threads=2),
            "kenlm": lambda: [theirs.score(sentence) for sentence in sentences],
        },
        rounds,
    )
    record("sentences one by one, `score`", tokens, "M tokens/s", seconds["one by one"], seconds["kenlm"])
    record("all sentences, `scores`, one thread", tokens, "M tokens/s", seconds["one thread"], seconds["kenlm"])
    record("all sentences, `scores`, two threads", tokens, "M tokens/s", seconds["two threads"], seconds["kenlm"])
    seconds = alternate(
        {
            "paragauge": lambda: read_arpa(folder / "m.arpa"),
            "folder": lambda: LanguageModel.load(folder / "m.lm"),
            "kenlm": lambda: kenlm.Model(str(folder / "m.arpa"), config),
        },
        rounds,
    )
    ngrams = sum(model.sizes)
    record("reading the ARPA file", ngrams, "M n-grams/s", seconds["paragauge"], seconds["kenlm"])
    opening = statistics.median(seconds["folder"]) * 1000
    rows.append(f"| opening the model folder | {opening:.1f} ms | | |")
    print(rows[-1])
    return rows


TEXT = """
`python benchmarks/bench_lm.py --write`, paragauge {version}, Python {python}. Text: captions of Multi30k and sentences of Tatoeba, 548,000 tokens.

Training a model of order 4: whole commands, in seconds. lmplz is on no package registry, so it cannot be run in turn; on a machine like this one it took
{lmplz:.2f} s and {lmplz_memory} MB for an ARPA file from a text of the same size. Here the largest run took {memory} MB.

| written | median, s | best, s | median / lmplz |
|---|---|---|---|
{training}

Queries, alternating with KenLM's package (ufal-kenlm, probing model), 286,060 tokens of captions. Rates, and the median of the ratios of each round's times
(below 1: paragauge is faster).

| work | paragauge | kenlm | ratio |
|---|---|---|---|
{queries}
"""

if __name__ == "__main__":
    main()
