"""``paragauge explain``: why a sentence scores what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from paragauge.cli.options import encoding_option, format_option, output_option, quiet_option
from paragauge.cli.output import emit
from paragauge.cli.requests import refuse_given, request_options
from paragauge.evaluate.explain import ExplainRequest
from paragauge.io import STANDARD_STREAM

if TYPE_CHECKING:
    from paragauge.metrics.explanation import Mark


@click.command()
@request_options(ExplainRequest, without={"candidate"})
@click.argument("candidate", metavar="[CANDIDATE]", required=False)
@click.option(
    "--testset", metavar="FILE", type=click.Path(allow_dash=True), help="Take the texts from a test set instead."
)
@click.option("--system", metavar="NAME", help="With --testset: the system.  [default: the only one]")
@click.option("--segment", metavar="ID", help="With --testset: the segment.")
@encoding_option
@format_option("table", "json", help="Format: text for people, or JSON.")
@click.option("--details", is_flag=True, help="Also show n-grams, links, networks and the calculation of the score.")
@click.option("--html", is_flag=True, help="Write a self-contained HTML page instead.")
@output_option
@quiet_option
def explain(
    request: Callable[..., ExplainRequest],
    candidate: str | None,
    testset: str | None,
    system: str | None,
    segment: str | None,
    encoding: str,
    form: str,
    details: bool,
    html: bool,
    output: str,
    quiet: bool,
) -> None:
    """Explain the score of one CANDIDATE, a sentence (not a file), or of one segment of a test set.

    \b
    Example:
      paragauge explain -m bleu --ref 'the cat sat on the mat' 'the cat is on the mat' --details
      paragauge explain -m pinc --original 'he bought a car' 'he purchased a car' --html -o why.html
      paragauge explain -m pem+ --testset testset.tsv --system prompt-b --segment 66
    """
    from paragauge.evaluate.explain import explain_candidate
    from paragauge.report.explain import explanation_html, explanation_json, explanation_text

    if testset is None:
        refuse_given("it goes with --testset", "system", "segment", "encoding")
        if candidate is None:
            raise click.UsageError("expected a CANDIDATE, or --testset FILE --segment ID")
        asked = request(candidate=candidate)
        _refuse_paths(
            {"CANDIDATE": candidate, "--original": asked.original, "--ref": next(iter(asked.references), None)}
        )
    else:
        if candidate is not None or segment is None:
            raise click.UsageError("--testset contains all texts; drop the CANDIDATE, and give --segment")
        refuse_given("--testset contains all texts", "original", "references")
        asked = _from_testset(request, testset, system, segment, encoding)
    for metric in asked.load_metrics():
        if "references" in metric.needs and not asked.references:
            raise click.UsageError(f"{metric.name} needs references; give one with --ref TEXT")
        if "originals" in metric.needs and asked.original is None:
            raise click.UsageError(f"{metric.name} needs the original; give it with --original TEXT")
    if html:
        refuse_given("--html is a format of its own, with all details", "form", "details")
    elif form == "json":
        refuse_given("JSON has all details", "details")
    explanations = explain_candidate(asked).explanations
    if html:
        text = explanation_html(explanations)
    elif form == "json":
        text = explanation_json(explanations)
    else:
        text = explanation_text(explanations, _coloured if _colours_wanted(output) else _plain, details=details)
    emit(text, output)


def _refuse_paths(texts: Mapping[str, str | None]) -> None:
    """Raise a usage error if a text is the name of a file: it would be explained letter by letter."""
    from pathlib import Path

    for what, text in texts.items():
        if text and " " not in text and Path(text).is_file():
            raise click.UsageError(
                f"{what} is a sentence, but {text!r} is a file; give the sentence in quotes, or join the files with "
                "'paragauge convert' and use --testset FILE --segment ID"
            )


def _from_testset(
    request: Callable[..., ExplainRequest], path: str, system: str | None, segment: str, encoding: str
) -> ExplainRequest:
    """Return the request for one segment of a test set."""
    from paragauge.corpora import read_testset
    from paragauge.evaluate.explain import segment_texts

    texts = segment_texts(read_testset(path, encoding=encoding), system, segment)
    return request(candidate=texts["candidate"]).changed(**texts)


def _colours_wanted(output: str) -> bool:
    import os
    import sys

    # https://no-color.org: any value of NO_COLOR switches colours off.
    return output == STANDARD_STREAM and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _plain(text: str, mark: Mark) -> str:
    return text


def _coloured(text: str, mark: Mark) -> str:
    colours = {"match": "blue", "partial": "yellow", "moved": "magenta"}
    return click.style(text, fg=colours[mark]) if mark in colours else text
