"""Fixtures shared by all tests, and where the development data lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("PARAGAUGE_DATA", ROOT.parent / "shared" / "data"))

# Deterministic examples: the same commit gives the same result, whoever runs it.
settings.register_profile("paragauge", derandomize=True, deadline=None)
settings.load_profile("paragauge")


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
