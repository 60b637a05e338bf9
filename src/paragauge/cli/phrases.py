"""``paragauge phrases``: extract a phrase table from a word-aligned bitext."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.options import (
    encoding_option,
    engine_options,
    exclude_option,
    output_to,
    pruning_options,
    quiet_option,
)


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(allow_dash=True))
@click.argument("target", metavar="TGT", type=click.Path(allow_dash=True))
@click.argument("links", metavar="LINKS", type=click.Path(allow_dash=True))
@output_to("TABLE", "Table folder to write.", required=True)
@click.option(
    "--max-length",
    default=4,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Longest phrase on either side, in words; 0 means no limit.",
)
@pruning_options
@click.option("--lexical/--no-lexical", default=True, show_default=True, help="Compute and keep lexical weights.")
@click.option(
    "--lexical-rule",
    type=click.Choice(["koehn", "moses"]),
    default="koehn",
    show_default=True,
    help="Of several alignments of a phrase pair, keep the highest weights (koehn) or those of the most frequent one, "
    "where words without a link count towards the totals (moses).",
)
@click.option("--one-based", is_flag=True, help="LINKS count words from 1 instead of 0.")
@click.option(
    "--moses",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write the table as Moses text (gzipped if the name ends in .gz).",
)
@exclude_option
@encoding_option
@cluster_options
@engine_options
@quiet_option
def phrases(
    source: str,
    target: str,
    links: str,
    output: str,
    max_length: int,
    min_count: int,
    min_prob: float,
    top: int | None,
    lexical: bool,
    lexical_rule: str,
    one_based: bool,
    moses: str | None,
    exclude: tuple[str, ...],
    encoding: str,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
    cluster: Cluster | None,
) -> None:
    """Extract all phrase pairs of the tokenised texts SRC and TGT that are consistent with the word LINKS.

    LINKS has the links of one sentence pair per line, such as '0-0 1-2'. What does not fit into memory spills to disk.
    With --engine spark, files may be on any file system that Spark reads, as text or as Parquet with the columns
    source, target and links, and TABLE is written in parts.

    \b
    Example:
      paragauge phrases english.tok french.tok links.align -o english-french.table
      paragauge phrases a.gz b.gz links.gz -o t --max-length 7 --memory-limit 1GB --moses phrase-table.gz
      paragauge phrases b.parquet b.parquet b.parquet -o hdfs:///t --engine spark --master yarn
    """
    from paragauge.cli.cluster import refuse, refuse_streams, say, spark_engine
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.evaluate.gold import excluded
    from paragauge.phrases.build import Pruning
    from paragauge.phrases.extract import extract_phrase_files
    from paragauge.phrases.moses import write_moses
    from paragauge.storage.engine import EngineOptions

    chosen: dict[str, Any] = {
        "max_length": max_length or None,
        "pruning": Pruning(min_count=min_count, min_prob=min_prob, top=top),
        "lexical": lexical,
        "lexical_rule": lexical_rule,
        "one_based": one_based,
        "encoding": encoding,
    }
    if cluster is not None:
        refuse(
            cluster,
            {"--moses": moses, "--memory-limit": memory_limit, "--threads": threads, "--exclude": exclude or None},
        )
        refuse_streams(source, target, links)
        with spark_engine(cluster, temp, quiet=quiet) as engine:
            summary = extract_phrase_files(source, target, links, **chosen, engine=engine, output=output)
        return say(summary, output, quiet=quiet)
    with progress_bar("sentence pairs", quiet=quiet) as show:
        table = extract_phrase_files(
            source,
            target,
            links,
            **chosen,
            exclude=excluded(exclude, encoding=encoding),
            engine=EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads),
            output=output,
            progress=show,
        )
    if moses is not None:
        with closed_pipe_ends_quietly():
            write_moses(table, moses)
    if not quiet:
        click.echo(f"paragauge: {output}: {describe(table)}{left_out(table.options)}", err=True)
    return None


def left_out(options: Mapping[str, Any]) -> str:
    """Return how many sentence pairs or groups were left out because of --exclude."""
    count = options.get("excluded")
    return "" if count is None else f"; left out because of --exclude: {count:,}"


def describe(table: object) -> str:
    """Return a one-line summary of a table."""
    return repr(table).removeprefix("<").removesuffix(">").partition(": ")[2]
