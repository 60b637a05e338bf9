"""The same scores and judgments give the same numbers, whichever door they come in by."""

import json
from pathlib import Path

import httpx
import pytest
from pytest import approx

from paragauge.cli.main import main
from paragauge.corpora.testset import TestSet
from paragauge.evaluate.correlate import correlate
from paragauge.evaluate.study import study
from paragauge.meta.rankings import correlate_wins, ranking_tau, read_rankings
from paragauge.meta.scores import read_scores
from paragauge.metrics.bleu import Bleu

SYSTEMS = ("best", "good", "bad")
# TER counts errors: these scores agree entirely with the rankings, and with the judgments.
TER = "metric\tsystem\tsegment\tscore\n" + "".join(
    f"{metric}\t{system}\t{segment}\t{10 * place + segment}\n"
    for metric in ("ter", "ter(case_sensitive=True)")
    for place, system in enumerate(SYSTEMS, start=1)
    for segment in range(1, 5)
)
RANKINGS = (
    "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
    + "".join(f"Czech,English,{segment},j,best,good,bad,1,2,3\n" for segment in range(1, 5))
)
JUDGMENTS = "system\tsegment\tscore\n" + "".join(
    f"{system}\t{segment}\t{5 - place}\n" for place, system in enumerate(SYSTEMS) for segment in range(1, 5)
)
METRICS = ("ter", "ter(case_sensitive=True)")

REFERENCE = ["the cat sat on the mat", "a dog ran over the road", "they bought a small house", "it rained all day long"]
OUTPUTS = {
    "near": ["the cat sat on a mat", "a dog ran on the road", "they bought a house", "it rained all day"],
    "far": ["cat mat", "the dog ran over a road", "they purchased a small home", "rain fell the whole day long"],
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ter.tsv").write_text(TER)
    Path("rankings.csv").write_text(RANKINGS)
    Path("judgments.tsv").write_text(JUDGMENTS)


@pytest.fixture
def client(workbench):
    with httpx.Client(base_url=workbench, timeout=120) as client:
        yield client


@pytest.fixture
def command(capfdbinary):
    def run(*arguments):
        assert main([*arguments, "--bootstrap", "0", "--format", "json"]) == 0
        return json.loads(capfdbinary.readouterr().out)

    return run


def _part(report, key):
    return next(part for section in report["sections"] for part in section["parts"] if part["key"] == key)


def _agreement(report):
    """By metric, level and method, from the table of a report."""
    return {(row[0], row[2], row[3]): row[1] for row in _part(report, "agreement-table")["rows"]}


def _by_place(rows):
    return {(row["metric"], row["level"], row["method"]): row["correlation"] for row in rows}


@pytest.mark.parametrize(("people", "sign"), [("rankings.csv", 1), ("judgments.tsv", 1)])
def test_every_door_says_the_same_of_ter(files, command, client, people, sign):
    ranked = people == "rankings.csv"
    systems = ["--level", "system", "--method", "pearson", "--method", "spearman"]
    methods = [] if ranked else ["--method", "pearson", "--method", "spearman"]
    found = {
        "command correlate": _by_place(
            [*command("correlate", "ter.tsv", people, *methods), *command("correlate", "ter.tsv", people, *systems)]
        ),
        "command report": _agreement(command("report", "ter.tsv", "--judgments", people)),
        "python correlate": _by_place(
            [
                *correlate("ter.tsv", people, bootstrap=0, method=() if ranked else ("pearson", "spearman")).rows(),
                *correlate("ter.tsv", people, bootstrap=0, level="system", method=("pearson", "spearman")).rows(),
            ]
        ),
        "python study": _by_place(study("ter.tsv", people, bootstrap=0).correlations()),
    }
    body = {"scores": [{"text": TER}], "judgments": {"text": Path(people).read_text()}, "bootstrap": 0}
    answer = client.post("/api/correlate", json=body).json()
    found["request correlate"] = _by_place(answer["correlations"])
    found["request report"] = _agreement(client.post("/api/report", json=body).json()["report"])
    first = found["command correlate"]
    assert {key[0] for key in first} == set(METRICS)
    assert len(first) == len(METRICS) * (3 if ranked else 4)
    for door, values in found.items():
        assert values == first, door
    assert list(first.values()) == approx([sign] * len(first), abs=1e-12 if ranked else 0.2)
    assert answer["turned"] == list(METRICS)


def test_functions_turn_ter_without_being_told(files):
    table, rankings = read_scores("ter.tsv"), read_rankings("rankings.csv")
    assert ranking_tau(table, "ter", rankings).value == 1
    assert ranking_tau(table, "ter", rankings, lower_is_better=False).value == -1
    assert correlate_wins({"best": 1.0, "good": 2.0, "bad": 3.0}, "ter", rankings).value == approx(1)


def test_results_say_what_was_turned(files, capsys):
    result = correlate("ter.tsv", "rankings.csv", bootstrap=0)
    assert result.turned == METRICS
    assert "lower is better, sign reversed: ter" in str(result)
    assert correlate("ter.tsv", "judgments.tsv", bootstrap=0).turned == METRICS
    report = study("ter.tsv", "rankings.csv", bootstrap=0).report()
    assert any(note.startswith("lower is better, sign reversed in correlations: ter") for note in report.notes)


def test_a_report_on_texts_has_the_scores_of_score(tmp_path, monkeypatch, command, client):
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("\n".join(REFERENCE) + "\n")
    for system, texts in OUTPUTS.items():
        Path(f"{system}.txt").write_text("\n".join(texts) + "\n")
    groups = [[text] for text in REFERENCE]
    corpus = {system: Bleu().corpus_score(texts, groups).value for system, texts in OUTPUTS.items()}
    score = command("score", "-m", "bleu", "--ref", "ref.txt", "near.txt", "far.txt")
    assert {row["system"]: row["score"] for row in score} == corpus
    files = ["--candidates", "near.txt", "--candidates", "far.txt", "--ref", "ref.txt"]
    texts = {"candidates": OUTPUTS, "references": {"1": REFERENCE}}
    testset = TestSet(ids=["1", "2", "3", "4"], **texts)
    body = {"metrics": ["bleu"], "texts": texts, "bootstrap": 0}
    for report in (
        command("report", "-m", "bleu", *files),
        client.post("/api/report", json=body).json()["report"],
        study(testset=testset, metrics="bleu", bootstrap=0).to_dict(),
    ):
        assert dict(_part(report, "systems-table")["rows"]) == corpus
        assert any("the metric's score of the whole system" in note for note in report["notes"])
        assert not any("mean of lines" in note for note in report["notes"])


def test_a_report_on_scores_of_segments_says_that_it_has_means(tmp_path, monkeypatch, command, capfdbinary):
    monkeypatch.chdir(tmp_path)
    test_set = TestSet(ids=["1", "2", "3", "4"], candidates=OUTPUTS, references={"1": REFERENCE})
    segments = [score.value for score in Bleu().segment_scores(OUTPUTS["far"], [[text] for text in REFERENCE])]
    corpus = Bleu().score_corpus(test_set.segments("far")).value
    Path("scores.tsv").write_text(
        "metric\tsystem\tsegment\tscore\n"
        + "".join(f"bleu\tfar\t{number}\t{value!r}\n" for number, value in enumerate(segments, start=1))
    )
    report = command("report", "scores.tsv")
    assert dict(_part(report, "systems-table")["rows"]) == {"far": approx(sum(segments) / 4)}
    assert sum(segments) / 4 != approx(corpus, abs=0.1)
    assert "scores of systems: bleu: mean of lines" in report["notes"]
    assert _part(report, "ranking-1")["title"] == "bleu (metric, mean of lines)"
    # With the scores of systems beside them, those are shown.
    Path("systems.tsv").write_text(f"metric\tsystem\tscore\nbleu\tfar\t{corpus!r}\n")
    report = command("report", "scores.tsv", "systems.tsv")
    assert dict(_part(report, "systems-table")["rows"]) == {"far": corpus}
    assert _part(report, "ranking-1")["title"] == "bleu (metric)"


def test_requests_refuse_what_has_no_effect(client):
    body = {"scores": [{"text": TER}], "judgments": {"text": JUDGMENTS}, "bootstrap": 0}
    for options, message in (
        ({"pair": "Czech-English"}, "--pair applies only to WMT rankings"),
        ({"seed": 5}, "--seed applies only to intervals"),
    ):
        answer = client.post("/api/correlate", json={**body, **options})
        assert answer.status_code == 422
        assert message in answer.json()["detail"]
