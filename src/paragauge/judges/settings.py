"""The few numbers of the judges that are chosen, not learned.

They were chosen by leaving data sets out (`benchmarks/judges.py`; docs/reproduction.md shows by how much), and each
model carries its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from paragauge.errors import OptionError

# Field: least and greatest value that make sense.
_LIMITS = {
    "strict_power": (0.0, 256.0),
    "power": (0.0, 256.0),
    "unrelated": (0.0, 0.99),
    "trusted": (0.0, 1e6),
    "related": (0.0, 1.0),
    "contained": (0.0, 1.0),
    "enough": (0.01, 1.0),
    "decay": (0.01, 1.0),
}


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Chosen numbers.

    Attributes:
        strict_power: Of closeness, for checks that say something even in a free paraphrase: numbers, dates, negation.
        power: Of closeness, for all other checks.
        unrelated: Cosines of word vectors up to here are no evidence that two words mean the same.
        trusted: Occurrences at which a word's vector is believed by half.
        related: Evidence from WordNet that one word is a kind of the other, or that two adjectives are similar.
        contained: Evidence from one word beginning or ending with the other, if the tables lack one of them.
        enough: Information from which on words weigh alike: tables know little of rare words.
        decay: What one more word in an n-gram of shared wording multiplies its weight by.
    """

    strict_power: float = 4.0
    power: float = 32.0
    unrelated: float = 0.45
    trusted: float = 10.0
    related: float = 0.6
    contained: float = 0.8
    enough: float = 0.5
    decay: float = 0.35

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
