"""Why two words are linked, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Evidence that is there or not, and what it is called.
_FACTS = {
    "same_form": "same word",
    "same_lemma": "forms of one word",
    "same_stem": "same stem",
    "same_number": "same value",
    "synonym": "synonyms",
    "derived": "one derived from the other",
    "more_general": "one a kind of the other",
    "opposite": "opposites",
    "acronym": "an acronym and its words",
}
# Evidence with a strength: its name, and from which strength on it is worth mentioning.
_DEGREES = {
    "translations": ("shared translations", 0.3),
    "paraphrase": ("paraphrases", 0.01),
    "phrase_paraphrase": ("part of paraphrases", 0.01),
    "letters_alike": ("similar letters", 0.6),
    "prior": ("statistical aligner", 0.1),
}
_AROUND = {
    "before": "words before linked",
    "after": "words after linked",
    "content_before": "content words before linked",
    "content_after": "content words after linked",
}
_LINKED = 0.5
_BOTH_SIDES = 1.0


@dataclass(frozen=True, slots=True)
class ExplainedLink:
    """A link with its reasons.

    Attributes:
        source: Position of the source word.
        target: Position of the target word.
        words: Both words.
        probability: Probability of the link.
        by_words: Probability after the first round, which sees the two words and only guesses at their surroundings.
        reasons: Evidence for the link, what the words say first.
    """

    source: int
    target: int
    words: tuple[str, str]
    probability: float
    by_words: float
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the link as plain values, for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "words": list(self.words),
            "probability": self.probability,
            "by_words": self.by_words,
            "reasons": list(self.reasons),
        }


def reasons(evidence: Mapping[str, float]) -> Iterator[str]:
    """Yield the reasons that the *evidence* of a link holds.

    >>> list(reasons({"synonym": 1.0, "translations": 0.62, "before": 0.9}))
    ['synonyms', 'shared translations 0.62', 'words before linked']
    """
    for name, said in _FACTS.items():
        if evidence.get(name, 0.0) > 0:
            yield said
    if evidence.get("both_marks", 0.0) > 0 and not evidence.get("same_form", 0.0):
        yield "both punctuation"
    for name, (said, least) in _DEGREES.items():
        if evidence.get(name, 0.0) >= least:
            yield f"{said} {evidence[name]:.2f}"
    for name, said in _AROUND.items():
        if evidence.get(name, 0.0) >= _LINKED:
            yield said
    if evidence.get("gap_sides", 0.0) >= _BOTH_SIDES:
        yield "alone between linked words" if evidence.get("gap_single", 0.0) > 0 else "between linked words"
