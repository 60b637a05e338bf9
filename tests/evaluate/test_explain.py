"""Explanations and pairs."""

from __future__ import annotations

import json

import pytest

import paragauge as pg
from paragauge.cli.main import main
from paragauge.errors import DataError
from paragauge.evaluate.pairwise import pairwise
from paragauge.metrics.registry import available_metrics

NAMES = [metric.name for metric in available_metrics() if metric.name != "self-bleu-set"]  # has no single sentences
TEXTS = ("He purchased a car.", "He bought a car.", "He purchased the car.")


def test_every_door_gives_the_same_explanations(capsysbinary):
    from paragauge.web import models, tasks
    from paragauge.web.protocol import Settings

    candidate, original, reference = TEXTS
    expected = pg.explain(candidate, reference, original=original, metric=NAMES)
    assert [each.score.metric for each in expected.explanations] == NAMES
    body = {"metrics": NAMES, "candidate": candidate, "original": original, "references": [reference], "html": True}
    asked = models.ExplainRequest.model_validate(body).model_dump(mode="json")
    found = tasks.explain(asked, Settings("."), lambda done, total, what: None)["explanations"]
    assert all(each.pop("html").startswith('<section class="explanation">') for each in found)
    assert found == expected.to_dict()
    metrics = [argument for name in NAMES for argument in ("-m", name)]
    command = ["explain", *metrics, "--original", original, "--ref", reference, candidate]
    assert main([*command, "--format", "json"]) == 0
    assert json.loads(capsysbinary.readouterr().out) == expected.to_dict()
    assert main([*command, "--html"]) == 0
    assert capsysbinary.readouterr().out.decode() == expected.to_page()
    assert main(command) == 0
    assert capsysbinary.readouterr().out.decode().rstrip("\n") == str(expected)


def test_a_notebook_shows_escaped_text_with_a_look_of_its_own():
    shown = pg.explain("the <b>cat</b>", "the cat & dog", metric="bleu")._repr_html_()
    assert "<b>" not in shown
    assert "&lt;" in shown
    assert shown.startswith('<div class="paragauge"><style>.paragauge {')
    assert ":root" not in shown
    assert "body {" not in shown


def test_rows_have_scores():
    result = pg.explain("a cat", original="the cat", metric=["pinc", pg.PEM()])
    assert [row["metric"] for row in result.to_arrow().to_pylist()] == ["pinc", "pem"]
    assert result.rows()[0]["score"] == pg.parse_metric("pinc").score("a cat", original="the cat").value


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a cat", "the cat"), {"metric": "pem"}, "the candidate comes first"),
        (("a cat",), {"metric": "pem"}, "pem needs originals"),
        (("a cat",), {"metric": "bleu", "original": "the cat"}, "bleu needs references"),
    ],
)
def test_missing_texts_are_named(arguments, options, message):
    with pytest.raises(DataError, match=message):
        pg.explain(*arguments, **options)


def test_pairs_are_those_of_the_metric():
    steps = []
    result = pairwise(
        ["a cat", "a dog"],
        ["a cat", "the dog", "x"],
        metrics=["bleu", "pinc"],
        progress=lambda *step: steps.append(step),
    )
    values = pg.Bleu().pairwise(["a cat", "a dog"], ["a cat", "the dog", "x"])
    assert [row["score"] for row in result.rows()[:6]] == values.ravel().tolist()
    assert [(row["candidate"], row["other"]) for row in result.rows()[:4]] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert result.table().notes == [str(each.signature) for each in result.scores]
    assert steps[-1] == (4, 4, "pinc")
