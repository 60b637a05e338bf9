"""Scores of grammars against a task: what SciPy says, and what files may look like."""

import numpy as np
import pytest
from pytest import approx
from scipy import stats

from paragauge.cli.main import main
from paragauge.errors import DataError
from paragauge.meta.task_scores import correlate_measures, is_wide, read_measures

GRAMMARS = ["a", "b", "c", "d", "e"]
PRECISION = [0.1, 0.4, 0.2, 0.35, 0.3]
MEANING = [1.0, 4.0, 2.5, 2.0, 3.0]


@pytest.mark.parametrize("method", ["spearman", "pearson", "kendall"])
def test_correlation_and_exact_p_are_those_of_scipy(method):
    found = correlate_measures(
        {"precision": dict(zip(GRAMMARS, PRECISION, strict=True))},
        {"meaning": dict(zip(GRAMMARS, MEANING, strict=True))},
        method=method,
    )
    statistic = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}[method]
    test = stats.permutation_test(
        (PRECISION,),
        lambda x: statistic(x, MEANING).statistic,
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert found[0].value == approx(test.statistic)
    # SciPy doubles the smaller tail; both tails are equally heavy for ranks without ties.
    if method != "pearson":
        assert found[0].p_value == approx(test.pvalue)
    assert found[0].resources == 5


def test_with_five_grammars_only_the_same_order_is_significant():
    order = dict(zip("abcde", range(5), strict=True))
    perfect = correlate_measures({"m": order}, {"t": order})
    assert (perfect[0].value, perfect[0].p_value) == approx((1.0, 2 / 120))
    swapped = correlate_measures({"m": order | {"d": 4, "e": 3}}, {"t": order})
    assert swapped[0].value == approx(0.9)
    assert swapped[0].p_value == approx(10 / 120)


def test_many_grammars_are_put_into_random_orders():
    rng = np.random.default_rng(1)
    names = [f"g{k}" for k in range(12)]
    own, task = rng.normal(size=12), rng.normal(size=12)
    (found,) = correlate_measures(
        {"m": dict(zip(names, own, strict=True))}, {"t": dict(zip(names, task, strict=True))}, method="pearson"
    )
    assert found.p_value == approx(stats.pearsonr(own, task).pvalue, abs=0.02)


def test_lower_is_better_turns_the_sign():
    measures = {
        name: dict(zip(GRAMMARS, [-value for value in PRECISION], strict=True)) for name in ("ter", "loss", "x")
    }
    task = {"t": dict(zip(GRAMMARS, PRECISION, strict=True))}
    found = {each.measure: each.value for each in correlate_measures(measures, task, lower_is_better=["loss"])}
    assert found == approx({"ter": 1.0, "loss": 1.0, "x": -1.0})


def test_tables_with_a_metric_column_with_segments_and_without(tmp_path):
    report = tmp_path / "report.tsv"
    report.write_text(
        "metric\tsystem\tscore\trecall\tmatch\nparadigm\ta\t0.5\t0.5\tstrict\nparadigm(x=1)\ta\t0.7\t0.7\ts\n"
    )
    assert read_measures(report) == {
        "paradigm": {"a": 0.5},
        "paradigm recall": {"a": 0.5},
        "paradigm(x=1)": {"a": 0.7},
        "paradigm(x=1) recall": {"a": 0.7},
    }
    assert set(read_measures(report, columns=["recall"])) == {"paradigm recall", "paradigm(x=1) recall"}
    segments = tmp_path / "segments.tsv"
    segments.write_text("metric\tsystem\tsegment\tscore\nbleu\ta\t1\t10\nbleu\ta\t2\t30\nbleu\tb\t1\t\n")
    assert read_measures(segments) == {"bleu": {"a": 20.0}}
    wide = tmp_path / "wide.csv"
    wide.write_text("grammar,size,meaning\na,10,3\nb,20,4\n")
    assert read_measures(wide) == {"size": {"a": 10.0, "b": 20.0}, "meaning": {"a": 3.0, "b": 4.0}}
    assert is_wide(wide)
    assert not is_wide(report)


def test_what_is_wrong_with_a_table_is_said(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("name\tscore\na\t1\n")
    with pytest.raises(DataError, match="names no resources; expected a column system or grammar or resource"):
        read_measures(path)
    path.write_text("grammar\tscore\na\t1\na\t2\n")
    with pytest.raises(DataError, match="scores 'a' again as in line 2"):
        read_measures(path)
    with pytest.raises(DataError, match="has no column of numbers 'recall'; found score"):
        read_measures(path, columns=["recall"])
    with pytest.raises(DataError, match="1 resources in common, expected at least three: scores have a, b; the task"):
        correlate_measures({"m": {"a": 1.0, "b": 2.0}}, {"t": {"a": 1.0, "c": 2.0}})


def test_command(tmp_path, capsys):
    grammars, judged = tmp_path / "grammars.tsv", tmp_path / "judged.tsv"
    grammars.write_text(
        "grammar\tprecision\n" + "".join(f"{g}\t{p}\n" for g, p in zip(GRAMMARS, PRECISION, strict=True))
    )
    rows = ["system\tsegment\tcriterion\tscore"]
    for grammar, meaning in zip(GRAMMARS, MEANING, strict=True):
        rows += [f"{grammar}\t{k}\tmeaning\t{meaning + k}" for k in (-1, 1)]
        rows += [f"{grammar}\t1\tgrammar\t{5 - meaning}"]
    judged.write_text("\n".join(rows) + "\n")
    arguments = ["paradigm", "correlate", str(grammars), "--judgments", str(judged), "--format", "tsv"]
    assert main(arguments) == 0
    head, line = (text.split("\t") for text in capsys.readouterr().out.splitlines()[:2])
    assert head == ["score", "meaning", "p_meaning", "grammar", "p_grammar"]
    expected = stats.spearmanr(PRECISION, MEANING).statistic
    assert [float(line[1]), float(line[3])] == approx([expected, -expected])
    assert main([*arguments, "--criterion", "sense"]) == 2
    assert "no criterion named 'sense'; known: grammar, meaning" in capsys.readouterr().err
