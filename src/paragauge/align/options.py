"""Options of the word aligner, their defaults and the reasons for these."""

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
    """Options for training a word aligner.

    The defaults were chosen on gold development sets; see docs/align.md for the figures.

    Attributes:
        agreement: Train both directions jointly by agreement (Liang, Taskar and Klein, 2006) instead of separately.
        model1_iterations: EM iterations of IBM Model 1.
        hmm_iterations: EM iterations of the HMM, after Model 1.
        prefix_length: First train on words truncated to this length, and let prefixes lend counts to rare words;
            0 turns this off.
        prefix_strength: Maximum count that a prefix pair lends to its words.
        identical: Count added to pairs of words with the same spelling (names, numbers, cognates).
        leave_one_out: Score each link with the counts of the other sentences.
        alpha: Value added to every count of a translation table.
        null_probability: Probability that a word has no counterpart; None means 0.1 with agreement and 0.4 for
            directions trained separately, which have nothing else to keep them from linking every word.
        null_alpha: Value added to the counts of the null word.
        jump_smoothing: Count added to each bucket of jump widths.
        tension: Strength of a diagonal prior exp(-tension |i/I - j/J|) in Model 1; 0 means a uniform prior.
        lowercase: Compare words in lower case.
        monolingual: Both sides are in the same language; a dictionary of identity pairs is appended to the text.
        stems: Use Porter stems instead of prefixes, and a prior for words with the same stem (English).
        max_length: Maximum sentence length in tokens; longer sentences are aligned in windows of at most this length.
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
            raise OptionError(f"null_probability must be below 1, got {self.null_probability!r}")
        if self.model1_iterations + self.hmm_iterations < 1:
            raise OptionError("there are no training iterations; expected at least one of Model 1 or the HMM")
        if not 1 <= self.max_length <= 2000:
            raise OptionError(f"max_length must be between 1 and 2000, got {self.max_length!r}")
        for name in ("identical", "prefix_strength"):
            if getattr(self, name) > 1000:
                raise OptionError(f"{name} must be between 0 and 1000, got {getattr(self, name)!r}")

    @property
    def null(self) -> float:
        """The probability of the null word, given or default."""
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
    """Return *threshold* if it is between 0 and 1."""
    if not 0 < threshold <= 1:
        raise OptionError(f"threshold must be above 0 and at most 1, got {threshold!r}")
    return threshold
