"""Paraphrase grammars by pivoting (Bannard and Callison-Burch 2005; Ganitkevitch et al. 2013): a home-made PPDB.

Translation rules, with English as their source side, are joined through their foreign sides: two English sides with the
same left-hand side that share a foreign side, nonterminals included, are paraphrases. With g a foreign side,

    p(e2|e1)     = sum over bitexts and over g of p(g|e1) p(e2|g), divided by the number of bitexts that contain e1
    p(e2|e1,LHS) = the same given the left-hand side
    Lex(e2|e1)   = sum over g of Lex(g|e1) Lex(e2|g), or the largest of these products
    Count        = sum over g of min(N(e1, g), N(e2, g))

Names of features are PPDB's: f is the source side e1, and e the target side e2. p(LHS|e1) and p(e1|LHS) are taken over
from the translation rules. All of this is as in Thrax, whose rarity penalty belongs to the same count. The alignment is
that through the most probable pivot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args, overload

from paragauge.errors import DataError, OptionError
from paragauge.grammar import pivot_queries, queries
from paragauge.grammar.features import TEXT, with_costs
from paragauge.grammar.grammar import SIDES, Grammar, feature_column, rule_costs
from paragauge.grammar.opening import KnownGrammar
from paragauge.grammar.rule import parse_features
from paragauge.grammar.similarity import with_similarity
from paragauge.io import PathLike
from paragauge.progress import Counter, Progress
from paragauge.storage.engine import Engine, EngineOptions, Relational
from paragauge.storage.remote import Job, RemoteEngine, RunSummary, local_options, remote_output
from paragauge.storage.seen import Seen
from paragauge.storage.store import arrow_strings, string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

DEFAULT_MIN_PROB = 0.001
WEIGHTS: tuple[pivot_queries.Weights, ...] = get_args(pivot_queries.Weights)
# Of a translation rule, the features that each probability comes from; its source side is English.
_FEATURES = {
    "to_p": "p(e|f)", "from_p": "p(f|e)", "to_q": "p(e|f,LHS)", "from_q": "p(f|e,LHS)", "to_x": "Lex(e|f)",
    "from_x": "Lex(f|e)", "p_label": "p(LHS|f)", "p_phrase": "p(f|LHS)",
}  # fmt: skip
_LABEL_OF_FOREIGN = "p(LHS|e)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotLimits:
    """Which rules to pivot through, and which to keep.

    Attributes:
        min_prob: Minimum p(e2|e1).
        min_count: Minimum count of a paraphrase rule.
        min_step: Minimum p(g|e) and p(e|g) of a translation rule.
        min_step_count: Minimum count of a translation rule.
        top: Maximum number of rules with the same left-hand and source side, most probable first; None means no limit.
        identity: Also keep rules with equal sides.
        weights: Whether lexical weights are added up over pivots, as in Thrax (``sum``), or those of the ``best`` one.
    """

    min_prob: float = DEFAULT_MIN_PROB
    min_count: int = 1
    min_step: float = 0.001
    min_step_count: int = 1
    top: int | None = None
    identity: bool = False
    weights: pivot_queries.Weights = "sum"

    def __post_init__(self) -> None:
        for name in ("min_prob", "min_step"):
            if not 0 <= getattr(self, name) <= 1:
                raise OptionError(f"{name} must be between 0 and 1, got {getattr(self, name)}")
        for name in ("min_count", "min_step_count", "top"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} must be at least 1, got {value}")
        if self.weights not in WEIGHTS:
            raise OptionError(f"weights must be one of {', '.join(WEIGHTS)}; got {self.weights!r}")

    @property
    def max_step_cost(self) -> float:
        """Maximum -ln p of a translation rule."""
        return math.inf if self.min_step == 0 else -math.log(self.min_step) + 1e-9

    def settings(self) -> dict[str, Any]:
        """Return the limits, for the manifest."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotRules(Job[RunSummary]):
    """The work of `pivot_grammar`, for a remote engine."""

    kind: ClassVar[str] = "pivot_grammar"

    grammars: tuple[KnownGrammar | PathLike, ...]
    output: PathLike
    limits: PivotLimits
    similarity: PathLike | None = None
    encoding: str = "utf-8"


@overload
def pivot_grammar(
    grammars: Sequence[Grammar | PathLike],
    *,
    limits: PivotLimits | None = None,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar: ...
@overload
def pivot_grammar(
    grammars: Sequence[Grammar | PathLike],
    *,
    limits: PivotLimits | None = None,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    engine: RemoteEngine,
    output: PathLike,
) -> RunSummary: ...
def pivot_grammar(
    grammars: Sequence[Grammar | PathLike],
    *,
    limits: PivotLimits | None = None,
    similarity: PathLike | None = None,
    encoding: str = "utf-8",
    engine: EngineOptions | RemoteEngine | None = None,
    output: PathLike | None = None,
    progress: Progress | None = None,
) -> Grammar | RunSummary:
    """Return the paraphrases of the source sides of translation grammars.

    Args:
        grammars: One grammar for each bitext, opened or by path, with English as the source side.
        limits: Which rules to keep.
        similarity: Tokenised English text, for the distributional similarity of both sides (``AGigaSim``).
        encoding: Encoding of that text.
        engine: Memory limit, temporary folder and threads; or a cluster, which writes parts and returns a summary.
        output: Grammar folder to write; by default the grammar is kept in memory. A cluster needs it.
        progress: Called with the number of translation rules read.

    Raises:
        DataError: A grammar lacks probabilities, or there are no paraphrases.

    >>> from paragauge.grammar import extract_grammar
    >>> french = extract_grammar(["house", "home"], ["maison", "maison"], ["0-0", "0-0"])
    >>> [(rule.source_text, rule.target_text, round(rule.features["p(e|f)"], 3)) for rule in pivot_grammar([french])]
    [('home', 'house', 0.693), ('house', 'home', 0.693)]
    """
    limits = limits or PivotLimits()
    if not grammars:
        raise OptionError("there are no grammars to pivot through; expected at least one")
    if isinstance(engine, RemoteEngine):
        return engine.perform(
            PivotRules(
                grammars=tuple(grammars), output=remote_output(output, progress), limits=limits, similarity=similarity,
                encoding=encoding,
            )
        )  # fmt: skip
    options = local_options(engine)
    opened = [grammar if isinstance(grammar, Grammar) else Grammar.open(grammar) for grammar in grammars]
    kind = kind_of_rules([(grammar.name, grammar.columns, first_features(grammar)) for grammar in opened])
    with Engine(options) as running:
        read = Counter(progress, None, "translation rules")

        def incoming() -> Iterator[pa.RecordBatch]:
            for corpus, grammar in enumerate(opened):
                for batch in grammar.batches(kind.wanted(grammar.columns, grammar.name)):
                    yield kind.loaded(batch, corpus, grammar.name, limits)
                    read.advance(batch.num_rows)

        def over(statement: str) -> None:
            running.run_over("incoming", kind.schema, incoming(), statement)

        find_steps(running, over, kind, limits, len(opened), as_text=False)
        read.now("pivoting")
        running.run(pivot_queries.pivoted(kind.labelled, kind.weights(limits), limits.identity, as_text=False))
        running.run(pivot_queries.directed(kind.labelled, kind.lexical, as_text=False))
        sql = pivot_queries.sorted_rules(
            kind.labelled, kind.lexical, False, limits.min_prob, limits.min_count, limits.top
        )
        made = kind.settings(limits, [grammar.digest for grammar in opened])
        seen = Seen.merged(grammar.seen for grammar in opened)

        def rules() -> Iterator[pa.RecordBatch]:
            return (kind.finished(batch) for batch in running.stream(sql))

        if running.row(pivot_queries.any_rule(limits.min_prob, limits.min_count)) is None:
            raise no_paraphrases([grammar.name for grammar in opened])
        if output is None:
            pivoted = Grammar.from_batches(rules(), kind.columns, options=made, seen=seen)
        elif similarity is None:
            return Grammar(lambda _: rules(), kind.columns, options=made, seen=seen).save(output)
        else:  # rules are read twice, so they wait on disk
            place = Path(running.folder) / "pivoted.grammar"
            pivoted = Grammar(lambda _: rules(), kind.columns, options=made, seen=seen).save(place)
        if similarity is None:
            return pivoted
        return with_similarity(pivoted, similarity, encoding=encoding, output=output, progress=progress)


def find_steps(
    engine: Relational,
    over: Callable[[str], None],
    kind: RuleKind,
    limits: PivotLimits,
    corpora: int,
    *,
    as_text: bool,
) -> int:
    """Keep the translation rules that share a foreign side with others, and return the number of all rules.

    Args:
        engine: Engine.
        over: Runs a statement over all translation rules, under the name ``incoming``.
        kind: Features of the rules.
        limits: Which rules to keep.
        corpora: Number of bitexts.
        as_text: Whether phrases and pivots are text, not numbers.
    """
    over(pivot_queries.ways(kind.labelled))
    found = engine.row(pivot_queries.COUNT_RULES)
    engine.run(pivot_queries.TOTALS)
    engine.run(pivot_queries.pivots(kind.labelled, limits.identity, as_text))
    for relation in ("ways", "totals"):
        engine.run(queries.drop_table(relation))
    over(pivot_queries.loaded(kind.labelled, kind.lexical))
    engine.run(queries.drop_table("pivots"))
    if corpora > 1:
        over(pivot_queries.known(kind.labelled))
    engine.run(pivot_queries.english(kind.labelled, as_text, "known" if corpora > 1 else "loaded"))
    engine.run(pivot_queries.steps(kind.labelled, kind.lexical, as_text))
    for relation in ("known", "loaded"):
        engine.run(queries.drop_table(relation))
    return 0 if found is None or found[0] is None else int(found[0])


def no_paraphrases(names: Sequence[str]) -> DataError:
    """Return the error for grammars that yield no paraphrases."""
    return DataError(
        f"{', '.join(names)}: no two source sides share a foreign side; check that English is the source side, or "
        "lower --min-prob and --min-step"
    )


@dataclass(frozen=True)
class RuleKind:
    """The features that translation rules have, and with them their paraphrases.

    Attributes:
        labelled: Whether there are probabilities of labels.
        lexical: Whether there are lexical weights.
    """

    labelled: bool
    lexical: bool

    @property
    def features(self) -> tuple[str, ...]:
        """Feature columns of paraphrase rules."""
        return queries.feature_names(self.labelled, self.lexical)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of paraphrase rules."""
        return (*TEXT, "count", *self.features)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Probabilities of translation rules."""
        return pivot_queries.numbers(self.labelled, self.lexical)

    def weights(self, limits: PivotLimits) -> pivot_queries.Weights | None:
        """Return how lexical weights are computed; ``None`` if there are none."""
        return limits.weights if self.lexical else None

    @property
    def schema(self) -> pa.Schema:
        """The schema of translation rules in the engine."""
        import pyarrow as pa

        text = pa.large_string()
        fields = [("corpus", pa.int32()), ("lhs", text), ("source", text), ("foreign_side", text)]
        fields += [("swapped", pa.bool_()), ("count", pa.int64()), ("alignment", text)]
        totals = [(name, pa.int64()) for name in ("total", *(["label_total"] if self.labelled else []))]
        return pa.schema([*fields, *((name, pa.float64()) for name in self.numbers), *totals])

    def wanted(self, columns: Sequence[str], name: str) -> list[str]:
        """Return the columns to read from a grammar."""
        more = [column for column in ("alignment", _count_column(columns)) if column in columns]
        needed = [*(_FEATURES[number] for number in self.numbers), *([_LABEL_OF_FOREIGN] if self.labelled else [])]
        features = (feature_column(feature, columns, name) for feature in needed)
        return list(dict.fromkeys([*SIDES, *more, *features]))

    def loaded(self, batch: pa.RecordBatch, corpus: int, name: str, limits: PivotLimits) -> pa.RecordBatch:
        """Return translation rules as rows of the engine."""
        import numpy as np
        import pyarrow as pa

        from paragauge import _core

        rows = batch.num_rows
        sides = [string_arrays(batch.column(side).cast(pa.large_string())) for side in ("target", "source")]
        foreign, english, wrong = _core.renumber(*sides)
        if wrong >= 0:
            raise DataError(
                f"a rule has different nonterminals on its two sides: {batch.column('source')[wrong]}", path=name
            )
        import pyarrow.compute as pc

        source = arrow_strings(*sides[1])
        swapped = pc.not_equal(arrow_strings(*english), source)
        names = batch.schema.names
        counts = _counts(batch, name)
        links = (
            batch.column("alignment").cast(pa.large_string())
            if "alignment" in names
            else pa.array([""] * rows, pa.large_string())
        )
        costs = {number: rule_costs(batch, _FEATURES[number], name) for number in self.numbers}
        for number in set(self.numbers).difference(pivot_queries.LEXICAL):
            if not np.isfinite(costs[number]).all():
                rule = int(np.flatnonzero(~np.isfinite(costs[number]))[0])
                raise DataError(
                    f"a rule has no feature {_FEATURES[number]}, which others have: {batch.column('source')[rule]}",
                    path=name,
                )
        columns = [
            pa.array(np.full(rows, corpus, np.int32)), batch.column("lhs").cast(pa.large_string()), source,
            arrow_strings(*foreign), swapped, pa.array(counts), links,
            *(pa.array(np.exp(-cost)) for cost in costs.values()),
        ]  # fmt: skip
        # N(LHS, g) and N(g) from N(LHS, e, g), p(e|g,LHS) and p(LHS|g).
        if self.labelled:
            label_totals = counts * np.exp(costs["from_q"])
            totals = label_totals * np.exp(rule_costs(batch, _LABEL_OF_FOREIGN, name))
            columns += [pa.array(np.rint(total).astype(np.int64)) for total in (totals, label_totals)]
        else:
            columns.append(pa.array(np.rint(counts * np.exp(costs["from_p"])).astype(np.int64)))
        likely = np.maximum(costs["to_p"], costs["from_p"]) <= limits.max_step_cost
        likely &= counts >= limits.min_step_count
        return pa.RecordBatch.from_arrays(columns, schema=self.schema).filter(pa.array(likely))

    def finished(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return paraphrase rules with their features, from rows of the engine."""
        import pyarrow as pa
        import pyarrow.compute as pc

        from paragauge import _core

        target = batch.column("target").cast(pa.large_string())
        turned = target
        for before, after in (("1", "\0"), ("2", "1"), ("\0", "2")):
            pattern = rf"(^| )(\[[^ ]+,){before}\]( |$)"
            turned = pc.replace_substring_regex(turned, pattern, rf"\1\2{after}]\3")
        target = pc.if_else(batch.column("crossed"), turned, target)
        links = [string_arrays(batch.column(name).cast(pa.large_string())) for name in ("alignment", "other_alignment")]
        names = [name for name in self.features if name != queries.RARITY]
        columns = [batch.column("lhs"), batch.column("source"), target, arrow_strings(*_core.compose_links(*links))]
        columns += [batch.column(name) for name in ("count", *names)]
        plain = pa.RecordBatch.from_arrays(columns, names=[*TEXT, "count", *names])
        return with_costs(plain, self.features)

    def settings(self, limits: PivotLimits, digests: Sequence[str | None]) -> Mapping[str, Any]:
        """Return how the grammar was made, for its manifest."""
        return {"pivoted": [digest for digest in digests if digest is not None], **limits.settings()}


def _count_column(columns: Sequence[str]) -> str:
    return "count" if "count" in columns else "features"


def _counts(batch: pa.RecordBatch, name: str) -> NDArray[np.int64]:
    import numpy as np

    if "count" in batch.schema.names:
        return np.asarray(batch.column("count").to_numpy(), dtype=np.int64)
    values = -rule_costs(batch, "Count", name)
    if not np.isfinite(values).all():
        raise DataError("rules have no Count; extract the grammar with 'paragauge grammar'", path=name)
    return np.rint(values).astype(np.int64)


def kind_of_rules(grammars: Iterable[tuple[str, Sequence[str], str]]) -> RuleKind:
    """Return what all grammars have, given by name, columns and, if they are text, their first rule's features.

    Raises:
        DataError: A grammar has no probabilities.
    """
    known = [(name, {*columns, *parse_features(first)}) for name, columns, first in grammars]
    for name, features in known:
        for number in pivot_queries.PLAIN:
            if _FEATURES[number] not in features:
                raise DataError(
                    f"its rules have no feature {_FEATURES[number]}; pivot grammars that 'paragauge grammar' or Thrax "
                    "extracted from a bitext",
                    path=name,
                )

    def all_have(*numbers: str) -> bool:
        return all(_FEATURES[number] in features for number in numbers for _, features in known)

    labelled = all_have(*pivot_queries.WITH_LABEL, *pivot_queries.OF_LABEL)
    labelled &= all(_LABEL_OF_FOREIGN in features for _, features in known)
    return RuleKind(labelled, all_have(*pivot_queries.LEXICAL))


def first_features(grammar: Grammar) -> str:
    """Return the features of the first rule, as text; nothing if features are columns."""
    if "features" not in grammar.columns:
        return ""
    return next((str(batch.column("features")[0]) for batch in grammar.batches(["features"]) if batch.num_rows), "")
