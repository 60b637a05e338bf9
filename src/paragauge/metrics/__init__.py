"""Metrics: the formulas of the papers, one metric per file. Their classes load on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paragauge.metrics.base import Interval, Measurement, Metric, ResourceMetric, Score, SentenceMetric
from paragauge.metrics.registry import BUILT_IN, METRICS, parse_metric
from paragauge.metrics.signature import Signature

if TYPE_CHECKING:
    from paragauge.metrics.bertscore import BertScore as BertScore
    from paragauge.metrics.blend.metric import Blend as Blend
    from paragauge.metrics.bleu import Bleu as Bleu
    from paragauge.metrics.chrf import Chrf as Chrf
    from paragauge.metrics.edit import EditDissimilarity as EditDissimilarity
    from paragauge.metrics.embedding import SentenceEmbedding as SentenceEmbedding
    from paragauge.metrics.ibleu import IBleu as IBleu
    from paragauge.metrics.maxsim import MaxSim as MaxSim
    from paragauge.metrics.meaning import Meaning as Meaning
    from paragauge.metrics.meteor import Meteor as Meteor
    from paragauge.metrics.ngram_f1 import NgramF1 as NgramF1
    from paragauge.metrics.paradigm import ParadigmCoverage as ParadigmCoverage
    from paragauge.metrics.paradigm import ParadigmOverlap as ParadigmOverlap
    from paragauge.metrics.paraeval import ParaEval as ParaEval
    from paragauge.metrics.parametric import Parametric as Parametric
    from paragauge.metrics.parametric import ParametricAlignment as ParametricAlignment
    from paragauge.metrics.parascore import ParaScore as ParaScore
    from paragauge.metrics.pem.metric import PEM as PEM
    from paragauge.metrics.pem_plus import PEMPlus as PEMPlus
    from paragauge.metrics.pinc import Pinc as Pinc
    from paragauge.metrics.precis import Precis as Precis
    from paragauge.metrics.roles import RoleOverlap as RoleOverlap
    from paragauge.metrics.self_bleu import SelfBleuOriginal as SelfBleuOriginal
    from paragauge.metrics.self_bleu import SelfBleuSet as SelfBleuSet
    from paragauge.metrics.ter import Ter as Ter

_CLASSES = {place.partition(":")[2]: place.partition(":")[0] for place in BUILT_IN.values()}

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
    *_CLASSES,
]


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'paragauge.metrics' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_CLASSES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
