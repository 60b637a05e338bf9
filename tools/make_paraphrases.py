"""Make the paraphrase table that ships with paragauge, by pivoting through six languages: the same bytes every time.

    python tools/make_paraphrases.py [DATA] [-o FOLDER] [--tables FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), the output ``src/paragauge/data/paraphrases/default``.
``--tables`` keeps the phrase table of each language in a folder, and reads those that are there already; making them
takes half an hour of processor time.

The text is that of the judges' word vectors (`make_judges.bitext`) with more of Europarl. Stems are aligned; English
phrases keep their words, in lower case by the Penn tokeniser, and phrases of the other language are stems where
Snowball has a stemmer for it. A pair of phrases stays if two languages or more speak for it, its mean probability is
high enough, both phrases have a content word, and their content words differ. The two thresholds and the number of
languages were chosen on newstest2015 and newstest2017 (docs/reproduction.md).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import make_judges
import numpy as np
from make_judges import bitext, report

from paragauge.align.aligner import Aligner
from paragauge.corpora.bitext import Bitext
from paragauge.metrics.meteor import FUNCTION_WORDS, split_hyphens
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.paraphrases import ParaphraseTable
from paragauge.phrases.pivot import pivot_paraphrases
from paragauge.phrases.select import select_pairs
from paragauge.phrases.table import PhraseTable
from paragauge.text.normalize import get_stemmer
from paragauge.text.pipeline import TextPipeline

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("fr", "es", "de", "pt", "ru", "cs")
EUROPARL_LINES = {"fr": 300_000, "es": 300_000, "de": 60_000}  # long sentences: most of the time goes here
STEMMERS = {"fr": "french", "es": "spanish", "de": "german", "pt": "portuguese", "ru": "russian"}
LONGEST_SENTENCE, LONGEST_PHRASE = 50, 4
LEAST_FORWARD, LEAST_BACKWARD = 0.01, 0.002  # p(f|e) and p(e|f) of the pairs that are pivoted through
LEAST_PROBABILITY = 0.003  # p(e2|e1) in one language
LEAST_MEAN, LEAST_LANGUAGES = 0.001, 2
LICENCE = (
    "Statistics of Europarl (free to reuse with acknowledgement), Tatoeba (CC BY 2.0 FR), UD PUD (CC BY-SA 3.0) and "
    "XQuAD (CC BY-SA 4.0)"
)
_PLAIN = re.compile(r"[a-z0-9' -]*[a-z0-9][a-z0-9' -]*")

Score = tuple[str, str, float]


def phrase_table(text: Bitext, language: str) -> PhraseTable:
    """Return the phrase table of English words and stems of another *language*."""
    english = TextPipeline(tokenizer="penn", lowercase=True)
    other = TextPipeline(tokenizer="intl", lowercase=True, stem=STEMMERS.get(language, False))
    stem = get_stemmer("porter")
    words, stems, pivots = [], [], []
    for one, two in text:
        ours, theirs = english(one), other(two)
        if 0 < len(ours) <= LONGEST_SENTENCE and 0 < len(theirs) <= LONGEST_SENTENCE:
            words.append(ours)
            stems.append(tuple(map(stem, ours)))
            pivots.append(theirs)
    _, aligned = Aligner.train_and_align(stems, pivots, progress=report)
    flat, starts = aligned.links.tolist(), aligned.starts.tolist()
    links = ([tuple(link) for link in flat[begin:end]] for begin, end in pairwise(starts))
    return extract_phrases(words, pivots, links, max_length=LONGEST_PHRASE, lexical=False, min_count=2, progress=report)


def pivoted(table: PhraseTable) -> Iterator[Score]:
    """Yield the paraphrases through one language, of phrases of plain words."""
    plain = np.array([_PLAIN.fullmatch(phrase) is not None for phrase in table.strings("source").to_pylist()])
    near, far, counts = table.pair_arrays()
    forward, backward = counts / table.source_counts()[near], counts / table.target_counts()[far]
    keep = plain[near] & (forward >= LEAST_FORWARD) & (backward >= LEAST_BACKWARD)
    for phrase, found in pivot_paraphrases(select_pairs(table, keep), min_prob=LEAST_PROBABILITY):
        yield phrase, found.text, found.score


def joined(tables: list[PhraseTable]) -> Iterator[Score]:
    """Yield the pairs that stay, with the mean over the languages that know the first phrase."""
    scores: dict[tuple[str, str], list[float]] = {}
    known: dict[str, int] = {}
    for table in tables:
        before = ""
        for one, other, score in pivoted(table):
            if one != before:
                known[one] = known.get(one, 0) + 1
                before = one
            scores.setdefault((one, other), []).append(score)
    for (one, other), found in scores.items():
        mean = sum(found) / known[one]
        ours, theirs = (" ".join(split_hyphens(phrase.split(" "))) for phrase in (one, other))
        content = [frozenset(phrase.split()) - FUNCTION_WORDS for phrase in (ours, theirs)]
        if len(found) >= LEAST_LANGUAGES and mean >= LEAST_MEAN and all(content) and content[0] != content[1]:
            yield ours, theirs, round(mean, 4)


def main() -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/paragauge/data/paraphrases/default")
    parser.add_argument("--tables", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.tables or Path(temporary)
        for language in LANGUAGES:
            if not (folder / language).exists():
                make_judges.EUROPARL_LINES = EUROPARL_LINES.get(language, 0)
                text, _ = bitext(Path(arguments.data), language)
                print(f"{language}: {len(text):,} pairs", file=sys.stderr)
                phrase_table(text, language).save(folder / language)
        tables = [PhraseTable.open(folder / language) for language in LANGUAGES]
        options = {
            "languages": list(LANGUAGES),
            "europarl_lines": EUROPARL_LINES,
            "min_prob": LEAST_PROBABILITY,
            "min_mean": LEAST_MEAN,
            "min_languages": LEAST_LANGUAGES,
        }
        made = ParaphraseTable.from_rows(joined(tables), options=options)
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        made.save(arguments.output, licence=LICENCE)
        print(f"{len(made):,} paraphrases", file=sys.stderr)


if __name__ == "__main__":
    main()
