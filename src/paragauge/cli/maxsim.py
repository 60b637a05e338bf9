"""``paragauge maxsim tune``: find MAXSIM's alpha on judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import Inputs, input_options, load_testset, output_options
from paragauge.cli.output import emit, progress

if TYPE_CHECKING:
    from paragauge.meta.correlation import Level, Method
    from paragauge.report.table import Cell, Format


@click.group()
def maxsim() -> None:
    """Tune MAXSIM. To score with it: paragauge score -m maxsim.

    \b
    Example:
      paragauge maxsim tune --ref reference.txt system-a.txt --judgments judgments.tsv
    """


@maxsim.command()
@input_options
@click.option(
    "--judgments", required=True, metavar="FILE", help="Judgments: system, segment, judge, criterion and score."
)
@click.option("--criterion", metavar="NAME", help="Which judgments; needed if there are several criteria.")
@click.option("--level", type=click.Choice(["segment", "system"]), default="segment", show_default=True)
@click.option("--method", type=click.Choice(["pearson", "spearman", "kendall"]), default="pearson", show_default=True)
@click.option("--steps", default=20, show_default=True, type=click.IntRange(1, 1000), help="Parts of 0 to 1 to try.")
@click.option("--folds", default=5, show_default=True, type=click.IntRange(2, 1000), help="Parts for the held-out row.")
@click.option("--dependencies", is_flag=True, help="Of MAXSIM-n+d.")
@click.option(
    "--provider", default="builtin", show_default=True, metavar="NAME", help="builtin, spacy:NAME, files:PATH."
)
@output_options
def tune(
    inputs: Inputs,
    judgments: str,
    criterion: str | None,
    level: Level,
    method: Method,
    steps: int,
    folds: int,
    dependencies: bool,
    provider: str,
    form: Format,
    output: str,
    quiet: bool,
) -> None:
    """Find the alpha with which MAXSIM agrees best with people.

    The row 'held out' is what to expect on other data: its scores were made with the alpha that is best on the other
    segments. Tune on data that you do not report results on.

    \b
    Example:
      paragauge maxsim tune --ref reference.txt system-a.txt system-b.txt --judgments judgments.tsv
    """
    from paragauge.corpora import read_judgments
    from paragauge.meta.tuning import tune as tune_metric
    from paragauge.metrics.maxsim import MaxSim
    from paragauge.report.table import ResultTable

    alphas = [step / steps for step in range(steps + 1)]
    settings = {f"{alpha:g}": MaxSim(alpha=alpha, dependencies=dependencies, provider=provider) for alpha in alphas}
    testset = load_testset(inputs, list(settings.values()))
    judged = read_judgments(judgments, encoding=inputs.encoding)
    with progress(len(settings) * len(testset.candidates) * len(testset.ids), "segments", quiet=quiet) as bar:
        found = tune_metric(
            settings, testset, judged, criterion=criterion, level=level, method=method, folds=folds, advance=bar.update
        )
    segments = testset.segments(next(iter(testset.candidates)))
    signatures = {name: str(setting.signature(segments)) for name, setting in settings.items()}
    rows: list[dict[str, Cell]] = [
        {
            "alpha": name,
            "correlation": value,
            "best": "best" if name == found.best else "",
            "signature": signatures[name],
        }
        for name, value in found.correlations.items()
    ]
    rows.append({"alpha": "held out", "correlation": found.held_out, "best": "", "signature": ""})
    columns = ["alpha", "correlation", "best"]
    notes = [f"{method} at {level} level, {folds} folds; best: {signatures[found.best]}"]
    emit(ResultTable(columns, rows, notes=notes, machine_columns=[*columns, "signature"]).render(form), output)
