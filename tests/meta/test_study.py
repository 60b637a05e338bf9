"""A whole meta-evaluation: the parts are those of `correlate` and `agreement`, whatever the order of rows."""

import numpy as np
import pytest
from pytest import approx
from support.study_data import SYSTEMS, judgments, scores

from paragauge.corpora import Judgments
from paragauge.errors import DataError
from paragauge.meta.correlation import correlate_metric
from paragauge.meta.evaluation import join_scores
from paragauge.meta.rankings import Comparison, Rankings
from paragauge.meta.scores import ScoreRow, ScoreTable
from paragauge.meta.study import RANKING, make_study


@pytest.fixture(scope="module")
def study():
    return make_study(scores(), judgments(), lower_is_better=["ter"], resamples=200)


def test_scores_are_means_with_ranks(study):
    bleu = {each.system: each for each in study.scores if each.name == "bleu"}
    own = [row.score for row in scores() if row.metric == "bleu" and row.system == "alpha"]
    assert bleu["alpha"].value == approx(np.mean(own))
    assert [bleu[system].rank for system in SYSTEMS] == [1, 2, 3]
    assert bleu["alpha"].interval.low < bleu["alpha"].value < bleu["alpha"].interval.high
    assert [each.rank for each in study.scores if each.name == "ter"] == [
        1,
        2,
        3,
    ]  # lower is better, and alpha the lowest
    assert [each.rank for each in study.scores if each.name == "adequacy"] == [1, 2, 3]


def test_agreements_are_those_of_correlate(study):
    evaluation = join_scores(scores(), judgments(), criterion="fluency")
    for each in study.agreements:
        if each.criterion == "fluency":
            c = each.correlation
            assert c == correlate_metric(evaluation, c.metric, method=c.method, level=c.level, resamples=200)
    assert {(each.level, each.method) for each in study.judges} == {
        (level, method) for level in ("segment", "system") for method in ("pearson", "spearman")
    }


def test_row_order_does_not_matter(study):
    other = make_study(scores(shuffle=1), judgments(shuffle=2), lower_is_better=["ter"], resamples=0)
    plain = make_study(scores(), judgments(), lower_is_better=["ter"], resamples=0)

    def values(made):
        return (
            sorted((each.name, each.system, each.value, each.rank) for each in made.scores),
            sorted(
                (
                    each.criterion,
                    each.correlation.metric,
                    each.correlation.level,
                    each.correlation.method,
                    round(each.correlation.value, 12),
                )
                for each in made.agreements
            ),
            sorted(
                (min(each.one, each.other), max(each.one, each.other), each.level, round(each.value, 12))
                for each in made.likenesses
            ),
            sorted((each.metric, each.criterion, each.system, each.segment) for each in made.disagreements),
        )

    assert values(other) == values(plain)


def test_disagreements_go_both_ways(study):
    for metric in study.metrics:
        found = [each for each in study.disagreements if (each.metric, each.criterion) == (metric, "adequacy")]
        gaps = [each.place - each.human_place for each in found]
        assert len(found) == 5
        assert max(gaps) > 0 > min(gaps)


def test_without_people_there_are_rankings_and_likenesses_only():
    study = make_study(scores(), resamples=10)
    assert study.criteria == study.agreements == study.disagreements == ()
    assert len(study.likenesses) == 6
    systems_only = ScoreTable(tuple(ScoreRow("bleu", system, None, k) for k, system in enumerate(SYSTEMS)))
    assert [each.interval for each in make_study(systems_only).scores] == [None] * 3


def test_rankings_count_wins():
    comparisons = [
        Comparison(segment, "j", better, worse, tie)
        for segment in ("1", "2", "3")
        for better, worse, tie in (
            (SYSTEMS[0], SYSTEMS[1], False),
            (SYSTEMS[1], SYSTEMS[2], False),
            (SYSTEMS[0], SYSTEMS[2], True),
        )
    ]
    study = make_study(scores(), Rankings(tuple(comparisons)), lower_is_better=["ter"], resamples=50)
    wins = {each.system: each.value for each in study.scores if each.name == RANKING}
    assert wins == {SYSTEMS[0]: 1, SYSTEMS[1]: 0.5, SYSTEMS[2]: 0}
    taus = [each.correlation for each in study.agreements if each.correlation.level == "segment"]
    assert [each.method for each in taus] == ["kendall"] * 3
    assert all(each.correlation.value > 0.4 for each in study.agreements)
    assert study.judges == ()


def test_a_study_needs_a_method():
    with pytest.raises(DataError, match="no correlation method was given"):
        make_study(scores(), judgments(), methods=())


def test_every_part_of_a_study_is_reported():
    seen = []
    make_study(
        scores(),
        judgments(),
        lower_is_better=["ter"],
        resamples=50,
        groups={"half": {str(number): "ab"[number % 2] for number in range(1, 13)}},
        progress=lambda *report: seen.append(report),
    )
    last = {what: (done, total) for done, total, what in seen}
    assert last == {
        "scores of systems": (3, 3),
        "correlations with people": (24, None),  # 3 metrics, 2 criteria, 2 levels, 2 methods
        "likeness of metrics": (3, 3),
        "agreement of judges": (8, 8),
        "acc-eq of metrics": (3, 3),
        "spa of metrics": (3, 3),
        "permutations": (50, 50),
        "disputes of metrics": (3, 3),
        "correlations by group": (12, None),
    }


def test_where_whole_systems_were_judged_nothing_is_resampled_by_segment():
    rng = np.random.default_rng(6)
    quality = rng.normal(size=7)
    table = ScoreTable(
        tuple(
            ScoreRow(metric, f"s{k}", None, quality[k] + spread * rng.normal())
            for metric, spread in (("one", 0.2), ("other", 2.0))
            for k in range(7)
        )
    )
    people = Judgments.from_rows((f"s{k}", "*", "", "overall", quality[k]) for k in range(7))
    study = make_study(table, people, resamples=50)
    assert {each.interval for each in study.scores} == {None}
    for each in (part.correlation for part in study.agreements):
        assert each.interval.low < each.interval.high
    assert [(each.correlation.metric, each.correlation.method) for each in study.ranked] == [
        ("one", "pairwise-accuracy"),
        ("other", "pairwise-accuracy"),
    ]
