"""``paragauge grammar``: extract a synchronous grammar, or index a file of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.options import encoding_option, engine_options, output_to, quiet_option
from paragauge.cli.requests import request_options
from paragauge.evaluate.grammars import GrammarRequest

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar


@click.command()
@click.argument("texts", nargs=-1, metavar="[SRC TGT LINKS]", type=click.Path(allow_dash=True))
@output_to("GRAMMAR", "Grammar folder to write.")
@click.option(
    "--text", metavar="FILE", type=click.Path(allow_dash=True), help="Also write the rules as text, in Joshua's format."
)
@click.option(
    "--rules",
    metavar="FILE",
    type=click.Path(),
    help="Read rules from a file (Joshua, Thrax, PPDB) or a grammar folder, instead of SRC TGT LINKS.",
)
@click.option(
    "--trees", metavar="TREES", type=click.Path(allow_dash=True), help="Trees of one side in brackets, one per line."
)
@request_options(GrammarRequest)
@encoding_option
@cluster_options
@engine_options
@quiet_option
def grammar(
    texts: tuple[str, ...],
    output: str | None,
    text: str | None,
    rules: str | None,
    cluster: Cluster | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Extract a synchronous grammar from tokenised texts SRC and TGT, their word LINKS, and trees of one side.

    With --rules, read an existing grammar instead. The output folder is indexed, so that even ten million rules can be
    searched without loading them.

    \b
    Example:
      paragauge grammar a.tok b.tok links.align -o hiero.grammar
      paragauge grammar a.tok b.tok links.align --trees a.trees --labels samt -o samt.grammar --text samt.gz
      paragauge grammar --rules ppdb-1.0-s-all.gz -o ppdb.grammar
    """
    from paragauge.cli.output import closed_pipe_ends_quietly

    if (len(texts) != 3 and not (rules and not texts)) or (rules and texts):
        raise click.UsageError("expected either SRC, TGT and LINKS, or --rules FILE")
    if output is None and text is None:
        raise click.UsageError("nothing to write; pass -o GRAMMAR, or --text FILE")
    if cluster is not None:
        from paragauge.cli.cluster import refuse

        limits = {f"--{name.replace('_', '-')}": given.pop(name) for name in ("memory_limit", "threads")}
        refuse(cluster, {"--rules": rules, "--text": text, **limits})
        return _on_spark(cluster, texts, str(output), quiet=quiet, **given)
    made = _on_this_machine(texts, rules, output, quiet=quiet, **given)
    if text is not None:
        with closed_pipe_ends_quietly():
            made.write_text(text)
    if not quiet:
        click.echo(f"paragauge: {output or text}: {len(made):,} rules", err=True)
    return None


def _on_this_machine(
    texts: tuple[str, ...],
    rules: str | None,
    output: str | None,
    *,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
    **given: Any,
) -> Grammar:
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate.grammars import convert, extract
    from paragauge.storage.engine import EngineOptions

    engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
    with progress_bar("rules" if rules else "sentence pairs", quiet=quiet) as show:
        if rules:
            return convert(rules, engine=engine, output=output, progress=show, **given)
        source, target, links = texts
        return extract(source, target, links, engine=engine, output=output, progress=show, **given)


def _on_spark(
    cluster: Cluster, texts: tuple[str, ...], output: str, *, temp: str | None, quiet: bool, **given: Any
) -> None:
    from paragauge.cli.cluster import refuse_streams, say, spark_engine
    from paragauge.evaluate.grammars import extract

    refuse_streams(*texts, given["trees"])
    source, target, links = texts
    with spark_engine(cluster, temp, quiet=quiet) as engine:
        summary = extract(source, target, links, engine=engine, output=output, **given)
    say(summary, output, quiet=quiet)
