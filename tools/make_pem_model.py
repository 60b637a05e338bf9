"""Make the PEM model that ships, ``default``, from the development data folder: the same bytes every time.

    python tools/make_pem_model.py [DATA] [-o FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), FOLDER the model, ``src/paragauge/data/pem/default``
unless said. Needs scikit-learn (extra ``train``). Data, all of it under free licences:

* Tatoeba, English and French (CC BY 2.0 FR): phrase table and language model;
* the Bible in Spanish, German and Czech, each beside two versions in modern English (public domain): phrase tables;
* ParaScore's Twitter judgments (Apache-2.0), votes from 0 to 1 mapped to 1 to 5, and three control candidates for each
  original, and for as many sentences of Tatoeba: the regressors.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import JudgedPair, JudgedPairs
from paragauge.io import digest_file, read_lines
from paragauge.metrics.pem_card import model_card
from paragauge.metrics.pem_train import (
    TrainingOptions,
    build_language_model,
    build_pivot_table,
    build_resources,
    train_pem,
)
from paragauge.phrases.build import Pruning

ROOT = Path(__file__).resolve().parent.parent

OPTIONS = TrainingOptions(
    pivot_tokenizer="intl",  # takes l'homme apart, which 13a does not
    min_phrase_count=5,  # rarer phrases take most of the room and blur adequacy: see docs/reproduction.md
    controls=True,
    seed=1,
)
# Pairs that occur less often are as often wrong as right; verses repeat themselves more than sentences of Tatoeba.
MIN_PAIR_COUNT = {"fr": 2, "es": 3, "de": 3, "cs": 3}
CONTROL_SENTENCES = 370
LICENCE = (
    "CC BY 2.0 FR: phrase statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki) and of "
    "public-domain versions of the Bible; judgments from ParaScore (Apache-2.0)"
)

TATOEBA = Path("tatoeba_fra_eng") / "fra-eng.zip"
ENGLISH_BIBLES = Path("bible_multi") / "english_ASV_BBE_YLT_BSB_full.tsv.gz"
OTHER_BIBLES = Path("bible_multi") / "foreign_de_es_fr_cs_full.tsv.gz"
MODERN_ENGLISH = ("BBE", "BSB")
VERSIONS = {"es": "SpaRV1909", "de": "GerElb1905", "cs": "CzeBKR"}
TWITTER = Path("parascore_twitter") / "twitter_para.tsv"


def read_tatoeba(path: Path) -> Bitext:
    """Return the sentence pairs of the archive."""
    with zipfile.ZipFile(path) as archive, archive.open("fra.txt") as file:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n")]
    english, french = zip(*pairs, strict=True)
    return Bitext(english, french)


def read_bibles(english: Path, other: Path) -> dict[str, Bitext]:
    """Return the verses of two English versions beside each other language."""

    def verses(path: Path) -> dict[str, dict[str, str]]:
        header, *rows = (line.split("\t") for line in read_lines(path))
        return {row[0]: dict(zip(header[1:], row[1:], strict=False)) for row in rows}

    ours, theirs = verses(english), verses(other)
    bitexts = {}
    for language, version in VERSIONS.items():
        pairs = [
            (ours[verse][name], row[version])
            for name in MODERN_ENGLISH
            for verse, row in theirs.items()
            if ours.get(verse, {}).get(name) and row.get(version)
        ]
        bitexts[language] = Bitext(*zip(*pairs, strict=True))
    return bitexts


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
    bitexts = {"fr": tatoeba, **read_bibles(data / ENGLISH_BIBLES, data / OTHER_BIBLES)}
    tables = {
        name: build_pivot_table(
            bitext, replace(OPTIONS, pruning=Pruning(min_count=MIN_PAIR_COUNT[name])), report=report
        )
        for name, bitext in bitexts.items()
    }
    language_model = build_language_model(tatoeba.source, OPTIONS, report=report)
    resources = build_resources(tables, language_model, OPTIONS, report=report)
    others = control_text(tatoeba)
    model, reports = train_pem(resources, judgments, OPTIONS, control_text=others, report=report)
    sources = {
        "pivot fr and language model": ("Tatoeba English-French, CC BY 2.0 FR; pairs seen twice", data / TATOEBA),
        "pivots es, de, cs, English side": (
            "Bible, versions BBE and BSB, public domain; pairs seen three times",
            data / ENGLISH_BIBLES,
        ),
        "pivots es, de, cs, other side": (
            "Bible, versions SpaRV1909, GerElb1905, CzeBKR, public domain",
            data / OTHER_BIBLES,
        ),
        "judgments": ("ParaScore Twitter, Apache-2.0", data / TWITTER),
    }
    described = [(what, name, digest_file(path)) for what, (name, path) in sources.items()]
    judged = judgments.mean_over_judges()
    card = model_card(
        resources, reports, OPTIONS, data=described, judged=len(judged), originals=len(judged.originals),
        control_sentences=len(others), licence=LICENCE,
        title="PEM's default model: English, through French, Spanish, German and Czech",
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
