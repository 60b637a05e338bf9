"""The workbench in a real browser, used as a person would: mouse, keyboard, files, narrow screens, hostile texts."""

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.axe import axe_violations
from support.contrast import CONTRAST

from paragauge.corpora.demo import demo_testset

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # a busy machine is no failure

HOSTILE = [
    "<script>document.title='broken'</script> was here",
    "<img src=x onerror=\"document.title='broken'\"> & <b>bold</b>",
    "שלום עולם, this is עברית",
    "\u202eoverridden\u202c 👩‍👩‍👧‍👦 🏳️‍🌈 emoji",
    "word " * 5000,
]
JUDGED = "system\tsegment\tjudge\tcriterion\tscore\n" + "".join(
    f"{system}\t{segment}\t{judge}\tadequacy\t{quality + int(segment) % 2}\n"
    for system, quality in (("paraphrase", 4), ("copy", 3), ("drift", 1))
    for segment in demo_testset().ids
    for judge in ("ann", "bob")
)


# The highest number of lines in the document, and how many frames showed scores of systems but no sentence.
WATCH_LINES = """() => {
  window.most = 0;
  window.frames_without_lines = 0;
  new MutationObserver(() => {
    window.most = Math.max(window.most, document.querySelectorAll("#sheet .line").length);
  }).observe(document.getElementById("sheet"), { childList: true });
  const frame = () => {
    const systems = document.querySelector(".scores tbody tr"), sentences = document.querySelector("#sheet .line");
    if (systems && !sentences) window.frames_without_lines += 1;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
# Movements that nobody caused by a click or a key in the half second before.
WATCH_JUMPS = """() => {
  window.jumps = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.jumps.push([value, sources.map(({ node }) => node?.id || node?.className || "?")]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""


@pytest.fixture(params=[1280, 390], ids=["desktop", "phone"])
def page(request, browser, workbench):
    """A page that must ask nobody else for anything, complain of nothing, and never be wider than its screen."""
    context = browser.new_context(viewport={"width": request.param, "height": 900}, base_url=workbench)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(60_000)
    troubles, requests = [], []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda each: requests.append(each.url))
    yield page
    refused = "Failed to load resource: the server responded with a status of 422"  # what some tests are about
    assert [trouble for trouble in troubles if not trouble.startswith(refused)] == []
    assert all(url.startswith((workbench, "blob:")) for url in requests)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    context.close()


def _type(page, originals=None, references=None, candidates=None):
    if originals:
        page.get_by_label("Originals, one per line").fill("\n".join(originals))
    if references:
        page.get_by_label("Texts of the reference, one per line").fill("\n".join(references))
    if candidates:
        page.get_by_label("Texts of the system, one per line").fill("\n".join(candidates))


def _choose(page, *names):
    """Choose these metrics and no others."""
    page.evaluate("document.getElementById('form-metrics').open = true")
    page.evaluate("document.querySelectorAll('input[name=metric]:checked').forEach((box) => box.click())")
    for name in names:
        page.get_by_role("checkbox", name=name, exact=True).check()


def _score(page):
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    page.locator("#stop:disabled").wait_for()


def _values(page, metric):
    """Return the scores of the visible sentences by a metric."""
    place = page.locator("#list-head span").all_inner_texts().index(metric) if metric else 0
    lines = page.locator("#sheet .line")
    order = lines.evaluate_all("all => all.map((e) => Number(e.dataset.place))")
    values = lines.locator(f".value-of-row:nth-child({place + 1})").evaluate_all(
        "all => all.map((e) => parseFloat(e.firstChild.textContent))"
    )
    return [value for _, value in sorted(zip(order, values, strict=True))]


def _drop(page, place, name, text):
    data = page.evaluate_handle(
        "([name, text]) => { const d = new DataTransfer(); d.items.add(new File([text], name)); return d; }",
        [name, text],
    )
    for event in ("dragover", "drop"):
        page.dispatch_event(place, event, {"dataTransfer": data})


def test_the_first_page_is_small(workbench):
    import httpx

    with httpx.Client(base_url=workbench, timeout=60) as client:
        first = client.get("/").text
        paths = {"/", "/static/web.js", *re.findall(r'(?:href|src)="(/static/[^"]+)"', first)}
        assert len(paths) > 4
        assert sum(len(client.get(path).content) for path in paths) < 200_000


def test_a_person_pastes_two_texts_scores_and_asks_why(page):
    page.goto("/")
    _type(
        page,
        originals=["He bought the house because he liked the garden."],
        candidates=["He purchased the house because the garden pleased him."],
    )
    assert page.locator("#chosen").inner_text() == "pem+, pinc"  # sensible for what is there
    _type(page, references=["He bought the house because he liked the garden."])
    assert page.locator("#chosen").inner_text() == "bleu, chrf, pem+"
    _choose(page, "pem", "pem+", "meteor", "maxsim", "paraeval")
    _score(page)
    assert page.evaluate("document.activeElement.id") == "results-title"
    grid = page.get_by_role("region", name="Scores of systems")
    shown = grid.locator("td[data-metric='pem+'] .number").inner_text()
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^good +►{re.escape(shown)}$", readme, re.MULTILINE)
    assert grid.locator("td.cell svg").count() == 5
    page.locator("summary", has_text="All numbers and signatures").click()
    region = page.get_by_role("region", name="Scores by pem", exact=True)
    assert region.get_by_role("columnheader").all_inner_texts() == [
        "system", "score", "low", "high", "adequacy", "fluency", "dissimilarity",
    ]  # fmt: skip
    assert page.locator("code.signature").first.inner_text().startswith("maxsim|nrefs:1|")
    line = page.locator("#sheet [role=option]").first
    assert line.locator(".before i").all_inner_texts()[0] == "bought"  # differences are marked
    line.click()
    why = page.get_by_role("complementary", name="Why: system 1, line 1")
    for metric, inside in (("maxsim", "svg.links"), ("pem", ".network svg"), ("pem+", ".pair mark")):
        why.get_by_role("tab", name=re.compile(rf"^{re.escape(metric)} \d")).click()
        section = why.locator(".explanation", has=page.locator("h2", has_text=re.compile(rf"^{re.escape(metric)}\s")))
        section.locator(".verdict").wait_for()
        page.evaluate("document.querySelectorAll('#why details').forEach((each) => { each.open = true; })")
        section.locator(inside).first.wait_for()
        assert page.evaluate(
            """() => [...document.querySelectorAll("#why svg")].every((e) =>
                 e.getBoundingClientRect().right <= document.getElementById("why").getBoundingClientRect().right + 1)"""
        )
    assert "in other words" in why.locator(".verdict").inner_text()
    why.get_by_role("tab", name="derivation").click()
    page.get_by_role("heading", name="Derivation by the grammar").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#why").is_visible()
    assert page.evaluate("document.activeElement.id") == "list"


def test_a_derivation_is_a_pair_of_trees(page):
    page.goto("/")
    _type(page, originals=["Ann bought the house"], candidates=["Ann purchased the house"])
    _choose(page, "pinc")
    _score(page)
    page.locator("#sheet [role=option]").first.click()
    page.get_by_role("tab", name="derivation").click()
    drawing = page.get_by_role("region", name="derivation")
    drawing.locator("svg").wait_for()
    assert drawing.locator("text.label").count() >= 6  # each node in both trees
    assert drawing.locator("path.joint").count() >= 1


def test_the_example_by_keyboard_alone(page):
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.get_by_role("button", name="Try the example").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#form-candidates .box")).to_have_count(3)
    page.locator("#form-metrics > summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name="ter", exact=True).focus()
    page.keyboard.press("Space")
    page.get_by_label("With options").focus()
    page.keyboard.type("bleu(max_order=2)")
    page.keyboard.press("Control+Enter")
    page.locator("#results:not(.waiting-for)").wait_for()
    page.locator("#stop:disabled").wait_for()
    page.locator("#sort").focus()
    page.locator("#sort").select_option("worst ter")
    values = _values(page, "ter")
    assert values == sorted(values, reverse=True)  # lower is better
    page.locator("#sort").select_option("worst bleu(max_order=2)")
    values = _values(page, "bleu(max_order=2)")
    assert values == sorted(values)
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.locator("#sheet [aria-selected=true]").get_attribute("data-place") == "1"
    page.keyboard.press("Enter")
    page.locator("#why .verdict").wait_for()
    first = page.locator("#why-title").inner_text()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#why-title")).not_to_have_text(first)
    page.locator("#tabs [aria-selected=true]").focus()
    before = page.locator("#tabs [aria-selected=true]").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "tab"
    assert page.locator("#tabs [aria-selected=true]").inner_text() != before
    page.keyboard.press("Escape")
    expect(page.locator("#why")).to_be_hidden()
    page.locator("#find").fill("nobody ANSWERED")
    expect(page.locator("#count")).to_have_text("3 of 24")
    page.locator("#find").fill("")
    page.locator("#system").select_option("copy")
    expect(page.locator("#count")).to_have_text("8 of 24")


def test_what_got_worse_comes_first_when_systems_are_compared(page):
    page.goto("/")
    page.get_by_role("button", name="Try the example").click()
    expect(page.locator("#form-candidates .box")).to_have_count(3)
    _choose(page, "bleu", "ter")
    _score(page)
    page.locator("#against").select_option("copy")
    expect(page.locator("#count")).to_have_text("16 of 24")
    assert (
        page.locator("#sheet .line").evaluate_all(
            """all => all.filter((line) => {
             const box = (name) => line.querySelector(name).getBoundingClientRect();
             const texts = box(".after"), value = box(".value-of-row");
             return texts.bottom > value.top + 1 && texts.right > value.left + 1; }).length"""
        )
        == 0
    )  # numbers do not cover texts
    changes = page.locator("#sheet .line").evaluate_all(
        """all => all.sort((a, b) => a.dataset.place - b.dataset.place).map((e) => {
             const text = e.querySelector(".value-of-row small").textContent;
             return (text.includes("▼") ? -1 : 1) * parseFloat(text.replace(/[▲▼ ]/g, "")); })"""
    )
    assert changes == sorted(changes)
    assert changes[0] < 0
    page.locator("#sort").select_option("gained ter")
    assert page.locator("#sheet [data-place='0'] small").nth(1).inner_text().startswith("▲")


def test_the_page_is_kept_over_a_reload_and_shared_as_a_file(page, browser, workbench):
    page.goto("/")
    _type(page, originals=["a cat sat", "a dog"], candidates=["the cat sat", "<b>one</b> dog"])
    _choose(page, "pinc")
    _score(page)
    page.locator("#sort").select_option("best pinc")
    page.locator("#sheet [data-place='0']").click()
    page.locator("#why .verdict").wait_for()
    title = page.locator("#why-title").inner_text()
    with page.expect_download() as saved:
        page.locator("#save").dispatch_event("click")  # on a phone the panel covers it
    page.reload()
    page.locator("#why .verdict").wait_for()
    assert page.locator("#why-title").inner_text() == title
    assert page.locator("#chosen").inner_text() == "pinc"
    context = browser.new_context(base_url=workbench)
    other = context.new_page()
    other.goto("/")
    other.locator("#files").set_input_files(
        {"name": "shared.json", "mimeType": "application/json", "buffer": Path(saved.value.path()).read_bytes()}
    )
    other.locator("#why .verdict").wait_for(timeout=60_000)
    assert other.locator("#why-title").inner_text() == title
    assert other.locator("#originals").input_value() == "a cat sat\na dog"
    context.close()


def test_of_five_thousand_sentences_only_the_visible_lines_exist(page):
    page.goto("/")
    lines = [f"sentence {number} of many that a system has written" for number in range(5000)]
    _drop(page, "#form-originals", "originals.txt", "\n".join(lines))
    _drop(page, "body", "long.txt", "\n".join(f"{line} {len(line) % 7}" for line in lines))
    expect(page.locator("#form-candidates .name").first).to_have_value("long")
    _choose(page, "pinc", "edit-dissimilarity")
    page.evaluate("document.getElementById('bootstrap').value = 0")
    page.evaluate(WATCH_LINES)
    _score(page)
    assert page.locator("#count").inner_text() == "5,000 of 5,000"
    assert 0 < page.evaluate("window.most") < 60  # lines at any moment so far
    # The first lines are drawn in the same step as the scores: no frame shows the one without the other.
    assert page.evaluate("window.frames_without_lines") == 0
    page.evaluate(
        """() => new Promise((done) => {
             const list = document.getElementById("list"), step = list.scrollHeight / 200;
             const scroll = () => {
               list.scrollTop += step;
               const rest = list.scrollHeight - list.clientHeight - list.scrollTop;
               if (rest > 1) requestAnimationFrame(scroll); else done();
             };
             scroll(); })"""
    )
    expect(page.locator("#sheet .line").last.locator(".who b")).to_have_text("5000")  # drawn in the next frame
    assert page.evaluate("window.most") < 80
    page.locator("#list").focus()
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(page.locator("#sheet [aria-selected=true] .who b")).to_have_text("5000")
    page.locator("#find").fill("sentence 4321 ")
    expect(page.locator("#count")).to_have_text("1 of 5,000")
    page.reload()
    expect(page.locator("#count")).to_have_text("1 of 5,000")


def test_hostile_texts_stay_texts(page):
    page.goto("/")
    _type(page, originals=HOSTILE, references=HOSTILE[::-1], candidates=HOSTILE)
    page.get_by_label("Name of the system").fill("<i>evil</i>")
    _choose(page, "bleu", "pinc")
    _score(page)
    assert page.locator("main script, main img, main .after b").count() == 0
    assert page.locator("#sheet .after").first.inner_text().startswith("<script>")
    assert page.locator("#sheet .line").nth(4).bounding_box()["height"] < 200
    for number in range(len(HOSTILE)):
        page.locator(f"#sheet [data-place='{number}']").click()
        for tab in ("bleu", "pinc"):
            page.get_by_role("tab", name=re.compile(rf"^{tab} ")).click()
            page.locator("#why h2", has_text=re.compile(rf"^{tab}\s")).wait_for()
            assert page.locator("#why script, #why img, #why b").count() == 0
            assert page.evaluate("(d => d.scrollWidth <= d.clientWidth)(document.querySelector('#why'))")
        page.get_by_role("button", name="Close", exact=True).click()
    direction = "getComputedStyle(document.querySelector(\"#sheet [data-place='2'] .after\")).direction"
    assert page.evaluate(direction) == "rtl"
    assert page.title() == "Score and explain · paragauge"


def test_files_are_dropped_and_opened(page, tmp_path):
    page.goto("/")
    _drop(page, "#form-originals", "originals.txt", "a cat sat\r\na dog\r\n")
    expect(page.locator("#originals")).to_have_value("a cat sat\na dog\n")
    _drop(page, "body", "moses.txt", "the cat sat\nthe dog\n")
    expect(page.locator("#form-candidates .name").first).to_have_value("moses")
    packed = tmp_path / "other.txt.gz"
    packed.write_bytes(gzip.compress(b"cats sat\nsome dog\n"))
    page.locator("#files").set_input_files(packed)
    expect(page.locator("#form-candidates .name").nth(1)).to_have_value("other")
    _choose(page, "pinc")
    _score(page)
    assert page.locator(".scores tbody th").all_inner_texts() == ["moses", "other"]
    lines = [{"id": "x", "original": "o", "references": ["r"], "candidates": {"s1": "c", "s2": "d"}}]
    _drop(page, "#form-originals", "set.jsonl", "\n".join(map(json.dumps, lines)))
    expect(page.locator("#originals")).to_have_value("o")
    names = page.locator("#form-candidates .name")
    assert [name.input_value() for name in names.all()] == ["s1", "s2"]
    latin = tmp_path / "latin.txt"
    latin.write_bytes("é\n".encode("latin-1"))
    page.locator("#files").set_input_files(latin)
    page.get_by_role("alert").filter(has_text="latin.txt: not UTF-8 text").wait_for()
    _drop(page, "body", "broken.jsonl", "{no json}")
    page.get_by_role("alert").filter(has_text="broken.jsonl:1:").wait_for()


def test_mistakes_are_explained(page):
    page.goto("/")
    alert = page.get_by_role("alert")
    page.get_by_role("button", name="Score", exact=True).click()
    alert.filter(has_text="there are no candidates").wait_for()
    _type(page, candidates=["a", "b"])
    _choose(page)
    page.get_by_role("button", name="Score", exact=True).click()
    alert.filter(has_text="no metric is chosen").wait_for()
    _choose(page, "pem")
    assert "lacking" in page.locator("label", has=page.locator("input[value=pem]")).get_attribute("class")
    page.get_by_role("button", name="Score", exact=True).click()
    alert.filter(has_text="pem needs originals").wait_for()
    _type(page, originals=["a"])
    page.get_by_role("button", name="Score", exact=True).click()
    alert.filter(has_text="the originals have 1 line, but system 1 has 2").wait_for()
    _type(page, originals=["a", "b"])
    _score(page)
    assert page.locator("#problem").text_content() == ""


def test_results_are_copied_as_json_and_as_a_link(page, browser, workbench):
    page.goto("/")
    _type(page, originals=["Zoë said: «hi» 你好"], candidates=["«hi», said Zoë 你好"])
    _choose(page, "pinc")
    page.locator("summary", has_text="Settings").click()
    page.get_by_label("Resamples").fill("10")
    _score(page)
    page.locator("#copy-json").click()
    page.locator("#copied", has_text="copied").wait_for()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert copied["systems"][0]["signature"].startswith("pinc|")
    page.locator("#sheet [role=option]").first.click()
    page.locator("#why .verdict").wait_for()
    page.locator("#why-json").click()
    page.locator("#why-copied", has_text="copied").wait_for()
    assert json.loads(page.evaluate("navigator.clipboard.readText()"))[0]["verdict"]
    page.locator("#why-link").click()
    page.locator("#why-copied", has_text="link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{workbench}/#")
    other = browser.new_page()
    other.goto(link)
    other.locator("#why .verdict").wait_for(timeout=60_000)
    assert other.locator("#originals").input_value() == "Zoë said: «hi» 你好"
    assert other.locator("#bootstrap").input_value() == "10"
    other.close()
    page.goto("about:blank")
    page.goto(f"{workbench}/#nonsense")
    page.get_by_role("alert").filter(has_text="the link is damaged").wait_for()


def test_work_can_be_stopped(page):
    page.goto("/")
    words = [f"word{number}" for number in range(300)]
    originals = [" ".join(words[first:] + words[:first]) for first in range(200)]
    _type(page, originals=originals, candidates=[text[::-1] for text in originals])  # ten seconds of work for pem+
    _choose(page, "pem+")
    page.get_by_role("button", name="Score", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    page.locator("#status", has_text="stopped").wait_for()
    _choose(page, "pinc")
    _score(page)


def _compare(page):
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    page.locator("#stop:disabled").wait_for()


def test_a_person_meta_evaluates(page, tmp_path):
    from paragauge.corpora import write_testset

    write_testset(demo_testset(), tmp_path / "set.tsv")
    (tmp_path / "judged.tsv").write_text(JUDGED)
    page.goto("/compare")
    page.get_by_label("Or a test set", exact=True).set_input_files(tmp_path / "set.tsv")
    expect(page.locator("#chosen")).to_have_text("bleu, chrf, pem+")  # sensible for what the file has
    page.get_by_label("Judgments", exact=True).set_input_files(tmp_path / "judged.tsv")
    _choose(page, "bleu", "ter")
    page.locator("summary", has_text="Settings").click()
    page.get_by_label("Title").fill("A <b>report</b>")
    page.get_by_label("Resamples").fill("50")
    _compare(page)
    assert page.locator("#results-title").inner_text() == "A <b>report</b>"
    assert page.locator("#summary-text").inner_text().startswith("By bleu, ")
    page.locator("summary", has_text="All numbers and signatures").click()
    differences = page.get_by_role("region", name="Differences between systems")
    assert differences.locator("tbody tr").count() == 4
    for heading in ("Rankings of systems", "Agreement with people", "Plots", "Disagreements"):
        assert page.get_by_role("heading", name=heading, exact=True).count() == 1
    assert page.get_by_role("heading", name="What got better and worse").count() == 0  # the list of sentences says it
    page.evaluate("document.querySelectorAll('#results details').forEach((each) => { each.open = true; })")
    figure = page.locator("figure.scatter").filter(has_text="bleu and adequacy, line by line")
    point = figure.locator(".point").first
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    assert "reference" in figure.locator(".reading").inner_text()
    figure.locator("svg").focus()
    page.keyboard.press("ArrowRight")
    assert figure.locator(".chosen").count() == 1
    table = page.locator("table[aria-labelledby=systems-table-title]")
    table.locator("th button").nth(2).click()
    values = [float(text) for text in table.locator("tbody tr td:nth-child(3)").all_inner_texts()]
    assert values == sorted(values)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").click()
    data = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert {"report", "comparisons", "systems", "segments"} <= set(data)


def test_plain_files_are_compared(page, tmp_path):
    for name, text in {"a.txt": "a cat\na dog\n", "b.txt": "the cat\nthe dog\n", "ref.txt": "a cat\none dog\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "short.txt").write_text("a cat\n")
    page.goto("/compare")
    page.get_by_label("Candidates", exact=True).set_input_files([tmp_path / "a.txt", tmp_path / "b.txt"])
    page.get_by_label("References", exact=True).set_input_files(tmp_path / "short.txt")
    expect(page.locator("[data-files=references] .chosen-file")).to_have_text("short.txt 1 line")
    _choose(page, "chrf")
    page.locator("summary", has_text="Settings").click()
    page.get_by_label("Resamples").fill("20")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("alert").filter(has_text="short.txt has 1 line, but a.txt has 2").wait_for()
    page.get_by_role("button", name="Remove References").click()
    page.get_by_label("References", exact=True).set_input_files(tmp_path / "ref.txt")
    expect(page.locator("[data-files=references] .chosen-file")).to_have_text("ref.txt 2 lines")
    _compare(page)
    assert page.locator(".scores tbody th").all_inner_texts() == ["a\nbaseline", "b"]
    assert page.locator(".scores .change").inner_text().startswith("▼ ")
    # What got worse comes first, beside the baseline's text.
    assert page.locator("#against").input_value() == "a"
    first = page.locator("#sheet [data-place='0']")
    assert first.locator(".before").inner_text() == "a cat"
    assert first.locator(".after").inner_text() == "the cat"
    assert first.locator("small.worse").count() == 1
    first.click()
    page.locator("#why .verdict").wait_for()
    assert page.locator("#why-title").inner_text() == "Why: b, line 1"


def test_a_comparison_by_keyboard_alone_is_kept_and_shared(page, browser, workbench, tmp_path):
    page.goto("/compare")
    page.get_by_role("button", name="Try the example").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-files=systems] .chosen-file")).to_have_count(3)
    _choose(page, "bleu", "ter")
    page.locator("#title").evaluate("(input) => { input.value = 'Mine'; }")
    page.keyboard.press("Control+Enter")
    page.locator("#results:not(.waiting-for)").wait_for()
    page.locator("#stop:disabled").wait_for()
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#why .verdict").wait_for()
    title = page.locator("#why-title").inner_text()
    with page.expect_download() as saved:
        page.locator("#save").dispatch_event("click")  # on a phone the panel covers it
    page.reload()
    page.locator("#why .verdict").wait_for()
    assert page.locator("#why-title").inner_text() == title
    assert page.locator("#results-title").inner_text() == "Mine"
    page.keyboard.press("Escape")
    expect(page.locator("#why")).to_be_hidden()
    shared = {"name": "x.json", "mimeType": "application/json", "buffer": Path(saved.value.path()).read_bytes()}
    context = browser.new_context(base_url=workbench)
    other = context.new_page()
    other.set_default_timeout(60_000)
    other.goto("/compare")
    other.locator("#files").set_input_files(shared)
    other.locator("#why .verdict").wait_for()
    assert other.locator("#why-title").inner_text() == title
    assert other.locator("#chosen").inner_text() == "bleu, ter"
    other.goto("/")  # the other page says what it cannot use
    other.locator("#files").set_input_files(shared)
    other.get_by_role("alert").filter(has_text="saved by another page").wait_for()
    context.close()


def test_hostile_names_and_texts_are_compared(page, tmp_path):
    for name in ("<b>evil.txt", "it's.txt"):
        (tmp_path / name).write_text("\n".join(HOSTILE[:4]) + "\n")
    page.goto("/compare")
    page.get_by_label("Candidates", exact=True).set_input_files([tmp_path / "<b>evil.txt", tmp_path / "it's.txt"])
    page.get_by_label("Originals", exact=True).set_input_files(tmp_path / "it's.txt")
    expect(page.locator("[data-files=originals] .chosen-file")).to_have_count(1)
    _choose(page, "pinc")
    _compare(page)
    assert page.locator("#systems-part script, #systems-part img, .scores b, #report script, #report img").count() == 0
    assert page.locator(".scores tbody th").first.inner_text().startswith("<b>evil")
    page.locator("#sheet [data-place='0']").click()
    page.locator("#why .verdict").wait_for()
    assert page.title() == "Compare and meta-evaluate · paragauge"


def test_scores_of_others_are_reported_too(page, tmp_path):
    (tmp_path / "s.tsv").write_text(
        "metric\tsystem\tsegment\tscore\n"
        + "".join(f"mine\t{s}\t{k}\t{k + len(s)}\n" for s in ("a", "bbb") for k in range(5))
    )
    page.goto("/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("alert").filter(has_text="there is nothing to compare").wait_for()
    page.get_by_label("Score files", exact=True).set_input_files(tmp_path / "s.tsv")
    expect(page.locator("[data-files=scores] .chosen-file")).to_have_count(1)
    _compare(page)
    assert page.get_by_text("mine (metric, mean of lines)").is_visible()
    assert not page.locator("#systems-part").is_visible()


def test_the_api_page_works_offline(page):
    page.goto("/api")
    for path in ("/api/score", "/api/explain", "/api/compare", "/api/correlate", "/api/report", "/api/metrics"):
        assert page.get_by_role("heading", name=path).count() == 1
    for form in page.locator("form.try").all():
        form.get_by_role("button", name="Send").click()
        form.locator("[role=status]", has_text="200 OK").wait_for()
    page.locator("#score .curl").click()
    page.locator("#score [role=status]", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("curl -H 'content-type: application/json' -d '{")
    page.locator("#score textarea").fill("{")
    page.locator("#score").get_by_role("button", name="Send").click()
    page.locator("#score [role=status]", has_text="422").wait_for()
    assert '"detail"' in page.locator("#score .result").inner_text()
    with page.expect_download() as saved:
        page.locator("#save").click()
    page.reload()
    assert page.locator("#score textarea").input_value() == "{"
    page.locator("#clear").click()
    assert page.locator("#score textarea").input_value() != "{"
    page.locator("#files").set_input_files(
        {"name": "a.json", "mimeType": "application/json", "buffer": Path(saved.value.path()).read_bytes()}
    )
    expect(page.locator("#score textarea")).to_have_value("{")
    page.locator("#files").set_input_files({"name": "b.json", "mimeType": "application/json", "buffer": b"{}"})
    page.get_by_role("alert").filter(has_text="b.json: holds no requests").wait_for()


@pytest.mark.parametrize("path", ["/", "/compare", "/api"])
def test_everything_has_a_name_and_can_be_reached(page, path):
    page.goto(path)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("input, textarea, select, button, a")].filter((e) =>
             !e.closest("template") && !(e.labels?.length || e.textContent.trim() || e.getAttribute("aria-label"))
           ).map((e) => e.outerHTML)"""
    )
    assert nameless == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    assert page.locator("h1").count() == 1
    assert page.locator("html[lang=en]").count() == 1
    assert page.locator("nav a[aria-current=page]").get_attribute("href") == path
    page.locator("nav a[aria-current=page]").focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_in_any_state(browser, workbench, scheme, width, tmp_path):
    (tmp_path / "judged.tsv").write_text(JUDGED)
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=scheme, base_url=workbench, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    unfold = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
    for path, button, verb in (("/", "#form-candidates .box", "Score"), ("/compare", ".chosen-file", "Compare")):
        page.goto(path)
        assert axe_violations(page) == [], f"{path}, empty"
        assert page.evaluate(CONTRAST) == []
        page.get_by_role("button", name=verb, exact=True).click()
        page.locator("#problem.error").wait_for()
        assert axe_violations(page) == [], f"{path}, with an error"
        page.get_by_role("button", name="Try the example").click()
        page.locator(button).nth(2).wait_for()
        if path == "/compare":
            page.get_by_label("Judgments", exact=True).set_input_files(tmp_path / "judged.tsv")
            expect(page.locator("[data-files=judgments] .chosen-file")).to_have_count(1)
        _choose(page, "pem", "ter")
        page.get_by_role("button", name=verb, exact=True).click()
        page.locator("#results:not(.waiting-for)").wait_for()
        page.evaluate(unfold)
        assert axe_violations(page) == [], f"{path}, with results"
        assert page.evaluate(CONTRAST) == []
        page.locator("#sheet [role=option]").first.click()
        for tab in ("pem", "ter"):
            page.get_by_role("tab", name=re.compile(rf"^{tab} ")).click()
            page.locator("#why h2", has_text=re.compile(rf"^{tab}\s")).wait_for()
            page.evaluate(unfold)
            assert axe_violations(page) == [], f"{path}, why, {tab}"
    page.goto("/rewrite")
    assert axe_violations(page) == [], "/rewrite, empty"
    page.get_by_label("Sentences, one per line").fill("he bought the house")
    page.get_by_role("button", name="Rewrite", exact=True).click()
    page.locator("details.rewriting").first.wait_for()
    page.evaluate(unfold)
    page.locator("details.rewriting svg").first.wait_for()
    assert axe_violations(page) == [], "/rewrite, with results"
    page.goto("/api")
    page.locator("#score").get_by_role("button", name="Send").click()
    page.locator("#score .result:not(.hidden)").wait_for()
    assert axe_violations(page) == []
    assert page.evaluate(CONTRAST) == []
    context.close()


@pytest.mark.parametrize(("path", "verb"), [("/", "Score"), ("/compare", "Compare")])
def test_nothing_moves_when_results_arrive(page, path, verb):
    page.goto(path)
    page.get_by_role("button", name="Try the example").click()
    page.locator("#form-candidates .box, .chosen-file").nth(2).wait_for()
    page.evaluate(WATCH_JUMPS)
    page.evaluate("""() => { const own = window.fetch;  // so late that the click does not excuse any movement
      window.fetch = (...all) => new Promise((done) => setTimeout(done, 600)).then(() => own(...all)); }""")
    page.get_by_role("button", name=verb, exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    page.wait_for_timeout(200)
    page.locator("#sheet [role=option]").first.click()
    page.locator("#why .verdict").wait_for()
    page.wait_for_timeout(200)
    assert page.evaluate("window.jumps") == []
