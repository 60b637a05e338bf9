"""The card of a blend: what it is made of, what it was learned from, and how well it does on what it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paragauge.metrics.blend.model import BlendModel, metrics_of, part_items
from paragauge.metrics.blend.training import LearningReport


def blend_card(
    model: BlendModel,
    report: LearningReport,
    *,
    weights: Mapping[str, float],
    inputs: Mapping[str, str],
    licence: str | None,
    seed: int,
    notes: Sequence[str] = (),
) -> str:
    """Return the card as Markdown.

    Args:
        model: The blend.
        report: How well it does.
        weights: By how much each metric moves the score, in standard deviations.
        inputs: Digests of the files with judgments, by name.
        licence: Under which terms the blend may be passed on.
        seed: Of the folds.
        notes: More paragraphs.
    """
    several = len(report.sets) > 1
    lines = [
        "# A learned metric",
        "",
        f"Regressor: {report.regressor}, {report.chosen}. Learned from {report.items:,} judged texts of "
        f"{report.groups:,} source sentences; seed {seed}.",
        "Scores are standard scores: 0 is the mean of the judgments, 1 one standard deviation above it."
        if several
        else "Scores are on the scale of the judgments.",
        *notes,
        "",
        "## Metrics",
        "",
        "Alone: mean over sets of Pearson's correlation with people. Moves: standard deviation of the part of the "
        "score that depends on the metric. Without: correlation of the blend on unseen source sentences without it "
        f"(with all: {report.folds:.3f}).",
        "",
        "| metric | alone | moves | without | options and digests |",
        "|---|---|---|---|---|",
    ]
    for metric in metrics_of(model.features):
        name = str(metric)
        alone = [
            f"{sum(each.alone[str(feature)] for each in report.sets) / len(report.sets):.3f}"
            for feature in model.features
            if feature.metric == metric
        ]
        items = " ".join(f"{key}:{value}" for key, value in part_items(metric).items())
        without = f"{report.without[name]:.3f}" if name in report.without else "-"
        lines.append(f"| `{name}` | {', '.join(alone)} | {weights[name]:.3f} | {without} | {items} |")
    lines += ["", "Features: " + ", ".join(f"`{feature}`" for feature in model.features) + "."]
    lines += [
        "",
        "## Unseen data",
        "",
        "Pearson's correlation with people: on source sentences left out in turn (folds), and on the whole set by a "
        "blend learned from the other sets alone (set left out); beside them the best single feature.",
        "",
        "| set | judged texts | folds | set left out | best single feature |",
        "|---|---|---|---|---|",
    ]
    for each in report.sets:
        best = max(each.alone, key=lambda name: each.alone[name])
        left = "-" if each.left_out is None else f"{each.left_out:.3f}"
        lines.append(
            f"| {each.name or 'judgments'} | {each.items:,} | {each.folds:.3f} | {left} | "
            f"`{best}` {each.alone[best]:.3f} |"
        )
    lines += ["", f"Spearman's correlation in the folds: {report.spearman:.3f}."]
    if report.curve:
        steps = ", ".join(f"{size:,}: {value:.3f}" for size, value in report.curve)
        lines += ["", f"Correlation by the number of judged texts learned from (all sets together): {steps}."]
    lines += ["", "Options tried: " + "; ".join(f"{text}: {value:.3f}" for text, value in report.tried) + "."]
    lines += ["", "## Data", "", *(f"* {name}: sha256 {digest}" for name, digest in inputs.items())]
    if licence is not None:
        lines += ["", "## Licence", "", licence]
    return "\n".join(lines) + "\n"
