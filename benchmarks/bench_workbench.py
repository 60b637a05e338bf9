"""How soon the workbench shows 5,000 sentences after they are scored, and how smoothly their list scrolls.

    python benchmarks/bench_workbench.py [--sentences N]

Starts a workbench, scores two systems in Chromium and measures there:

- from the moment that the whole response is in the page to the first frame that shows sentences;
- the processor time of script, style and layout per frame (CDP, Performance.getMetrics) while the list is scrolled,
  eight screens a second, and the time between frames.

At 60 frames a second a frame may take 16.7 ms. Times between frames depend on what else the machine does; the work per
frame does so less. Needs the extra ``test`` and Chromium.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.servers import serving  # noqa: E402

from paragauge.corpora.demo import demo_testset  # noqa: E402

FRAMES = 400
STEP = 120  # pixels per frame: 7,200 a second at 60 frames, about eight screens

WATCH = """() => {
  const parse = JSON.parse;
  JSON.parse = (text) => { window.arrived = performance.now(); return parse(text); };
  const frame = (now) => {
    if (document.querySelector("#sheet .line")) requestAnimationFrame(() => { window.shown = performance.now(); });
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
SCROLL = """([frames, step]) => new Promise((done) => {
  const list = document.getElementById("list"), times = [];
  let most = 0, last = performance.now();
  list.scrollTop = 0;
  const scroll = (now) => {
    times.push(now - last);
    last = now;
    list.scrollTop += step;
    most = Math.max(most, document.querySelectorAll("#sheet .line").length);
    if (times.length < frames) requestAnimationFrame(scroll); else done([times.slice(1), most]);
  };
  requestAnimationFrame(scroll);
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the list of sentences in Chromium.")
    parser.add_argument("--sentences", type=int, default=5000)
    count = parser.parse_args().sentences
    with serving() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        for name, width, height in (("desktop", 1280, 860), ("phone", 390, 844)):
            page = browser.new_context(viewport={"width": width, "height": height}, base_url=address).new_page()
            page.set_default_timeout(300_000)
            measure(page, name, count)
            page.context.close()
        browser.close()


def measure(page: Page, name: str, count: int) -> None:
    testset = demo_testset()
    texts = [text for _ in range(count) for text in testset.references["1"]][:count]
    systems = {
        name: [f"{text} {number}" for number, text in enumerate([t for _ in range(count) for t in lines][:count])]
        for name, lines in list(testset.candidates.items())[:2]
    }
    page.goto("/")
    page.locator("#add-candidate").click()
    put(page, "#form-references textarea", 0, texts)
    for place, lines in enumerate(systems.values()):
        put(page, "#form-candidates textarea", place, lines)
    page.evaluate(WATCH)
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#sheet .line").first.wait_for()
    page.locator("#stop:disabled").wait_for()
    page.wait_for_timeout(200)
    first = page.evaluate("window.shown - window.arrived")
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time, not the time of a clock
    before = _metrics(client)
    times, most = page.evaluate(SCROLL, [FRAMES, STEP])
    after = _metrics(client)
    ordered = sorted(times)
    late = 100 * sum(time > 50 for time in times) / len(times)
    slow = ordered[int(0.95 * len(ordered))]
    script, style, layout = (
        1000 * (after[key] - before[key]) / len(times)
        for key in ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
    )
    print(f"{name}: {count:,} sentences of {len(systems)} systems, at most {most} lines in the document")
    print(f"  first sentences {first:.0f} ms after the response")
    print(f"  processor time per frame: script {script:.1f} ms, style {style:.1f} ms, layout {layout:.1f} ms")
    print(f"  between frames {statistics.median(times):.1f} ms (95%: {slow:.1f} ms), {late:.1f}% above 50 ms")


def put(page: Page, selector: str, place: int, lines: list[str]) -> None:
    """Put text into a box as a dropped file does; typing thousands of lines takes the browser minutes."""
    action = "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator(selector).nth(place).evaluate(action, "\n".join(lines))


def _metrics(client: Any) -> dict[str, float]:
    return {each["name"]: each["value"] for each in client.send("Performance.getMetrics")["metrics"]}


if __name__ == "__main__":
    main()
