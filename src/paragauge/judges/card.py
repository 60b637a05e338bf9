"""What a model of the judges says about itself, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from paragauge.judges.meaning import CHECKS, LOSSES
from paragauge.judges.model import JudgeModel
from paragauge.judges.training import JudgedSet, Paraphrases
from paragauge.judges.unseen import FittingReport


def judges_card(
    model: JudgeModel,
    judged: Sequence[JudgedSet],
    paraphrases: Sequence[Paraphrases],
    found: FittingReport,
    *,
    languages: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
    licence: str | None = None,
    title: str = "The judges of pem+",
) -> str:
    """Return the card of a trained *model*; *found* says how well it does on unseen judgments."""
    lines = [
        f"# {title}",
        "",
        "Judges English paraphrases without references: meaning, fluency and difference, each from 0 to 1, and",
        "value = 1 + meaning x fluency x (1 + 3 x difference), from 1 to 5. A copy is worth 2.",
        "",
        "## Meaning",
        f"Word vectors: {len(model.vectors.stems):,} stems, {model.vectors.codes.shape[1]} numbers each"
        + (f", from translations into {', '.join(languages)}." if languages else "."),
        "",
        "| learned from | pairs |",
        "|---|---|",
        *(f"| {each.name}, judged | {len(each.pairs.mean_over_judges()):,} |" for each in judged),
        *(f"| {each.name}, and the same damaged | {len(each.pairs):,} |" for each in paraphrases),
        "",
        "| loss of coverage | weight |",
        "|---|---|",
        *(f"| {name} | {weight:.4f} |" for name, weight in zip(LOSSES, model.weights.losses, strict=True)),
        "",
        "A single change in an otherwise equal sentence multiplies the meaning by the factor of its check:",
        "",
        "| check | weight | factor of one change |",
        "|---|---|---|",
        *(
            f"| {name} | {weight:.4f} | {exp(-weight / 2):.2f} |"
            for name, weight in zip(CHECKS, model.weights.checks, strict=True)
        ),
        "",
    ]
    if found.sets:
        lines += [
            "Pearson's correlation with people, by weights learned from part of the judgments: without the originals",
            "of a fifth of them in turn (folds), and without the whole set:",
            "",
            "| set | pairs | folds | set left out |",
            "|---|---|---|---|",
            *(f"| {each.name} | {each.items:,} | {each.folds:.3f} | {_figure(each.left_out)} |" for each in found.sets),
            "",
        ]
    if found.curve:
        steps = ", ".join(f"{size:,}: {value:.3f}" for size, value in found.curve)
        lines += [f"By the number of judged pairs learned from (all sets together): {steps}.", ""]
    if inputs:
        lines += [
            "## Data",
            "| file | digest |",
            "|---|---|",
            *(f"| {name} | `{d}` |" for name, d in inputs.items()),
            "",
        ]
    if licence:
        lines += ["## Licence", licence, ""]
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
