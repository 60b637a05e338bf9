"""Tokenised bitexts with word links for benchmarks, created once from the development data and kept in a folder.

Links are created by our aligner, by agreement; to use those of another aligner, put NAME.links in the folder.
"""

from __future__ import annotations

import gzip
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from measure import DATA

from paragauge.text import TextPipeline

Pair = tuple[str, str]

NAMES = (
    "tatoeba.fr", "multi30k.fr", "multi30k.de", "multi30k.cs", "bible.fr", "bible.de", "bible.es", "bible.cs",
)  # fmt: skip
BIBLES = {"es": "SpaRV1909", "fr": "FrePGR", "de": "GerElb1905", "cs": "CzeBKR"}
ENGLISH_BIBLES = ("BBE", "BSB")  # the two in modern English


def prepare(folder: Path, names: Iterable[str]) -> None:
    """Create NAME.src, NAME.tgt and NAME.links for all *names* in *folder*, unless they exist."""
    folder.mkdir(parents=True, exist_ok=True)
    pipeline = TextPipeline(tokenizer="13a", lowercase=True)
    for name in names:
        if not (folder / f"{name}.src").exists():
            pairs = [(" ".join(pipeline(source)), " ".join(pipeline(target))) for source, target in raw_pairs(name)]
            pairs = [pair for pair in pairs if all(pair)]
            for side, suffix in enumerate((".src", ".tgt")):
                (folder / f"{name}{suffix}").write_text("".join(pair[side] + "\n" for pair in pairs), encoding="utf-8")
        if not (folder / f"{name}.links").exists():
            align(folder, name)


def letters(text: str) -> str:
    """Return the letters of a sentence, which do not depend on tokenisation."""
    return re.sub(r"\W", "", text).lower()


def raw_pairs(name: str) -> Iterator[Pair]:
    """Yield English sentences and their translations."""
    corpus, language = name.split(".")
    if corpus == "multi30k":
        files = [DATA / "multi30k" / "task1" / f"train.{code}.gz" for code in ("en", language)]
        yield from zip(*map(lines, files), strict=True)
    elif corpus == "tatoeba":
        with zipfile.ZipFile(DATA / "tatoeba_fra_eng" / "fra-eng.zip") as archive:
            for line in archive.read("fra.txt").decode("utf-8").splitlines():
                english, french, *_ = line.split("\t")
                yield english, french
    else:
        english = table(DATA / "bible_multi" / "english_ASV_BBE_YLT_BSB_full.tsv.gz")
        foreign = table(DATA / "bible_multi" / "foreign_de_es_fr_cs_full.tsv.gz")
        for version in ENGLISH_BIBLES:
            for verse, row in foreign.items():
                if verse in english and BIBLES[language] in row and version in english[verse]:
                    yield english[verse][version], row[BIBLES[language]]


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def table(path: Path) -> dict[str, dict[str, str]]:
    header, *rows = (line.split("\t") for line in lines(path))
    return {row[0]: dict(zip(header[1:], row[1:], strict=False)) for row in rows}


def align(folder: Path, name: str) -> None:
    """Write NAME.links."""
    from paragauge.align import Aligner, write_pharaoh

    texts = [(folder / f"{name}.{suffix}").read_text(encoding="utf-8").splitlines() for suffix in ("src", "tgt")]
    _, aligned = Aligner.train_and_align(*texts)
    write_pharaoh(folder / f"{name}.links", aligned)
