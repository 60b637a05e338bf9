"""Beyond one machine: the same tables, grammars and scores from a Spark cluster (docs/scaling.md)."""

from __future__ import annotations

from paragauge.spark.align import align_files
from paragauge.spark.engine import SparkEngine
from paragauge.spark.grammar import extract_grammar_files
from paragauge.spark.output import RunSummary
from paragauge.spark.overlap import grammar_overlap
from paragauge.spark.phrases import extract_phrase_files
from paragauge.spark.pivot import pivot_paraphrases
from paragauge.spark.score import Candidates, score_corpus, score_segments
from paragauge.spark.session import ClusterError, SparkOptions
from paragauge.spark.tables import open_grammar

__all__ = [
    "Candidates",
    "ClusterError",
    "RunSummary",
    "SparkEngine",
    "SparkOptions",
    "align_files",
    "extract_grammar_files",
    "extract_phrase_files",
    "grammar_overlap",
    "open_grammar",
    "pivot_paraphrases",
    "score_corpus",
    "score_segments",
]
