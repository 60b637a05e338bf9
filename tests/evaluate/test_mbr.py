"""Minimum Bayes risk: the choice is that of the definition, written out; and the same from files."""

from pathlib import Path

import numpy as np
import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.mbr import mbr
from paragauge.evaluate.pairwise import pairwise

GROUPS = [
    ["the cat sat on the mat", "a cat sat on the mat", "the cat sat", "dogs bark", "a cat sat on the mat"],
    ["he bought a car", "he purchased a car", "he bought the car", "a car was bought", "he bought a vehicle"],
]


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "pinc"])
def test_the_choice_is_that_of_the_definition(name):
    metric = pg.parse_metric(name)
    for group, choice in zip(GROUPS, mbr(GROUPS, metric=name).choices, strict=True):
        utilities = []
        for place, text in enumerate(group):
            others = [other for k, other in enumerate(group) if k != place]
            given = "original" if "originals" in metric.needs else "references"
            utilities.append(np.mean([metric.score(text, **{given: other}).value for other in others]))
        best = max(utilities) if metric.better == "higher" else min(utilities)
        assert choice.utility == pytest.approx(best)
        assert utilities[choice.candidate] == pytest.approx(best)
        assert choice.text == group[choice.candidate]


def test_files_of_systems_and_files_of_samples(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for k in range(5):
        Path(f"s{k}.txt").write_text("".join(f"{group[k]}\n" for group in GROUPS))
    Path("samples.txt").write_text("".join(f"{text}\n" for group in GROUPS for text in group))
    assert main(["mbr", "-m", "chrf", *(f"s{k}.txt" for k in range(5))]) == 0
    chosen = capfd.readouterr().out
    assert chosen.splitlines() == [each.text for each in mbr(GROUPS, metric="chrf").choices]
    assert main(["mbr", "-m", "chrf", "--samples", "5", "samples.txt"]) == 0
    assert capfd.readouterr().out == chosen
    assert main(["mbr", "-m", "chrf", "s0.txt", "s1.txt", "--format", "tsv"]) == 0
    header, first, *_ = capfd.readouterr().out.splitlines()
    assert header == "segment\tcandidate\tutility\ttext\tsignature"
    assert first.split("\t")[1] == "s0"
    assert main(["mbr", "-m", "chrf", "--samples", "3", "samples.txt"]) == 1
    assert "10 lines, which is not a multiple of 3" in capfd.readouterr().err
    assert main(["mbr", "-m", "chrf", "samples.txt"]) == 2
    assert main(["mbr", "-m", "chrf", "samples.txt", "s0.txt"]) == 1


def test_mistakes_are_named():
    with pytest.raises(OptionError, match="one metric chooses; got bleu, chrf"):
        mbr(GROUPS, metric="bleu,chrf")
    with pytest.raises(OptionError, match="ibleu does not compare a candidate with a single text"):
        mbr(GROUPS, metric="ibleu")
    with pytest.raises(DataError, match="segment 2 has no candidates"):
        mbr([["a"], []], metric="bleu")


def test_pairwise_reports_candidates_and_blocks_change_nothing(monkeypatch):
    texts = [f"the cat number {k} sat on mat {k % 7}" for k in range(40)]
    steps = []
    whole = pairwise(texts, texts[:5], metrics=["bleu", "pinc"], progress=lambda *step: steps.append(step))
    assert steps[-1][:2] == (80, 80)
    monkeypatch.setattr("paragauge.metrics.base.FIRST_PAIRS", 5)
    small = pairwise(texts, texts[:5], metrics=["bleu", "pinc"], progress=lambda *step: steps.append(step))
    assert all(np.array_equal(a.values, b.values) for a, b in zip(whole.scores, small.scores, strict=True))
    assert len({step[0] for step in steps}) > 4
