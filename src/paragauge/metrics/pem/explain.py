"""Why PEM gives a candidate its score: words that share translations, networks, components and their part in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from paragauge.corpora.segments import Segments
from paragauge.matching.pivot import NetworkPhrase, PivotNgram
from paragauge.metrics.explanation import (
    BORDER,
    Detail,
    Edge,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Network,
    NetworkSegment,
    Part,
    Step,
    calculation,
    mean_of,
    number,
    percent,
    plain,
    total,
)
from paragauge.metrics.pem.features import LEAST_FLUENCY, ORDINARY_LOG_ODDS, PairBatch
from paragauge.metrics.pem.foreign import language_name, word_for
from paragauge.metrics.pem.response import readable

if TYPE_CHECKING:
    from paragauge.metrics.pem.metric import PEM

MOST_NGRAMS = 20  # of each kind; a last row sums up the others
_MOST_TOLD = 2  # words that share translations, in a verdict
_LEGEND: dict[Mark, str] = {
    "match": "the other text has the same word",
    "partial": "the other text has a word with a common translation; equal numbers belong together",
    "none": "no translation in common",
}


def explain_pem(metric: PEM, segments: Segments) -> Explanation:
    """Return why the one candidate in *segments* scores what it does."""
    score = metric.score_segments(segments)[0]
    resources = metric.opened.resources
    texts = (segments.originals or ("",))[0], segments.candidates[0]
    batch = PairBatch(resources, texts[:1], texts[1:])
    stems = batch.original_stems[0], batch.candidate_stems[0]
    if not stems[1]:
        last = Step("pem", "the lowest score, since the candidate has no words", number(score.value), score.value)
        empty = (plain("original", texts[0]), plain("candidate", texts[1]))
        return Explanation(score, empty, "The candidate has no words.", details=(calculation([last]),))
    details: list[Detail] = []
    parts: list[Part] = []
    told: list[str] = []
    rows: list[tuple[str, str, str, float]] = []
    for pivot, bags in resources.pivots.items():
        ngrams = bags.bags(*stems)
        shared = {ngram.text for ngram in ngrams if ngram.shared > 0}
        sides = [
            _Side(label, bags.network(sentence), _written(batch, words, text))
            for label, sentence, words, text in (
                ("original", stems[0], batch.original_words[0], texts[0]),
                ("candidate", stems[1], batch.candidate_words[0], texts[1]),
            )
        ]
        ties = _ties(*sides)
        several = len(resources.pivots) > 1
        parts += [side.marked(f"{side.label}, {pivot}" if several else side.label, ties) for side in sides]
        language = language_name(pivot)
        for one, other, through, weight in ties:
            words = sides[0].phrases[one], sides[1].phrases[other]
            rows.append((*words, f"{language} {word_for(pivot, through)}", weight))
            told.append(f"'{words[0]}' = '{words[1]}' through {language} {word_for(pivot, through)}")
        networks = [_network(f"{side.label} in {language}", side, shared, pivot) for side in sides]
        details.append(Detail(f"Translations into {language}, drawn", tuple(networks)))
        details.append(Detail(f"{language} words that count", tuple(_ngram_grids(pivot, ngrams))))
    if rows:
        parts.append(
            Grid("different words with a common translation", ("original", "candidate", "both", "shared"), tuple(rows))
        )
    effects, steps = _effects(metric, score.components)
    parts.append(effects)
    formula = calculation([*_component_steps(batch, score.components), *steps])
    verdict = _verdict(score.components, told, effects)
    return Explanation(score, tuple(parts), verdict, _LEGEND, (formula, *details))


class _Side:
    """A sentence as the pivot table sees it: its phrases as written, and their translations."""

    def __init__(self, label: str, network: Sequence[NetworkPhrase], words: Sequence[str]) -> None:
        self.label = label
        self.network = tuple(network)
        self.phrases: list[str] = []
        place = 0
        for phrase in network:
            length = len(phrase.text.split(" "))
            self.phrases.append(" ".join(words[place : place + length]))
            place += length

    def marked(self, label: str, ties: Sequence[tuple[int, int, str, float]]) -> MarkedText:
        """Return the phrases, with bars between them, as in the paper, where some have several words."""
        own = 0 if self.label == "original" else 1
        pairs = {tie[own]: place for place, tie in enumerate(ties, start=1)}
        bars = any(" " in phrase for phrase in self.phrases)
        tokens: list[MarkedWord] = []
        for place, phrase in enumerate(self.phrases):
            if tokens and bars:
                tokens.append(MarkedWord(BORDER))
            mark: Mark = "match" if place in self.same else "partial" if place in pairs else "none"
            tokens.append(MarkedWord(phrase, mark, pairs.get(place, 0)))
        return MarkedText(label, tuple(tokens))

    same: frozenset[int] = frozenset()  # phrases that the other side has, too


def _written(batch: PairBatch, words: Sequence[str], text: str) -> list[str]:
    """Return for each stem the word as written."""
    written = batch.resources.text.as_written(text)
    keep = batch.resources.punctuation
    return [shown for word, shown in zip(words, written, strict=True) if keep or any(map(str.isalnum, word))]


def _ties(original: _Side, candidate: _Side) -> list[tuple[int, int, str, float]]:
    """Return phrases that differ and share a translation: their places, what they share most, and how much.

    Phrases that are in both are set aside first. Of the rest, each is tied to one other at most, the strongest first.
    """
    left = dict(enumerate(original.network))
    same: tuple[set[int], set[int]] = (set(), set())
    for place, phrase in enumerate(candidate.network):
        twin = next((other for other, each in left.items() if each.text == phrase.text), None)
        if twin is not None:
            del left[twin]
            same[0].add(twin)
            same[1].add(place)
    original.same, candidate.same = map(frozenset, same)
    found = []
    for one, phrase in left.items():
        for other, theirs in enumerate(candidate.network):
            if other in same[1] or not phrase.known or not theirs.known:
                continue
            ours, others = _words_of(phrase), _words_of(theirs)
            shared = {word: min(ours[word], others[word]) for word in ours.keys() & others.keys()}
            if shared:
                through = max(sorted(shared), key=shared.__getitem__)
                found.append((one, other, through, sum(shared.values())))
    ties: list[tuple[int, int, str, float]] = []
    for tie in sorted(found, key=lambda each: (-each[3], each[:2])):
        if all(tie[0] != each[0] and tie[1] != each[1] for each in ties) and len(tie[2]) > 2:
            ties.append(tie)
    return sorted(ties)


def _words_of(phrase: NetworkPhrase) -> dict[str, float]:
    """Return the single pivot words of a phrase with their weights; short ones, mostly articles, say nothing."""
    words: dict[str, float] = {}
    for text, weight in phrase.edges:
        for word in text.split(" "):
            if len(word) > 2:
                words[word] = words.get(word, 0.0) + weight
    return words


def _network(title: str, side: _Side, shared: set[str], pivot: str) -> Network:
    return Network(
        title,
        tuple(
            NetworkSegment(
                written if phrase.known else f"{written} (unknown)",
                tuple(
                    Edge(word_for(pivot, text) if phrase.known else text, probability, _mark(text, shared))
                    for text, probability in phrase.edges
                ),
            )
            for written, phrase in zip(side.phrases, side.network, strict=True)
        ),
    )


def _mark(edge: str, shared: set[str]) -> Mark:
    """Return whether the other bag has all of an edge, as one n-gram, or a word of it."""
    if edge in shared:
        return "match"
    return "partial" if any(word in shared for word in edge.split()) else "none"


def _effects(metric: PEM, values: Mapping[str, float]) -> tuple[Grid, list[Step]]:
    """Return each component, its mean in training, and its part in the score: all parts add up.

    The part of a component is its Shapley value: what the score gains when it takes the place of its mean, averaged
    over all orders in which the components can do so.
    """
    model = metric.opened
    names = model.features
    count = len(names)
    row, means = np.array([values[name] for name in names]), model.regressor.mean
    chosen = np.array([[bool(code >> place & 1) for place in range(count)] for code in range(1 << count)])
    scores = model.scores(np.where(chosen, row, means), np.zeros(1 << count, dtype=bool)).tolist()
    parts = []
    for place in range(count):
        gain = 0.0
        others = [each for each in range(count) if each != place]
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for group in combinations(others, size):
                code = sum(1 << each for each in group)
                gain += weight * (scores[code | 1 << place] - scores[code])
        parts.append(gain)
    rows = tuple(
        (readable(name), values[name], mean, part)
        for name, mean, part in zip(names, means.tolist(), parts, strict=True)
    )
    numbers = total([scores[0], *parts])
    symbols = "score of the training means + effect of each component (by the support vectors of the model)"
    step = Step("pem", symbols, numbers, scores[-1])
    return Grid("components", ("component", "value", "training mean", "effect"), rows), [step]


def _component_steps(batch: PairBatch, values: Mapping[str, float]) -> list[Step]:
    """Return how the components follow from what the bags share and from the language model."""
    symbols = "2 × shared / (original + candidate), weights of words in both bags"
    steps = []
    for pivot in (*batch.pivots, None):
        overlap = batch.overlap(pivot)
        shared, original, candidate = (
            float(each.sum()) for each in (overlap.shared, overlap.original, overlap.candidate)
        )
        numbers = f"2 × {number(shared)} / ({number(original)} + {number(candidate)})" if original + candidate else "0"
        if pivot is None:
            name, value = "dissimilarity", values["dissimilarity"]
            steps.append(Step("wording shared", symbols.replace("words", "n-grams"), numbers, value))
            continue
        name = f"adequacy:{pivot}" if len(batch.pivots) > 1 else "adequacy"
        steps.append(Step(name, symbols, numbers, values[name]))
    if len(batch.pivots) > 1:
        each = [number(values[f"adequacy:{pivot}"]) for pivot in batch.pivots]
        steps.insert(len(batch.pivots), Step("adequacy", "mean of the pivots", mean_of(each), values["adequacy"]))
    own, other = batch.log_odds() if batch.resources.fluency == "log-odds" else (None, None)
    if own is not None and other is not None:
        least = number(LEAST_FLUENCY)
        numbers = f"max({least}, min(0, {number(own)} - min({number(other)}, {ORDINARY_LOG_ODDS:g})))"
        words = "log-odds of the candidate - those of the original"
        steps.append(Step("fluency", f"{words}, from -1 to 0", numbers, values["fluency"]))
    else:
        value = values["fluency"]
        steps.append(Step("fluency", "log10 probability / words", number(value), value))
    return steps


def _verdict(values: Mapping[str, float], told: Sequence[str], effects: Grid) -> str:
    adequacy, fluency, wording = (values[name] for name in ("adequacy", "fluency", "dissimilarity"))
    if wording >= 1:
        return "The same words as the original: nothing is said differently, which costs most."
    said = (
        "Says the same by its translations" if adequacy >= 0.85
        else "Says much the same by its translations" if adequacy >= 0.6
        else "Says part of it by its translations" if adequacy >= 0.35
        else "Says something else by its translations"
    )  # fmt: skip
    if told:
        said += f"; {', '.join(told[:_MOST_TOLD])}" + (
            f" and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
        )
    tongue = "" if fluency > -0.1 else "; less fluent than the original" if fluency > -0.3 else "; not fluent"
    worst = min(effects.rows, key=lambda row: row[3] if isinstance(row[3], float) else 0.0)
    shared = f"It shares {percent(wording)} of the wording with the original"
    if float(worst[3] or 0) >= 0:
        return f"{said}{tongue}. {shared}."
    cost = _COSTS[str(worst[0]).partition(":")[0].partition(" ")[0]]
    return f"{said}{tongue}. {shared}; {cost} costs most."


_COSTS = {"adequacy": "what it does not say", "fluency": "fluency", "wording": "the shared wording"}


def _ngram_grids(pivot: str, ngrams: Sequence[PivotNgram]) -> list[Part]:
    matched = [ngram for ngram in ngrams if ngram.shared > 0]
    language = language_name(pivot)
    more = [(ngram, ngram.original - ngram.candidate) for ngram in ngrams]
    missed, added = [each for each in more if each[1] > 0], [(ngram, -less) for ngram, less in more if less < 0]
    return [
        _grid(pivot, f"{language} n-grams of both", "matched", [(ngram, ngram.shared) for ngram in matched]),
        _grid(pivot, f"{language} n-grams that the candidate misses", "missed", missed),
        _grid(pivot, f"{language} n-grams that the original does not have", "added", added),
    ]


def _grid(pivot: str, title: str, column: str, items: list[tuple[PivotNgram, float]]) -> Grid:
    items.sort(key=lambda item: (-item[1], item[0].order, item[0].text))
    rows: list[tuple[str, float, float, float]] = [
        (word_for(pivot, ngram.text), ngram.original, ngram.candidate, weight) for ngram, weight in items[:MOST_NGRAMS]
    ]
    rest = items[MOST_NGRAMS:]
    if rest:
        sums = (sum(ngram.original for ngram, _ in rest), sum(ngram.candidate for ngram, _ in rest))
        rows.append((f"({len(rest)} more)", *sums, sum(weight for _, weight in rest)))
    return Grid(title, ("n-gram", "original", "candidate", column), tuple(rows))
