"""Learning curves and tuning by ParaMetric: against subsets drawn one by one, and against single scores."""

import itertools
import random
from dataclasses import replace
from statistics import mean

import numpy as np
import pytest
from pytest import approx

from paragauge.align import AlignedPairs, GoldAlignment
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, OptionError
from paragauge.evaluate.parametric import parametric
from paragauge.evaluate.parametric_study import curve, tune
from paragauge.metrics.parametric import Parametric
from paragauge.phrases.paraphrases import ParaphraseTable


def gold_of(groups):
    """A gold standard of groups: a first sentence, and others of the same length with links in order."""
    rows = [(str(number), first, other) for number, (first, *others) in enumerate(groups) for other in others]
    links = [GoldAlignment.from_pharaoh(" ".join(f"{i}-{i}" for i in range(len(row[1].split())))) for row in rows]
    pairs = ParaphrasePairs(
        tuple(row[1] for row in rows), tuple(row[2] for row in rows), tuple(row[0] for row in rows)
    )  # fmt: skip
    return AlignedPairs(pairs, tuple(links))


def random_groups(seed, groups=4, others=4):
    rng = random.Random(seed)
    return [
        [" ".join(rng.choice("abcd") for _ in range(length)) for _ in range(others + 1)]
        for length in (rng.randint(2, 4) for _ in range(groups))
    ]


def random_table(seed):
    rng = random.Random(seed)
    phrases = [" ".join(words) for length in (1, 2) for words in itertools.product("abcd", repeat=length)]
    rows = [
        (one, other, rng.choice([0.001, 0.01, 0.1, 0.4, 0.7])) for one in phrases for other in rng.sample(phrases, 6)
    ]
    return ParaphraseTable.from_rows(row for row in rows if row[0] != row[1])


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_is_the_mean_over_all_subsets(seed):
    groups, table = random_groups(seed), random_table(seed)
    found = curve(gold=gold_of(groups), paraphrases={"mine": table}, bootstrap=0, min_prob=0.01, top=3)
    metric = Parametric(min_score=0.01, top=3)
    assert [point.others for point in found.points] == [1, 2, 3, 4]
    for point in found.points:
        drawn = [
            [
                metric.statistics(table, gold_of([[first, *some]])).reshape(1, -1, 3).sum(axis=(0, 1))
                for some in itertools.combinations(others, point.others)
            ]
            for first, *others in groups
        ]
        hits, posited, references = (
            sum(mean(float(row[place]) for row in rows) for rows in drawn) for place in range(3)
        )
        assert point.measurement.components["precision"] == approx(hits / posited)
        assert point.measurement.components["recall"] == approx(hits / references)
        assert point.references == approx(references / len(groups))
    assert found.points[0].known == 0
    totals = [point.references for point in found.points]
    assert found.points[2].known == approx(1 - (totals[2] - totals[1]) / totals[0])


def test_with_all_sentences_the_curve_is_the_score():
    gold, table = gold_of(random_groups(9)), random_table(9)
    last = curve(gold=gold, paraphrases={"mine": table}, bootstrap=50).points[-1]
    whole = parametric(gold=gold, paraphrases={"mine": table}, bootstrap=50).scores[0]
    assert last.measurement.components == approx(whole.measurement.components)
    assert last.intervals["recall"].low == approx(whole.intervals["recall"].low)


def test_small_groups_are_left_out_or_refused():
    groups = random_groups(3, groups=3)
    found = curve(gold=gold_of([*groups, groups[0][:3]]))
    assert (found.groups, found.left_out, len(found.points)) == (3, 1, 4)
    assert "1 with fewer sentences were left out" in found.table().to_text()
    assert len(curve(gold=gold_of([*groups, groups[0][:3]]), most=2).points) == 2
    with pytest.raises(DataError, match="a learning curve needs groups of several sentences"):
        curve(gold=gold_of([group[:2] for group in groups]))
    with pytest.raises(DataError, match="pairs its first sentence with 4, expected 9"):
        curve(gold=gold_of(groups), most=9)


def test_settings_are_scored_as_single_runs_are():
    gold, table = gold_of(random_groups(5, groups=12)), random_table(5)
    found = tune(gold=gold, paraphrases={"mine": table}, folds=3)
    for setting, measured in found.scores[:10] + found.scores[-10:]:
        metric = Parametric(min_score=setting.min_prob, top=setting.top)
        assert measured.components == metric.evaluate(table, gold).components
    values = [measured.value for _, measured in found.scores]
    assert values == sorted(values, reverse=True)
    assert sum(found.chosen.values()) == 3
    # By hand: the setting that is best on two thirds, of several the one that keeps most, measured on the last third.
    folds = np.random.default_rng(12345).permutation(12) % 3
    limits, tops = (None, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5), (None, 50, 20, 10, 5, 2, 1)
    metrics = [Parametric(min_score=limit, top=top) for limit in limits for top in tops]
    rows = [metric.statistics(table, gold).reshape(12, -1, 3).sum(axis=1) for metric in metrics]
    totals = np.zeros(3)
    for fold in range(3):
        values = [metrics[0].measure(each[folds != fold].sum(axis=0).tolist()).value for each in rows]
        totals += rows[values.index(max(values))][folds == fold].sum(axis=0)
    components = found.held_out.components
    assert [components[name] for name in ("found", "posited", "gold")] == totals.tolist()


def test_several_tables_are_settings_too():
    gold, table = gold_of(random_groups(6, groups=8)), random_table(6)
    worse = ParaphraseTable.from_rows([("a", "zz", 0.5)])
    found = tune(gold=gold, paraphrases={"worse": worse, "good": table}, folds=2, min_probs=[0.01, 0.1], tops=[2])
    assert found.best.table == "good"
    assert len(found.scores) == 4
    assert "top:2" in str(found.signature)
    assert replace(found).table().to_text().count("held out") == 2
    with pytest.raises(DataError, match="the gold has 8 groups, expected at least one for each of 9 folds"):
        tune(gold=gold, paraphrases={"good": table}, folds=9)
    with pytest.raises(OptionError, match="there is nothing to tune"):
        tune(gold=gold, paraphrases={})
