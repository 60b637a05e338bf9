"""Drawings of links: what comes from the user is escaped, nothing is lost."""

import json

from paragauge.corpora import Segments
from paragauge.metrics import Meteor
from paragauge.report.explain import explanation_html, explanation_json, explanation_text

EXPLANATION = Meteor(tokenizer="none").explain(Segments.of(["<b> car &"], ["automobile <b>"]))


def test_page_draws_lines_and_escapes_words():
    page = explanation_html([EXPLANATION])
    assert page.count("<line ") == 2
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_text_and_json_have_every_link():
    text = explanation_text([EXPLANATION], details=True)
    assert "───synonym 0.80─── 0 automobile" in text
    links = json.loads(explanation_json([EXPLANATION]))[0]["details"][1]["parts"][0]["links"]
    assert [link["kind"] for link in links] == ["exact", "synonym"]
