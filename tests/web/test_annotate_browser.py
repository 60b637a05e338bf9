"""Annotating in a real browser, on a real server that may be killed at any time."""

import os
import re
import signal
import subprocess
import sys
import time
from urllib.request import urlopen

import pytest
from support.axe import axe_violations
from support.contrast import CONTRAST

from paragauge.annotation.changes import Change
from paragauge.annotation.store import AnnotationStore
from paragauge.corpora.pairs import read_paraphrase_pairs

pytestmark = pytest.mark.browser

SOURCE = "some want to impeach him and others expect him to step down ."
TARGET = "some people propose to impeach him , while others want him to resign ."
PATIENCE = 120_000  # milliseconds: machines that test are busy
PAIRS = [(SOURCE, TARGET), ("he bought a car", "he purchased an automobile"), ("yes", "indeed it is so")]


class Server:
    """``paragauge annotate`` as people run it."""

    def __init__(self, folder, *annotators, pairs="pairs.tsv", port=0, links="--no-links"):
        self.store = folder / f"{pairs}.annotations.sqlite"
        command = [sys.executable, "-m", "paragauge", "annotate", str(folder / pairs), "--no-open", "--port", str(port)]
        self.process = subprocess.Popen(
            [*command, links, *(part for name in annotators for part in ("--annotator", name))],
            stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        line = self.process.stderr.readline()
        while "http://" not in line:
            assert line, "the server ended"
            line = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])
        self.address = f"http://127.0.0.1:{self.port}"
        for _ in range(100):
            try:
                urlopen(f"{self.address}/static/icon.svg", timeout=5).close()  # noqa: S310, our own
                return
            except OSError:
                time.sleep(0.05)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._end()

    def _end(self):
        self.process.wait(20)
        self.process.stderr.close()

    def links(self, annotator="ann", number=1):
        """What the file holds, read by another program than the server."""
        with AnnotationStore.open(self.store) as store:
            return store.state(annotator, number).gold().to_pharaoh(short=True)


def write_pairs(folder, pairs=PAIRS, name="pairs.tsv"):
    (folder / name).write_text("".join(f"{one}\t{other}\n" for one, other in pairs), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    write_pairs(tmp_path)
    return tmp_path


@pytest.fixture
def start(folder):
    """Start servers; all of them end with the test."""
    started = []

    def run(*annotators, **options):
        started.append(Server(folder, *(annotators or ("ann",)), **options))
        return started[-1]

    yield run
    for server in started:
        server.stop()


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def visit(context, address, *, quiet=True):
    """Open a page; if *quiet*, it must complain of nothing and ask nobody else."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.troubles = []
    if quiet:
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("request", lambda each: each.url.startswith(address[:17]) or page.troubles.append(each.url))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.goto(address)
    page.wait_for_selector("#grid .word-side, #grid[aria-rowcount='1']", state="attached")
    return page


def saved(page):
    page.wait_for_selector("#saving[data-waiting='0']")
    return page.locator("#saving").inner_text()


def shows(page, place, text, *, whole=True):
    """Wait until the page says so. (Pages allow no evaluated code, so Playwright must look from outside.)"""
    from playwright.sync_api import expect

    found = expect(page.locator(place))
    (found.to_have_text if whole else found.to_contain_text)(text, timeout=PATIENCE)


def spot(page, i, j):
    """Where a cell is on the screen, scrolled to if need be."""
    return page.evaluate(
        """([i, j]) => {
          const grid = document.getElementById("grid");
          const size = name => parseFloat(getComputedStyle(grid).getPropertyValue(name));
          const [cell, side, head] = ["--cell", "--side", "--head"].map(size);
          if ((j + 1) * cell + side > grid.clientWidth + grid.scrollLeft) grid.scrollLeft = (j + 1) * cell;
          if (j * cell < grid.scrollLeft) grid.scrollLeft = j * cell;
          if ((i + 1) * cell + head > grid.clientHeight + grid.scrollTop) grid.scrollTop = (i + 1) * cell;
          if (i * cell < grid.scrollTop) grid.scrollTop = i * cell;
          grid.scrollIntoView({block: "center"});
          const box = grid.getBoundingClientRect();
          const x = side + (j + .5) * cell - grid.scrollLeft, y = head + (i + .5) * cell - grid.scrollTop;
          return [box.left + 1 + x, box.top + 1 + y];
        }""",
        [i, j],
    )


def click(page, i, j, *, shift=False):
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(*spot(page, i, j))
    if shift:
        page.keyboard.up("Shift")


def drag(page, one, other, *, shift=False):
    start, end = spot(page, *one), spot(page, *other)
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()
    if shift:
        page.keyboard.up("Shift")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def drawn(page):
    """The links that the page shows, by the places and classes of its cells."""
    return page.evaluate(
        """() => {
          const cells = [...document.querySelectorAll("#grid .line :is(.sure, .possible)")];
          return cells.map(cell => {
            const mark = cell.classList.contains("sure") ? "-" : "p";
            return `${cell.parentElement.ariaRowIndex - 2}${mark}${cell.ariaColIndex - 2}`;
          }).join(" ");
        }"""
    )


@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_links_are_made_with_the_mouse(start, browser, width):
    server = start()
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = visit(context, f"{server.address}/annotate/ann")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    click(page, 0, 0)
    click(page, 1, 2, shift=True)
    click(page, 2, 3)
    click(page, 2, 3)  # and away
    click(page, 7, 9, shift=True)
    click(page, 7, 9)  # sure after all
    saved(page)
    assert server.links() == drawn(page) == "0-0 1p2 7-9"
    drag(page, (3, 4), (4, 6))
    saved(page)
    assert server.links() == "0-0 1p2 3-4 3-5 3-6 4-4 4-5 4-6 7-9"
    drag(page, (4, 6), (3, 5))  # begins at a sure link: the block goes
    drag(page, (5, 6), (5, 7), shift=True)
    saved(page)
    assert server.links() == "0-0 1p2 3-4 4-4 5p6 5p7 7-9"
    assert page.troubles == []
    context.close()


def test_everything_is_done_with_keys(start, context):
    server = start()
    page = visit(context, f"{server.address}/")
    assert page.locator("#number").inner_text() == "1"
    press(page, "Space", "ArrowDown", "ArrowRight", "ArrowRight", "Shift+Space")
    saved(page)
    assert server.links() == "0-0 1p2"
    press(page, "Space", "ArrowRight", "Space", "Space")  # possible becomes sure; made and removed
    press(page, "Home", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown", "Space")
    saved(page)
    assert server.links() == "0-0 1-2 2-0 2-1 3-0 3-1"
    press(page, "u")
    press(page, "Control+z")
    saved(page)
    assert server.links() == "0-0 1-2 1-3"
    press(page, "r", "Control+y", "Control+Shift+z")
    saved(page)
    assert server.links() == drawn(page) == "0-0 1-2 2-0 2-1 3-0 3-1"
    press(page, "Shift+ArrowUp", "Delete", "ArrowRight", "x")
    saved(page)
    assert server.links() == "0-0 1-2 2-0 3-0"
    press(page, "Control+End", "Space", "Shift+ArrowLeft", "Escape", "Shift+Space")
    saved(page)
    assert server.links() == "0-0 1-2 2-0 3-0 12p12 12-13"
    press(page, "n", "Space")
    assert page.locator("#number").inner_text() == "2"
    press(page, "p")
    shows(page, "#number", "1")
    assert drawn(page) == "0-0 1-2 2-0 3-0 12p12 12-13"
    press(page, "Enter")
    shows(page, "#number", "2")
    press(page, "f", "n")
    shows(page, "#number", "3")
    press(page, "o")  # the next that is not finished: none but this one
    saved(page)
    assert page.locator("#announce").inner_text() == "All other pairs are finished."
    assert page.locator("#progress").inner_text().startswith("2 of 3 finished")
    assert server.links(number=2) == "0-0"
    assert page.troubles == []


def test_work_goes_on_after_a_reload_and_steps_can_still_be_undone(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann")
    press(page, "n")
    shows(page, "#number", "2")
    click(page, 1, 1)
    drag(page, (2, 2), (3, 3))
    saved(page)
    page.reload()
    page.wait_for_selector("#grid .sure")
    assert page.locator("#number").inner_text() == "2"
    assert drawn(page) == "1-1 2-2 2-3 3-2 3-3"
    press(page, "u")
    saved(page)
    assert server.links(number=2) == "1-1"
    page.reload()
    page.wait_for_selector("#grid .sure")
    assert page.locator("#redo").is_enabled()
    page.locator("#redo").click()
    page.locator("#undo").click()
    page.locator("#undo").click()
    saved(page)
    assert server.links(number=2) == drawn(page) == ""


def test_nothing_is_lost_when_the_server_is_killed(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann", quiet=False)
    click(page, 0, 0)
    saved(page)
    top = page.locator("#grid").bounding_box()["y"]
    server.kill()
    click(page, 1, 1)
    click(page, 2, 2, shift=True)
    press(page, "u", "r")
    shows(page, "#saving", "Not saved: 4 changes are waiting", whole=False)
    assert "the server does not respond" in page.locator("#saving").inner_text()
    assert page.locator("#grid").bounding_box()["y"] == top  # nothing jumps
    page.locator("#retry").click()
    shows(page, "#saving", "Not saved: 4 changes are waiting", whole=False)
    again = start(port=server.port)
    assert saved(page) == "All changes are saved."
    assert again.links() == drawn(page) == "0-0 1-1 2p2"
    assert page.troubles == []


def test_nothing_is_lost_when_the_server_is_killed_again_and_again_during_edits(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann", quiet=False)
    press(page, "Control+Home")
    for row in range(6):
        for column in range(8):
            if column == 4:
                server.process.send_signal(signal.SIGKILL)  # while changes are on their way
            press(page, "Shift+Space" if (row + column) % 3 == 0 else "Space", "ArrowRight")
        server.kill()
        server = start(port=server.port)
        press(page, "Home", "ArrowDown")
    saved(page)
    expected = " ".join(f"{i}{'p' if (i + j) % 3 == 0 else '-'}{j}" for i in range(6) for j in range(8))
    assert server.links() == drawn(page) == expected
    with AnnotationStore.open(server.store) as store:
        assert store.state("ann", 1).version == 48  # each once


def test_a_page_closed_without_a_server_sends_its_changes_when_it_is_opened_again(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann?pair=2", quiet=False)
    server.kill()
    click(page, 1, 1)
    click(page, 2, 2, shift=True)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.close(run_before_unload=True)
    page.wait_for_event("close") if not page.is_closed() else None
    assert asked == ["beforeunload"]  # the browser asks before it closes a page with changes that wait
    again = start(port=server.port)
    assert again.links(number=2) == ""
    page = visit(context, f"{again.address}/annotate/ann?pair=1")
    saved(page)
    assert again.links(number=2) == "1-1 2p2"
    assert page.evaluate("localStorage.length") == 0


def test_changes_wait_while_another_project_has_the_port(start, context, folder):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann", quiet=False)
    server.kill()
    write_pairs(folder, [("other", "pairs")], "other.tsv")
    other = start(pairs="other.tsv", port=server.port)
    click(page, 0, 0)
    shows(page, "#saving", "has other pairs", whole=False)
    other.stop()
    again = start(port=server.port)
    saved(page)
    assert again.links() == "0-0"
    assert other.links() == ""


def test_two_annotators_on_two_servers_do_not_overwrite_each_other(start, context, browser):
    servers = {name: start(name) for name in ("ann", "bob")}
    pages = {"ann": visit(context, f"{servers['ann'].address}/annotate/ann")}
    elsewhere = browser.new_context()
    pages["bob"] = visit(elsewhere, f"{servers['bob'].address}/annotate/bob")
    for place in range(5):
        click(pages["ann"], place, place)
        click(pages["bob"], place, 4 - place, shift=True)
    for page in pages.values():
        press(page, "Enter")
        saved(page)
    assert servers["ann"].links("ann") == "0-0 1-1 2-2 3-3 4-4"
    assert servers["ann"].links("bob") == "0p4 1p3 2p2 3p1 4p0"
    page = context.new_page()
    page.goto(f"{servers['ann'].address}/annotate")
    table = page.locator("table[aria-labelledby=agreement-title] tbody td").all_inner_texts()
    with AnnotationStore.open(servers["ann"].store) as store:
        (found,) = store.agreement()
    values = [f"{value:.4f}" for value in (found.c_hat, found.c_hat_phrases, found.c_hat_sure)]
    assert table == ["bob", *values, "1", "13"]
    elsewhere.close()


def test_two_annotators_on_one_server(start, context):
    server = start("ann", "Zoë B.")
    pages = [visit(context, f"{server.address}/annotate/{name}") for name in ("ann", "Zo%C3%AB%20B.")]
    click(pages[0], 0, 0)
    click(pages[1], 1, 1)
    for page in pages:
        saved(page)
    assert (server.links("ann"), server.links("Zoë B.")) == ("0-0", "1-1")


def test_two_windows_of_one_annotator_keep_both_changes(start, context):
    server = start()
    one, other = (visit(context, f"{server.address}/annotate/ann", quiet=False) for _ in range(2))
    click(one, 0, 0)
    click(one, 2, 2)
    saved(one)
    click(other, 1, 1)
    assert "also changed in another window" in saved(other)
    shows(other, "#announce", "want, people: sure link")
    other.wait_for_selector(".cell.sure[aria-label^='to,']")
    assert server.links() == drawn(other) == "0-0 1-1 2-2"
    one.bring_to_front()
    press(one, "u")  # would undo what this window has not seen
    shows(one, "#saving", "have changed since", whole=False)
    one.wait_for_selector(".cell.sure[aria-label^='want,']")
    assert server.links() == drawn(one) == "0-0 1-1 2-2"
    press(one, "u")
    saved(one)
    assert server.links() == "0-0 2-2"


def test_automatic_links_are_there_to_correct(folder, start, context):
    (folder / "auto.align").write_text("0-0 1p2 4-5\n\n\n")
    with AnnotationStore.create(folder / "pairs.tsv.annotations.sqlite", read_paraphrase_pairs(folder / "pairs.tsv")):
        pass
    server = start()
    page = visit(context, f"{server.address}/annotate/ann")
    assert drawn(page) == ""
    server.stop()
    server.store.unlink()
    server = start(links=f"--links={folder / 'auto.align'}")
    page = visit(context, f"{server.address}/annotate/ann")
    assert drawn(page) == "0-0 1p2 4-5"
    click(page, 0, 0)
    page.locator("#restart").click()
    assert drawn(page) == "0-0 1p2 4-5"
    page.locator("#clear").click()
    saved(page)
    assert server.links() == drawn(page) == ""
    press(page, "u")
    saved(page)
    assert server.links() == "0-0 1p2 4-5"


HOSTILE = [
    "<script>document.title='hacked'</script> <img/src=x/onerror=alert(1)> &lt;b&gt; \"quotes' ${x}",
    "مرحبا بالعالم \u202eabc שלום 👩‍🚀👨‍👩‍👧 ﷽ 漢字 Z̸̡͐a",
    " ".join(f"word{number}" for number in range(5000)),
    "x" * 20_000,
]


@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
def test_hostile_texts_are_shown_as_text(folder, start, browser, width):
    pairs = [(HOSTILE[0], HOSTILE[1]), (HOSTILE[1], HOSTILE[0]), (HOSTILE[2], HOSTILE[2]), (HOSTILE[3], "y"), ("", "y")]
    write_pairs(folder, pairs)
    server = start()
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = visit(context, f"{server.address}/annotate/ann")
    for number, (source, target) in enumerate(pairs, start=1):
        if number > 1:
            press(page, "n")
            shows(page, "#number", str(number))
        assert page.locator("#source").evaluate("each => each.textContent") == " ".join(source.split())
        assert page.locator("#target").evaluate("each => each.textContent") == " ".join(target.split())
        assert page.locator("main script, main img, main b").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        if source:
            click(page, 0, 0)
            saved(page)
            assert server.links(number=number) == "0-0"
    assert "nothing to link" in page.locator("#reading").inner_text()
    assert page.title() == "Pair 5 of 5 · paragauge"
    assert page.troubles == []
    context.close()


def test_five_thousand_words_are_as_easy_as_ten(folder, start, context):
    write_pairs(folder, [(HOSTILE[2], HOSTILE[2])])
    server = start()
    page = visit(context, f"{server.address}/annotate/ann")
    assert page.locator("#grid *").count() < 1000
    press(page, "Control+End", "Space", "ArrowLeft", "ArrowUp", "Shift+Space")
    click(page, 2500, 2499)
    saved(page)
    assert server.links() == "2500-2499 4998p4998 4999-4999"
    assert page.locator("#source-word").inner_text() == "word2500"
    press(page, "Control+Home", "Control+Shift+End", "Space")
    assert page.locator("#saving").inner_text() == "A block can have up to 20000 cells; nothing was changed."
    press(page, "Escape", "Control+Home", *["Shift+PageDown"] * 3, *["Shift+ArrowRight"] * 60, "Space")
    saved(page)
    assert server.links().startswith("0-0 0-1 ")
    assert page.locator("#grid *").count() < 6000
    assert page.troubles == []


def test_words_stay_in_sight_while_long_sentences_scroll(folder, start, browser):
    words = [f"word-{number}" for number in range(100)]
    write_pairs(folder, [(" ".join(words), " ".join(words))])
    server = start()
    for width in (1280, 390):
        context = browser.new_context(viewport={"width": width, "height": 900})
        page = visit(context, f"{server.address}/annotate/ann")
        x, y = spot(page, 70, 60)
        page.mouse.move(x, y)
        shows(page, "#source-word", "word-70")
        box = page.locator("#grid").bounding_box()
        side = page.locator(".word-side.here").bounding_box()
        head = page.locator(".word-head.here").bounding_box()
        assert page.locator(".word-head.here").inner_text() == "word-60"
        assert abs(side["x"] - box["x"]) <= 1  # at the edge, beside the cell
        assert abs(side["y"] + side["height"] / 2 - y) <= 2
        assert abs(head["y"] - box["y"]) <= 1
        assert abs(head["x"] + head["width"] / 2 - x) <= 2
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        context.close()


def test_fingers_tap_scroll_and_drag(start, browser):
    server = start()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = visit(context, f"{server.address}/annotate/ann")
    page.touchscreen.tap(*spot(page, 1, 1))
    page.locator("input[name=mode][value=p]").check()
    page.touchscreen.tap(*spot(page, 2, 3))
    saved(page)
    assert server.links() == drawn(page) == "1-1 2p3"
    _swipe(context, page, (3, 3), (5, 4))  # scrolls
    saved(page)
    assert server.links() == "1-1 2p3"
    page.locator("#blocks").check()
    page.locator("input[name=mode][value='-']").check()
    _swipe(context, page, (3, 2), (4, 3))
    saved(page)
    assert server.links() == "1-1 2p3 3-2 3-3 4-2 4-3"
    context.close()


def _swipe(context, page, one, other):
    start, end = spot(page, *one), spot(page, *other)
    session = context.new_cdp_session(page)
    steps = [
        (start[0] + (end[0] - start[0]) * part / 8, start[1] + (end[1] - start[1]) * part / 8) for part in range(9)
    ]
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": steps[0][0], "y": steps[0][1]}]}
    )
    for x, y in steps[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)


def test_the_grid_has_names_and_roles_and_says_what_happens(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann")
    grid = page.get_by_role("grid", name="Links between the words")
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("14", "15")
    assert grid.locator("[tabindex='0']").count() == 1
    press(page, "ArrowDown", "ArrowRight", "Space")
    focused = page.locator("#grid :focus")
    assert focused.get_attribute("role") == "gridcell"
    assert focused.get_attribute("aria-label") == "want, people: sure link"
    assert focused.get_attribute("aria-colindex") == "3"
    assert page.locator("#grid .line:has(:focus)").get_attribute("aria-rowindex") == "3"
    assert grid.locator("[tabindex='0']").count() == 1
    assert page.locator("#announce").inner_text() == "want, people: sure link"
    assert focused.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    press(page, "Tab")
    assert page.locator("#go-number").evaluate("each => each === document.activeElement")
    press(page, "Shift+Tab")
    assert page.locator("#grid :focus").count() == 1
    for button in page.locator("button:visible, input:visible").all():
        assert button.evaluate("each => Boolean(each.textContent.trim() || each.labels?.length)")
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(start, browser, scheme):
    server = start()
    context = browser.new_context(color_scheme=scheme)
    page = visit(context, f"{server.address}/annotate/ann", quiet=False)
    click(page, 1, 1)
    page.locator("#help summary").click()
    assert page.evaluate(CONTRAST) == []
    page.goto(f"{server.address}/annotate")
    assert page.evaluate(CONTRAST) == []
    page.goto(f"{server.address}/annotate/ann")
    page.wait_for_selector("#grid .word-side")
    server.kill()
    click(page, 2, 2)
    shows(page, "#saving", "Not saved", whole=False)
    assert page.evaluate(CONTRAST) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_checker_of_accessibility_finds_nothing(start, browser, width, scheme):
    server = start()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = visit(context, f"{server.address}/annotate/ann")
    click(page, 1, 1)
    assert axe_violations(page) == []
    page.locator("#help summary").click()
    assert axe_violations(page) == []
    page.goto(f"{server.address}/annotate")
    assert axe_violations(page) == []
    context.close()


def test_words_without_a_link_are_marked(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann?pair=2")
    assert page.locator(".bare").count() == 8
    click(page, 1, 1)
    assert page.locator(".bare").count() == 6


def test_time_is_counted_while_somebody_works(start, context):
    server = start()
    page = context.new_page()
    page.clock.install()
    page.goto(f"{server.address}/annotate/ann")
    page.wait_for_selector("#grid .word-side")
    page.clock.run_for(20_000)
    press(page, "ArrowDown")
    page.clock.run_for(30_000)
    assert page.locator("#clock").inner_text() in ("0:49", "0:50")
    press(page, "ArrowDown")
    page.clock.run_for(3_600_000)  # a long pause counts as one minute
    press(page, "Space", "Enter")
    shows(page, "#number", "2")
    saved(page)
    with AnnotationStore.open(server.store) as store:
        progress = store.progress("ann")
    assert progress.done == 1
    assert progress.seconds_per_pair == pytest.approx(110, abs=3)


def test_another_program_may_read_while_people_work(start, context):
    server = start()
    page = visit(context, f"{server.address}/annotate/ann")
    with AnnotationStore.open(server.store) as store:
        store.record("bob", 1, Change("set", "token-of-bob", "0-1"))
        click(page, 0, 0)
        saved(page)
        assert store.state("ann", 1).links == {(0, 0): "-"}
