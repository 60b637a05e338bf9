"""Tools for grammars: pivot, show, prune, merge, sample, describe and convert; tables count as grammars."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, overload

from paragauge.errors import DataError
from paragauge.evaluate.asking import no_effect, refuse_without_effect, request_of
from paragauge.evaluate.option import Request, option
from paragauge.evaluate.result import Result
from paragauge.grammar.grammar import DEFAULT_FEATURE
from paragauge.grammar.pivot import PivotLimits
from paragauge.grammar.rule import RuleClass

if TYPE_CHECKING:
    from paragauge.grammar.grammar import Grammar
    from paragauge.grammar.rule import Rule
    from paragauge.grammar.tools import ClassStatistics, RulePruning
    from paragauge.io import PathLike
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable
    from paragauge.storage.engine import EngineOptions
    from paragauge.storage.remote import RemoteEngine, RunSummary

Form: TypeAlias = Literal["grammar", "text", "table", "tsv", "phrases", "moses"]
FORMS: tuple[Form, ...] = get_args(Form)
_LIMITS = PivotLimits()  # where the defaults are defined
_SHOWN = ("count", "p(e|f)", "p(f|e)", "PPDB2.0Score", "Score", "AGigaSim")
_MOSES = ("p(f|e)", "Lex(f|e)", "p(e|f)", "Lex(e|f)")


@dataclass(frozen=True, kw_only=True)
class PivotRequest(Request):
    """Options for pivoting translation grammars."""

    min_prob: float = option(
        _LIMITS.min_prob, low=0, high=1, metavar="P", help="Keep paraphrase rules with p(e2|e1) of at least P."
    )
    min_count: int = option(
        _LIMITS.min_count, low=1, metavar="N", help="Keep paraphrase rules with a count of at least N."
    )
    min_step: float = option(
        _LIMITS.min_step,
        low=0,
        high=1,
        metavar="P",
        help="Pivot through translation rules with p(f|e) and p(e|f) of at least P.",
    )
    min_step_count: int = option(
        _LIMITS.min_step_count, low=1, metavar="N", help="Pivot through translation rules seen at least N times."
    )
    top: int | None = option(
        None, low=1, metavar="N", help="Keep the N best rules of each label and source side.", default_help="all"
    )
    identity: bool = option(False, help="Also keep rules with equal sides.")
    weights: Literal["sum", "best"] = option(
        _LIMITS.weights,
        flags=("--lexical",),
        help="Lexical weights of paraphrases: added up over all foreign sides, as in Thrax, or those of the best one.",
    )

    @property
    def limits(self) -> PivotLimits:
        """The limits of the rules."""
        return PivotLimits(**{name: getattr(self, name) for name in PivotLimits.__slots__})


@dataclass(frozen=True, kw_only=True)
class PruneRequest(Request):
    """Options for pruning a grammar."""

    min_count: int = option(1, low=1, metavar="N", help="Keep rules seen at least N times.")
    min_prob: float | None = option(
        None, metavar="P", help="Keep rules whose feature is at least P, as a probability.", default_help="keep all"
    )
    top: int | None = option(
        None, low=1, metavar="N", help="Keep the N best rules of each label and source side.", default_help="all"
    )
    top_labels: int | None = option(
        None, low=1, metavar="K", help="Keep the K best of rules that differ only in labels.", default_help="all"
    )
    feature: str | None = option(
        None, metavar="NAME", help="Feature by which rules are ranked.", default_help=DEFAULT_FEATURE
    )
    classes: tuple[Literal["lexical", "phrasal", "syntactic"], ...] = option(
        (), flags=("--class",), help="Keep only rules of this class.", default_help="all"
    )
    labels: tuple[str, ...] = option(
        (), flags=("--label",), metavar="LHS", help="Keep only rules with this left-hand side.", default_help="all"
    )
    without: tuple[Literal["containment", "inflection", "punctuation"], ...] = option(
        (),
        help="Leave out paraphrases that contain the phrase or are contained in it, only inflect it, or differ only in "
        "punctuation.",
    )
    identities: bool = option(
        True, flags=("--identities/--no-identities",), help="Whether to keep rules with equal sides."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.top is None and self.top_labels is None and self.min_prob is None:
            refuse_without_effect(self, {"feature"}, "without --top, --top-labels or --min-prob")

    @property
    def pruning(self) -> RulePruning:
        """Which rules to keep."""
        from paragauge.grammar.tools import RulePruning

        classes = tuple(RuleClass[name.upper()] for name in self.classes)
        return RulePruning(
            min_count=self.min_count, min_prob=self.min_prob, top=self.top, top_labels=self.top_labels,
            feature=self.feature or DEFAULT_FEATURE, classes=classes, labels=self.labels, noise=self.without,
            identities=self.identities,
        )  # fmt: skip


def open_rules(path: PathLike, *, label: str = "X") -> Grammar:
    """Return a grammar, or a table as a grammar: a folder, or rules, paraphrases or phrase pairs as text.

    Args:
        path: Folder or file.
        label: Left-hand side of the rules of a table.
    """
    from paragauge.grammar.grammar import Grammar
    from paragauge.grammar.tables import grammar_of_paraphrases, grammar_of_phrases
    from paragauge.io import read_lines
    from paragauge.phrases.formats import read_paraphrase_table, read_phrase_table
    from paragauge.resource import kind_of

    if Path(path).is_dir():
        kind = kind_of(path)
        if kind == "phrase-table":
            return grammar_of_phrases(read_phrase_table(path), label=label)
        if kind == "paraphrase-table":
            return grammar_of_paraphrases(read_paraphrase_table(path), label=label)
        return Grammar.open(path)
    first = next(read_lines(path), "")
    header = first.split("\t")
    if "paraphrase" in header:
        return grammar_of_paraphrases(read_paraphrase_table(path), label=label)
    if ("|||" not in first and "target" in header) or ("|||" in first and not first.startswith("[")):
        return grammar_of_phrases(read_phrase_table(path), label=label)
    return Grammar.open(path)


@overload
def pivot(
    grammars: Sequence[PathLike | Grammar],
    request: PivotRequest | None = None,
    *,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    exclude: Sequence[PathLike] = (),
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar: ...
@overload
def pivot(
    grammars: Sequence[PathLike | Grammar],
    request: PivotRequest | None = None,
    *,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    engine: RemoteEngine,
    output: PathLike,
    **options: Any,
) -> RunSummary: ...
def pivot(
    grammars: Sequence[PathLike | Grammar],
    request: PivotRequest | None = None,
    *,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    exclude: Sequence[PathLike] = (),
    engine: Any = None,
    output: Any = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar | RunSummary:
    """Pivot translation grammars, whose source side is English, through their foreign sides.

    Args:
        grammars: One grammar for each bitext, or its path.
        request: All options; alternatively, pass the fields of `PivotRequest` as keywords.
        similarity: Tokenised English text, from which the distributional similarity of both sides is computed.
        encoding: Encoding of that text.
        exclude: Files of gold sentences; grammars that were made from them are refused.
        engine: Memory limit, temporary folder and threads; or a cluster, which writes parts and returns a summary.
        output: Folder to write the grammar to; by default, it is kept in memory.
        progress: Called with the number of translation rules read.
    """
    from paragauge.grammar.pivot import pivot_grammar

    asked = request_of(PivotRequest, request, options)
    if exclude:
        from paragauge.evaluate.gold import refuse_seen

        refuse_seen(grammars, exclude, kind="grammar")
    made: Grammar | RunSummary = pivot_grammar(
        grammars, limits=asked.limits, similarity=similarity, encoding=encoding, engine=engine, output=output,
        progress=progress,
    )  # fmt: skip
    return made


def prune(
    grammar: PathLike | Grammar,
    request: PruneRequest | None = None,
    *,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Grammar:
    """Return the rules of a grammar that the options keep."""
    from paragauge.grammar.tools import prune_grammar

    asked = request_of(PruneRequest, request, options)
    return prune_grammar(_opened(grammar), asked.pruning, engine=engine, output=output, progress=progress)


def merge(
    grammars: Sequence[PathLike | Grammar],
    *,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return one grammar of all rules; see `paragauge.grammar.tools.merge_grammars`."""
    from paragauge.grammar.tools import merge_grammars

    return merge_grammars(list(map(_opened, grammars)), engine=engine, output=output, progress=progress)


def sample(grammar: PathLike | Grammar, size: int, *, seed: int = 12345, output: PathLike | None = None) -> Grammar:
    """Return *size* rules of a grammar, chosen at random."""
    from paragauge.grammar.tools import sample_grammar

    return sample_grammar(_opened(grammar), size, seed=seed, output=output)


def _opened(given: PathLike | Grammar) -> Grammar:
    return open_rules(given) if isinstance(given, str | os.PathLike) else given


@dataclass(frozen=True)
class ShownRules(Result):
    """Rules of some phrases, with their features.

    Attributes:
        found: Each phrase, and its rules, best first.
    """

    found: tuple[tuple[str, tuple[Rule, ...]], ...]

    @property
    def unknown(self) -> list[str]:
        """Phrases without rules."""
        return [phrase for phrase, rules in self.found if not rules]

    def rows(self) -> list[dict[str, Cell]]:
        rows: list[dict[str, Cell]] = [
            {"phrase": phrase, "lhs": rule.lhs, "source": rule.source_text, "target": rule.target_text,
             **{name: value + 0.0 for name, value in rule.features.items()}, "alignment": rule.alignment}
            for phrase, rules in self.found
            for rule in rules
        ]  # fmt: skip
        columns = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in columns} for row in rows]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        known = list(rows[0]) if rows else ["phrase", "lhs", "source", "target"]
        shown = ["lhs", "source", "target", *(name for name in (*_SHOWN, "Count") if name in known)]
        return ResultTable(shown, rows, machine_columns=known)


def show(
    grammar: PathLike | Grammar,
    phrases: Sequence[str],
    *,
    contains: bool = False,
    ignore_case: bool = False,
    feature: str | None = None,
    top: int | None = None,
    without: Sequence[str] = (),
) -> ShownRules:
    """Return the rules of *phrases*, best first.

    Args:
        grammar: Grammar or table, or its path.
        phrases: Source sides to look for.
        contains: Whether the source side need only contain the phrase.
        ignore_case: Whether case is ignored; a phrase that is unknown as written is always looked for in lower case.
        feature: Feature that ranks the rules.
        top: Maximum number of rules of each phrase.
        without: Kinds of noise to leave out.
    """
    from paragauge.grammar.grammar import is_cost
    from paragauge.grammar.noise import check_kinds, is_noise
    from paragauge.grammar.tools import find_rules

    check_kinds(without)
    opened = _opened(grammar)
    name = feature or DEFAULT_FEATURE

    def cost(rule: Rule) -> float:
        value = rule.features.get(name)
        return float("inf") if value is None else value if is_cost(name) else -value

    found = []
    for phrase in phrases:
        rules = find_rules(opened, phrase, contains=contains, ignore_case=ignore_case)
        if not rules and phrase != phrase.lower():
            rules = find_rules(opened, phrase.lower(), contains=contains)
        kept = [rule for rule in rules if not is_noise(rule.source_text, rule.target_text, without)]  # type: ignore[arg-type]
        if feature is not None and kept and not any(feature in rule.features for rule in kept):
            raise DataError(f"no rule of {phrase!r} has the feature {feature!r}", path=opened.name)
        found.append((phrase, tuple(sorted(kept, key=cost)[:top])))
    return ShownRules(tuple(found))


@dataclass(frozen=True)
class GrammarStatistics(Result):
    """Numbers of rules by class.

    Attributes:
        by_class: Name of each grammar, class, and statistics.
    """

    by_class: tuple[tuple[str, RuleClass, ClassStatistics], ...]

    def rows(self) -> list[dict[str, Cell]]:
        return [
            {"grammar": name, "class": kind.name.lower(), "rules": found.rules, "identities": found.identities,
             "pairs": found.pairs, "labels": found.labels, "source_symbols": found.source_length,
             "target_symbols": found.target_length}
            for name, kind, found in self.by_class
        ]  # fmt: skip

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        return ResultTable(list(rows[0]), rows)


def describe_grammars(
    grammars: Sequence[PathLike | Grammar],
    *,
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
) -> GrammarStatistics:
    """Return the numbers of rules of each grammar by class."""
    from paragauge.grammar.tools import grammar_statistics

    rows = []
    for given in grammars:
        opened = _opened(given)
        name = Path(given).name if isinstance(given, str | os.PathLike) else opened.name
        found = grammar_statistics(opened, engine=engine, progress=progress)
        rows += [(name, kind, numbers) for kind, numbers in found.items()]
    return GrammarStatistics(tuple(rows))


def form_of_name(path: PathLike) -> Form:
    """Return the form that the name of an output implies.

    >>> [form_of_name(name) for name in ("a.grammar", "a.tsv.gz", "a.moses", "a.gz", "-", "a.txt")]
    ['grammar', 'tsv', 'moses', 'text', 'text', 'text']
    """
    name = os.fspath(path)
    bare = name.removesuffix(".gz")
    if bare.endswith(".tsv"):
        return "tsv"
    if bare.endswith(".moses"):
        return "moses"
    return "text" if bare != name or bare == "-" or bare.endswith((".txt", ".rules", ".ppdb")) else "grammar"


def write_rules(
    grammar: PathLike | Grammar,
    output: PathLike,
    *,
    form: Form | None = None,
    label: str = "X",
    upper_labels: bool = False,
    feature: str | None = None,
    engine: EngineOptions | None = None,
    progress: Progress | None = None,
) -> int:
    """Write a grammar or table in another form, and return the number of rules or pairs written.

    Args:
        grammar: Grammar or table, or its path.
        output: Folder or file to write.
        form: ``grammar`` (folder), ``text`` (Joshua, PPDB), ``table`` (folder of paraphrases), ``tsv`` (of
            paraphrases), ``phrases`` (folder of a phrase table) or ``moses``; by default implied by the name.
        label: Left-hand side of the rules of a table.
        upper_labels: Whether to write all labels in upper case, as parsers do.
        feature: Feature that becomes the score of a paraphrase.
        engine: Memory limit, temporary folder and threads.
        progress: Called with the number of rules written.
    """
    from paragauge.grammar.tables import has_counts, paraphrases_of_grammar, phrases_of_grammar
    from paragauge.phrases.moses import write_moses
    from paragauge.phrases.tsv import write_paraphrase_tsv

    chosen = form or form_of_name(output)
    if feature is not None and chosen not in ("table", "tsv"):
        raise no_effect("--feature", f"on {chosen}: only tables of paraphrases have a single score")
    opened = open_rules(grammar, label=label) if isinstance(grammar, str | os.PathLike) else grammar
    if upper_labels:
        from paragauge.grammar.tools import with_upper_labels

        opened = with_upper_labels(opened)
    if chosen == "grammar":
        return len(opened.save(output, progress=progress))
    if chosen == "text":
        return opened.write_text(output, progress=progress, threads=None if engine is None else engine.threads)
    if chosen == "phrases":
        return len(phrases_of_grammar(opened, engine=engine, output=output))
    if chosen == "moses":
        if has_counts(opened):
            return write_moses(phrases_of_grammar(opened, engine=engine), output, progress=progress)
        return _write_moses_scores(opened, output)
    score = feature or ("Score" if "Score" in opened.columns else DEFAULT_FEATURE)
    table = paraphrases_of_grammar(opened, feature=score, engine=engine, output=output if chosen == "table" else None)
    return len(table) if chosen == "table" else write_paraphrase_tsv(table, output, progress=progress)


def _write_moses_scores(grammar: Grammar, path: PathLike) -> int:
    """Write rules without nonterminals as Moses text without counts, each pair once: its most probable rule.

    Scores are probabilities: all four in Moses' order, or p(e|f) alone.
    """
    import math

    from paragauge.grammar.rule import RuleClass
    from paragauge.io import write_lines

    best: dict[tuple[str, str], Rule] = {}
    for rule in grammar:
        if rule.rule_class == RuleClass.SYNTACTIC:
            continue
        if DEFAULT_FEATURE not in rule.features:
            raise DataError(f"the rule for {rule.source_text!r} has no probability to write", path=grammar.name)
        pair = rule.source_text, rule.target_text
        if pair not in best or rule.features[DEFAULT_FEATURE] < best[pair].features[DEFAULT_FEATURE]:
            best[pair] = rule

    def lines() -> Iterator[str]:
        for (source, target), rule in best.items():
            names = _MOSES if all(name in rule.features for name in _MOSES) else (DEFAULT_FEATURE,)
            scores = " ".join(f"{math.exp(-rule.features[name]):.6g}" for name in names)
            yield f"{source} ||| {target} ||| {scores} ||| {rule.alignment or ''}"

    return write_lines(path, lines())
