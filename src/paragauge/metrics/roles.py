"""Semantic-role overlap (Giménez & Màrquez, 2007): do candidate and reference say who did what to whom alike?

Every argument of every predicate is an element of the type of its role t (A0, A1, AM-TMP, ...). Elements of a type are
compared as bags of items:

    O(t) = sum over items of min(count in candidate, count in reference) / sum of max(count, count)

SR-Or-* takes the words of the elements as items and is the mean of O(t) over the types that either side has; SR-Mr-*
is the same with whole elements as items; SR-Or compares the types alone: one bag of role names. With several references
the best one counts. The score of a corpus is the mean over its sentences.

A sentence pair without any role on either side has no O(t). Such pairs are compared by the words of the sentences, as
in the authors' later variants that back off to lexical overlap (`back_off=no` leaves them out of the mean).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.corpora.segments import Segments
from paragauge.errors import OptionError
from paragauge.metrics.base import Measurement, Need, SentenceMetric, check_choice, check_lengths, check_number
from paragauge.metrics.explanation import (
    Explanation,
    Grid,
    Mark,
    MarkedText,
    MarkedWord,
    Part,
    Step,
    best_label,
    calculation,
    joined,
    number,
    original_of,
)
from paragauge.text import TextPipeline

if TYPE_CHECKING:
    from paragauge.analysis import Provider
    from paragauge.analysis.roles import RoleLabeller

_MOST_ANALYSED = 1 << 15  # cached sentences, since references recur for every system
_VARIANTS = {"words": "SR-Or-*", "arguments": "SR-Mr-*", "roles": "SR-Or"}
_LEGEND: dict[Mark, str] = {"match": "in an argument of both texts", "none": "not shared, or in no argument"}


# What a role says of its argument, for readers who do not know PropBank.
_SAID = {
    "ARG0": "who",
    "ARG1": "whom or what",
    "ARG2": "to or with whom or what",
    "ARG3": "from where or with what",
    "ARG4": "where to",
    "ARGM-ADJ": "of what kind",
    "ARGM-ADV": "circumstances",
    "ARGM-CAU": "why",
    "ARGM-COM": "with whom",
    "ARGM-DIR": "which way",
    "ARGM-DIS": "connection",
    "ARGM-EXT": "how much",
    "ARGM-GOL": "for whom",
    "ARGM-LOC": "where",
    "ARGM-MNR": "how",
    "ARGM-MOD": "possibility or duty",
    "ARGM-NEG": "negation",
    "ARGM-PRD": "as what",
    "ARGM-PRP": "what for",
    "ARGM-TMP": "when",
    "roles": "the roles",
}


def said_of(role: str) -> str:
    """Return a role in words; continuations (C-) and references (R-) like the role itself.

    >>> said_of("ARGM-TMP"), said_of("R-ARG0"), said_of("ARG9")
    ('when', 'who', 'ARG9')
    """
    plain = role.removeprefix("C-").removeprefix("R-")
    return _SAID.get(plain, plain)


class Element(NamedTuple):
    """An argument: its role, the words of its predicate and of itself, in lower case."""

    role: str
    predicate: str
    words: tuple[str, ...]


class Roles(NamedTuple):
    """A sentence: its words in lower case, and its elements."""

    words: tuple[str, ...]
    elements: tuple[Element, ...]


@dataclass(frozen=True, kw_only=True)
class RoleOverlap(SentenceMetric):
    """Semantic-role overlap in one of its published variants."""

    items: Literal["words", "arguments", "roles"] = (
        "words"  # SR-Or-*, the variant of the ACL-07 workshop; SR-Mr-*; SR-Or
    )
    back_off: bool = True  # compare the words of sentences without any role
    provider: str = "builtin"  # provider of tags, lemmas and parses
    max_length: int = 1000  # words per text

    name: ClassVar[str] = "roles"
    summary: ClassVar[str] = "overlap of words under the same semantic role"
    citation: ClassVar[str] = "Giménez & Màrquez (2007)"
    scale: ClassVar[str] = "0 to 1"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    resource_keys: ClassVar[tuple[str, ...]] = ("analysis", "labeller")
    language: ClassVar[str | None] = "English"

    def __post_init__(self) -> None:
        check_choice(self.name, "items", self.items, tuple(_VARIANTS))
        check_choice(self.name, "back_off", self.back_off, (True, False))
        if not isinstance(self.provider, str):
            raise OptionError(f"the option 'provider' of roles must be a provider's name, got {self.provider!r}")
        check_number(self.name, "max_length", self.max_length, low=1, whole=True)

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The pipeline that turns text into tokens; case is kept for the tagger."""
        return TextPipeline(tokenizer="penn")

    def check(self, segments: Segments) -> None:
        super().check(segments)
        references_only = Segments(segments.candidates, segments.references)
        check_lengths(self.name, references_only, lambda text: len(self.pipeline(text)), "words", self.max_length)

    def roles(self, texts: Sequence[str]) -> list[Roles]:
        """Return the elements of each text."""
        known = _ANALYSED.setdefault(self.provider, {})
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(new) > _MOST_ANALYSED:
            known.clear()
            new = list(dict.fromkeys(texts))
        tokens = [self.pipeline(text) for text in new]
        analyses = _provider(self.provider).analyse(tokens, lemmas=True, dependencies=True)
        for text, words, predicates in zip(new, tokens, _labeller().label(analyses), strict=True):
            lower = tuple(word.lower() for word in words)
            elements = tuple(
                Element(argument.role, lower[predicate.word], lower[argument.begin : argument.end])
                for predicate in predicates
                for argument in predicate.arguments
            )
            known[text] = Roles(lower, elements)
        return [known[text] for text in texts]

    def overlaps(self, candidate: Roles, reference: Roles) -> dict[str, tuple[int, int]]:
        """Return for each type the sums of the smaller and of the larger counts."""
        bags = [self._bags(candidate), self._bags(reference)]
        return {name: _overlap(*(bag.get(name, Counter()) for bag in bags)) for name in sorted(bags[0] | bags[1])}

    def _bags(self, sentence: Roles) -> dict[str, Counter[Any]]:
        bags: dict[str, Counter[Any]] = {}
        for element in sentence.elements:
            if self.items == "roles":
                bags.setdefault("roles", Counter())[element.role] += 1
            elif self.items == "arguments":
                bags.setdefault(element.role, Counter())[element.words] += 1
            else:
                bags.setdefault(element.role, Counter()).update(element.words)
        return bags

    def compare(self, candidate: Roles, reference: Roles) -> tuple[float, float]:
        """Return the score of a pair, and whether it has one (1 or 0)."""
        found = self.overlaps(candidate, reference)
        if found:
            return sum(shared / total for shared, total in found.values()) / len(found), 1.0
        if not self.back_off:
            return 0.0, 0.0
        shared, total = _overlap(Counter(candidate.words), Counter(reference.words))
        return (shared / total if total else 0.0), 1.0

    def statistics(self, segments: Segments) -> NDArray[np.float64]:
        """Return rows ``[score, 1]`` with the best reference; ``[0, 0]`` for a pair that has no score."""
        groups = segments.references or ((),) * len(segments)
        own = self.roles(segments.candidates)
        references = iter(self.roles([text for group in groups for text in group]))
        rows = [
            max((self.compare(candidate, next(references)) for _ in group), default=(0.0, 0.0))
            for candidate, group in zip(own, groups, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def measure(self, totals: Sequence[float]) -> Measurement:
        score, count = totals
        return Measurement(score / count if count else 0.0, {"compared": count})

    def signature_items(self) -> dict[str, object]:
        return {
            "variant": _VARIANTS[self.items],
            "back_off": "yes" if self.back_off else "no",
            "tok": "penn",
            "analysis": _provider(self.provider).signature,
            "labeller": _labeller().signature,
        }

    def explain(self, segments: Segments) -> Explanation:
        score = self.score_segments(segments)[0]
        texts = (segments.references or ((),))[0]
        (own,) = self.roles(segments.candidates)
        references = self.roles(texts)
        best = max(range(len(texts)), key=lambda place: self.compare(own, references[place]))
        reference, label = references[best], best_label("reference", best, len(texts))
        found = self.overlaps(own, reference)
        parts: list[Part] = [
            *original_of(segments),
            self._marked(label, texts[best], reference, own),
            self._marked("candidate", segments.candidates[0], own, reference),
        ]
        if own.elements or reference.elements:
            written = self._written(texts[best], reference), self._written(segments.candidates[0], own)
            parts.append(_who_did_what(label, reference, own, *written))
        if found:
            rows = tuple((said_of(name), name, shared, of, shared / of) for name, (shared, of) in found.items())
            parts.append(Grid("overlap of each role", ("role", "PropBank", "shared", "of", "overlap"), rows))
            sums = " + ".join(f"{shared} / {total}" for shared, total in found.values())
            step = Step("roles", "mean of shared / all over the types", f"({sums}) / {len(found)}", score.value)
        elif self.back_off and (own.words or reference.words):
            shared, total = _overlap(Counter(own.words), Counter(reference.words))
            step = Step("roles", "shared words / all words, for want of roles", f"{shared} / {total}", score.value)
        else:
            step = Step("roles", "0, since there is nothing to compare", number(score.value), score.value)
        verdict = self._verdict(own, reference, found)
        return Explanation(score, tuple(parts), verdict, _LEGEND, (calculation([step]),))

    def _verdict(self, own: Roles, reference: Roles, found: Mapping[str, tuple[int, int]]) -> str:
        """Return in words how alike the two sentences are."""
        if not found:
            return "Neither text has a predicate with arguments; " + (
                "their words are compared." if self.back_off else "there is nothing to compare."
            )
        if not own.elements or not reference.elements:
            side = "candidate" if not own.elements else "reference"
            return f"No predicate with arguments was found in the {side}."
        kinds: dict[str, list[str]] = {"The same in both": [], "Partly the same": [], "Different": []}
        for name, (shared, total) in found.items():
            kind = "The same in both" if shared == total else "Partly the same" if shared else "Different"
            kinds[kind].append(said_of(name))
        return " ".join(f"{kind}: {', '.join(dict.fromkeys(roles))}." for kind, roles in kinds.items() if roles)

    def _written(self, text: str, sentence: Roles) -> list[tuple[str, str]]:
        """Return the predicate and the argument of each element as they are written."""
        words = self.pipeline.as_written(text)

        def found(wanted: tuple[str, ...]) -> str:
            size = len(wanted)
            begin = next(place for place in range(len(words)) if sentence.words[place : place + size] == wanted)
            return joined(words[begin : begin + size])

        return [(found((each.predicate,)), found(each.words)) for each in sentence.elements]

    def _marked(self, label: str, text: str, sentence: Roles, other: Roles) -> MarkedText:
        """Return a text as written, with the words that both texts have in arguments."""
        shared = {word for each in sentence.elements for word in each.words}
        shared &= {word for each in other.elements for word in each.words}
        tokens = (
            MarkedWord(token, "match" if word in shared else "none")
            for token, word in zip(self.pipeline.as_written(text), sentence.words, strict=True)
        )
        return MarkedText(label, tuple(tokens))


def _who_did_what(
    label: str, reference: Roles, own: Roles, theirs: Sequence[tuple[str, str]], ours: Sequence[tuple[str, str]]
) -> Grid:
    """Return who did what to whom in both texts: each argument of the reference beside the one it shares most with.

    *theirs* and *ours* are the predicates and arguments as written; where a text has several predicates, each argument
    names its own.
    """
    left, right = (
        [f"{text} ({verb})" if len({each for each, _ in written}) > 1 else text for verb, text in written]
        for written in (theirs, ours)
    )
    rows: list[tuple[str, str | None, str | None, float]] = []
    free = set(range(len(own.elements)))
    for place, element in enumerate(reference.elements):
        shares: dict[int, float] = {}
        for other in sorted(free):
            if own.elements[other].role == element.role:
                shared, total = _overlap(Counter(own.elements[other].words), Counter(element.words))
                if shared:
                    shares[other] = shared / total
        best = max(shares, key=shares.__getitem__, default=None)
        free.discard(-1 if best is None else best)
        beside = (None, 0.0) if best is None else (right[best], shares[best])
        rows.append((said_of(element.role), left[place], *beside))
    rows += [(said_of(own.elements[place].role), None, right[place], 0.0) for place in sorted(free)]
    return Grid("who did what to whom", ("role", label, "candidate", "shared"), tuple(rows))


_ANALYSED: dict[str, dict[str, Roles]] = {}


def _overlap(one: Counter[Any], other: Counter[Any]) -> tuple[int, int]:
    return (one & other).total(), (one | other).total()


def _provider(name: str) -> Provider:
    from paragauge.analysis import provider

    return provider(name)


def _labeller() -> RoleLabeller:
    from paragauge.analysis.roles import RoleLabeller

    return RoleLabeller.load()
