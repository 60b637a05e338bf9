"""English words of closed classes that change what a sentence says: numbers, dates, negations, quantifiers, modals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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


_SCALES = frozenset((1e3, 1e6, 1e9, 1e12))

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
    "exclude reject ignore neglect miss doubt unaware exempt forget"
)

# Of these, the ones that deny the clause they govern and little else.
DENYING_THEIR_CLAUSE = word_set("fail refuse deny decline unable impossible unlikely doubt neglect lack forget")

# Opposites that WordNet does not list: it pairs single words, "permit" and "forbid", and few verbs.
_OPPOSED = (
    ("permit allow let authorize authorise legalize legalise enable",
     "prohibit forbid ban outlaw bar disallow criminalize criminalise prevent"),
    ("accept approve adopt pass ratify", "reject refuse block veto dismiss"),
    ("rise climb grow increase soar surge", "fall drop sink shrink decline decrease plunge plummet"),
    ("raise lift boost", "cut lower reduce slash"),
    ("like love enjoy adore", "hate dislike detest loathe despise"),
    ("praise commend applaud welcome", "criticize criticise condemn blame"),
    ("support favor favour endorse", "oppose resist"),
    ("hire employ recruit", "fire dismiss sack"),
    ("arrest detain jail imprison convict", "release free acquit"),
    ("arrive", "leave depart"),
    ("enter", "leave exit"),
    ("admit confirm acknowledge", "deny"),
    ("remember recall", "forget"),
    ("include contain", "exclude omit"),
    ("build construct", "destroy demolish"),
    ("expand extend", "shrink contract"),
    ("encourage", "discourage deter"),
    ("survive", "die perish"),
    ("buy purchase acquire", "sell"),
    ("lend", "borrow"),
    ("give send", "receive"),
    ("teach", "learn"),
    ("precede", "follow"),
    ("a.m. a.m am", "p.m. p.m pm"),
)  # fmt: skip

_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "a")
_NEGATIVE_SUFFIX = "less"
_NO_FORMS: frozenset[str] = frozenset()
WEAK_ADVERBS = word_set("rarely seldom")
WEAK_AMOUNTS = word_set("few little")

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
    "time": {"before": "before until", "after": "after since", "during": "during"},
    "stance": {"for": "for", "against": "against"},
    "exception": {"without": "except excluding", "with": "including include"},
    "degree": {"excess": "too", "measure": "enough"},
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
_UNITS_AFTER = re.compile(r"^(\d[\d,.]*|[a-z]+)-(?:[a-z].*)$")  # 150-year, 75-year-old, two-hour
_FRACTION = re.compile(r"^(\d+)/([1-9]\d*)$")
_CLOCK = re.compile(r"^(\d{1,2}):(\d\d)$")
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9}
_SCALED = re.compile(r"^[$£€]?(\d[\d,.]*)(k|m|mn|bn|b)$")
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10, "half": 2}


def number_value(word: str) -> float | None:
    """Return the value of a number in digits or in one word, None for other words.

    >>> number_value("1,200"), number_value("twelve"), number_value("3rd"), number_value("house")
    (1200.0, 12.0, 3.0, None)
    >>> number_value("twenty-one"), number_value("150-year"), number_value("1/4"), number_value("one-third")
    (21.0, 150.0, 0.25, 0.3333333333333333)
    >>> number_value("2.5m"), number_value("12:30")
    (2500000.0, 12.5)
    """
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if "-" in word and word[0] != "-":
        return _hyphenated(word)
    if not any(map(str.isdigit, word)):
        return None
    if (match := _FRACTION.match(word)) is not None:
        return int(match[1]) / int(match[2])
    if (match := _CLOCK.match(word)) is not None:
        return int(match[1]) + int(match[2]) / 60
    if (match := _SCALED.match(word)) is not None:
        value = _plain(match[1])
        return None if value is None else value * _SHORT_SCALES[match[2]]
    return _plain(_SIGNS.sub("", word))


def _plain(digits: str) -> float | None:
    plain = digits.replace(",", "")
    if _DIGITS.search(plain) or plain.count(".") > 1 or plain in (".", ""):
        return None
    return float(plain)


def _hyphenated(word: str) -> float | None:
    first, _, second = word.partition("-")
    if first in _TENS and second in NUMBER_WORDS and NUMBER_WORDS[second] < 10:  # twenty-one, twenty-first
        return NUMBER_WORDS[first] + NUMBER_WORDS[second]
    if second.removesuffix("s") in _PARTS and first in NUMBER_WORDS:  # two-thirds
        return NUMBER_WORDS[first] / _PARTS[second.removesuffix("s")]
    match = _UNITS_AFTER.match(word)
    if match is None:
        return None
    return NUMBER_WORDS.get(match[1]) if match[1].isalpha() else _plain(_SIGNS.sub("", match[1]))


def joined_value(values: Sequence[float]) -> float:
    """Return the value of numbers in a row: two hundred, 1.5 million, three hundred and five.

    >>> joined_value([2, 100]), joined_value([1.5, 1e6]), joined_value([3, 100, 5]), joined_value([2, 100, 1000])
    (200.0, 1500000.0, 305.0, 200000.0)
    """
    total = part = 0.0
    for value in values:
        if value >= 1000 and value in _SCALES:
            total += (part or 1.0) * value
            part = 0.0
        elif value == 100:
            part = (part or 1.0) * value
        else:
            part += value
    return total + part


def _opposed_words() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in _OPPOSED:
        for side, facing in ((one.split(), other.split()), (other.split(), one.split())):
            for word in side:
                found.setdefault(word, set()).update(facing)
    return {word: frozenset(words) for word, words in found.items()}


# The opposites of a lemma that WordNet does not list.
OPPOSED: Mapping[str, frozenset[str]] = _opposed_words()


def negated_forms(word: str) -> frozenset[str]:
    """Return the words that *word* denies by a prefix or suffix: ``unhappy`` denies ``happy``, ``harmless`` ``harm``.

    Whether these are words, the caller has to know.

    >>> sorted(negated_forms("unhappy")), sorted(negated_forms("harmless"))
    (['happy'], ['harm', 'harmful'])
    """
    if not word.startswith(_NEGATIVE_PREFIXES) and not word.endswith(_NEGATIVE_SUFFIX):
        return _NO_FORMS
    found = {word[len(prefix) :] for prefix in _NEGATIVE_PREFIXES if word.startswith(prefix)}
    if word.endswith(_NEGATIVE_SUFFIX):
        stem = word.removesuffix(_NEGATIVE_SUFFIX)
        found |= {stem, stem + "ful"}
    return frozenset(form for form in found if len(form) > 2)
