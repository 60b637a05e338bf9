"""ParaMetric, a measure of paraphrasing methods: tables 2 and 3 of its paper, for alignments and paraphrases."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from paragauge.errors import OptionError
from paragauge.evaluate.asking import Resampling, no_effect, refuse_without_effect, request_of
from paragauge.evaluate.option import option
from paragauge.evaluate.result import Result
from paragauge.evaluate.titled import TitledResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paragauge.align.alignment import Alignment
    from paragauge.align.annotated import AlignedPairs
    from paragauge.io import PathLike
    from paragauge.metrics.base import Interval, Measurement
    from paragauge.metrics.parametric import Parametric, ParametricAlignment, Paraphraser
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

    AnyMetric: TypeAlias = ParametricAlignment | Parametric

T = TypeVar("T")

OWN_ALIGNER = "words"  # name of the English aligner that ships, which links by knowledge of words
ALL = "all"  # value of the length column for phrases of all lengths
NOTE = "LB-Precision is a lower bound and Rel-Recall is relative: the gold does not contain all paraphrases"
_COUNTS = ("found", "posited", "gold")
_MEASURES = {
    ("parametric-alignment", "precision"): "AlignPrec",
    ("parametric-alignment", "recall"): "AlignRecall",
    ("parametric", "precision"): "LB-Precision",
    ("parametric", "recall"): "Rel-Recall",
}

# Output of methods: files or objects by the method's name; files alone go by their own names.
Alignments: TypeAlias = "Mapping[str, PathLike | Sequence[Alignment]] | Sequence[PathLike]"
Tables: TypeAlias = "Mapping[str, PathLike | Paraphraser] | Sequence[PathLike]"


@dataclass(frozen=True, kw_only=True)
class ParametricRequest(Resampling):
    """Options for scoring methods against a gold standard."""

    one_based: bool = option(False, help="Pharaoh links count words from 1 instead of 0.")
    max_length: int | None = option(
        None,
        low=0,
        metavar="N",
        help="Maximum phrase length in words; 0 means no limit.",
        default_help="no limit for alignments, 5 for paraphrases",
    )
    lowercase: bool = option(False, help="Lower-case the sentences of the gold.")
    min_prob: float | None = option(
        None, metavar="P", help="Ignore paraphrases with a score below P.", default_help="keep all"
    )
    top: int | None = option(
        None, low=1, metavar="N", help="Use only the N best paraphrases of each phrase.", default_help="all"
    )
    feature: str | None = option(
        None,
        metavar="NAME",
        help="Feature of grammars and PPDB files to use as the score of paraphrases.",
        default_help="p(e|f)",
    )


@dataclass(frozen=True)
class MethodScore:
    """Score of a method on phrases of one length, or of all lengths.

    Attributes:
        method: Name of the method.
        metric: Metric with its options: alignment or paraphrases.
        length: ``all``, or the phrase length in words: ``1``, ``2``, ... ``10+``.
        measurement: Precision, recall, F1 and the counts.
        intervals: Intervals of precision and recall; only for all lengths together.
        signature: Signature; only for all lengths together.
    """

    method: str
    metric: AnyMetric
    length: str
    measurement: Measurement
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    signature: Signature | None = None

    @property
    def kind(self) -> str:
        """What was scored: ``alignment`` or ``paraphrases``."""
        return "paraphrases" if self.metric.name == "parametric" else "alignment"

    def row(self) -> dict[str, Cell]:
        """Return all fields as a row of a table."""
        components: dict[str, Cell] = {
            key: int(value) if key in _COUNTS else value for key, value in self.measurement.components.items()
        }
        if self.signature is None:  # there may be no phrases of some lengths
            for value, count in (("precision", "posited"), ("recall", "gold")):
                components[value] = components[value] if components[count] else None
        for value, interval in self.intervals.items():
            components |= {f"{value}_low": interval.low, f"{value}_high": interval.high}
        return {
            "metric": str(self.metric), "system": self.method, "score": self.measurement.value,
            "links": self.metric.links, "length": self.length, **components,
            "signature": None if self.signature is None else str(self.signature),
        }  # fmt: skip


@dataclass(frozen=True)
class ParametricResult(Result):
    """Scores of methods with sure links and, if the gold has possible links, with those also; then by length."""

    scores: tuple[MethodScore, ...]

    def overall(self) -> ParametricResult:
        """Return only the scores for all lengths together."""
        return ParametricResult(tuple(score for score in self.scores if score.length == ALL))

    def comparison(self) -> ParametricComparison:
        """Return the same scores as in the paper: methods side by side."""
        return ParametricComparison(self.scores)

    def rows(self) -> list[dict[str, Cell]]:
        return _rows(self.scores)

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        shown = [{**row, "measure": score.kind} for row, score in zip(rows, self.scores, strict=True)]
        people = ["system", "measure", "links", "length", "found", "posited", "gold"]
        if all(score.length == ALL for score in self.scores):
            people.remove("length")
        for value in ("precision", "recall"):
            people += [name for name in (value, f"{value}_low", f"{value}_high") if name in rows[0]]
        return ResultTable(people, shown, notes=_notes(self.scores), machine_columns=list(rows[0]))


@dataclass(frozen=True)
class ParametricComparison(TitledResult):
    """Methods side by side: the paper's table 2 (all four scores) and table 3 (by length), for each kind of links."""

    scores: tuple[MethodScore, ...]

    def rows(self) -> list[dict[str, Cell]]:
        return _rows(self.scores)

    def table(self) -> ResultTable:
        return ParametricResult(self.scores).table()

    def notes(self) -> list[str]:
        return _notes(self.scores)

    def tables(self) -> list[tuple[str, ResultTable]]:
        found = []
        for links in dict.fromkeys(score.metric.links for score in self.scores):
            title = "Sure links" if links == "sure" else "Sure and possible links"
            found += [(title, self._by_method(links)), ("By phrase length in words", self._by_length(links))]
        return found

    def _by_method(self, links: str) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows: dict[str, dict[str, Cell]] = {}
        for score, row in self._of(links, whole=True):
            cells = rows.setdefault(score.method, {"method": score.method})
            for value in ("precision", "recall"):
                cells[_MEASURES[score.metric.name, value]] = _with_interval(row, value)
        measures = [name for name in _MEASURES.values() if any(name in row for row in rows.values())]
        return ResultTable(["method", *measures], list(rows.values()))

    def _by_length(self, links: str) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for score, row in self._of(links, whole=False):
            for value in ("precision", "recall"):
                measure = _MEASURES[score.metric.name, value]
                cells = rows.setdefault((score.method, measure), {"method": score.method, "measure": measure})
                cells[score.length] = row[value]
        columns = max((list(row) for row in rows.values()), key=len, default=[])
        return ResultTable(columns, list(rows.values()))

    def _of(self, links: str, *, whole: bool) -> list[tuple[MethodScore, dict[str, Cell]]]:
        return [
            (score, score.row())
            for score in self.scores
            if score.metric.links == links and (score.length == ALL) == whole
        ]


def parametric(
    *,
    gold: AlignedPairs | PathLike,
    alignments: Alignments = (),
    paraphrases: Tables = (),
    align: bool = False,
    links: PathLike | None = None,
    possible: PathLike | None = None,
    encoding: str = "utf-8",
    request: ParametricRequest | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> ParametricResult:
    """Return the scores of methods that align words or list paraphrases.

    Args:
        gold: Hand-aligned sentence pairs, or their file.
        alignments: Links of these pairs, or files of them (Pharaoh, or any format of *gold*), by the name of the
            method; or a list of files.
        paraphrases: Tables, their files, or functions of phrase and sentence, by name; or a list of files.
        align: Whether to score the English aligner that ships, under the name `OWN_ALIGNER`.
        links: Pharaoh file with the links of *gold*, if *gold* is a file of pairs without links.
        possible: Second file of the same pairs, whose links all count as possible links.
        encoding: Encoding of the files of pairs.
        request: All options; alternatively, pass the fields of `ParametricRequest` as keywords.
        progress: Called with the number of scores done.

    >>> from paragauge.align import Alignment, AlignedPairs, GoldAlignment
    >>> from paragauge.corpora.pairs import ParaphrasePairs
    >>> pairs = ParaphrasePairs(("he left us",), ("he deserted us",))
    >>> gold = AlignedPairs(pairs, (GoldAlignment.from_pharaoh("0-0 1-1 2-2"),))
    >>> found = parametric(gold=gold, alignments={"mine": [Alignment.from_pharaoh("0-0 1-1")]}, bootstrap=0)
    >>> [(score.length, score.measurement.components["recall"]) for score in found.scores]
    [('all', 1.0), ('1', 1.0), ('2', 1.0), ('3', 1.0)]
    """
    from paragauge.evaluate.gold import align_words
    from paragauge.evaluate.mismatch import warn_of_nothing_found
    from paragauge.progress import Counter

    asked = request_of(ParametricRequest, request, options)
    if not (alignments or paraphrases or align):
        raise OptionError("there is nothing to score; give at least one alignment or paraphrase table")
    if not paraphrases:
        refuse_without_effect(
            asked, {"min_prob", "top", "feature"}, "on alignments; it applies only to paraphrase tables"
        )
    together = [*_paths(alignments), *_paths(paraphrases)]
    people = open_gold(gold, links, possible, one_based=asked.one_based, encoding=encoding)
    found = _read(_named(alignments, together), lambda path: _links(path, people, asked.one_based, encoding))
    if align:
        if OWN_ALIGNER in found:
            raise OptionError(f"an alignment and the aligner that ships are both called {OWN_ALIGNER!r}; rename yours")
        found[OWN_ALIGNER] = align_words(people.pairs)
    opened = open_tables(paraphrases, people, feature=asked.feature, lowercase=asked.lowercase, among=together)
    done = Counter(progress, (1 + people.has_possible) * (len(found) + len(opened)), "scores")
    scoring = _Scoring(people, asked, done)
    scores = (*scoring.of_alignments(found), *scoring.of_paraphrases(opened))
    for score in scores:
        # The widest gold decides: whatever is not among the possible links is not among the sure ones.
        if score.length == ALL and score.metric.links == ("possible" if people.has_possible else "sure"):
            parts = score.measurement.components
            what = "paraphrases" if score.kind == "paraphrases" else "phrase pairs"
            warn_of_nothing_found(score.method, int(parts["found"]), int(parts["posited"]), what)
    return ParametricResult(scores)


def open_gold(
    gold: AlignedPairs | PathLike, links: PathLike | None, possible: PathLike | None, *, one_based: bool, encoding: str
) -> AlignedPairs:
    """Return hand-aligned pairs, from their files or as they are."""
    from paragauge.align.annotated import AlignedPairs, read_aligned_pairs

    if not isinstance(gold, AlignedPairs):
        return read_aligned_pairs(gold, links=links, possible=possible, one_based=one_based, encoding=encoding)
    for flag, path in (("links", links), ("possible", possible)):
        if path is not None:
            raise no_effect(flag, "on pairs that have been read; pass it to read_aligned_pairs()")
    return gold


def open_tables(
    paraphrases: Tables, gold: AlignedPairs, *, feature: str | None, lowercase: bool, among: Sequence[str] | None = None
) -> dict[str, Paraphraser]:
    """Return paraphrase tables by name, and warn of those that have seen the gold or cannot match it.

    Args:
        paraphrases: Tables or their files.
        gold: Gold standard.
        feature: Feature of grammars and PPDB files to use as the score.
        lowercase: Whether the gold is lower-cased.
        among: All files that need different names, if there are others.
    """
    from paragauge.evaluate.paraphrases import has_features, open_paraphrases

    tables = _named(paraphrases, _paths(paraphrases) if among is None else among)
    if feature is not None and not any(_is_path(each) and has_features(each) for each in tables.values()):
        raise no_effect("--feature", "here: only grammars and PPDB files have features, and none was given")
    opened: dict[str, Paraphraser] = {}
    opened |= _read(tables, lambda path: open_paraphrases(path, feature=feature if has_features(path) else None))
    _warn(opened, gold, lowercase)
    return opened


class _Scoring:
    """Scorer of methods on one gold standard, whose phrases are extracted once."""

    def __init__(self, gold: AlignedPairs, request: ParametricRequest, done: Any) -> None:
        self._gold = gold
        self._request = request
        self._done = done
        self._kinds = ("sure", "possible") if gold.has_possible else ("sure",)
        self._options: dict[str, Any] = {"lowercase": request.lowercase}
        if request.max_length is not None:
            self._options["max_length"] = request.max_length or None

    def of_alignments(self, methods: Mapping[str, Sequence[Alignment]]) -> list[MethodScore]:
        from paragauge.metrics.parametric import ParametricAlignment

        scores: list[MethodScore] = []
        metrics = [ParametricAlignment(links=kind, **self._options) for kind in self._kinds if methods]
        references = {metric: metric.reference(self._gold) for metric in metrics}
        for method, links in methods.items():
            # The method's phrase pairs do not depend on which gold links count.
            posited = metrics[0].phrase_pairs(self._gold, links, metrics[0].max_length)
            for metric, reference in references.items():
                rows = metric.rows_of(posited, self._gold, reference)
                scores += self._scored(method, metric, rows, metric.digests(links, self._gold))
        return scores

    def of_paraphrases(self, methods: Mapping[str, Paraphraser]) -> list[MethodScore]:
        from paragauge.metrics.parametric import Parametric

        scores: list[MethodScore] = []
        for kind in self._kinds if methods else ():
            metric = Parametric(links=kind, min_score=self._request.min_prob, top=self._request.top, **self._options)
            reference = metric.reference(self._gold)
            for method, table in methods.items():
                rows = metric.rows_of(table, self._gold, reference)
                scores += self._scored(method, metric, rows, metric.digests(table, self._gold))
        return scores

    def _scored(
        self, method: str, metric: AnyMetric, rows: NDArray[np.int64], digests: Mapping[str, str | None]
    ) -> list[MethodScore]:
        from paragauge.meta.significance import bootstrap_interval

        intervals = {}
        signature = metric.signature(digests).extended({"method": method})
        trials, seed = self._request.bootstrap, self._request.seed
        if trials:
            for value in ("precision", "recall"):
                intervals[value] = bootstrap_interval(replace(metric, value=value), rows, resamples=trials, seed=seed)
            signature = signature.extended({"bs": trials, "seed": seed})
        self._done.advance()
        return [
            MethodScore(method, metric, ALL, metric.measure_rows(rows), intervals, signature),
            *(
                MethodScore(method, metric, length, measured)
                for length, measured in metric.by_length(rows).items()
                if measured.components["posited"] or measured.components["gold"]
            ),
        ]


def _warn(tables: Mapping[str, Paraphraser], gold: AlignedPairs, lowercase: bool) -> None:
    """Warn of tables that have seen the gold, or are written differently."""
    from paragauge.evaluate.gold import warn_of_seen
    from paragauge.evaluate.mismatch import Style, warn_of_style, words_of_table
    from paragauge.phrases.paraphrases import ParaphraseTable

    sentences = [*gold.pairs.source, *gold.pairs.target]
    words = (word.lower() if lowercase else word for text in sentences for word in text.split())
    style = Style.of(words)
    for name, table in tables.items():
        if isinstance(table, ParaphraseTable):
            warn_of_seen(name, table.seen, sentences)
            warn_of_style("the gold", style, name, Style.of(words_of_table(table)))


def _links(path: PathLike, gold: AlignedPairs, one_based: bool, encoding: str) -> list[Alignment]:
    """Return the links of a method: Pharaoh lines, or a file of the gold's pairs with the method's links."""
    from paragauge.align.alignment import read_pharaoh
    from paragauge.align.annotated import read_aligned_pairs
    from paragauge.io import read_lines

    first = next(read_lines(path), "").lstrip("\ufeff \t")
    if not first.startswith(("[", "{", "#")) and first.count("\t") < 2:
        return list(read_pharaoh(path, one_based=one_based, lengths=gold.lengths()))
    found = read_aligned_pairs(path, one_based=one_based, encoding=encoding)
    return gold.same_pairs(found, path=path).alignments("possible")


def _is_path(given: object) -> bool:
    return isinstance(given, str | os.PathLike)


def _paths(given: Mapping[str, Any] | Sequence[Any]) -> list[str]:
    """Return the files that go by their own names."""
    return [] if isinstance(given, Mapping) else [os.fspath(path) for path in given]


def _named(given: Mapping[str, Any] | Sequence[Any], among: Sequence[str]) -> dict[str, Any]:
    """Return files by file name, or by path if another file in *among* has the same name."""
    if isinstance(given, Mapping):
        return dict(given)
    named: dict[str, Any] = {}
    for path in _paths(given):
        if among.count(path) > 1:
            raise OptionError(f"{path} is given twice; give each file once")
        name = Path(path).name
        named[path if [Path(other).name for other in among].count(name) > 1 else name] = path
    return named


def _read(given: Mapping[str, Any], reader: Callable[[PathLike], T]) -> dict[str, T]:
    return {name: reader(each) if _is_path(each) else each for name, each in given.items()}


def _rows(scores: Sequence[MethodScore]) -> list[dict[str, Cell]]:
    rows = [score.row() for score in scores]
    columns = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name) for name in columns} for row in rows]


def _notes(scores: Sequence[MethodScore]) -> list[str]:
    """Return the notes below tables: a caveat and the signatures."""
    signatures = list(dict.fromkeys(str(score.signature) for score in scores if score.signature is not None))
    return [NOTE, "", *signatures] if any(score.kind == "paraphrases" for score in scores) else signatures


def _with_interval(row: dict[str, Cell], value: str) -> Cell:
    if f"{value}_low" not in row:
        return row[value]
    return f"{row[value]:.4f} [{row[f'{value}_low']:.4f}, {row[f'{value}_high']:.4f}]"
