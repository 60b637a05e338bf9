"""PARADIGM from Python and from the command line: the same results, the same signatures, the gold read once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from paragauge.cli.main import main
from paragauge.corpora.pairs import ParaphrasePairs, read_paraphrase_pairs
from paragauge.errors import OptionError
from paragauge.evaluate.paradigm import CoverageRequest, OverlapRequest, coverage, overlap, report
from paragauge.grammar import Grammar, Rule, grammar
from paragauge.metrics.paradigm import ParadigmCoverage, ParadigmOverlap, grammar_digest
from paragauge.storage.engine import EngineOptions

GOLD = ["[NN] ||| answer ||| reply", "[VB] ||| answer ||| reply", "[VP] ||| get [NP,1] ||| take [NP,1]"]
FILES = {
    "gold.rules": "".join(f"{rule} ||| p(e|f)=1\n" for rule in GOLD),
    "one.rules": f"{GOLD[0]} ||| p(e|f)=1 other=2\n[NN] ||| end ||| close ||| p(e|f)=2 other=5\n",
    "two.rules": "[X] ||| get [X,1] ||| take [X,1] ||| p(e|f)=1\n",
    "pairs.tsv": "source\ttarget\tgroup\nanswer\treply\ta\nend\tclose\ta\nget it\ttake it\tb\n",
}


def test_overlap_is_the_same_everywhere(printed):
    found = overlap(["one.rules", "two.rules"], "gold.rules", engine=EngineOptions(threads=1))
    assert found.to_dict() == found.rows() == printed("paradigm", "overlap", "gold.rules", "one.rules", "two.rules")
    assert [(one.system, one.match) for one in found.scores] == [
        ("one.rules", "strict"), ("two.rules", "strict"), ("one.rules", "non-strict"), ("two.rules", "non-strict"),
    ]  # fmt: skip
    for one in found.scores:
        metric = ParadigmOverlap(match=one.match, min_count=one.min_count)
        alone = metric.evaluate(Grammar.open(one.system), Grammar.open("gold.rules"))
        assert replace(alone, signature=alone.signature.extended({"grammar": one.system})) == one.score
    signature = found.scores[0].score.signature
    assert signature.get("gold") == Grammar.open("gold.rules").digest
    assert signature.get("rules") == Grammar.open("one.rules").digest


def test_nothing_derived_has_no_mean_length(printed, capsys):
    pairs = ParaphrasePairs(("answer",), ("no",))
    (row,) = coverage(["one.rules"], pairs).rows()
    assert (row["derived"], row["mean_length"]) == (0, None)
    Path("none.tsv").write_text("source\ttarget\nanswer\tno\n", encoding="utf-8")
    (said,) = printed("paradigm", "coverage", "one.rules", "none.tsv")
    assert said["mean_length"] is None
    assert main(["paradigm", "coverage", "one.rules", "none.tsv"]) == 0
    assert "nan" not in capsys.readouterr().out


def test_grammars_in_memory_have_digests_of_their_rules():
    one, other = (Grammar.from_rules(map(Rule.parse, rules)) for rules in (GOLD, GOLD[:2]))
    (strict, _) = overlap({"mine": other}, one).scores
    assert strict.score.signature.get("gold") == grammar_digest(one)
    assert strict.score.signature.get("rules") == grammar_digest(other) != grammar_digest(one)
    again = Grammar.from_batches([batch.slice(k, 1) for batch in one.batches() for k in range(3)], one.columns)
    assert grammar_digest(again) == grammar_digest(one)


def test_files_are_read_once_for_each_need(monkeypatch):
    read = []
    read_rules = grammar.read_rule_batches
    monkeypatch.setattr(grammar, "read_rule_batches", lambda path: read.append(str(path)) or read_rules(path))
    overlap(["one.rules", "two.rules"], "gold.rules")
    assert read.count("gold.rules") == 2  # once for warnings, which look at the first rules only
    read.clear()
    report(["one.rules", "two.rules"], "gold.rules", pairs="pairs.tsv")
    assert read.count("gold.rules") == 2


def test_curves(capsys):
    found = overlap("one.rules", "gold.rules", match="strict", curve=True)
    ((curve,)) = found.curves
    assert [(point.rules, point.precision, point.recall) for point in curve.points] == [(2, 0.5, 1 / 3)]
    assert found.svg().startswith("<svg")
    both = overlap(["one.rules", "two.rules"], "gold.rules", curve=True)
    assert both.svg().count("<polyline") == 2 * len(both.curves) == 8
    assert "one.rules: non-strict overlap" in both.svg()
    assert main(["paradigm", "overlap", "gold.rules", "one.rules", "--match", "strict", "--curve", "-"]) == 0
    assert capsys.readouterr().out.startswith(found.curve_table().to_tsv())
    assert overlap("one.rules", "gold.rules").curves == ()


def test_coverage_is_the_same_everywhere(printed):
    found = coverage(["one.rules", "two.rules"], "pairs.tsv", bootstrap=50, seed=3)
    line = ["paradigm", "coverage", "one.rules", "two.rules", "pairs.tsv", "--bootstrap", 50, "--seed", 3]
    assert found.to_dict() == printed(*line)
    data = read_paraphrase_pairs("pairs.tsv")
    alone = ParadigmCoverage().evaluate(Grammar.open("one.rules"), data)
    score = found.scores[0].score
    assert (score.value, score.components) == (alone.value, alone.components)
    assert score.signature == alone.signature.extended({"grammar": "one.rules", "bs": 50, "seed": 3})
    assert score.signature.get("pairs") == data.digest
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high
    none = coverage({"mine": Grammar.open("one.rules")}, data, bootstrap=0)
    signed = alone.signature.extended({"grammar": "mine"})
    assert none.scores[0].score == replace(alone, signature=signed)
    assert list(none.derivations()) == []


def test_segments_and_derivations():
    found = coverage("one.rules", "pairs.tsv", segments=True, derivations=True)
    assert [row["score"] for row in found.rows()] == [1.0, 1.0, 0.0]
    assert [(system, number) for system, number, _ in found.derivations()] == [("one.rules", 1), ("one.rules", 2)]
    assert found.scores[0].score.interval is None


def test_the_report_has_both(printed):
    found = report(["one.rules", "two.rules"], "gold.rules", pairs="pairs.tsv", max_span=3)
    line = ["paradigm", "report", "gold.rules", "one.rules", "two.rules", "--pairs", "pairs.tsv", "--max-span", 3]
    assert found.to_dict() == printed(*line)
    assert found.coverage is not None
    assert str(found).startswith("Overlap\n\n")
    assert "<h4>Overlap by class</h4>" in found._repr_html_()
    assert len({tuple(row) for row in found.rows()}) == 1
    assert report("one.rules", "gold.rules").coverage is None


def test_progress_is_told():
    told = []
    report("one.rules", "gold.rules", pairs="pairs.tsv", progress=lambda *step: told.append(step))
    assert any(what == "rules" for _, _, what in told)
    assert told[-1] == (3, 3, "pairs")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["overlap", "gold.rules", "one.rules", "--feature", "other"], "--feature has no effect without a curve"),
        (
            ["coverage", "one.rules", "pairs.tsv", "--segments", "--bootstrap", "5"],
            "--bootstrap has no effect with --seg",
        ),
        (["coverage", "one.rules", "pairs.tsv", "--bootstrap", "0", "--seed", "5"], "--seed has no effect with --boot"),
        (["coverage", "one.rules", "pairs.tsv", "--segments", "--seed", "5"], "--seed has no effect with --segments"),
        (["report", "gold.rules", "one.rules", "--max-span", "5"], "--max-span has no effect without --pairs"),
        (["report", "gold.rules", "one.rules", "--no-glue"], "--glue has no effect without --pairs"),
        (["report", "gold.rules", "one.rules", "--encoding", "latin-1"], "--encoding has no effect without --pairs"),
    ],
)
def test_options_without_effect_are_refused(capsys, files, arguments, message):
    assert main(["paradigm", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (files / "p").exists()


def test_wrong_requests_are_refused_in_python():
    with pytest.raises(OptionError, match="no effect without a curve"):
        OverlapRequest(feature="other")
    with pytest.raises(OptionError, match="no effect with --segments"):
        CoverageRequest(segments=True, seed=1)
    with pytest.raises(OptionError, match="at least one"):
        overlap([], "gold.rules")
    with pytest.raises(OptionError, match="no option 'min_count'; known: curve, feature"):
        overlap("one.rules", "gold.rules", min_count=2)
    with pytest.raises(OptionError, match="found int, expected a grammar or its path"):
        coverage([3], ParaphrasePairs(("a",), ("b",)))
