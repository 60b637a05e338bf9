"""Which metrics are turned before they meet people's rankings: the one rule for all commands and for Python.

A ranking says which of two candidates or systems is better. For a metric such as TER, where lower is better, the sign
of its scores is turned, so that +1 always means full agreement with the ranking. Judgments are numbers, and a
correlation with them is that of the numbers as they are: negative where lower is better and the metric is right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paragauge.errors import unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import lower_is_better


def lower_metrics(metrics: Iterable[str], also: Collection[str] = ()) -> frozenset[str]:
    """Return those of *metrics* for which lower is better.

    Args:
        metrics: Names, with or without options; paragauge knows its own metrics.
        also: Metrics that it does not know.

    Raises:
        OptionError: *also* names a metric without scores.

    >>> sorted(lower_metrics(["bleu", "ter(case_sensitive=True)", "errors"], also=["errors"]))
    ['errors', 'ter(case_sensitive=True)']
    """
    names = tuple(metrics)
    for name in also:
        if name not in names:
            raise unknown_name("metric with scores", name, names)
    return frozenset(name for name in names if name in also or lower_is_better(name))


def sign_of(metric: Metric) -> float:
    """Return what to multiply the scores of *metric* with, so that higher is better."""
    return -1.0 if metric.better == "lower" else 1.0
