"""``paragauge pem judges``: fit the judge of meaning of pem+ to judgments."""

from __future__ import annotations

import click

from paragauge.cli.options import encoding_option, output_to, quiet_option
from paragauge.cli.requests import request_options
from paragauge.evaluate.pem import FitRequest


@click.command(short_help="Fit pem+'s judge of meaning to your judgments.")
@click.option(
    "--judgments",
    required=True,
    multiple=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Pairs judged for shared meaning: columns original, candidate, score; any scale. May be repeated.",
)
@click.option(
    "--paraphrases",
    multiple=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Sentences and people's paraphrases of them, tab-separated, to make contrasts from. May be repeated.",
)
@request_options(FitRequest)
@output_to("FOLDER", "The model to write; one that is there is replaced.", required=True)
@encoding_option
@quiet_option
def judges(
    judgments: tuple[str, ...],
    paraphrases: tuple[str, ...],
    request: FitRequest,
    output: str,
    encoding: str,
    quiet: bool,
) -> None:
    """Fit pem+'s judge of meaning to your judgments; its tables and its judge of fluency do not change.

    Sets may have different scales. Without --paraphrases, the weight of single changes (a number, a negation, a name)
    comes from your judgments alone.

    \b
    Example:
      paragauge pem judges --judgments judged.tsv --paraphrases pairs.tsv -o my.judges
      paragauge score -m 'pem+(model=my.judges)' --original originals.txt system.txt
    """
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate.pem import fit_judges

    with progress_bar("pairs", quiet=quiet) as show:
        found = fit_judges(judgments, request, paraphrases=paraphrases, encoding=encoding, output=output, progress=show)
    if not quiet:
        click.echo(f"paragauge: {output}: {found.summary()}", err=True)
