"""What a checker of accessibility says of a page in a browser."""

from __future__ import annotations

import os
from typing import Any

import pytest


def axe_violations(page: Any) -> list[tuple[str, list[str]]]:
    """Return what axe finds, apart from minor things; the page's context must allow it to run (``bypass_csp``)."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        if os.environ.get("PARAGAUGE_REQUIRE_BROWSER"):
            pytest.fail("axe is missing: install the extra 'test'")
        pytest.skip("axe is missing: install the extra 'test'")
    return [
        (each["id"], [node["html"][:150] for node in each["nodes"]][:3])
        for each in Axe().run(page).response["violations"]
        if each["impact"] != "minor"
    ]
