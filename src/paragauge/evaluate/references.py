"""The effect of references on a metric: the experiments of the ParaEval paper, for any metric and data."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeAlias

from paragauge.concern import reported_once
from paragauge.errors import OptionError
from paragauge.evaluate.correlate import several
from paragauge.evaluate.idle import refuse_idle
from paragauge.evaluate.option import Request, bootstrap_option, option, seed_option
from paragauge.evaluate.result import Result
from paragauge.evaluate.score import MetricLike, metric_names
from paragauge.meta.choices import Method

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.corpora.testset import TestSet
    from paragauge.evaluate.people import People
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.references import RankedScore, ReferenceComparison, ReferenceCorrelation
    from paragauge.metrics.base import SentenceMetric
    from paragauge.metrics.signature import Signature
    from paragauge.progress import Progress
    from paragauge.report.table import Cell, ResultTable

logger = logging.getLogger("paragauge")

Experiment: TypeAlias = Literal["single", "steps", "cross", "humans"]


@dataclass(frozen=True, kw_only=True)
class ReferencesRequest(Request):
    """Options for experiments with references.

    ``single`` correlates metrics with human judgments for each single reference and for all references; ``steps`` does
    the same for the components of BLEU; ``cross`` scores each reference against the others; ``humans`` ranks references
    among the systems.
    """

    experiment: Experiment = option("single", help="Experiment to run.")
    criteria: tuple[str, ...] = option(
        (),
        flags=("--criterion",),
        metavar="NAME",
        help="Criterion of the judgments to use.",
        default_help="all",
    )
    pair: str | None = option(
        None, metavar="PAIR", help="Language pair to take from a WMT ranking file, such as Czech-English."
    )
    methods: tuple[Method, ...] = option(
        ("spearman",), flags=("--method",), help="Correlation coefficient; kendall is tau-b."
    )
    compare: bool = option(
        False,
        help="Compare metrics pairwise: differences of correlations, with the paper's t-test over resamples and a "
        "bootstrap test.",
    )
    by_document: bool = option(False, help="Resample documents, not segments; needs document names in the test set.")
    bootstrap: int = bootstrap_option()
    seed: int = seed_option()


WITH_PEOPLE = frozenset({"criteria", "pair", "methods", "compare"})  # fields for single and steps only


@dataclass(frozen=True)
class ReferencesResult(Result):
    """Effect of references on metrics.

    Attributes:
        request: The request that this answers.
        correlations: For ``single`` and ``steps``: correlations of metrics with human judgments, by criterion, metric,
            references and method.
        comparisons: Comparisons of metrics, if requested.
        scores: For ``cross`` and ``humans``: scores of references, or of references and systems, best first.
        turned: Metrics whose sign was reversed before correlation because lower is better.
        metric_signatures: Signatures of the metrics with their references.
        signature: Signature of the experiment.
    """

    request: ReferencesRequest
    correlations: tuple[ReferenceCorrelation, ...]
    comparisons: tuple[ReferenceComparison, ...]
    scores: tuple[RankedScore, ...]
    turned: tuple[str, ...]
    metric_signatures: tuple[Signature, ...]
    signature: Signature

    def rows(self) -> list[dict[str, Cell]]:
        """Return one row per correlation, per comparison of two metrics, or per score."""
        if self.request.compare:
            return [_comparison_row(each) for each in self.comparisons]
        if self.correlations:
            return [_correlation_row(each) for each in self.correlations]
        return [_score_row(each, people_and_systems=self.request.experiment == "humans") for each in self.scores]

    def table(self) -> ResultTable:
        from paragauge.report.table import ResultTable

        rows = self.rows()
        notes = [*map(str, self.metric_signatures), str(self.signature)]
        if self.turned:
            notes.insert(0, f"lower is better, sign reversed: {', '.join(self.turned)}")
        known = [name for name in rows[0] if not name.startswith("mean_") or self.request.bootstrap]
        return ResultTable(known, rows, notes=notes)


def _correlation_row(each: ReferenceCorrelation) -> dict[str, Cell]:
    return {
        "criterion": each.criterion,
        "metric": each.metric,
        "references": each.references,
        "method": each.method,
        "correlation": each.value,
        "low": None if each.interval is None else each.interval.low,
        "high": None if each.interval is None else each.interval.high,
        "systems": each.systems,
        "mean_low": None if each.mean_interval is None else each.mean_interval.low,
        "mean_high": None if each.mean_interval is None else each.mean_interval.high,
    }


def _comparison_row(each: ReferenceComparison) -> dict[str, Cell]:
    return {
        "criterion": each.criterion,
        "metric": each.metric,
        "other": each.other,
        "references": each.references,
        "method": each.method,
        "difference": each.difference,
        "low": each.interval.low,
        "high": each.interval.high,
        "bootstrap_p": each.bootstrap_p,
        "t": each.t,
        "t_p": each.t_p,
    }


def _score_row(score: RankedScore, *, people_and_systems: bool) -> dict[str, Cell]:
    return {
        "metric": score.metric,
        "rank": score.rank,
        "name" if people_and_systems else "reference": score.name,
        **({"who": "human" if score.human else "system"} if people_and_systems else {}),
        "score": score.value,
        "low": None if score.interval is None else score.interval.low,
        "high": None if score.interval is None else score.interval.high,
    }


def references(
    testset: TestSet | str | PathLike[str],
    metrics: MetricLike | Iterable[MetricLike] = (),
    judgments: People = None,
    *,
    experiment: Experiment = ReferencesRequest.experiment,
    criteria: str | Iterable[str] = ReferencesRequest.criteria,
    pair: str | None = ReferencesRequest.pair,
    method: Method | Iterable[Method] = ReferencesRequest.methods,
    compare: bool = ReferencesRequest.compare,
    by_document: bool = ReferencesRequest.by_document,
    bootstrap: int = ReferencesRequest.bootstrap,
    seed: int = ReferencesRequest.seed,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> ReferencesResult:
    """Return the effect of references on metrics.

    Args:
        testset: Test set, or its file.
        metrics: Metrics by name (``"chrf(word_order=2)"``) or as objects; not for ``steps``.
        judgments: For ``single`` and ``steps``: file, table or frame of judgments, or WMT rankings.
        experiment: ``single`` correlates metrics with human judgments for each single reference and for all references;
            ``steps`` does the same for the components of BLEU; ``cross`` scores each reference against the others;
            ``humans`` ranks references among the systems.
        criteria: Criteria of the judgments to use; by default, all.
        pair: Language pair to take from a file of WMT rankings.
        method: One or more of ``pearson``, ``spearman``, ``kendall``.
        compare: For ``single`` and ``steps``: compare metrics pairwise instead, on the same resamples.
        by_document: Resample documents instead of segments; the test set must have document names.
        bootstrap: Number of resamples for 95% confidence intervals; 0 for none.
        seed: Seed of the random number generator.
        encoding: Encoding of the files.
        progress: Called with the number of segments scored.
    """
    from paragauge.corpora import read_testset
    from paragauge.evaluate.people import as_people
    from paragauge.metrics.registry import parse_sentence_metrics

    request = ReferencesRequest(
        experiment=experiment,
        criteria=several(criteria),
        pair=pair,
        methods=several(method),
        compare=compare,
        by_document=by_document,
        bootstrap=bootstrap,
        seed=seed,
    )
    return examine_references(
        request,
        read_testset(testset, encoding=encoding) if isinstance(testset, str | PathLike) else testset,
        parse_sentence_metrics(metric_names(metrics)),
        None if judgments is None else as_people(judgments, pair=pair, encoding=encoding),
        progress=progress,
    )


def examine_references(
    request: ReferencesRequest,
    testset: TestSet,
    metrics: Sequence[SentenceMetric],
    people: Judgments | Rankings | None = None,
    *,
    progress: Progress | None = None,
) -> ReferencesResult:
    """Return the result of *request*."""
    _refuse_idle_options(request, metrics, people)
    with reported_once(logger):  # systems are scored with one set of references after another
        if request.experiment in ("single", "steps"):
            return _correlated(request, testset, metrics, people, progress)
        return _ranked(request, testset, metrics, progress)


def _refuse_idle_options(
    request: ReferencesRequest, metrics: Sequence[SentenceMetric], people: Judgments | Rankings | None
) -> None:
    from paragauge.meta.rankings import Rankings

    if request.experiment == "steps":
        if metrics:
            raise OptionError("the experiment 'steps' always uses BLEU; do not give metrics")
    elif not metrics:
        raise OptionError("no metric was given; name at least one, such as bleu or paraeval")
    with_people = request.experiment in ("single", "steps")
    if with_people and people is None:
        raise OptionError(
            f"the experiment {request.experiment!r} needs judgments to correlate metrics with; none were given"
        )
    if not with_people and people is not None:
        raise OptionError(f"the experiment {request.experiment!r} does not use judgments; leave them out")
    alone = None if with_people else f"applies only to judgments, which {request.experiment!r} does not use"
    resampled = None if request.bootstrap else "applies only to intervals, which --bootstrap 0 disables"
    ranked = isinstance(people, Rankings)
    if request.compare and not request.bootstrap:
        raise OptionError("--compare tests differences over resamples, which --bootstrap 0 disables")
    if request.compare and request.experiment == "single" and len(metrics) < 2:
        raise OptionError(f"--compare needs at least two metrics; found only {metrics[0]}")
    refuse_idle(
        request,
        {
            "criteria": "applies only to judgments; rankings have no criteria" if ranked else alone,
            "pair": alone if alone or ranked else "applies only to WMT rankings; these are judgments",
            "methods": alone,
            "compare": alone,
            "by_document": resampled,
            "seed": resampled,
        },
    )


def _correlated(
    request: ReferencesRequest,
    testset: TestSet,
    metrics: Sequence[SentenceMetric],
    people: Judgments | Rankings | None,
    progress: Progress | None,
) -> ReferencesResult:
    from paragauge.meta.direction import sign_of
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.references import BLEU_STEPS, compare_by_reference, correlate_by_reference, human_scores
    from paragauge.meta.study import RANKING

    assert people is not None  # noqa: S101, checked with the options
    chosen = BLEU_STEPS if request.experiment == "steps" else metrics
    if isinstance(people, Rankings):
        wanted = {RANKING: human_scores(people)}
    else:
        names = request.criteria or tuple(dict.fromkeys(people.criteria))
        wanted = {name: human_scores(people, name) for name in names}
    found = correlate_by_reference(
        chosen,
        testset,
        wanted,
        methods=request.methods,
        by_document=request.by_document,
        resamples=request.bootstrap,
        seed=request.seed,
        progress=progress,
    )
    order = {criterion: place for place, criterion in enumerate(wanted)}
    found = sorted(found, key=lambda each: order[each.criterion])
    return ReferencesResult(
        request,
        tuple(found),
        tuple(compare_by_reference(found)) if request.compare else (),
        (),
        tuple(str(metric) for metric in chosen if sign_of(metric) < 0),
        _metric_signatures(chosen, testset),
        _signature(request),
    )


def _ranked(
    request: ReferencesRequest, testset: TestSet, metrics: Sequence[SentenceMetric], progress: Progress | None
) -> ReferencesResult:
    from paragauge.meta.references import compare_references, humans_among_systems

    humans = request.experiment == "humans"
    data = _with_named_references(testset) if humans else testset
    found = (humans_among_systems if humans else compare_references)(
        metrics,
        data,
        by_document=request.by_document,
        resamples=request.bootstrap,
        seed=request.seed,
        progress=progress,
    )
    # A reference that is scored leaves one fewer to compare with.
    one_less = replace(data, references=dict(list(data.references.items())[1:]))
    return ReferencesResult(
        request, (), (), tuple(found), (), _metric_signatures(metrics, one_less), _signature(request)
    )


def _with_named_references(testset: TestSet) -> TestSet:
    """Give numbered references a name that is clear among systems."""
    names = {name: f"reference-{name}" if name.isdigit() else name for name in testset.references}
    return replace(testset, references={names[name]: texts for name, texts in testset.references.items()})


def _metric_signatures(metrics: Sequence[SentenceMetric], testset: TestSet) -> tuple[Signature, ...]:
    """Return the signatures of the metrics with the references of *testset*."""
    from paragauge.corpora.segments import Segments

    everything = Segments.of(testset.ids, list(zip(*testset.references.values(), strict=True)))
    return tuple(metric.signature(everything) for metric in metrics)


def _signature(request: ReferencesRequest) -> Signature:
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    items: dict[str, object] = {"level": "system"}
    if request.bootstrap:
        unit = "document" if request.by_document else "segment"
        items |= {"bs": request.bootstrap, "unit": unit, "seed": request.seed}
    return Signature.of("references", {**items, "version": package_version()})
