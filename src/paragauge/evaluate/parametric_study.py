"""What ParaMetric can tell beyond a score: how many sentences a group needs, and the best settings of a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.asking import Resampling, request_of
from paragauge.evaluate.option import Request, option
from paragauge.evaluate.parametric import NOTE, open_gold, open_tables
from paragauge.evaluate.result import Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.align.annotated import AlignedPairs
    from paragauge.evaluate.parametric import Tables
    from paragauge.io import PathLike
    from paragauge.metrics.base import Interval, Measurement
    from paragauge.metrics.parametric import ListedParaphrases, Parametric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

_COUNTS = ("found", "posited", "gold")


@dataclass(frozen=True, kw_only=True)
class Scored(Request):
    """Options that say which paraphrases count."""

    use_links: Literal["sure", "possible"] = option(
        "sure", help="Links of the gold that count: sure ones, or possible ones too."
    )
    max_length: int = option(5, low=0, metavar="N", help="Maximum phrase length in words; 0 means no limit.")
    lowercase: bool = option(False, help="Lower-case the sentences of the gold.")
    one_based: bool = option(False, help="Pharaoh links count words from 1 instead of 0.")
    feature: str | None = option(
        None, metavar="NAME", help="Feature of grammars and PPDB files to use as the score.", default_help="p(e|f)"
    )

    def metric(self, **options: Any) -> Parametric:
        """Return the metric with these options and others."""
        from paragauge.metrics.parametric import Parametric

        return Parametric(
            links=self.use_links, max_length=self.max_length or None, lowercase=self.lowercase, **options
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CurveRequest(Scored, Resampling):
    """Options of the learning curve."""

    most: int | None = option(
        None,
        low=2,
        metavar="N",
        help="Highest number of sentences to pair with the first one; groups with fewer are left out.",
        default_help="what at least half of the groups have",
    )
    min_prob: float | None = option(
        None, metavar="P", help="Ignore paraphrases with a score below P.", default_help="keep all"
    )
    top: int | None = option(
        None, low=1, metavar="N", help="Use only the N best paraphrases of each phrase.", default_help="all"
    )


@dataclass(frozen=True)
class CurvePoint:
    """Scores of one method against a gold standard with some number of sentences in each group.

    Attributes:
        method: Name of the method; ``None`` for the gold itself.
        others: Number of sentences paired with the first one.
        references: Mean number of reference paraphrases of a group.
        known: Share of the reference paraphrases of one more sentence that the sentences before it have already.
        measurement: Precision and recall expected of the method.
        intervals: Intervals of both.
    """

    method: str | None
    others: int
    references: float
    known: float
    measurement: Measurement | None = None
    intervals: Mapping[str, Interval] | None = None


@dataclass(frozen=True)
class CurveResult(Result):
    """How scores depend on the number of sentences in a group.

    Attributes:
        points: One for each method and number of sentences.
        groups: Number of groups used.
        left_out: Number of groups that are too small.
        signatures: Signatures, one for each method.
    """

    points: tuple[CurvePoint, ...]
    groups: int
    left_out: int
    signatures: tuple[Signature, ...]

    def rows(self) -> list[dict[str, Cell]]:
        rows: list[dict[str, Cell]] = []
        for point in self.points:
            row: dict[str, Cell] = {} if point.method is None else {"system": point.method}
            row |= {"others": point.others, "references": point.references, "known": point.known}
            if point.measurement is not None:
                for value in ("precision", "recall"):
                    row[value] = point.measurement.components[value]
                    if point.intervals:
                        row |= {
                            f"{value}_low": point.intervals[value].low,
                            f"{value}_high": point.intervals[value].high,
                        }
            rows.append(row)
        return rows

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        left_out = f"; {self.left_out:,} with fewer sentences were left out" if self.left_out else ""
        notes = [
            f"{self.groups:,} groups{left_out}; expected values over all choices of the other sentences",
            "known: share of the reference paraphrases of the last sentence that the others have already",
            *([NOTE] if self.signatures else []),
            *(["", *map(str, self.signatures)] if self.signatures else []),
        ]
        return ResultTable(list(rows[0]), rows, notes=notes)


def curve(
    *,
    gold: AlignedPairs | PathLike,
    paraphrases: Tables = (),
    links: PathLike | None = None,
    possible: PathLike | None = None,
    encoding: str = "utf-8",
    request: CurveRequest | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> CurveResult:
    """Return how the references, and the scores of methods, grow with the number of sentences in a group.

    Args:
        gold: Hand-aligned groups of sentences, or their file.
        paraphrases: Tables, or their files, by the name of the method; or a list of files. May be empty.
        links: Pharaoh file with the links of *gold*, if *gold* is a file of pairs without links.
        possible: Second file of the same pairs, whose links all count as possible links.
        encoding: Encoding of the files of pairs.
        request: All options; alternatively, pass the fields of `CurveRequest` as keywords.
        progress: Called with the number of points done.

    Raises:
        DataError: No group has several pairs.
    """
    from paragauge.meta.significance import bootstrap_interval
    from paragauge.progress import Counter

    asked = request_of(CurveRequest, request, options)
    people = open_gold(gold, links, possible, one_based=asked.one_based, encoding=encoding)
    tables = open_tables(paraphrases, people, feature=asked.feature, lowercase=asked.lowercase)
    metric = asked.metric(min_score=asked.min_prob, top=asked.top)
    every = metric.occurrences(people)
    sizes = sorted((group.pairs for group in every), reverse=True)
    most = asked.most or sizes[(len(sizes) - 1) // 2]
    groups = [group for group in every if group.pairs >= most]
    if most < 2 or not groups:
        raise DataError(
            f"the largest of {len(every):,} groups pairs its first sentence with {sizes[0]}, expected "
            f"{asked.most or 'several'}; a learning curve needs groups of several sentences (column 'group')"
        )
    done = Counter(progress, max(len(tables), 1) * most, "points")
    before = 0.0
    expected: list[tuple[float, float]] = []
    for others in range(1, most + 1):
        total = float(metric.expected_rows(None, groups, others)[:, 2].sum())
        expected.append((total, 1.0 - (total - before) / expected[0][0] if expected else 0.0))
        before = total
    points, signatures = [], []
    for name, table in tables.items() or [(None, None)]:
        for others, (total, known) in enumerate(expected, start=1):
            point = CurvePoint(name, others, total / len(groups), known)
            if table is not None:
                rows = metric.expected_rows(table, groups, others)
                intervals = {
                    value: bootstrap_interval(
                        replace(metric, value=value), rows, resamples=asked.bootstrap, seed=asked.seed
                    )
                    for value in ("precision", "recall")
                    if asked.bootstrap
                }
                point = replace(point, measurement=metric.measure(rows.sum(axis=0).tolist()), intervals=intervals)
            points.append(point)
            done.advance()
        if table is not None:
            resampled = {"bs": asked.bootstrap, "seed": asked.seed} if asked.bootstrap else {}
            signature = metric.signature(metric.digests(table, people))
            signatures.append(signature.extended({"method": name, "others": f"1-{most}", **resampled}))
    return CurveResult(tuple(points), len(groups), len(every) - len(groups), tuple(signatures))


_LIMITS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_TOPS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, kw_only=True)
class TuningRequest(Scored):
    """Options for tuning."""

    value: Literal["f1", "precision", "recall"] = option("f1", help="Score to maximise.")
    min_probs: tuple[float, ...] = option(
        (), flags=("--min-prob",), metavar="P", help="Least score of a paraphrase to try.",
        default_help=f"none, {', '.join(map(str, _LIMITS))}",
    )  # fmt: skip
    tops: tuple[int, ...] = option(
        (), flags=("--top",), low=1, metavar="N", help="Number of best paraphrases of a phrase to try.",
        default_help=f"all, {', '.join(map(str, _TOPS))}",
    )  # fmt: skip
    folds: int = option(5, low=2, high=1000, help="Number of cross-validation folds for the row 'held out'.")
    seed: int = option(12345, low=0, metavar="N", help="Seed that divides groups into folds.")


@dataclass(frozen=True)
class Setting:
    """A table, the least score of its paraphrases, and the most of them for a phrase."""

    table: str
    min_prob: float | None
    top: int | None

    def row(self) -> dict[str, Cell]:
        """Return the setting as cells."""
        return {"system": self.table, "min_prob": self.min_prob, "top": self.top}


@dataclass(frozen=True)
class TuningResult(Result):
    """Scores of a method with each setting.

    Attributes:
        request: The request that this answers.
        scores: Setting and measurement, the best first.
        held_out: What to expect on other data: each fold measured with the setting that is best on all others.
        chosen: How many folds chose each setting.
        signature: Signature of the best setting.
    """

    request: TuningRequest
    scores: tuple[tuple[Setting, Measurement], ...]
    held_out: Measurement
    chosen: Mapping[Setting, int]
    signature: Signature

    @property
    def best(self) -> Setting:
        """The best setting on the whole gold."""
        return self.scores[0][0]

    def rows(self) -> list[dict[str, Cell]]:
        rows = [
            {**setting.row(), **_cells(measured), "folds": self.chosen.get(setting, 0)}
            for setting, measured in self.scores
        ]
        nothing: dict[str, Cell] = {"system": "held out", "min_prob": None, "top": None}
        return [*rows, {**nothing, **_cells(self.held_out), "folds": self.request.folds}]

    def table(self, *, every: bool = False) -> ResultTable:
        """Return the settings that were chosen, or *every* setting, and what to expect on other data."""
        from paragauge.report.table import ResultTable

        rows = self.rows()
        shown = rows if every else [row for row in rows if row["folds"] or row is rows[0]]
        notes = [
            f"chosen by {self.request.value}; folds: how many of {self.request.folds} parts of the gold are scored "
            "with this setting, because it is best on the others",
            "held out: these scores together, what to expect on other data",
            NOTE, "", str(self.signature),
        ]  # fmt: skip
        return ResultTable(list(rows[0]), shown, notes=notes)


def tune(
    *,
    gold: AlignedPairs | PathLike,
    paraphrases: Tables,
    links: PathLike | None = None,
    possible: PathLike | None = None,
    encoding: str = "utf-8",
    request: TuningRequest | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> TuningResult:
    """Return the settings of a method that ParaMetric prefers: which table, least score and number of paraphrases.

    Tables made with different parameters of one method are compared like any others.

    Args:
        gold: Hand-aligned sentence pairs, or their file.
        paraphrases: Tables, or their files, by name; or a list of files.
        links: Pharaoh file with the links of *gold*, if *gold* is a file of pairs without links.
        possible: Second file of the same pairs, whose links all count as possible links.
        encoding: Encoding of the files of pairs.
        request: All options; alternatively, pass the fields of `TuningRequest` as keywords.
        progress: Called with the number of tables done.

    Raises:
        DataError: There are fewer groups than folds.
    """
    import numpy as np

    from paragauge.phrases.paraphrases import ParaphraseTable
    from paragauge.progress import Counter

    asked = request_of(TuningRequest, request, options)
    people = open_gold(gold, links, possible, one_based=asked.one_based, encoding=encoding)
    tables = open_tables(paraphrases, people, feature=asked.feature, lowercase=asked.lowercase)
    if not tables:
        raise OptionError("there is nothing to tune; give at least one paraphrase table")
    metric = asked.metric(value=asked.value)
    reference = metric.reference(people)
    if len(reference) < asked.folds:
        raise DataError(
            f"the gold has {len(reference):,} groups, expected at least one for each of {asked.folds} folds; pass "
            "fewer --folds"
        )
    done = Counter(progress, len(tables), "tables")
    counts: dict[Setting, NDArray[np.int64]] = {}
    for name, table in tables.items():
        if not isinstance(table, ParaphraseTable):
            raise OptionError(f"{name} is a function; only tables have scores to tune by")
        listed: ListedParaphrases = metric.listed(table, people, reference)
        for setting in _settings(name, asked):
            counts[setting] = listed.rows(setting.min_prob, setting.top)
        done.advance()
    folds = np.random.default_rng(asked.seed).permutation(len(reference)) % asked.folds
    chosen: dict[Setting, int] = {}
    held_out = np.zeros(3, dtype=np.int64)
    for fold in range(asked.folds):
        best = _best(metric, {setting: rows[folds != fold] for setting, rows in counts.items()})
        chosen[best] = chosen.get(best, 0) + 1
        held_out += counts[best][folds == fold].sum(axis=0)
    order = sorted(counts, key=lambda setting: -metric.measure(counts[setting].sum(axis=0).tolist()).value)
    first = order[0]
    tuned = replace(metric, min_score=first.min_prob, top=first.top)
    signature = tuned.signature(tuned.digests(tables[first.table], people)).extended({"method": first.table})
    return TuningResult(
        asked, tuple((setting, metric.measure(counts[setting].sum(axis=0).tolist())) for setting in order),
        metric.measure(held_out.tolist()), chosen, signature,
    )  # fmt: skip


def _settings(table: str, request: TuningRequest) -> list[Setting]:
    """Return the settings to try, those that keep more first: they win if others are no better."""
    limits: Sequence[float | None] = sorted(set(request.min_probs)) or (None, *_LIMITS)
    tops: Sequence[int | None] = sorted(set(request.tops), reverse=True) or (None, *reversed(_TOPS))
    return [Setting(table, limit, top) for limit in limits for top in tops]


def _best(metric: Parametric, counts: Mapping[Setting, NDArray[np.int64]]) -> Setting:
    return max(counts, key=lambda setting: metric.measure(counts[setting].sum(axis=0).tolist()).value)


def _cells(measured: Measurement) -> dict[str, Cell]:
    parts = measured.components
    return {
        **{name: parts[name] for name in ("f1", "precision", "recall")},
        **{name: int(parts[name]) for name in _COUNTS},
    }
