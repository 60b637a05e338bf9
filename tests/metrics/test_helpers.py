"""Metrics that work in Python, on all cores."""

import random
import sys

import pytest

from paragauge.corpora import Segments
from paragauge.errors import OptionError
from paragauge.metrics import helpers, parse_metric

WORDS = "the a cat dog sat ran on mat , . not three old house saw bought".split()


@pytest.fixture
def segments():
    rng = random.Random(3)
    texts = [[" ".join(rng.choices(WORDS, k=rng.randint(0, 8))) for _ in range(40)] for _ in "12"]
    return Segments.of(texts[0], None, texts[1])


@pytest.fixture
def eager(monkeypatch):
    """Let few segments be worth several processes."""
    monkeypatch.setattr(helpers, "FEWEST", 10)
    monkeypatch.setattr(helpers, "_BLOCK", 7)
    monkeypatch.setenv(helpers.VARIABLE, "2")


def test_helpers_compute_the_same_rows(segments, eager):
    metric = parse_metric("pem+")
    assert helpers.is_worthwhile(metric, segments)
    steps: list[int] = []
    rows = metric.statistics_in_blocks(segments, steps.append)
    assert (rows == metric.statistics(segments)).all()
    assert steps == [7, 7, 7, 7, 7, 5]
    scores = metric.score_segments(segments)
    assert [score.value for score in scores] == rows[:, 0].tolist()


def test_helpers_that_fail_are_not_missed(segments, eager, monkeypatch):
    metric = parse_metric("pem+")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert (metric.statistics_in_blocks(segments, lambda done: None) == metric.statistics(segments)).all()


def test_helpers_with_another_model_are_not_asked(segments, eager, monkeypatch):
    metric = parse_metric("pem+")
    monkeypatch.setattr(helpers, "identity", lambda metric: "another")
    assert (metric.statistics_in_blocks(segments, lambda done: None) == metric.statistics(segments)).all()


def test_the_environment_sets_the_number_of_processes(segments, eager, monkeypatch):
    monkeypatch.setenv(helpers.VARIABLE, "1")
    assert not helpers.is_worthwhile(parse_metric("pem+"), segments)
    monkeypatch.setenv(helpers.VARIABLE, "many")
    with pytest.raises(OptionError, match="at least 1; got 'many'"):
        helpers.process_count()


def test_native_metrics_need_no_helpers(segments, eager):
    assert not helpers.is_worthwhile(parse_metric("bleu"), segments)
