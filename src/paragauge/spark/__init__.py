"""A Spark cluster as the engine for tables, grammars and scores (docs/scaling.md)."""

from __future__ import annotations

from paragauge.corpora.candidate_files import CandidateFiles as Candidates
from paragauge.spark.engine import SparkEngine
from paragauge.spark.score import score_corpus, score_segments
from paragauge.spark.session import ClusterError, SparkOptions

__all__ = ["Candidates", "ClusterError", "SparkEngine", "SparkOptions", "score_corpus", "score_segments"]
