"""Phrase tables extracted from word links, and paraphrases derived from phrase tables."""

from __future__ import annotations

from paragauge.phrases.extract import extract_phrases
from paragauge.phrases.moses import read_moses, write_moses
from paragauge.phrases.paraphrases import Paraphrase, ParaphraseTable
from paragauge.phrases.pivot import ParaphraseSets, paraphrase_probability, pivot_paraphrases
from paragauge.phrases.ppdb import read_ppdb
from paragauge.phrases.segment import segment_sentences
from paragauge.phrases.table import PhrasePair, PhraseTable, merge_tables
from paragauge.phrases.tsv import read_paraphrase_tsv, read_phrase_tsv, write_paraphrase_tsv, write_phrase_tsv

__all__ = [
    "Paraphrase",
    "ParaphraseSets",
    "ParaphraseTable",
    "PhrasePair",
    "PhraseTable",
    "extract_phrases",
    "merge_tables",
    "paraphrase_probability",
    "pivot_paraphrases",
    "read_moses",
    "read_paraphrase_tsv",
    "read_phrase_tsv",
    "read_ppdb",
    "segment_sentences",
    "write_moses",
    "write_paraphrase_tsv",
    "write_phrase_tsv",
]
