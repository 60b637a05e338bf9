"""Reading and writing bitexts, test sets and judgments as typed data."""

from __future__ import annotations

from paragauge.corpora.bitext import (
    Bitext,
    read_bitext_bars,
    read_bitext_tsv,
    read_parallel,
    write_bitext_bars,
    write_bitext_tsv,
    write_parallel,
)
from paragauge.corpora.formats import TESTSET_FORMATS, read_testset, write_testset
from paragauge.corpora.judgments import Judgment, Judgments, read_judgments, write_judgments
from paragauge.corpora.plain import read_plain_testset
from paragauge.corpora.segments import Segments
from paragauge.corpora.testset import TestSet, merge_testsets

__all__ = [
    "TESTSET_FORMATS",
    "Bitext",
    "Judgment",
    "Judgments",
    "Segments",
    "TestSet",
    "merge_testsets",
    "read_bitext_bars",
    "read_bitext_tsv",
    "read_judgments",
    "read_parallel",
    "read_plain_testset",
    "read_testset",
    "write_bitext_bars",
    "write_bitext_tsv",
    "write_judgments",
    "write_parallel",
    "write_testset",
]
