"""Fixtures shared by all tests, and where the development data lies."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))

# Deterministic examples: the same commit gives the same result, whoever runs it.
settings.register_profile("paragauge", derandomize=True, deadline=None)
settings.load_profile("paragauge")


def pytest_configure() -> None:
    """Let the programs that tests start be interrupted, even in a run under nohup or in the background of a shell."""
    for number, action in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, action)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out tests on real data, saying so, where there is none."""
    if DATA.is_dir():
        return
    absent = pytest.mark.skip(reason=f"development data not found in {DATA}; set PARAGAUGE_DATA")
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(absent)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The development data; tests that use it are marked ``data``."""
    return DATA


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the source tree."""
    return ROOT


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium, driven by Playwright; tests that use it are marked ``browser``."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        reason = "no browser: install Chromium and the extra 'test' (Playwright)"
        if os.environ.get("PARAGAUGE_REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, headless=True, args=flags)
        yield opened
        opened.close()
