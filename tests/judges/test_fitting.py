"""Weights of the judge of meaning: learned from judged sets and contrasts, the same on every run."""

import numpy as np
import pytest

from paragauge.errors import DataError
from paragauge.judges.fitting import Examples, fit_meaning
from paragauge.judges.meaning import CHECKS, FEATURES, LOSSES


def examples(seed, weigh, count=400):
    chance = np.random.default_rng(seed)
    features = chance.uniform(0, 0.6, size=(count, len(FEATURES)))
    features[:, len(LOSSES) :] *= chance.random((count, len(CHECKS))) < 0.3
    return Examples(features, weigh(features), f"set {seed}")


def judged(features):
    return 100 - 80 * features[:, LOSSES.index("missing")] - 20 * features[:, LOSSES.index("added")]


def contrast(features):
    return (features[:, len(LOSSES) + CHECKS.index("denial")] == 0).astype(float)


def test_weights_find_what_matters():
    weights = fit_meaning([examples(1, judged)], [examples(2, contrast)], contrast_share=0.5)
    losses, checks = dict(zip(LOSSES, weights.losses, strict=True)), dict(zip(CHECKS, weights.checks, strict=True))
    assert max(losses, key=losses.get) == "missing"
    assert losses["missing"] > 2 * losses["added"] > 2 * max(losses["letters"], losses["added_content"])
    assert max(checks, key=checks.get) == "denial"
    assert sum(weights.losses) == pytest.approx(1 / 0.87, abs=1e-3)


def test_scales_of_sets_do_not_matter():
    one = examples(1, judged)
    other = Examples(one.features, one.targets / 100 - 3, "rescaled")
    contrasts = [examples(2, contrast)]
    assert fit_meaning([one], contrasts) == fit_meaning([other], contrasts)


def test_fitting_is_the_same_every_time():
    sets = [examples(1, judged), examples(3, judged)]
    assert fit_meaning(sets, [examples(2, contrast)]) == fit_meaning(sets, [examples(2, contrast)])


def test_one_class_alone_is_refused():
    with pytest.raises(DataError, match="some set: all scores are the same"):
        Examples(np.zeros((5, len(FEATURES))), np.ones(5), "some set")
    with pytest.raises(DataError, match="at least one set"):
        fit_meaning([], [])
