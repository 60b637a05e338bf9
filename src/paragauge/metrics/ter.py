"""TER (Snover, Dorr, Schwartz, Micciulla & Makhoul, 2006): edits and shifts to the closest reference.

    TER = 100 * edits / reference length        edits = insertions + deletions + substitutions + shifts

Of several references, the one with the fewest edits counts, and the length is the mean of all. Shifts move a run of
words and are searched greedily. The native core searches exactly as sacreBLEU does, with the same limits (a band of 25
words around the diagonal, runs of up to 10 words moved by up to 50, 1000 attempts per pair), so the numbers are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_lengths, check_number
from paragauge.metrics.explanation import (
    Detail,
    Drawing,
    DrawnLink,
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Step,
    best_label,
    calculation,
    counted,
    number,
    original_of,
)
from paragauge.text.vocabulary import Vocabulary
from paragauge.threads import thread_count

_LEGEND: dict[Mark, str] = {
    "match": "kept",
    "moved": "kept, but moved",
    "partial": "replaced",
    "none": "only here: deleted or inserted",
}
_MOST_TOLD = 3  # edits in a verdict
_EDITS = ("kept", "replaced", "inserted", "deleted")  # as the native core numbers them


@dataclass(frozen=True, kw_only=True)
class Ter(SentenceMetric):
    """Translation edit rate: lower is better, and it can exceed 100."""

    normalized: bool = False
    punctuation: bool = True
    asian_support: bool = False
    lowercase: bool = True
    max_length: int = 100_000  # words per text; a pair of that length can take seconds and 40 MB

    name: ClassVar[str] = "ter"
    summary: ClassVar[str] = "edits and shifts to the closest reference, per 100 words"
    citation: ClassVar[str] = "Snover et al. (2006)"
    scale: ClassVar[str] = "0 or more"
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    def __post_init__(self) -> None:
        for option in ("normalized", "punctuation", "asian_support", "lowercase"):
            check_choice(self.name, option, getattr(self, option), (True, False))
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)

    def check(self, segments: Segments) -> None:
        super().check(segments)
        references_only = Segments(segments.candidates, segments.references)
        check_lengths(self.name, references_only, lambda text: len(self.tokens(text)), "words", self.max_length)

    def tokens(self, text: str) -> list[str]:
        """Return the words to compare: what stands between white space, or tercom's words if they are normalised."""
        if self.lowercase:
            text = text.lower()
        if self.normalized or not self.punctuation:
            text = _tokenizer(self.normalized, self.punctuation, self.asian_support)(text.rstrip())
        return text.split()

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[insertions, deletions, substitutions, shifts, mean length of the references]``."""
        from paragauge import _core

        groups = segments.references or ()
        vocabulary = Vocabulary()
        candidates = vocabulary.encode(map(self.tokens, segments.candidates))
        references = vocabulary.encode(self.tokens(text) for group in groups for text in group)
        starts = np.fromiter(accumulate(map(len, groups), initial=0), np.int64, len(groups) + 1)
        counts = _core.edit_counts(candidates.arrays, references.arrays, starts, threads=thread_count(None))
        lengths = np.add.reduceat(references.lengths, starts[:-1]) / np.diff(starts)
        edits = counts.sum(axis=1)
        best = starts[:-1].copy()
        for segment in np.flatnonzero(np.diff(starts) > 1).tolist():
            best[segment] += np.argmin(edits[starts[segment] : starts[segment + 1]])
        return np.column_stack([counts[best].astype(np.float64), lengths])

    def measure(self, totals: Sequence[float]) -> Measurement:
        *counts, length = totals
        edits = sum(counts)
        # As in sacreBLEU, words without a reference are all wrong, and nothing for nothing is right.
        rate = edits / length if length > 0 else float(edits > 0)
        kinds = ("insertions", "deletions", "substitutions", "shifts")
        components = {"edits": edits, "reference_length": length, **dict(zip(kinds, counts, strict=True))}
        return Measurement(100 * rate, components)

    def signature_items(self) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": "tercom",
            "norm": "yes" if self.normalized else "no",
            "punct": "yes" if self.punctuation else "no",
            "asian": "yes" if self.asian_support else "no",
        }

    def explain(self, segments: Segments) -> Explanation:
        candidate = self.tokens(segments.candidates[0])
        texts = (segments.references or ((),))[0]
        paths = [_Path.between(candidate, self.tokens(text)) for text in texts]
        best = min(range(len(paths)), key=lambda number: paths[number].edits)
        label = best_label("reference", best, len(paths), "closest")
        score = self.score_segments(segments)[0]
        path = paths[best].written(self._written(segments.candidates[0]), self._written(texts[best]))
        return Explanation(
            score,
            (*original_of(segments), *path.texts(label), path.shift_grid(), path.edit_grid()),
            path.verdict(),
            _LEGEND,
            (calculation(self._steps(score.components)), Detail("Edits and shifts, drawn", (path.drawing(label),))),
        )

    def _written(self, text: str) -> Sequence[str]:
        """Return the words as they are written, unless they are tokenised for the comparison."""
        return self.tokens(text) if self.normalized or not self.punctuation else text.split()

    def _steps(self, components: Mapping[str, float]) -> list[Step]:
        kinds = ("insertions", "deletions", "substitutions", "shifts")
        edits, length = components["edits"], components["reference_length"]
        steps = [Step("edits", " + ".join(kinds), " + ".join(number(components[kind]) for kind in kinds), edits)]
        if length > 0:
            numbers = f"100 × {number(edits)} / {number(length)}"
            return [*steps, Step("ter", "100 × edits / words of the reference", numbers, 100 * edits / length)]
        rate = 100.0 * (edits > 0)
        return [*steps, Step("ter", "100 for any words where the reference has none", number(rate), rate)]


@dataclass(frozen=True)
class _Path:
    """How a candidate becomes its reference."""

    candidate: Sequence[str]
    reference: Sequence[str]
    shifts: Sequence[Sequence[int]]  # start, length and new start of each run
    steps: Sequence[int]

    @classmethod
    def between(cls, candidate: Sequence[str], reference: Sequence[str]) -> _Path:
        from paragauge import _core

        both = Vocabulary().encode([candidate, reference])
        border = len(candidate)
        shifts, steps = _core.edit_path(both.ids[:border], both.ids[border:])
        return cls(candidate, reference, shifts.reshape(-1, 3).tolist(), steps.tolist())

    @property
    def edits(self) -> int:
        return len(self.shifts) + sum(step > 0 for step in self.steps)

    def written(self, candidate: Sequence[str], reference: Sequence[str]) -> _Path:
        """Return the same path between the words as they are written."""
        return _Path(candidate, reference, self.shifts, self.steps)

    @cached_property
    def _order(self) -> list[int]:
        """The positions of the candidate's words after all shifts."""
        order = list(range(len(self.candidate)))
        for start, length, to in self.shifts:
            run = order[start : start + length]
            del order[start : start + length]
            order[to:to] = run
        return order

    @cached_property
    def moves(self) -> list[tuple[tuple[int, ...], str, str]]:
        """For each shift, the positions of the run, and the words between which it comes to stand."""
        order = list(range(len(self.candidate)))
        moves = []
        for start, length, to in self.shifts:
            run = order[start : start + length]
            del order[start : start + length]
            before = self.candidate[order[to - 1]] if to > 0 else ""
            after = self.candidate[order[to]] if to < len(order) else ""
            order[to:to] = run
            moves.append((tuple(run), before, after))
        return moves

    @cached_property
    def edited(self) -> list[tuple[str, int, int]]:
        """Each step: its name, and the positions in the candidate and in the reference (-1 where there is none)."""
        found = []
        i = j = 0
        for step in self.steps:
            name = _EDITS[step]
            found.append((name, self._order[i] if name != "inserted" else -1, j if name != "deleted" else -1))
            i += name != "inserted"
            j += name != "deleted"
        return found

    def texts(self, label: str) -> tuple[Part, ...]:
        """Return both texts, marked by what happens to their words."""
        moved = {place for run, _, _ in self.moves for place in run}
        marks: tuple[dict[int, MarkedWord], dict[int, MarkedWord]] = ({}, {})
        pair = 0
        for name, own, other in self.edited:
            mark: Mark = "none"
            number = 0
            if name == "kept":
                mark = "moved" if own in moved else "match"
            elif name == "replaced":
                mark = "partial"
                pair += 1
                number = pair
            for side, words, place in ((0, self.candidate, own), (1, self.reference, other)):
                if place >= 0:
                    marks[side][place] = MarkedWord(words[place], mark, number)
        one, two = (tuple(side[place] for place in sorted(side)) for side in marks)
        return MarkedText(label, two), MarkedText("candidate", one)

    def shift_grid(self) -> Grid:
        rows = tuple((" ".join(self.candidate[i] for i in run), before, after) for run, before, after in self.moves)
        return Grid("shifts", ("moved", "now after", "now before"), rows)

    def edit_grid(self) -> Grid:
        rows = tuple(
            (name, self.candidate[own] if own >= 0 else "", self.reference[other] if other >= 0 else "")
            for name, own, other in self.edited
            if name != "kept"
        )
        return Grid("edits", ("edit", "candidate", "reference"), rows)

    def verdict(self) -> str:
        if not self.edits:
            return "The same words in the same order as the reference."
        told = [f"'{row[0]}' moves" for row in self.shift_grid().rows]
        for name, own, other in self.edit_grid().rows:
            told.append(
                f"'{own}' becomes '{other}'" if name == "replaced"
                else f"'{own}' is deleted" if name == "deleted"
                else f"'{other}' is inserted"
            )  # fmt: skip
        rest = len(told) - _MOST_TOLD
        more = f", and {counted(rest, 'more edit')}" if rest > 0 else ""
        words = counted(len(self.reference), "word")
        return f"{counted(self.edits, 'edit')} to get the reference of {words}: {', '.join(told[:_MOST_TOLD])}{more}."

    def drawing(self, label: str) -> Drawing:
        moved = {place for run, _, _ in self.moves for place in run}
        links = []
        for name, own, other in self.edited:
            if name in ("kept", "replaced"):
                kind = "moved" if name == "kept" and own in moved else name
                links.append(DrawnLink((own, own + 1), (other, other + 1), kind, float(name == "kept")))
        texts = ("candidate", tuple(self.candidate), label, tuple(self.reference))
        return Drawing("edits and shifts", *texts, tuple(sorted(links)))


@lru_cache(maxsize=8)
def _tokenizer(normalized: bool, punctuation: bool, asian_support: bool) -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    tokenizer: Callable[[str], str] = TercomTokenizer(
        normalized=normalized, no_punct=not punctuation, asian_support=asian_support, case_sensitive=True
    )
    return tokenizer
