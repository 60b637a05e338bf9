"""The rules of a gold grammar that another grammar contains, counted on the engine for grammars of any size.

Rules are the same if their left-hand side, both right-hand sides and the indices are the same (strict), or if they
are after every label has become X (non-strict); resulting duplicates count once. Rules with equal sides (identities)
paraphrase nothing; they count only on request.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from paragauge.errors import OptionError
from paragauge.grammar import queries
from paragauge.grammar.grammar import DEFAULT_FEATURE, SIDES, Grammar
from paragauge.grammar.opening import KnownGrammar
from paragauge.grammar.rule import RuleClass
from paragauge.io import PathLike
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import Engine, EngineOptions, Relational
from paragauge.storage.remote import Job, RemoteEngine
from paragauge.storage.store import arrow_strings, string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

Match: TypeAlias = Literal["strict", "non-strict"]
MATCHES: tuple[Match, ...] = ("strict", "non-strict")
Identities: TypeAlias = Literal["in", "out"]
IDENTITIES: tuple[Identities, ...] = ("in", "out")


@dataclass(frozen=True, slots=True)
class OverlapCounts:
    """Numbers of paraphrase rules of one class.

    Attributes:
        found: Number of gold rules that the grammar contains.
        gold: Number of gold rules.
        grammar: Number of rules of the grammar.
    """

    found: int
    gold: int
    grammar: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of a grammar with a gold grammar.

    Attributes:
        match: How rules were compared, ``strict`` or ``non-strict``.
        counts: Numbers of rules by minimum count of a gold rule, and by class.
        curve: How many of the best n rules of the grammar are gold, as (n, found), if requested.
    """

    match: Match
    counts: Mapping[int, Mapping[RuleClass, OverlapCounts]]
    curve: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NamedOverlap:
    """The overlap of one of several grammars.

    Attributes:
        system: Name of the grammar.
        overlap: Overlap with the gold grammar.
    """

    system: str
    overlap: Overlap


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareGrammars(Job[list[NamedOverlap]]):
    """The work of `grammar_overlaps`, for a remote engine."""

    kind: ClassVar[str] = "overlap"

    grammars: Mapping[str, KnownGrammar | PathLike]
    gold: KnownGrammar | PathLike
    matches: Sequence[Match] = MATCHES
    min_counts: Sequence[int] = (1, 2)
    feature: str | None = None
    identities: Identities = "out"


def grammar_overlap(
    grammar: KnownGrammar | PathLike,
    gold: KnownGrammar | PathLike,
    *,
    match: Match = "strict",
    min_counts: Sequence[int] = (1, 2),
    feature: str | None = None,
    identities: Identities = "out",
    engine: EngineOptions | RemoteEngine | None = None,
) -> Overlap:
    """Return how many rules of *gold* are in *grammar*.

    Args:
        grammar: Grammar to evaluate: opened by `open_grammar` for the same engine, or its path.
        gold: Gold grammar, likewise; it must have counts if *min_counts* contains a number above 1.
        match: ``strict`` or ``non-strict``.
        min_counts: Minimum counts of gold rules; there are results for each.
        feature: Rank the rules of the grammar by this feature, and also return the curve.
        identities: Whether rules with equal sides count: ``in`` or ``out``.
        engine: Memory limit, temporary folder and threads; or a cluster.

    Raises:
        DataError: The grammar lacks the feature.
        OptionError: *gold* has no counts, but they are needed.

    >>> from paragauge.grammar import Rule
    >>> gold = Grammar.from_rules(map(Rule.parse, ["[NN] ||| answer ||| reply", "[VB] ||| answer ||| reply"]))
    >>> other = Grammar.from_rules(map(Rule.parse, ["[NN] ||| answer ||| reply", "[NN] ||| a ||| a"]))
    >>> grammar_overlap(other, gold, min_counts=[1]).counts[1][RuleClass.LEXICAL]
    OverlapCounts(found=1, gold=2, grammar=1)
    >>> grammar_overlap(other, gold, match="non-strict", min_counts=[1]).counts[1][RuleClass.LEXICAL]
    OverlapCounts(found=1, gold=1, grammar=1)
    """
    found = grammar_overlaps(
        {"": grammar}, gold, matches=[match], min_counts=min_counts, feature=feature, identities=identities,
        engine=engine,
    )  # fmt: skip
    return found[0].overlap


def grammar_overlaps(
    grammars: Mapping[str, KnownGrammar | PathLike],
    gold: KnownGrammar | PathLike,
    *,
    matches: Sequence[Match] = MATCHES,
    min_counts: Sequence[int] = (1, 2),
    feature: str | None = None,
    identities: Identities = "out",
    engine: EngineOptions | RemoteEngine | None = None,
    progress: Progress | None = None,
) -> list[NamedOverlap]:
    """Return the overlap of several grammars with *gold*, which is read once.

    Args:
        grammars: Grammars to evaluate, by name.
        gold: Gold grammar.
        matches: Ways to compare rules; the overlaps are in this order, and within it in the order of *grammars*.
        min_counts: As for `grammar_overlap`.
        feature: As for `grammar_overlap`.
        identities: As for `grammar_overlap`.
        engine: As for `grammar_overlap`.
        progress: Called with the number of rules read; a cluster reports progress itself.
    """
    if isinstance(engine, RemoteEngine):
        if progress is not None:
            raise OptionError("a remote engine reports progress itself; pass progress to its own options")
        return engine.perform(
            CompareGrammars(
                grammars=grammars, gold=gold, matches=matches, min_counts=min_counts, feature=feature,
                identities=identities,
            )
        )  # fmt: skip
    by = _opened(gold)
    measured = {system: _opened(grammar) for system, grammar in grammars.items()}
    for match in matches:
        check_choices(match, min_counts, by.columns, by.name, identities)
    sizes = [grammar.known_size for grammar in (by, *measured.values())]
    total = None if None in sizes else len(matches) * sum(size or 0 for size in sizes)
    done = Counter(progress, total, "rules")
    found = []
    with Engine(engine) as running:
        load_gold(running, _reported(_gold_rows(by, matches), done), identities)
        for match in matches:
            for system, grammar in measured.items():
                rows = _reported(_rule_rows(grammar, match, feature), done)
                overlap = count_overlap(running, rows, match, min_counts, identities, curve=feature is not None)
                found.append(NamedOverlap(system, overlap))
    return found


def _reported(batches: Iterable[pa.RecordBatch], done: Counter) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield batch
        done.advance(batch.num_rows)


def _opened(grammar: KnownGrammar | PathLike) -> Grammar:
    if isinstance(grammar, Grammar):
        return grammar
    if isinstance(grammar, str | os.PathLike):
        return Grammar.open(grammar)
    raise OptionError(f"{grammar.name} was opened on a cluster; pass its engine, or open it locally")


def check_choices(
    match: str, min_counts: Sequence[int], gold_columns: Sequence[str], gold_name: str, identities: str = "out"
) -> None:
    """Raise an error for options that are invalid, or do not suit the gold grammar."""
    if match not in MATCHES:
        raise OptionError(f"match must be one of {', '.join(MATCHES)}; got {match!r}")
    if identities not in IDENTITIES:
        raise OptionError(f"identities must be one of {', '.join(IDENTITIES)}; got {identities!r}")
    if not min_counts or min(min_counts) < 1:
        raise OptionError(f"minimum counts must be at least 1, got {list(min_counts)}")
    if max(min_counts) > 1 and "count" not in gold_columns:
        raise OptionError(f"{gold_name} has no counts to filter rules by; extract it again, or use 1 as minimum")


def load_gold(running: Relational, gold_rows: Any, identities: Identities) -> None:
    """Load the rows of a gold grammar, made by `gold_batches`, for `count_overlap`."""
    running.run_over("incoming", gold_schema(), gold_rows, queries.gold_rules(identities == "in"))


def count_overlap(
    running: Relational,
    rule_rows: Any,
    match: Match,
    min_counts: Sequence[int],
    identities: Identities,
    *,
    curve: bool,
) -> Overlap:
    """Return the overlap of the loaded gold grammar with rows of the grammar to evaluate."""
    match_id = MATCHES.index(match)
    for relation in ("rules", "found"):
        running.run(queries.drop_table(relation))
    running.run_over("incoming", rule_schema(), rule_rows, queries.other_rules(identities == "in"))
    running.run(queries.found_rules(match_id))
    sizes = _by_class(running, queries.sizes_by_class("rules"))
    counts = {}
    for least in min_counts:
        golds = _by_class(running, queries.sizes_by_class("gold", least, match_id))
        found = _by_class(running, queries.sizes_by_class("found", least))
        counts[least] = {
            kind: OverlapCounts(found.get(kind, 0), golds.get(kind, 0), sizes.get(kind, 0)) for kind in RuleClass
        }
    return Overlap(match, counts, tuple(found_among_best(running.stream(queries.hits(match_id)))) if curve else ())


def gold_schema() -> pa.Schema:
    """Return the schema of rows of a gold grammar: the way to compare, the rule, its class and its count."""
    import pyarrow as pa

    return pa.schema([("match_id", pa.int8()), *_rule_fields(), ("count", pa.int64())])


def rule_schema() -> pa.Schema:
    """Return the schema of rows of a grammar to evaluate: the rule, its class and its cost."""
    import pyarrow as pa

    return pa.schema([*_rule_fields(), ("score", pa.float64())])


def _rule_fields() -> list[tuple[str, pa.DataType]]:
    import pyarrow as pa

    return [*((name, pa.large_string()) for name in ("lhs", "source", "target")), ("class", pa.int8())]


def _gold_rows(gold: Grammar, matches: Sequence[Match]) -> Iterator[pa.RecordBatch]:
    counted = "count" in gold.columns
    for batch in gold.batches([*SIDES, "count"] if counted else list(SIDES)):
        yield from gold_batches(batch, matches)


def gold_batches(batch: pa.RecordBatch, matches: Sequence[Match]) -> Iterator[pa.RecordBatch]:
    """Yield rules of the gold grammar as rows to compare, for each match; without counts, each rule counts once."""
    import numpy as np
    import pyarrow as pa

    counted = "count" in batch.schema.names
    counts = batch.column("count") if counted else pa.array(np.ones(batch.num_rows, np.int64))
    for match in matches:
        number = pa.array(np.full(batch.num_rows, MATCHES.index(match), np.int8))
        yield pa.RecordBatch.from_arrays([number, *_sides(batch, match), counts], schema=gold_schema())


def _rule_rows(grammar: Grammar, match: Match, feature: str | None) -> Iterator[pa.RecordBatch]:
    if feature is None:
        yield from (rule_batch(batch, None, match) for batch in grammar.batches(list(SIDES)))
    else:
        yield from (rule_batch(batch, costs, match) for batch, costs in grammar.scored_batches(feature))


def rule_batch(batch: pa.RecordBatch, costs: NDArray[np.float64] | None, match: Match) -> pa.RecordBatch:
    """Return rules of the grammar to evaluate as rows to compare."""
    import numpy as np
    import pyarrow as pa

    scores = pa.array(np.zeros(batch.num_rows) if costs is None else costs)
    return pa.RecordBatch.from_arrays([*_sides(batch, match), scores], schema=rule_schema())


def _sides(batch: pa.RecordBatch, match: Match) -> list[pa.Array]:
    import pyarrow as pa

    from paragauge import _core

    sides = [string_arrays(batch.column(name).cast(pa.large_string())) for name in ("source", "target")]
    lhs = batch.column("lhs").cast(pa.large_string())
    if match == "non-strict":
        lhs = pa.array(["X"] * batch.num_rows, type=pa.large_string())
        sides = [_core.unlabel(side) for side in sides]
    return [lhs, *(arrow_strings(*side) for side in sides), pa.array(_core.rule_classes(sides[0]))]


def _by_class(running: Relational, sql: str) -> dict[RuleClass, int]:
    return {RuleClass(kind): count for kind, count in running.rows(sql)}


def found_among_best(hits: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int]]:
    """Yield how many of the best 10, 20, 50, 100, ... rules, and of all rules, are found.

    The input has a flag for each rule, in order: the engine sorts, in as many tasks as it has, and no ranks are stored.
    """
    import numpy as np

    sizes = [step * 10**power for power in range(12, 0, -1) for step in (5, 2, 1)]
    size = place = found = 0
    for batch in hits:
        sums = found + np.cumsum(batch.column(0).to_numpy(zero_copy_only=False))
        while sizes[-1] <= place + len(sums):
            size = sizes.pop()
            yield size, int(sums[size - place - 1])
        place += len(sums)
        found = int(sums[-1]) if len(sums) else found
    if size < place or not place:
        yield place, found


__all__ = [
    "DEFAULT_FEATURE",
    "IDENTITIES",
    "MATCHES",
    "Identities",
    "Match",
    "NamedOverlap",
    "Overlap",
    "OverlapCounts",
    "grammar_overlap",
    "grammar_overlaps",
]
