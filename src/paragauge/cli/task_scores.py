"""``paragauge paradigm correlate``: do scores of grammars predict how well a task is done with them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, output_options
from paragauge.cli.requests import request_options
from paragauge.evaluate.task_scores import TaskRequest

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command(short_help="Correlate scores of grammars with a task.")
@click.argument("scores", metavar="SCORES...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--judgments",
    required=True,
    metavar="FILE",
    type=click.Path(),
    help="Judgments of what was made with each grammar, or a table with a column for each score of the task.",
)
@request_options(TaskRequest)
@encoding_option
@output_options
def correlate(
    scores: tuple[str, ...],
    judgments: str,
    request: TaskRequest,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate scores of grammars with judgments of a task done with them (PARADIGM's table 7).

    SCORES are tables such as those of 'paradigm report --format tsv', and of 'score --format tsv' for what was made
    with each grammar: a column that names the grammar (system, grammar or resource) and columns of numbers. The
    judgments name the same grammars as systems. p is that of an exact permutation test: with five grammars, as in the
    paper, only a correlation of 1 (or -1) is significant.

    \b
    Example:
      paragauge paradigm report gold.grammar a.grammar b.grammar c.grammar --format tsv -o grammars.tsv
      paragauge paradigm correlate grammars.tsv --column precision --column recall --judgments compressions.tsv
      paragauge paradigm correlate grammars.tsv bleu.tsv --judgments judged.tsv --criterion meaning
      paragauge paradigm correlate grammars.tsv compress.tsv --judgments outputs.tsv.judgments.sqlite --control-margin 1
    """
    from paragauge.cli.output import emit
    from paragauge.evaluate.task_scores import correlate_with_task

    found = correlate_with_task(scores, judgments, request, encoding=encoding)
    emit(found.table().render(form), output)
