"""Make the PEM model and the phrase table that ship with paragauge: the same bytes every time.

    python tools/make_pem_model.py [DATA] [-o FOLDER] [--table FOLDER] [--only model|table] [--save-table FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default). FOLDER is, by default,
``src/paragauge/data/pem/default`` for the model and ``src/paragauge/data/phrases/default`` for the phrase table that
ParaEval reads. ``--save-table`` also writes the model's table before pruning, for benchmarks/pem_vs_people.py. Needs
scikit-learn (extra ``train``). Data:

* Tatoeba, English and French (CC BY 2.0 FR): both phrase tables, language model, and pairs of English sentences that
  translate the same French sentence;
* Europarl, English and French (free to reuse with acknowledgement): the model's phrase table, language model;
* Common Voice (CC0), WikiSplit and WikiText-2 (CC BY-SA), public-domain books: language model;
* the English sentences of PUD, news and Wikipedia (CC BY-SA 3.0): control sentences;
* two English Bibles, the Berean Standard Bible and the Bible in Basic English (public domain): long paraphrases;
* ParaScore's tweets (Apache-2.0; share of votes "same meaning") and ParaBank's judgments (adequacy and fluency):
  training data of the regressor.

The language model is not trained on the control sentences and paraphrases. A language model takes any change to a
sentence that it was trained on for bad English, and the regressor would learn to expect that of all text.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import os
import sys
import zipfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY, HIGHEST, JudgedPair, JudgedPairs
from paragauge.io import digest_file
from paragauge.learn.svr import SvrOptions
from paragauge.lm.model import LanguageModel
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

Pair = tuple[str, str]

ROOT = Path(__file__).resolve().parent.parent

OPTIONS = TrainingOptions(
    pivot_tokenizer="intl",  # splits l'homme, which 13a does not
    pivot_stemmer="french",
    pruning=Pruning(min_count=2),  # pairs seen once are wrong as often as right
    lm_min_counts=(1, 4, 9, 12),  # to save space
    # Chosen by leaving data sets out, among options under which a copy is worth 2 and damage loses
    # (benchmarks/pem_vs_people.py regressor).
    svr=SvrOptions(c=1.0, gamma=0.1, epsilon=0.2),
    seed=1,
)
# ParaEval matches phrases of up to four words; rarer ones take most of the space.
PHRASES = TrainingOptions.paper(min_phrase_count=5, pivot_tokenizer="intl", pruning=Pruning(min_count=2))
BITEXT_LINES, TEXT_LINES = 100_000, 250_000  # of Europarl: in the phrase table, in the language model
JUDGED = 1_200  # candidates per set, so that none dominates
CONTROL_SENTENCES = 150
PARAPHRASES, BIBLE_VERSES = 500, 300
LICENCE = (
    "CC BY 2.0 FR: statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki), of the "
    "proceedings of the European Parliament (Europarl), of Common Voice (CC0), of WikiSplit and WikiText-2 (CC BY-SA) "
    "and of books in the public domain; feature values of judgments from ParaScore (Apache-2.0) and ParaBank, of "
    "sentences of PUD (CC BY-SA 3.0) and of Bibles in the public domain"
)
TABLE_LICENCE = "CC BY 2.0 FR: phrase statistics of sentences from Tatoeba (tatoeba.org, by way of manythings.org/anki)"

TATOEBA = Path("tatoeba_fra_eng") / "fra-eng.zip"
EUROPARL = Path("bitexts") / "europarl" / "en-fr.en.gz"
EUROPARL_FRENCH = Path("bitexts") / "europarl" / "en-fr.fr.gz"
MORE_TATOEBA = Path("bitexts") / "tatoeba" / "en-fr.en.gz"
MORE_TATOEBA_FRENCH = Path("bitexts") / "tatoeba" / "en-fr.fr.gz"
TEXTS = {
    name: Path("english_text") / f"{name}.en.gz"
    for name in ("tatoeba", "common-voice", "wiki-split", "wikitext-2", "standard-ebooks")
}
PUD = Path("bitexts") / "pud" / "en-fr.en.gz"
BIBLES = Path("bible_multi") / "english_ASV_BBE_YLT_BSB_full.tsv.gz"
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


def read_bibles(path: Path) -> list[tuple[str, str]]:
    """Return verses of some length that are whole sentences in the Berean Standard Bible and in Basic English."""
    header, *lines = read_gzipped(path)
    names = header.split("\t")
    verses = (dict(zip(names, line.split("\t"), strict=True)) for line in lines)
    return [(verse["BSB"], verse["BBE"]) for verse in verses if is_long(verse["BSB"]) and is_long(verse["BBE"])]


def is_long(text: str) -> bool:
    """Return whether a text looks like one sentence of 10 to 30 words."""
    return 10 <= len(text.split()) <= 30 and text.endswith(".") and text[0].isupper()


def every(items: Sequence[Pair], count: int) -> list[Pair]:
    """Return *count* of the items, evenly spread."""
    return [items[int(k * len(items) / count)] for k in range(count)]


def report(done: int, total: int | None, step: str) -> None:
    """Show progress on standard error."""
    end = "\n" if done == total else "\r"
    of = "" if total is None else f" of {total:,}"
    print(f"{step}: {done:,}{of}        ", end=end, file=sys.stderr, flush=True)


def model_bitext(tatoeba: Bitext, data: Path) -> Bitext:
    """Return the sentence pairs of the model's phrase table."""
    english = (*tatoeba.source, *read_gzipped(data / MORE_TATOEBA), *read_gzipped(data / EUROPARL, BITEXT_LINES))
    french = (
        *tatoeba.target, *read_gzipped(data / MORE_TATOEBA_FRENCH), *read_gzipped(data / EUROPARL_FRENCH, BITEXT_LINES)
    )  # fmt: skip
    return Bitext(english, french)


def model_text(tatoeba: Bitext, data: Path) -> list[str]:
    """Return the sentences of the language model."""
    left_out = {sentence for pair in paraphrases(tatoeba) for sentence in pair}
    sources = [tatoeba.source, read_gzipped(data / EUROPARL, TEXT_LINES)]
    sources += [read_gzipped(data / path) for path in TEXTS.values()]
    return [sentence for source in sources for sentence in source if sentence not in left_out]


def controls(tatoeba: Bitext, data: Path) -> tuple[list[str], JudgedPairs]:
    """Return ordinary sentences to make controls of, and paraphrases that are known to be adequate and fluent."""
    pairs = [*every(paraphrases(tatoeba), PARAPHRASES), *every(read_bibles(data / BIBLES), BIBLE_VERSES)]
    known = JudgedPairs(tuple(JudgedPair(*pair, HIGHEST, "paraphrase", criterion=ADEQUACY) for pair in pairs))
    sentences = [line for line in read_gzipped(data / PUD) if 8 <= len(line.split()) <= 32 and line[0].isupper()]
    return sentences[:CONTROL_SENTENCES], known


def make_model(tatoeba: Bitext, table: PhraseTable, language_model: LanguageModel, data: Path, output: Path) -> None:
    """Write the model."""
    resources = build_resources({"fr": table}, language_model, OPTIONS)
    judgments = JudgedPairs((*read_tweets(data / TWEETS), *read_parabank(data / PARABANK)))
    control_text, known = controls(tatoeba, data)
    model, found = train_pem(
        resources, judgments, OPTIONS, control_text=control_text, more_controls=known, progress=report
    )
    sources = {
        "bitext, language model and paraphrases": ("Tatoeba English-French, CC BY 2.0 FR", TATOEBA),
        "bitext": ("more of Tatoeba, CC BY 2.0 FR", MORE_TATOEBA),
        "bitext and language model": ("Europarl, with acknowledgement", EUROPARL),
        "language model, Tatoeba": ("Tatoeba, CC BY 2.0 FR", TEXTS["tatoeba"]),
        "language model, Common Voice": ("Common Voice, CC0", TEXTS["common-voice"]),
        "language model, WikiSplit": ("WikiSplit, CC BY-SA", TEXTS["wiki-split"]),
        "language model, WikiText-2": ("WikiText-2, CC BY-SA", TEXTS["wikitext-2"]),
        "language model, books": ("Standard Ebooks, public domain", TEXTS["standard-ebooks"]),
        "control sentences": ("PUD, CC BY-SA 3.0", PUD),
        "paraphrases, Bibles": ("Berean Standard Bible and Bible in Basic English, public domain", BIBLES),
        "judgments, tweets": ("ParaScore Twitter, Apache-2.0", TWEETS),
        "judgments, ParaBank": ("ParaBank evaluation data", PARABANK / "candidates.tsv"),
    }
    described = [(what, name, digest_file(data / path)) for what, (name, path) in sources.items()]
    notes = [
        f"Judgments: {JUDGED:,} tweets of ParaScore (adequacy is the share of votes for the same meaning; fluency was "
        f"not judged) and {JUDGED:,} candidates of ParaBank (adequacy and fluency). Europarl: the first "
        f"{BITEXT_LINES:,} lines in the phrase table, {TEXT_LINES:,} in the language model.",
        f"Control sentences: {CONTROL_SENTENCES} of PUD. Beside them, {PARAPHRASES} pairs of English sentences of "
        f"Tatoeba that translate one French sentence and {BIBLE_VERSES} verses in two English Bibles count as fully "
        "adequate and fluent. The language model has seen none of these.",
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
    parser.add_argument("--only", choices=("model", "table"), help="make one of the two")
    parser.add_argument("--save-table", type=Path)
    arguments = parser.parse_args()
    data = Path(arguments.data)
    tatoeba = read_tatoeba(data / TATOEBA)
    for folder in (arguments.output, arguments.table):
        folder.parent.mkdir(parents=True, exist_ok=True)
    if arguments.only != "model":
        phrases = build_pivot_table(tatoeba, PHRASES, progress=report)
        prune_for_pem(phrases, PHRASES).save(arguments.table, licence=TABLE_LICENCE, compact=True)
    if arguments.only != "table":
        table = build_pivot_table(model_bitext(tatoeba, data), OPTIONS, progress=report)
        if arguments.save_table is not None:
            table.save(arguments.save_table)
        language_model = build_language_model(model_text(tatoeba, data), OPTIONS, progress=report)
        make_model(tatoeba, table, language_model, data, arguments.output)


if __name__ == "__main__":
    main()
