"""What metrics over n-grams share when they explain themselves: which runs of words two texts have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from paragauge.metrics.explanation import (
    Detail,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    counted,
    joined,
    original_of,
    quoted,
    spelled,
)

if TYPE_CHECKING:
    from paragauge.corpora.segments import Segments
    from paragauge.text import TextPipeline

LEGEND: dict[Mark, str] = {
    "match": "in a shared run of two or more words",
    "partial": "shared on its own",
    "none": "not shared",
}
_RUNS = {1: "words", 2: "pairs of words", 3: "runs of three words", 4: "runs of four words"}


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return the n-grams of *tokens* in order.

    >>> ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def runs(order: int) -> str:
    """Return what to call n-grams.

    >>> runs(1), runs(5)
    ('words', 'runs of 5 words')
    """
    return _RUNS.get(order, f"runs of {order} words")


@dataclass(frozen=True)
class SharedNgrams:
    """A candidate and what it is compared with, as a metric sees them and as written.

    Attributes:
        candidate: The candidate.
        others: The references, or the original.
        pipeline: Makes tokens of texts.
        max_order: Longest n-grams.
        noun: What the others are.
    """

    candidate: str
    others: tuple[str, ...]
    pipeline: TextPipeline
    max_order: int
    noun: Literal["reference", "original"]

    @classmethod
    def of(
        cls, segments: Segments, pipeline: TextPipeline, noun: Literal["reference", "original"], max_order: int
    ) -> SharedNgrams:
        """Return the n-grams of the one candidate in *segments* and of its references or its original."""
        others = segments.originals if noun == "original" else (segments.references or ((),))[0]
        return cls(segments.candidates[0], tuple(others or ()), pipeline, max_order, noun)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the candidate."""
        return self.pipeline(self.candidate)

    @cached_property
    def compared(self) -> list[tuple[str, ...]]:
        """The tokens of the others."""
        return [self.pipeline(text) for text in self.others]

    @cached_property
    def name(self) -> str:
        """What the others are called."""
        return f"the {self.noun}" if len(self.others) == 1 else f"any {self.noun}"

    def shared(self, order: int) -> tuple[int, int]:
        """Return how many n-grams of the candidate are matched, clipped as in BLEU, and how many there are."""
        own = Counter(ngrams(self.tokens, order))
        counts = [Counter(ngrams(other, order)) for other in self.compared]
        matched = sum(min(count, max((other[ngram] for other in counts), default=0)) for ngram, count in own.items())
        return matched, sum(own.values())

    def distinct(self, order: int) -> tuple[int, int]:
        """Return how many different n-grams of the candidate are in the others, and how many it has."""
        own = set(ngrams(self.tokens, order))
        known = {ngram for other in self.compared for ngram in ngrams(other, order)}
        return len(own & known), len(own)

    def verdict(self) -> str:
        """Return in a sentence or two what is shared and what is new."""
        words, pairs = self.shared(1), self.shared(2)
        if not words[1]:
            return "The candidate has no words."
        if any(self.tokens == other for other in self.compared):
            return f"The same words in the same order as {self._one}."
        if not words[0]:
            return f"No word of the candidate is in {self.name}."
        runs_shared = f" and {pairs[0]} of {counted(pairs[1], 'pair')} of neighbours" if pairs[1] else ""
        said = (
            f"{words[0]} of {counted(words[1], 'word')}{runs_shared} {'is' if words[0] == 1 else 'are'} in {self.name}"
        )
        longest = self.longest()
        if len(longest) > 1:
            said += f"; the longest shared run is {quoted([self._as_written(longest)])}"
        new = self.new_words()
        return f"{said}. New: {quoted(new)}." if new else f"{said}."

    @property
    def _one(self) -> str:
        return f"the {self.noun}" if len(self.others) == 1 else f"a {self.noun}"

    def longest(self) -> range:
        """Return the positions in the candidate of the longest run that one of the others has, too."""
        best = range(0)
        for other in self.compared:
            lengths = [0] * (len(other) + 1)
            for i, token in enumerate(self.tokens):
                previous = 0
                for j, word in enumerate(other):
                    previous, lengths[j + 1] = lengths[j + 1], previous + 1 if token == word else 0
                    if lengths[j + 1] > len(best):
                        best = range(i + 1 - lengths[j + 1], i + 1)
        return best

    def _as_written(self, places: range) -> str:
        written = self.pipeline.as_written(self.candidate)
        return joined([written[place] for place in places])

    def new_words(self) -> list[str]:
        """Return the words of the candidate, as written, that the others have not, or not so often."""
        left = [Counter(other) for other in self.compared]
        allowed = Counter({word: max(other[word] for other in left) for other in left for word in other})
        new = []
        for place, word in enumerate(self.tokens):
            if allowed[word] > 0:
                allowed[word] -= 1
            else:
                new.append(place)
        return spelled(self.pipeline.as_written(self.candidate), new)

    def texts(self, segments: Segments) -> list[Part]:
        """Return the texts with their words as written, marked by the longest n-gram that they share."""
        parts: list[Part] = original_of(segments) if self.noun == "reference" else []
        for number, (text, tokens) in enumerate(zip(self.others, self.compared, strict=True), start=1):
            name = self.noun if len(self.others) == 1 else f"{self.noun} {number}"
            parts.append(self._marked(name, text, tokens, [self.tokens]))
        return [*parts, self._marked("candidate", self.candidate, self.tokens, self.compared)]

    def _marked(self, label: str, text: str, tokens: Sequence[str], others: Sequence[Sequence[str]]) -> MarkedText:
        marks: list[Mark] = ["none"] * len(tokens)
        for order in range(1, self.max_order + 1):
            known = {ngram for other in others for ngram in ngrams(other, order)}
            for start, ngram in enumerate(ngrams(tokens, order)):
                if ngram in known:
                    marks[start : start + order] = ["partial" if order == 1 else "match"] * order
        written = self.pipeline.as_written(text)
        return MarkedText(label, tuple(MarkedWord(*pair) for pair in zip(written, marks, strict=True)))

    def summary(self) -> Grid:
        """Return how many n-grams of each order are shared."""
        rows = []
        for order in range(1, self.max_order + 1):
            matched, count = self.shared(order)
            if count:
                rows.append((runs(order), matched, count, matched / count))
        return Grid(f"shared with {self.name}", ("", "shared", "of", "share"), tuple(rows))

    def detail(self) -> Detail:
        """Return all n-grams of the candidate, as written, with their counts."""
        written = self.pipeline.as_written(self.candidate)
        grids: list[Part] = []
        for order in range(1, self.max_order + 1):
            own = ngrams(self.tokens, order)
            if not own:
                break
            shown = {ngram: " ".join(written[place : place + order]) for place, ngram in enumerate(own)}
            counts = [Counter(ngrams(other, order)) for other in self.compared]
            rows = []
            for ngram, count in Counter(own).items():
                clip = max((other[ngram] for other in counts), default=0)
                rows.append((shown[ngram], count, clip, min(count, clip)))
            columns = ("n-gram", "candidate", f"in {self.name}", "matched")
            grids.append(Grid(f"{order}-grams", columns, tuple(rows)))
        return Detail("All n-grams of the candidate", tuple(grids))
