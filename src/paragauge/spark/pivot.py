"""Paraphrases through a foreign phrase, on a cluster: the statement that DuckDB runs, over phrases as text."""

from __future__ import annotations

from functools import reduce

from paragauge.phrases import queries as shared
from paragauge.phrases.paraphrases import KIND
from paragauge.phrases.pivot import PivotPhrases, pivot_settings
from paragauge.spark import queries
from paragauge.spark.engine import SparkEngine
from paragauge.spark.output import Output
from paragauge.spark.tables import phrase_pairs
from paragauge.storage.remote import RunSummary


def run(engine: SparkEngine, job: PivotPhrases) -> RunSummary:
    """Write the paraphrases found by translating with phrase tables to the pivot language and back, in parts."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    written = Output(engine, job.output, KIND)
    engine.step("read phrase tables")
    with engine.explained():
        opened = [phrase_pairs(engine, table) for table in job.tables]
    pairs = [frame.withColumn("corpus", f.lit(corpus)) for corpus, (frame, _) in enumerate(opened)]
    engine.name("table_pairs", reduce(lambda one, other: one.unionAll(other), pairs))
    rows_in = engine.count("table_pairs")
    engine.step("look for frequent pivots")
    engine.run(queries.hot_pivots(engine.options.pairs_in_task))
    engine.run(queries.FORWARD)
    engine.run(queries.BACKWARD)
    engine.step("pivot")
    counted = Observation("pivoted")  # counted in passing, since dropped rows are not stored
    with engine.explained():
        every = engine.session.sql(shared.pivoted(job.identity)).observe(counted, f.count("*").alias("found"))
    engine.name("pivoted", every)
    engine.run(shared.probable("pivoted", job.min_prob))
    found, probable = int(counted.get["found"]), engine.count("paraphrases")
    engine.step("write the table")
    settings = pivot_settings(
        len(job.tables), job.min_prob, job.top, job.identity, [digest for _, digest in opened if digest is not None]
    )
    rows = written.write(shared.sorted_paraphrases(job.top), options=settings)
    dropped = {
        f"paraphrases with p(e2|e1) below {job.min_prob:g}": found - probable,
        f"paraphrases not among the top {job.top}": probable - rows,
    }
    return RunSummary("phrase pairs", rows_in, "paraphrases", rows, dropped)
