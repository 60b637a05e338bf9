"""``paragauge pivot``: paraphrases from phrase tables."""

from __future__ import annotations

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.options import engine_options, output_to, quiet_option, refuse_seen_option


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLES...", type=click.Path())
@output_to(
    "PARAPHRASES",
    "Paraphrase table to write: a folder, or TSV if the name ends in .tsv or .tsv.gz or is '-'.",
    required=True,
)
@click.option(
    "--min-prob",
    default=0.01,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Keep paraphrases with p(e2|e1) of at least this.",
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Keep the N best paraphrases of each phrase.")
@click.option("--identity", is_flag=True, help="Also keep each phrase as a paraphrase of itself.")
@refuse_seen_option("tables", "phrases --exclude")
@cluster_options
@engine_options
@quiet_option
def pivot(
    tables: tuple[str, ...],
    output: str,
    min_prob: float,
    top: int | None,
    identity: bool,
    exclude: tuple[str, ...],
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
    cluster: Cluster | None,
) -> None:
    """Find paraphrases: source phrases that share translations in the same phrase table(s).

    p(e2|e1) is the sum over tables and over foreign phrases f of p(f|e1) p(e2|f), divided by the number of tables that
    contain e1.

    \b
    Example:
      paragauge pivot english-french.table english-german.table -o paraphrases
      paragauge pivot english-french.table -o - --top 5 | head
      paragauge pivot hdfs:///english-french.table -o hdfs:///paraphrases --engine spark --master yarn
    """
    from paragauge.cli.cluster import refuse, say, spark_engine
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.cli.phrases import describe
    from paragauge.phrases.formats import is_paraphrase_tsv
    from paragauge.phrases.pivot import pivot_paraphrases
    from paragauge.phrases.tsv import write_paraphrase_tsv
    from paragauge.storage.engine import EngineOptions

    as_text = is_paraphrase_tsv(output)
    if exclude:
        from paragauge.evaluate.gold import refuse_seen

        refuse_seen(tables, exclude)
    if cluster is not None:
        refuse(cluster, {"--memory-limit": memory_limit, "--threads": threads, "TSV": as_text})
        with spark_engine(cluster, temp, quiet=quiet) as spark:
            summary = pivot_paraphrases(
                tables, min_prob=min_prob, top=top, identity=identity, engine=spark, output=output
            )
        return say(summary, output, quiet=quiet)
    with progress_bar("rows", quiet=quiet) as show:
        engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads, progress=show)
        found = pivot_paraphrases(
            tables,
            min_prob=min_prob,
            top=top,
            identity=identity,
            engine=engine,
            output=None if as_text else output,
        )
        if as_text:
            with closed_pipe_ends_quietly():
                write_paraphrase_tsv(found, output, progress=show)
    if not quiet:
        click.echo(f"paragauge: {output}: {describe(found)}", err=True)
    return None
