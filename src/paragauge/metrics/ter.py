"""TER (Snover, Dorr, Schwartz, Micciulla & Makhoul, 2006): edits and shifts to the closest reference.

    TER = 100 * edits / reference length        edits = insertions + deletions + substitutions + shifts

Of several references, the one with the fewest edits counts, and the length is the mean of all. Shifts move a run of
words and are searched greedily. The native core searches exactly as sacreBLEU does, with the same limits (a band of 25
words around the diagonal, runs of up to 10 words moved by up to 50, 1000 attempts per pair), so the numbers are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_lengths, check_number
from paragauge.metrics.explanation import Drawing, DrawnLink, Explanation, Grid, component_grid
from paragauge.text.vocabulary import Vocabulary
from paragauge.threads import thread_count

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
        paths = [_Path.between(candidate, self.tokens(text)) for text in (segments.references or ((),))[0]]
        best = min(range(len(paths)), key=lambda number: paths[number].edits)
        label = "reference" if len(paths) == 1 else f"reference {best + 1} (the closest of {len(paths)})"
        score = self.score_segments(segments)[0]
        return Explanation(score, (*paths[best].parts(label), component_grid(score)))


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

    def parts(self, label: str) -> tuple[Drawing | Grid, ...]:
        order = list(range(len(self.candidate)))
        moves: list[tuple[str, str, str]] = []
        moved: set[int] = set()
        for start, length, to in self.shifts:
            run = order[start : start + length]
            del order[start : start + length]
            before = self.candidate[order[to - 1]] if to > 0 else ""
            after = self.candidate[order[to]] if to < len(order) else ""
            order[to:to] = run
            moved.update(run)
            moves.append((" ".join(self.candidate[i] for i in run), before, after))
        links: list[DrawnLink] = []
        rows: list[tuple[str, str, str]] = []
        i = j = 0
        for step in self.steps:
            name = _EDITS[step]
            own = self.candidate[order[i]] if name != "inserted" else ""
            other = self.reference[j] if name != "deleted" else ""
            if name in ("kept", "replaced"):
                place = order[i]
                kind = "moved" if name == "kept" and place in moved else name
                links.append(DrawnLink((place, place + 1), (j, j + 1), kind, float(name == "kept")))
            if name != "kept":
                rows.append((name, own, other))
            i += name != "inserted"
            j += name != "deleted"
        texts = ("candidate", tuple(self.candidate), label, tuple(self.reference))
        return (
            Drawing("links", *texts, tuple(sorted(links))),
            Grid("shifts", ("moved", "now after", "now before"), tuple(moves)),
            Grid("edits", ("edit", "candidate", "reference"), tuple(rows)),
        )


@lru_cache(maxsize=8)
def _tokenizer(normalized: bool, punctuation: bool, asian_support: bool) -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    tokenizer: Callable[[str], str] = TercomTokenizer(
        normalized=normalized, no_punct=not punctuation, asian_support=asian_support, case_sensitive=True
    )
    return tokenizer
