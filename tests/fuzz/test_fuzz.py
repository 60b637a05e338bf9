"""A short run of the fuzzers; ``python tests/fuzz/run.py`` is the long one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kinds import KINDS
from run import BAD, fuzz

SHORT = 40  # each of ten files gets a flipped bit
LARGE = {"judges", "fluency-model", "english-model", "role-model"}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the limits of the worker need Linux")
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_refused(kind):
    ends, bad = fuzz(kind, 8 if kind in LARGE else SHORT, seed=7)
    assert bad == []
    assert not set(ends) & set(BAD)
    assert ends["refused"] > 0
