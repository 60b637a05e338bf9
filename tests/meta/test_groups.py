"""Agreement by group of segments."""

import numpy as np
from pytest import approx

from paragauge.corpora import Judgments
from paragauge.meta.evaluation import Evaluation
from paragauge.meta.groups import agreement_by_group, length_groups
from paragauge.meta.scores import ScoreRow, ScoreTable
from paragauge.meta.study import make_study


def test_each_group_has_its_own_agreement():
    human = np.array([[1.0, 1, 1, 1], [0, 0, 0, 0]])
    metric = np.array([[2.0, 2, 1, 1], [1, 1, 2, 2]])  # right on the first two segments, wrong on the others
    evaluation = Evaluation(("good", "bad"), ("1", "2", "3", "4"), human, {"m": metric})
    groups = {"1": "tense 2", "2": "tense 2", "3": "tense 10", "4": "tense 10"}
    found = list(agreement_by_group(evaluation, "overall", "kind", groups, resamples=0, seed=1))
    assert [(each.group, each.segments, each.correlation.value) for each in found] == [
        ("tense 2", 2, 1.0), ("tense 10", 2, -1.0),
    ]  # fmt: skip


def test_lengths_are_thirds():
    texts = ["a", "a b", "a b c", "a b c d", "a b c d e", "a b c d e f"]
    assert list(length_groups("abcdef", texts).values()) == [
        "1-3 words", "1-3 words", "1-3 words", "4-5 words", "4-5 words", "6+ words",
    ]  # fmt: skip


def test_a_study_ranks_metrics_and_finds_disputes():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(4, 40)) + np.arange(4)[:, None]
    scores = {"good": human + 0.1 * rng.normal(size=human.shape), "poor": rng.normal(size=human.shape)}
    table = ScoreTable(
        tuple(
            ScoreRow(name, f"s{i}", str(k), float(matrix[i, k]))
            for name, matrix in scores.items()
            for i in range(4)
            for k in range(40)
        )
    )
    people = Judgments.from_rows(
        (f"s{i}", str(k), "", "overall", float(human[i, k])) for i in range(4) for k in range(40)
    )
    study = make_study(table, people, disagreements=4, resamples=100)
    assert [(each.correlation.method, each.correlation.metric, each.cluster) for each in study.ranked] == [
        ("acc-eq", "good", 1), ("acc-eq", "poor", 2), ("spa", "good", 1), ("spa", "poor", 2),
    ]  # fmt: skip
    assert len(study.disputes) == 4
    first = study.disputes[0]
    assert abs(first.one_place - first.other_place) == approx(
        max(abs(each.one_place - each.other_place) for each in study.disputes)
    )
