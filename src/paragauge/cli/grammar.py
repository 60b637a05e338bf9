"""``paragauge grammar``: bitext, links and trees to a synchronous grammar, or a file of rules to an indexed folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.options import encoding_option, engine_options, output_to, quiet_option

if TYPE_CHECKING:
    from paragauge.grammar.extract import Labelling, RuleLimits
    from paragauge.grammar.grammar import Grammar


def _limit(name: str, default: int, text: str) -> Callable[[Any], Any]:
    return click.option(name, default=default, show_default=True, type=click.IntRange(min=0), metavar="N", help=text)


@click.command()
@click.argument("texts", nargs=-1, metavar="[SRC TGT LINKS]", type=click.Path(allow_dash=True))
@output_to("GRAMMAR", "The grammar folder to write.")
@click.option("--text", metavar="FILE", type=click.Path(allow_dash=True), help="Write the rules as Joshua's text, too.")
@click.option(
    "--rules",
    metavar="FILE",
    type=click.Path(),
    help="Rules as text (Joshua, Thrax, PPDB) or a grammar folder, instead of SRC TGT LINKS.",
)
@click.option("--trees", metavar="TREES", type=click.Path(allow_dash=True), help="Trees of one side, in brackets.")
@click.option(
    "--trees-side", type=click.Choice(["source", "target"]), default="source", show_default=True, help="Which side."
)
@click.option(
    "--labels",
    type=click.Choice(["hiero", "constituents", "samt"]),
    help="X alone; constituents; or those and A+B, A/B, A\\B.  [default: constituents with --trees, else hiero]",
)
@click.option(
    "--chain",
    type=click.Choice(["bottom", "top", "all"]),
    default="bottom",
    show_default=True,
    help="Which of several nodes over the same words names them.",
)
@_limit("--max-span", 10, "Words of a phrase on the source side, before anything is replaced; 0 for any number.")
@_limit("--max-target-span", 10, "The same on the target side.")
@_limit("--max-symbols", 5, "Words and nonterminals on the source side of rules that have nonterminals.")
@_limit("--max-target-symbols", 5, "The same on their target side.")
@_limit("--max-words", 10, "Words on the source side of rules without nonterminals.")
@click.option("--max-nonterminals", default=2, show_default=True, type=click.IntRange(0, 2), help="On each side.")
@click.option(
    "--min-links", default=1, show_default=True, type=click.IntRange(min=0), help="Between words that stay words."
)
@click.option("--adjacent", is_flag=True, help="Nonterminals may stand side by side on the source side.")
@click.option("--tight/--loose", default=True, show_default=True, help="Words at the edges of phrases must have links.")
@click.option("--min-count", default=1, show_default=True, type=click.IntRange(min=1), help="Least occurrences.")
@click.option("--lexical/--no-lexical", default=True, show_default=True, help="Keep lexical weights.")
@click.option("--one-based", is_flag=True, help="LINKS count words from 1.")
@encoding_option
@cluster_options
@engine_options
@quiet_option
def grammar(
    texts: tuple[str, ...],
    output: str | None,
    text: str | None,
    quiet: bool,
    cluster: Cluster | None,
    **options: Any,
) -> None:
    """Extract a synchronous grammar from tokenised texts SRC and TGT with word LINKS, and TREES of one side.

    Or read one with --rules. The folder is indexed: ten million rules are searched without being loaded.

    \b
    Example:
      paragauge grammar a.tok b.tok links.align -o hiero.grammar
      paragauge grammar a.tok b.tok links.align --trees a.trees --labels samt -o samt.grammar --text samt.gz
      paragauge grammar --rules ppdb-1.0-s-all.gz -o ppdb.grammar
    """
    from paragauge.cli.output import closed_pipe_ends_quietly
    from paragauge.errors import OptionError

    rules = options.pop("rules")
    if (len(texts) != 3 and not (rules and not texts)) or (rules and texts):
        raise OptionError("expected either SRC, TGT and LINKS, or --rules FILE")
    if output is None and text is None:
        raise OptionError("nothing to write; pass -o GRAMMAR, or --text FILE")
    if cluster is not None:
        from paragauge.cli.cluster import refuse

        refuse(cluster, {"--rules": rules, "--text": text, "--memory-limit": options["memory_limit"]})
        return _on_spark(cluster, texts, str(output), quiet, options)
    made = _converted(rules, output, quiet) if rules else _extracted(texts, output, quiet, options)
    if text is not None:
        with closed_pipe_ends_quietly():
            made.write_text(text)
    if not quiet:
        click.echo(f"paragauge: {output or text}: {len(made):,} rules", err=True)
    return None


def _on_spark(cluster: Cluster, texts: tuple[str, ...], output: str, quiet: bool, options: dict[str, Any]) -> None:
    from paragauge.cli.cluster import refuse, refuse_streams, say, spark_engine
    from paragauge.spark.grammar import extract_grammar_files

    refuse_streams(*texts, options["trees"])
    refuse(cluster, {"--threads": options.pop("threads")})
    labelling, limits = _labelling(options), _limits(options)
    temp = options.pop("temp")
    options.pop("memory_limit")
    with spark_engine(cluster, temp, quiet=quiet) as engine:
        source, target, links = texts
        summary = extract_grammar_files(
            engine, source, target, links, output, labelling=labelling, limits=limits, **options
        )  # fmt: skip
    say(summary, output, quiet=quiet)


def _converted(rules: str, output: str | None, quiet: bool) -> Grammar:

    from paragauge.cli.output import progress
    from paragauge.grammar.grammar import Grammar
    from paragauge.io import digest_file

    opened = Grammar.open(rules)
    if output is None:
        return opened
    with progress(None, "rules", quiet=quiet) as bar:
        inputs = {} if Path(rules).is_dir() else {rules: digest_file(rules)}
        return opened.save(output, inputs=inputs, progress=bar.update)


def _extracted(texts: tuple[str, ...], output: str | None, quiet: bool, options: dict[str, Any]) -> Grammar:
    from paragauge.cli.output import progress
    from paragauge.grammar.extract import extract_grammar_files
    from paragauge.phrases.engine import EngineOptions

    labelling = _labelling(options)
    limits = _limits(options)
    engine = EngineOptions(**{name: options.pop(name) for name in ("memory_limit", "temp", "threads")})
    with progress(None, "sentence pairs", quiet=quiet) as bar:
        return extract_grammar_files(
            *texts, labelling=labelling, limits=limits, engine=engine, output=output, progress=bar.update, **options
        )


def _labelling(options: dict[str, Any]) -> Labelling:
    from paragauge.grammar.extract import Labelling

    labels: Any = options.pop("labels") or ("hiero" if options["trees"] is None else "constituents")
    return Labelling(labels=labels, trees_side=options.pop("trees_side"), chain=options.pop("chain"))


def _limits(options: dict[str, Any]) -> RuleLimits:
    from paragauge.grammar.extract import RuleLimits

    sizes = ("max_span", "max_target_span", "max_symbols", "max_target_symbols", "max_words")
    chosen: dict[str, Any] = {name: options.pop(name) or None for name in sizes}
    chosen |= {name: options.pop(name) for name in ("max_nonterminals", "min_links", "adjacent", "tight")}
    return RuleLimits(**chosen)
