"""Agreement among people: judges, criteria and annotators of word links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias

from paragauge.errors import DataError, OptionError
from paragauge.evaluate.correlate import several
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, option
from paragauge.evaluate.result import Result
from paragauge.meta.choices import Level, Method

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.evaluate.people import People
    from paragauge.meta.judge_quality import JudgeQuality
    from paragauge.meta.rankings import Rankings
    from paragauge.metrics.signature import Signature
    from paragauge.report.table import Cell, ResultTable

Path: TypeAlias = "str | PathLike[str]"
TwoFiles: TypeAlias = "tuple[Path, Path]"


@dataclass(frozen=True, kw_only=True)
class AgreementRequest(Request):
    """Options for agreement."""

    one_based: bool = option(False, help="With --links: count positions from 1 instead of 0.")
    criterion: str | None = option(
        None, metavar="NAME", help="Criterion to use; required if the judgments have several."
    )
    criteria: bool = option(False, help="Correlate criteria instead of judges.")
    each_judge: bool = option(
        False,
        help="One row per judge: agreement with the mean of the others (rankings: kappa, and consistency), outliers.",
    )
    pair: str | None = option(None, metavar="PAIR", help="Language pair to take, if there are several.")
    where: tuple[str, ...] = option(
        (),
        metavar="CONDITION",
        help="With --criteria: use only candidates that meet a condition such as 'fluency>=4'.",
    )
    level: Level = option(
        "segment", help="Items to correlate: judgments of candidates (segment) or mean judgments of systems."
    )
    method: Method = option("pearson", help="Correlation coefficient; kendall is tau-b.")
    min_items: int = option(3, low=2, metavar="N", help="Skip pairs of judges with fewer than N items in common.")


@dataclass(frozen=True, slots=True)
class AgreeingPair:
    """Correlation of two judges or two criteria; NaN if undefined."""

    one: str
    other: str
    value: float
    items: int


@dataclass(frozen=True, slots=True)
class LinkAgreement:
    """C-hat of two annotators of word links.

    Attributes:
        c_hat: C-hat over source words, comparing the words that each is linked to.
        c_hat_phrases: C-hat over source words, comparing the smallest phrase pairs that each belongs to.
        words: Number of source words in non-empty sentence pairs.
    """

    one: str
    other: str
    c_hat: float
    c_hat_phrases: float
    sentences: int
    words: int


@dataclass(frozen=True)
class AgreementResult(Result):
    """Agreement among people.

    Attributes:
        request: The request that this answers.
        pairs: Pairs of judges or of criteria.
        mean: Mean over the pairs of judges with a defined correlation; ``None`` if there are none.
        links: Agreement of annotators of word links, if links were given.
        judges: Quality of each judge, if requested.
    """

    request: AgreementRequest
    pairs: tuple[AgreeingPair, ...] = ()
    mean: AgreeingPair | None = None
    links: LinkAgreement | None = None
    judges: tuple[JudgeQuality, ...] = ()

    @property
    def signature(self) -> Signature:
        """Everything that affects the numbers."""
        from paragauge.metrics.base import package_version
        from paragauge.metrics.signature import Signature

        request = self.request
        items: dict[str, object] = {"level": request.level, "method": request.method}
        if self.links is not None:
            items = {"of": "links"}
        elif request.criteria:
            items = {"of": "criteria", **items, **({"where": " and ".join(request.where)} if request.where else {})}
        else:
            criterion = {} if request.criterion is None else {"criterion": request.criterion}
            items = {"of": "judges", **items, **criterion, "min": request.min_items}
        return Signature.of("agreement", {**items, "version": package_version()})

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per pair and, for judges, a row for the mean."""
        if self.links is not None:
            found = self.links
            return [
                {
                    "annotator": found.one,
                    "other": found.other,
                    "c_hat": found.c_hat,
                    "c_hat_phrases": found.c_hat_phrases,
                    "sentences": found.sentences,
                    "words": found.words,
                }
            ]
        if self.judges:
            return [
                {
                    "judge": each.judge,
                    "items": each.items,
                    "mean": each.mean,
                    "deviation": each.deviation,
                    "agreement": each.agreement,
                    "shared": each.shared,
                    "consistency": each.consistency,
                    "repeated": each.repeated or None,
                    "outlier": "yes" if each.outlier else "no",
                }
                for each in self.judges
            ]
        who = "criterion" if self.request.criteria else "judge"
        pairs = self.pairs if self.mean is None else (*self.pairs, self.mean)
        return [{who: each.one, "other": each.other, "correlation": each.value, "items": each.items} for each in pairs]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        columns = [name for name in rows[0] if not self.judges or any(row[name] is not None for row in rows)]
        return ResultTable(columns, rows)


def agreement(
    judgments: People = None,
    *,
    repeats: People = None,
    links: TwoFiles | None = None,
    texts: TwoFiles | None = None,
    one_based: bool = AgreementRequest.one_based,
    criterion: str | None = AgreementRequest.criterion,
    criteria: bool = AgreementRequest.criteria,
    each_judge: bool = AgreementRequest.each_judge,
    pair: str | None = AgreementRequest.pair,
    where: str | Iterable[str] = AgreementRequest.where,
    level: Level = AgreementRequest.level,
    method: Method = AgreementRequest.method,
    min_items: int = AgreementRequest.min_items,
    encoding: str = "utf-8",
) -> AgreementResult:
    """Return the agreement of judges, of criteria, or of two annotators of word links.

    Args:
        judgments: File, table or frame of judgments.
        repeats: With *each_judge*: second judgments of some candidates by the same judges, in the same form.
        links: Files of two annotators, instead of judgments: Pharaoh lines or hand-aligned pairs.
        texts: With Pharaoh lines: the files of source and target sentences, with spaces between tokens.
        one_based: Whether links count positions from 1 instead of 0.
        criterion: Criterion to use; required if the judgments have several.
        criteria: Correlate criteria instead of judges.
        each_judge: Return the quality of each judge instead of pairs of judges; for rankings, too.
        pair: Language pair to take, if there are several.
        where: With *criteria*: conditions that candidates must meet, such as ``fluency>=4``.
        level: Correlate judgments of candidates (``segment``) or mean judgments of systems (``system``).
        method: ``pearson``, ``spearman`` or ``kendall``.
        min_items: Skip pairs of judges with fewer items in common.
        encoding: Encoding of the files.
    """
    request = AgreementRequest(
        one_based=one_based,
        criterion=criterion,
        criteria=criteria,
        each_judge=each_judge,
        pair=pair,
        where=several(where),
        level=level,
        method=method,
        min_items=min_items,
    )
    return find_agreement(request, judgments, repeats=repeats, links=links, texts=texts, encoding=encoding)


def find_agreement(
    request: AgreementRequest,
    judgments: People = None,
    *,
    repeats: People = None,
    links: TwoFiles | None = None,
    texts: TwoFiles | None = None,
    encoding: str = "utf-8",
) -> AgreementResult:
    """Return the result of *request*."""
    from paragauge.evaluate.people import as_people
    from paragauge.meta.rankings import Rankings

    _refuse_idle_options(request, links=links is not None, texts=texts is not None)
    if repeats is not None and (links is not None or not request.each_judge):
        raise OptionError("--repeats applies only to --each-judge")
    if links is not None:
        if judgments is not None:
            raise OptionError("--links cannot be combined with judgments; give one or the other")
        return AgreementResult(request, links=_of_links(links, texts, request.one_based, encoding))
    if judgments is None:
        raise OptionError("found no input, expected judgments or --links ONE OTHER --texts SRC TGT")
    people = as_people(judgments, pair=request.pair, encoding=encoding)
    if request.each_judge:
        again = None if repeats is None else as_people(repeats, pair=request.pair, encoding=encoding)
        return _of_each_judge(request, people, again)
    if isinstance(people, Rankings):
        raise DataError(
            "found WMT rankings, which have no scores; expected judgments with scores, or --each-judge for kappa"
        )
    return _of_criteria(request, people) if request.criteria else _of_judges(request, people)


def _refuse_idle_options(request: AgreementRequest, *, links: bool, texts: bool) -> None:
    if texts and not links:
        raise OptionError("--texts applies only to --links")
    if links:
        reason = "applies only to judgments, not to --links"
        names = ("criterion", "criteria", "each_judge", "pair", "where", "level", "method", "min_items")
        refuse_idle(request, dict.fromkeys(names, reason))
        return
    if request.each_judge:
        reason = "does not apply to --each-judge"
        refuse_idle(request, dict.fromkeys(("criteria", "where", "level", "min_items"), reason))
    judges = "applies only to judges, not to --criteria" if request.criteria else None
    refuse_idle(
        request,
        {
            "one_based": "applies only to --links",
            "where": None if request.criteria else "applies only to --criteria",
            "criterion": judges,
            "min_items": judges,
        },
    )


def _of_judges(request: AgreementRequest, judgments: Judgments) -> AgreementResult:
    """Return the agreement of each pair of judges, and the mean (table 1 of the PEM paper)."""
    from math import fsum, isnan

    from paragauge.meta.agreement import correlate_judges

    found = correlate_judges(
        judgments, criterion=request.criterion, method=request.method, level=request.level, min_items=request.min_items
    )
    if not found:
        raise DataError(f"no two judges have {request.min_items} items in common; lower --min-items or add judgments")
    pairs = tuple(AgreeingPair(each.one, each.other, each.value, each.items) for each in found)
    defined = [each.value for each in pairs if not isnan(each.value)]
    mean = AgreeingPair("mean", "", fsum(defined) / len(defined), len(defined)) if defined else None
    return AgreementResult(request, pairs, mean)


def _of_each_judge(
    request: AgreementRequest, people: Judgments | Rankings, repeats: Judgments | Rankings | None
) -> AgreementResult:
    from paragauge.meta.judge_quality import judge_judges, judge_rankings
    from paragauge.meta.rankings import Rankings

    if isinstance(people, Rankings):
        reason = "applies only to judgments with scores; these are rankings"
        refuse_idle(request, {"criterion": reason, "method": reason})
        if repeats is not None:
            raise OptionError("--repeats applies only to judgments with scores; rankings contain their repeats")
        return AgreementResult(request, judges=tuple(judge_rankings(people)))
    if isinstance(repeats, Rankings):
        raise DataError("the repeats are rankings, expected judgments with scores")
    found = judge_judges(people, criterion=request.criterion, method=request.method, repeats=repeats)
    return AgreementResult(request, judges=tuple(found))


def _of_criteria(request: AgreementRequest, judgments: Judgments) -> AgreementResult:
    """Return the correlation of each pair of criteria over candidates judged by both (table 2 of the PEM paper)."""
    from itertools import combinations

    from paragauge.meta.correlation import correlate_metric
    from paragauge.meta.evaluation import join_scores
    from paragauge.meta.scores import ScoreRow, ScoreTable
    from paragauge.meta.subset import Condition, subset

    names = list(dict.fromkeys(judgments.criteria))
    if len(names) < 2:
        raise OptionError(f"--criteria needs judgments by at least two criteria; found only {names[0]}")
    keep = subset(judgments, [Condition.parse(text) for text in request.where])
    means = judgments.mean_over_judges()
    pairs = []
    for one, other in combinations(names, 2):
        scores = ScoreTable(
            tuple(ScoreRow(one, row.system, row.segment, row.score) for row in means if row.criterion == one)
        )
        evaluation = join_scores(scores, judgments, criterion=other, keep=keep)
        found = correlate_metric(evaluation, one, method=request.method, level=request.level)
        pairs.append(AgreeingPair(one, other, found.value, found.items))
    return AgreementResult(request, tuple(pairs))


def _of_links(links: TwoFiles, texts: TwoFiles | None, one_based: bool, encoding: str) -> LinkAgreement:
    """Return C-hat of two annotators over words and over basic phrases, treating sure and possible links alike."""
    from paragauge.align.annotated import read_two_annotators
    from paragauge.meta.agreement import link_agreement, phrase_agreement

    read = read_two_annotators(*links, texts=texts, one_based=one_based, encoding=encoding)
    return LinkAgreement(
        fspath(links[0]),
        fspath(links[1]),
        link_agreement(read.one, read.other, read.lengths),
        phrase_agreement(read.one, read.other, read.lengths),
        len(read.lengths),
        sum(source for source, target in read.lengths if target),
    )
