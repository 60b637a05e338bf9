"""The tables of the PEM paper, on judgments small enough to do by hand."""

from math import isnan

import pytest
from pytest import approx

from paragauge.corpora.judged_pairs import JudgedPair, JudgedPairs
from paragauge.errors import DataError
from paragauge.meta.correlation import correlate
from paragauge.meta.pem_tables import pem_figures, pem_tables, segment_names, with_controls
from paragauge.metrics import EditDissimilarity, NgramF1

# system, original, candidate, then adequacy, fluency, dissimilarity of one judge; overall of two
DATA = [
    ("a", "the cat sat", "the cat was sitting", (5, 5, 2), (4, 5)),
    ("a", "he left", "he went away", (5, 4, 4), (5, 5)),
    ("b", "the cat sat", "a dog ran", (1, 5, 5), (1, 2)),
    ("b", "he left", "he stayed left", (2, 3, 2), (2, 1)),
    ("c", "the cat sat", "cat the sat", (4, 4, 3), (2, 3)),
    ("c", "he left", "he departed", (5, 5, 3), (4, 4)),
]


@pytest.fixture(scope="module")
def judged():
    rows = []
    for system, original, candidate, criteria, overall in DATA:
        for name, score in zip(("adequacy", "fluency", "dissimilarity"), criteria, strict=True):
            rows.append(JudgedPair(original, candidate, float(score), system, "ann", name))
        for judge, score in zip(("ann", "bob"), overall, strict=True):
            rows.append(JudgedPair(original, candidate, float(score), system, judge))
    return JudgedPairs(tuple(rows))


def scores_of(metric, judged, seed):
    keys = list(segment_names(with_controls(judged, seed)))
    scores = metric.segment_scores([key[2] for key in keys], originals=[key[1] for key in keys])
    return {str(metric): {key: score.value for key, score in zip(keys, scores, strict=True)}}


def tables(metric, judged, seed=1):
    return pem_tables(scores_of(metric, judged, seed), judged, seed=seed)


@pytest.fixture(scope="module")
def rows(judged):
    return tables(NgramF1(), judged, seed=3)


def _find(rows, **wanted):
    found = [row for row in rows if all(getattr(row, name) == value for name, value in wanted.items())]
    assert len(found) == 1
    return found[0]


def test_judges_with_one_another(rows):
    ann, bob = ([overall[judge] for *_, overall in DATA] for judge in (0, 1))
    one = _find(rows, table=1, level="segment")
    assert (one.what, one.other, one.controls, one.items) == ("ann", "bob", False, 6)
    assert one.correlation == approx(correlate(ann, bob))
    assert _find(rows, table=1, level="system").correlation == approx(correlate([4.5, 1.5, 3], [5, 1.5, 3.5]))


def test_criteria_with_the_overall_score(rows):
    overall = [sum(scores) / 2 for *_, scores in DATA]
    adequacy = [criteria[0] for *_, criteria, _ in DATA]
    found = _find(rows, table=2, what="adequacy", level="segment", controls=False)
    assert found.correlation == approx(correlate(adequacy, overall))
    # Controls of two originals: copies 5 and 2, random sentences and salad 1 and 1.
    found = _find(rows, table=2, what="adequacy", level="segment", controls=True)
    assert found.items == 12
    assert found.correlation == approx(correlate([*adequacy, 5, 5, 1, 1, 1, 1], [*overall, 2, 2, 1, 1, 1, 1]))
    assert _find(rows, table=2, what="adequacy", level="system", controls=True).items == 6


def test_dissimilarity_of_good_ones(rows):
    good = [(criteria[2], sum(o) / 2) for *_, criteria, o in DATA if criteria[0] >= 4 and criteria[1] >= 4]
    found = _find(rows, table=2, what="dissimilarity (adequacy, fluency >= 4)", level="segment", controls=False)
    assert found.items == len(good) == 4
    assert found.correlation == approx(correlate(*zip(*good, strict=True)))


def test_metrics_with_people(rows):
    overall = [sum(scores) / 2 for *_, scores in DATA]
    values = [NgramF1().score(candidate, original=original).value for _, original, candidate, *_ in DATA]
    found = _find(rows, table=3, other="mean of judges", level="segment", controls=False)
    assert found.what == "ngram-f1"
    assert found.correlation == approx(correlate(values, overall))
    bob = _find(rows, table=3, other="bob", level="segment", controls=False)
    assert bob.correlation == approx(correlate(values, [scores[1] for *_, scores in DATA]))
    assert _find(rows, table=3, other="bob", level="system", controls=True).items == 6


def test_the_order_of_scores_changes_no_digit(judged):
    keys = list(segment_names(with_controls(judged, 1)))
    values = {key: len(key[2]) / 7 for key in keys}
    backwards = dict(reversed(values.items()))
    assert repr(pem_tables({"m": values}, judged)) == repr(pem_tables({"m": backwards}, judged))


def test_overall_alone_makes_table_three(judged):
    alone = JudgedPairs(tuple(row._replace(judge="", system="candidate") for row in judged if row.judge == "bob"))
    rows = tables(EditDissimilarity(), alone)
    assert {row.table for row in rows} == {3}
    assert isnan(_find(rows, level="system", controls=False).correlation)
    with pytest.raises(DataError, match="no overall score"):
        tables(NgramF1(), JudgedPairs(tuple(row._replace(criterion="fluency") for row in judged)))


def test_figures_show_what_the_tables_count(judged, rows):
    third, fourth, fifth = pem_figures(scores_of(NgramF1(), judged, 3), judged, seed=3)
    assert [(each.figure, each.level) for each in (third, fourth, fifth)] == [
        (3, "segment"), (4, "segment"), (5, "system"),
    ]  # fmt: skip
    wanted = {"controls": True}
    for figure, what in ((third, {"table": 2, "what": "dissimilarity (adequacy, fluency >= 4)", "level": "segment"}),
                         (fourth, {"table": 3, "other": "mean of judges", "level": "segment"}),
                         (fifth, {"table": 3, "other": "mean of judges", "level": "system"})):  # fmt: skip
        row = _find(rows, **wanted, **what)
        assert (figure.correlation, len(figure.points)) == (approx(row.correlation), row.items)
    judged_points = [(p.name, p.x, p.y) for p in third.points if not p.control]
    # Adequacy and fluency of at least 4: all of a's, c's both; the mean of two judges.
    assert judged_points == [("a, 1", 2, 4.5), ("a, 2", 4, 5), ("c, 1", 3, 2.5), ("c, 2", 3, 4)]
    assert [p.name for p in fifth.points if not p.control] == ["a", "b", "c"]
    assert [sum(p.control for p in figure.points) for figure in (fourth, fifth)] == [6, 3]


def test_figure_3_needs_judged_criteria(judged):
    overall = JudgedPairs(tuple(row for row in judged if row.criterion == "overall"))
    assert [each.figure for each in pem_figures(scores_of(NgramF1(), overall, 1), overall)] == [4, 5]
