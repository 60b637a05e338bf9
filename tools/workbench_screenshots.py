"""Make the screenshots of docs/workbench.md: start a workbench and use it in Chromium.

    python tools/workbench_screenshots.py [FOLDER]

Needs the extra ``test``, Chromium, and Pillow to reduce file sizes.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.servers import serving  # noqa: E402

from paragauge.corpora.demo import demo_testset  # noqa: E402

WIDTH, HEIGHT = 1280, 860
OPINIONS = {"paraphrase": "45445454", "copy": "33434333", "drift": "12121211"}  # of an invented judge


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    folder.mkdir(exist_ok=True)
    with serving() as (address, _), sync_playwright() as playwright, tempfile.TemporaryDirectory() as temporary:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        size = {"width": WIDTH, "height": HEIGHT}
        page = browser.new_context(viewport=size, color_scheme="light", base_url=address).new_page()
        score(page, folder)
        explain(page, folder)
        compare(page, folder, Path(temporary))
        api(page, folder)
        dark = browser.new_context(
            viewport={"width": 390, "height": 844}, color_scheme="dark", base_url=address
        ).new_page()
        phone(dark, folder)
        browser.close()


def save(page: Page, path: Path, clip: dict[str, float] | None = None) -> None:
    """Save the visible page, or a part of it, in few colours."""
    shot = page.screenshot() if clip is None else page.screenshot(full_page=True, clip=clip)
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path, path.stat().st_size)


def score(page: Page, folder: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Try the example").click()
    page.locator("#form-candidates .box").nth(2).wait_for()
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    save(page, folder / "workbench-score.png", {"x": 0, "y": 0, "width": WIDTH, "height": 1500})


def explain(page: Page, folder: Path) -> None:
    page.locator("#sheet [data-place='0']").click()
    page.get_by_role("tab", name="pem+").click()
    page.locator("#why h2", has_text="pem+").wait_for()
    page.evaluate("document.querySelector('.filters').scrollIntoView()")
    save(page, folder / "workbench-explain.png")
    page.keyboard.press("Escape")
    page.locator("#against").select_option("paraphrase")
    page.evaluate("document.querySelector('.filters').scrollIntoView()")
    save(page, folder / "workbench-worse.png")


def compare(page: Page, folder: Path, temporary: Path) -> None:
    rows = [
        f"{system}\t{segment}\tann\tadequacy\t{grade}\n"
        for system, grades in OPINIONS.items()
        for segment, grade in zip(demo_testset().ids, grades, strict=True)
    ]
    judgments = temporary / "judgments.tsv"
    judgments.write_text("system\tsegment\tjudge\tcriterion\tscore\n" + "".join(rows), encoding="utf-8")
    page.goto("/compare")
    page.get_by_role("button", name="Try the example").click()
    page.locator("[data-files=systems] .chosen-file").nth(2).wait_for()
    page.get_by_label("Judgments", exact=True).set_input_files(judgments)
    page.locator("[data-files=judgments] .chosen-file").wait_for()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    save(page, folder / "workbench-compare.png", {"x": 0, "y": 0, "width": WIDTH, "height": 1500})
    page.evaluate("document.querySelectorAll('#results details').forEach((each) => { each.open = true; })")
    figure = page.locator("figure.scatter").filter(has_text="pem+ and adequacy, line by line")
    figure.locator(".point").first.hover(force=True)
    plots = page.evaluate("document.getElementById('plots').getBoundingClientRect()")
    begin = plots["y"] + page.evaluate("scrollY")
    save(page, folder / "workbench-plots.png", {"x": 0, "y": begin, "width": WIDTH, "height": plots["height"]})


def api(page: Page, folder: Path) -> None:
    page.goto("/api")
    page.locator("#explain").get_by_role("button", name="Send").click()
    page.locator("#explain .result:not(.hidden)").wait_for()
    page.evaluate("document.getElementById('explain').scrollIntoView()")
    save(page, folder / "workbench-api.png")


def phone(page: Page, folder: Path) -> None:
    page.goto("/")
    page.get_by_label("Originals, one per line").fill("He bought the house because he liked the garden.")
    system = page.get_by_label("Texts of the system, one per line")
    system.fill("He purchased the house because the garden pleased him.")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#results:not(.waiting-for)").wait_for()
    page.locator("#sheet [data-place='0']").click()
    page.locator("#why .verdict").wait_for()
    save(page, folder / "workbench-phone.png")


if __name__ == "__main__":
    main()
