"""Alignment error rate on development gold. The bounds leave room for tuning, none for a mistake."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from paragauge.align import (
    Alignment,
    GoldAlignment,
    align,
    alignment_error_rate,
    alignment_quality,
    read_gold,
    read_pharaoh,
)

pytestmark = pytest.mark.data


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def hansards(data_folder):
    folder = data_folder / "hansards_gold"
    sides = []
    for side in "fe":
        sides.append([re.sub(r"</?s[^>]*>", "", line) for line in lines(folder / "dev" / f"trial.{side}")])
        for part in sorted((folder / "train").glob(f"*.{side}")):
            sides[-1] += lines(part)
    lengths = [(len(f.split()), len(e.split())) for f, e in zip(*sides, strict=True)]
    return *sides, list(read_gold(folder / "dev" / "trial.align", lengths=lengths))


def test_hansards_by_agreement(hansards):
    french, english, gold = hansards
    assert alignment_error_rate(align(french, english)[: len(gold)], gold) < 0.09


def test_hansards_by_symmetrisation(hansards):
    french, english, gold = hansards
    assert alignment_error_rate(align(french, english, method="intersection")[: len(gold)], gold) < 0.14


def test_the_other_hansards_gold_says_the_same_from_one_and_reversed(hansards, data_folder):
    other = data_folder / "hansards_gold" / "dev" / "trial.align_one_indexed_and_reversed"
    assert [gold.inverted() for gold in read_gold(other, one_based=True)] == hansards[2]


@pytest.mark.parametrize(("name", "bound"), [("roen", 0.35), ("jaen", 0.60), ("zhen", 0.35)])
def test_a_few_hundred_pairs_are_enough_for_something(name, bound, data_folder):
    folder = data_folder / "bilingual_gold"
    pairs = [line.split("|||") for line in lines(folder / f"{name}.src-tgt")]
    gold = []
    for text, (s, t) in zip(lines(folder / f"{name}.gold"), pairs, strict=True):
        found = GoldAlignment.from_pharaoh(text, one_based=True)
        inside = [
            Alignment.of((i, j) for i, j in links if i < len(s.split()) and j < len(t.split()))
            for links in (found.sure, found.possible)
        ]
        gold.append(GoldAlignment(*inside))
    assert alignment_error_rate(align(*zip(*pairs, strict=True)), gold) < bound
    rival = list(read_pharaoh(folder / f"{name}.awesome-align.out"))
    assert len(rival) == len(gold)


def test_monolingual_mode_on_the_edinburgh_corpus(data_folder):
    sure, possible = (
        json.loads((data_folder / "edinburgh_pp" / f"gold.train.{kind}.json").read_text(encoding="utf-8"))
        for kind in ("sure", "sure+poss")
    )
    gold = [
        GoldAlignment.of(*(Alignment.from_pharaoh(item["sureAlign"]) for item in items))
        for items in zip(sure, possible, strict=True)
    ]
    found = align([item["source"] for item in sure], [item["target"] for item in sure], monolingual=True)
    assert alignment_error_rate(found, gold) < 0.17


def test_monolingual_mode_on_wikipedia(data_folder):
    with gzip.open(data_folder / "multimwa" / "wiki-dev.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    found = align([row[1] for row in rows], [row[3] for row in rows], monolingual=True)
    assert alignment_quality(found, [GoldAlignment.from_pharaoh(row[7]) for row in rows]).f1 > 0.96
