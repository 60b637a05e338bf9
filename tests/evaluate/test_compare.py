"""Comparisons of systems."""

from __future__ import annotations

import json

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.corpora import write_testset
from paragauge.corpora.demo import demo_testset
from paragauge.errors import OptionError
from paragauge.evaluate.compare import CompareRequest, compare_testset
from paragauge.meta import compare_paired
from paragauge.metrics.registry import available_metrics

NAMES = [metric.name for metric in available_metrics()]
TESTSET = demo_testset()


def test_every_door_gives_the_same_numbers(tmp_path, capsysbinary):
    from paragauge.web import models, tasks
    from paragauge.web.protocol import Settings

    options = {"tests": ("bootstrap", "permutation"), "trials": 50, "all_pairs": True, "seed": 3}
    expected = compare_testset(TESTSET, CompareRequest(metrics=tuple(NAMES), **options))
    assert len(expected.comparisons) == len(NAMES) * 2 * 3
    assert pg.compare(TESTSET, metrics=NAMES, **options) == expected
    assert pg.compare(pg.score(TESTSET, metrics=NAMES, bootstrap=0), **options) == expected
    texts = {"candidates": TESTSET.candidates, "references": TESTSET.references, "originals": TESTSET.originals}
    asked = models.CompareRequest.model_validate({"metrics": NAMES, "texts": texts, **options})
    answer = tasks.compare(asked.model_dump(mode="json"), Settings("."), lambda done, total, what: None)
    assert answer["comparisons"] == expected.to_dict()

    write_testset(TESTSET, tmp_path / "set.jsonl")
    metrics = [argument for name in NAMES for argument in ("-m", name)]
    command = ["compare", *metrics, "--testset", str(tmp_path / "set.jsonl"), "--format", "json", "--all-pairs"]
    assert main([*command, "--test", "bootstrap", "--test", "permutation", "--trials", "50", "--seed", "3"]) == 0
    assert json.loads(capsysbinary.readouterr().out) == expected.to_dict()


def test_numbers_are_those_of_the_tests():
    metric = pg.Bleu()
    texts = {"a": ["the cat"] * 3, "b": ["a cat"] * 3}, ["the cat"] * 3
    [found] = pg.compare(*texts, metrics=metric, seed=1).comparisons
    rows = [each.statistics.rows for each in pg.score(*texts, metrics=metric).scores]
    assert found.outcome == compare_paired(metric, rows[1], rows[0], test="bootstrap", seed=1)
    assert (found.baseline, found.system) == ("a", "b")
    assert found.signature.get("bs") == "1000"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["a"], ["b"]), {"metrics": "bleu"}, "at least two systems; found one"),
        (({"a": ["a"], "b": ["b"]}, ["b"]), {}, "no metric was given"),
        ((pg.score({"a": ["a"], "b": ["b"]}, ["b"], metrics="bleu"),), {"metrics": "bleu"}, "do not pass others"),
        ((pg.score(["a"], ["b"], metrics="bleu"),), {}, "at least two systems"),
        (({"a": ["a"], "b": ["b"]}, ["b"]), {"metrics": "bleu", "tests": "t-test"}, "must be one of bootstrap"),
        (({"a": ["a"], "b": ["b"]}, ["b"]), {"metrics": "bleu", "trials": 0}, "at least 1"),
    ],
)
def test_nonsense_is_refused(arguments, options, message):
    with pytest.raises(OptionError, match=message):
        pg.compare(*arguments, **options)
