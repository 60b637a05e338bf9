"""``paragauge explain``: why one sentence scores what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from paragauge.cli.options import load_metrics, metric_option, output_option
from paragauge.cli.output import emit
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Mark


@click.command()
@metric_option
@click.option("--original", metavar="TEXT", help="The sentence that the candidate paraphrases.")
@click.option("--ref", "references", multiple=True, metavar="TEXT", help="A reference; may be repeated.")
@click.argument("candidate", metavar="CANDIDATE")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--html", is_flag=True, help="A self-contained page instead.")
@output_option
def explain(
    metrics: tuple[str, ...],
    original: str | None,
    references: tuple[str, ...],
    candidate: str,
    form: str,
    html: bool,
    output: str,
) -> None:
    """Explain the score of one CANDIDATE, a sentence (not a file).

    \b
    Example:
      paragauge explain -m bleu --ref 'the cat sat on the mat' 'the cat is on the mat'
      paragauge explain -m pinc --original 'he bought a car' 'he purchased a car' --html -o why.html
    """
    from paragauge.corpora.segments import Segments
    from paragauge.report.explain import explanation_html, explanation_json, explanation_text

    chosen = load_metrics(metrics)
    for metric in chosen:
        if "references" in metric.needs and not references:
            raise click.UsageError(f"{metric.name} compares with references; give one with --ref TEXT")
        if "originals" in metric.needs and original is None:
            raise click.UsageError(f"{metric.name} compares with the original; give it with --original TEXT")
    segments = Segments.of([candidate], [references] if references else None, None if original is None else [original])
    explanations = [metric.explain(segments) for metric in chosen]
    if html:
        text = explanation_html(explanations)
    elif form == "json":
        text = explanation_json(explanations)
    else:
        text = explanation_text(explanations, _coloured if _colours_wanted(output) else _plain)
    emit(text, output)


def _colours_wanted(output: str) -> bool:
    import os
    import sys

    # https://no-color.org: any value of NO_COLOR switches colours off.
    return output == STANDARD_STREAM and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _plain(text: str, mark: Mark) -> str:
    return text


def _coloured(text: str, mark: Mark) -> str:
    colours = {"match": "green", "partial": "yellow"}
    return click.style(text, fg=colours[mark]) if mark in colours else text
