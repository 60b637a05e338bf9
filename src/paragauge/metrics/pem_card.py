"""The card of a PEM model: what it was made from, how, and how well it does, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paragauge.metrics.pem_features import PemResources
from paragauge.metrics.pem_train import TrainingOptions, VariantReport


def model_card(
    resources: PemResources,
    reports: Mapping[str, VariantReport],
    options: TrainingOptions,
    *,
    data: Sequence[tuple[str, str, str]],
    judged: int,
    originals: int,
    control_sentences: int = 0,
    licence: str | None = None,
    title: str = "A PEM model",
) -> str:
    """Return the card.

    Args:
        resources: What the features are computed with.
        reports: Of cross-validation, by the name of the regressor.
        options: How the model was trained.
        data: What it was made from: (what, where from, digest).
        judged: Number of judged candidates.
        originals: Number of their originals.
        control_sentences: Number of other sentences that control candidates were made for.
        licence: Under which terms the model may be passed on.
        title: The first line.
    """
    from paragauge import __version__

    lines = [
        f"# {title}",
        "",
        "Scores English paraphrases from 1 (unacceptable) to 5 (perfect), without references.",
        "",
    ]
    lines += ["## Data", "| what | source | sha256 |", "|---|---|---|"]
    lines += [f"| {what} | {source} | {digest} |" for what, source, digest in data]
    lines += ["", f"Licence: {licence or 'not stated'}. The folder holds statistics (counts of phrases and n-grams, "]
    lines[-1] += "support vectors of feature values) and no sentences."
    lines += ["", "## Contents", "| resource | size |", "|---|---|"]
    for name, bags in resources.pivots.items():
        lines.append(f"| pivot {name} | {len(bags.table):,} phrase pairs of {bags.table.source_phrases:,} phrases |")
    sizes = " / ".join(f"{size:,}" for size in resources.language_model.sizes)
    lines.append(f"| language model | {sizes} n-grams |")
    lines += ["", "## Training"]
    lines.append(
        f"{judged:,} judged candidates of {originals:,} originals"
        + (", three control candidates for each original" if options.controls else "")
        + (f", three control candidates for each of {control_sentences:,} other sentences" if control_sentences else "")
        + (f" (seed {options.seed})" if options.controls or control_sentences else "")
        + f"; options chosen by cross-validation in {options.folds} folds, no original in training and in test at once"
        ". Correlations are of predictions for unseen originals."
    )
    lines += [
        "",
        "| regressor | features | C | gamma | epsilon | support vectors | Pearson | Spearman | Pearson with controls |",
    ]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for name, report in reports.items():
        chosen = report.validation.options
        lines.append(
            f"| {name} | {', '.join(report.features)} | {chosen.c:g} | {chosen.gamma:.4g} | {chosen.epsilon:g} | "
            f"{report.vectors:,} | {report.pearson:.4f} | {report.spearman:.4f} | {report.pearson_with_controls:.4f} |"
        )
    lines += ["", "Options:", ""]
    lines += [f"- {name}: {value}" for name, value in options.to_plain().items()]
    lines += ["", f"Made with paragauge {__version__}.", ""]
    return "\n".join(lines)
