"""``paragauge learn``: a metric made of other metrics, learned from judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, format_option, output_to, quiet_option
from paragauge.cli.requests import request_options
from paragauge.evaluate.learn import LearnRequest

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command(short_help="Learn a metric from judgments.")
@click.argument("judgments", nargs=-1, required=True, metavar="JUDGMENTS...", type=click.Path(allow_dash=True))
@request_options(LearnRequest)
@encoding_option
@output_to("MODEL", "Folder of the learned metric to write.", required=True)
@format_option("table", "tsv", "json", help="Format of the figures that are printed.")
@quiet_option
def learn(
    judgments: tuple[str, ...], request: LearnRequest, encoding: str, output: str, form: Format, quiet: bool
) -> None:
    """Learn one metric from several and people's judgments.

    JUDGMENTS are tables (TSV, CSV or JSON Lines) with the columns candidate and score, and reference (for translation)
    or original (for paraphrases); optionally source, set, system, judge and criterion. Scores of several sets and
    judges may be on different scales: they are standardised for each judge within each set.

    It prints how well the blend does on source sentences and on sets that it was not trained on, beside each of its
    parts, and what is lost without each part. The folder contains a card with these figures. Score with it like with
    any other metric: -m 'blend(model=MODEL)'.

    \b
    Example:
      paragauge learn judged.tsv --metrics bleu,chrf,meteor,maxsim,paraeval -o my.metric
      paragauge learn news.tsv tweets.tsv -m chrf,meteor,meteor.fragmentation --regressor monotone -o my.metric
      paragauge score -m 'blend(model=my.metric)' --ref reference.txt system.txt
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.learn import learn as evaluate

    with progress_bar("segments", quiet=quiet) as show:
        found = evaluate(judgments, request, output=output, encoding=encoding, progress=show)
    emit(found.table().render(form), "-")
    if not quiet:
        click.echo(f"paragauge: {output}: {found.summary()}", err=True)
