"""``paragauge paradigm``: how good is a paraphrase grammar? Overlap with a gold grammar, coverage of sentence pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paragauge.cli.cluster import Cluster, cluster_options
from paragauge.cli.options import (
    bootstrap_option,
    encoding_option,
    engine_options,
    output_options,
    seed_option,
    threads_option,
)

if TYPE_CHECKING:
    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.grammar.grammar import Grammar
    from paragauge.grammar.opening import KnownGrammar
    from paragauge.grammar.overlap import Overlap
    from paragauge.grammar.parse import ParseResult
    from paragauge.metrics.paradigm import ParadigmCoverage
    from paragauge.report.table import Cell, ResultTable
    from paragauge.storage.engine import EngineOptions
    from paragauge.storage.remote import RemoteEngine

F = TypeVar("F", bound=Callable[..., Any])
G = TypeVar("G")


_ROW = ("metric", "system", "score")


@click.group()
def paradigm() -> None:
    """Measure paraphrase grammars with PARADIGM (Weese, Ganitkevitch and Callison-Burch 2014).

    \b
    Example:
      paragauge paradigm report gold.rules some.rules other.rules --pairs pairs.tsv
    """


def _matching_options(command: F) -> F:
    for option in reversed(
        [
            click.option(
                "--min-count",
                "min_counts",
                multiple=True,
                type=click.IntRange(min=1),
                help="Gold rules seen at least so often; may be repeated.  [default: 1 and, if it has counts, 2]",
            ),
            engine_options,
        ]
    ):
        command = option(command)
    return command


def _parsing_options(command: F) -> F:
    for option in reversed(
        [
            click.option(
                "--pass-through",
                type=click.Choice(["none", "unknown", "all"]),
                default="unknown",
                show_default=True,
                help="Which words may become themselves.",
            ),
            click.option("--glue/--no-glue", default=True, show_default=True, help="Join labelled pieces in order."),
            click.option(
                "--max-span", type=click.IntRange(min=1), metavar="N", help="Source words that a rule covers."
            ),
            click.option("--max-target-span", type=click.IntRange(min=1), metavar="N", help="Target words likewise."),
            click.option(
                "--seconds",
                default=60.0,
                show_default=True,
                type=click.FloatRange(min=0),
                help="For each pair; 0: any.",
            ),
            click.option(
                "--megabytes", default=1024, show_default=True, type=click.IntRange(min=1), help="For each pair."
            ),
        ]
    ):
        command = option(command)
    return command


@paradigm.command()
@click.argument("gold", metavar="GOLD", type=click.Path())
@click.argument("grammars", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--match",
    type=click.Choice(["strict", "non-strict", "both"]),
    default="both",
    show_default=True,
    help="Rules must be identical, or identical once all labels are X.",
)
@cluster_options
@_matching_options
@click.option(
    "--feature",
    default="p(e|f)",
    show_default=True,
    metavar="NAME",
    help="What ranks the rules of a grammar for --curve and --plot.",
)
@click.option("--curve", metavar="FILE", type=click.Path(), help="Write precision and recall by number of rules (TSV).")
@click.option("--plot", metavar="FILE", type=click.Path(), help="Draw them (SVG); for one GRAMMAR.")
@output_options
def overlap(
    gold: str,
    grammars: tuple[str, ...],
    match: str,
    min_counts: tuple[int, ...],
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    feature: str,
    curve: str | None,
    plot: str | None,
    form: Any,
    output: str,
    quiet: bool,
    cluster: Cluster | None,
) -> None:
    """Count the rules of a GOLD grammar that each GRAMMAR has: relative recall and a lower bound of precision.

    Grammars are folders that 'paragauge grammar' made, or files of rules (Joshua, PPDB), gzipped or not.

    \b
    Example:
      paragauge paradigm overlap gold.grammar msr.grammar ppdb.gz
      paragauge paradigm overlap gold.grammar ppdb.grammar --match strict --curve curve.tsv --plot curve.svg
    """
    from paragauge.cli.cluster import refuse, spark_engine
    from paragauge.cli.options import quieten
    from paragauge.cli.output import emit
    from paragauge.errors import OptionError
    from paragauge.grammar.opening import open_grammar
    from paragauge.storage.engine import EngineOptions

    quieten(quiet)
    if plot is not None and len(grammars) > 1:
        raise OptionError("--plot draws one grammar; pass a single GRAMMAR, or take --curve")
    wanted = feature if curve is not None or plot is not None else None
    matches = ("strict", "non-strict") if match == "both" else (match,)
    gold_grammar: KnownGrammar
    opened: Mapping[str, KnownGrammar]
    if cluster is not None:
        refuse(cluster, {"--memory-limit": memory_limit, "--threads": threads})
        with spark_engine(cluster, temp, quiet=quiet) as spark:
            gold_grammar = open_grammar(gold, engine=spark)
            opened = _named(grammars, partial(open_grammar, engine=spark))
            overlaps = _overlaps(gold_grammar, opened, matches, min_counts, wanted, spark)
    else:
        engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
        gold_grammar, opened = _open(gold), _named(grammars, _open)
        overlaps = _overlaps(gold_grammar, opened, matches, min_counts, wanted, engine)
    if curve is not None:
        emit(_curve_table(overlaps).render("tsv"), curve)
    if plot is not None:
        emit(_plot(overlaps[0]), plot)
    emit(_overlap_table(overlaps, gold_grammar, opened).render(form), output)


@paradigm.command()
@click.argument("grammars", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())
@click.argument("pairs", metavar="PAIRS", type=click.Path(allow_dash=True))
@_parsing_options
@click.option("--segments", is_flag=True, help="One row for each pair.")
@click.option(
    "--derivations",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write a derivation of each pair that has one: JSON lines if the name ends in .jsonl or .jsonl.gz, else text.",
)
@click.option("--draw", metavar="DIR", type=click.Path(), help="Draw the derivations: DIR/SYSTEM-SEGMENT.svg.")
@encoding_option
@bootstrap_option
@seed_option
@threads_option
@output_options
def coverage(
    grammars: tuple[str, ...],
    pairs: str,
    segments: bool,
    derivations: str | None,
    draw: str | None,
    encoding: str,
    bootstrap: int,
    seed: int,
    threads: int | None,
    form: Any,
    output: str,
    quiet: bool,
    **parsing: Any,
) -> None:
    """Count the pairs of sentences that each GRAMMAR derives: exactly, with glue, within limits for each pair.

    PAIRS is TSV with the columns source, target and perhaps group, or 'source TAB target' on each line. Sentences of
    one group all mean the same.

    \b
    Example:
      paragauge paradigm coverage msr.grammar pairs.tsv
      paragauge paradigm coverage msr.grammar pairs.tsv --max-span 12 --derivations derivations.jsonl --draw drawings
    """
    from paragauge.cli.options import quieten
    from paragauge.cli.output import emit, progress_bar
    from paragauge.corpora.pairs import read_paraphrase_pairs
    from paragauge.metrics.paradigm import ParadigmCoverage

    quieten(quiet)
    metric = ParadigmCoverage(**parsing)
    data = read_paraphrase_pairs(pairs, encoding=encoding)
    wanted = derivations is not None or draw is not None
    parsed: dict[str, list[ParseResult]] = {}
    opened = _named(grammars, _open)
    with progress_bar("pairs", quiet=quiet) as show:
        for name, grammar in opened.items():
            parsed[name] = metric.parse(grammar, data, derivations=wanted, threads=threads, progress=show)
    if derivations is not None:
        emit(_derivation_text(parsed, derivations), derivations)
    if draw is not None:
        _draw(parsed, Path(draw))
    table = (
        _segment_table(metric, parsed) if segments else _coverage_table(metric, parsed, opened, data, bootstrap, seed)
    )
    emit(table.render(form), output)


@paradigm.command()
@click.argument("gold", metavar="GOLD", type=click.Path())
@click.argument("grammars", metavar="GRAMMAR...", nargs=-1, required=True, type=click.Path())
@click.option("--pairs", metavar="PAIRS", type=click.Path(), help="Sentence pairs for coverage; see 'coverage'.")
@_matching_options
@_parsing_options
@encoding_option
@output_options
def report(
    gold: str,
    grammars: tuple[str, ...],
    pairs: str | None,
    min_counts: tuple[int, ...],
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    encoding: str,
    form: Any,
    output: str,
    quiet: bool,
    **parsing: Any,
) -> None:
    """Put everything side by side: sizes, strict and non-strict overlap, overlap by class, and coverage of PAIRS.

    \b
    Example:
      paragauge paradigm report gold.grammar msr.grammar ppdb.grammar --pairs heldout.tsv
    """
    from paragauge.cli.options import quieten
    from paragauge.cli.output import emit, progress_bar
    from paragauge.corpora.pairs import read_paraphrase_pairs
    from paragauge.metrics.paradigm import ParadigmCoverage
    from paragauge.report.table import ResultTable
    from paragauge.storage.engine import EngineOptions

    quieten(quiet)
    engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
    metric = ParadigmCoverage(**parsing)
    opened = _named(grammars, _open)
    gold_grammar = _open(gold)
    overlaps = _overlaps(gold_grammar, opened, ("strict", "non-strict"), min_counts, None, engine)
    tables = [("Overlap", _overlap_table(overlaps, gold_grammar, opened)), ("Overlap by class", _class_table(overlaps))]
    if pairs is not None:
        data = read_paraphrase_pairs(pairs, encoding=encoding)
        with progress_bar("pairs", quiet=quiet) as show:
            parsed = {
                name: metric.parse(grammar, data, threads=threads, progress=show) for name, grammar in opened.items()
            }
        tables.append(("Coverage", _coverage_table(metric, parsed, opened, data, 0, 0)))
    if form == "table":
        text = "\n".join(f"{title}\n\n{table.to_text()}" for title, table in tables)
    else:
        scored = [table for title, table in tables if title != "Overlap by class"]
        columns = dict.fromkeys(column for table in scored for column in table.machine_columns or table.columns)
        text = ResultTable(list(columns), [row for table in scored for row in table.rows]).render(form)
    emit(text, output)


def _open(path: str) -> Grammar:
    from paragauge.grammar.grammar import Grammar

    return Grammar.open(path)


def _named(paths: Iterable[str], opener: Callable[[str], G]) -> dict[str, G]:
    """Return grammars by the names of their files, or by their paths where those would be the same."""
    from paragauge.errors import OptionError

    listed = list(paths)
    for path in listed:
        if listed.count(path) > 1:
            raise OptionError(f"{path} is given twice")
    names = [Path(path).name.removesuffix(".gz").removesuffix(".grammar") or path for path in listed]
    return {path if names.count(name) > 1 else name: opener(path) for path, name in zip(listed, names, strict=True)}


def _overlaps(
    gold: KnownGrammar,
    grammars: Mapping[str, KnownGrammar],
    matches: Sequence[str],
    min_counts: Sequence[int],
    feature: str | None,
    engine: EngineOptions | RemoteEngine,
) -> list[tuple[str, Overlap]]:
    from paragauge.grammar.overlap import MATCHES, grammar_overlap

    least = sorted(set(min_counts)) or ([1, 2] if "count" in gold.columns else [1])
    return [
        (name, grammar_overlap(grammar, gold, match=match, min_counts=least, feature=feature, engine=engine))
        for match in MATCHES
        if match in matches
        for name, grammar in grammars.items()
    ]


def _overlap_table(
    overlaps: Iterable[tuple[str, Overlap]], gold: KnownGrammar, grammars: Mapping[str, KnownGrammar]
) -> ResultTable:
    from paragauge.metrics.base import package_version
    from paragauge.metrics.paradigm import ParadigmOverlap
    from paragauge.metrics.signature import Signature
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    for system, one in overlaps:
        for least, classes in one.counts.items():
            metric = ParadigmOverlap(match=one.match, min_count=least)
            measured = metric.measure_rows(metric.rows_of(one))
            counts = {name: int(measured.components[name]) for name in ("found", "gold", "rules")}
            by_class: dict[str, Cell] = {}
            for kind, count in classes.items():
                low = kind.name.lower()
                by_class |= {f"found_{low}": count.found, f"gold_{low}": count.gold, f"rules_{low}": count.grammar}
            digests = {"gold": gold.digest, "rules": grammars[system].digest}
            items = {**metric.signature_items(), **digests, "version": package_version()}
            rows.append(
                {
                    "metric": str(metric),
                    "system": system,
                    "score": measured.value,
                    **{name: measured.components[name] for name in ("recall", "precision", "f1")},
                    **counts,
                    "match": one.match,
                    "freq": least,
                    **by_class,
                    "signature": str(Signature.of(metric.name, items)),
                }
            )
    people = ["system", "match", "freq", "found", "gold", "rules", "recall", "precision"]
    machine = [*_ROW, *(name for name in rows[0] if name not in _ROW)]
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows))
    return ResultTable(people, rows, notes=notes, machine_columns=machine)


def _class_table(overlaps: Iterable[tuple[str, Overlap]]) -> ResultTable:
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    for system, one in overlaps:
        least = min(one.counts)
        for kind, count in reversed(list(one.counts[least].items())):
            share = count.found / count.gold if count.gold else 0.0
            rows.append(
                {
                    "system": system, "match": one.match, "class": kind.name.lower(), "found": count.found,
                    "gold": count.gold, "recall": share,
                }
            )  # fmt: skip
    return ResultTable(["system", "match", "class", "found", "gold", "recall"], rows)


def _curve_table(overlaps: Iterable[tuple[str, Overlap]]) -> ResultTable:
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = [
        {
            "system": system,
            "match": one.match,
            "rules": point.rules,
            "precision": point.precision,
            "recall": point.recall,
        }
        for system, one in overlaps
        for point in _points(one)
    ]
    return ResultTable(["system", "match", "rules", "precision", "recall"], rows)


def _points(one: Overlap) -> list[Any]:
    from paragauge.metrics.paradigm import ParadigmOverlap
    from paragauge.report.curve import CurvePoint

    metric = ParadigmOverlap(match=one.match)
    gold = sum(count.gold for count in one.counts[min(one.counts)].values())
    measured = [(rules, metric.measure([found, gold, rules]).components) for rules, found in one.curve]
    return [CurvePoint(rules, parts["precision"], parts["recall"]) for rules, parts in measured]


def _plot(named: tuple[str, Overlap]) -> str:
    from paragauge.report.curve import curve_svg

    system, one = named
    return curve_svg(_points(one), f"{system}: {one.match} overlap")


def _coverage_table(
    metric: ParadigmCoverage,
    parsed: dict[str, list[ParseResult]],
    grammars: dict[str, Grammar],
    data: ParaphrasePairs,
    bootstrap: int,
    seed: int,
) -> ResultTable:
    from paragauge.meta.significance import bootstrap_interval
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature
    from paragauge.report.table import ResultTable

    rows: list[dict[str, Cell]] = []
    for system, results in parsed.items():
        statistics = metric.rows_of(results, data)
        measured = metric.measure_rows(statistics)
        items = {**metric.signature_items(), "rules": grammars[system].digest, "version": package_version()}
        row: dict[str, Cell] = {"metric": str(metric), "system": system, "score": measured.value}
        if bootstrap:
            interval = bootstrap_interval(metric, statistics, resamples=bootstrap, seed=seed)
            row |= {"low": interval.low, "high": interval.high}
            items |= {"bs": bootstrap, "seed": seed}
        counts = ("derived", "pairs", "groups", "at_limit")
        row |= {name: int(value) if name in counts else value for name, value in measured.components.items()}
        row["signature"] = str(Signature.of(metric.name, items))
        rows.append(row)
    people = ["system", "derived", "pairs", "all_pairs", *(["low", "high"] if bootstrap else [])]
    people += ["any_of_group", "groups", "mean_length", "at_limit"]
    machine = [*_ROW, *(name for name in rows[0] if name not in _ROW)]
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows))
    return ResultTable(people, rows, notes=notes, machine_columns=machine)


def _segment_table(metric: ParadigmCoverage, parsed: dict[str, list[ParseResult]]) -> ResultTable:
    from paragauge.report.table import ResultTable

    # A pair that hit a limit has no score: it is not known whether it is derived.
    rows: list[dict[str, Cell]] = [
        {
            "metric": str(metric), "system": system, "segment": str(place),
            "score": None if result.status.at_limit else float(result.derived),
            "status": result.status.name.lower(), "rules": result.rules, "items": result.items,
            "seconds": result.seconds,
        }
        for system, results in parsed.items()
        for place, result in enumerate(results, start=1)
    ]  # fmt: skip
    return ResultTable(["metric", "system", "segment", "score", "status", "rules", "items", "seconds"], rows)


def _derivation_text(parsed: dict[str, list[ParseResult]], path: str) -> str:
    import json

    as_json = path.removesuffix(".gz").endswith(".jsonl")
    parts = []
    for system, results in parsed.items():
        for place, result in enumerate(results, start=1):
            if result.derivation is None:
                continue
            if as_json:
                found = {"system": system, "segment": str(place), **result.derivation.to_dict()}
                parts.append(json.dumps(found, ensure_ascii=False) + "\n")
            else:
                words = " ".join(result.derivation.source), " ".join(result.derivation.target)
                parts.append(f"# {system} {place}: {words[0]} -> {words[1]}\n{result.derivation.to_text()}\n")
    return "".join(parts)


def _draw(parsed: dict[str, list[ParseResult]], folder: Path) -> None:
    from paragauge.cli.output import emit
    from paragauge.io import file_error
    from paragauge.report.derivation import derivation_svg

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise file_error(folder, error, "write") from error
    for system, results in parsed.items():
        for place, result in enumerate(results, start=1):
            if result.derivation is not None:
                name = f"{system.replace('/', '_')}-{place}.svg"
                emit(derivation_svg(result.derivation), str(folder / name))
