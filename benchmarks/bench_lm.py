"""Language models: training compared with lmplz, queries compared in turn with KenLM's package.

lmplz is on no package registry: unless a program is named with --lmplz and run in turn, the figures below are used,
which come from a similar machine and a text of the same size. Each training run is a complete command, from start to
exit, on text that is already tokenised, as for lmplz.
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
from collections.abc import Callable, Iterator
from pathlib import Path

import kenlm
from measure import DATA, alternate, median_ratio, write_section

import paragauge
from paragauge import LanguageModel, train_lm
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
    parser.add_argument("--lmplz", metavar="PROGRAM", help="KenLM's lmplz, built from source")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        training, memory = measure_training(Path(folder), arguments.rounds, arguments.lmplz)
        queries = measure_queries(Path(folder), arguments.rounds)
    if arguments.write:
        text = TEXT.format(
            training="\n".join(training), queries="\n".join(queries), memory=memory, version=paragauge.__version__,
            python=platform.python_version(),
            how=ALTERNATED if arguments.lmplz else NOT_ALTERNATED,
        )  # fmt: skip
        write_section("Language models compared with KenLM", text)


def run_lmplz(program: str, text: Path, output: Path) -> None:
    with text.open("rb") as source, output.open("wb") as target:
        subprocess.run(
            [program, "-o", "4", "-S", "200M"], stdin=source, stdout=target, stderr=subprocess.DEVNULL, check=True
        )


def measure_training(folder: Path, rounds: int, lmplz: str | None) -> tuple[list[str], int]:
    text = folder / "text"
    write_text(text)
    train(text, "-o", str(folder / "m.lm"), "--arpa", str(folder / "m.arpa"))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    rivals: dict[str, Callable[[], object]] = {
        "model folder": lambda: train(text, "-o", str(folder / "m.lm")),
        "ARPA file": lambda: train(text, "--arpa", str(folder / "m.arpa")),
        "ARPA file, Katz": lambda: train(text, "--arpa", str(folder / "katz.arpa"), "--smoothing", "katz"),
    }
    lines = text.read_text(encoding="utf-8").splitlines()
    rivals["`train_lm` in a running Python"] = lambda: train_lm(lines, tokenizer="none")
    if lmplz:
        rivals["lmplz, ARPA file"] = lambda: run_lmplz(lmplz, text, folder / "lmplz.arpa")
    seconds = alternate(rivals, rounds)
    theirs = seconds.get("lmplz, ARPA file", [LMPLZ_SECONDS] * rounds)
    rows = []
    for name, values in seconds.items():
        ratio = median_ratio(values, theirs)
        rows.append(f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} | {ratio:.2f} |")
        print(rows[-1])
    if lmplz:
        ours, other = read_arpa(folder / "m.arpa"), read_arpa(folder / "lmplz.arpa")
        assert ours.sizes == other.sizes
        assert abs(ours.perplexity(test_sentences()) - other.perplexity(test_sentences())) < 1e-3
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
`python benchmarks/bench_lm.py --write`, paragauge {version}, Python {python}. Text: captions of Multi30k and sentences
of Tatoeba, 548,000 tokens.

Training a model of order 4: times of whole commands, in seconds.
{how}
Ours took {memory} MB at its peak.

| written | median, s | best, s | median of ratios to lmplz |
|---|---|---|---|
{training}

Queries, alternating with KenLM's package (ufal-kenlm, probing model), on 286,060 tokens of captions: rates, and the
median of the ratios of each round's times (below 1: paragauge is faster).

| work | paragauge | kenlm | ratio |
|---|---|---|---|
{queries}
"""

NOT_ALTERNATED = f"""
lmplz is not on any package registry, so it was not run here; on a similar machine it took {LMPLZ_SECONDS:.2f} s and
{LMPLZ_MEGABYTES} MB for an ARPA file from a text of the same size.""".strip()
ALTERNATED = f"""
Runs alternate with lmplz (`--lmplz PROGRAM`; it is not on any package registry, and was built from KenLM's source with
-O3 and run with -S 200M), whose model is checked to be the same. Its figures on a quieter machine:
{LMPLZ_SECONDS:.2f} s, {LMPLZ_MEGABYTES} MB. The machine was busy with other work during the measurement: only ratios
are meaningful.
""".strip()

if __name__ == "__main__":
    main()
