"""The metrics: one file each, with the formula of its paper. `METRICS` maps names to classes."""

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
