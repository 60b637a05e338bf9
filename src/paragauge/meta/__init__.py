"""Reliability of scores and agreement of metrics with people: intervals, tests, correlations.

Names are imported on first use, since requests import choices from this folder and must stay light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paragauge.meta.significance import (
        Comparison,
        bootstrap_interval,
        compare_paired,
        paired_bootstrap,
        paired_permutation,
    )

__all__ = ["Comparison", "bootstrap_interval", "compare_paired", "paired_bootstrap", "paired_permutation"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("paragauge.meta.significance"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
