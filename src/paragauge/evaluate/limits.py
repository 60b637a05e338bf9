"""Lowest scores that a system must reach, for checks in continuous integration."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from paragauge.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from paragauge.evaluate.score import ScoreResult
    from paragauge.metrics.base import SentenceMetric


def parse_limits(texts: Iterable[str], metrics: Iterable[SentenceMetric]) -> dict[str, float]:
    """Return limits such as ``pem=3.0`` by the text of their metric.

    >>> from paragauge import parse_metric
    >>> parse_limits(["bleu=20"], [parse_metric("bleu(max_order=2)")])
    {'bleu(max_order=2)': 20.0}
    """
    named: dict[str, set[str]] = {}
    for metric in metrics:
        for name in {metric.name, str(metric)}:
            named.setdefault(name, set()).add(str(metric))
    limits = {}
    for text in texts:
        name, equals, number = (part.strip() for part in text.rpartition("="))
        if not equals:
            raise OptionError(f"{text!r} is not a limit; expected METRIC=NUMBER, such as pem=3.0")
        if name not in named:
            raise unknown_name("computed metric", name, named)
        if len(named[name]) > 1:
            raise OptionError(f"{name!r} could be {' or '.join(sorted(named[name]))}; name one of them")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise OptionError(f"{number!r} is not a number; expected METRIC=NUMBER, such as pem=3.0")
        limits[next(iter(named[name]))] = value
    return limits


def shortfalls(result: ScoreResult, limits: Mapping[str, float]) -> list[str]:
    """Return a sentence for each score that is worse than its limit: lower, or higher if lower is better."""
    found = []
    for each in result.scores:
        limit = limits.get(str(each.metric))
        if limit is None:
            continue
        higher = each.metric.better == "higher"
        value = each.score.value
        if not (value >= limit if higher else value <= limit):  # an undefined score reaches no limit
            found.append(f"{each.metric} of {each.system} is {value:.4f}, {'below' if higher else 'above'} {limit:g}")
    return found
