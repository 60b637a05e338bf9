"""``paragauge explain``: why a sentence scores what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from paragauge.cli.options import format_option, output_option, quiet_option
from paragauge.cli.output import emit
from paragauge.cli.requests import refuse_given, request_options
from paragauge.evaluate.explain import ExplainRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Mark


@click.command()
@request_options(ExplainRequest, without={"candidate"})
@click.argument("candidate", metavar="CANDIDATE")
@format_option("table", "json", help="Format: text for people, or JSON.")
@click.option("--html", is_flag=True, help="Write a self-contained HTML page instead.")
@output_option
@quiet_option
def explain(
    request: Callable[..., ExplainRequest], candidate: str, form: str, html: bool, output: str, quiet: bool
) -> None:
    """Explain the score of one CANDIDATE, a sentence (not a file).

    \b
    Example:
      paragauge explain -m bleu --ref 'the cat sat on the mat' 'the cat is on the mat'
      paragauge explain -m pinc --original 'he bought a car' 'he purchased a car' --html -o why.html
    """
    from paragauge.evaluate.explain import explain_candidate
    from paragauge.report.explain import explanation_html, explanation_json, explanation_text

    asked = request(candidate=candidate)
    for metric in asked.load_metrics():
        if "references" in metric.needs and not asked.references:
            raise click.UsageError(f"{metric.name} needs references; give one with --ref TEXT")
        if "originals" in metric.needs and asked.original is None:
            raise click.UsageError(f"{metric.name} needs the original; give it with --original TEXT")
    if html:
        refuse_given("--html is a format of its own", "form")
    explanations = explain_candidate(asked).explanations
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
