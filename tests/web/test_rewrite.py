"""Rewriting in the workbench: the API and the page, with the grammar that ships and with rules of a request."""

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from support.axe import axe_violations
from support.contrast import CONTRAST

RULES = "[X] ||| big ||| large ||| p(e|f)=0.1\n[X] ||| a [X,1] house ||| a house that is [X,1] ||| p(e|f)=0.2\n"
HOSTILE = "<img src=x onerror=\"document.title='broken'\"> big"


def ask(workbench, body, **headers):
    request = Request(  # noqa: S310, our own
        f"{workbench}/api/generate", json.dumps(body).encode(), {"content-type": "application/json", **headers}
    )
    try:
        with urlopen(request, timeout=120) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_rules_of_a_request_rewrite_and_show_their_derivation(workbench):
    body = {"sentences": ["A big house"], "kbest": 3, "grammar": {"name": "mine", "text": RULES}, "html": True}
    status, answer = ask(workbench, body)
    assert status == 200
    (sentence,) = answer["sentences"]
    texts = [one["text"] for one in sentence["candidates"]]
    assert sentence["original"] == "A big house"
    assert {"A house that is large", "A large house"} <= set(texts)
    best = sentence["candidates"][texts.index("A house that is large")]
    assert [(node["parent"], node["rule"]) for node in best["derivation"]["nodes"]] == [
        (None, "[X] ||| a [X,1] house ||| a house that is [X,1]"), (0, "[X] ||| big ||| large"),
    ]  # fmt: skip
    assert "<svg" in best["html"]
    assert "big -&gt; large" in best["html"]
    assert answer["signature"].startswith("generate|")
    assert 0 < answer["variety"] < 100


def test_the_metric_chooses_and_the_ratio_limits(workbench):
    body = {"sentences": ["the big house"], "kbest": 2, "optimise": "pem+", "max_ratio": 0.5}
    status, answer = ask(workbench, {**body, "grammar": {"text": RULES}})
    assert status == 200
    assert answer["sentences"][0]["short_enough"] is False
    assert answer["sentences"][0]["candidates"][0]["value"] > 0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"optimise": "bleu"}, "does not compare a candidate"),
        ({"optimise": "no-such-metric"}, "no-such-metric"),
        ({"optimise": "pem,pem+"}, "optimise names 2 metrics, expected one"),
        ({"optimise": "pem(model=/etc/passwd)"}, "requests may not"),
        ({"grammar": {"text": "not rules"}}, "file"),
        ({"grammar": "/etc/passwd"}, "grammar"),
        ({"lm": "/etc/passwd"}, "lm"),
        ({"kbest": 0}, "kbest"),
        ({"kbest": 101}, "kbest"),
        ({"margin": 1.0}, "--optimise"),
        ({"max_ratio": 0.0}, "max_ratio"),
        ({"sentences": []}, "sentences"),
    ],
)
def test_bad_requests_are_refused_and_name_no_files(workbench, changed, said):
    status, answer = ask(workbench, {"sentences": ["a big house"], **changed})
    assert status == 422
    assert said in answer["detail"]


def test_other_sites_are_refused(workbench):
    assert ask(workbench, {"sentences": ["a"]}, origin="http://evil.example")[0] == 403
    assert ask(workbench, {"sentences": ["a"]}, host="evil.example")[0] == 421


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_the_page_rewrites_and_draws(browser, workbench, width):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, base_url=workbench, bypass_csp=True, color_scheme="dark"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto("/")
    page.get_by_role("link", name="Rewrite").click()
    page.get_by_label("Sentences, one per line").fill(f"He bought the house\n{HOSTILE}")
    page.get_by_role("button", name="Rewrite", exact=True).click()
    page.get_by_role("heading", name="He bought the house").wait_for()
    first = page.locator("details.rewriting").first
    assert "He purchased the house" in first.locator("summary").inner_text()
    first.locator("summary").click()
    first.locator("svg").wait_for()
    assert "bought -> purchased" in first.locator("pre").inner_text()
    assert page.title() == "Rewrite · paragauge"
    assert axe_violations(page) == []
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_label("Choose by").select_option("pem+")
    page.get_by_role("button", name="Rewrite", exact=True).click()
    page.locator(".figures", has_text="pem+ ").first.wait_for()
    page.reload()  # the inputs stay, and the results come again
    page.locator(".figures", has_text="pem+ ").first.wait_for()
    assert page.get_by_label("Sentences, one per line").input_value() == f"He bought the house\n{HOSTILE}"
    assert page.get_by_label("Choose by").input_value() == "pem+"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    page.get_by_label("Sentences, one per line").fill("something else")
    file = {"name": "mine.json", "mimeType": "application/json", "buffer": Path(saved.value.path()).read_bytes()}
    page.locator("#files").set_input_files(file)
    page.wait_for_function(
        "text => document.getElementById('text').value === text", arg=f"He bought the house\n{HOSTILE}"
    )
    page.get_by_label("Candidates").fill("1000")
    page.get_by_role("button", name="Rewrite", exact=True).click()
    assert page.evaluate("document.querySelector('#kbest').validity.rangeOverflow")
    assert troubles == []
    context.close()
