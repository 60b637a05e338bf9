"""Settings of the judges: numbers that are chosen rather than learned.

Alternatives are compared by leaving data sets out (`benchmarks/judges.py`, with the results in docs/reproduction.md).
Each model stores its own. A strength of 0 means that a kind of evidence is not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from paragauge.errors import OptionError

# Field: lowest and highest valid value.
_LIMITS = {
    "strict_power": (0.0, 256.0),
    "power": (0.0, 256.0),
    "role_power": (0.0, 256.0),
    "unrelated": (0.0, 0.99),
    "trusted": (0.0, 1e6),
    "related": (0.0, 1.0),
    "contained": (0.0, 1.0),
    "enough": (0.01, 1.0),
    "information_power": (0.0, 4.0),
    "name_weight": (0.0, 10.0),
    "decay": (0.01, 1.0),
    "synonym": (0.0, 1.0),
    "derived": (0.0, 1.0),
    "phrase": (0.0, 1.0),
    "noun_steps": (0.0, 20.0),
    "verb_steps": (0.0, 20.0),
    "least": (0.01, 1.0),
    "sure": (0.0, 1e6),
    "in_place": (0.0, 10.0),
    "lone_role": (0.0, 10.0),
    "place": (0.0, 10.0),
    "hedge": (0.0, 10.0),
    "question": (0.0, 10.0),
    "free_additions": (0.0, 100.0),
    "free_share": (0.0, 1.0),
    "free_omissions": (0.0, 100.0),
}


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Settings of the judges.

    Attributes:
        strict_power: Power of closeness for checks that matter even in a free paraphrase: numbers, dates, negation.
        power: Power of closeness for all other checks but roles.
        role_power: Power of the closeness of content words for the check of roles: passives add words that say nothing.
        unrelated: Cosine of word vectors below which two words are treated as unrelated.
        trusted: Number of occurrences at which a word's vector gets half its full weight.
        related: Strength of a link where WordNet has one word as a kind of the other, or two adjectives as similar.
        contained: Strength of a link where one word starts or ends with the other and the tables lack one of them.
        enough: Cap on the information of a word: the tables know little about rare words.
        information_power: Power of the information of a word that is its weight.
        name_weight: Factor on the weight of a name: two sentences on one subject share its names, whatever they say.
        decay: Factor on the weight of an n-gram of shared wording for each additional word.
        synonym: Least strength of a link where two words share a synset of WordNet; shared translations raise it.
        derived: Least strength of a link where WordNet derives one word from the other: "decide" and "decision".
        phrase: Strength of a link where a phrase shares a synset with a word or a phrase: "put off" and "postpone".
        noun_steps: Most steps from a noun to a more general one that is still linked to it.
        verb_steps: The same for verbs.
        least: Strength below which there is no link.
        sure: Number of occurrences at which it is half certain that a word which shares nothing means something else.
        in_place: What a number in the place of another counts, or a negation of what the other sentence affirms.
        lone_role: What a noun in another role of its verb counts, where no second noun took its place.
        place: What another preposition of place counts, among quantities: "under" for "on".
        hedge: What a "perhaps" counts that only one sentence has, among quantities.
        question: What a statement that became a question counts, or the reverse, among quantities.
        free_additions: Content words more than the original has that count for nothing.
        free_share: The same as a share of the content words of a short original.
        free_omissions: Content words fewer than the original has that count for nothing.
    """

    strict_power: float = 4.0
    power: float = 48.0
    role_power: float = 16.0
    unrelated: float = 0.45
    trusted: float = 10.0
    related: float = 0.6
    contained: float = 0.8
    enough: float = 0.5
    information_power: float = 0.5
    name_weight: float = 0.7
    decay: float = 0.35
    synonym: float = 0.6
    derived: float = 0.85
    phrase: float = 0.8
    noun_steps: float = 3.0
    verb_steps: float = 1.0
    least: float = 0.2
    sure: float = 50.0
    in_place: float = 2.0
    lone_role: float = 1.0
    place: float = 1.0
    hedge: float = 1.0
    question: float = 1.0
    free_additions: float = 2.0
    free_share: float = 1 / 3
    free_omissions: float = 1.0

    def __post_init__(self) -> None:
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if not isinstance(value, float) or not low <= value <= high:
                raise OptionError(f"the setting {name!r} of the judges must be from {low:g} to {high:g}; got {value!r}")

    def to_dict(self) -> dict[str, float]:
        """Return the settings by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> JudgeSettings:
        """Return the settings that `to_dict` gave."""
        return cls(**{field.name: float(settings[field.name]) for field in fields(cls)})
