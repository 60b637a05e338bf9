"""``paragauge agreement``: how far people agree with one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, output_options, quieten
from paragauge.cli.output import emit

if TYPE_CHECKING:
    from paragauge.corpora.judgments import Judgments
    from paragauge.meta.correlation import Level, Method
    from paragauge.report.table import Cell, Format, ResultTable


@click.command()
@click.argument("judgments", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--links",
    nargs=2,
    metavar="ONE OTHER",
    type=click.Path(),
    help="Word links of two annotators instead of judgments: C-hat. Pharaoh lines, or hand-aligned pairs as for "
    "'parametric'.",
)
@click.option(
    "--texts",
    nargs=2,
    metavar="SRC TGT",
    type=click.Path(),
    help="With Pharaoh lines: the sentences, tokens between spaces.",
)
@click.option("--one-based", is_flag=True, help="With --links: positions count from 1.")
@click.option("--criterion", metavar="NAME", help="Which judgments; needed if there are several criteria.")
@click.option("--criteria", is_flag=True, help="Correlate criteria with one another instead of judges.")
@click.option(
    "--where", multiple=True, metavar="CONDITION", help="With --criteria: only candidates such as 'fluency>=4'."
)
@click.option("--level", type=click.Choice(["segment", "system"]), default="segment", show_default=True)
@click.option("--method", type=click.Choice(["pearson", "spearman", "kendall"]), default="pearson", show_default=True)
@click.option(
    "--min-items",
    default=3,
    show_default=True,
    type=click.IntRange(min=2),
    metavar="N",
    help="Judges with fewer items in common are left out.",
)
@encoding_option
@output_options
def agreement(
    judgments: str | None,
    links: tuple[str, str] | None,
    texts: tuple[str, str] | None,
    one_based: bool,
    criterion: str | None,
    criteria: bool,
    where: tuple[str, ...],
    level: Level,
    method: Method,
    min_items: int,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate the judges in JUDGMENTS with one another, pair by pair, or the criteria.

    With --links, the agreement of two annotators of word links instead: C-hat of Kupper and Hafner, over source words,
    of the words that they link and of the smallest phrases that they join.

    \b
    Example:
      paragauge agreement judgments.tsv --criterion overall
      paragauge agreement judgments.tsv --criteria --where 'adequacy>=4' --where 'fluency>=4'
      paragauge agreement --links ann.align bob.align --texts text.en text.fr
      paragauge agreement --links ann.json bob.json
    """
    from paragauge.corpora import read_judgments

    quieten(quiet)
    if where and not criteria:
        raise click.UsageError("--where goes with --criteria")
    if links is not None:
        if judgments is not None:
            raise click.UsageError("--links goes without judgments")
        emit(links_table(links, texts, one_based, encoding).render(form), output)
        return
    if judgments is None:
        raise click.UsageError("expected JUDGMENTS, or --links ONE OTHER --texts SRC TGT")
    table = read_judgments(judgments, encoding=encoding)
    if criteria:
        emit(criteria_table(table, where, level, method).render(form), output)
    else:
        emit(judge_table(table, criterion, level, method, min_items).render(form), output)


def judge_table(
    judgments: Judgments, criterion: str | None, level: Level, method: Method, min_items: int
) -> ResultTable:
    """Return one row for each pair of judges, and their mean (PEM's table 1)."""
    from math import fsum, isnan

    from paragauge.errors import DataError
    from paragauge.meta.agreement import correlate_judges
    from paragauge.report.table import ResultTable

    pairs = correlate_judges(judgments, criterion=criterion, method=method, level=level, min_items=min_items)
    if not pairs:
        raise DataError(f"no two judges have {min_items} items in common")
    rows: list[dict[str, Cell]] = [
        {"judge": pair.one, "other": pair.other, "correlation": pair.value, "items": pair.items} for pair in pairs
    ]
    defined = [pair.value for pair in pairs if not isnan(pair.value)]
    if defined:
        rows.append({"judge": "mean", "other": "", "correlation": fsum(defined) / len(defined), "items": len(defined)})
    return ResultTable(["judge", "other", "correlation", "items"], rows)


def criteria_table(judgments: Judgments, where: tuple[str, ...], level: Level, method: Method) -> ResultTable:
    """Return the correlation of each pair of criteria, over candidates judged by both (PEM's table 2)."""
    from itertools import combinations

    from paragauge.meta.correlation import correlate_metric
    from paragauge.meta.evaluation import join_scores
    from paragauge.meta.scores import ScoreRow, ScoreTable
    from paragauge.meta.subset import Condition, subset
    from paragauge.report.table import ResultTable

    names = list(dict.fromkeys(judgments.criteria))
    if len(names) < 2:
        raise click.UsageError(f"the judgments have one criterion ({names[0]}), expected at least two")
    keep = subset(judgments, [Condition.parse(text) for text in where])
    means = judgments.mean_over_judges()
    rows: list[dict[str, Cell]] = []
    for one, other in combinations(names, 2):
        scores = ScoreTable(
            tuple(ScoreRow(one, row.system, row.segment, row.score) for row in means if row.criterion == one)
        )
        evaluation = join_scores(scores, judgments, criterion=other, keep=keep)
        found = correlate_metric(evaluation, one, method=method, level=level)
        rows.append({"criterion": one, "other": other, "correlation": found.value, "items": found.items})
    return ResultTable(["criterion", "other", "correlation", "items"], rows)


def links_table(links: tuple[str, str], texts: tuple[str, str] | None, one_based: bool, encoding: str) -> ResultTable:
    """Return one row: C-hat of two annotators, over words and over basic phrases, sure and possible links alike."""
    from paragauge.align.annotated import read_two_annotators
    from paragauge.meta.agreement import link_agreement, phrase_agreement
    from paragauge.report.table import ResultTable

    read = read_two_annotators(*links, texts=texts, one_based=one_based, encoding=encoding)
    row: dict[str, Cell] = {
        "annotator": links[0],
        "other": links[1],
        "c_hat": link_agreement(read.one, read.other, read.lengths),
        "c_hat_phrases": phrase_agreement(read.one, read.other, read.lengths),
        "sentences": len(read.lengths),
        "words": sum(source for source, target in read.lengths if target),
    }
    return ResultTable(list(row), [row])
