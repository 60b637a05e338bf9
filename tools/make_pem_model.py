"""Make the PEM model and the phrase table that ship with paragauge: the same bytes every time.

    python tools/make_pem_model.py [DATA] [-o FOLDER] [--table FOLDER] [--save-table FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default). FOLDER is, by default,
``src/paragauge/data/pem/default`` for the model and ``src/paragauge/data/phrases/default`` for the phrase table that
ParaEval reads. ``--save-table`` also writes the table before pruning, for benchmarks/pem_vs_people.py. Needs
scikit-learn (extra ``train``). Data:

* Tatoeba, English and French (CC BY 2.0 FR): both phrase tables, language model, control sentences, and pairs of
  English sentences that translate the same French sentence;
* Europarl, English (free to reuse with acknowledgement): language model, control sentences;
* Common Voice (CC0): language model;
* ParaScore's tweets (Apache-2.0; share of votes "same meaning") and ParaBank's judgments (adequacy and fluency):
  training data of the regressor.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import os
import sys
import zipfile
from itertools import islice
from pathlib import Path

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY, HIGHEST, JudgedPair, JudgedPairs
from paragauge.io import digest_file
from paragauge.metrics.pem.card import model_card
from paragauge.metrics.pem.training import (
    TrainingOptions,
    build_language_model,
    build_pivot_table,
    build_resources,
    prune_for_pem,
    train_pem,
)
from paragauge.phrases.build import Pruning
from paragauge.phrases.table import PhraseTable

ROOT = Path(__file__).resolve().parent.parent

OPTIONS = TrainingOptions(
    pivot_tokenizer="intl",  # splits l'homme, which 13a does not
    pruning=Pruning(min_count=2),  # pairs seen once are wrong as often as right
    lm_min_counts=(1, 5, 8, 10),  # to save space
    seed=1,
)
# ParaEval matches phrases of up to four words; rarer ones take most of the space.
PHRASES = TrainingOptions.paper(min_phrase_count=5)
EUROPARL_LINES = 150_000
JUDGED = 1_200  # candidates per set, so that none dominates
CONTROL_SENTENCES = 200  # per kind of text
PARAPHRASES = 500
LICENCE = (
    "CC BY 2.0 FR: statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki), of the "
    "proceedings of the European Parliament (Europarl) and of Common Voice (CC0); feature values of judgments from "
    "ParaScore (Apache-2.0) and ParaBank"
)
TABLE_LICENCE = "CC BY 2.0 FR: phrase statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki)"

TATOEBA = Path("tatoeba_fra_eng") / "fra-eng.zip"
EUROPARL = Path("bitexts") / "europarl" / "en-fr.en.gz"
COMMON_VOICE = Path("english_text") / "common-voice.en.gz"
TWEETS = Path("parascore_twitter") / "twitter_para.tsv"
PARABANK = Path("parabank_eval")


def read_tatoeba(path: Path) -> Bitext:
    """Return the sentence pairs of the archive."""
    with zipfile.ZipFile(path) as archive, archive.open("fra.txt") as file:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n")]
    english, french = zip(*pairs, strict=True)
    return Bitext(english, french)


def read_gzipped(path: Path, lines: int | None = None) -> tuple[str, ...]:
    """Return the first *lines* of a file, all of them if None."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return tuple(line.rstrip("\n") for line in islice(file, lines))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table without quoting."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def spread(items: list[JudgedPairs], count: int) -> JudgedPairs:
    """Return *count* of the items, evenly spread."""
    step = max(1.0, len(items) / count)
    chosen = [items[int(k * step)] for k in range(min(len(items), count))]
    return JudgedPairs(tuple(row for pairs in chosen for row in pairs))


def read_tweets(path: Path) -> JudgedPairs:
    """Return tweets with human judgments: adequacy is the share of votes; fluency was not judged."""
    rows = [
        JudgedPair(row["source"], row["candidate"], float(row["human_score"]), "tweet", criterion=ADEQUACY)
        for row in read_rows(path)
    ]
    return spread([JudgedPairs((row,)) for row in rows], JUDGED).rescaled(0.0, 1.0)


def read_parabank(folder: Path) -> JudgedPairs:
    """Return ParaBank's judgments: adequacy 0 to 100 (0 for nonsense), fluency 0, 1 or 2."""
    originals = {row["ref_id"]: row["ref_sent"] for row in read_rows(folder / "ref.tsv")}
    by_candidate: dict[tuple[str, str], list[JudgedPair]] = {}
    for row in read_rows(folder / "candidates.tsv"):
        key = (originals[row["ref_id"]], row["candidate"])
        judge = row["worker_id_anon"]
        by_candidate.setdefault(key, []).extend(
            JudgedPair(*key, value, "parabank", judge, criterion)
            for criterion, value in (
                (ADEQUACY, float(row["human_score"] or 0) / 100),
                (FLUENCY, float(row["gm"]) / 2),
            )
        )
    return spread([JudgedPairs(tuple(rows)) for rows in by_candidate.values()], JUDGED).rescaled(0.0, 1.0)


def paraphrases(bitext: Bitext) -> list[tuple[str, str]]:
    """Return pairs of English sentences of some length that translate the same French sentence."""
    groups: dict[str, list[str]] = {}
    for english, french in zip(bitext.source, bitext.target, strict=True):
        groups.setdefault(french, []).append(english)
    pairs = [(group[0], group[-1]) for group in groups.values() if len(group) > 1 and len(group[0].split()) >= 6]
    return pairs[::2]  # the other half is for benchmarks/pem_vs_people.py


def every(items: list[str], count: int) -> list[str]:
    """Return *count* of the items, evenly spread."""
    return [items[int(k * len(items) / count)] for k in range(count)]


def report(done: int, total: int | None, step: str) -> None:
    """Show progress on standard error."""
    end = "\n" if done == total else "\r"
    of = "" if total is None else f" of {total:,}"
    print(f"{step}: {done:,}{of}        ", end=end, file=sys.stderr, flush=True)


def make_model(bitext: Bitext, table: PhraseTable, data: Path, output: Path) -> None:
    """Write the model."""
    europarl = read_gzipped(data / EUROPARL, EUROPARL_LINES + 20_000)
    text = (*bitext.source, *europarl[:EUROPARL_LINES], *read_gzipped(data / COMMON_VOICE))
    language_model = build_language_model(text, OPTIONS, progress=report)
    resources = build_resources({"fr": table}, language_model, OPTIONS)
    judgments = JudgedPairs((*read_tweets(data / TWEETS), *read_parabank(data / PARABANK)))
    pairs = paraphrases(bitext)
    step = len(pairs) / PARAPHRASES
    known = JudgedPairs(
        tuple(JudgedPair(*pairs[int(k * step)], HIGHEST, "paraphrase", criterion=ADEQUACY) for k in range(PARAPHRASES))
    )
    control_text = every(list(dict.fromkeys(one for one, _ in pairs)), CONTROL_SENTENCES)
    control_text += [line for line in europarl[EUROPARL_LINES:] if 10 <= len(line.split()) <= 30][:CONTROL_SENTENCES]
    model, found = train_pem(
        resources, judgments, OPTIONS, control_text=control_text, more_controls=known, progress=report
    )
    sources = {
        "bitext, language model and controls": ("Tatoeba English-French, CC BY 2.0 FR", TATOEBA),
        "language model and controls": ("Europarl, with acknowledgement", EUROPARL),
        "language model": ("Common Voice, CC0", COMMON_VOICE),
        "judgments, tweets": ("ParaScore Twitter, Apache-2.0", TWEETS),
        "judgments, ParaBank": ("ParaBank evaluation data", PARABANK / "candidates.tsv"),
    }
    described = [(what, name, digest_file(data / path)) for what, (name, path) in sources.items()]
    notes = [
        f"Judgments: {JUDGED:,} tweets of ParaScore (adequacy is the share of votes for the same meaning; fluency was "
        f"not judged) and {JUDGED:,} candidates of ParaBank (adequacy and fluency). Europarl: the first "
        f"{EUROPARL_LINES:,} lines.",
        f"Control sentences: {CONTROL_SENTENCES} of Tatoeba and {CONTROL_SENTENCES} of Europarl. Beside them, "
        f"{PARAPHRASES} pairs of English sentences of Tatoeba that translate one French sentence count as fully "
        "adequate and fluent.",
    ]
    card = model_card(
        resources, found, OPTIONS, data=described, control_sentences=len(control_text), licence=LICENCE,
        title="PEM's default model: English, through French", notes=notes,
    )  # fmt: skip
    model.with_card(card).save(
        output, options=OPTIONS.to_plain(), inputs={what: digest for what, _, digest in described}, licence=LICENCE
    )
    print(f"Pearson {found.pearson:.4f}, with controls {found.pearson_with_controls:.4f}")
    for complaint in found.complaints():
        sys.exit(f"the model is not sound: {complaint}")


def main() -> None:
    """Make both."""
    shipped = ROOT / "src" / "paragauge" / "data"
    parser = argparse.ArgumentParser(description="Make the PEM model and the phrase table that ship with paragauge.")
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", type=Path, default=shipped / "pem" / "default")
    parser.add_argument("--table", type=Path, default=shipped / "phrases" / "default")
    parser.add_argument("--save-table", type=Path)
    arguments = parser.parse_args()
    data = Path(arguments.data)
    tatoeba = read_tatoeba(data / TATOEBA)
    for folder in (arguments.output, arguments.table):
        folder.parent.mkdir(parents=True, exist_ok=True)
    table = build_pivot_table(tatoeba, OPTIONS, progress=report)
    if arguments.save_table is not None:
        table.save(arguments.save_table)
    prune_for_pem(table, PHRASES).save(arguments.table, licence=TABLE_LICENCE, compact=True)
    make_model(tatoeba, table, data, arguments.output)


if __name__ == "__main__":
    main()
