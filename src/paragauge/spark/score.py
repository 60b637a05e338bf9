"""Scores of very many candidates: workers compute the statistics of each segment, and the metric its usual formula.

A score is a function of summed statistics. Sums of fractions are kept exact throughout (each part returns numbers that
add up to exactly its sum), so that the score of a system is the same to the last digit however it was computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

from paragauge.corpora.candidate_files import CandidateFiles, parallel_segments
from paragauge.corpora.segments import Segments
from paragauge.errors import FileError, OptionError
from paragauge.io import PathLike
from paragauge.metrics.base import Score, SentenceMetric, exact_terms
from paragauge.metrics.registry import parse_metric
from paragauge.metrics.suitability import warn_of_texts
from paragauge.spark.engine import SparkEngine
from paragauge.spark.lines import ParallelTexts, Part, Text, first_lines
from paragauge.spark.paths import qualified
from paragauge.storage.remote import RunSummary

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

LOOKED_AT = 1000  # lines of each text to check for warnings


def texts_of(files: CandidateFiles) -> list[Text]:
    """Return all texts as Spark reads them: candidates, references, originals."""
    names = [("candidate", files.candidates)]
    names += [(f"reference{place + 1 if place else ''}", path) for place, path in enumerate(files.references)]
    names += [] if files.original is None else [("original", files.original)]
    return [Text(str(path), column, files.encoding) for column, path in names]


def score_corpus(engine: SparkEngine, metric: SentenceMetric, candidates: CandidateFiles) -> Score:
    """Return the score of all candidates together: the same, to the last digit, as without a cluster."""
    texts = _checked(engine, metric, candidates)
    engine.step(f"score, {metric.name}")
    with engine.explained():
        rows = texts.mapped(SumStatistics(str(metric), candidates.shape), _sum_schema()).collect()
    columns: dict[int, list[float]] = {}
    for row in rows:
        columns.setdefault(row["column"], []).append(row["value"])
    whole = all(row["whole"] for row in rows)
    totals = [math.fsum(columns[column]) for column in sorted(columns)]
    # One segment for each number of references that occurs is enough for the signature.
    groups = {count for row in rows for count in row["references"]}
    known = Segments(("",) * len(groups), tuple(("",) * count for count in sorted(groups)))
    return metric.score_totals(known, [int(total) for total in totals] if whole else totals)


def score_segments(
    engine: SparkEngine, metrics: Sequence[SentenceMetric], systems: Mapping[str, CandidateFiles], output: PathLike
) -> RunSummary:
    """Write the scores of all candidates to Parquet: metric, system, segment (from 1), score, components by name."""
    from pyspark.sql import functions as f

    place = qualified(output)
    if engine.files.exists(place):
        raise FileError(f"{output}: exists already; choose another name or remove it")
    frames: list[DataFrame] = []
    read = 0
    for metric in metrics:
        for system, candidates in systems.items():
            texts = _checked(engine, metric, candidates)
            read += texts.length
            scored = texts.mapped(ScoreSegments(str(metric), candidates.shape), _segment_schema())
            frames.append(scored.withColumns({"metric": f.lit(str(metric)), "system": f.lit(system)}))
    engine.step("score segments")
    union = reduce(lambda one, other: one.unionAll(other), frames)
    columns = ("metric", "system", "segment", "score", "components")
    with engine.explained():
        union.select(*columns).write.parquet(place)  # partitions are in segment order, and so are the files
    return RunSummary("candidates", read, "scores", read)


def warn_of_candidates(
    engine: SparkEngine, metrics: Sequence[SentenceMetric], systems: Mapping[str, CandidateFiles]
) -> list[str]:
    """Log the warnings of *metrics* about the first lines of the candidates, and return them."""
    first = []
    names: list[tuple[str, str]] = []
    for system, candidates in systems.items():
        texts = [first_lines(engine, text, LOOKED_AT) for text in texts_of(candidates)]
        length = min(map(len, texts))
        if length:  # scoring reports empty files
            first.append(parallel_segments([lines[:length] for lines in texts], candidates.shape))
            names += ((system, str(number)) for number in range(1, length + 1))
    return warn_of_texts(metrics, first, beginning_only=True, names=names)


def _checked(engine: SparkEngine, metric: SentenceMetric, candidates: CandidateFiles) -> ParallelTexts:
    if not metric.segmentwise:
        raise OptionError(f"{metric.name} compares all candidates with one another, and cannot be computed in parts")
    metric.check(candidates.example())
    return ParallelTexts(engine, texts_of(candidates))


@lru_cache(maxsize=4)
def _metric(text: str) -> SentenceMetric:
    """Return a metric on a worker, cached with the data that it has loaded."""
    metric = parse_metric(text)
    assert isinstance(metric, SentenceMetric)  # noqa: S101 - the driver checked the name
    return metric


def _sum_schema() -> pa.Schema:
    import pyarrow as pa

    counts = pa.list_(pa.int32())  # all numbers of references per segment that occur
    return pa.schema([("column", pa.int32()), ("value", pa.float64()), ("whole", pa.bool_()), ("references", counts)])


@dataclass(frozen=True, slots=True)
class SumStatistics:
    """Adds up the statistics of a part, on a worker."""

    metric: str
    shape: tuple[int, bool]

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        segments = parallel_segments(part.texts, self.shape)
        rows = _metric(self.metric).statistics(segments)
        whole = rows.dtype.kind in "iu"
        terms = [
            (column, term)
            for column, values in enumerate(rows.T.tolist())
            for term in (list(exact_terms(map(float, values))) or [0.0])
        ]
        columns, values = zip(*terms, strict=True)
        count = len(terms)
        references = sorted({len(group) for group in segments.references or ()})
        yield pa.RecordBatch.from_arrays(
            [pa.array(columns, pa.int32()), pa.array(values), pa.array([whole] * count),
             pa.array([references] * count, pa.list_(pa.int32()))],
            schema=_sum_schema(),
        )  # fmt: skip


def _segment_schema() -> pa.Schema:
    import pyarrow as pa

    components = pa.map_(pa.string(), pa.float64())
    return pa.schema([("segment", pa.int64()), ("score", pa.float64()), ("components", components)])


@dataclass(frozen=True, slots=True)
class ScoreSegments:
    """Scores each segment of a part, on a worker."""

    metric: str
    shape: tuple[int, bool]

    def __call__(self, part: Part) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        metric, segments = _metric(self.metric), parallel_segments(part.texts, self.shape)
        metric.check(segments)
        rows = metric.for_segments().statistics(segments)  # this way workers do not repeat the driver's warnings
        scores = metric.score_segments(segments, rows)
        schema = _segment_schema()
        columns = [
            list(range(part.first + 1, part.first + len(scores) + 1)),
            [score.value for score in scores],
            [list(score.components.items()) for score in scores],
        ]
        arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)
