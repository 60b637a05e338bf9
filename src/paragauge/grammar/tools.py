"""Grammars pruned, merged, sampled, searched and described.

The engine ranks rules by number and keeps those that are wanted; the rules themselves are then copied as they are, in
the same order and with all their columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragauge.errors import DataError, OptionError
from paragauge.grammar import queries
from paragauge.grammar.features import TEXT, with_costs
from paragauge.grammar.files import TEXT_COLUMNS, rules_of_batch
from paragauge.grammar.grammar import DEFAULT_FEATURE, SIDES, Grammar, feature_column, is_cost, rule_costs
from paragauge.grammar.noise import Noise, check_kinds, is_noise
from paragauge.grammar.rule import Rule, RuleClass
from paragauge.io import PathLike
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.seen import Seen
from paragauge.storage.store import arrow_strings, string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePruning:
    """Which rules to keep.

    Attributes:
        min_count: Minimum count; the grammar must have counts.
        min_prob: Minimum probability (or value) of the feature.
        top: Maximum number of rules with the same left-hand and source side, best first; None means no limit.
        top_labels: Maximum number of rules that differ only in their labels, best first (PARADIGM, section 5.6).
        feature: Feature that ranks rules; of those named like ``p(e|f)``, which hold -ln p, p counts.
        classes: Classes of rules to keep; empty for all.
        labels: Left-hand sides to keep; empty for all.
        noise: Kinds of noise to leave out.
        identities: Whether to keep rules with equal sides.
    """

    min_count: int = 1
    min_prob: float | None = None
    top: int | None = None
    top_labels: int | None = None
    feature: str = DEFAULT_FEATURE
    classes: tuple[RuleClass, ...] = ()
    labels: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()
    identities: bool = True

    def __post_init__(self) -> None:
        for name in ("min_count", "top", "top_labels"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} must be at least 1, got {value}")
        check_kinds(self.noise)

    @property
    def ranks(self) -> bool:
        """Whether rules are compared with one another."""
        return self.top is not None or self.top_labels is not None

    @property
    def max_cost(self) -> float | None:
        """The cost of the least probable rule to keep."""
        if self.min_prob is None:
            return None
        if not is_cost(self.feature):
            return -self.min_prob
        if not 0 <= self.min_prob <= 1:
            raise OptionError(f"min_prob must be between 0 and 1, got {self.min_prob}")
        return math.inf if self.min_prob == 0 else -math.log(self.min_prob) + 1e-9


def prune_grammar(
    grammar: Grammar,
    pruning: RulePruning,
    *,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return the rules of a grammar that *pruning* keeps; probabilities stay as they are.

    >>> rules = ["[NN] ||| a ||| b ||| p(e|f)=1", "[VB] ||| a ||| b ||| p(e|f)=2", "[NN] ||| a ||| c ||| p(e|f)=3"]
    >>> grammar = Grammar.from_rules(map(Rule.parse, rules))
    >>> [str(rule) for rule in prune_grammar(grammar, RulePruning(top_labels=1, min_prob=0.1))]
    ['[NN] ||| a ||| b ||| p(e|f)=1']
    """
    needed = [*SIDES]
    scored = pruning.ranks or pruning.min_prob is not None
    if scored:
        needed.append(feature_column(pruning.feature, grammar.columns, grammar.name))
    if pruning.min_count > 1:
        needed.append(feature_column("count" if "count" in grammar.columns else "Count", grammar.columns, grammar.name))
    done = Counter(progress, grammar.known_size, "rules")
    kept: list[NDArray[np.bool_]] = []
    with Engine(engine) as running:
        rows = _chosen(grammar, list(dict.fromkeys(needed)), pruning, scored, kept, done)
        if not pruning.ranks:
            for _ in rows:
                pass
        else:
            running.run_over("incoming", _ranked_schema(), rows, "CREATE TABLE rules AS SELECT * FROM incoming")
            _keep_best(running, pruning, kept)
    if not any(mask.any() for mask in kept):
        raise DataError("no rule is left; prune less", path=grammar.name)
    threads = None if engine is None else engine.threads
    return _copied(grammar, kept, {"pruned": _settings(pruning)}, output, progress, threads)


def _settings(pruning: RulePruning) -> dict[str, Any]:
    plain = RulePruning()
    changed = {
        name: getattr(pruning, name) for name in pruning.__slots__ if getattr(pruning, name) != getattr(plain, name)
    }
    return {
        name: [str(each) for each in value] if isinstance(value, tuple) else value for name, value in changed.items()
    }


def _ranked_schema() -> pa.Schema:
    import pyarrow as pa

    text = [(name, pa.large_string()) for name in ("lhs", "source", "target", "bare_source", "bare_target")]
    return pa.schema([("number", pa.int64()), *text, ("score", pa.float64())])


def _chosen(
    grammar: Grammar,
    columns: list[str],
    pruning: RulePruning,
    scored: bool,
    kept: list[NDArray[np.bool_]],
    done: Counter,
) -> Iterator[pa.RecordBatch]:
    """Yield the rules that remain without ranking, and note which these are."""
    import numpy as np
    import pyarrow as pa

    from paragauge import _core

    first, known = 0, False
    for batch in grammar.batches(columns):
        sides = {name: batch.column(name).cast(pa.large_string()) for name in SIDES}
        arrays = {name: string_arrays(sides[name]) for name in ("source", "target")}
        wanted = np.ones(batch.num_rows, dtype=bool)
        costs = rule_costs(batch, pruning.feature, grammar.name, first) if scored else np.zeros(batch.num_rows)
        if pruning.max_cost is not None:
            wanted &= costs <= pruning.max_cost
        if pruning.min_count > 1:
            wanted &= _counts(batch, grammar.name) >= pruning.min_count
        if pruning.classes:
            wanted &= np.isin(_core.rule_classes(arrays["source"]), [int(kind) for kind in pruning.classes])
        if pruning.labels:
            wanted &= np.isin(sides["lhs"].to_numpy(zero_copy_only=False), list(pruning.labels))
        if not pruning.identities:
            wanted &= _different(sides["source"], sides["target"])
        if pruning.noise:
            wanted &= _clean(sides["source"], sides["target"], wanted, pruning.noise)
        kept.append(wanted)
        done.advance(batch.num_rows)
        if pruning.ranks:
            bare = [arrow_strings(*_core.unlabel(arrays[name])) for name in ("source", "target")]
            numbers = pa.array(np.arange(first, first + batch.num_rows))
            rows = [numbers, *sides.values(), *bare, pa.array(costs)]
            yield pa.RecordBatch.from_arrays(rows, schema=_ranked_schema()).filter(pa.array(wanted))
        known = known or not scored or bool(np.isfinite(costs).any())
        first += batch.num_rows
    if first and not known:
        raise DataError(f"no rule has the feature {pruning.feature!r}", path=grammar.name)


def _counts(batch: pa.RecordBatch, name: str) -> NDArray[np.float64]:
    if "count" in batch.schema.names:
        return batch.column("count").to_numpy()  # type: ignore[no-any-return]  # as the column says
    return -rule_costs(batch, "Count", name)


def _different(source: pa.Array, target: pa.Array) -> NDArray[np.bool_]:
    import pyarrow.compute as pc

    return pc.not_equal(source, target).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _clean(source: pa.Array, target: pa.Array, wanted: NDArray[np.bool_], noise: Sequence[Noise]) -> NDArray[np.bool_]:
    import numpy as np

    rows = zip(source.to_pylist(), target.to_pylist(), wanted.tolist(), strict=True)
    return np.array([keep and not is_noise(one, other, noise) for one, other, keep in rows], dtype=bool)


def _keep_best(running: Engine, pruning: RulePruning, kept: list[NDArray[np.bool_]]) -> None:
    """Keep the best of the rules in the engine: first of those that differ in labels, then of those of one source."""
    import numpy as np

    whole = np.concatenate([np.zeros(0, dtype=bool), *kept])
    whole[:] = False
    for batch in running.stream(queries.best_rules(pruning.top_labels, pruning.top)):
        whole[batch.column("number").to_numpy()] = True
    ends = np.cumsum([len(mask) for mask in kept])
    kept[:] = np.split(whole, ends[:-1])


def _copied(
    grammar: Grammar,
    kept: Sequence[NDArray[np.bool_]],
    made: Mapping[str, Any],
    output: PathLike | None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> Grammar:
    import pyarrow as pa

    def batches(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        for batch, mask in zip(grammar.batches(wanted), kept, strict=True):
            if mask.any():
                yield batch.filter(pa.array(mask))

    options = {**{name: value for name, value in grammar.options.items() if name != "columns"}, **made}
    size = int(sum(mask.sum() for mask in kept))
    chosen = Grammar(batches, grammar.columns, options=options, size=size, name=grammar.name, seen=grammar.seen)
    return chosen if output is None else chosen.save(output, progress=progress, threads=threads)


def sample_grammar(grammar: Grammar, size: int, *, seed: int = 12345, output: PathLike | None = None) -> Grammar:
    """Return *size* rules of a grammar, chosen at random, in their order; all rules if there are no more."""
    import numpy as np

    if size < 1:
        raise OptionError(f"size must be at least 1, got {size}")
    total = len(grammar)
    mask = np.zeros(total, dtype=bool)
    mask[np.random.default_rng(seed).choice(total, min(size, total), replace=False)] = True
    ends = np.cumsum([batch.num_rows for batch in grammar.batches(["lhs"])])
    return _copied(grammar, np.split(mask, ends[:-1]), {"sample": size, "seed": seed}, output)


def merge_grammars(
    grammars: Sequence[Grammar],
    *,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar:
    """Return one grammar of all rules.

    Extracted grammars with the same features are merged by their counts, and probabilities computed again. Of others,
    such as PPDB's and pivoted ones, a rule that occurs several times keeps its features in the first grammar.
    """
    if not grammars:
        raise OptionError("there are no grammars to merge; expected at least one")
    columns = grammars[0].columns
    made = {"merged": [grammar.digest for grammar in grammars]}
    seen = Seen.merged(grammar.seen for grammar in grammars)
    counted = "count" in columns and not any("pivoted" in grammar.options for grammar in grammars)
    same = all(grammar.columns == columns for grammar in grammars)
    done = Counter(progress, None, "rules")
    with Engine(engine) as running:
        if counted and same:
            batches: Callable[[], Iterator[pa.RecordBatch]] = _added(running, grammars, done)
        else:
            batches, columns = _first_of_each(running, grammars, done)
        if output is None:
            return Grammar.from_batches(batches(), columns, options=made, seen=seen)
        return Grammar(lambda _: batches(), columns, options=made, seen=seen).save(output)


def _added(running: Engine, grammars: Sequence[Grammar], done: Counter) -> Callable[[], Iterator[pa.RecordBatch]]:
    """Add up counts, and compute probabilities from the sums."""
    import numpy as np
    import pyarrow as pa

    columns = grammars[0].columns
    labelled, lexical = "p(e|f,LHS)" in columns, queries.LEXICAL[0] in columns
    text = [(name, pa.large_string()) for name in TEXT]
    weights = [(name, pa.float64()) for name in ("direct", "inverse")] if lexical else []
    schema = pa.schema([*text, *weights, ("count", pa.int64())])

    def rows() -> Iterator[pa.RecordBatch]:
        for grammar in grammars:
            for batch in grammar.batches([*TEXT, "count", *(queries.LEXICAL if lexical else ())]):
                costs = [batch.column(name).to_numpy() for name in (queries.LEXICAL if lexical else ())]
                parts = [*(batch.column(name) for name in TEXT), *(pa.array(np.exp(-cost)) for cost in costs)]
                yield pa.RecordBatch.from_arrays([*parts, batch.column("count")], names=schema.names).cast(schema)
                done.advance(batch.num_rows)

    running.run_over("partial", schema, rows(), queries.add_partial(lexical))
    features = queries.feature_names(labelled, lexical)
    statement = queries.sorted_rules(labelled, lexical, 0, 1)
    return lambda: (with_costs(batch, features) for batch in running.stream(statement))


def _first_of_each(
    running: Engine, grammars: Sequence[Grammar], done: Counter
) -> tuple[Callable[[], Iterator[pa.RecordBatch]], tuple[str, ...]]:
    """Keep each rule once, as text, with its features in the first grammar that has it."""
    import pyarrow as pa

    text = [(name, pa.large_string()) for name in TEXT_COLUMNS]
    schema = pa.schema([("part", pa.int64()), *text])

    def rows() -> Iterator[pa.RecordBatch]:
        for part, grammar in enumerate(grammars):
            for batch in grammar.text_batches():
                numbers = pa.array([part] * batch.num_rows, pa.int64())
                yield pa.RecordBatch.from_arrays([numbers, *batch.columns], names=schema.names).cast(schema)
                done.advance(batch.num_rows)

    running.run_over("incoming", schema, rows(), "CREATE TABLE several AS SELECT * FROM incoming")
    return lambda: running.stream(queries.FIRST_OF_EACH), TEXT_COLUMNS


def find_rules(grammar: Grammar, phrase: str, *, contains: bool = False, ignore_case: bool = False) -> list[Rule]:
    """Return the rules whose source side is *phrase*, or contains its words one after another.

    >>> grammar = Grammar.from_rules([Rule.parse("[NN] ||| House ||| Home"), Rule.parse("[NP] ||| a House ||| a Home")])
    >>> [str(rule) for rule in find_rules(grammar, "house", ignore_case=True)]
    ['[NN] ||| House ||| Home']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    words = " ".join(phrase.split())
    if not words:
        raise OptionError("the phrase is empty; give a word or several")
    words = words.lower() if ignore_case else words
    found: list[Rule] = []
    for batch in grammar.batches():
        source = batch.column("source").cast(pa.large_string())
        source = pc.utf8_lower(source) if ignore_case else source
        if contains:
            mask = pc.match_substring_regex(source, f"(^| ){re.escape(words)}( |$)")
        else:
            mask = pc.equal(source, words)
        if pc.any(mask).as_py():
            found += rules_of_batch(batch.filter(mask))
    return found


@dataclass(frozen=True, slots=True)
class ClassStatistics:
    """Numbers of rules of one class.

    Attributes:
        rules: Number of rules.
        identities: Number of those with equal sides.
        pairs: Number of different pairs of sides, regardless of labels.
        labels: Number of different left-hand sides.
        source_length: Mean number of symbols on the source side.
        target_length: The same on the target side.
    """

    rules: int
    identities: int
    pairs: int
    labels: int
    source_length: float
    target_length: float


def grammar_statistics(
    grammar: Grammar, *, engine: EngineOptions | None = None, progress: Progress | None = None
) -> dict[RuleClass, ClassStatistics]:
    """Return numbers of rules by class."""
    import pyarrow as pa

    from paragauge import _core

    done = Counter(progress, grammar.known_size, "rules")
    text = [(name, pa.large_string()) for name in SIDES]
    schema = pa.schema([("class", pa.int8()), *text, ("same", pa.bool_())])

    def rows() -> Iterator[pa.RecordBatch]:
        for batch in grammar.batches(list(SIDES)):
            sides = [string_arrays(batch.column(name).cast(pa.large_string())) for name in ("source", "target")]
            bare = [arrow_strings(*_core.unlabel(side)) for side in sides]
            lhs = batch.column("lhs").cast(pa.large_string())
            same = pa.array(~_different(*(batch.column(name) for name in ("source", "target"))))
            kinds = pa.array(_core.rule_classes(sides[0]))
            yield pa.RecordBatch.from_arrays([kinds, lhs, *bare, same], schema=schema)
            done.advance(batch.num_rows)

    with Engine(engine) as running:
        running.run_over("incoming", schema, rows(), "CREATE TABLE described AS SELECT * FROM incoming")
        found = {RuleClass(kind): ClassStatistics(*numbers) for kind, *numbers in running.rows(queries.STATISTICS)}
    return {kind: found.get(kind, ClassStatistics(0, 0, 0, 0, 0.0, 0.0)) for kind in RuleClass}


def with_upper_labels(grammar: Grammar) -> Grammar:
    """Return the grammar with all labels in upper case, as parsers write them; some PPDB files have lower case."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def upper(side: str) -> str:
        return re.sub(r"(?<!\S)\[(\S+),(\d{1,2})\](?!\S)", lambda match: f"[{match[1].upper()},{match[2]}]", side)

    def batches(wanted: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        for batch in grammar.batches(wanted):
            columns = []
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                made = column
                if name == "lhs":
                    made = pc.utf8_upper(column)
                elif name in ("source", "target") and pc.any(pc.match_substring(column, "[")).as_py():
                    made = pa.array([upper(side) if "[" in side else side for side in column.to_pylist()], column.type)
                columns.append(made)
            yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    return Grammar(
        batches, grammar.columns, options=grammar.options, size=grammar.known_size, name=grammar.name, seen=grammar.seen
    )
