"""Correlations: SciPy's numbers, arithmetic by hand, resamples made one by one, and what must never matter."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy import stats

from paragauge.corpora import Judgments, read_judgments
from paragauge.errors import DataError, OptionError
from paragauge.meta.agreement import c_hat, correlate_judges
from paragauge.meta.comparison import compare_metrics, williams_test
from paragauge.meta.correlation import (
    METHODS,
    correlate,
    correlate_metric,
)
from paragauge.meta.evaluation import Evaluation, join_scores
from paragauge.meta.scores import ScoreRow, ScoreTable, read_scores
from paragauge.meta.significance import percentile_interval, resample_weights
from paragauge.meta.subset import Condition, subset

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def table(scores):
    return ScoreTable(tuple(ScoreRow(*row) for row in scores))


def world(systems=4, segments=30, noise=0.5, seed=0, judges=2, missing=0.0, metrics=("good", "bad")):
    """Return scores and judgments with a known quality behind them."""
    rng = random.Random(seed)
    scores, judgments = [], []
    for system in range(systems):
        for segment in range(segments):
            quality = rng.gauss(system, 1)
            for judge in range(judges):
                score = None if rng.random() < missing else round(quality + rng.gauss(0, noise), 1)
                judgments.append((f"s{system}", str(segment), f"j{judge}", "overall", score))
            for metric in metrics:
                spread = noise if metric == "good" else 4 * noise
                scores.append((metric, f"s{system}", str(segment), quality + rng.gauss(0, spread)))
    return table(scores), Judgments.from_rows(judgments)


def compare_two(evaluation, one, other, **options):
    (found,) = compare_metrics(evaluation, [one, other], **options)
    return found


numbers = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=30)


@pytest.mark.parametrize("method", METHODS)
@given(numbers)
def test_correlation_is_scipys(method, pairs):
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert math.isnan(correlate(x, y, method))
    else:
        assert correlate(x, y, method) == approx(SCIPY[method](x, y).statistic, abs=1e-12)


def test_pearson_by_hand():
    # deviations -1 0 1 and -2 1 1: covariance 3, variances 2 and 6
    assert correlate([1, 2, 3], [0, 3, 3]) == approx(3 / math.sqrt(2 * 6))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", [{}, {"average": "segment"}, {"average": "system"}, {"level": "system"}])
def test_bootstrap_equals_correlating_the_resampled_items(method, options):
    scores, judgments = world(missing=0.3, judges=1)
    evaluation = join_scores(scores, judgments)
    found = correlate_metric(evaluation, "good", method=method, resamples=40, seed=3, **options)
    picks = np.random.default_rng(3).integers(len(evaluation.segments), size=(40, len(evaluation.segments)))
    slow = [_by_hand(evaluation, pick, method, options) for pick in picks]
    assert (found.interval.low, found.interval.high) == approx(tuple(np.nanpercentile(slow, [2.5, 97.5])))
    assert found.value == approx(_by_hand(evaluation, range(len(evaluation.segments)), method, options))


def _by_hand(evaluation, pick, method, options):
    metric, human = evaluation.metrics["good"][:, pick], evaluation.human[:, pick]
    both = ~np.isnan(human) & ~np.isnan(metric)
    if options.get("level") == "system":
        rows = [(metric[i, b].mean(), human[i, b].mean()) for i, b in enumerate(both) if b.any()]
        return SCIPY[method](*zip(*rows, strict=True)).statistic
    if not options:
        return SCIPY[method](metric[both], human[both]).statistic
    if options["average"] == "system":
        parts = [(m[b], h[b]) for m, h, b in zip(metric, human, both, strict=True)]
    else:
        parts = [(m[b], h[b]) for m, h, b in zip(metric.T, human.T, both.T, strict=True)]
    values = [SCIPY[method](m, h).statistic for m, h in parts if len(m) > 1 and np.ptp(m) > 0 and np.ptp(h) > 0]
    return np.mean(values)


def test_documents_are_resampled_whole():
    scores, judgments = world()
    evaluation = join_scores(scores, judgments)
    one = correlate_metric(evaluation, "good", resamples=200, documents=["all"] * len(evaluation.segments))
    assert one.interval.low == one.interval.high == approx(one.value)  # one document: every resample is the data
    each = correlate_metric(evaluation, "good", resamples=200, documents=list(evaluation.segments))
    assert each.interval.low < each.value < each.interval.high
    with pytest.raises(DataError, match="documents for 2 segments, expected 30"):
        correlate_metric(evaluation, "good", resamples=5, documents=["a", "b"])


@pytest.mark.parametrize("level", ["segment", "system"])
def test_rows_in_another_order_change_nothing(level):
    scores, judgments = world(missing=0.2)
    rng = random.Random(1)
    mixed_scores, mixed_judgments = list(scores), list(judgments)
    rng.shuffle(mixed_scores)
    rng.shuffle(mixed_judgments)
    plain = join_scores(scores, judgments)
    mixed = join_scores(ScoreTable(tuple(mixed_scores)), Judgments.from_rows(mixed_judgments))
    for method in METHODS:
        one = correlate_metric(plain, "bad", method=method, level=level)
        other = correlate_metric(mixed, "bad", method=method, level=level)
        assert one.value == approx(other.value, abs=1e-12)
        assert one.items == other.items


def test_rescaling_does_not_matter():
    scores, judgments = world()
    scaled = table([(row.metric, row.system, row.segment, 3 * row.score + 100) for row in scores])
    curved = table([(row.metric, row.system, row.segment, math.exp(row.score)) for row in scores])
    value = {name: [correlate_metric(join_scores(each, judgments), "good", method=name).value
                    for each in (scores, scaled, curved)] for name in METHODS}  # fmt: skip
    assert value["pearson"][0] == approx(value["pearson"][1])
    assert value["spearman"][0] == approx(value["spearman"][2])
    assert value["kendall"][0] == approx(value["kendall"][2])


def test_intervals_cover_the_truth():
    # Pairs of known correlation 0.6; the 95% interval must hold it in about 95 of 100 samples.
    rng = np.random.default_rng(4)
    hits = 0
    for trial in range(300):
        x = rng.normal(size=120)
        y = 0.6 * x + math.sqrt(1 - 0.36) * rng.normal(size=120)
        scores = table([("m", "s", str(i), v) for i, v in enumerate(x)])
        judgments = Judgments.from_rows([("s", str(i), "", "overall", v) for i, v in enumerate(y)])
        interval = correlate_metric(join_scores(scores, judgments), "m", resamples=400, seed=trial).interval
        hits += interval.low <= 0.6 <= interval.high
    assert 0.92 <= hits / 300 <= 0.98


def test_a_better_metric_is_found_better_by_all_tests():
    evaluation = join_scores(*world(segments=80))
    found = compare_two(evaluation, "good", "bad", resamples=300, permutations=300)
    assert found.difference > 0.1
    assert found.interval.low > 0
    assert max(found.bootstrap_p, found.permutation_p, found.williams_p) < 0.01
    back = compare_two(evaluation, "bad", "good", resamples=300, permutations=300)
    assert back.difference == approx(-found.difference)


def test_equal_metrics_are_not_told_apart():
    scores, judgments = world(metrics=("good",))
    twins = table([*((r.metric, r.system, r.segment, r.score) for r in scores),
                   *(("twin", r.system, r.segment, r.score) for r in scores)])  # fmt: skip
    found = compare_two(join_scores(twins, judgments), "good", "twin", resamples=100, permutations=100)
    assert (found.difference, found.bootstrap_p, found.permutation_p, found.williams_p) == (0, 1, 1, 1)


def test_tests_are_calibrated_under_the_null():
    # Two metrics of the same quality: about one test in ten may fall below 0.1.
    low = {"bootstrap_p": 0, "permutation_p": 0, "williams_p": 0}
    for seed in range(100):
        evaluation = join_scores(*world(segments=40, seed=seed, systems=2, metrics=("good", "good2")))
        # "good2" is noisier by construction of world; give both the same noise
        rng = np.random.default_rng(seed)
        for name in ("good", "good2"):
            evaluation.metrics[name][:] = evaluation.human + rng.normal(0, 1, evaluation.human.shape)
        found = compare_two(evaluation, "good", "good2", resamples=200, permutations=200, seed=seed)
        for name in low:
            low[name] += getattr(found, name) < 0.1
    assert all(2 <= count <= 20 for count in low.values()), low


def test_williams_by_hand():
    # n = 103, r12 = .5, r13 = .3, r23 = .1 (an example that circulates with implementations of the test):
    # |R| = 1 - .25 - .09 - .01 + 2*.5*.3*.1 = .68; t = .2 * sqrt(102*1.1 / (2*.68*102/100 + .4^2 * .9^3)) = 1.7365
    t = 0.2 * math.sqrt(102 * 1.1 / (2 * 0.68 * 102 / 100 + 0.4**2 * 0.9**3))
    assert williams_test(0.5, 0.3, 0.1, 103) == approx(2 * stats.t.sf(t, 100))
    assert math.isnan(williams_test(0.5, 0.3, 0.1, 3))


def test_missing_judgments_stay_missing_and_are_counted():
    scores = table([("m", "a", "1", 1.0), ("m", "a", "2", 2.0), ("m", "a", "3", 3.0), ("m", "b", "1", None)])
    judgments = Judgments.from_rows([
        ("a", "1", "x", "overall", 1.0), ("a", "1", "y", "overall", None), ("a", "2", "x", "overall", None),
        ("a", "3", "x", "overall", 5.0), ("c", "1", "x", "overall", 2.0),
    ])  # fmt: skip
    evaluation = join_scores(scores, judgments)
    assert evaluation.human.tolist() == [[1.0, 5.0]]
    assert evaluation.dropped == (
        "1 judgments without a score (left missing, not counted as 0)",
        "1 judgments of candidates that no metric scored",
        "1 scored candidates without judgments",
        "1 missing metric scores",
    )


def test_scores_of_whole_systems_correlate_at_system_level():
    scores = table([("corpus", f"s{i}", None, float(i)) for i in range(4)])
    _, judgments = world(systems=4)
    found = correlate_metric(join_scores(scores, judgments), "corpus", level="system", resamples=50)
    assert found.items == 4
    assert found.value > 0.9
    with pytest.raises(DataError, match="has only scores of whole systems; correlate at system level"):
        correlate_metric(join_scores(scores, judgments), "corpus")


def test_subset_keeps_what_people_liked():
    judgments = Judgments.from_rows([
        ("a", "1", "", "fluency", 5.0), ("a", "2", "", "fluency", 2.0), ("a", "3", "", "overall", 3.0),
        ("b", "1", "", "fluency", 5.0),
    ])  # fmt: skip
    keep = subset(judgments, [Condition.parse("fluency >= 4")], ["b"])
    assert [keep("a", "1"), keep("a", "2"), keep("a", "3"), keep("b", "1")] == [True, False, False, False]
    with pytest.raises(OptionError, match="is not a condition; expected one such as fluency>=4"):
        Condition.parse("fluency")
    with pytest.raises(OptionError, match="no criterion named 'fluncy'; did you mean 'fluency'"):
        subset(judgments, [Condition.parse("fluncy>4")])
    with pytest.raises(OptionError, match="no system named 'c'"):
        subset(judgments, exclude_systems=["c"])


def test_judges_are_correlated_in_pairs():
    _, judgments = world(judges=3)
    pairs = correlate_judges(judgments)
    assert [(pair.one, pair.other) for pair in pairs] == [("j0", "j1"), ("j0", "j2"), ("j1", "j2")]
    rows = {judge: [row.score for row in judgments.where(judge=judge)] for judge in ("j0", "j1")}
    assert pairs[0].value == approx(stats.pearsonr(rows["j0"], rows["j1"]).statistic)
    assert correlate_judges(judgments, level="system")[0].items == 4
    assert correlate_judges(judgments, min_items=1000) == []


def test_c_hat_by_hand():
    # pi = (1/1 + 1/2) / 2 = 3/4; pi_0 = (1 + 1) / (2 * 4) = 1/4; C-hat = (3/4 - 1/4) / (3/4)
    assert c_hat([{1}, {2, 3}], [{1}, {3}], 4) == approx((3 / 4 - 1 / 4) / (1 - 1 / 4))
    assert c_hat([{1}, set()], [{1}, set()], 5) == 1
    assert c_hat([{1, 2}], [{1, 2}], 2) == 1
    with pytest.raises(DataError, match="same items; found 1 and 2"):
        c_hat([{1}], [{1}, {2}], 4)
    with pytest.raises(DataError, match="more options were chosen than the 1 available"):
        c_hat([{1, 2}], [{1}], 1)
    with pytest.raises(DataError, match="nothing to agree on"):
        c_hat([], [], 4)


def test_wrong_requests_are_explained():
    scores, judgments = world()
    evaluation = join_scores(scores, judgments)
    with pytest.raises(OptionError, match="no statistic named 'tau'; known: pearson"):
        correlate_metric(evaluation, "good", method="tau")
    with pytest.raises(OptionError, match="no scores of 'best'; known: good, bad"):
        correlate_metric(evaluation, "best")
    with pytest.raises(OptionError, match="no level named 'word'"):
        correlate_metric(evaluation, "good", level="word")
    with pytest.raises(OptionError, match="no criterion named 'fluency'"):
        join_scores(scores, judgments, criterion="fluency")
    with pytest.raises(OptionError, match="no judge named 'j9'"):
        join_scores(scores, judgments, judge="j9")
    with pytest.raises(DataError, match="two sequences of the same length; found 2 and 3"):
        correlate([1, 2], [1, 2, 3])
    other = table([("m", "other", "0", 1.0)])
    with pytest.raises(DataError, match="have no system in common: scores have other; "):
        join_scores(other, judgments)
    shifted = table([("m", "s0", "x", 1.0)])
    with pytest.raises(DataError, match="no segment in common: scores have x; "):
        join_scores(shifted, judgments)
    with pytest.raises(DataError, match="no judgments are left"):
        join_scores(scores, judgments, keep=lambda system, segment: False)
    two = Judgments.from_rows([("a", "1", "", "x", 1.0), ("a", "1", "", "y", 1.0)])
    with pytest.raises(DataError, match=r"several criteria \(x, y\); choose one"):
        join_scores(scores, two)
    with pytest.raises(DataError, match="rows 1 and 2 both score metric 'm', system 'a', segment '1'"):
        table([("m", "a", "1", 1.0), ("m", "a", "1", 2.0)])


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_intervals_of_correlations_hold_the_truth_as_often_as_they_say(method):
    """Pairs of normal numbers with a known correlation: 95% intervals hold it 93 to 97% of the time."""
    rng = np.random.default_rng(17)
    rho, segments, trials = 0.5, 200, 1000
    truth = {"pearson": rho, "spearman": 6 / math.pi * math.asin(rho / 2)}[method]
    inside = 0
    for trial in range(trials):
        human = rng.normal(size=(1, segments))
        metric = rho * human + math.sqrt(1 - rho**2) * rng.normal(size=human.shape)
        evaluation = Evaluation(("a",), tuple(map(str, range(segments))), human, {"m": metric})
        interval = correlate_metric(evaluation, "m", method=method, resamples=400, seed=trial).interval
        inside += interval.low <= truth <= interval.high
    assert 0.93 <= inside / trials <= 0.97


def test_intervals_of_differences_hold_the_truth_as_often_as_they_say():
    """Two metrics that follow people equally well: the interval of their difference holds zero."""
    rng = np.random.default_rng(18)
    segments, trials = 150, 500
    inside = 0
    for trial in range(trials):
        human = rng.normal(size=(1, segments))
        metrics = {name: human + rng.normal(size=human.shape) for name in "ab"}
        evaluation = Evaluation(("s",), tuple(map(str, range(segments))), human, metrics)
        found = compare_two(evaluation, "a", "b", resamples=400, permutations=1, seed=trial)
        inside += found.interval.low <= 0 <= found.interval.high
    assert 0.93 <= inside / trials <= 0.97


def test_weighted_ranks_are_those_of_the_resample_itself():
    rng = np.random.default_rng(4)
    human, metric = rng.integers(1, 6, size=(3, 30)).astype(float), rng.normal(size=(3, 30)).round(1)
    evaluation = Evaluation(tuple("abc"), tuple(map(str, range(30))), human, {"m": metric})
    drawn = []
    for weights in resample_weights(30, 50, 9):
        for row in weights.astype(int):
            picks = np.repeat(np.arange(30), row)
            drawn.append(stats.spearmanr(metric[:, picks].ravel(), human[:, picks].ravel()).statistic)
    expected = percentile_interval(np.array(drawn))
    found = correlate_metric(evaluation, "m", method="spearman", resamples=50, seed=9).interval
    assert (found.low, found.high) == approx((expected.low, expected.high), abs=1e-12)


def test_repeated_rows_do_not_change_results(tmp_path, caplog):
    lines = [f"m\t{system}\t{k}\t{k * 0.37 % 1}\n" for system in "ab" for k in range(9)]
    people = [f"{system}\t{k}\t{k * 0.61 % 1}\n" for system in "ab" for k in range(9)]
    values = []
    for name, repeat in (("once", 1), ("twice", 2)):
        (tmp_path / f"{name}.s").write_text("metric\tsystem\tsegment\tscore\n" + "".join(lines * repeat))
        (tmp_path / f"{name}.j").write_text("system\tsegment\tscore\n" + "".join(people[::-1] * repeat))
        evaluation = join_scores(read_scores(tmp_path / f"{name}.s"), read_judgments(tmp_path / f"{name}.j"))
        values.append(correlate_metric(evaluation, "m", resamples=20))
    assert values[0] == values[1]
    assert caplog.text.count("18 row(s) duplicate another exactly; each is counted once") == 2
    (tmp_path / "two").write_text("system\tsegment\tscore\na\t1\t1\na\t1\t2\n")
    with pytest.raises(DataError, match="are judgments of the same thing"):
        read_judgments(tmp_path / "two")
