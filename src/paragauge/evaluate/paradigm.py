"""PARADIGM, a measure of paraphrase grammars: overlap with a gold grammar, coverage of sentence pairs, or both."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from paragauge.errors import OptionError
from paragauge.evaluate.asking import Resampling, no_effect, refuse_without_effect, request_of
from paragauge.evaluate.gold import Preparing, read_pairs, warn_of_seen, warn_of_shared
from paragauge.evaluate.mismatch import (
    Glance,
    Style,
    warn_of_labels,
    warn_of_nothing_found,
    warn_of_pass_through,
    warn_of_style,
)
from paragauge.evaluate.option import Request, option
from paragauge.evaluate.result import Result
from paragauge.evaluate.titled import TitledResult
from paragauge.grammar.overlap import DEFAULT_FEATURE, MATCHES
from paragauge.grammar.parse import ParseOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.grammar.grammar import Grammar
    from paragauge.grammar.opening import KnownGrammar
    from paragauge.grammar.overlap import Match, NamedOverlap, OverlapCounts
    from paragauge.grammar.parse import Derivation, ParseResult
    from paragauge.grammar.rule import RuleClass
    from paragauge.io import PathLike
    from paragauge.metrics.base import Score
    from paragauge.metrics.paradigm import ParadigmCoverage
    from paragauge.progress import Progress
    from paragauge.report.curve import CurvePoint
    from paragauge.report.table import Cell, ResultTable
    from paragauge.storage.engine import EngineOptions
    from paragauge.storage.remote import RemoteEngine

_PARSING = ParseOptions()  # where the defaults are defined
_FIRST_COLUMNS = ("metric", "system", "score")
_COVERAGE_COUNTS = ("derived", "pairs", "groups", "at_limit")
_PREPARING = ("tokenizer", "lowercase")
_PARSE_NAMES = ("pass_through", "glue", "max_span", "max_target_span", "seconds", "megabytes")


G = TypeVar("G", bound="KnownGrammar")

# One grammar or several: files and folders are opened, and are named after their paths unless a mapping names them.
Grammars: TypeAlias = (
    "KnownGrammar | PathLike | Sequence[KnownGrammar | PathLike] | Mapping[str, KnownGrammar | PathLike]"
)


@dataclass(frozen=True, kw_only=True)
class Matching(Request):
    """Option to select gold rules."""

    min_counts: tuple[int, ...] = option(
        (),
        flags=("--min-count",),
        low=1,
        metavar="N",
        help="Consider only gold rules seen at least N times.",
        default_help="1, and also 2 if GOLD has counts",
    )
    identities: Literal["in", "out"] = option(
        "out", help="Whether rules with the same words on both sides count, in GOLD and in the grammars."
    )

    def least_counts(self, gold: KnownGrammar) -> list[int]:
        """Return the minimum counts to use for *gold*, in order."""
        return sorted(set(self.min_counts)) or ([1, 2] if "count" in gold.columns else [1])


@dataclass(frozen=True, kw_only=True)
class Parsing(Request):
    """Options for parsing sentence pairs."""

    pass_through: Literal["none", "unknown", "all"] = option(
        _PARSING.pass_through,
        help="Words that may be copied to the other side: none, those unknown to the grammar, or all.",
    )
    glue: bool = option(
        _PARSING.glue,
        flags=("--glue/--no-glue",),
        help="Allow glue rules, which join adjacent labelled spans in order.",
    )
    max_span: int | None = option(
        _PARSING.max_span,
        low=1,
        metavar="N",
        help="Maximum number of source words that a rule may cover.",
        default_help="no limit",
    )
    max_target_span: int | None = option(
        _PARSING.max_target_span,
        low=1,
        metavar="N",
        help="Maximum number of target words that a rule may cover.",
        default_help="no limit",
    )
    seconds: float = option(
        _PARSING.seconds, low=0, metavar="S", help="Time limit per pair, in seconds; 0 means no limit."
    )
    megabytes: int = option(_PARSING.megabytes, low=1, metavar="MB", help="Memory limit per pair, in megabytes.")

    def metric(self) -> ParadigmCoverage:
        """Return the metric with these options."""
        from paragauge.metrics.paradigm import ParadigmCoverage

        return ParadigmCoverage(**{name: getattr(self, name) for name in _PARSE_NAMES})


@dataclass(frozen=True, kw_only=True)
class OverlapRequest(Matching):
    """Overlap of grammars with a gold grammar.

    Attributes:
        curve: Whether to also count how many of the best 10, 20, 50, ... rules are gold.
    """

    match: Literal["strict", "non-strict", "both"] = option(
        "both",
        help="When rules match: if identical (strict), or if identical with every label replaced by X (non-strict).",
    )
    feature: str | None = option(
        None,
        metavar="NAME",
        help="Feature that ranks rules for the curve.",
        default_help=DEFAULT_FEATURE,
    )
    curve: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.curve:
            refuse_without_effect(self, {"feature"}, "without a curve; request one with --curve or --plot")

    @property
    def matches(self) -> tuple[Match, ...]:
        """Requested ways of matching rules."""
        return tuple(match for match in MATCHES if self.match in (match, "both"))


@dataclass(frozen=True, kw_only=True)
class CoverageRequest(Parsing, Resampling, Preparing):
    """Coverage of sentence pairs by grammars.

    Attributes:
        derivations: Whether to keep a derivation of each derived pair.
    """

    segments: bool = option(False, help="Print one row per pair, without intervals, instead of one per grammar.")
    derivations: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.segments:
            refuse_without_effect(self, {"bootstrap", "seed"}, "with --segments: single pairs have no intervals")


@dataclass(frozen=True, kw_only=True)
class ReportRequest(Matching, Parsing, Preparing):
    """Overlap and coverage side by side."""


@dataclass(frozen=True)
class OverlapScore:
    """Overlap of one grammar, for one way of matching rules.

    Attributes:
        system: Name of the grammar.
        match: How rules were matched.
        min_count: Minimum count of the gold rules considered.
        by_class: Numbers of rules found, in the gold and in the grammar, by class.
        score: Relative recall, with precision, F1 and counts as components.
        metric: Metric with its options, as text.
    """

    system: str
    match: Match
    min_count: int
    by_class: Mapping[RuleClass, OverlapCounts]
    score: Score
    metric: str


@dataclass(frozen=True)
class OverlapCurve:
    """Precision and recall of a grammar pruned to its best rules."""

    system: str
    match: Match
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True)
class OverlapResult(Result):
    """Share of a gold grammar that each grammar contains.

    Attributes:
        scores: One score per way of matching, grammar and minimum count.
        curves: Curves, if requested.
    """

    scores: tuple[OverlapScore, ...]
    curves: tuple[OverlapCurve, ...] = ()

    def rows(self) -> list[dict[str, Cell]]:
        rows: list[dict[str, Cell]] = []
        for one in self.scores:
            parts = one.score.components
            by_class: dict[str, Cell] = {}
            for kind, count in one.by_class.items():
                name = kind.name.lower()
                by_class |= {f"found_{name}": count.found, f"gold_{name}": count.gold, f"rules_{name}": count.grammar}
            rows.append(
                {
                    "metric": one.metric,
                    "system": one.system,
                    "score": one.score.value,
                    **{name: parts[name] for name in ("recall", "precision", "f1")},
                    **{name: int(parts[name]) for name in ("found", "gold", "rules")},
                    "match": one.match,
                    "freq": one.min_count,
                    **by_class,
                    "signature": str(one.score.signature),
                }
            )
        return rows

    def table(self) -> ResultTable:
        columns = ["system", "match", "freq", "found", "gold", "rules", "recall", "precision"]
        return _table(self.rows(), columns)

    def class_table(self) -> ResultTable:
        """Return recall by class of rules, for the lowest of the minimum counts."""
        from paragauge.report.table import ResultTable

        least = min(one.min_count for one in self.scores)
        rows: list[dict[str, Cell]] = [
            {
                "system": one.system, "match": one.match, "class": kind.name.lower(), "found": count.found,
                "gold": count.gold, "recall": count.found / count.gold if count.gold else None,
            }
            for one in self.scores if one.min_count == least
            for kind, count in reversed(list(one.by_class.items()))
        ]  # fmt: skip
        return ResultTable(["system", "match", "class", "found", "gold", "recall"], rows)

    def svg(self) -> str:
        """Return a plot of all curves, one below the other."""
        from paragauge.report.curve import curves_svg

        return curves_svg([(curve.points, f"{curve.system}: {curve.match} overlap") for curve in self.curves])

    def curve_table(self) -> ResultTable:
        """Return the points of all curves."""
        from paragauge.report.table import ResultTable

        rows: list[dict[str, Cell]] = [
            {
                "system": curve.system, "match": curve.match, "rules": point.rules, "precision": point.precision,
                "recall": point.recall,
            }
            for curve in self.curves
            for point in curve.points
        ]  # fmt: skip
        return ResultTable(["system", "match", "rules", "precision", "recall"], rows)


@dataclass(frozen=True)
class CoverageScore:
    """Share of pairs that one grammar derives.

    Attributes:
        system: Name of the grammar.
        score: Share of all pairs, with other shares and counts as components and, optionally, an interval.
        parses: Parse result for each pair.
        metric: Metric with its options, as text.
    """

    system: str
    score: Score
    parses: tuple[ParseResult, ...]
    metric: str


@dataclass(frozen=True)
class CoverageResult(Result):
    """Number of sentence pairs that each grammar derives.

    Attributes:
        scores: One score per grammar.
        segments: Whether there is one row per pair instead of one per grammar.
    """

    scores: tuple[CoverageScore, ...]
    segments: bool = False

    def rows(self) -> list[dict[str, Cell]]:
        return self._segment_rows() if self.segments else self._system_rows()

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        if self.segments:
            columns = ["metric", "system", "segment", "score", "status", "rules", "items", "seconds"]
            return ResultTable(columns, self.rows())
        rows = self.rows()
        limits = [name for name in ("low", "high") if name in rows[0]]
        columns = ["system", "derived", "pairs", "all_pairs", *limits]
        return _table(rows, [*columns, "any_of_group", "groups", "mean_length", "at_limit"])

    def derivations(self) -> Iterator[tuple[str, int, Derivation]]:
        """Yield the derivations kept, each with its grammar and the number of its pair."""
        for one in self.scores:
            for number, parse in enumerate(one.parses, start=1):
                if parse.derivation is not None:
                    yield one.system, number, parse.derivation

    def _system_rows(self) -> list[dict[str, Cell]]:
        rows: list[dict[str, Cell]] = []
        for one in self.scores:
            row: dict[str, Cell] = {"metric": one.metric, "system": one.system, "score": one.score.value}
            if one.score.interval is not None:
                row |= {"low": one.score.interval.low, "high": one.score.interval.high}
            for name, value in one.score.components.items():
                known = None if math.isnan(value) else value  # the mean length of no derived pairs
                row[name] = int(value) if name in _COVERAGE_COUNTS else known
            rows.append({**row, "signature": str(one.score.signature)})
        return rows

    def _segment_rows(self) -> list[dict[str, Cell]]:
        # A pair that hit a limit has no score: whether it can be derived is unknown.
        return [
            {
                "metric": one.metric, "system": one.system, "segment": str(number),
                "score": None if parse.status.at_limit else float(parse.derived),
                "status": parse.status.name.lower(), "rules": parse.rules, "items": parse.items,
                "seconds": parse.seconds,
            }
            for one in self.scores
            for number, parse in enumerate(one.parses, start=1)
        ]  # fmt: skip


@dataclass(frozen=True)
class ParadigmReport(TitledResult):
    """Overlap and coverage of grammars side by side.

    Attributes:
        overlap: Overlap with the gold grammar.
        coverage: Coverage of sentence pairs, if pairs were given.
    """

    overlap: OverlapResult
    coverage: CoverageResult | None = None

    def tables(self) -> list[tuple[str, ResultTable]]:
        found = [("Overlap", self.overlap.table()), ("Overlap by class", self.overlap.class_table())]
        return found if self.coverage is None else [*found, ("Coverage", self.coverage.table())]

    def rows(self) -> list[dict[str, Cell]]:
        rows = [*self.overlap.rows(), *([] if self.coverage is None else self.coverage.rows())]
        columns = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in columns} for row in rows]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows)


def overlap(
    grammars: Grammars,
    gold: KnownGrammar | PathLike,
    request: OverlapRequest | None = None,
    *,
    engine: EngineOptions | RemoteEngine | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> OverlapResult:
    """Return how many rules of *gold* each grammar contains. The gold grammar is read once.

    Args:
        grammars: Grammars to evaluate: a grammar, its path, several of either, or a mapping from names to them.
        gold: Gold grammar, or its path.
        request: All options; alternatively, pass the fields of `OverlapRequest` as keywords.
        engine: Memory limit, temporary folder and threads of this machine; or a cluster.
        progress: Called with the number of overlaps done.

    >>> from paragauge.grammar import Grammar, Rule
    >>> gold = Grammar.from_rules(map(Rule.parse, ["[NN] ||| answer ||| reply", "[VB] ||| answer ||| reply"]))
    >>> mine = Grammar.from_rules([Rule.parse("[NN] ||| answer ||| reply")])
    >>> [(row["match"], row["recall"]) for row in overlap({"mine": mine}, gold).rows()]
    [('strict', 0.5), ('non-strict', 1.0)]
    """
    from paragauge.grammar.opening import open_grammar
    from paragauge.grammar.overlap import grammar_overlaps
    from paragauge.metrics.paradigm import ParadigmOverlap, grammar_digest

    asked = request_of(OverlapRequest, request, options)
    feature = (asked.feature or DEFAULT_FEATURE) if asked.curve else None
    opener = partial(open_grammar, engine=engine)
    known, opened = _opened(gold, opener), _named(grammars, opener)
    digests = {name: grammar_digest(each) for name, each in opened.items()}
    gold_digest = grammar_digest(known)
    _warn(opened, known, "strict" in asked.matches)
    found = grammar_overlaps(
        opened, known, matches=asked.matches, min_counts=asked.least_counts(known), feature=feature,
        identities=asked.identities, engine=engine, progress=progress,
    )  # fmt: skip
    scores = []
    for one in found:
        for least, by_class in one.overlap.counts.items():
            metric = ParadigmOverlap(match=one.overlap.match, min_count=least, identities=asked.identities)
            score = metric.score_rows(metric.rows_of(one.overlap), {"gold": gold_digest, "rules": digests[one.system]})
            score = replace(score, signature=score.signature.extended({"grammar": one.system}))
            scores.append(OverlapScore(one.system, one.overlap.match, least, by_class, score, str(metric)))
    least = min(asked.least_counts(known))
    for one_score in scores:
        if one_score.match == asked.matches[-1] and one_score.min_count == least:
            parts = one_score.score.components
            warn_of_nothing_found(one_score.system, int(parts["found"]), int(parts["rules"]), "rules")
    return OverlapResult(tuple(scores), tuple(map(_curve, found)) if asked.curve else ())


def coverage(
    grammars: Grammars,
    pairs: ParaphrasePairs | PathLike,
    request: CoverageRequest | None = None,
    *,
    encoding: str = "utf-8",
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> CoverageResult:
    """Return how many *pairs* each grammar derives.

    Args:
        grammars: Grammars to evaluate: a grammar, its path, several of either, or a mapping from names to them.
        pairs: Sentence pairs, or the path of their file.
        request: All options; alternatively, pass the fields of `CoverageRequest` as keywords.
        encoding: Encoding of the file of pairs.
        threads: Number of threads; all cores by default. Apart from time limits, it does not affect results.
        progress: Called with the number of pairs parsed, for each grammar in turn.

    >>> from paragauge.corpora.pairs import ParaphrasePairs
    >>> from paragauge.grammar import Grammar, Rule
    >>> grammar = Grammar.from_rules([Rule.parse("[X] ||| want ||| propose")])
    >>> coverage({"mine": grammar}, ParaphrasePairs(("want", "go"), ("propose", "leave"))).scores[0].score.value
    0.5
    """
    from paragauge.corpora.pairs import ParaphrasePairs
    from paragauge.grammar.grammar import Grammar
    from paragauge.meta.significance import bootstrap_interval

    asked = request_of(CoverageRequest, request, options)
    metric = asked.metric()
    if isinstance(pairs, ParaphrasePairs):
        refuse_without_effect(asked, _PREPARING, "on pairs that have been read; prepare them before")
        data = pairs
    else:
        data = read_pairs(pairs, asked, encoding=encoding)
    opened = _named(grammars, Grammar.open)
    style = Style.of(word for side in (data.source, data.target) for text in side for word in text.split())
    scores = []
    for system, grammar in opened.items():
        warn_of_seen(system, grammar.seen, [*data.source, *data.target])
        glance = Glance.of(grammar)
        warn_of_style("the file of pairs", style, system, glance.style)
        if asked.pass_through == "unknown":  # noqa: S105 - not a password
            warn_of_pass_through(system, glance.identities)
        parses = metric.parse(grammar, data, derivations=asked.derivations, threads=threads, progress=progress)
        rows = metric.rows_of(parses, data)
        score = metric.score_rows(rows, metric.digests(grammar, data))
        score = replace(score, signature=score.signature.extended({"grammar": system}))
        if asked.bootstrap and not asked.segments:
            score = replace(
                score,
                interval=bootstrap_interval(metric, rows, resamples=asked.bootstrap, seed=asked.seed),
                signature=score.signature.extended({"bs": asked.bootstrap, "seed": asked.seed}),
            )
        scores.append(CoverageScore(system, score, tuple(parses), str(metric)))
    return CoverageResult(tuple(scores), asked.segments)


def report(
    grammars: Grammars,
    gold: Grammar | PathLike,
    request: ReportRequest | None = None,
    *,
    pairs: ParaphrasePairs | PathLike | None = None,
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> ParadigmReport:
    """Return the overlap of grammars with *gold*, both strict and non-strict, and their coverage of *pairs*.

    Args:
        grammars: Grammars to evaluate: a grammar, its path, several of either, or a mapping from names to them.
        gold: Gold grammar, or its path.
        request: All options; alternatively, pass the fields of `ReportRequest` as keywords.
        pairs: Sentence pairs, or the path of their file; without pairs, coverage is not computed.
        encoding: Encoding of the file of pairs.
        engine: Memory limit, temporary folder and threads.
        progress: Called with the number of overlaps done, then with the number of pairs done.
    """
    from paragauge.grammar.grammar import Grammar

    asked = request_of(ReportRequest, request, options)
    if pairs is None:
        without = "without --pairs: only coverage parses sentences"
        refuse_without_effect(asked, (*_PARSE_NAMES, *_PREPARING), without)
        if encoding != "utf-8":
            raise no_effect("--encoding", without)
    opened = _named(grammars, Grammar.open)
    found = overlap(
        opened, gold, min_counts=asked.min_counts, identities=asked.identities, engine=engine, progress=progress
    )
    if pairs is None:
        return ParadigmReport(found)
    parsing = {name: getattr(asked, name) for name in (*_PARSE_NAMES, *_PREPARING)}
    threads = None if engine is None else engine.threads
    covered = coverage(
        opened, pairs, CoverageRequest(bootstrap=0, **parsing), encoding=encoding, threads=threads, progress=progress
    )
    return ParadigmReport(found, covered)


def _warn(grammars: Mapping[str, KnownGrammar], gold: KnownGrammar, strict: bool) -> None:
    """Warn of grammars that have seen the gold, or cannot match it; those on a cluster are not looked at."""
    from paragauge.grammar.grammar import Grammar

    if not isinstance(gold, Grammar):
        return
    known = Glance.of(gold)
    for name, grammar in grammars.items():
        if isinstance(grammar, Grammar):
            glance = Glance.of(grammar)
            warn_of_shared(name, grammar.seen, gold.seen)
            warn_of_style("the gold grammar", known.style, name, glance.style)
            if strict:
                warn_of_labels(known.labels, name, glance.labels)


def _curve(one: NamedOverlap) -> OverlapCurve:
    from paragauge.metrics.paradigm import ParadigmOverlap
    from paragauge.report.curve import CurvePoint

    metric = ParadigmOverlap(match=one.overlap.match)
    gold = sum(count.gold for count in one.overlap.counts[min(one.overlap.counts)].values())
    measured = [(rules, metric.measure([found, gold, rules]).components) for rules, found in one.overlap.curve]
    points = [CurvePoint(rules, parts["precision"], parts["recall"]) for rules, parts in measured]
    return OverlapCurve(one.system, one.overlap.match, tuple(points))


def _opened(given: KnownGrammar | PathLike, opener: Callable[[PathLike], G]) -> G:
    if isinstance(given, str | os.PathLike):
        return opener(given)
    if not hasattr(given, "digest"):
        raise OptionError(f"found {type(given).__name__}, expected a grammar or its path")
    return given  # type: ignore[return-value]  # a grammar of the engine's kind; the engine says if it is not


def grammar_names(paths: Sequence[str]) -> list[str]:
    """Return the file name of each grammar, or its path if two files have the same name.

    Raises:
        OptionError: A path is given twice.
    """
    for path in paths:
        if paths.count(path) > 1:
            raise OptionError(f"{path} is given twice; give each grammar once")
    names = [Path(path).name.removesuffix(".gz").removesuffix(".grammar") or path for path in paths]
    return [path if names.count(name) > 1 else name for path, name in zip(paths, names, strict=True)]


def _named(given: Grammars, opener: Callable[[PathLike], G]) -> dict[str, G]:
    """Return grammars by file name, or by path if two files have the same name."""
    if isinstance(given, Mapping | Sequence) and not given:
        raise OptionError("no grammar was given; give at least one")
    if isinstance(given, Mapping):
        return {name: _opened(each, opener) for name, each in given.items()}
    listed: list[Any] = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    paths = [os.fspath(each) if isinstance(each, str | os.PathLike) else getattr(each, "name", "") for each in listed]
    return {name: _opened(each, opener) for name, each in zip(grammar_names(paths), listed, strict=True)}


def _table(rows: list[dict[str, Cell]], columns: Sequence[str]) -> ResultTable:
    """Return a table for display, with all columns for programs and the signatures as notes."""
    from paragauge.report.table import ResultTable

    machine = [*_FIRST_COLUMNS, *(name for name in rows[0] if name not in _FIRST_COLUMNS)]
    notes = list(dict.fromkeys(str(row["signature"]) for row in rows))
    return ResultTable(list(columns), rows, notes=notes, machine_columns=machine)
