"""Every example in docs/formats.md is what it says it is."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from paragauge import align, corpora, phrases
from paragauge.analysis import read_conllu, read_trees
from paragauge.corpora.columns import is_column
from paragauge.corpora.judged_pairs import read_judged_pairs
from paragauge.corpora.judged_texts import read_judged_texts
from paragauge.corpora.judgments import COLUMNS
from paragauge.grammar.files import read_rules
from paragauge.grammar.weights import Weights
from paragauge.lm.arpa import read_arpa

DOCUMENT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(\S+) (\S+)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
READERS = {
    "testset": corpora.read_testset,
    "judgments": corpora.read_judgments,
    "judged-pairs": read_judged_pairs,
    "judged-texts": read_judged_texts,
    "plain": lambda path: corpora.read_plain_testset([path], references=[path], originals=path),
    "bars": corpora.read_bitext_bars,
    "bitext": corpora.read_bitext_tsv,
    "aligned": align.read_aligned_pairs,
    "pharaoh": lambda path: list(align.read_pharaoh(path)),
    "moses": phrases.read_moses,
    "phrases": phrases.read_phrase_tsv,
    "paraphrases": phrases.read_paraphrase_tsv,
    "ppdb": phrases.read_ppdb,
    "arpa": lambda path: read_arpa(path).vocabulary,
    "grammar": lambda path: list(read_rules(path)),
    "conllu": lambda path: list(read_conllu(path)),
    "trees": lambda path: list(read_trees(path)),
    "weights": Weights.read,
}


def test_document_has_an_example_of_every_format():
    expected = {(format, "testset") for format in corpora.TESTSET_FORMATS}
    expected |= {(format, "judgments") for format in ("tsv", "csv", "jsonl")}
    expected |= {("tsv", "judged-pairs"), ("tsv", "judged-texts")}
    expected |= {("text", "plain"), ("text", "bars"), ("tsv", "bitext"), ("text", "pharaoh")}
    expected |= {("text", "moses"), ("tsv", "phrases"), ("tsv", "paraphrases"), ("text", "ppdb"), ("text", "arpa")}
    expected |= {("tsv", "aligned"), ("json", "aligned"), ("text", "aligned")}
    expected |= {("text", "grammar"), ("text", "conllu"), ("text", "trees"), ("text", "weights")}
    assert {(format, kind) for format, kind, _ in EXAMPLES} == expected
    assert DOCUMENT.count("```") == 2 * len(EXAMPLES)  # no example without a kind


@pytest.mark.parametrize(("format", "kind", "text"), EXAMPLES, ids=lambda value: value[:12])
def test_example_is_read(tmp_path, format, kind, text):
    path = tmp_path / "example"
    path.write_bytes(text.encode())
    data = READERS[kind](path)
    assert len(data) >= 1
    if kind == "testset":
        assert data.systems
        assert all(data.segments(system).references for system in data.systems)
        corpora.write_testset(data, tmp_path / "again", format)
        assert corpora.read_testset(tmp_path / "again", format=format) == data


def test_documented_columns_are_the_known_ones():
    tables = [line for line in DOCUMENT.split("\n") if line.startswith("| `")]
    documented = {name for line in tables for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
    for name in documented - {"tsv", "csv", "jsonl", "sgml", "xml", "references", "candidates"}:
        if name.endswith(".npy"):
            continue  # a file of a table folder
        assert is_column(name) or name in COLUMNS
    assert set(COLUMNS) <= documented


@pytest.mark.parametrize("module", ["bitext", "judgments", "plain", "testset"])
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(importlib.import_module(f"paragauge.corpora.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
