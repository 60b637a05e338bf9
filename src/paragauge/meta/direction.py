"""Which metrics have their sign reversed when compared with people: the single rule for all commands and for Python.

Judgments and rankings say which candidates are better. For a metric such as TER, for which lower is better, the sign of
the scores is reversed, so that +1 always means full agreement with people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paragauge.errors import unknown_name
from paragauge.metrics.base import Metric
from paragauge.metrics.registry import lower_is_better


def lower_metrics(metrics: Iterable[str], also: Collection[str] = ()) -> frozenset[str]:
    """Return the *metrics* for which lower is better.

    Args:
        metrics: Names of metrics, with or without options; built-in metrics are recognised.
        also: Other metrics for which lower is better.

    Raises:
        OptionError: *also* names a metric that is not in *metrics*.

    >>> sorted(lower_metrics(["bleu", "ter(case_sensitive=True)", "errors"], also=["errors"]))
    ['errors', 'ter(case_sensitive=True)']
    """
    names = tuple(metrics)
    for name in also:
        if name not in names:
            raise unknown_name("metric with scores", name, names)
    return frozenset(name for name in names if name in also or lower_is_better(name))


def sign_of(metric: Metric) -> float:
    """Return the factor for the scores of *metric* that makes higher better."""
    return -1.0 if metric.better == "lower" else 1.0
