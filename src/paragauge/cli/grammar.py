"""``paragauge grammar``: extract a synchronous grammar, pivot grammars, and tools to work with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.groups import DefaultGroup
from paragauge.cli.options import (
    encoding_option,
    engine_options,
    exclude_option,
    lowercase_option,
    noise_option,
    output_options,
    output_to,
    quiet_option,
    refuse_seen_option,
)
from paragauge.cli.requests import refuse_given, request_options
from paragauge.evaluate.grammar_tools import FORMS, Form, PivotRequest, PruneRequest
from paragauge.evaluate.grammars import GrammarRequest

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar
    from paragauge.report.table import Format

_grammar_argument = click.argument("path", metavar="GRAMMAR", type=click.Path())
_grammars_argument = click.argument("paths", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())
_folder_option = output_to(
    "OUT", "Grammar folder to write, or text in Joshua's format if the name ends in .txt or .gz or is '-'.",
    required=True,
)  # fmt: skip


@click.group(cls=DefaultGroup, default="extract")
def grammar() -> None:
    """Extract a synchronous grammar, or pivot, search, prune, merge, sample, describe and convert grammars.

    `paragauge grammar SRC TGT LINKS -o GRAMMAR` is short for `paragauge grammar extract SRC TGT LINKS -o GRAMMAR`; its
    options are shown by `paragauge grammar extract --help`. GRAMMAR is a folder made by these commands, a file of rules
    (Joshua, Thrax, PPDB), or a table of paraphrases or phrases, whose pairs are rules with the label X.

    \b
    Example:
      paragauge grammar --gold gold.json --parse --labels samt -o gold.grammar
      paragauge grammar show ppdb.grammar "put forth" --top 10
      paragauge grammar prune ppdb.grammar --top-labels 1 -o small.grammar
    """


@grammar.command(short_help="Extract a grammar (the default command).")
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
    "--gold",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Hand-aligned sentence pairs as for 'paragauge parametric', instead of SRC TGT LINKS.",
)
@click.option("--links", metavar="FILE", type=click.Path(), help="The links of --gold, if they are in another file.")
@click.option(
    "--possible", metavar="FILE", type=click.Path(), help="Second file of the pairs of --gold, with possible links."
)
@click.option("--sure-only", is_flag=True, help="Use only the sure links of --gold, not the possible ones.")
@click.option(
    "--align",
    is_flag=True,
    help="Take links from the English aligner that ships: --gold is then any file of sentence pairs.",
)
@click.option(
    "--trees", metavar="TREES", type=click.Path(allow_dash=True), help="Trees of one side in brackets, one per line."
)
@click.option("--parse", is_flag=True, help="Parse one side of --gold with the parser that ships, instead of --trees.")
@click.option(
    "-t",
    "--tokenizer",
    default="none",
    show_default=True,
    metavar="NAME",
    help="Tokeniser for the sentences of --gold, such as penn; links follow the characters.",
)
@lowercase_option
@exclude_option
@request_options(GrammarRequest)
@encoding_option
@cluster_options
@engine_options
@quiet_option
def extract(
    texts: tuple[str, ...],
    output: str | None,
    text: str | None,
    rules: str | None,
    gold: str | None,
    cluster: Cluster | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Extract a synchronous grammar from tokenised texts SRC and TGT, their word LINKS, and trees of one side.

    With --gold, the texts, links and optionally trees come from hand-aligned sentence pairs: JSON, TSV, MultiMWA or
    Microsoft's RTE alignments; with --align as well, from any sentence pairs in English. With --rules, read an existing
    grammar instead. The output folder is indexed, so that even ten million rules can be searched without loading them.

    \b
    Example:
      paragauge grammar a.tok b.tok links.align -o hiero.grammar
      paragauge grammar a.tok b.tok links.align --trees a.trees --labels samt -o samt.grammar --text samt.gz
      paragauge grammar --gold gold.json --parse --lowercase --labels ccg --default-label X -o gold.grammar
      paragauge grammar --gold pairs.tsv --align --parse -t penn --lowercase -o mine.grammar
      paragauge grammar --rules ppdb-1.0-s-all.gz -o ppdb.grammar
    """
    from paragauge.cli.output import closed_pipe_ends_quietly

    sources = [bool(texts), rules is not None, gold is not None]
    if sum(sources) != 1 or (texts and len(texts) != 3):
        raise click.UsageError("expected either SRC, TGT and LINKS, or --gold FILE, or --rules FILE")
    if output is None and text is None:
        raise click.UsageError("nothing to write; pass -o GRAMMAR, or --text FILE")
    of_gold = ("links", "possible", "sure_only", "align", "parse", "tokenizer", "lowercase")
    if gold is None:
        refuse_given("it applies only to --gold", *of_gold)
    if rules is not None:
        refuse_given("with --rules nothing is extracted", "exclude")
    if cluster is not None:
        from paragauge.cli.cluster import refuse

        limits = {f"--{name.replace('_', '-')}": given.pop(name) for name in ("memory_limit", "threads")}
        refuse(
            cluster,
            {"--rules": rules, "--text": text, "--gold": gold, "--exclude": given.pop("exclude") or None, **limits},
        )
        for name in of_gold:
            given.pop(name)
        return _on_spark(cluster, texts, str(output), quiet=quiet, **given)
    made = _on_this_machine(texts, rules, gold, output, quiet=quiet, **given)
    if text is not None:
        with closed_pipe_ends_quietly():
            made.write_text(text)
    _say(made, output or str(text), quiet)
    return None


def _on_this_machine(
    texts: tuple[str, ...],
    rules: str | None,
    gold: str | None,
    output: str | None,
    *,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
    links: str | None,
    possible: str | None,
    sure_only: bool,
    align: bool,
    parse: bool,
    tokenizer: str,
    lowercase: bool,
    exclude: tuple[str, ...],
    **given: Any,
) -> Grammar:
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate import grammars
    from paragauge.storage.engine import EngineOptions

    engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
    with progress_bar("rules" if rules else "sentence pairs", quiet=quiet) as show:
        if rules is not None:
            return grammars.convert(rules, engine=engine, output=output, progress=show, **given)
        if gold is not None:
            return grammars.extract_gold(
                gold, links=links, possible=possible, sure_only=sure_only, align=align, parse=parse,
                tokenizer=tokenizer, lowercase=lowercase, exclude=exclude, engine=engine, output=output, progress=show,
                **given,
            )  # fmt: skip
        source, target, linked = texts
        return grammars.extract(
            source, target, linked, exclude=exclude, engine=engine, output=output, progress=show, **given
        )


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


@grammar.command()
@_grammars_argument
@output_to("OUT", "Grammar folder to write.", required=True)
@click.option(
    "--similarity",
    metavar="TEXT",
    type=click.Path(),
    help="Tokenised English text; adds the feature AGigaSim, the similarity of the contexts of both sides.",
)
@refuse_seen_option("grammars", "grammar --exclude")
@request_options(PivotRequest)
@encoding_option
@cluster_options
@engine_options
@quiet_option
def pivot(
    paths: tuple[str, ...],
    output: str,
    similarity: str | None,
    exclude: tuple[str, ...],
    request: PivotRequest,
    encoding: str,
    cluster: Cluster | None,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Make a paraphrase grammar from translation grammars: a home-made PPDB.

    Each GRAMMAR was extracted from a bitext with English as SRC and labels from English trees. English sides that share
    a label and a foreign side are paraphrases: p(e2|e1) is the sum over foreign sides f of p(f|e1) p(e2|f).

    \b
    Example:
      paragauge grammar en.tok fr.tok en-fr.align --trees en.trees --labels samt -o en-fr.grammar
      paragauge grammar pivot en-fr.grammar en-de.grammar -o paraphrases.grammar --similarity en.tok
    """
    from paragauge.cli.cluster import refuse, say, spark_engine
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate import grammar_tools
    from paragauge.storage.engine import EngineOptions

    if similarity is None and encoding != "utf-8":
        refuse_given("only the text of --similarity has an encoding", "encoding")
    if cluster is not None:
        refuse(cluster, {"--memory-limit": memory_limit, "--threads": threads, "--exclude": exclude or None})
        with spark_engine(cluster, temp, quiet=quiet) as spark:
            summary = grammar_tools.pivot(
                paths, request, similarity=similarity, encoding=encoding, engine=spark, output=output
            )
        return say(summary, output, quiet=quiet)
    engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
    with progress_bar("rules", quiet=quiet) as show:
        made = grammar_tools.pivot(
            paths, request, similarity=similarity, encoding=encoding, exclude=exclude, engine=engine, output=output,
            progress=show,
        )  # fmt: skip
    _say(made, output, quiet)
    return None


@grammar.command()
@_grammar_argument
@click.argument("phrases", nargs=-1, required=True, metavar="PHRASES...")
@click.option("--contains", is_flag=True, help="Also show rules whose source side contains the phrase.")
@click.option("--ignore-case", is_flag=True, help="Ignore case.")
@click.option("--feature", metavar="NAME", help="Feature by which rules are ranked.  [default: p(e|f)]")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Show at most N rules per phrase, best first.")
@noise_option
@output_options
def show(path: str, phrases: tuple[str, ...], form: Format, output: str, quiet: bool, **given: Any) -> None:
    """Show the rules whose source side is one of PHRASES, with their features, best first.

    PHRASES may contain nonterminals, such as "[NP,1] 's [NN,2]"; '-' reads phrases from standard input, one per line. A
    phrase that is unknown as written is also looked for in lower case. TSV and JSON have all features.

    \b
    Example:
      paragauge grammar show ppdb.grammar "put forth" --top 10
      paragauge grammar show ppdb.grammar house --contains --without containment --format tsv
    """
    from paragauge.cli.output import emit
    from paragauge.cli.paraphrases import read_phrases, say_unknown
    from paragauge.evaluate import grammar_tools

    found = grammar_tools.show(path, read_phrases(phrases), **given)
    emit(found.table().render(form), output)
    say_unknown("rules", found.unknown, path, quiet)


@grammar.command()
@_grammar_argument
@_folder_option
@request_options(PruneRequest)
@engine_options
@quiet_option
def prune(path: str, output: str, request: PruneRequest, quiet: bool, **engine: Any) -> None:
    """Keep the rules of GRAMMAR that are frequent, probable, or among the best; probabilities stay as they are.

    \b
    Example:
      paragauge grammar prune big.grammar --min-count 2 --min-prob 0.01 --top 20 -o small.grammar
      paragauge grammar prune ppdb.gz --top-labels 3 --class lexical --without inflection -o lexical.gz
    """
    from paragauge.evaluate import grammar_tools

    _make(lambda **given: grammar_tools.prune(path, request, **given), output, quiet, engine)


@grammar.command()
@_grammars_argument
@_folder_option
@engine_options
@quiet_option
def merge(paths: tuple[str, ...], output: str, quiet: bool, **engine: Any) -> None:
    """Merge grammars into one.

    Counts of extracted grammars are added, and probabilities computed again. Of other grammars, such as PPDB's, a rule
    that occurs several times keeps the features that it has in the first.

    \b
    Example:
      paragauge grammar merge news.grammar novels.grammar -o both.grammar
    """
    from paragauge.evaluate import grammar_tools

    _make(lambda **given: grammar_tools.merge(paths, **given), output, quiet, engine)


@grammar.command()
@_grammar_argument
@click.option("--size", required=True, type=click.IntRange(min=1), metavar="N", help="Number of rules.")
@click.option("--seed", default=12345, show_default=True, type=click.IntRange(min=0), help="Seed.")
@output_to("OUT", "As for 'prune'.", default="-")
@quiet_option
def sample(path: str, size: int, seed: int, output: str, quiet: bool) -> None:
    """Choose N rules of GRAMMAR at random, to look at or to judge.

    \b
    Example:
      paragauge grammar sample ppdb.grammar --size 100
    """
    from paragauge.evaluate import grammar_tools

    _make(lambda **given: grammar_tools.sample(path, size, seed=seed, output=given["output"]), output, quiet, {})


@grammar.command()
@_grammars_argument
@engine_options
@output_options
def stats(paths: tuple[str, ...], form: Format, output: str, quiet: bool, **engine: Any) -> None:
    """Count the rules of each GRAMMAR by class: lexical, phrasal, syntactic.

    \b
    Example:
      paragauge grammar stats gold.grammar ppdb.grammar
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate import grammar_tools
    from paragauge.storage.engine import EngineOptions

    with progress_bar("rules", quiet=quiet) as bar:
        found = grammar_tools.describe_grammars(paths, engine=EngineOptions(**engine), progress=bar)
    emit(found.table().render(form), output)


@grammar.command()
@_grammar_argument
@output_to(
    "OUT",
    "Output: a grammar folder, or a file if the name ends in .txt or .gz (rules), .tsv (paraphrases) or .moses.",
    required=True,
)
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    help="Output: grammar folder, rules as text (Joshua, PPDB), folder of paraphrases (table), their tsv, folder of a "
    "phrase table (phrases) or moses.  [default: chosen by the output's name]",
)
@click.option("--label", default="X", show_default=True, metavar="LHS", help="Left-hand side for the pairs of a table.")
@click.option("--upper-labels", is_flag=True, help="Write labels in upper case; some PPDB files have lower case.")
@click.option("--feature", metavar="NAME", help="Feature that becomes the score of paraphrases.  [default: p(e|f)]")
@engine_options
@quiet_option
def convert(
    path: str,
    output: str,
    form: Form | None,
    label: str,
    upper_labels: bool,
    feature: str | None,
    quiet: bool,
    **engine: Any,
) -> None:
    """Convert between grammars, tables of paraphrases or phrases, and the text formats of Joshua, PPDB and Moses.

    A table becomes a grammar of lexical and phrasal rules; of a grammar, only these become a table. Phrase tables need
    the counts of an extracted grammar; without counts, Moses text has scores alone.

    \b
    Example:
      paragauge grammar convert pivot.paraphrases -o pivot.grammar
      paragauge grammar convert pivot.paraphrases -o pivot.ppdb.gz --to text
      paragauge grammar convert ppdb.grammar -o ppdb.tsv --feature PPDB2.0Score
    """
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.evaluate import grammar_tools
    from paragauge.storage.engine import EngineOptions

    with progress_bar("rules", quiet=quiet) as show, closed_pipe_ends_quietly():
        written = grammar_tools.write_rules(
            path, output, form=form, label=label, upper_labels=upper_labels, feature=feature,
            engine=EngineOptions(**engine), progress=show,
        )  # fmt: skip
    if not quiet:
        click.echo(f"paragauge: {output}: {written:,} rules", err=True)


@grammar.command()
@_grammar_argument
@click.argument("table", type=click.Path(allow_dash=True))
@_folder_option
@encoding_option
@quiet_option
def features(path: str, table: str, output: str, encoding: str, quiet: bool) -> None:
    """Add features to the rules of GRAMMAR from TABLE.

    TABLE is TSV with a header: source, target, optionally lhs, and a column for each feature. Rules that are not in it
    get 0. The features can then be weighted by 'paragauge generate'.

    \b
    Example:
      paragauge grammar features msr.grammar judged.tsv -o better.grammar
    """
    from paragauge.evaluate.grammar_tools import open_rules
    from paragauge.grammar.adding import add_features

    found = 0

    def work(**given: Any) -> Grammar:
        nonlocal found
        made, found = add_features(open_rules(path), table, output=given["output"], encoding=encoding)
        return made

    _make(work, output, quiet, {})
    if not quiet:
        click.echo(f"paragauge: {found:,} of the rules are in {table}", err=True)


def _make(work: Any, output: str, quiet: bool, engine: dict[str, Any]) -> None:
    """Run a tool that makes a grammar, and write it as a folder or as text."""
    from paragauge.cli.output import closed_pipe_ends_quietly, progress_bar
    from paragauge.evaluate.grammar_tools import form_of_name
    from paragauge.storage.engine import EngineOptions

    as_folder = form_of_name(output) == "grammar"
    with progress_bar("rules", quiet=quiet) as show:
        made = work(engine=EngineOptions(**engine), output=output if as_folder else None, progress=show)
        if not as_folder:
            with closed_pipe_ends_quietly():
                made.write_text(output)
    _say(made, output, quiet)


def _say(made: Grammar, output: str, quiet: bool) -> None:
    if not quiet:
        from paragauge.cli.phrases import left_out

        click.echo(f"paragauge: {output}: {len(made):,} rules{left_out(made.options)}", err=True)
