"""Why PEM gives a candidate its score: segmentations, networks, pivot n-grams, components and their part in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from paragauge.corpora.segments import Segments
from paragauge.matching.pivot import NetworkPhrase, PivotNgram
from paragauge.metrics.explanation import (
    BORDER,
    Edge,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    Network,
    NetworkSegment,
    Part,
)
from paragauge.metrics.pem.features import PairBatch
from paragauge.metrics.pem.response import readable

if TYPE_CHECKING:
    from paragauge.metrics.pem.metric import PEM

MOST_NGRAMS = 20  # of each kind; a last row sums up the others


def explain_pem(metric: PEM, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* scores what it does."""
    score = metric.score_segments(segments)[0]
    resources = metric.opened.resources
    batch = PairBatch(resources, (segments.originals or ("",))[:1], segments.candidates[:1])
    original, candidate = batch.original_stems[0], batch.candidate_stems[0]
    parts: list[Part] = []
    details: list[Part] = []
    for pivot, bags in resources.pivots.items():
        ngrams = bags.bags(original, candidate)
        shared = {ngram.text for ngram in ngrams if ngram.shared > 0}
        for label, sentence in (("original", original), ("candidate", candidate)):
            name = f"{label}, {pivot}" if len(resources.pivots) > 1 else label
            network = _network(f"{label} in {pivot}", bags.network(sentence), shared)
            parts.append(_segmentation(name, network))
            details.append(network)
        details += _ngram_grids(pivot, ngrams)
    return Explanation(score, (*parts, _effects(metric, score.components), *details))


def _network(title: str, phrases: Iterable[NetworkPhrase], shared: set[str]) -> Network:
    return Network(
        title,
        tuple(
            NetworkSegment(
                phrase.text if phrase.known else f"{phrase.text} (unknown)",
                tuple(Edge(text, probability, _mark(text, shared)) for text, probability in phrase.edges),
            )
            for phrase in phrases
        ),
    )


def _mark(edge: str, shared: set[str]) -> Mark:
    """Return whether the other bag has all of an edge, as one n-gram, or a word of it."""
    if edge in shared:
        return "match"
    return "partial" if any(word in shared for word in edge.split()) else "none"


def _segmentation(label: str, network: Network) -> MarkedText:
    """Return the phrases of a sentence, marked by their best edge, with bars between them as in the paper."""
    tokens: list[tuple[str, Mark]] = []
    for segment in network.segments:
        marks = [edge.mark for edge in segment.edges]
        best: Mark = "match" if "match" in marks else "partial" if "partial" in marks else "none"
        if tokens:
            tokens.append((BORDER, "none"))
        tokens.append((segment.label, best))
    return MarkedText(label, tuple(tokens))


def _effects(metric: PEM, values: Mapping[str, float]) -> Grid:
    """Return each component, its mean in training, and how the score changes when the mean takes its place."""
    model = metric.opened
    row = np.array([values[name] for name in model.features])
    replaced = np.repeat(row[None, :], len(row) + 1, axis=0)
    for place in range(len(row)):
        replaced[place, place] = model.regressor.mean[place]
    *without, score = model.scores(replaced, np.zeros(len(replaced), dtype=bool)).tolist()
    means = model.regressor.mean.tolist()
    rows = tuple(
        (readable(name), values[name], mean, score - other)
        for name, mean, other in zip(model.features, means, without, strict=True)
    )
    title = "components (effect: the score less the score with the component's training mean in its place)"
    return Grid(title, ("component", "value", "training mean", "effect"), rows)


def _ngram_grids(pivot: str, ngrams: Sequence[PivotNgram]) -> list[Grid]:
    matched = [ngram for ngram in ngrams if ngram.shared > 0]
    missed = [(ngram, ngram.original - ngram.candidate) for ngram in ngrams]
    return [
        _grid(f"matched {pivot} n-grams", "matched", [(ngram, ngram.shared) for ngram in matched]),
        _grid(f"{pivot} n-grams that the candidate misses", "missed", [item for item in missed if item[1] > 0]),
        _grid(
            f"{pivot} n-grams that the original does not have",
            "added",
            [(ngram, -more) for ngram, more in missed if more < 0],
        ),
    ]


def _grid(title: str, column: str, items: list[tuple[PivotNgram, float]]) -> Grid:
    items.sort(key=lambda item: (-item[1], item[0].order, item[0].text))
    rows: list[tuple[str, float, float, float]] = [
        (ngram.text, ngram.original, ngram.candidate, weight) for ngram, weight in items[:MOST_NGRAMS]
    ]
    rest = items[MOST_NGRAMS:]
    if rest:
        sums = (sum(ngram.original for ngram, _ in rest), sum(ngram.candidate for ngram, _ in rest))
        rows.append((f"({len(rest)} more)", *sums, sum(weight for _, weight in rest)))
    return Grid(title, ("n-gram", "original", "candidate", column), tuple(rows))
