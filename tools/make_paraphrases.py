"""Make the paraphrase table that ships with paragauge, by pivoting through seven languages: the same bytes every time.

    python tools/make_paraphrases.py [DATA] [-o FOLDER] [--tables FOLDER]

DATA is the development data folder (PARAGAUGE_DATA by default), the output ``src/paragauge/data/paraphrases/default``.
``--tables`` keeps the phrase table of each language in a folder, and reads those that are there already.

The text is that of the judges' word vectors (`make_judges.bitext`) with more of Europarl. Stems are aligned; English
phrases keep their words, in lower case by the Penn tokeniser, and phrases of the other language are stems where
Snowball has a stemmer for it.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import pairwise
from pathlib import Path

import make_judges
from make_judges import LANGUAGES, bitext, report

from paragauge.align.aligner import Aligner
from paragauge.corpora.bitext import Bitext
from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.table import PhraseTable
from paragauge.text.normalize import get_stemmer
from paragauge.text.pipeline import TextPipeline

ROOT = Path(__file__).resolve().parent.parent
EUROPARL_LINES = 300_000
LONGEST_SENTENCE = 50
LONGEST_PHRASE = 4
STEMMERS = {"fr": "french", "es": "spanish", "de": "german", "pt": "portuguese", "ru": "russian", "it": "italian"}


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


def main() -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", nargs="?", default=os.environ.get("PARAGAUGE_DATA", str(ROOT.parent / "shared" / "data"))
    )
    parser.add_argument("--tables", type=Path, required=True)
    arguments = parser.parse_args()
    make_judges.EUROPARL_LINES = EUROPARL_LINES
    for language in LANGUAGES:
        folder = arguments.tables / language
        if folder.exists():
            continue
        text, _ = bitext(Path(arguments.data), language)
        print(f"{language}: {len(text):,} pairs", file=sys.stderr)
        phrase_table(text, language).save(folder)


if __name__ == "__main__":
    main()
