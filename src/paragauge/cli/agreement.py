"""``paragauge agreement``: how well people agree with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, output_options
from paragauge.cli.output import emit
from paragauge.cli.requests import request_options
from paragauge.evaluate.agreement import AgreementRequest, find_agreement

if TYPE_CHECKING:
    from paragauge.report.table import Format


@click.command()
@click.argument("judgments", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--links",
    nargs=2,
    metavar="ONE OTHER",
    type=click.Path(),
    help="Compute C-hat for the word links of two annotators instead of judgments. Pharaoh lines, or hand-aligned "
    "pairs as for "
    "'parametric'.",
)
@click.option(
    "--texts",
    nargs=2,
    metavar="SRC TGT",
    type=click.Path(),
    help="With Pharaoh lines: the tokenised sentences.",
)
@click.option(
    "--repeats",
    metavar="FILE",
    type=click.Path(),
    help="With --each-judge: second judgments of some candidates by the same judges, for the column consistency.",
)
@request_options(AgreementRequest)
@encoding_option
@output_options
def agreement(
    judgments: str | None,
    links: tuple[str, str] | None,
    texts: tuple[str, str] | None,
    repeats: str | None,
    request: AgreementRequest,
    encoding: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Correlate the judges, or the criteria, in JUDGMENTS with each other, pair by pair.

    With --links, measure the agreement of two annotators of word links instead: Kupper and Hafner's C-hat over source
    words, for the words they are linked to and for the smallest phrases that contain them.

    \b
    Example:
      paragauge agreement judgments.tsv --criterion overall
      paragauge agreement judgments.tsv --criterion overall --each-judge
      paragauge agreement judgments.tsv --each-judge --repeats second-time.tsv
      paragauge agreement judgments.tsv --criteria --where 'adequacy>=4' --where 'fluency>=4'
      paragauge agreement --links ann.align bob.align --texts text.en text.fr
      paragauge agreement --links ann.json bob.json
    """
    result = find_agreement(request, judgments, repeats=repeats, links=links, texts=texts, encoding=encoding)
    emit(result.table().render(form), output)
