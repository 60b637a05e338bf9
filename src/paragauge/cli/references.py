"""``paragauge references``: what references do to a metric (the experiments of ParaEval's paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import (
    Inputs,
    bootstrap_option,
    input_options,
    load_metrics,
    load_testset,
    metric_option,
    output_options,
    quieten,
    seed_option,
)
from paragauge.cli.output import Progress, emit, progress

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.corpora.testset import TestSet
    from paragauge.meta.correlation import Method
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.references import RankedScore
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Cell, Format, ResultTable

by_document_option = click.option(
    "--by-document", is_flag=True, help="Resample documents instead of segments; the test set must name them."
)
method_option = click.option(
    "--method",
    "methods",
    type=click.Choice(["pearson", "spearman", "kendall"]),
    multiple=True,
    default=["spearman"],
    show_default=True,
    help="May be repeated.",
)
judgments_option = click.option(
    "--judgments", required=True, metavar="FILE", type=click.Path(), help="What people said: judgments or WMT rankings."
)
criterion_option = click.option(
    "--criterion", "criteria", multiple=True, metavar="NAME", help="Which judgments; all criteria by default."
)
pair_option = click.option("--pair", metavar="PAIR", help="Language pair of a WMT ranking file, as in Czech-English.")


@click.group()
def references() -> None:
    """See what references do to a metric: single ones, one against another, people among systems.

    \b
    Example:
      paragauge references single -m paraeval --testset set.jsonl --judgments judgments.tsv
      paragauge references steps --testset set.jsonl --judgments judgments.tsv
      paragauge references cross -m 'paraeval(value=precision)' --testset set.jsonl
      paragauge references humans -m paraeval -m bleu --testset set.jsonl
    """


@references.command()
@metric_option
@input_options
@judgments_option
@criterion_option
@pair_option
@method_option
@by_document_option
@bootstrap_option
@seed_option
@output_options
def single(
    metrics: tuple[str, ...],
    inputs: Inputs,
    judgments: str,
    criteria: tuple[str, ...],
    pair: str | None,
    methods: tuple[Method, ...],
    by_document: bool,
    bootstrap: int,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate metrics with people, with each single reference by itself and with all (ParaEval's table 3).

    \b
    Example:
      paragauge references single -m bleu -m paraeval --ref r1.txt --ref r2.txt a.txt b.txt c.txt --judgments j.tsv
    """
    from paragauge.meta.rankings import read_people

    quieten(quiet)
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    people = read_people(judgments, pair=pair, encoding=inputs.encoding)
    with progress(None, "segments", quiet=quiet) as bar:
        table = correlation_table(chosen, data, people, criteria, methods, by_document, bootstrap, seed, bar)
    emit(table.render(form), output)


@references.command()
@input_options
@judgments_option
@criterion_option
@pair_option
@method_option
@by_document_option
@bootstrap_option
@seed_option
@output_options
def steps(
    inputs: Inputs,
    judgments: str,
    criteria: tuple[str, ...],
    pair: str | None,
    methods: tuple[Method, ...],
    by_document: bool,
    bootstrap: int,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Take BLEU apart in three steps, each correlated with people (ParaEval's tables 5 and 6).

    The steps are modified unigram precision, the geometric mean of all precisions, and BLEU itself, which multiplies
    that by the brevity penalty; each with single references and with all.

    \b
    Example:
      paragauge references steps --testset set.jsonl --judgments judgments.tsv
    """
    from paragauge.meta.rankings import read_people
    from paragauge.meta.references import BLEU_STEPS

    quieten(quiet)
    chosen = list(BLEU_STEPS)
    data = load_testset(inputs, list(chosen))
    people = read_people(judgments, pair=pair, encoding=inputs.encoding)
    with progress(None, "segments", quiet=quiet) as bar:
        table = correlation_table(list(chosen), data, people, criteria, methods, by_document, bootstrap, seed, bar)
    emit(table.render(form), output)


@references.command()
@metric_option
@input_options
@by_document_option
@bootstrap_option
@seed_option
@output_options
def cross(
    metrics: tuple[str, ...],
    inputs: Inputs,
    by_document: bool,
    bootstrap: int,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Score each reference against all the others (ParaEval's table 4).

    Candidates are not looked at; a test set may have none.

    \b
    Example:
      paragauge references cross -m 'paraeval(value=precision)' --ref r1.txt --ref r2.txt --ref r3.txt
    """
    from paragauge.meta.references import compare_references

    quieten(quiet)
    chosen = load_metrics(metrics)
    data = _reference_testset(inputs)
    with progress(len(chosen) * len(data.references) * len(data), "segments", quiet=quiet) as bar:
        found = compare_references(
            chosen, data, by_document=by_document, resamples=bootstrap, seed=seed, advance=bar.update
        )
    notes = _notes(chosen, _one_less(data), by_document, bootstrap, seed)
    emit(_ranking_table(found, "reference", notes).render(form), output)


@references.command()
@metric_option
@input_options
@by_document_option
@bootstrap_option
@seed_option
@output_options
def humans(
    metrics: tuple[str, ...],
    inputs: Inputs,
    by_document: bool,
    bootstrap: int,
    seed: int,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Rank references among the systems (ParaEval's figure 5): does a metric tell people from machines?

    A reference is scored against all the others, and a system against the same sets of references.

    \b
    Example:
      paragauge references humans -m paraeval -m bleu --ref r1.txt --ref r2.txt a.txt b.txt c.txt
    """
    from paragauge.meta.references import humans_among_systems

    quieten(quiet)
    chosen = load_metrics(metrics)
    data = _with_named_references(load_testset(inputs, chosen))
    total = len(chosen) * len(data.references) * (len(data.candidates) + 1) * len(data)
    with progress(total, "segments", quiet=quiet) as bar:
        found = humans_among_systems(
            chosen, data, by_document=by_document, resamples=bootstrap, seed=seed, advance=bar.update
        )
    notes = _notes(chosen, _one_less(data), by_document, bootstrap, seed)
    emit(_ranking_table(found, "name", notes).render(form), output)


def _with_named_references(testset: TestSet) -> TestSet:
    """Give references that are only numbered a name that can stand among systems."""
    from dataclasses import replace

    names = {name: f"reference-{name}" if name.isdigit() else name for name in testset.references}
    return replace(testset, references={names[name]: texts for name, texts in testset.references.items()})


def _reference_testset(inputs: Inputs) -> TestSet:
    from paragauge.corpora import read_testset
    from paragauge.corpora.plain import read_plain_references

    if inputs.testset is not None:
        if inputs.references or inputs.candidates:
            raise click.UsageError("--testset holds everything; give no candidates or --ref beside it")
        return read_testset(inputs.testset, encoding=inputs.encoding)
    if len(inputs.references) < 2:
        raise click.UsageError("expected at least two files of references, each with --ref, or --testset")
    return read_plain_references(inputs.references, encoding=inputs.encoding)


def correlation_table(
    metrics: list[SentenceMetric],
    testset: TestSet,
    people: Judgments | Rankings,
    criteria: tuple[str, ...],
    methods: tuple[Method, ...],
    by_document: bool,
    bootstrap: int,
    seed: int,
    bar: Progress,
) -> ResultTable:
    """Return one row for each metric, choice of references, criterion and method."""
    from paragauge.meta.rankings import Rankings
    from paragauge.meta.references import correlate_by_reference, human_scores
    from paragauge.meta.study import RANKING
    from paragauge.report.table import ResultTable

    if isinstance(people, Rankings):
        if criteria:
            raise click.UsageError("rankings have no criteria; leave --criterion out")
        wanted = {RANKING: human_scores(people)}
    else:
        names = criteria or tuple(dict.fromkeys(people.criteria))
        wanted = {name: human_scores(people, name) for name in names}
    found = correlate_by_reference(
        metrics, testset, wanted, methods=methods, by_document=by_document, resamples=bootstrap, seed=seed,
        advance=bar.update,
    )  # fmt: skip
    order = {criterion: place for place, criterion in enumerate(wanted)}
    rows: list[dict[str, Cell]] = [
        {
            "criterion": each.criterion,
            "metric": each.metric,
            "references": each.references,
            "method": each.method,
            "correlation": each.value,
            "low": None if each.interval is None else each.interval.low,
            "high": None if each.interval is None else each.interval.high,
            "systems": each.systems,
        }
        for each in sorted(found, key=lambda each: order[each.criterion])
    ]
    return ResultTable(list(rows[0]), rows, notes=_notes(metrics, testset, by_document, bootstrap, seed))


def _ranking_table(scores: list[RankedScore], label: str, notes: list[str]) -> ResultTable:
    from paragauge.report.table import ResultTable

    several = label == "name"
    rows: list[dict[str, Cell]] = [
        {
            "metric": score.metric,
            "rank": score.rank,
            label: score.name,
            **({"who": "human" if score.human else "system"} if several else {}),
            "score": score.value,
            "low": None if score.interval is None else score.interval.low,
            "high": None if score.interval is None else score.interval.high,
        }
        for score in scores
    ]
    return ResultTable(list(rows[0]), rows, notes=notes)


def _one_less(testset: TestSet) -> TestSet:
    """Return the test set as it is when a reference is scored: without it."""
    from dataclasses import replace

    return replace(testset, references=dict(list(testset.references.items())[1:]))


def _notes(metrics: list[SentenceMetric], testset: TestSet, by_document: bool, bootstrap: int, seed: int) -> list[str]:
    """Return the signatures of the metrics with these references, and that of the experiment."""
    from paragauge.corpora.segments import Segments
    from paragauge.metrics.base import package_version
    from paragauge.metrics.signature import Signature

    everything = Segments.of(testset.ids, list(zip(*testset.references.values(), strict=True)))
    items: dict[str, object] = {"level": "system"}
    if bootstrap:
        items |= {"bs": bootstrap, "unit": "document" if by_document else "segment", "seed": seed}
    own = str(Signature.of("references", {**items, "version": package_version()}))
    return [*(str(metric.signature(everything)) for metric in metrics), own]
