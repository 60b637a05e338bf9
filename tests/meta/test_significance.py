"""Resampling: slow oracles, another tool, and what must hold for any metric."""

import random

import numpy as np
import pytest
from oracles.texts import exact_permutation_p_value, words
from pytest import approx

from paragauge import METRICS, Bleu
from paragauge.corpora import Segments
from paragauge.errors import DataError, OptionError
from paragauge.meta.significance import (
    bootstrap_interval,
    bootstrap_values,
    compare_paired,
    paired_bootstrap,
    paired_permutation,
    percentile_interval,
)
from paragauge.metrics import EditDissimilarity, Pinc
from paragauge.metrics.registry import available_metrics

RANDOM = random.Random(17)


def _corpus(segments, noise):
    originals = [" ".join(RANDOM.choices("a b c d e f g h".split(), k=10)) for _ in range(segments)]
    references = [_noisy(text, 0.2) for text in originals]
    return Segments.of([_noisy(text, noise) for text in references], references, originals)


def _noisy(text, share):
    return " ".join("x" if RANDOM.random() < share else word for word in text.split())


CLEAN, NOISY = _corpus(40, 0.1), _corpus(40, 0.5)


@pytest.mark.parametrize("name", [each.name for each in available_metrics()])
def test_bootstrap_equals_scoring_every_resample_anew(name):
    # The oracle draws the same segments, sums their rows one by one and applies the formula.
    metric = METRICS[name]()
    rows = metric.statistics(CLEAN)
    fast = bootstrap_values(metric, rows, resamples=20, seed=4)
    picks = np.random.default_rng(4).integers(len(rows), size=(20, len(rows)))
    slow = []
    for pick in picks:
        total = [0.0] * rows.shape[1]
        for segment in pick:
            total = [one + float(other) for one, other in zip(total, rows[segment], strict=True)]
        slow.append(metric.measure(total).value)
    assert fast.tolist() == approx(slow)


def test_bootstrap_equals_scoring_resampled_text():
    # For a metric whose rows do not depend on one another, resampling rows is resampling sentences.
    metric = Bleu()
    fast = bootstrap_values(metric, metric.statistics(CLEAN), resamples=10, seed=0)
    for pick, value in zip(np.random.default_rng(0).integers(40, size=(10, 40)), fast, strict=True):
        candidates = [CLEAN.candidates[i] for i in pick]
        references = [CLEAN.references[i] for i in pick]
        assert value == approx(metric.corpus_score(candidates, references).value)


def test_interval_holds_the_score_and_widens_with_the_level():
    metric, rows = Bleu(), Bleu().statistics(CLEAN)
    narrow = bootstrap_interval(metric, rows, level=0.8)
    wide = bootstrap_interval(metric, rows, level=0.99)
    score = metric.measure_rows(rows).value
    assert wide.low < narrow.low < score < narrow.high < wide.high


def test_interval_covers_the_truth_about_as_often_as_it_says():
    # Means of 50 draws from a known population, 300 times: the 90% interval must hold the mean in about 90%.
    rng = np.random.default_rng(8)
    hits = 0
    for trial in range(300):
        values = rng.normal(3.0, 1.0, size=50)
        interval = bootstrap_interval(
            Pinc(), np.stack([values, np.ones(50)], axis=1), resamples=300, seed=trial, level=0.9
        )
        hits += interval.low <= 3.0 <= interval.high
    assert 0.84 <= hits / 300 <= 0.95


def test_same_seed_same_numbers_other_seed_others():
    metric, rows = Bleu(), Bleu().statistics(CLEAN)
    assert bootstrap_interval(metric, rows, seed=1) == bootstrap_interval(metric, rows, seed=1)
    assert bootstrap_interval(metric, rows, seed=1) != bootstrap_interval(metric, rows, seed=2)


def test_blocks_do_not_change_the_resamples(monkeypatch):
    metric, rows = Bleu(), Bleu().statistics(CLEAN)
    whole = bootstrap_values(metric, rows, 30, seed=1)
    monkeypatch.setattr("paragauge.meta.significance._BLOCK_CELLS", 100)
    assert bootstrap_values(metric, rows, 30, seed=1).tolist() == whole.tolist()


def test_permutation_test_approaches_the_exact_one():
    metric = Pinc()
    system, baseline = metric.statistics(CLEAN)[:10], metric.statistics(NOISY)[:10]

    def difference(swaps):
        chosen = np.array(swaps, dtype=bool)[:, None]
        one, other = np.where(chosen, system, baseline), np.where(chosen, baseline, system)
        return metric.measure_rows(one).value - metric.measure_rows(other).value

    observed = metric.measure_rows(system).value - metric.measure_rows(baseline).value
    exact = exact_permutation_p_value(difference, 10, observed)
    result = paired_permutation(metric, system, baseline, permutations=20_000, seed=3)
    assert result.difference == observed
    assert result.p_value == approx(exact, abs=0.01)


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_a_clear_difference_is_significant_and_none_is_not(test):
    metric = Bleu()
    clean, noisy = metric.statistics(CLEAN), metric.statistics(NOISY)
    clear = compare_paired(metric, clean, noisy, test=test, trials=500, seed=5)
    none = compare_paired(metric, clean, clean, test=test, trials=500, seed=5)
    assert clear.p_value == 1 / 501  # no trial came near
    assert clear.difference > 0
    assert (none.difference, none.p_value) == (0, 1)


def test_swapping_the_systems_turns_the_difference_round():
    metric = Bleu()
    clean, noisy = metric.statistics(CLEAN), metric.statistics(NOISY)
    there, back = paired_bootstrap(metric, clean, noisy), paired_bootstrap(metric, noisy, clean)
    assert there.difference == -back.difference
    assert there.p_value == back.p_value
    assert there.interval.low == approx(-back.interval.high)
    assert there.win_rate == approx(1 - back.win_rate)


def test_p_values_are_near_sacrebleus():
    # sacreBLEU's approximate randomisation is the same test with other draws.
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    one = [words(RANDOM, 12) or "w1" for _ in range(60)]
    references = [_noisy(text, 0.3) for text in one]
    systems = [("baseline", [_noisy(text, 0.30) for text in one]), ("system", [_noisy(text, 0.22) for text in one])]
    _, results = PairedTest(systems, {"BLEU": BLEU()}, [references], "ar", 5000)()
    rows = [Bleu().statistics(Segments.of(candidates, references)) for _, candidates in systems]
    ours = paired_permutation(Bleu(), rows[1], rows[0], permutations=5000)
    assert ours.p_value == approx(results["BLEU"][1].p_value, abs=0.03)


def test_bad_requests_are_refused():
    rows = Bleu().statistics(CLEAN)
    with pytest.raises(DataError, match="found 40 and 39 segments"):
        paired_bootstrap(Bleu(), rows, rows[1:])
    with pytest.raises(DataError, match="there are no segments to resample"):
        bootstrap_interval(Bleu(), rows[:0])
    with pytest.raises(OptionError, match="resamples must be at least 1; got 0"):
        bootstrap_interval(Bleu(), rows, resamples=0)
    with pytest.raises(OptionError, match="must be between 0 and 1; got 95"):
        percentile_interval(np.array([1.0]), 95)
    with pytest.raises(OptionError, match="no test named 'magic'"):
        compare_paired(Bleu(), rows, rows, test="magic", seed=1)


def test_intervals_of_scores_hold_the_truth_as_often_as_they_say():
    """Skewed sentence scores whose mean is known: 95% intervals hold it 93 to 97% of the time."""
    rng = np.random.default_rng(8)
    inside, trials = 0, 1000
    for trial in range(trials):
        rows = np.stack([rng.beta(2, 5, size=150), np.ones(150)], axis=1)
        interval = bootstrap_interval(EditDissimilarity(), rows, resamples=400, seed=trial)
        inside += interval.low <= 2 / 7 <= interval.high
    assert 0.93 <= inside / trials <= 0.97
