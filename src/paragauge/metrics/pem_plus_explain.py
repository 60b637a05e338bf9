"""Why `pem+` and `meaning` score a candidate as they do: a verdict in words, words that belong together, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, prod
from typing import TYPE_CHECKING

from paragauge.corpora.segments import Segments
from paragauge.judges.describe import describe_changes, describe_links, opening
from paragauge.judges.likeness import Link
from paragauge.judges.linking import Linked
from paragauge.judges.meaning import CHECKS, LOSSES, MeaningEvidence
from paragauge.judges.model import JudgeModel
from paragauge.judges.reading import Reading
from paragauge.metrics.explanation import (
    Detail,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Remarks,
    Step,
    calculation,
    joined,
    number,
    plain,
)

if TYPE_CHECKING:
    from paragauge.metrics.meaning import Meaning
    from paragauge.metrics.pem_plus import PEMPlus

_LEGEND: dict[Mark, str] = {
    "match": "the same word",
    "partial": "another word for the same; equal numbers belong together",
    "none": "missing or new",
}
_CHECKED = {
    "number": "numbers and dates",
    "denial": "negation and opposites",
    "perhaps_denial": "negation with a replaced word",
    "name": "names",
    "quantifier": "quantities, modals, places and questions",
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
    "missing": "the {other} that is missing",
    "missing_content": "its content words that is missing",
    "added": "the candidate that is new",
    "added_content": "its content words that is new",
    "letters": "the letters that differ",
}
_MOST_REASONS = 2  # in the verdict


def explain_judges(metric: PEMPlus, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* scores what it does."""
    score = metric.score_segments(segments)[0]
    model = metric.opened
    texts = (segments.originals or ("",))[0], segments.candidates[0]
    original, candidate = model.reader.read(list(texts))
    meaning, fluency, difference = (score.components[name] for name in ("meaning", "fluency", "difference"))
    last = Step(
        "pem+",
        "1 + meaning × fluency × (1 + 3 × difference)",
        f"1 + {number(meaning)} × {number(fluency)} × (1 + 3 × {number(difference)})",
        score.value,
    )
    if original.is_empty or candidate.is_empty:
        side = "candidate" if candidate.is_empty else "original"
        parts: tuple[Part, ...] = (plain("original", texts[0]), plain("candidate", texts[1]), _judges(score.components))
        return Explanation(score, parts, f"The {side} has no words.", details=(calculation([last]),))
    evidence = model.weigh(original, candidate)
    changes = describe_changes(evidence.linked, evidence.changes)
    reasons = list(describe_links(evidence.linked, model.translations))
    first = opening(meaning, fluency, difference, changes, copied=None if difference else "original")
    steps = [
        *_meaning_steps(model, evidence, meaning),
        *_fluency_steps(model, original, candidate, fluency),
        _difference_step(model, original, candidate, difference),
        last,
    ]
    return Explanation(
        score,
        (
            *_both_marked("original", evidence.linked, reasons),
            *([Remarks("changes", tuple(changes))] if changes else []),
            _judges(score.components),
            *_other_words("original", evidence.linked, reasons),
            *_checks(model, evidence),
        ),
        _with_reasons(first, evidence.linked, reasons) if difference else first,
        _LEGEND,
        (calculation(steps, *_losses("original", model, evidence)), *_surprises(model, original, candidate)),
    )


def explain_meaning(metric: Meaning, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* keeps as much of the meaning as it does."""
    score = metric.score_segments(segments)[0]
    model = metric.opened
    label = metric.against.removesuffix("s")
    others = metric.others(segments)[0]
    best = int(model.judge(segments.candidates * len(others), originals=others).meaning.argmax())
    texts = others[best], segments.candidates[0]
    other, candidate = model.reader.read(list(texts))
    judges = {"meaning": score.value, **score.components}
    if other.is_empty or candidate.is_empty:
        side = "candidate" if candidate.is_empty else label
        parts: tuple[Part, ...] = (plain(label, texts[0]), plain("candidate", texts[1]), _judges(judges))
        last = Step("meaning", "0, or 1 for a copy", number(score.value), score.value)
        return Explanation(score, parts, f"The {side} has no words.", details=(calculation([last]),))
    evidence = model.weigh(other, candidate)
    changes = describe_changes(evidence.linked, evidence.changes)
    reasons = list(describe_links(evidence.linked, model.translations))
    difference = float(model.judge([texts[1]], originals=[texts[0]]).difference[0])
    first = opening(score.value, judges["fluency"], difference, changes, copied=None if difference else label)
    steps = [
        *_fluency_steps(model, other, candidate, judges["fluency"]),
        *_meaning_steps(model, evidence, score.value),
    ]
    return Explanation(
        score,
        (
            *_both_marked(label, evidence.linked, reasons),
            *([Remarks("changes", tuple(changes))] if changes else []),
            _judges(judges),
            *_other_words(label, evidence.linked, reasons),
            *_checks(model, evidence),
        ),
        _with_reasons(first, evidence.linked, reasons) if difference else first,
        _LEGEND,
        (calculation(steps, *_losses(label, model, evidence)), *_surprises(model, other, candidate)),
    )


def _both_marked(label: str, linked: Linked, reasons: Sequence[tuple[Link, str]]) -> tuple[MarkedText, MarkedText]:
    return (
        _marked(label, linked.original, linked, reasons, own=True),
        _marked("candidate", linked.candidate, linked, reasons, own=False),
    )


def _with_reasons(verdict: str, linked: Linked, reasons: Sequence[tuple[Link, str]]) -> str:
    """Return the verdict with the words that stand for others, after what it says first."""
    told = []
    for link, why in reasons:
        ours, theirs = (joined([side.surface[place] for place in places]) for side, places in _places(linked, link))
        if not why.startswith("a form"):
            told.append(f"'{ours}' = '{theirs}' ({why})")
    if not told:
        return verdict
    first, _, rest = verdict.partition(". ")
    more = f" and {len(told) - _MOST_REASONS} more" if len(told) > _MOST_REASONS else ""
    return f"{first.rstrip('.')}: {', '.join(told[:_MOST_REASONS])}{more}. {rest}".strip()


def _places(linked: Linked, link: Link) -> tuple[tuple[Reading, list[int]], tuple[Reading, list[int]]]:
    """Return the words of a link on both sides; of a phrase, also those beside the linked word that go with it."""
    sides = (
        (linked.original, link.original, linked.to_candidate, linked.said),
        (linked.candidate, link.candidate, linked.to_original, linked.supported),
    )
    found = []
    for reading, place, links, said in sides:
        places = [place]
        if link.evidence.kind == "phrase":
            for step in (-1, 1):
                other = place + step
                while (
                    0 <= other < len(links)
                    and links[other] < 0
                    and said[other] > 0.5
                    and not reading.words[other].is_mark
                ):
                    places.append(other)
                    other += step
        found.append((reading, sorted(places)))
    return found[0], found[1]


def _marked(
    label: str, reading: Reading, linked: Linked, reasons: Sequence[tuple[Link, str]], *, own: bool
) -> MarkedText:
    """Return a sentence as written: words that are there in both, those that something else stands for, and others."""
    links = linked.to_candidate if own else linked.to_original
    kinds = {link.original if own else link.candidate: link.evidence.kind for link in linked.links}
    pairs = {
        word: place
        for place, (link, _) in enumerate(reasons, start=1)
        for word in _places(linked, link)[0 if own else 1][1]
    }
    tokens: list[MarkedWord] = []
    for place, (token, word) in enumerate(zip(reading.surface, reading.words, strict=True)):
        mark: Mark = "none"
        if word.is_mark:
            mark = "match" if links else "none"
        elif links[place] >= 0:
            mark = "match" if kinds[place] == "same" else "partial"
        elif place in pairs:
            mark = "partial"
        tokens.append(MarkedWord(token, mark, pairs.get(place, 0)))
    return MarkedText(label, tuple(tokens))


def _judges(components: Mapping[str, float]) -> Grid:
    rows = tuple(components.items())
    return Grid("judges", ("judge", "value"), rows)


def _other_words(label: str, linked: Linked, reasons: Sequence[tuple[Link, str]]) -> list[Part]:
    rows = []
    for link, why in reasons:
        ours, theirs = (joined([side.surface[place] for place in places]) for side, places in _places(linked, link))
        rows.append((ours, theirs, why, link.evidence.score))
    return [Grid("other words for the same", (label, "candidate", "why", "strength"), tuple(rows))] if rows else []


def _checks(model: JudgeModel, evidence: MeaningEvidence) -> list[Part]:
    """Return what each check that found something leaves of the meaning, and what else was checked."""
    factors = model.weights.factors(evidence.features)
    found = sorted(((_CHECKED[name], factor) for name, factor in factors.items()), key=lambda row: row[1])
    clean = [_CHECKED[name] for name in CHECKS if evidence.features[name] <= 0]
    parts: list[Part] = []
    if found:
        parts.append(Grid("checks that found something", ("check", "leaves of the meaning"), tuple(found)))
    if clean:
        parts.append(Remarks("checked, no change", (", ".join(clean),)))
    return parts


def _meaning_steps(model: JudgeModel, evidence: MeaningEvidence, meaning: float) -> list[Step]:
    features, weights = evidence.features, model.weights
    lost = [(weight, features[name]) for name, weight in zip(LOSSES, weights.losses, strict=True) if features[name] > 0]
    coverage = weights.coverage(features)
    numbers = "1" + "".join(f" - {number(weight)} × {number(share)}" for weight, share in lost)
    factors = list(weights.factors(features).values())
    product = " × ".join([number(coverage), *map(number, factors)])
    return [
        Step("coverage", "1 - weight × share of each loss, at least 0", f"max(0, {numbers})", coverage),
        Step("meaning", "coverage × factor of each check", product, meaning),
    ]


def _losses(label: str, model: JudgeModel, evidence: MeaningEvidence) -> list[Part]:
    features, weights = evidence.features, model.weights
    losses = tuple(
        (f"share of {_LOST[name].format(other=label)}", features[name], weight, weight * features[name])
        for name, weight in zip(LOSSES, weights.losses, strict=True)
        if features[name] > 0
    )
    return [Grid("losses of coverage", ("loss", "share", "weight", "effect"), losses)] if losses else []


def _fluency_steps(model: JudgeModel, original: Reading, candidate: Reading, fluency: float) -> list[Step]:
    losses = {
        name: loss for name, loss in model.fluency.explain(candidate.tagged, original.tagged).losses.items() if loss > 0
    }
    symbols = " × ".join(f"factor of {name}" for name in losses) or "1, since nothing speaks against it"
    factors = [exp(-loss) for loss in losses.values()]
    if not losses or abs(prod(factors) - fluency) > 1e-6:  # an empty candidate has no losses and no fluency
        return [Step("fluency", symbols, number(fluency), fluency)]
    return [Step("fluency", symbols, " × ".join(map(number, factors)), fluency)]


def _surprises(model: JudgeModel, original: Reading, candidate: Reading) -> list[Detail]:
    """Return the places that surprise the language models most, if any."""
    found = model.fluency.explain(candidate.tagged, original.tagged)
    places = tuple(
        (candidate.surface[place.position] if place.position < len(candidate.surface) else "(end)", place.after,
         place.grammar, place.wording)
        for place in found.places
    )  # fmt: skip
    if not places:
        return []
    return [Detail("Least likely places", (Grid("surprises", ("word", "after", "grammar", "wording"), places),))]


def _difference_step(model: JudgeModel, original: Reading, candidate: Reading, difference: float) -> Step:
    shared = float(model.shared_wording([original], [candidate])[0])
    symbols = "1 - shared wording^2 (F1 of n-grams)"
    return Step("difference", symbols, f"1 - {number(shared)}^2", difference)
