"""How far a number can be trusted: intervals, significance of differences."""

from paragauge.meta.significance import (
    Comparison,
    bootstrap_interval,
    compare_paired,
    paired_bootstrap,
    paired_permutation,
)

__all__ = ["Comparison", "bootstrap_interval", "compare_paired", "paired_bootstrap", "paired_permutation"]
