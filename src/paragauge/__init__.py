"""paragauge: how good is this paraphrase, this translation, this paraphrase collection?

Names load on first use, so that ``import paragauge`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str

    from paragauge.align.aligner import Aligner as Aligner
    from paragauge.align.alignment import Alignment as Alignment
    from paragauge.align.annotated import read_aligned_pairs as read_aligned_pairs
    from paragauge.analysis.lexicon import Lexicon as Lexicon
    from paragauge.analysis.providers import provider as provider
    from paragauge.analysis.relations import relations_of as relations_of
    from paragauge.analysis.sentence import Analysis as Analysis
    from paragauge.analysis.tree import Tree as Tree
    from paragauge.annotation.store import AnnotationStore as AnnotationStore
    from paragauge.corpora.segments import Segments as Segments
    from paragauge.errors import ParagaugeError as ParagaugeError
    from paragauge.grammar.extract import extract_grammar as extract_grammar
    from paragauge.grammar.grammar import Grammar as Grammar
    from paragauge.grammar.lattice import Lattice as Lattice
    from paragauge.grammar.lattice import build_lattices as build_lattices
    from paragauge.grammar.overlap import grammar_overlap as grammar_overlap
    from paragauge.grammar.parse import parse_pairs as parse_pairs
    from paragauge.grammar.rule import Rule as Rule
    from paragauge.lm.model import LanguageModel as LanguageModel
    from paragauge.lm.train import train_lm as train_lm
    from paragauge.meta.study import make_study as make_study
    from paragauge.metrics.base import Interval as Interval
    from paragauge.metrics.base import ResourceMetric as ResourceMetric
    from paragauge.metrics.base import Score as Score
    from paragauge.metrics.base import SentenceMetric as SentenceMetric
    from paragauge.metrics.bleu import Bleu as Bleu
    from paragauge.metrics.chrf import Chrf as Chrf
    from paragauge.metrics.edit import EditDissimilarity as EditDissimilarity
    from paragauge.metrics.ibleu import IBleu as IBleu
    from paragauge.metrics.maxsim import MaxSim as MaxSim
    from paragauge.metrics.meteor import Meteor as Meteor
    from paragauge.metrics.ngram_f1 import NgramF1 as NgramF1
    from paragauge.metrics.paradigm import ParadigmCoverage as ParadigmCoverage
    from paragauge.metrics.paradigm import ParadigmOverlap as ParadigmOverlap
    from paragauge.metrics.paraeval import ParaEval as ParaEval
    from paragauge.metrics.parametric import Parametric as Parametric
    from paragauge.metrics.parametric import ParametricAlignment as ParametricAlignment
    from paragauge.metrics.pem.metric import PEM as PEM
    from paragauge.metrics.pem.model import PemModel as PemModel
    from paragauge.metrics.pem.training import train_pem as train_pem
    from paragauge.metrics.pem_plus import PEMPlus as PEMPlus
    from paragauge.metrics.pinc import Pinc as Pinc
    from paragauge.metrics.precis import Precis as Precis
    from paragauge.metrics.registry import METRICS as METRICS
    from paragauge.metrics.registry import parse_metric as parse_metric
    from paragauge.metrics.self_bleu import SelfBleuOriginal as SelfBleuOriginal
    from paragauge.metrics.self_bleu import SelfBleuSet as SelfBleuSet
    from paragauge.metrics.signature import Signature as Signature
    from paragauge.metrics.ter import Ter as Ter
    from paragauge.phrases.extract import extract_phrases as extract_phrases
    from paragauge.phrases.monolingual import monolingual_smt as monolingual_smt
    from paragauge.phrases.paraphrases import ParaphraseTable as ParaphraseTable
    from paragauge.phrases.pivot import pivot_paraphrases as pivot_paraphrases
    from paragauge.phrases.table import PhraseTable as PhraseTable
    from paragauge.report.model import study_report as study_report
    from paragauge.spark.engine import SparkEngine as SparkEngine
    from paragauge.spark.session import SparkOptions as SparkOptions

_HOMES = {
    "Aligner": "align.aligner",
    "Alignment": "align.alignment",
    "Analysis": "analysis.sentence",
    "AnnotationStore": "annotation.store",
    "Bleu": "metrics.bleu",
    "Chrf": "metrics.chrf",
    "EditDissimilarity": "metrics.edit",
    "Grammar": "grammar.grammar",
    "IBleu": "metrics.ibleu",
    "Interval": "metrics.base",
    "LanguageModel": "lm.model",
    "Lattice": "grammar.lattice",
    "Lexicon": "analysis.lexicon",
    "METRICS": "metrics.registry",
    "MaxSim": "metrics.maxsim",
    "Meteor": "metrics.meteor",
    "NgramF1": "metrics.ngram_f1",
    "ParaEval": "metrics.paraeval",
    "PEM": "metrics.pem.metric",
    "PEMPlus": "metrics.pem_plus",
    "ParadigmCoverage": "metrics.paradigm",
    "ParadigmOverlap": "metrics.paradigm",
    "ParagaugeError": "errors",
    "Parametric": "metrics.parametric",
    "ParametricAlignment": "metrics.parametric",
    "PemModel": "metrics.pem.model",
    "ParaphraseTable": "phrases.paraphrases",
    "PhraseTable": "phrases.table",
    "Pinc": "metrics.pinc",
    "Precis": "metrics.precis",
    "ResourceMetric": "metrics.base",
    "Rule": "grammar.rule",
    "Score": "metrics.base",
    "Segments": "corpora.segments",
    "SelfBleuOriginal": "metrics.self_bleu",
    "SelfBleuSet": "metrics.self_bleu",
    "SentenceMetric": "metrics.base",
    "Signature": "metrics.signature",
    "SparkEngine": "spark.engine",
    "SparkOptions": "spark.session",
    "Ter": "metrics.ter",
    "build_lattices": "grammar.lattice",
    "extract_grammar": "grammar.extract",
    "Tree": "analysis.tree",
    "extract_phrases": "phrases.extract",
    "make_study": "meta.study",
    "monolingual_smt": "phrases.monolingual",
    "grammar_overlap": "grammar.overlap",
    "parse_metric": "metrics.registry",
    "parse_pairs": "grammar.parse",
    "pivot_paraphrases": "phrases.pivot",
    "study_report": "report.model",
    "provider": "analysis.providers",
    "read_aligned_pairs": "align.annotated",
    "relations_of": "analysis.relations",
    "train_lm": "lm.train",
    "train_pem": "metrics.pem.training",
}

__all__ = ["__version__", "align", *_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # slow to load, and seldom asked for

        globals()[name] = version("paragauge")
        return globals()[name]
    if name not in _HOMES and name != "align":
        raise AttributeError(f"module 'paragauge' has no attribute {name!r}")
    if name == "align":
        return importlib.import_module("paragauge.align")  # a package that can be called like the function
    value = getattr(importlib.import_module(f"paragauge.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
