"""English words of closed classes that change what a sentence says: numbers, dates, negations, quantifiers, modals."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paragauge.judges.marked import word_set

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth",
)  # fmt: skip

NUMBER_WORDS: Mapping[str, float] = {
    **{word: float(value) for value, word in enumerate(_UNITS)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, start=2)},
    **{word: float(value) for value, word in enumerate(_ORDINALS, start=1)},
    **{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    **{"dozen": 12.0, "twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5, "quarter": 0.25},
}


DATE_WORDS = word_set(
    "january february march april june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday "
    "yesterday today tomorrow"
)

NEGATIONS = word_set(
    "not n't no never none nobody nothing nowhere neither nor without cannot hardly scarcely barely "
    "aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt shouldnt wasnt werent wont wouldnt"
)

# Words that say "not" among other things: "was unable to" is "could not", "failed to" is "did not".
NEGATIVE_WORDS = word_set(
    "fail refuse deny lack decline unable impossible unlikely forbid prohibit ban bar prevent avoid stop cease absent "
    "exclude reject ignore neglect miss doubt unaware exempt"
)

# Of these, the ones that deny the clause they govern and little else.
DENYING_THEIR_CLAUSE = word_set("fail refuse deny decline unable impossible unlikely doubt neglect lack")

_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "a")
_NEGATIVE_SUFFIX = "less"

# Within a group words say much the same; words of two groups of one family do not; words of two families have nothing
# to do with each other.
_FAMILIES = {
    "quantity": {
        "universal": "all every each both everyone everybody everything everywhere always entire whole",
        "existential": "some several someone somebody something somewhere sometimes occasionally",
        "large": "many much most often usually frequently numerous lots plenty mostly",
        "small": "few little rarely seldom",
        "more": "more",
        "less": "less fewer",
        "exclusive": "only solely merely",
    },
    "modality": {
        "necessary": "must should need ought",
        "possible": "may might can could possibly perhaps maybe",
        "certain": "will shall",
    },
    "time": {"before": "before until", "after": "after since"},
    "height": {"above": "above over", "below": "below under beneath"},
    "inside": {"in": "in inside into within", "out": "out outside"},
    "direction": {"up": "up upward", "down": "down downward"},
    "side": {"left": "left", "right": "right"},
}
QUANTIFIER_GROUPS: Mapping[str, tuple[str, str]] = {
    word: (family, group)
    for family, groups in _FAMILIES.items()
    for group, words in groups.items()
    for word in words.split()
}

_DIGITS = re.compile(r"[^0-9.]")
_SIGNS = re.compile(r"(?<=\d)(?:st|nd|rd|th|s|%)$|^[#$£€]")


def number_value(word: str) -> float | None:
    """Return the value of a number in digits or in one word, None for other words.

    >>> number_value("1,200"), number_value("twelve"), number_value("3rd"), number_value("house")
    (1200.0, 12.0, 3.0, None)
    """
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not any(character.isdigit() for character in word):
        return None
    plain = _SIGNS.sub("", word).replace(",", "")
    if _DIGITS.search(plain) or plain.count(".") > 1 or plain == ".":
        return None
    return float(plain)


def negated_forms(word: str) -> frozenset[str]:
    """Return the words that *word* denies by a prefix or suffix: ``unhappy`` denies ``happy``, ``harmless`` ``harm``.

    Whether these are words, the caller has to know.

    >>> sorted(negated_forms("unhappy")), sorted(negated_forms("harmless"))
    (['happy'], ['harm', 'harmful'])
    """
    found = {word[len(prefix) :] for prefix in _NEGATIVE_PREFIXES if word.startswith(prefix)}
    if word.endswith(_NEGATIVE_SUFFIX):
        stem = word.removesuffix(_NEGATIVE_SUFFIX)
        found |= {stem, stem + "ful"}
    return frozenset(form for form in found if len(form) > 2)
