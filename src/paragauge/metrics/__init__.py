"""Scores: the formulas of the papers, one metric a file. `METRICS` has them by name."""

from paragauge.metrics.base import Interval, Measurement, Metric, ResourceMetric, Score, SentenceMetric
from paragauge.metrics.registry import METRICS, parse_metric
from paragauge.metrics.signature import Signature

__all__ = [
    "METRICS",
    "Interval",
    "Measurement",
    "Metric",
    "ResourceMetric",
    "Score",
    "SentenceMetric",
    "Signature",
    "parse_metric",
]
