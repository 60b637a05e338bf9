"""The experiments of ParaEval's paper on small data, against doing them by hand."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytest import approx
from scipy.stats import spearmanr, ttest_rel

from paragauge import Bleu
from paragauge.cli.main import main
from paragauge.corpora.judgments import Judgments
from paragauge.corpora.testset import TestSet
from paragauge.errors import DataError
from paragauge.meta.rankings import Comparison, Rankings
from paragauge.meta.references import (
    BLEU_STEPS,
    compare_by_reference,
    compare_references,
    correlate_by_reference,
    human_scores,
    humans_among_systems,
)
from paragauge.metrics import Chrf, Ter

WORDS = "the a cat dog sat ran on mat house and then they".split()


@pytest.fixture(scope="module")
def testset():
    rng = np.random.default_rng(2)
    first = [[str(word) for word in rng.choice(WORDS, size=8)] for _ in range(20)]

    def noisy(share):
        return [
            " ".join(str(rng.choice(WORDS)) if rng.random() < share else word for word in sentence)
            for sentence in first
        ]

    return TestSet(
        ids=[str(k) for k in range(20)],
        references={"r1": noisy(0), "r2": noisy(0.2), "r3": noisy(0.6)},
        candidates={f"s{k}": noisy(share) for k, share in enumerate((0.2, 0.4, 0.5, 0.8))},
        documents=[f"d{k // 5}" for k in range(20)],
    )


HUMAN = {"s0": 4.0, "s1": 3.5, "s2": 3.6, "s3": 1.0, "unknown": 2.0}


def test_correlation_with_single_references_and_all(testset):
    found = correlate_by_reference([Chrf()], testset, {"overall": HUMAN}, resamples=50)
    assert [each.references for each in found] == ["r1", "r2", "r3", "all"]
    for each in found:
        names = list(testset.references) if each.references == "all" else [each.references]
        groups = list(zip(*(testset.references[name] for name in names), strict=True))
        scores = [Chrf().corpus_score(texts, groups).value for texts in testset.candidates.values()]
        assert each.value == approx(spearmanr(scores, [HUMAN[name] for name in testset.candidates]).statistic)
        assert each.interval.low <= each.interval.high
        assert each.systems == 4


def test_metrics_are_compared_on_the_same_resamples(testset):
    found = correlate_by_reference([Chrf(), Bleu(), Ter()], testset, {"overall": HUMAN}, resamples=80)
    tests = [each for each in compare_by_reference(found) if each.references == "r2"]
    assert [(each.metric, each.other) for each in tests] == [("chrf", "bleu"), ("chrf", "ter"), ("bleu", "ter")]
    drawn = {each.metric: each for each in found if each.references == "r2"}
    for each in tests:
        one, other = drawn[each.metric], drawn[each.other]
        expected = ttest_rel(one.resampled, other.resampled)
        assert (each.t, each.t_p) == approx((expected.statistic, expected.pvalue))
        gaps = one.resampled - other.resampled
        assert each.difference == approx(one.value - other.value)
        assert each.interval.low == approx(np.percentile(gaps, 2.5))
        assert each.interval.high == approx(np.percentile(gaps, 97.5))
        reached = np.abs(gaps - gaps.mean()) >= abs(each.difference) - 1e-12
        assert each.bootstrap_p == approx((reached.sum() + 1) / 81)


def test_the_same_metric_twice_does_not_differ(testset):
    found = correlate_by_reference([Chrf(), Chrf()], testset, {"overall": HUMAN}, resamples=20)
    each = compare_by_reference(found)[0]
    assert (each.difference, each.bootstrap_p, each.t_p) == (0.0, 1.0, 1.0)
    assert np.isnan(each.t)


def test_lower_is_better_turns_the_sign(testset):
    found = correlate_by_reference([Ter()], testset, {"overall": HUMAN}, resamples=0)
    assert all(each.value > 0 for each in found)


def test_bleu_steps_are_its_components(testset):
    segments = testset.segments("s1")
    unigrams, mean, whole = (metric.score_corpus(segments) for metric in BLEU_STEPS)
    pieces = Bleu().score_corpus(segments)
    assert unigrams.value == approx(pieces.precision_1)
    assert mean.value == approx(pieces.geometric_mean)
    assert whole.value == approx(pieces.brevity_penalty * pieces.geometric_mean)


def test_references_against_one_another(testset):
    found = {each.name: each for each in compare_references([Bleu()], testset, resamples=100)}
    groups = list(zip(testset.references["r2"], testset.references["r3"], strict=True))
    assert found["r1"].value == Bleu().corpus_score(testset.references["r1"], groups).value
    assert found["r3"].rank == 3
    assert found["r1"].interval.low < found["r1"].value < found["r1"].interval.high


def test_humans_among_systems_have_no_more_references_than_others(testset):
    found = {each.name: each for each in humans_among_systems([Bleu()], testset, resamples=0)}
    assert set(found) == {*testset.references, *testset.candidates}
    assert sorted(each.rank for each in found.values()) == [1, 2, 3, 4, 5, 6, 7]
    without = [
        replace(testset, references={k: v for k, v in testset.references.items() if k != name})
        for name in testset.references
    ]
    rows = sum(Bleu().statistics(each.segments("s0")) for each in without)
    assert found["s0"].value == Bleu().measure_rows(rows).value
    assert found["r1"].human
    assert not found["s0"].human
    with pytest.raises(DataError, match="both named 'r1'"):
        humans_among_systems([Bleu()], replace(testset, candidates={"r1": testset.candidates["s0"]}), resamples=0)
    with pytest.raises(DataError, match="expected at least two"):
        compare_references([Bleu()], replace(testset, references={"r1": testset.references["r1"]}))


def test_documents_can_be_resampled(testset):
    plain = correlate_by_reference([Bleu()], testset, {"overall": HUMAN}, resamples=20)
    by_document = correlate_by_reference([Bleu()], testset, {"overall": HUMAN}, resamples=20, by_document=True)
    assert [each.value for each in plain] == [each.value for each in by_document]
    with pytest.raises(DataError, match="has no document names"):
        correlate_by_reference([Bleu()], replace(testset, documents=None), {"overall": HUMAN}, by_document=True)


def test_people_give_means_or_wins():
    rows = [("a", "1", "x", "c", 4.0), ("a", "1", "y", "c", 2.0), ("a", "2", "x", "c", 5.0), ("b", "1", "x", "c", None)]
    assert human_scores(Judgments.from_rows(rows), "c") == {"a": 4.0}
    rankings = Rankings((Comparison("1", "j", "a", "b", False), Comparison("2", "j", "a", "b", True)))
    assert human_scores(rankings) == {"a": 1.0, "b": 0.0}


def test_systems_must_be_named_alike(testset):
    with pytest.raises(DataError, match="people judged 0 of the systems"):
        correlate_by_reference([Bleu()], testset, {"overall": {"x": 1.0}})


def test_commands(testset, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, texts in {**testset.references, **testset.candidates}.items():
        Path(f"{name}.txt").write_text("\n".join(texts) + "\n")
    Path("j.tsv").write_text(
        "system\tsegment\tscore\n" + "".join(f"{name}\t1\t{HUMAN[name]}\n" for name in testset.systems)
    )
    refs = ["--ref", "r1.txt", "--ref", "r2.txt"]
    systems = [f"{name}.txt" for name in testset.candidates]
    assert main(["references", "single", "-m", "bleu", *refs, *systems, "--judgments", "j.tsv", "--format", "tsv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 3
    assert main(["references", "steps", *refs, *systems, "--judgments", "j.tsv", "--format", "tsv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 9
    assert main(["references", "humans", "-m", "bleu", *refs, *systems, "--format", "tsv"]) == 0
    assert "reference-1" in capsys.readouterr().out
    assert main(["references", "cross", "-m", "bleu", *refs]) == 0
    assert "references|level:system|bs:1000|unit:segment" in capsys.readouterr().out
    assert main(["references", "cross", "-m", "bleu", "--ref", "r1.txt"]) == 2
    assert main(["references", "humans", "-m", "bleu", "--ref", "r1.txt", *systems]) == 1
    assert (
        main(["references", "single", "-m", "bleu", *refs, *systems, "--judgments", "j.tsv", "--criterion", "x"]) == 2
    )


def test_the_interval_of_the_mean_is_students():
    from scipy import stats

    from paragauge.meta.references import mean_interval

    values = np.random.default_rng(1).normal(0.7, 0.05, size=1000)
    found = mean_interval(values)
    expected = stats.t.interval(0.95, 999, loc=values.mean(), scale=stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected)


def test_a_warning_about_texts_is_given_once_for_all_sets_of_references(monkeypatch, caplog):
    from paragauge.concern import report_pairs
    from paragauge.evaluate.references import ReferencesRequest, examine_references

    logger = logging.getLogger("paragauge.test")

    class Complaining(Bleu):
        def statistics(self, segments):
            report_pairs(logger, "%d pair(s) of texts are odd", [0])
            return super().statistics(segments)

    texts = ("a cat sat", "a dog ran", "rain fell")
    data = TestSet(ids=("1", "2", "3"), candidates={"a": texts, "b": texts[::-1]}, references={"r": texts, "s": texts})
    request = ReferencesRequest(experiment="humans", bootstrap=0)
    examine_references(request, data, [Complaining()])
    assert [record.getMessage() for record in caplog.records if "odd" in record.getMessage()] == [
        "6 pair(s) of texts are odd"
    ]
