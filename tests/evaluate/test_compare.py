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


def test_segments_show_what_got_worse():
    systems = {"old": ["the cat sat", "he left", "it rained"], "new": ["the cat sat", "he", "it rained hard today"]}
    references = ["the cat sat", "he left", "it rained hard today"]
    found = pg.compare(systems, references, metrics=["chrf", "ter"]).segments
    by_metric = {str(pair.metric): pair for pair in found.pairs}
    for pair in by_metric.values():
        assert [each.segment for each in pair.changes] == ["2", "1", "3"]  # the biggest loss first, whatever the sign
        assert (pair.wins.wins, pair.wins.ties, pair.wins.losses, pair.wins.net) == (1, 1, 1, 0.0)
        assert pair.wins.interval.low <= 0 <= pair.wins.interval.high
        assert (pair.changes[0].baseline_text, pair.changes[0].text) == ("he left", "he")
        assert pair.changes[0].difference == pair.changes[0].score - pair.changes[0].baseline_score
    assert by_metric["chrf"].changes[0].difference < 0 < by_metric["ter"].changes[0].difference
    scores = pg.score(systems, references, metrics="chrf").segments.rows()
    assert {(row["system"], row["segment"]): row["score"] for row in scores}["new", "2"] == found.rows()[0]["score"]
    assert "new worse than old by chrf: 1" in str(found)


def test_clusters_are_drawn_where_all_pairs_differ():
    rng = __import__("random").Random(3)
    words = "the cat sat on a mat and he bought one red car today".split()
    references = [" ".join(rng.choices(words, k=8)) for _ in range(60)]
    noise = {"a": 0.0, "b": 0.02, "c": 0.5}
    systems = {
        name: [" ".join(w if rng.random() >= share else "x" for w in text.split()) for text in references]
        for name, share in noise.items()
    }
    result = pg.compare(systems, references, metrics=["bleu"], all_pairs=True)
    p_values = {frozenset((each.baseline, each.system)): each.outcome.p_value for each in result.comparisons}
    rows = result.clusters.systems
    assert [row.system for row in rows] == ["a", "b", "c"]
    for one in rows:
        for other in rows:
            if one.cluster < other.cluster:
                assert p_values[frozenset((one.system, other.system))] < 0.05
    assert rows[0].cluster == 1 < rows[-1].cluster
