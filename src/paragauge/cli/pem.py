"""``paragauge pem``: train a PEM model, or correlate one with human judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from paragauge.cli.groups import WholeSummaries
from paragauge.cli.judges import judges
from paragauge.cli.lm import parse_counts
from paragauge.cli.options import (
    encoding_option,
    engine_options,
    output_options,
    output_to,
    quiet_option,
    threads_option,
)
from paragauge.cli.requests import request_options
from paragauge.evaluate.ablation import AblationRequest
from paragauge.evaluate.pem import PEM_SCALE, PemRequest, TrainRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from paragauge.report.table import Format

_scale_option = click.option(
    "--scale",
    nargs=2,
    type=float,
    default=PEM_SCALE,
    show_default=True,
    metavar="LOW HIGH",
    help="Lowest and highest score of the judgments' scale, mapped to 1 and 5.",
)


@click.group(cls=WholeSummaries)
def pem() -> None:
    """Train a PEM model from parallel text and judgments, or correlate one with human judgments.

    To score with a model: paragauge score -m 'pem(model=FOLDER)' --original ORIG CANDIDATES...

    \b
    Example:
      paragauge pem train --bitext text.en text.fr --judgments judged.tsv --controls -o my.pem
      paragauge pem evaluate my.pem other-judgments.tsv
    """


pem.add_command(judges)


@pem.command(short_help="Train a model.")
@click.option(
    "--bitext",
    "bitexts",
    nargs=2,
    multiple=True,
    metavar="TEXT PIVOT",
    type=click.Path(dir_okay=False),
    help="The language to score and a pivot language, one sentence per line, not tokenised. Repeat it for each pivot.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="A ready-made phrase table of stems, instead of a bitext; without any bitext, needs --lm. May be repeated.",
)
@click.option(
    "--pivot",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name of a pivot. Repeat it for each bitext, then each table.  [default: the end of its file's name]",
)
@click.option(
    "--lm",
    "language_model",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="A ready-made language model of the scored language.  [default: trained on the TEXT sides]",
)
@click.option(
    "--judgments",
    required=True,
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Judged paraphrases: columns original, candidate and score; optionally system, judge and criterion. "
    "If there is no overall score, it is derived from adequacy and fluency.",
)
@_scale_option
@click.option(
    "--control-text",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Sentences of another kind of text, one per line, for which controls and damaged versions are added.",
)
@request_options(TrainRequest, without=("lm_min_counts",))
@click.option(
    "--lm-min-counts",
    metavar="N,N,...",
    callback=parse_counts,
    help="Drop n-grams below these counts, for order 1, 2, ...  [default: 1,1,2 for katz, else 1]",
)
@encoding_option
@engine_options
@output_to("MODEL", "Model folder to write.", required=True)
@quiet_option
def train(
    request: Callable[..., TrainRequest],
    judgments: str,
    lm_min_counts: list[int] | None,
    memory_limit: str | None,
    temp: str | None,
    threads: int | None,
    output: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Train PEM: tokenise, stem, align, extract phrases, train a language model, learn from judgments.

    The model folder contains a card, card.md, with the data, the options, the cross-validated correlation and the
    regressor's response curves: adequacy and fluency must raise the score, wording shared with the original (the
    paper's dissimilarity) must lower it; a warning says where they do not. The same input and seed give the same model,
    byte for byte. Needs scikit-learn: pip install 'paragauge[train]'.

    \b
    Example:
      paragauge pem train --bitext text.en text.fr --judgments judged.tsv --controls -o my.pem
      paragauge pem train --bitext text.fr text.en -t intl --stemmer french --judgments j.tsv -o french.pem
      paragauge pem train --table en-fr.table --lm english.lm --judgments j.tsv --scale 0 100 -o my.pem
    """
    from paragauge.cli.output import progress_bar
    from paragauge.evaluate.pem import train as evaluate
    from paragauge.storage.engine import EngineOptions

    asked = request(lm_min_counts=None if lm_min_counts is None else tuple(lm_min_counts))
    engine = EngineOptions(memory_limit=memory_limit, temp=temp, threads=threads)
    with progress_bar("steps", quiet=quiet) as show:
        found = evaluate(judgments, asked, output=output, engine=engine, progress=show, **given)
    if not quiet:
        click.echo(f"paragauge: {output}: {found.summary()}", err=True)


@pem.command(short_help="Correlate a model with human judgments.")
@click.argument("model", metavar="MODEL")
@click.argument("judgments", metavar="JUDGMENTS", type=click.Path(allow_dash=True))
@_scale_option
@click.option("--save-scores", metavar="FILE", type=click.Path(), help="Write the scores of all candidates as TSV.")
@click.option(
    "--save-judgments", metavar="FILE", type=click.Path(), help="Write the judgments of the same candidates as TSV."
)
@click.option("--plot", metavar="FILE", type=click.Path(), help="Draw the paper's figures 3 to 5 as SVG.")
@request_options(PemRequest)
@encoding_option
@output_options
def evaluate(
    model: str,
    judgments: str,
    scale: tuple[float, float],
    request: PemRequest,
    encoding: str,
    save_scores: str | None,
    save_judgments: str | None,
    plot: str | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Print how well a model agrees with people in any JUDGMENTS, as the PEM paper measures it.

    MODEL is a folder with a PEM model or pem+'s judges; 'default' means both models that ship.

    The answer is the correlation with the mean of all judges, at sentence and system level, without and with control
    candidates (a copy, a random sentence, a word salad). --judges prints the paper's tables instead. Table 1: judges
    with each other. Table 2: criteria with the overall score. Table 3: the model with the mean of judges and with each.
    --plot draws the paper's figures. Figure 3: human dissimilarity against the overall score of adequate and fluent
    candidates, if people judged these criteria. Figures 4 and 5: the model against the mean of judges, for sentences
    and systems. Controls are hollow. --save-scores and --save-judgments write the compared numbers, including controls,
    for 'paragauge correlate'.

    \b
    Example:
      paragauge pem evaluate default judged.tsv --plot figures.svg
      paragauge pem evaluate my.pem judged.tsv --scale 0 100 --judges --format tsv -o tables.tsv
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.corpora.judgments import write_judgments
    from paragauge.evaluate.pem import evaluate as compare

    with progress_bar("candidates", quiet=quiet) as show:
        found = compare(model, judgments, request, scale=scale, encoding=encoding, progress=show)
    if save_judgments is not None:
        write_judgments(found.judgments(), save_judgments, "tsv")
    if save_scores is not None:
        emit(found.score_table().to_tsv(), save_scores)
    if plot is not None:
        emit(found.svg(), plot)
    emit(found.table().render(form), output)


@pem.command(short_help="Leave out each feature in turn.")
@click.argument("model", metavar="MODEL")
@click.argument("judgments", metavar="JUDGMENTS", type=click.Path(allow_dash=True))
@_scale_option
@request_options(AblationRequest)
@encoding_option
@threads_option
@output_options
def ablate(
    model: str,
    judgments: str,
    scale: tuple[float, float],
    request: AblationRequest,
    encoding: str,
    threads: int | None,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Leave out each of PEM's features, and use each alone: which of them agree with people in any JUDGMENTS?

    MODEL is a folder with a PEM model, or 'default': its phrase tables and its language model give the features. A
    regressor is trained on the JUDGMENTS without each feature; every candidate is scored by a regressor that saw other
    originals only. 'without adequacy' leaves out the features of all pivots. The column difference compares with all
    features, with an interval over resampled originals. Needs scikit-learn: pip install 'paragauge[train]'.

    \b
    Example:
      paragauge pem ablate default judged.tsv
      paragauge pem ablate my.pem judged.tsv --scale 0 100 --criterion adequacy
    """
    from paragauge.cli.output import emit, progress_bar
    from paragauge.evaluate.ablation import leave_out

    with progress_bar("sets of features", quiet=quiet) as show:
        found = leave_out(model, judgments, request, scale=scale, encoding=encoding, threads=threads, progress=show)
    emit(found.table().render(form), output)
