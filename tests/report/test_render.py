import json
import math
import re

from lxml import etree

import paragauge as pg
from paragauge import Bleu, parse_metric
from paragauge.corpora import Segments
from paragauge.metrics.explanation import Edge, Explanation, Network, NetworkSegment
from paragauge.report.explain import explanation_html, explanation_json, explanation_text
from paragauge.report.table import ResultTable

TABLE = ResultTable(
    ["system", "score", "n"],
    [{"system": "a\tb\nc", "score": 1 / 3, "n": 2}, {"system": "é", "score": math.inf}],
    notes=["a note"],
    machine_columns=["system", "score", "n", "extra"],
)


def test_text_table_is_aligned_and_rounded():
    plain = ResultTable(["system", "score"], [{"system": "a", "score": 1 / 3}, {"system": "bb", "score": 10.0}], 2)
    assert plain.render("table") == "system      score\n--------  -------\na            0.33\nbb          10.00\n"


def test_tsv_has_full_precision_and_no_stray_tabs():
    assert TABLE.render("tsv") == f"system\tscore\tn\textra\na b c\t{1 / 3!r}\t2\t\né\tinf\t\t\n"


def test_json_is_valid_even_for_infinity():
    rows = json.loads(TABLE.render("json"))
    assert rows[0] == {"system": "a\tb\nc", "score": 1 / 3, "n": 2, "extra": None}
    assert rows[1]["score"] is None


def _explanations():
    segments = Segments.of(["the cat <script>alert(1)</script>"], [["the cat & dog"]], ["a cat"])
    return [parse_metric(name).explain(segments) for name in ("bleu", "ibleu", "pinc", "edit-dissimilarity", "ter")]


def test_page_escapes_every_text():
    page = explanation_html(_explanations())
    assert "<script" not in page
    assert "&lt;" in page
    assert "&amp;" in page
    assert page.count("<section ") == 5


def test_text_marks_what_matched():
    explanation = Bleu().explain(Segments.of(["the cat sat"], ["the cat is here sat"]))
    text = explanation_text([explanation], details=True)
    assert "candidate  [the] [cat] (sat)" in text
    assert "bleu|nrefs:1|" in text
    assert re.search(r"the cat +1 +1 +1", text)
    assert "2-grams" not in explanation_text([explanation])


def test_json_explanation_has_tokens_and_grids():
    data = json.loads(explanation_json(_explanations()))
    candidate = next(part for part in data[0]["parts"] if part.get("label") == "candidate")
    assert candidate["tokens"][0] == {"token": "the", "mark": "match"}
    assert data[2]["parts"][-1]["kind"] == "grid"
    assert data[2]["verdict"]
    assert data[2]["details"][0]["parts"][0]["kind"] == "formula"
    assert data[0]["signature"].startswith("bleu|")


NETWORK = Network(
    "a <network>",
    (
        NetworkSegment("put off", (Edge("remettre <b>", 0.6, "match"), Edge("reporter", 0.25, "partial"))),
        NetworkSegment("你好", (Edge("你好", 1.0),)),
    ),
)


def _explained(*parts):
    score = Bleu().score("a b", "a c")
    return [Explanation(score, parts)]


def test_network_as_text_has_a_line_for_each_segment():
    text = explanation_text(_explained(NETWORK))
    assert "a <network>\n  put off  [remettre <b>] 0.60  (reporter) 0.25\n  你好       你好 1.00\n" in text


def test_network_as_picture_is_whole_and_escaped():
    html = explanation_html(_explained(NETWORK, Network("empty", ())))
    assert html.count("<svg") == 2  # one for each segment, so that a long network continues in the next line
    assert html.count("<path") == 3
    assert html.count("<circle") == 4
    assert 'class="match"' in html
    assert "remettre &lt;b&gt; 0.60" in html
    assert "<b>" not in html
    picture = html[html.index("<svg") : html.index("</svg>") + 6]
    etree.fromstring(picture)


def test_network_as_data():
    part = json.loads(explanation_json(_explained(NETWORK)))[0]["parts"][0]
    assert part["kind"] == "network"
    assert part["segments"][1] == {"label": "你好", "edges": [{"text": "你好", "weight": 1.0, "mark": "none"}]}


def test_no_text_steers_the_terminal_or_the_page():
    hostile = pg.explain("a \x1b[31mred\u202ecat", "a \x1b[31mred\u202edog", metric="ter")
    for shown in (hostile.to_text(), hostile.to_page(), hostile._repr_html_()):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "␛[31mred[U+202E]cat" in shown


def test_words_without_end_are_cut_off_in_sentences_and_tables():
    long = pg.explain("say " + "x" * 300, "say " + "y" * 300, metric="ter").to_text(details=True)
    verdict, texts = long.splitlines()[1], long.splitlines()[3:5]
    assert f"'{'x' * 39}…' becomes '{'y' * 39}…'" in verdict
    assert "y" * 300 in texts[0]  # the texts themselves are whole
    assert max(map(len, long.splitlines()[7:])) < 160
