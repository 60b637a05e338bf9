"""A running workbench for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.servers import serving

TINY_GRAMMAR = "[X] ||| bought ||| purchased\n[X] ||| the [X,1] ||| the [X,1]\n[X] ||| house ||| house\n"


@pytest.fixture(scope="session")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running workbench with a small grammar, without the slash at its end."""
    folder = tmp_path_factory.mktemp("workbench")
    (folder / "tiny.grammar").write_text(TINY_GRAMMAR, encoding="utf-8")
    (folder / "work").mkdir()
    with serving("--grammar", "tiny.grammar", "--work", "work", "--time-limit", "120", folder=folder) as (address, _):
        yield address.rstrip("/")
