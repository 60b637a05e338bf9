"""Leaving out features: against training and predicting by hand."""

import numpy as np
import pytest
from pytest import approx

from paragauge.cli.main import main
from paragauge.learn.validation import group_folds
from paragauge.meta.ablation import leave_features_out

svm = pytest.importorskip("sklearn.svm")
KINDS = {"sense": ["sense", "sense:x"], "noise": ["noise"]}


def data(items=120):
    rng = np.random.default_rng(4)
    truth = rng.normal(size=items)
    columns = {
        "sense": truth + 0.5 * rng.normal(size=items),
        "sense:x": truth + 0.8 * rng.normal(size=items),
        "noise": rng.normal(size=items),
    }
    groups = [f"o{k // 3}" for k in range(items)]
    return columns, truth + 3, groups, [f"s{k % 3}" for k in range(items)]


def by_hand(columns, names, targets, groups):
    """Return predictions of scikit-learn's regressor, trained without the fold of each candidate."""
    rows = np.column_stack([columns[name] for name in names])
    fold_of = group_folds(groups, 5, 1)
    found = np.zeros(len(rows))
    for fold in range(5):
        seen = fold_of != fold
        mean, spread = rows[seen].mean(axis=0), rows[seen].std(axis=0)
        regressor = svm.SVR(C=1.0, gamma=0.1 / len(names), epsilon=0.2)
        regressor.fit((rows[seen] - mean) / spread, targets[seen])
        found[~seen] = regressor.predict((rows[~seen] - mean) / spread)
    return found


def test_every_set_of_features_is_trained_and_tested_on_other_groups():
    columns, targets, groups, systems = data()
    found = leave_features_out(columns, targets, groups, systems, kinds=KINDS, resamples=0)
    sets = {
        "all features": ["sense", "sense:x", "noise"],
        "without sense": ["noise"],
        "without noise": ["sense", "sense:x"],
        "only sense": ["sense", "sense:x"],
        "only noise": ["noise"],
    }
    assert [each.features for each in found] == list(sets)
    for each in found:
        scores = by_hand(columns, sets[each.features], targets, groups)
        assert each.used == len(sets[each.features])
        assert each.value == approx(np.corrcoef(scores, targets)[0, 1], abs=1e-3)
        means = [[side[k::3].mean() for k in range(3)] for side in (scores, targets)]
        assert each.system_value == approx(np.corrcoef(*means)[0, 1], abs=0.02)
    assert found[1].difference == approx(found[1].value - found[0].value)
    assert found[0].difference is None


def test_differences_have_intervals_over_groups():
    columns, targets, groups, systems = data()
    found = leave_features_out(columns, targets, groups, systems, kinds=KINDS, resamples=200)
    without_sense, without_noise = found[1], found[2]
    assert without_sense.interval.high < 0  # it cannot do without
    assert without_sense.p_value < 0.02 < without_noise.p_value
    assert without_noise.interval.low < without_noise.difference < without_noise.interval.high
    again = leave_features_out(columns, targets, groups, systems, kinds=KINDS, resamples=200, threads=2)
    assert again == found


@pytest.fixture
def judged(tmp_path):
    words = "the small cat sat on a red mat while we all slept".split()
    rng = np.random.default_rng(0)
    lines = ["original\tcandidate\tscore\tsystem"]
    for number in range(12):
        text = [str(word) for word in rng.choice(words, size=6)]
        for system, share in (("good", 0.1), ("bad", 0.7)):
            said = [str(rng.choice(words)) if rng.random() < share else word for word in text]
            lines.append(f"{number} {' '.join(text)}\t{' '.join(said)}\t{5 - 4 * share + 0.1 * (number % 3)}\t{system}")
    path = tmp_path / "judged.tsv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_command(judged, capsys):
    assert main(["pem", "ablate", "default", judged, "--bootstrap", "20", "-q", "--format", "tsv"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0][:3] == ["features", "used", "correlation"]
    assert [line[0] for line in lines[1:4]] == ["all features", "without adequacy", "without fluency"]


def test_unknown_criteria_are_listed(judged, capsys):
    assert main(["pem", "ablate", "default", judged, "--criterion", "sense", "-q"]) == 2
    assert "no criterion named 'sense'; known: overall" in capsys.readouterr().err
