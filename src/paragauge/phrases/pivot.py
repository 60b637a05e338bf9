"""Paraphrases through a foreign phrase (Bannard and Callison-Burch 2005).

p(e2|e1) = sum over corpora C and over f in C of p(f|e1) p(e2|f), e2 != e1, divided by the number of corpora in which e1
occurs, so that it stays a probability. Rows sum to at most one: the rest is the identity and the pruned pairs.

ParaEval needs less: which phrases share any translation, the sets {e : (e, f) in the table}.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, overload

from paragauge.errors import DataError, OptionError
from paragauge.io import PathLike
from paragauge.phrases import queries
from paragauge.phrases.paraphrases import ParaphraseTable, write_paraphrases
from paragauge.phrases.table import Phrase, PhraseTable
from paragauge.storage.engine import Engine, EngineOptions
from paragauge.storage.remote import Job, RemoteEngine, RunSummary, remote_output
from paragauge.storage.seen import Seen
from paragauge.storage.store import string_arrays

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

# A table used to the pivot language and back, opened or by path; or one for each direction: (e to f, f to e).
PivotTables: TypeAlias = PhraseTable | PathLike | tuple[PhraseTable, PhraseTable]

DEFAULT_MIN_PROB = 0.01
_ROWS_IN_BATCH = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotPhrases(Job[RunSummary]):
    """The work of `pivot_paraphrases`, for a remote engine."""

    kind: ClassVar[str] = "pivot"

    tables: tuple[PhraseTable | PathLike, ...]
    output: PathLike
    min_prob: float = DEFAULT_MIN_PROB
    top: int | None = None
    identity: bool = False


@overload
def pivot_paraphrases(
    tables: PhraseTable | PathLike | Sequence[PivotTables],
    *,
    min_prob: float = DEFAULT_MIN_PROB,
    top: int | None = None,
    identity: bool = False,
    engine: EngineOptions | None = None,
    output: PathLike | None = None,
) -> ParaphraseTable: ...
@overload
def pivot_paraphrases(
    tables: PhraseTable | PathLike | Sequence[PivotTables],
    *,
    min_prob: float = DEFAULT_MIN_PROB,
    top: int | None = None,
    identity: bool = False,
    engine: RemoteEngine,
    output: PathLike,
) -> RunSummary: ...
def pivot_paraphrases(
    tables: PhraseTable | PathLike | Sequence[PivotTables],
    *,
    min_prob: float = DEFAULT_MIN_PROB,
    top: int | None = None,
    identity: bool = False,
    engine: EngineOptions | RemoteEngine | None = None,
    output: PathLike | None = None,
) -> ParaphraseTable | RunSummary:
    """Return the paraphrases found by translating with *tables* to the pivot language and back.

    Args:
        tables: One table, or one for each corpus: opened, or the path of a table in any format. Instead of a table, a
            pair (e to f, f to e) of opened ones is possible, but not on a cluster.
        min_prob: Minimum p(e2|e1) of the paraphrases to keep.
        top: Maximum number of paraphrases per phrase, most probable first; None means no limit.
        identity: Also keep e2 = e1; without pruning, rows then sum to one.
        engine: Memory limit, temporary folder and threads; or a cluster, which writes the same table in parts and
            returns a summary.
        output: Table folder to write; by default the table is kept in memory. A cluster needs it.

    >>> table = PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1, ("house", "chambre"): 1})
    >>> pivot_paraphrases(table)["house"]  # 3/4 * 1/4
    [Paraphrase(text='home', score=0.1875)]
    """
    chosen = [tables] if isinstance(tables, PhraseTable | str | os.PathLike) else list(tables)
    if not chosen:
        raise DataError("there are no tables to pivot through; expected at least one")
    check_pivoting(min_prob, top)
    if isinstance(engine, RemoteEngine):
        singles = tuple(way for way in chosen if not isinstance(way, tuple))
        if len(singles) < len(chosen):
            raise OptionError("a cluster takes one table for each corpus, for both directions; got a pair of tables")
        return engine.perform(
            PivotPhrases(
                tables=singles, output=remote_output(output, None), min_prob=min_prob, top=top, identity=identity
            )
        )
    ways = [way if isinstance(way, tuple) else _both_ways(way, engine) for way in chosen]
    with Engine(engine) as running:
        _load(running, ways)
        running.run(queries.probable(f"({queries.pivoted(identity)})", min_prob))
        digests = [forward.digest for forward, _ in ways if forward.digest is not None]
        seen = Seen.merged(forward.seen for forward, _ in ways)
        settings = pivot_settings(len(ways), min_prob, top, identity, digests)
        return write_paraphrases(running, top, output, settings, seen)


def _both_ways(table: PhraseTable | PathLike, engine: EngineOptions | None) -> tuple[PhraseTable, PhraseTable]:
    from paragauge.phrases.formats import read_phrase_table

    opened = table if isinstance(table, PhraseTable) else read_phrase_table(table, engine=engine)
    return opened, opened.inverted()


def check_pivoting(min_prob: float, top: int | None) -> None:
    """Raise an error for invalid options."""
    if not 0 <= min_prob <= 1:
        raise OptionError(f"min_prob must be between 0 and 1, got {min_prob}")
    if top is not None and top < 1:
        raise OptionError(f"top must be at least 1, got {top}")


def pivot_settings(
    corpora: int, min_prob: float, top: int | None, identity: bool, digests: Sequence[str]
) -> dict[str, Any]:
    """Return the settings of the pivoting, for the manifest."""
    return {"corpora": corpora, "min_prob": min_prob, "top": top, "identity": identity, "tables": list(digests)}


def paraphrase_probability(tables: Sequence[PhraseTable], phrase: Phrase, paraphrase: Phrase) -> float | None:
    """Return p(e2|e1) of one pair without pivoting whole tables; None if no table has *phrase*.

    >>> table = PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1, ("house", "chambre"): 1})
    >>> paraphrase_probability([table], "house", "home")  # 3/4 * 1/4
    0.1875
    """
    import numpy as np

    parts = []
    for table in tables:
        one, two = table.find(phrase), table.find(paraphrase)
        if one < 0:
            continue
        part = 0.0
        if two >= 0:
            (pivots, counts), (back_pivots, back_counts) = table.row(one), table.row(two)
            shared, here, there = np.intersect1d(pivots, back_pivots, assume_unique=True, return_indices=True)
            forward = counts[here] / table.source_counts()[one]
            part = float((forward * back_counts[there] / table.target_counts()[shared]).sum())
        parts.append(part)
    return sum(parts) / len(parts) if parts else None


def _load(running: Engine, ways: Sequence[tuple[PhraseTable, PhraseTable]]) -> None:
    """Make the relations ``phrases``, ``forward`` and ``backward``."""
    import pyarrow as pa

    number = pa.int64()
    phrase_schema = pa.schema([("corpus", number), ("side", number), ("id", number), ("phrase", pa.large_string())])
    step_schema = pa.schema([("corpus", number), ("phrase", number), ("pivot", number), ("p", pa.float64())])
    running.run_over(
        "incoming", phrase_schema, _phrases(ways, phrase_schema), "CREATE TABLE local_phrases AS SELECT * FROM incoming"
    )
    for name, steps in (("forward", _forward_steps(ways)), ("backward", _backward_steps(ways))):
        batches = (pa.RecordBatch.from_arrays(list(map(pa.array, step)), schema=step_schema) for step in steps)
        running.run_over("incoming", step_schema, batches, f"CREATE TABLE local_{name} AS SELECT * FROM incoming")  # noqa: S608
    for statement in (queries.NUMBER_PHRASES, queries.LOCAL_IDS, queries.FORWARD, queries.BACKWARD):
        running.run(statement)
    for relation in ("local_phrases", "local_ids", "local_forward", "local_backward"):
        running.run(f"DROP TABLE {relation}")


def _phrases(ways: Sequence[tuple[PhraseTable, PhraseTable]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    import numpy as np
    import pyarrow as pa

    for corpus, (forward, backward) in enumerate(ways):
        for side, strings in enumerate((forward.strings("source"), backward.strings("target"))):
            for begin in range(0, len(strings), _ROWS_IN_BATCH):
                block = strings.slice(begin, _ROWS_IN_BATCH)
                ids = np.arange(begin, begin + len(block))
                places = [np.full(len(block), value) for value in (corpus, side)]
                yield pa.RecordBatch.from_arrays([*map(pa.array, places), pa.array(ids), block], schema=schema)


def _forward_steps(ways: Sequence[tuple[PhraseTable, PhraseTable]]) -> Iterator[tuple[NDArray[Any], ...]]:
    """Yield corpus, e1, f and p(f|e1)."""
    import numpy as np

    for corpus, (table, _) in enumerate(ways):
        for near, far, counts in _pairs(table):
            p = counts / table.source_counts()[near]
            yield np.full(len(near), corpus), near.astype(np.int64), far.astype(np.int64), p


def _backward_steps(ways: Sequence[tuple[PhraseTable, PhraseTable]]) -> Iterator[tuple[NDArray[Any], ...]]:
    """Yield corpus, e2, f and p(e2|f), with f as numbered in the forward table."""
    import numpy as np

    for corpus, (forward, backward) in enumerate(ways):
        numbers = _pivot_numbers(forward, backward)
        for near, far, counts in _pairs(backward):
            p = counts / backward.source_counts()[near]
            pivots = near.astype(np.int64) if numbers is None else numbers[near]
            known = pivots >= 0
            yield np.full(int(known.sum()), corpus), far[known].astype(np.int64), pivots[known], p[known]


def _pivot_numbers(forward: PhraseTable, backward: PhraseTable) -> NDArray[np.int64] | None:
    """Return the number in *forward* of each pivot phrase of *backward*, -1 if unknown; None if they are the same."""
    if forward.columns is backward.columns:
        return None
    return forward.inverted().index.find_all(*string_arrays(backward.strings("source")))


def _pairs(table: PhraseTable) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]]:
    near, far, counts = table.pair_arrays()
    for begin in range(0, len(table), _ROWS_IN_BATCH):
        block = slice(begin, begin + _ROWS_IN_BATCH)
        yield near[block], far[block], counts[block]


@dataclass(frozen=True, slots=True)
class ParaphraseSets:
    """Sets of source phrases that share a target phrase, looked up in a phrase table on demand (ParaEval).

    Attributes:
        table: Phrase table.
        min_prob: Minimum p(f|e) of a member.
        min_inverse_prob: Minimum p(e|f) of a member.
        min_length: Minimum length of a member in words.

    >>> table = PhraseTable.from_counts({("house", "maison"): 3, ("home", "maison"): 1, ("house", "chambre"): 1})
    >>> sets = ParaphraseSets(table)
    >>> sets.members("maison"), sets.paraphrases("home")
    (('house', 'home'), ('house',))
    >>> sets.share("home", "house"), sets.share("home", "room")
    (True, False)
    """

    table: PhraseTable
    min_prob: float = 0.0
    min_inverse_prob: float = 0.0
    min_length: int = 1

    def sets(self, phrase: Phrase) -> frozenset[int]:
        """Return the sets that a phrase belongs to, as numbers of target phrases."""
        number = self.table.find(phrase)
        if number < 0 or self.table.source(number).count(" ") + 1 < self.min_length:
            return frozenset()
        targets, counts = self.table.row(number)
        likely = counts / self.table.source_counts()[number] >= self.min_prob
        likely &= counts / self.table.target_counts()[targets] >= self.min_inverse_prob
        return frozenset(targets[likely].tolist())

    def members(self, target: Phrase) -> tuple[str, ...]:
        """Return the phrases in the set of a target phrase, most frequent first."""
        inverted = self.table.inverted()
        number = inverted.find(target)
        return () if number < 0 else self._members(inverted, number)

    def _members(self, inverted: PhraseTable, number: int) -> tuple[str, ...]:
        phrases, counts = inverted.row(number)
        likely = counts / inverted.source_counts()[number] >= self.min_inverse_prob
        likely &= counts / inverted.target_counts()[phrases] >= self.min_prob
        texts = map(inverted.target, phrases[likely].tolist())
        return tuple(text for text in texts if text.count(" ") + 1 >= self.min_length)

    def share(self, phrase: Phrase, other: Phrase) -> bool:
        """Return whether two phrases belong to a common set."""
        return not self.sets(phrase).isdisjoint(self.sets(other))

    def paraphrases(self, phrase: Phrase) -> tuple[str, ...]:
        """Return all other phrases that share a set with *phrase*, sorted by text."""
        inverted = self.table.inverted()
        number = self.table.find(phrase)
        own = {self.table.source(number)} if number >= 0 else set()
        found = {text for target in self.sets(phrase) for text in self._members(inverted, target)}
        return tuple(sorted(found - own))
