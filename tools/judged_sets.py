"""Readers of the data sets that judges are trained or tested on, from the development data folder."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from paragauge.corpora.bitext import Bitext
from paragauge.corpora.judged_pairs import JudgedPair, JudgedPairs
from paragauge.corpora.judged_texts import JudgedText, JudgedTexts
from paragauge.judges.training import JudgedSet, Paraphrases


def read_gzipped(path: Path, limit: int | None = None) -> list[str]:
    """Return the first lines of a gzipped text file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for number, line in enumerate(file) if limit is None or number < limit]


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table with a header; quotation marks are kept."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    header, *lines = text.split("\n")
    names = header.rstrip("\r").split("\t")
    for line in lines:
        cells = line.rstrip("\r").split("\t")
        if len(cells) >= len(names):
            yield dict(zip(names, cells, strict=False))


def tatoeba_french(data: Path) -> tuple[Bitext, Path]:
    """Return Tatoeba's English-French pairs and their file."""
    path = data / "tatoeba_fra_eng" / "fra-eng.zip"
    with zipfile.ZipFile(path) as archive, archive.open("fra.txt") as file:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in io.TextIOWrapper(file, encoding="utf-8", newline="\n")]
    english, french = zip(*pairs, strict=True)
    return Bitext(english, french), path


def plain(text: str) -> str:
    """Return the letters and digits of a text, to compare two texts."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def tatoeba_paraphrases(data: Path, count: int = 1000, seed: int = 3) -> Paraphrases:
    """Return pairs of English sentences of four words or more that translate the same French sentence."""
    groups: dict[str, list[str]] = defaultdict(list)
    for english, french in tatoeba_french(data)[0]:
        if len(english.split()) >= 4:
            groups[french].append(english)
    chance = random.Random(seed)  # noqa: S311
    found = [(one, other) for group in groups.values() if len(group) > 1 for one, other in [chance.sample(group, 2)]]
    found = [pair for pair in found if plain(pair[0]) != plain(pair[1])]
    chance.shuffle(found)
    return Paraphrases("Tatoeba paraphrases", tuple(found[:count]))


def edinburgh_paraphrases(data: Path) -> Paraphrases:
    """Return the Edinburgh paraphrase pairs except news, which comes from MSRP: judges are tested on it."""
    rows = json.loads((data / "edinburgh_pp" / "gold.train.sure.json").read_text(encoding="utf-8"))
    pairs = [(row["source"], row["target"]) for row in rows if not row["id"].startswith("news")]
    return Paraphrases("Edinburgh paraphrases", tuple(pair for pair in pairs if plain(pair[0]) != plain(pair[1])))


def tweet_votes(data: Path) -> JudgedSet:
    """Return pairs of tweets with the share of five annotators who judged that they mean the same."""
    rows = read_rows(data / "parascore_twitter" / "twitter_para.tsv")
    pairs = (JudgedPair(row["source"], row["candidate"], float(row["human_score"])) for row in rows)
    return JudgedSet("tweets", JudgedPairs(tuple(pairs)))


def _parabank(data: Path, column: str) -> JudgedPairs:
    folder = data / "parabank_eval"
    texts = {row["ref_id"]: row["ref_sent"] for row in read_rows(folder / "ref.tsv")}
    rows = read_rows(folder / "candidates.tsv")
    return JudgedPairs(
        tuple(
            JudgedPair(texts[row["ref_id"]], row["candidate"], float(row[column]), judge=row["worker_id_anon"])
            for row in rows
            if row[column] != ""
        )
    )


def parabank_adequacy(data: Path) -> JudgedSet:
    """Return ParaBank's paraphrases with human judgments of adequacy, 0 to 100."""
    return JudgedSet("ParaBank", _parabank(data, "human_score"))


def parabank_fluency(data: Path) -> JudgedSet:
    """Return ParaBank's paraphrases with human judgments of fluency, 0 to 2."""
    return JudgedSet("ParaBank fluency", _parabank(data, "gm"))


def sts_similarity(data: Path) -> JudgedSet:
    """Return references and translations with human judgments of similarity, 0 to 5."""
    pairs = []
    with (data / "sts_companion" / "sts-mt.csv").open(encoding="utf-8", newline="\n") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if len(cells) >= 6:
                pairs.append(JudgedPair(cells[4], cells[5], float(cells[3])))
    return JudgedSet("STS", JudgedPairs(tuple(pairs)))


def msrp_labels(data: Path) -> JudgedSet:
    """Return pairs of news sentences labelled as paraphrases (1) or not (0)."""
    rows = read_rows(data / "msrp" / "msr_paraphrase_train.txt")
    pairs = (JudgedPair(row["#1 String"], row["#2 String"], float(row["Quality"])) for row in rows)
    return JudgedSet("MSRP", JudgedPairs(tuple(pairs)))


def newstest2015(data: Path) -> JudgedTexts:
    """Return translations to English from newstest2015 with direct assessments, 500 from each of four languages."""
    rows = []
    for pair in ("cs-en", "de-en", "fi-en", "ru-en"):
        columns = [
            (data / "mt_daseg" / "newstest2015" / f"DAseg.newstest2015.{kind}.{pair}")
            .read_text(encoding="utf-8")
            .split("\n")[:-1]
            for kind in ("mt-system", "human", "reference", "source")
        ]
        for candidate, score, reference, source in zip(*columns, strict=True):
            rows.append(JudgedText(candidate, float(score), (reference,), source=source, system=pair))
    return JudgedTexts(tuple(rows))


def newstest2017(data: Path) -> JudgedTexts:
    """Return translations to English from newstest2017 with direct assessments, from seven languages."""
    return JudgedTexts(
        tuple(
            JudgedText(
                row["translation"], float(row["human_z"]), (row["reference"],), source=row["source"], system=row["pair"]
            )
            for row in read_rows(data / "wmt15_17_da_toen" / "data.tsv.gz")
            if row["year"] == "2017"
        )
    )
