"""Reports about systems from plain files: scores of whole systems, wins and losses, checks; one page that fits."""

import json
import re
from pathlib import Path

import pytest

from paragauge.cli.main import main
from paragauge.report.differences import word_differences

REFERENCES = [f"the cat number {k} sat on the mat in the old house" for k in range(30)]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good = [text.replace("old", "ancient") for text in REFERENCES]
    bad = [" ".join(text.split()[::-1]) if k % 3 else text for k, text in enumerate(REFERENCES)]
    bad[4] = ""
    bad[7] = "Sure! Here is a translation: <script>alert(1)</script>"
    for name, texts in {"ref": REFERENCES, "good": good, "bad": bad, "other": good[::-1]}.items():
        Path(name).write_text("".join(f"{text}\n" for text in texts))


def test_scores_are_those_of_score_with_signatures(files, capfd):
    assert main(["score", "-m", "bleu,ter", "--ref", "ref", "good", "bad", "--format", "json"]) == 0
    scores = {(row["metric"], row["system"]): row for row in json.loads(capfd.readouterr().out)}
    assert main(["report", "-m", "bleu,ter", "--ref", "ref", "good", "bad", "--format", "tsv", "-q"]) == 0
    cells = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    rows = {}
    for part, row, column, value in cells:
        if part == "scores":
            rows.setdefault(row, {})[column] = value
    assert len(rows) == 4
    for row in rows.values():
        score = scores[row["metric"], row["system"]]
        assert float(row["score"]) == score["score"]
        assert float(row["low"]) == score["interval"]["low"]
        assert row["signature"] == score["signature"]


def test_usual_metrics_follow_from_the_texts(files, capfd):
    assert main(["report", "--ref", "ref", "good", "bad", "--format", "json", "-q", "--bootstrap", "20"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["title"] == "How good are these systems?"
    assert [section["key"] for section in data["sections"]][:2] == ["summary", "changes"]
    assert data["sections"][0]["parts"][0]["metrics"] == ["bleu", "chrf"]
    assert not data["sections"][0]["folded"]


def test_the_page_is_one_file_that_escapes_texts_and_marks_words(files):
    assert main(["report", "--ref", "ref", "good", "bad", "other", "-o", "page.html", "-q", "--bootstrap", "50"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script>alert" not in page
    assert "&lt;script" in page or "&lt;</mark>" in page
    assert "<mark>ancient</mark>" in page
    assert "begins like a chat reply" in page
    assert re.search(r"By bleu, good is best \(\d", page)
    assert (
        page.index("Scores of systems")
        < page.index("What got better and worse</h2>")
        < page.index("Rankings of systems</h2>")
    )


def test_a_folder_has_all_formats(files):
    assert main(["report", "-m", "bleu", "--ref", "ref", "good", "bad", "-o", "out", "-q", "--bootstrap", "50"]) == 0
    names = {path.name for path in Path("out").iterdir()}
    assert {"index.html", "report.tex", "report.json", "scores.tsv", "wins.tsv", "losses-1.tsv", "checks.tsv"} <= names
    assert "bleu|nrefs:1|" in Path("out/scores.tsv").read_text()
    latex = Path("out/report.tex").read_text()
    assert "% bleu|nrefs:1|" in latex
    assert r"\mathbf{" in latex
    assert r"bleu $\uparrow$" in latex


def test_scores_and_systems_are_told_apart_by_content(files, capfd):
    assert main(["score", "-m", "chrf", "--ref", "ref", "good", "bad", "--segments", "--format", "tsv", "-o", "s"]) == 0
    assert main(["report", "s", "-m", "bleu", "--ref", "ref", "good", "bad", "--format", "json", "-q"]) == 0
    data = json.loads(capfd.readouterr().out)
    systems = next(section for section in data["sections"] if section["key"] == "systems")
    assert systems["parts"][0]["columns"] == ["system", "chrf", "bleu"]
    assert main(["report", "good", "bad", "-o", "x"]) == 2
    assert "good contains no scores; to report on systems, give --original or --ref" in capfd.readouterr().err


def test_beside_references_a_file_is_a_system_unless_it_has_scores(files, capfd):
    lines = Path("good").read_text().splitlines(keepends=True)
    for name, first in (("square", "[Applause] Thank you.\n"), ("curly", "{laughs} Thank you.\n"), ("note", "[1]\n")):
        Path(name).write_text(first + "".join(lines[1:]))
    score = ["score", "-m", "chrf", "--ref", "ref", "good", "bad", "--segments", "-q"]
    assert main([*score, "--format", "json", "-o", "scores.json"]) == 0
    rest = ["-m", "bleu", "--ref", "ref", "--format", "json", "-q"]
    assert main(["report", "square", "curly", "note", "scores.json", *rest]) == 0
    data = json.loads(capfd.readouterr().out)
    systems = next(section for section in data["sections"] if section["key"] == "systems")
    assert {row[0] for row in systems["parts"][0]["rows"]} == {"square", "curly", "note", "good", "bad"}
    Path("empty").write_text("")
    assert main(["report", "good", "empty", *rest]) == 1
    assert "empty: the file is empty, expected one segment on each line" in capfd.readouterr().err


def test_words_are_marked_where_they_differ():
    old, new = word_differences("He left, early today.", "He left early yesterday.")
    assert "".join(run for run, _ in old) == "He left, early today."
    assert [run for run, marked in old if marked] == [",", "today"]
    assert [run for run, marked in new if marked] == ["yesterday"]
    assert word_differences("a " * 3000, "b")[1] == (("b", False),)
