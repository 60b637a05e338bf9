"""Paraphrases through a foreign phrase, on a cluster: the statement that DuckDB runs, over phrases as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from paragauge.errors import DataError
from paragauge.io import PathLike
from paragauge.phrases import queries as shared
from paragauge.phrases.paraphrases import KIND
from paragauge.phrases.pivot import DEFAULT_MIN_PROB, check_pivoting, pivot_settings
from paragauge.spark import queries
from paragauge.spark.engine import SparkEngine
from paragauge.spark.output import Output, RunSummary
from paragauge.spark.tables import phrase_pairs


def pivot_paraphrases(
    engine: SparkEngine,
    tables: Sequence[PathLike],
    output: PathLike,
    *,
    min_prob: float = DEFAULT_MIN_PROB,
    top: int | None = None,
    identity: bool = False,
    pairs_in_task: int = queries.PAIRS_IN_TASK,
) -> RunSummary:
    """Write the paraphrases that phrase tables lead to and back from, in parts.

    Args:
        engine: Where to run.
        tables: Folders of phrase tables, in parts or not, one for each corpus.
        output: The table folder to write, on any file system that Spark writes to.
        min_prob: The least p(e2|e1) of paraphrases that stay.
        top: How many paraphrases of each phrase stay, the most probable first.
        identity: Keep e2 = e1, too.
        pairs_in_task: A foreign phrase that joins more pairs of phrases than this is shared among several tasks.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    if not tables:
        raise DataError("no tables to pivot over, expected at least one")
    check_pivoting(min_prob, top)
    written = Output(engine, output, KIND)
    engine.step("read phrase tables")
    with engine.explained():
        opened = [phrase_pairs(engine, table) for table in tables]
    pairs = [frame.withColumn("corpus", f.lit(corpus)) for corpus, (frame, _) in enumerate(opened)]
    engine.name("table_pairs", reduce(lambda one, other: one.unionAll(other), pairs))
    rows_in = engine.count("table_pairs")
    engine.step("look for frequent pivots")
    engine.run(queries.hot_pivots(pairs_in_task))
    engine.run(queries.FORWARD)
    engine.run(queries.BACKWARD)
    engine.step("pivot")
    counted = Observation("pivoted")  # on the way, since what is dropped is nowhere afterwards
    with engine.explained():
        every = engine.session.sql(shared.pivoted(identity)).observe(counted, f.count("*").alias("found"))
    engine.name("pivoted", every)
    engine.run(shared.probable("pivoted", min_prob))
    found, probable = int(counted.get["found"]), engine.count("paraphrases")
    engine.step("write the table")
    settings = pivot_settings(len(tables), min_prob, top, identity, [digest for _, digest in opened])
    rows = written.write(shared.sorted_paraphrases(top), options=settings)
    dropped = {
        f"paraphrases with p(e2|e1) below {min_prob:g}": found - probable,
        f"paraphrases not among the top {top}": probable - rows,
    }
    return RunSummary("phrase pairs", rows_in, "paraphrases", rows, dropped)
