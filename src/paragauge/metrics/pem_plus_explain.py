"""Why pem+ gives a candidate its score: the verdict in words, the words that belong together, what was checked."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import TYPE_CHECKING

from paragauge.corpora.segments import Segments
from paragauge.judges.describe import describe_changes, describe_links, opening
from paragauge.judges.linking import Linked
from paragauge.judges.meaning import LOSSES, MeaningEvidence
from paragauge.judges.model import JudgeModel
from paragauge.judges.reading import Reading
from paragauge.judges.verdict import verdict
from paragauge.metrics.explanation import Explanation, Grid, Mark, MarkedText, Part, Remarks

if TYPE_CHECKING:
    from paragauge.metrics.pem_plus import PEMPlus

_CHECKED = {
    "number": "numbers and dates",
    "denial": "negation and opposites",
    "perhaps_denial": "negation with a replaced word",
    "name": "names",
    "quantifier": "quantities and modals",
    "roles": "who does what to whom",
    "attachment": "what belongs to what",
    "order": "order of content words",
    "pieces": "order of all words",
    "thing": "replaced nouns and adjectives",
    "action": "replaced verbs and adverbs",
    "addition": "unsupported additions",
    "omission": "missing content",
}
_LOST = {
    "missing": "the original that is missing",
    "missing_content": "its content words that is missing",
    "added": "the candidate that is new",
    "added_content": "its content words that is new",
    "letters": "the letters that differ",
}


def explain_judges(metric: PEMPlus, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* scores what it does."""
    score = metric.score_segments(segments)[0]
    model = metric.opened
    original, candidate = model.reader.read([(segments.originals or ("",))[0], segments.candidates[0]])
    if original.is_empty or candidate.is_empty:
        side = "candidate" if candidate.is_empty else "original"
        return Explanation(score, (Remarks("verdict", (f"The {side} has no words.",)), _judges(score.components)))
    evidence = model.weigh(original, candidate)
    changes = describe_changes(evidence.linked, evidence.changes)
    meaning, fluency, difference = (score.components[name] for name in ("meaning", "fluency", "difference"))
    first = opening(meaning, fluency, difference, changes, copied=difference == 0)
    parts: list[Part] = [
        Remarks("verdict", (first,)),
        _marked("original", original, evidence.linked, evidence.linked.to_candidate),
        _marked("candidate", candidate, evidence.linked, evidence.linked.to_original),
    ]
    if changes:
        parts.append(Remarks("changes", tuple(changes)))
    parts += [
        _judges(score.components),
        *_reasons(model, evidence),
        *_fluency(model, original, candidate),
        *_formula(model, evidence, score.components),
    ]
    return Explanation(score, tuple(parts))


def _marked(label: str, reading: Reading, linked: Linked, links: tuple[int, ...]) -> MarkedText:
    """Return a sentence as written: words that are there in both, those that something else stands for, and others."""
    kinds = {}
    for link in linked.links:
        kinds[link.original if label == "original" else link.candidate] = link.evidence.kind
    tokens: list[tuple[str, Mark]] = []
    for place, (token, word) in enumerate(zip(reading.surface, reading.words, strict=True)):
        mark: Mark = "none"
        if word.is_mark:
            mark = "match" if links else "none"
        elif links[place] >= 0:
            mark = "match" if kinds[place] == "same" else "partial"
        tokens.append((token, mark))
    return MarkedText(label, tuple(tokens))


def _judges(components: Mapping[str, float]) -> Grid:
    rows = tuple(components.items())
    return Grid("judges", ("judge", "value"), rows)


def _reasons(model: JudgeModel, evidence: MeaningEvidence) -> list[Part]:
    linked = evidence.linked
    rows = tuple(
        (linked.original.surface[link.original], linked.candidate.surface[link.candidate], why, link.evidence.score)
        for link, why in describe_links(linked, model.translations)
    )
    return [Grid("other words for the same", ("original", "candidate", "why", "strength"), rows)] if rows else []


def _fluency(model: JudgeModel, original: Reading, candidate: Reading) -> list[Part]:
    """Return what speaks against fluency, if anything: losses, and the places that surprise most."""
    found = model.fluency.explain(candidate.tagged, original.tagged)
    losses = tuple((name, loss, exp(-loss)) for name, loss in found.losses.items() if loss > 0)
    places = tuple(
        (candidate.surface[place.position] if place.position < len(candidate.surface) else "(end)", place.after,
         place.grammar, place.wording)
        for place in found.places
    )  # fmt: skip
    parts: list[Part] = []
    if losses:
        parts.append(Grid("fluency: the product of these factors", ("loss", "amount", "factor"), losses))
    if places:
        parts.append(Grid("least likely places", ("word", "after", "grammar", "wording"), places))
    return parts


def _formula(model: JudgeModel, evidence: MeaningEvidence, components: Mapping[str, float]) -> list[Part]:
    """Return the numbers from which meaning and the value can be worked out by hand."""
    features, weights = evidence.features, model.weights
    losses = tuple(
        (f"share of {_LOST[name]}", features[name], weight, weight * features[name])
        for name, weight in zip(LOSSES, weights.losses, strict=True)
        if features[name] > 0
    )
    checks = tuple((_CHECKED[name], features[name], factor) for name, factor in weights.factors(features).items())
    parts: list[Part] = []
    if losses:
        title = f"coverage: 1 less the sum of these effects = {weights.coverage(features):.4f}"
        parts.append(Grid(title, ("loss", "share", "weight", "effect"), losses))
    if checks:
        parts.append(Grid("meaning: coverage times these factors", ("check", "amount", "factor"), checks))
    meaning, fluency, difference = (components[name] for name in ("meaning", "fluency", "difference"))
    formula = (
        f"1 + {meaning:.4f} x {fluency:.4f} x (1 + 3 x {difference:.4f}) = {verdict(meaning, fluency, difference):.4f}"
    )
    parts.append(Remarks("value = 1 + meaning x fluency x (1 + 3 x difference)", (formula,)))
    return parts
