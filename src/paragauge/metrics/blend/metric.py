"""A blend: a metric that was learned from people's judgments, made of other metrics.

    score = mean + scale * f(m_1, ..., m_k)

The m_i are the scores of other metrics for one segment, or components of these scores; f is a regressor that predicts
people's judgments in standard scores (ridge regression, an additive monotone function, or support vector regression).
The score of a system is the mean over its segments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, Need, SentenceMetric
from paragauge.metrics.blend.features import BLEND, compute_features
from paragauge.metrics.blend.model import TRANSLATION, BlendModel, metrics_of, open_blend, part_items
from paragauge.metrics.explanation import Explanation, Grid, Step, calculation, number
from paragauge.metrics.model_metric import ModelMetric
from paragauge.resource import DEFAULT, ModelOpener

T = TypeVar("T")


class _OfModel(Generic[T]):
    """A class variable of metrics that a blend takes from its model; the class itself has that of what ships."""

    def __init__(self, of_class: T, of_blend: Callable[[Blend], T]) -> None:
        self._of_class, self._of_blend = of_class, of_blend

    def __get__(self, blend: Blend | None, owner: type[Blend]) -> T:
        return self._of_class if blend is None else self._of_blend(blend)


def _needs(blend: Blend) -> frozenset[Need]:
    """Return the texts that any of its metrics needs."""
    return frozenset().union(*(metric.needs for metric in blend.parts))


def _resource_keys(blend: Blend) -> tuple[str, ...]:
    """Return the signature items that are digests: of the model, and of the tables and models of its metrics."""
    parts = zip(_names(blend.parts), blend.parts, strict=True)
    return ("model", *(f"{name}-{key}" for name, metric in parts for key in metric.resource_keys))


@dataclass(frozen=True, kw_only=True)
class Blend(ModelMetric):
    """A learned metric; ``Blend.load("translation")`` is the one that ships."""

    model: str = TRANSLATION  # or the folder of another model

    name: ClassVar[str] = BLEND
    summary: ClassVar[str] = "several metrics, weighed as people's judgments say"
    citation: ClassVar[str] = "paragauge, after Liu & Gildea (2007)"
    scale: ClassVar[str] = "that of its judgments; standard scores if there were several sets"
    needs: ClassVar[frozenset[Need]] = cast("Any", _OfModel(frozenset({"references"}), _needs))
    resource_keys: ClassVar[tuple[str, ...]] = cast("Any", _OfModel(("model",), _resource_keys))
    opener: ClassVar[ModelOpener[BlendModel]] = open_blend
    trained_by: ClassVar[str | None] = "paragauge learn"

    @property
    def opened(self) -> BlendModel:
        """The model."""
        opened: BlendModel = self.opener(DEFAULT if self.model == TRANSLATION else self.model)
        return opened

    @property
    def available(self) -> bool:
        return self.opener.folder(DEFAULT if self.model == TRANSLATION else self.model).is_dir()

    @property
    def parts(self) -> list[SentenceMetric]:
        """Its metrics, each once."""
        return metrics_of(self.opened.features)

    @property
    def expected_language(self) -> str | None:
        return next((metric.expected_language for metric in self.parts if metric.expected_language), None)

    def check(self, segments: Segments) -> None:
        super().check(segments)
        for metric in self.parts:
            metric.check(segments)

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, features..., 1]``."""
        model = self.opened
        rows = compute_features(model.features, segments)
        return np.concatenate([model.scores(rows)[:, None], rows, np.ones((len(rows), 1))], axis=1)

    def measure(self, totals: Sequence[float]) -> Measurement:
        score, *values, count = totals
        means = (value / count for value in values)
        return Measurement(score / count, dict(zip(self.opened.names, means, strict=True)))

    def signature_items(self) -> dict[str, object]:
        model = self.opened
        items: dict[str, object] = {
            "model": model.digest,
            "regressor": model.kind,
            "metrics": "+".join(_names(self.parts)),
        }
        for name, metric in zip(_names(self.parts), self.parts, strict=True):
            items.update(
                {f"{name}-{key}": value for key, value in part_items(metric).items() if key in metric.resource_keys}
            )
        return items

    def explain(self, segments: Segments) -> Explanation:
        model = self.opened
        rows = compute_features(model.features, segments)
        gains = model.contributions(rows[0])
        order = np.argsort(-np.abs(gains), kind="stable").tolist()
        table = tuple(
            (model.names[place], float(rows[0, place]), float(model.typical[place]), float(gains[place]))
            for place in order
        )
        from paragauge.metrics.bleu import Bleu
        from paragauge.metrics.ngram_explain import LEGEND, SharedNgrams

        noun: Literal["reference", "original"] = "original" if segments.references is None else "reference"
        shared = SharedNgrams.of(segments, Bleu(lowercase=True).pipeline, noun, max_order=4)
        score = self.score_segments(segments)[0]
        start = float(model.scores(model.typical[None])[0])
        # Of ridge and monotone the contributions add up; what is left of others is due to several features at once.
        rest = score.value - start - float(gains.sum())
        added = [("typical text", start), *((row[0], row[3]) for row in table)]
        if abs(rest) > 1e-9:
            added.append(("several features together", rest))
        step = Step(
            "blend",
            "typical score + contribution of each feature",
            " + ".join(number(gain) for _, gain in added),
            score.value,
        )
        grid = Grid("contributions, largest first", ("feature", "value", "typical", "contribution"), table)
        return Explanation(
            score,
            (*shared.texts(segments), grid),
            _verdict(score.value, start, [(name, gain) for name, _, _, gain in table]),
            LEGEND,
            details=(calculation([step]),),
        )


def _verdict(score: float, typical: float, gains: Sequence[tuple[str, float]]) -> str:
    than = "better than" if score > typical + 0.05 else "worse than" if score < typical - 0.05 else "about as good as"
    up = max(gains, key=lambda each: each[1])
    down = min(gains, key=lambda each: each[1])
    told = [
        *([f"{plain_name(up[0])} speaks for it most (+{up[1]:.3f})"] if up[1] > 0 else []),
        *([f"{plain_name(down[0])} against it most ({down[1]:.3f})"] if down[1] < 0 else []),
    ]
    return f"Judged {than} a typical text ({score:.2f}; a typical one has {typical:.2f}). {', '.join(told)}."


def plain_name(part: str) -> str:
    """Return the name of a part without its options, which the table has.

    >>> plain_name("meteor.recall"), plain_name("maxsim(distance=1).f_d")
    ('meteor.recall', 'maxsim.f_d')
    """
    return re.sub(r"\(.*\)", "", part)


def _names(metrics: Sequence[SentenceMetric]) -> list[str]:
    """Return a name for each metric; those of the same name get numbers.

    >>> from paragauge.metrics import Bleu, Meteor
    >>> _names([Bleu(), Meteor(), Bleu(max_order=2)])
    ['bleu', 'meteor', 'bleu-2']
    """
    seen: dict[str, int] = {}
    names = []
    for metric in metrics:
        seen[metric.name] = seen.get(metric.name, 0) + 1
        names.append(metric.name if seen[metric.name] == 1 else f"{metric.name}-{seen[metric.name]}")
    return names
