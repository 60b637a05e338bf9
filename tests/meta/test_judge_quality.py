"""Quality of judges: who is careless is found, and nobody else."""

import math
import random

import pytest
from pytest import approx
from scipy import stats

from paragauge.corpora import Judgments
from paragauge.errors import DataError
from paragauge.meta.judge_quality import judge_judges, judge_rankings, standardise
from paragauge.meta.rankings import Comparison, Rankings


def judged(seed=0, items=60):
    rng = random.Random(seed)
    rows = []
    for item in range(items):
        quality = rng.gauss(3, 1)
        for judge in ("ann", "bob", "eve"):
            rows.append((f"s{item % 3}", str(item), judge, "overall", quality + rng.gauss(0, 0.4)))
        rows.append((f"s{item % 3}", str(item), "sloppy", "overall", rng.uniform(1, 5)))
    return Judgments.from_rows(rows)


def test_each_judge_is_compared_with_the_mean_of_the_others():
    judgments = judged()
    found = {each.judge: each for each in judge_judges(judgments)}
    rows = {name: [row.score for row in judgments if row.judge == name] for name in ("ann", "bob", "eve", "sloppy")}
    others = [(a + b + c) / 3 for a, b, c in zip(rows["bob"], rows["eve"], rows["sloppy"], strict=True)]
    assert found["ann"].agreement == approx(stats.pearsonr(rows["ann"], others).statistic)
    assert (found["ann"].items, found["ann"].shared) == (60, 60)
    assert [name for name, each in found.items() if each.outlier] == ["sloppy"]


def test_consistency_is_that_of_scores_given_twice():
    judgments = judged()
    rng = random.Random(9)
    spread = {"ann": 0.1, "bob": 1.5}
    again = Judgments.from_rows(
        (*row[:4], row.score + rng.gauss(0, spread[row.judge])) for row in judgments if row.judge in spread
    )
    found = {each.judge: each for each in judge_judges(judgments, repeats=again)}
    for name in spread:
        one, two = ([row.score for row in side if row.judge == name] for side in (judgments, again))
        assert found[name].consistency == approx(stats.pearsonr(one, two).statistic)
        assert found[name].repeated == 60
    assert found["ann"].consistency > found["bob"].consistency
    assert (found["eve"].consistency, found["eve"].repeated) == (None, 0)


def test_repeats_by_other_judges_are_refused():
    again = Judgments.from_rows([("s0", "0", "zoe", "overall", 1.0)])
    with pytest.raises(
        DataError, match=r"no judge judged a candidate twice.*the judges ann, bob, eve, repeats have zoe"
    ):
        judge_judges(judged(), repeats=again)


def test_one_judge_is_not_enough():
    with pytest.raises(DataError, match="found a single judge, expected at least two"):
        judge_judges(Judgments.from_rows([("a", "1", "x", "overall", 1.0)]))
    with pytest.raises(DataError, match="found a single judge"):
        judge_rankings(Rankings((Comparison("1", "x", "a", "b", False),)))


def test_kappa_and_consistency_by_hand():
    # ann and bob agree on 2 of 3 comparisons; of 7 comparisons, 1 is a tie: chance (1/7)^2 + 2 (3/7)^2
    comparisons = (
        Comparison("1", "ann", "a", "b", False), Comparison("1", "bob", "a", "b", False),
        Comparison("2", "ann", "a", "b", False), Comparison("2", "bob", "b", "a", False),
        Comparison("3", "ann", "a", "b", True), Comparison("4", "ann", "c", "b", False),
        Comparison("4", "ann", "b", "c", False),
    )  # fmt: skip
    more = Rankings((*comparisons, Comparison("5", "bob", "a", "c", False), Comparison("5", "ann", "a", "c", False)))
    chance = (1 / 9) ** 2 + 2 * (4 / 9) ** 2
    ann, bob = judge_rankings(more)
    assert ann.agreement == bob.agreement == approx((2 / 3 - chance) / (1 - chance))
    assert (ann.shared, ann.consistency, bob.consistency) == (3, 0.0, None)


def test_z_scores_by_judge():
    judgments = Judgments.from_rows(
        [("a", "1", "x", "overall", 1.0), ("a", "2", "x", "overall", 3.0), ("a", "1", "y", "overall", 100.0),
         ("a", "2", "y", "overall", None)]
    )  # fmt: skip
    assert standardise(judgments).scores == (-1.0, 1.0, 0.0, None)
    many = standardise(judged())
    for judge in ("ann", "sloppy"):
        scores = [row.score for row in many if row.judge == judge]
        assert (math.fsum(scores), stats.tstd(scores, ddof=0)) == (approx(0, abs=1e-9), approx(1))
