"""``paragauge references``: how references influence a metric (the experiments of ParaEval's paper)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from paragauge.cli.groups import WholeSummaries
from paragauge.cli.inputs import Inputs, TextsCommand, input_options, load_metrics, load_testset
from paragauge.cli.options import metric_option, output_options
from paragauge.cli.output import emit, progress_bar
from paragauge.cli.requests import request_options
from paragauge.evaluate.references import WITH_PEOPLE, ReferencesRequest, examine_references

if TYPE_CHECKING:
    from paragauge.corpora.testset import TestSet
    from paragauge.metrics.base import SentenceMetric
    from paragauge.report.table import Format

judgments_option = click.option(
    "--judgments", required=True, metavar="FILE", type=click.Path(), help="Human judgments or WMT rankings."
)
with_people = request_options(ReferencesRequest, without={"experiment"})
without_people = request_options(ReferencesRequest, without={"experiment", *WITH_PEOPLE})


@click.group(cls=WholeSummaries)
def references() -> None:
    """Measure the influence of references: single references, references against each other, people among systems.

    \b
    Example:
      paragauge references single -m paraeval --testset set.jsonl --judgments judgments.tsv
      paragauge references steps --testset set.jsonl --judgments judgments.tsv
      paragauge references cross -m 'paraeval(value=precision)' --testset set.jsonl
      paragauge references humans -m paraeval -m bleu --testset set.jsonl
    """


@references.command(cls=TextsCommand)
@metric_option
@input_options
@judgments_option
@with_people
@output_options
def single(
    metrics: tuple[str, ...],
    inputs: Inputs,
    judgments: str,
    request: Callable[..., ReferencesRequest],
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate metrics with people, using each single reference and all of them (ParaEval's table 3).

    The columns low and high are percentiles of resamples; mean_low and mean_high are the paper's interval of their
    mean. --compare tests differences between metrics (tables 1 and 2): bootstrap_p says whether a difference would hold
    on other segments; t and t_p are the paper's t-test over resamples, which calls nearly every difference significant.

    \b
    Example:
      paragauge references single -m bleu -m paraeval --ref r1.txt --ref r2.txt a.txt b.txt c.txt --judgments j.tsv
      paragauge references single -m bleu -m paraeval --testset set.jsonl --judgments j.tsv --compare
    """
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    _show(request(experiment="single"), data, chosen, judgments, inputs.encoding, form, output, quiet)


@references.command(cls=TextsCommand)
@input_options
@judgments_option
@with_people
@output_options
def steps(
    inputs: Inputs, judgments: str, request: Callable[..., ReferencesRequest], form: Format, output: str, quiet: bool
) -> None:
    """Split BLEU into three steps and correlate each with people (ParaEval's tables 5 and 6).

    The steps are modified unigram precision, the geometric mean of all precisions, and BLEU itself, which multiplies
    that by the brevity penalty; each with single references and with all of them.

    \b
    Example:
      paragauge references steps --testset set.jsonl --judgments judgments.tsv
    """
    from paragauge.meta.references import BLEU_STEPS

    data = load_testset(inputs, list(BLEU_STEPS))
    _show(request(experiment="steps"), data, [], judgments, inputs.encoding, form, output, quiet)


@references.command(cls=TextsCommand)
@metric_option
@input_options
@without_people
@output_options
def cross(
    metrics: tuple[str, ...],
    inputs: Inputs,
    request: Callable[..., ReferencesRequest],
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Score each reference against all the others (ParaEval's table 4).

    Candidates in a test set are ignored.

    \b
    Example:
      paragauge references cross -m 'paraeval(value=precision)' --ref r1.txt --ref r2.txt --ref r3.txt
    """
    chosen = load_metrics(metrics)
    data = _references_only(inputs)
    _show(request(experiment="cross"), data, chosen, None, inputs.encoding, form, output, quiet)


@references.command(cls=TextsCommand)
@metric_option
@input_options
@without_people
@output_options
def humans(
    metrics: tuple[str, ...],
    inputs: Inputs,
    request: Callable[..., ReferencesRequest],
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Rank references among the systems (ParaEval's figure 5): can a metric tell people from machines?

    A reference is scored against all the others, and a system against the same sets of references.

    \b
    Example:
      paragauge references humans -m paraeval -m bleu --ref r1.txt --ref r2.txt a.txt b.txt c.txt
    """
    chosen = load_metrics(metrics)
    data = load_testset(inputs, chosen)
    _show(request(experiment="humans"), data, chosen, None, inputs.encoding, form, output, quiet)


def _show(
    request: ReferencesRequest,
    testset: TestSet,
    metrics: list[SentenceMetric],
    judgments: str | None,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    from paragauge.evaluate.people import as_people

    people = None if judgments is None else as_people(judgments, pair=request.pair, encoding=encoding)
    with progress_bar("segments", quiet=quiet) as bar:
        result = examine_references(request, testset, metrics, people, progress=bar)
    emit(result.table().render(form), output)


def _references_only(inputs: Inputs) -> TestSet:
    from paragauge.corpora import read_plain_testset, read_testset
    from paragauge.corpora.testset import TestSet

    if inputs.testset is not None:
        if inputs.references or inputs.candidates or inputs.names or inputs.original is not None:
            raise click.UsageError("--testset contains all texts; drop the candidates, --ref, --original and --name")
        return read_testset(inputs.testset, encoding=inputs.encoding)
    if inputs.candidates or inputs.names:
        raise click.UsageError("references are scored against each other; drop the candidates and --name")
    if len(inputs.references) < 2:
        raise click.UsageError("expected at least two reference files (--ref), or --testset")
    read = read_plain_testset(inputs.references, originals=inputs.original, encoding=inputs.encoding)
    return TestSet(ids=read.ids, references=read.candidates, originals=read.originals)
