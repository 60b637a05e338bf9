"""Reports: the same content as page, text, TSV, JSON and LaTeX; hostile texts stay text."""

import base64
import gzip
import hashlib
import json
import math
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.study_data import HOSTILE, judgments, scores, sentences

from paragauge.cli.main import main
from paragauge.corpora import write_testset
from paragauge.corpora.judgments import write_judgments
from paragauge.meta.correlation import Correlation
from paragauge.meta.study import RankedMetric, make_study
from paragauge.report.html import report_html
from paragauge.report.latex import report_latex
from paragauge.report.model import MOST_POINTS, ScatterPlot, best_in_words, study_report
from paragauge.report.text import report_json, report_text, report_tsv


@pytest.fixture(scope="module")
def report():
    study = make_study(scores(), judgments(), lower_is_better=["ter"], resamples=50)
    return study_report(study, testset=sentences(), title="A <title> & more")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{row.metric}\t{row.system}\t{row.segment}\t{row.score!r}\n" for row in scores())
    Path("scores.tsv").write_text("metric\tsystem\tsegment\tscore\n" + rows)
    write_judgments(judgments(), "judgments.tsv")
    write_testset(sentences(), "testset.jsonl")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.attributes = [], []

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.attributes += attributes


def test_the_page_holds_no_code_and_no_address(report):
    page = report_html(report)
    tags = Tags()
    tags.feed(page)
    assert tags.found.count("script") == 2
    assert "img" not in tags.found
    assert "i" not in tags.found
    assert not [name for name, _ in tags.attributes if name.startswith("on") or name == "style"]
    assert {value for name, value in tags.attributes if name in ("src", "href")} == {
        f"#{section.key}" for section in report.sections
    }
    assert "http" not in re.sub(r"http-equiv", "", page)
    # The page allows its own style and script, by their digests, and nothing else.
    policy = next(value for name, value in tags.attributes if name == "content" and "default-src" in value)
    for tag in ("style", "script"):
        digest = hashlib.sha256(re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[0].encode()).digest()
        assert f"{tag}-src 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "default-src 'none'" in page
    ids = [value for name, value in tags.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_items_parse_back(report):
    text = re.search(r'id="items">(.*?)</script>', report_html(report), re.DOTALL)[1]
    items = json.loads(text)
    assert any(HOSTILE in value for item in items for _, value in item["texts"])


def test_every_format_has_every_correlation(report):
    table = next(part for section in report.sections for part in section.parts if part.key == "agreement-table")
    for row in table.rows:
        for text in (report_text(report), report_latex(report), report_html(report)):
            assert f"{row[1]:.4f}" in text
        assert repr(row[1]) in report_tsv(report)
    data = json.loads(report_json(report))
    found = [part for section in data["sections"] for part in section["parts"] if part["key"] == "agreement-table"]
    assert [row[1] for row in found[0]["rows"]] == [row[1] for row in table.rows]
    assert {part["kind"] for section in data["sections"] for part in section["parts"]} == {
        "TablePart", "IntervalPlot", "ScatterPlot", "HeatMap", "ExampleList"
    }  # fmt: skip


def test_a_report_with_judgments_opens_with_the_best_metric_in_words(report, files):
    first = report.sections[0]
    assert first.title == "Which metric is best?"
    for answer in first.answers:
        assert escape(answer) in report_html(report).partition("<table")[0]
        assert answer in report_text(report).partition("metric-ranking")[0]
    assert main(["report", "-m", "bleu,chrf", "--testset", "testset.jsonl", "--judgments", "judgments.tsv", "-q",
                 "--bootstrap", "20", "-o", "page.html"]) == 0  # fmt: skip
    page = Path("page.html").read_text()
    assert page.index("agrees best with people") < page.index("Scores of systems")


def ranked(*values, clusters=None, method="acc-eq"):
    return [
        RankedMetric("overall", Correlation(name, method, "segment", "none", value, 10), cluster)
        for name, value, cluster in zip("abcd", values, clusters or [None] * len(values), strict=False)
    ]


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        (
            ranked(0.61, 0.6, 0.5, clusters=[1, 1, 2]),
            ["a agrees best with people, ordering 61.0% of", "b is not signif"],
        ),
        (ranked(0.61, 0.6, 0.59, 0.5, clusters=[1, 1, 1, 2]), ["; b and c are not significantly worse."]),
        (ranked(0.61, 0.6, 0.5, clusters=[1, 2, 2]), ["; the next, b, is significantly worse."]),
        (ranked(0.61, 0.6, 0.5, clusters=[1, 1, 1]), ["; no other metric is significantly worse."]),
        (ranked(0.61, 0.61, 0.61, 0.5, clusters=[1, 1, 1, 2]), ["a, b and c agree best", "; the next, d, is signif"]),
        (ranked(1.0, 0.5, method="spa"), ["with a soft pairwise accuracy of 1.000", "was not tested."]),
        (ranked(0.5, 0.5, clusters=[1, 1]), ["a and b agree best", "; there is no difference to test."]),
    ],
)
def test_the_best_metric_in_words(metrics, words):
    (sentence,) = best_in_words(metrics)
    assert sentence.startswith("overall: ")
    assert all(each in sentence for each in words)
    assert best_in_words(ranked(math.nan, math.nan)) == []


def test_latex_is_balanced_and_escaped(report):
    text = report_latex(report)
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert r"gamma \& co" in text
    assert r"\textless{}b\textgreater{}beta" in text


def test_jitter_moves_points_less_than_half_a_step(report):
    plots = [part for section in report.sections for part in section.parts if isinstance(part, ScatterPlot)]
    moved = [point for plot in plots for point in plot.points if point.shown_y != point.y]
    assert moved
    assert all(abs(point.shown_y - point.y) < 0.25 for point in moved)  # means of two judges: half points
    assert all(
        (point.shown_x, point.shown_y) == (point.x, point.y) for plot in plots if plot.labelled for point in plot.points
    )


def test_large_plots_are_thinned():
    from paragauge.corpora.judgments import Judgments
    from paragauge.meta.scores import ScoreRow, ScoreTable

    many = ScoreTable(tuple(ScoreRow("m", "s", str(k), k * 0.37 % 1) for k in range(3000)))
    people = Judgments.from_rows(("s", str(k), "", "overall", k * 0.61 % 1) for k in range(3000))
    made = study_report(make_study(many, people, resamples=0))
    plot = next(
        part
        for section in made.sections
        for part in section.parts
        if isinstance(part, ScatterPlot) and not part.labelled
    )
    assert (len(plot.points), plot.left_out) == (MOST_POINTS, 2000)


def test_command_writes_a_folder_and_replaces_only_its_own(files, capsys):
    assert (
        main(["report", "scores.tsv", "--judgments", "judgments.tsv", "--testset", "testset.jsonl", "-o", "out"]) == 0
    )
    assert {
        "index.html",
        "report.json",
        "report.tex",
        "systems-table.tsv",
        "manifest.json",
    } <= {path.name for path in Path("out").iterdir()}
    assert main(["report", "scores.tsv", "-o", "out", "--bootstrap", "0"]) == 0
    assert "Agreement" not in Path("out/index.html").read_text()
    Path("mine").mkdir()
    Path("mine/file").write_text("x")
    assert main(["report", "scores.tsv", "-o", "mine"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert Path("mine/file").read_text() == "x"


@pytest.mark.parametrize("form", ["table", "tsv", "json", "latex"])
def test_command_prints_other_formats(files, capfdbinary, form):
    arguments = ["report", "scores.tsv", "--judgments", "judgments.tsv", "--format", form, "--bootstrap", "20"]
    assert main(arguments) == 0
    out = capfdbinary.readouterr().out.decode()
    assert "adequacy" in out
    assert main([*arguments, "-o", "file.gz"]) == 0
    assert gzip.decompress(Path("file.gz").read_bytes()).decode() == out


def test_command_reads_wmt_rankings_and_several_score_files(files, capfdbinary):
    header = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"
    rows = "".join(f"Czech,English,{k},j,alpha,gamma & co,1,{2 if k % 4 else -1}\n" for k in range(1, 9))
    Path("rankings.csv").write_text(header + rows)
    lines = Path("scores.tsv").read_text().splitlines(keepends=True)
    Path("one.tsv").write_text("".join(lines[:37]))
    Path("two.tsv").write_text(lines[0] + "".join(lines[37:]))
    assert main(["report", "one.tsv", "two.tsv", "--judgments", "rankings.csv", "--format", "table"]) == 0
    assert "wins" in capfdbinary.readouterr().out.decode()
    assert main(["report", "one.tsv", "one.tsv", "--format", "table"]) == 1
    assert "check whether two of the files contain the same scores" in capfdbinary.readouterr().err.decode()


def test_mistakes_are_named(files, capsys):
    assert main(["report", "scores.tsv"]) == 2
    assert "give it with -o FILE.html" in capsys.readouterr().err
    assert main(["report", "absent.tsv", "-o", "x"]) == 1
    Path("empty.tsv").write_text("")
    for arguments in (
        ["empty.tsv"],
        ["scores.tsv", "--judgments", "empty.tsv"],
        ["scores.tsv", "--testset", "empty.tsv"],
    ):
        assert main(["report", *arguments, "-o", "x"]) == 1
        assert "empty" in capsys.readouterr().err
        assert not Path("x").exists()
    Path("latin.tsv").write_bytes("metric\tsystem\tsegment\tscore\nm\té\t1\t2\n".encode("latin-1"))
    assert main(["report", "latin.tsv", "-o", "x"]) == 1
    assert main(["report", "latin.tsv", "--encoding", "latin-1", "--format", "table"]) == 0
