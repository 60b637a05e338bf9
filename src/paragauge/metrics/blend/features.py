"""Features of a learned metric: the scores of other metrics, segment by segment, or components of these scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import DataError, OptionError
from paragauge.metrics.base import SentenceMetric
from paragauge.metrics.registry import METRICS, metric_options, parse_metric

BLEND = "blend"


@dataclass(frozen=True, slots=True)
class Feature:
    """A metric, and the component of its score that is used; the score itself if it is empty.

    >>> feature = Feature.parse("meteor(preset=2005).precision")
    >>> feature.metric.name, feature.component, str(feature)
    ('meteor', 'precision', "meteor(preset='2005').precision")
    """

    metric: SentenceMetric
    component: str = ""

    @classmethod
    def parse(cls, text: str) -> Feature:
        """Return the feature named in *text*: a metric, or a metric, a dot and a component.

        Raises:
            OptionError: There is no such metric, or it has no score of single segments.
        """
        called, component = _split_component(text.strip())
        metric = parse_metric(called)
        if not isinstance(metric, SentenceMetric):
            raise OptionError(f"{metric.name} scores a resource, not sentences; it cannot be part of a blend")
        if metric.name == BLEND:
            raise OptionError("a blend cannot be part of a blend; name its metrics instead")
        if not metric.segmentwise:
            raise OptionError(f"{metric.name} scores a set of candidates, not one; it cannot be part of a blend")
        return cls(metric, component)

    @property
    def sign(self) -> int:
        """1 if more of it is better, -1 if less is, 0 if that is unknown."""
        if self.component:
            return 0
        return 1 if self.metric.better == "higher" else -1

    def __str__(self) -> str:
        return f"{self.metric}.{self.component}" if self.component else str(self.metric)


def parse_features(texts: Sequence[str]) -> tuple[Feature, ...]:
    """Return the features named in *texts*, each of which may name several, separated by commas.

    >>> [str(feature) for feature in parse_features(["bleu, chrf", "maxsim(alpha=0.7, max_order=2)"])]
    ['bleu', 'chrf', 'maxsim(alpha=0.7, max_order=2)']

    Raises:
        OptionError: There are none, one is named twice, or one is unknown.
    """
    features = tuple(Feature.parse(name) for text in texts for name in split_names(text))
    if not features:
        raise OptionError("a learned metric needs at least one metric; name them as in --metrics bleu,chrf,meteor")
    for place, feature in enumerate(features):
        if feature in features[:place]:
            raise OptionError(f"the metric {str(feature)!r} is named twice")
    return features


def split_names(text: str) -> list[str]:
    """Return the parts of *text* between commas that are not inside brackets or quotes."""
    names, depth, quote, begin = [], 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "," and not depth:
            names.append(text[begin:place])
            begin = place + 1
    return [name.strip() for name in (*names, text[begin:]) if name.strip()]


def _split_component(text: str) -> tuple[str, str]:
    called, dot, component = text.rpartition(".")
    if not dot or not component.isidentifier() or called.count("(") != called.count(")"):
        return text, ""
    # A name may have a dot in it: another package's metric.
    if "(" not in called and called not in METRICS and text in METRICS:
        return text, ""
    metric_options(called)
    return called, component


def compute_features(
    features: Sequence[Feature], segments: Segments, progress: Callable[[int, str], object] | None = None
) -> NDArray[np.float64]:
    """Return the features of each segment, an array (segments, features); each metric is computed once.

    Args:
        features: What to compute.
        segments: The texts.
        progress: Called after each part of a metric's work with the number of segments and the metric's name.

    Raises:
        DataError: A metric needs texts that are not there, has no such component, or gives no number.
    """
    columns: dict[Feature, NDArray[np.float64]] = {}
    for metric in dict.fromkeys(feature.metric for feature in features):
        mine = [feature for feature in features if feature.metric == metric]
        for feature, column in zip(mine, _columns(metric, mine, segments, progress), strict=True):
            bad = np.flatnonzero(~np.isfinite(column))
            if len(bad):
                raise DataError(f"{feature} is {column[bad[0]]} for segment {bad[0] + 1}; expected a number")
            columns[feature] = column
    return np.stack([columns[feature] for feature in features], axis=1)


def _columns(
    metric: SentenceMetric,
    features: Sequence[Feature],
    segments: Segments,
    progress: Callable[[int, str], object] | None,
) -> list[NDArray[np.float64]]:
    metric.check(segments)
    variant = metric.for_segments()
    if progress is None:
        rows = variant.statistics(segments)
    else:
        report = progress
        rows = variant.statistics_in_blocks(segments, lambda count: report(count, metric.name))
    measured = [variant.measure(row) for row in rows.tolist()]
    columns = []
    for feature in features:
        known = measured[0].components
        if feature.component and feature.component not in known:
            raise DataError(f"{metric.name} has no component {feature.component!r}; it has {', '.join(known)}")
        values = [each.components[feature.component] if feature.component else each.value for each in measured]
        columns.append(np.array(values, dtype=np.float64))
    return columns
