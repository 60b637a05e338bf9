"""The options of the word aligner, their defaults and why."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from paragauge.align.symmetrize import SYMMETRIZATIONS
from paragauge.errors import OptionError, unknown_name

AGREEMENT = "agreement"
METHODS = (AGREEMENT, *SYMMETRIZATIONS)

# Product of both posteriors. 0.5 is the usual choice; 0.25 (half in each direction) had the lower error on
# almost every development set, see docs/align.md.
DEFAULT_THRESHOLD = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignerOptions:
    """How a word aligner is trained.

    The defaults were chosen on development gold: docs/align.md has the figures.

    Attributes:
        agreement: Train both directions jointly by agreement (Liang, Taskar and Klein, 2006), or apart.
        model1_iterations: EM iterations of IBM Model 1.
        hmm_iterations: EM iterations of the HMM that follow.
        prefix_length: Train on words cut to this length first, and let prefixes lend counts to rare words;
            0 does not.
        prefix_strength: How many counts a prefix pair lends to its words, at most.
        identical: Counts added to pairs of words that are written alike (names, numbers, cognates).
        leave_one_out: Judge each link by the counts of the other sentences.
        alpha: Added to every count of a translation table.
        null_probability: Of a word without partner; None is 0.1 by agreement and 0.4 for directions trained
            apart, which have nothing else to keep them from linking every word.
        null_alpha: Added to the counts of the null word.
        jump_smoothing: Counts added to each bucket of jump widths.
        tension: Of a diagonal prior exp(-tension |i/I - j/J|) in Model 1; 0 is uniform.
        lowercase: Compare words in lower case.
        monolingual: Both sides are the same language: a dictionary of identity pairs is appended to the text.
        stems: Porter stems in place of prefixes, and a prior for words that share one (English).
        max_length: Longer sentences are aligned in windows of at most this many tokens.
    """

    agreement: bool = True
    model1_iterations: int = 3
    hmm_iterations: int = 5
    prefix_length: int = 4
    prefix_strength: float = 1.0
    identical: float = 1.0
    leave_one_out: bool = True
    alpha: float = 0.001
    null_probability: float | None = None
    null_alpha: float = 0.1
    jump_smoothing: float = 1.0
    tension: float = 0.0
    lowercase: bool = True
    monolingual: bool = False
    stems: bool = False
    max_length: int = 200

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.type == "float | None":
                continue
            if isinstance(value, bool) != (field.type == "bool") or not isinstance(value, (int, float)):
                raise OptionError(f"{field.name} must be of type {field.type}, got {value!r}")
            if field.type == "int" and not isinstance(value, int):
                raise OptionError(f"{field.name} must be an integer, got {value!r}")
            if not (math.isfinite(value) and 0 <= value <= 1_000_000):
                raise OptionError(f"{field.name} must be 0 or more, got {value!r}")
        if self.null >= 1:
            raise OptionError(f"null_probability must lie below 1, got {self.null_probability!r}")
        if self.model1_iterations + self.hmm_iterations < 1:
            raise OptionError("no iterations of training; expected at least one of Model 1 or of the HMM")
        if not 1 <= self.max_length <= 2000:
            raise OptionError(f"max_length must lie between 1 and 2000, got {self.max_length!r}")
        for name in ("identical", "prefix_strength"):
            if getattr(self, name) > 1000:
                raise OptionError(f"{name} must lie between 0 and 1000, got {getattr(self, name)!r}")

    @property
    def null(self) -> float:
        """The probability of the null word, whether given or chosen."""
        if self.null_probability is not None:
            return self.null_probability
        return 0.1 if self.agreement else 0.4

    @property
    def has_classes(self) -> bool:
        """Whether a model of word classes is trained first."""
        return self.stems or self.prefix_length > 0


def check_method(method: str) -> str:
    """Return *method* if it is one of `METHODS`."""
    if method not in METHODS:
        raise unknown_name("alignment method", method, METHODS)
    return method


def check_threshold(threshold: float) -> float:
    """Return *threshold* if it lies between 0 and 1."""
    if not 0 < threshold <= 1:
        raise OptionError(f"threshold must lie above 0 and not above 1, got {threshold!r}")
    return threshold
