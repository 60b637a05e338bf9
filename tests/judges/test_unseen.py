"""Figures of the judge of meaning on judgments left out of training."""

import numpy as np
import pytest

from paragauge.judges.fitting import Examples, fit_meaning
from paragauge.judges.meaning import FEATURES, LOSSES, MeaningWeights
from paragauge.judges.unseen import validate_meaning


def examples(seed: int, name: str, count: int = 120, noise: float = 0.05) -> Examples:
    chance = np.random.default_rng(seed)
    features = chance.random((count, len(FEATURES))) * 0.5
    targets = 1 - features[:, 0] - 0.5 * features[:, 2] - 0.3 * features[:, len(LOSSES)]
    return Examples(features, targets + noise * chance.standard_normal(count), name)


def test_many_pairs_are_judged_as_each_alone():
    weights = MeaningWeights((0.3, 0.1, 0.2, 0.1, 0.05), tuple(np.linspace(0, 2, len(FEATURES) - len(LOSSES))))
    rows = examples(1, "one").features
    alone = [weights.meaning(dict(zip(FEATURES, row, strict=True))) for row in rows.tolist()]
    assert weights.predict(rows) == pytest.approx(alone, abs=1e-12)


def test_a_set_is_predicted_by_weights_learned_from_the_others():
    one, two = examples(1, "one"), examples(2, "two", count=80)
    groups = [list(range(120)), list(range(200, 280))]
    report = validate_meaning([one, two], groups, [])
    assert [(each.name, each.items) for each in report.sets] == [("one", 120), ("two", 80)]
    by_hand = fit_meaning([two], []).predict(one.features)
    assert report.sets[0].left_out == pytest.approx(np.corrcoef(by_hand, one.targets)[0, 1], abs=1e-9)
    assert all(each.folds > 0.8 for each in report.sets)
    assert [size for size, _ in report.curve] == [50, 100]


def test_an_original_is_in_one_fold_only():
    """Each original has its own level, which only its own fold knows: copies of it elsewhere would give it away."""
    chance = np.random.default_rng(3)
    features = np.repeat(chance.random((20, len(FEATURES))), 10, axis=0)
    noise = Examples(features, np.repeat(chance.standard_normal(20), 10), "noise")
    report = validate_meaning([noise], [[number // 10 for number in range(200)]], [])
    assert report.sets[0].left_out is None
    assert abs(report.sets[0].folds) < 0.5


def test_few_originals_cannot_be_left_out():
    report = validate_meaning([examples(1, "one")], [[number % 9 for number in range(120)]], [])
    assert (report.sets, report.curve) == ((), ())
