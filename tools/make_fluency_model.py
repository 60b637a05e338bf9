"""Make the fluency judge that ships with paragauge from the development data folder: the same bytes every time.

    python tools/make_fluency_model.py [DATA] -o FOLDER [--threads N]

DATA is the development data folder (PARAGAUGE_DATA by default), FOLDER the model; `make_judges.py` makes the same one
inside the model that ships. Text: Tatoeba (CC BY 2.0 FR), Common Voice (CC0), WikiSplit and WikiText-2 (CC BY-SA),
four books (public domain), the European Parliament. Examples: English sentences of Tatoeba with the same French side,
and pairs of the Edinburgh corpus except news, which comes from a set that the judge is tested on.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import sys
import time
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from paragauge.io import digest_file
from paragauge.judges.damage import Damager
from paragauge.judges.fluency import FluencyModel
from paragauge.judges.fluency_training import Example, make_examples, train_fluency

ROOT = Path(__file__).resolve().parent.parent
LICENCE = (
    "CC BY-SA 4.0: n-gram statistics of sentences from Tatoeba (CC BY 2.0 FR), Common Voice (CC0), WikiSplit and "
    "WikiText-2 (CC BY-SA), public-domain books and the European Parliament"
)
TEXT: Mapping[str, int] = {
    "english_text/tatoeba.en.gz": 160_000,
    "english_text/common-voice.en.gz": 40_000,
    "english_text/wiki-split.en.gz": 15_000,
    "english_text/wikitext-2.en.gz": 18_000,
    "english_text/standard-ebooks.en.gz": 22_000,
    "bitexts/europarl/en-fr.en.gz": 110_000,
    "bitexts/pud/en-de.en.gz": 1_000,
    "bitexts/xquad/en-de.en.gz": 2_000,
}
SINGLES: Mapping[str, str] = {
    "encyclopedia": "english_text/wikitext-2.en.gz",
    "books": "english_text/standard-ebooks.en.gz",
    "speech": "english_text/common-voice.en.gz",
    "parliament": "bitexts/europarl/en-de.en.gz",
}
TATOEBA = "tatoeba_fra_eng/fra-eng.zip"
EDINBURGH = "edinburgh_pp/gold.train.sure.json"
POOL = ("english_text/tatoeba.en.gz", "english_text/wikitext-2.en.gz", "bitexts/europarl/en-de.en.gz")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def spread(lines: Sequence[str], count: int) -> list[str]:
    """Return *count* evenly spaced lines."""
    if len(lines) <= count:
        return list(lines)
    step = len(lines) / count
    return [lines[int(number * step)] for number in range(count)]


def same_french(path: Path) -> list[tuple[str, str]]:
    """Return English sentences that translate the same French sentence."""
    groups = defaultdict(list)
    with zipfile.ZipFile(path) as archive, archive.open("fra.txt") as file:
        for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n"):
            english, french = line.rstrip("\n").split("\t")[:2]
            groups[french.strip()].append(english)
    return [(group[0], group[-1]) for group in groups.values() if len(group) > 1 and len(group[0].split()) > 3]


def edinburgh_pairs(path: Path, part: str) -> list[tuple[str, str]]:
    """Return the pairs of one part of the corpus: ``mtc`` or ``novels``."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [(row["source"], row["target"]) for row in rows if row["id"].startswith(part)]


def read_examples(data: Path, threads: int | None) -> list[Example]:
    """Return the good and bad candidates for training."""
    tatoeba = same_french(data / TATOEBA)
    step = len(tatoeba) / 1_500
    pairs = {
        "conversation": [tatoeba[int(number * step)] for number in range(1_500)],
        "translated news": edinburgh_pairs(data / EDINBURGH, "mtc"),
        "novels": edinburgh_pairs(data / EDINBURGH, "novels"),
    }
    singles = {text: spread(read_lines(data / name), 400) for text, name in SINGLES.items()}
    pool = [line for name in POOL for line in spread(read_lines(data / name), 1_500)]
    return make_examples(pairs, singles, Damager(pool, seed=1, threads=threads))


def make_fluency(data: Path, threads: int | None = None) -> tuple[FluencyModel, dict[str, str]]:
    """Return the fluency judge and the digests of its input files."""
    begin = time.perf_counter()
    examples = read_examples(data, threads)
    print(f"{len(examples):,} examples, {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    text = [line for name, count in TEXT.items() for line in spread(read_lines(data / name), count)]
    model = train_fluency(text, examples, threads=threads)
    print(f"{len(text):,} lines of text, {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    names = sorted({*TEXT, *SINGLES.values(), TATOEBA, EDINBURGH, *POOL})
    return model, {name: digest_file(data / name) for name in names}


def main() -> None:
    """Make the model."""
    parser = argparse.ArgumentParser(description="Make the fluency judge that ships with paragauge.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    model, inputs = make_fluency(Path(arguments.data), arguments.threads)
    output = Path(arguments.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    model.save(output, inputs=inputs, licence=LICENCE)
    print(", ".join(f"{name} {weight}" for name, weight in model.weights.items()))


if __name__ == "__main__":
    main()
