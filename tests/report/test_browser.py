"""The page of a report in a real browser: sorting, reading points, keyboard, narrow screens, light and dark."""

import pytest
from support.axe import axe_violations
from support.study_data import judgments, scores, sentences

from paragauge.meta.study import make_study
from paragauge.report.html import write_html
from paragauge.report.model import study_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("report")
    study = make_study(scores(), judgments(), lower_is_better=["ter"], resamples=20)
    write_html(study_report(study, testset=sentences()), path)
    return path


@pytest.fixture(params=[1280, 390], ids=["desktop", "phone"])
def page(request, browser, folder):
    """The open page; it must ask for nothing but its own files, and complain of nothing."""
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    page = context.new_page()
    troubles, requests = [], []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda each: requests.append(each.url))
    page.goto(f"file://{folder}/index.html")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    yield page
    assert troubles == []
    assert all(url.startswith(f"file://{folder}/") for url in requests)
    context.close()


def test_the_page_fits_its_screen_and_hostile_text_stays_text(page):
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.title() == "How good are these metrics?"
    assert page.locator("main b, main img").count() == 0
    assert page.get_by_text("</script><script>").first.is_visible()


def test_tables_sort_by_click_and_by_keyboard(page):
    table = page.locator("table[aria-labelledby=systems-table-title]")
    header = table.locator("th").nth(3)
    assert header.inner_text() == "bleu"
    header.locator("button").click()
    values = [float(text) for text in table.locator("tbody tr td:nth-child(4)").all_inner_texts()]
    assert values == sorted(values)
    assert header.get_attribute("aria-sort") == "ascending"
    header.locator("button").press("Enter")
    values = [float(text) for text in table.locator("tbody tr td:nth-child(4)").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    table.locator("th").nth(0).locator("button").click()
    assert header.get_attribute("aria-sort") is None
    assert table.locator("tbody tr td:nth-child(1)").all_inner_texts() == ["<b>beta</b>", "alpha", "gamma & co"]


def test_pointing_at_a_point_shows_its_sentences(page):
    figure = page.locator("figure.scatter").filter(has_text="bleu and adequacy, line by line")
    point = figure.locator(".point").first
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    reading = figure.locator(".reading")
    assert "line" in reading.inner_text()
    assert "says" in reading.inner_text()
    assert "reference" in reading.inner_text()


def test_arrow_keys_walk_from_point_to_point(page):
    figure = page.locator("figure.scatter").filter(has_text="bleu and adequacy, systems")
    figure.locator("svg").focus()
    seen = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        seen.append(figure.locator(".reading strong").inner_text())
    assert seen == ["gamma & co", "<b>beta</b>", "alpha", "gamma & co"]
    page.keyboard.press("ArrowLeft")
    assert figure.locator(".reading strong").inner_text() == "alpha"
    assert figure.locator(".chosen").count() == 1


def test_figures_and_tables_have_names(page):
    assert page.locator("svg:not([aria-label])").count() == 0
    for table in page.locator("table").all():
        assert page.locator(f"#{table.get_attribute('aria-labelledby')}").count() == 1
    assert page.locator("html[lang=en] h1").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser, folder, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"file://{folder}/index.html")
    for place in ("body", ".soft", "nav a", ".heat td.p5"):
        if page.locator(place).count():
            assert _contrast(page, place) >= 4.5, (scheme, place)
    context.close()


def _contrast(page, place):
    """The contrast of an element's text with what lies behind it (WCAG), translucent colours laid over the page's."""
    colours = page.evaluate(
        """place => {
          const element = document.querySelector(place);
          const numbers = text => text.match(/[\\d.]+/g).map(Number);
          let back = numbers(getComputedStyle(document.body).backgroundColor).slice(0, 3);
          const own = numbers(getComputedStyle(element).backgroundColor);
          const share = own.length > 3 ? own[3] : 1;
          back = back.map((value, k) => own[k] * share + value * (1 - share));
          return [numbers(getComputedStyle(element).color).slice(0, 3), back];
        }""",
        place,
    )
    light, dark = sorted((_luminance(colour) for colour in colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.fixture(scope="module")
def systems_page(tmp_path_factory):
    from paragauge.evaluate.study import study
    from paragauge.report.html import report_html

    path = tmp_path_factory.mktemp("systems") / "page.html"
    made = study(testset=sentences(), metrics=["bleu", "chrf", "ter"], bootstrap=20)
    path.write_text(report_html(made.report()), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("unfolded", [False, True], ids=["folded", "unfolded"])
def test_the_page_about_systems_fits_and_can_be_read(browser, systems_page, width, scheme, unfolded):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.goto(f"file://{systems_page}")
    if unfolded:
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.locator("main b, main img").count() == 0
    for place in ("body", ".half", "mark", "summary h2"):
        if page.locator(place).count():
            assert _contrast(page, place) >= 4.5, place
    assert troubles == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_checker_of_accessibility_finds_nothing_in_reports(browser, folder, systems_page, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    for path in (folder / "index.html", systems_page):
        page.goto(f"file://{path}")
        assert axe_violations(page) == [], path.name
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert axe_violations(page) == [], path.name
    context.close()


def test_a_link_opens_its_section(browser, systems_page):
    page = browser.new_page()
    page.goto(f"file://{systems_page}")
    assert not page.locator("#distributions figure").first.is_visible()
    page.get_by_role("link", name="Distribution of the scores of lines").click()
    page.locator("#distributions figure").first.wait_for(state="visible", timeout=5000)
    page.close()


def test_a_printout_unfolds_everything_and_repeats_readable_heads(page):
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = false")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    style = "(element, name) => getComputedStyle(element)[name]"
    # A button would stay blank where the head of a table is repeated on the next page.
    assert page.locator("th button").first.evaluate("element => getComputedStyle(element).display") == "contents"
    assert page.locator("summary").first.evaluate(style, "breakAfter") == "avoid"
    assert page.locator("table.heat").first.evaluate(style, "breakInside") == "avoid"
    assert page.locator("figure").first.evaluate(style, "backgroundColor") == "rgb(246, 248, 250)"  # not that of dark
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


# Ordinary sentence pairs: other words, a negation, numbers, another order of clauses, a long sentence.
PAIRS = [
    ("He put off the vote until next week.", "He postponed the vote until next week."),
    ("The committee didn't approve the plan.", "The committee approved the plan."),
    (
        "Because it was raining heavily, Zoë's three friends stayed at home on Friday and watched an old film.",
        "On Friday, three of Zoë's friends stayed home and watched an old film because of the heavy rain.",
    ),
    # Text that attacks: markup, a word without end, an override of the direction, a sequence for terminals.
    (
        f'<script>alert(1)</script> said "yes" {"x" * 300} \u202eto all\x1b[31m',
        f"</style><b>{'x' * 299}y {{{{7*7}}}} مرحبا 你好",
    ),
]
# What leaves its page: parts of drawings, or anything wider than the screen that does not scroll in a box of its own.
OVERFLOWING = """() => {
  const right = document.documentElement.clientWidth + 1, found = [];
  if (document.documentElement.scrollWidth > right) found.push("the page");
  for (const each of document.querySelectorAll("svg")) {
    const box = each.getBoundingClientRect();
    if (box.width && (box.left < -1 || box.right > right) && !each.closest(".derivation")) found.push("a drawing");
    for (const piece of each.querySelectorAll("text, path, line, circle")) {
      const { left, right: end, top, bottom } = piece.getBoundingClientRect();
      const inside = left >= box.left - 2 && end <= box.right + 2 && top >= box.top - 2 && bottom <= box.bottom + 2;
      if (!inside) found.push(piece.textContent || piece.outerHTML);
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def explanations(tmp_path_factory):
    import paragauge as pg
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.registry import METRICS

    folder = tmp_path_factory.mktemp("explanations")
    metrics = {name for name, cls in METRICS.items() if issubclass(cls, SentenceMetric) and cls().available}
    metrics.remove("self-bleu-set")  # it compares several candidates with one another
    assert {
        "bleu",
        "chrf",
        "ter",
        "meteor",
        "maxsim",
        "paraeval",
        "pem",
        "pem+",
        "meaning",
        "roles",
        "blend",
    } <= metrics
    for number, (original, candidate) in enumerate(PAIRS):
        for metric in sorted(metrics):
            found = pg.explain(candidate, [original], original=original, metric=metric)
            (folder / f"{number}-{metric}.html").write_text(found.to_page(), encoding="utf-8")
            (folder / f"{number}-{metric}.cell").write_text(found._repr_html_(), encoding="utf-8")
    return folder


@pytest.mark.parametrize("width", [1280, 390])
def test_explanations_open_with_a_verdict_and_every_drawing_fits(browser, explanations, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    paths = sorted(explanations.glob("*.html"))
    assert len(paths) > 40
    for path in paths:
        page.goto(f"file://{path}")
        assert page.locator(".explanation > *").nth(1).get_attribute("class") == "verdict", path.name
        assert page.locator("details[open]").count() == 0
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate(OVERFLOWING) == [], path.name
        marks, shown = (
            set(page.locator(f"{place} mark").evaluate_all("all => all.map((e) => e.className)"))
            for place in (".pair", ".legend")
        )
        assert marks <= shown, path.name  # every colour is in the legend
        lines = page.locator(".legend mark").evaluate_all(
            "all => all.map((e) => getComputedStyle(e).borderBottomStyle)"
        )
        assert len(lines) == len(set(lines)), path.name  # also in grey, marks differ by their lines
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_checker_of_accessibility_finds_nothing_in_explanations(browser, explanations, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    for name in ("2-pem+", "2-pem", "2-ter", "2-roles", "3-maxsim", "0-blend"):
        page.goto(f"file://{explanations}/{name}.html")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert axe_violations(page) == [], name
    context.close()


PAPER = {"width": 718, "height": 1000}  # what margins leave of A4


def test_an_explanation_on_paper_is_whole_and_light(browser, explanations):
    context = browser.new_context(viewport=PAPER, color_scheme="dark")
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    for path in sorted(explanations.glob("*.html")):
        page.goto(f"file://{path}")
        assert page.locator("details[open]").count() == 0
        for part in page.locator("details .formula, details table, details svg").all():
            assert part.bounding_box()["height"] > 8, path.name  # what is folded is printed, too
        assert page.evaluate(OVERFLOWING) == [], path.name
        # Whatever scrolls on a screen would be cut off.
        cut = (
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).length"
        )
        assert page.locator(".scroll, .drawing, .network").evaluate_all(cut) == 0, path.name
        assert _style(page, "body", "backgroundColor") == "rgb(255, 255, 255)"
        if page.locator("mark.match").count():
            assert _style(page, "mark.match", "printColorAdjust") == "exact"
        assert _style(page, "summary", "listStyleType") == "none"  # no triangle: there is nothing to unfold
    context.close()


def _style(page, place, name):
    return page.locator(place).first.evaluate("(element, name) => getComputedStyle(element)[name]", name)


# A notebook has a theme and a style of its own, whatever the system prefers.
NOTEBOOK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>notebook</title>
<style>body {{ background: {back}; color: {text}; font: 14px sans-serif; }}
.output {{ color: {text}; width: 800px; }} .output td, .output th {{ text-align: right; padding: 8px; }}
.output dt {{ float: left; }} .output h2 {{ font-size: 30px; }}</style>
<main><h1>notebook</h1><div class="output">{cell}</div><table class="mine"><tr><td>mine</td></tr></table></main>"""


@pytest.mark.parametrize(
    ("back", "text", "scheme"), [("#fff", "#212121", "dark"), ("#111", "#fff", "light"), ("#111", "#fff", "dark")]
)
def test_a_notebook_cell_can_be_read_in_any_theme(browser, explanations, tmp_path, back, text, scheme):
    context = browser.new_context(viewport={"width": 900, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    for name in ("2-pem+", "2-meteor", "2-pem", "2-roles", "3-bleu"):
        cell = (explanations / f"{name}.cell").read_text(encoding="utf-8")
        path = tmp_path / f"{name}.html"
        path.write_text(NOTEBOOK.format(back=back, text=text, cell=cell), encoding="utf-8")
        page.goto(f"file://{path}")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate(OVERFLOWING) == [], name
        assert axe_violations(page) == [], name
        assert _style(page, ".explanation td:not(.number)", "textAlign") == "left"
        assert _style(page, ".explanation td.number", "textAlign") == "right"
        assert _style(page, ".explanation dt", "float") == "none"
        assert _style(page, ".mine td", "borderBottomWidth") == "0px"  # nothing outside of the cell is changed
    context.close()
