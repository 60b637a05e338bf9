"""The card of a PEM model: what it was made from, how, how well it does and which way it answers, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from paragauge.corpora.damaged_pairs import DAMAGES
from paragauge.metrics.pem.features import PemResources
from paragauge.metrics.pem.response import PERCENTILES, ResponseCurve, readable
from paragauge.metrics.pem.training import TrainingOptions, TrainingReport


def model_card(
    resources: PemResources,
    report: TrainingReport,
    options: TrainingOptions,
    *,
    data: Sequence[tuple[str, str, str]],
    control_sentences: int = 0,
    licence: str | None = None,
    title: str = "A PEM model",
    notes: Sequence[str] = (),
) -> str:
    """Return the card.

    Args:
        resources: What the features are computed with.
        report: Of training.
        options: How the model was trained.
        data: What it was made from: (what, where from, digest).
        control_sentences: Number of sentences of other text that control candidates were made for.
        licence: Under which terms the model may be passed on.
        title: The first line.
        notes: More to say about the training, a paragraph each.
    """
    from paragauge import __version__

    lines = [
        f"# {title}",
        "",
        "Scores paraphrases from 1 (unacceptable) to 5 (perfect), without references. Words: tokeniser "
        f"{resources.text.tokenizer}, lower-cased; stems by {resources.stemmer}.",
        "",
        "## Data",
        "| what | source | sha256 |",
        "|---|---|---|",
        *(f"| {what} | {source} | {digest} |" for what, source, digest in data),
        "",
        f"Licence: {licence or 'not stated'}. The folder holds statistics (counts of phrases and n-grams, support "
        "vectors of feature values) and no sentences.",
        "",
        "## Contents",
        "| resource | size |",
        "|---|---|",
    ]
    for name, bags in resources.pivots.items():
        lines.append(f"| pivot {name} | {len(bags.table):,} phrase pairs of {bags.table.source_phrases:,} phrases |")
    sizes = " / ".join(f"{size:,}" for size in resources.language_model.sizes)
    lines += [f"| language model | {sizes} n-grams |", "", "## Training"]
    lines += [_training(report, options, control_sentences), *(f"\n{note}" for note in notes), ""]
    chosen = report.validation.options
    lines += [
        "| C | gamma | epsilon | support vectors | Pearson | Spearman | Pearson with controls |",
        "|---|---|---|---|---|---|---|",
        f"| {chosen.c:g} | {chosen.gamma:.4g} | {chosen.epsilon:g} | {report.vectors:,} | {report.pearson:.4f} | "
        f"{report.spearman:.4f} | {report.pearson_with_controls:.4f} |",
        "",
    ]
    if report.passed_over:
        lines += [f"{report.passed_over} options with less error were passed over: they answer the wrong way.", ""]
    lines += [*_response(report.curves), *report.complaints(), ""]
    lines += ["## Options", *(f"- {name}: {value}" for name, value in options.to_plain().items())]
    lines += ["", f"Made with paragauge {__version__}.", ""]
    return "\n".join(lines)


def _training(report: TrainingReport, options: TrainingOptions, control_sentences: int) -> str:
    text = f"{report.judged:,} judged candidates of {report.originals:,} originals"
    if report.controls:
        text += f", {report.controls:,} control candidates (seed {options.seed})"
    if options.controls:
        text += "; a copy, a random sentence and a word salad for each judged original"
    if control_sentences:
        kinds = ", ".join(name.removeprefix("control-") for name in DAMAGES)
        text += (
            f"; a copy, a random sentence, a word salad and damaged versions ({kinds}) for each of "
            f"{control_sentences:,} other sentences"
        )
    chosen = "chosen by" if options.svr is None else "were given and measured by"
    text += (
        f". Options {chosen} cross-validation in {options.folds} folds, no original in training and in test at once; "
        "correlations are of predictions for unseen originals."
    )
    if report.by_rule:
        text += (
            " Nobody judged overall quality: the overall score is 1 + adequacy x fluency x (1 + 3 x difference), with "
            "judged adequacy and fluency from 0 to 1 (fluency 1 where it was not judged) and difference = 1 - (F1 of "
            "shared wording)^2."
        )
    return text


def _response(curves: Sequence[ResponseCurve]) -> list[str]:
    """Return the curves as a table: the values of a feature, and the score at each."""
    lines = [
        "## Which way it answers",
        "The score while one feature goes through its percentiles in training and the others stay at their lower "
        "quartiles, medians or upper quartiles; in brackets, where hardly any training items are. Adequacy and fluency "
        "must push it up, shared wording down.",
        "",
        f"| feature | others at | {' | '.join(f'{percentile} %' for percentile in PERCENTILES)} |",
        f"|---|---|{'---|' * len(PERCENTILES)}",
    ]
    shown = None
    for curve in curves:
        if curve.feature != shown:
            shown = curve.feature
            lines.append(f"| {readable(shown)} | | {' | '.join(f'*{value:.2f}*' for value in curve.values)} |")
        cells = (
            f"{score:.2f}" if dense else f"({score:.2f})"
            for score, dense in zip(curve.scores, curve.dense, strict=True)
        )
        lines.append(f"| | {curve.others} | {' | '.join(cells)} |")
    return [*lines, ""]
