"""Make the PEM model that ships, ``default``, from the development data folder: the same bytes every time.

    python tools/make_pem_model.py [DATA] [-o FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), FOLDER the model, ``src/paragauge/data/pem/default``
unless said. Needs scikit-learn (extra ``train``). Data, all of it under free licences:

* Tatoeba, English and French (CC BY 2.0 FR): phrase table and language model;
* ParaScore's Twitter judgments (Apache-2.0), votes from 0 to 1 mapped to 1 to 5, and three control candidates for each
  original, and for as many sentences of Tatoeba: the regressors.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import zipfile
from pathlib import Path

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import JudgedPair, JudgedPairs
from paragauge.io import digest_file, read_lines
from paragauge.metrics.pem_card import model_card
from paragauge.metrics.pem_train import TrainingOptions, build_resources, train_pem
from paragauge.phrases.build import Pruning

ROOT = Path(__file__).resolve().parent.parent

OPTIONS = TrainingOptions(
    pivot_tokenizer="intl",  # takes l'homme apart, which 13a does not
    pruning=Pruning(min_count=2),  # pairs seen once are as often wrong as right
    min_phrase_count=5,  # rarer phrases take most of the room and blur adequacy: see docs/reproduction.md
    controls=True,
    seed=1,
)
CONTROL_SENTENCES = 370
LICENCE = (
    "CC BY 2.0 FR: phrase statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki); "
    "judgments from ParaScore (Apache-2.0)"
)

TATOEBA = Path("tatoeba_fra_eng") / "fra-eng.zip"
TWITTER = Path("parascore_twitter") / "twitter_para.tsv"


def read_tatoeba(path: Path) -> Bitext:
    """Return the sentence pairs of the archive."""
    with zipfile.ZipFile(path) as archive, archive.open("fra.txt") as file:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n")]
    english, french = zip(*pairs, strict=True)
    return Bitext(english, french)


def read_twitter(path: Path) -> JudgedPairs:
    """Return the judged tweets on a scale from 1 to 5."""
    header, *lines = (line.split("\t") for line in read_lines(path))
    places = [header.index(name) for name in ("source", "candidate", "human_score")]
    rows = ([line[place] for place in places] for line in lines)
    return JudgedPairs(
        tuple(JudgedPair(source, candidate, float(score)) for source, candidate, score in rows)
    ).rescaled(0.0, 1.0)


def control_text(bitext: Bitext) -> list[str]:
    """Return as many sentences of ordinary English as there are tweets, none of them very short, for controls."""
    sentences = [line for line in dict.fromkeys(bitext.source) if len(line.split()) >= 6]
    step = len(sentences) / CONTROL_SENTENCES
    return [sentences[int(k * step)] for k in range(CONTROL_SENTENCES)]


def report(step: str, done: int, total: int) -> None:
    """Show on standard error what is being done."""
    end = "\n" if done == total else "\r"
    print(f"{step}: {done:,} of {total:,}        ", end=end, file=sys.stderr, flush=True)


def main() -> None:
    """Make the model."""
    parser = argparse.ArgumentParser(description="Make the PEM model that ships.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", default=str(ROOT / "src" / "paragauge" / "data" / "pem" / "default"))
    arguments = parser.parse_args()
    data = Path(arguments.data)
    judgments = read_twitter(data / TWITTER)
    tatoeba = read_tatoeba(data / TATOEBA)
    resources = build_resources({"fr": tatoeba}, None, OPTIONS, report=report)
    others = control_text(tatoeba)
    model, reports = train_pem(resources, judgments, OPTIONS, control_text=others, report=report)
    sources = {
        "bitext and language model": ("Tatoeba English-French, CC BY 2.0 FR", data / TATOEBA),
        "judgments": ("ParaScore Twitter, Apache-2.0", data / TWITTER),
    }
    described = [(what, name, digest_file(path)) for what, (name, path) in sources.items()]
    judged = judgments.mean_over_judges()
    card = model_card(
        resources, reports, OPTIONS, data=described, judged=len(judged), originals=len(judged.originals),
        control_sentences=len(others), licence=LICENCE, title="PEM's default model: English, through French",
    )  # fmt: skip
    output = Path(arguments.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    model.with_card(card).save(
        output, options=OPTIONS.to_plain(), inputs={what: digest for what, _, digest in described}, licence=LICENCE
    )
    for name, found in reports.items():
        print(f"{name}: Pearson {found.pearson:.4f}, with controls {found.pearson_with_controls:.4f}")


if __name__ == "__main__":
    main()
