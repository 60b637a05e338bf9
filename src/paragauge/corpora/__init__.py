"""Reading and writing bitexts, test sets and judgments as typed data. Names load on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paragauge.corpora.bitext import Bitext as Bitext
    from paragauge.corpora.bitext import read_bitext_bars as read_bitext_bars
    from paragauge.corpora.bitext import read_bitext_tsv as read_bitext_tsv
    from paragauge.corpora.bitext import read_parallel as read_parallel
    from paragauge.corpora.bitext import write_bitext_bars as write_bitext_bars
    from paragauge.corpora.bitext import write_bitext_tsv as write_bitext_tsv
    from paragauge.corpora.bitext import write_parallel as write_parallel
    from paragauge.corpora.formats import TESTSET_FORMATS as TESTSET_FORMATS
    from paragauge.corpora.formats import read_testset as read_testset
    from paragauge.corpora.formats import write_testset as write_testset
    from paragauge.corpora.judgments import Judgment as Judgment
    from paragauge.corpora.judgments import Judgments as Judgments
    from paragauge.corpora.judgments import read_judgments as read_judgments
    from paragauge.corpora.judgments import write_judgments as write_judgments
    from paragauge.corpora.plain import read_plain_testset as read_plain_testset
    from paragauge.corpora.segments import Segments as Segments
    from paragauge.corpora.testset import TestSet as TestSet
    from paragauge.corpora.testset import merge_testsets as merge_testsets

_HOMES = {
    "Bitext": "bitext",
    "Judgment": "judgments",
    "Judgments": "judgments",
    "Segments": "segments",
    "TESTSET_FORMATS": "formats",
    "TestSet": "testset",
    "merge_testsets": "testset",
    "read_bitext_bars": "bitext",
    "read_bitext_tsv": "bitext",
    "read_judgments": "judgments",
    "read_parallel": "bitext",
    "read_plain_testset": "plain",
    "read_testset": "formats",
    "write_bitext_bars": "bitext",
    "write_bitext_tsv": "bitext",
    "write_judgments": "judgments",
    "write_parallel": "bitext",
    "write_testset": "formats",
}

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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'paragauge.corpora' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"paragauge.corpora.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
