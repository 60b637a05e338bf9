"""``paragauge pem judges``: fit the judge of meaning of pem+ to judgments."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.options import encoding_option, output_to, quiet_option, seed_option
from paragauge.cli.output import iteration_bar
from paragauge.io import STANDARD_STREAM


@click.command(short_help="Fit pem+ to your judgments.")
@click.option(
    "--judgments",
    "judgments",
    required=True,
    multiple=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Pairs judged for shared meaning: columns original, candidate, score; any scale. Repeat for several sets.",
)
@click.option(
    "--paraphrases",
    "paraphrases",
    multiple=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Sentences and people's paraphrases, tab-separated, to make contrasts from. Repeat for several sets.",
)
@click.option(
    "--contrast-share",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="How much contrasts count for the checks, from 0 to 1.  [default: 0.35]",
)
@click.option(
    "--from",
    "base",
    default="default",
    show_default=True,
    metavar="MODEL",
    help="Where word vectors, translations and the judge of fluency come from.",
)
@output_to("FOLDER", "The model folder to write; an existing model is replaced.", required=True)
@click.option("--licence", metavar="TEXT", help="Under which terms the model may be passed on.")
@seed_option
@encoding_option
@quiet_option
def judges(
    judgments: tuple[str, ...],
    paraphrases: tuple[str, ...],
    contrast_share: float | None,
    base: str,
    output: str,
    licence: str | None,
    seed: int,
    encoding: str,
    quiet: bool,
) -> None:
    """Fit pem+'s judge of meaning to your judgments; its tables and its judge of fluency stay.

    Sets may have different scales. Without paraphrases of your own, single changes (a number, a negation, a name) weigh
    only as much as your judgments show.

    \b
    Example:
      paragauge pem judges --judgments judged.tsv --paraphrases pairs.tsv -o my.judges
      paragauge score -m 'pem+(model=my.judges)' --original originals.txt system.txt
    """
    from paragauge.corpora.judged_pairs import read_judged_pairs
    from paragauge.corpora.pairs import read_paraphrase_pairs
    from paragauge.io import digest_file
    from paragauge.judges.card import judges_card
    from paragauge.judges.fitting import CONTRAST_SHARE
    from paragauge.judges.model import KIND, open_judges
    from paragauge.judges.training import JudgedSet, Paraphrases, refit
    from paragauge.resource import check_replaceable

    check_replaceable(output, KIND)
    share = CONTRAST_SHARE if contrast_share is None else contrast_share
    people = [JudgedSet(Path(path).name, read_judged_pairs(path, encoding=encoding)) for path in judgments]
    contrasts = []
    for path in paraphrases:
        pairs = read_paraphrase_pairs(path, encoding=encoding)
        contrasts.append(Paraphrases(Path(path).name, tuple(zip(pairs.source, pairs.target, strict=True))))
    with iteration_bar(quiet=quiet) as show:
        model = refit(
            open_judges(base), people, contrasts, contrast_share=share, seed=seed,
            report=None if show is None else lambda step, done, total: show(done, total, step),
        )  # fmt: skip
    files = [path for path in (*judgments, *paraphrases) if path != STANDARD_STREAM]
    inputs = {Path(path).name: digest_file(path) for path in files}
    card = judges_card(model, people, contrasts, inputs=inputs, licence=licence)
    options = {"from": base, "contrast_share": share, "seed": seed}
    model.with_card(card).save(output, options=options, inputs=inputs, licence=licence)
    if not quiet:
        click.echo(f"paragauge: {output}: fitted to {sum(len(each.pairs) for each in people):,} judgments", err=True)
