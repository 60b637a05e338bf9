"""Damages that a judge of paraphrases must see, made from ordinary sentences.

A judge that has only met good sentences cannot tell the bad ones. Each kind of damage here takes a sentence and spoils
one thing about it: what it says, how well it says it, both, or nothing that matters. Hence the damaged sentence comes
with its verdict, and any amount of material to train and to test judges can be made without annotators.

A `Damager` takes exchanged words, names and clauses from a pool of sentences, as often as they occur there: a rare word
would give the damage away. What it makes of a sentence depends on the seed, the kind, the sentence and the pool alone.
What is not damaged stays byte for byte.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from types import MappingProxyType
from typing import Literal, TypeAlias

from paragauge.analysis.lexicon import Lexicon
from paragauge.analysis.providers import provider
from paragauge.errors import unknown_name
from paragauge.judges.inflection import broken_forms
from paragauge.judges.marked import NAME_TAGS, NATIONS, ROOT, Edit, MarkedText, listed, mark, with_case, word_set
from paragauge.judges.negation import negated
from paragauge.judges.quantifiers import quantifier_changes

Spoils: TypeAlias = Literal["meaning", "fluency", "both", "nothing"]

_MOST_KNOWN = 1 << 15  # analysed sentences that are kept, since one sentence is often damaged in many ways
_TRIES = 50


@dataclass(frozen=True, slots=True)
class Damage:
    """A kind of damage."""

    name: str
    summary: str
    spoils: Spoils


DAMAGES: Mapping[str, Damage] = MappingProxyType(
    {
        damage.name: damage
        for damage in (
            Damage("shuffled", "All words stand in random order.", "both"),
            Damage(
                "function-words-dropped",
                "Articles, prepositions, auxiliaries and other small words are left out.",
                "fluency",
            ),
            Damage("negated", "A negation is put in or taken out.", "meaning"),
            Damage("numbers-changed", "Each number is replaced by another of the same form.", "meaning"),
            Damage("roles-swapped", "Two noun phrases, such as subject and object, change places.", "meaning"),
            Damage("names-exchanged", "A proper name is replaced by another.", "meaning"),
            Damage("one-word-exchanged", "A content word is replaced by an unrelated one.", "meaning"),
            Damage("three-words-exchanged", "Three content words are replaced by unrelated ones.", "both"),
            Damage(
                "quantifier-changed",
                "A quantifier, adverb of frequency or modal verb is replaced by another.",
                "meaning",
            ),
            Damage("half-dropped", "The second half of the words is left out.", "both"),
            Damage("clause-added", "A short sentence about something else is added as a clause.", "meaning"),
            Damage("words-repeated", "Two words are doubled.", "fluency"),
            Damage("neighbours-swapped", "Two pairs of neighbouring words are exchanged.", "fluency"),
            Damage("inflection-broken", "One to three verbs or nouns are put into a wrong form.", "fluency"),
            Damage("punctuation-dropped", "All punctuation is left out.", "nothing"),
            Damage("lower-cased", "All letters are in lower case.", "nothing"),
        )
    }
)


class Damager:
    """Damages sentences, with *sentences* as the pool to take words, names and clauses from.

    >>> damager = Damager(["Tom is a doctor."])
    >>> damager.damage("negated", ["She lives here.", "Hello!"])
    ['She does not live here.', None]
    """

    def __init__(self, sentences: Sequence[str], *, seed: int = 1, threads: int | None = None) -> None:
        self._seed = seed
        self._threads = threads
        self._provider = provider("builtin")
        self._known: dict[str, MarkedText] = {}
        self._pool = _Pool.collect(self._marked(sentences))

    def damage(self, kind: str, sentences: Sequence[str]) -> list[str | None]:
        """Return each sentence with a damage of this *kind*, or ``None`` where it has nothing to damage.

        Raises:
            OptionError: There is no such kind.
        """
        if kind not in DAMAGES:
            raise unknown_name("kind of damage", kind, DAMAGES)
        return [self._damaged(kind, marked) for marked in self._marked(sentences)]

    def _marked(self, sentences: Sequence[str]) -> list[MarkedText]:
        new = list(dict.fromkeys(sentence for sentence in sentences if sentence not in self._known))
        if len(self._known) + len(new) > _MOST_KNOWN:
            self._known.clear()
            new = list(dict.fromkeys(sentences))
        found = dict(zip(new, mark(new, self._provider, self._threads), strict=True))
        if len(found) <= _MOST_KNOWN:
            self._known.update(found)
        return [found[sentence] if sentence in found else self._known[sentence] for sentence in sentences]

    def _damaged(self, kind: str, marked: MarkedText) -> str | None:
        if not marked.words:
            return None
        key = f"{self._seed}\0{kind}\0{marked.text}".encode("utf-8", "surrogatepass")
        random = Random(blake2b(key, digest_size=16).digest())  # noqa: S311 - no secret
        result = _MAKERS[kind](marked, random, self._pool)
        # Spaces alone are no damage.
        return None if result is None or not result.strip() or result.split() == marked.text.split() else result


# Words and names of the pool


_BARE_VERBS = frozenset({"be", "have", "do", "let", "get", "need", "use"})
_CONTENT_TAGS = word_set("NN NNS VB VBD VBG VBN VBP VBZ JJ JJR JJS RB RBR RBS")
# Adverbs with a place of their own in grammar: hardly any other word can stand there.
_FUNCTION_ADVERBS = word_set(
    "not n't so too very as also just only then there here now even ever never still yet already quite rather about "
    "almost else enough how why when where more most less least much well far long later ago away back up out"
)
# Nouns and adjectives that stand for other words, or measure something.
_FUNCTION_NOUNS = word_set(
    "everyone everybody everything someone somebody something anyone anybody anything nobody nothing none today "
    "tomorrow yesterday tonight lot own one percent cent cents"
)
_FUNCTION_ADJECTIVES = word_set("last same other own such next many much few first second more most less least")
_NOT_EXCHANGED: Mapping[str, frozenset[str]] = {
    "N": _FUNCTION_NOUNS,
    "J": _FUNCTION_ADJECTIVES,
    "R": _FUNCTION_ADVERBS,
    "V": frozenset(),
}
_MODIFIERS = frozenset({"det", "nmod:poss", "nummod"})

WordKey: TypeAlias = tuple[str, str]
NameKey: TypeAlias = tuple[int, str]


@dataclass(frozen=True)
class _Pool:
    """What the pool has to offer, each word and name as often as it occurs."""

    words: Mapping[WordKey, Sequence[tuple[str, str]]]
    """Words and their lemmas by tag and surroundings."""
    names: Mapping[NameKey, Sequence[str]]
    """Names by number of words and class."""
    kind_of_name: Mapping[str, str]
    """The class of each name."""
    clauses: Sequence[str]

    @classmethod
    def collect(cls, texts: Iterable[MarkedText]) -> _Pool:
        lexicon = Lexicon.load()
        words: dict[WordKey, list[tuple[str, str]]] = defaultdict(list)
        found_names: list[tuple[str, int, str, bool]] = []
        clauses = []
        common = set[str]()
        for marked in texts:
            common.update(token for token in marked.tokens if token.islower())
            for position in _exchangeable(marked):
                if marked.tokens[position].islower() and marked.lemmas[position] in lexicon:
                    words[_word_key(marked, position)].append((marked.lowered[position], marked.lemmas[position]))
            for begin, end in _names(marked):
                name = marked.surface(begin, end)
                place = begin > 0 and marked.lowered[begin - 1] in _BEFORE_PLACES
                found_names.append((name, end - begin, _name_class(marked, begin, end), place))
            clause = _as_clause(marked)
            if clause is not None:
                clauses.append(clause)
        # "Department" by itself is part of a name or the tagger's mistake.
        names = _by_class(found for found in found_names if found[0].lower() not in common)
        kind_of_name = {name: kind for (_, kind), members in names.items() for name in members}
        return cls(words, names, kind_of_name, clauses)

    def word(self, key: WordKey, lemma: str, present: frozenset[str], random: Random) -> str | None:
        """Return a word for this place that is unrelated to *lemma* and not *present* yet."""
        lexicon = Lexicon.load()
        same_tag = sorted(other for other in self.words if other[0] == key[0] and other != key)
        for known in (key, *same_tag):
            choices = self.words.get(known, ())
            for _ in range(_TRIES if choices else 0):
                word, other = random.choice(choices)
                if word not in present and other not in present and not lexicon.share_synonym(lemma, other):
                    return word
        return None


def _exchangeable(marked: MarkedText) -> list[int]:
    return [
        position
        for position, tag in enumerate(marked.tags)
        if tag in _CONTENT_TAGS
        and marked.tokens[position].isalpha()
        and len(marked.tokens[position]) > 1
        and marked.alone(position)
        and marked.lemmas[position] not in _BARE_VERBS
        and not marked.relations[position].startswith(("aux", "cop", "fixed"))
        and marked.lowered[position] not in _NOT_EXCHANGED[tag[0]]
        and (position in marked.initial or marked.tokens[position].islower())
        and not (marked.lowered[position] == "going" and marked.lowered[position + 1 : position + 2] == ("to",))
    ]


def _word_key(marked: MarkedText, position: int) -> WordKey:
    """Return what a word must have in common with another to stand in its place: the tag and what is about it."""
    tag = marked.tags[position]
    relations = {marked.relations[child] for child in marked.children[position]}
    if tag.startswith("V"):
        return tag, "clause" if relations & {"ccomp", "xcomp"} else "object" if "obj" in relations else ""
    if tag.startswith("N"):
        inside = marked.relations[position] == "compound"
        return tag, "compound" if inside else "article" if relations & _MODIFIERS else ""
    if tag.startswith("J"):
        return tag, "attribute" if marked.relations[position] == "amod" else ""
    return tag, "ly" if marked.lowered[position].endswith("ly") else ""


_TITLES = word_set("mr. mrs. ms. dr. prof. sir mr mrs ms dr miss st. sen. rep. gov. gen.")
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = word_set("january february march april may june july august september october november december")
_BEFORE_PLACES = frozenset({"in", "from", "near", "into"})
_LEAST_PLACES = 0.25  # the share of places among the occurrences of a place; the others are "to Boston" and the like


def _names(marked: MarkedText) -> list[tuple[int, int]]:
    """Return where proper names begin and end, titles left out."""
    found: list[tuple[int, int]] = []
    begin: int | None = None
    for position in range(len(marked) + 1):
        inside = position < len(marked) and _is_name(marked, position)
        if begin is not None and (not inside or marked.glued(position)):
            found.append((begin, position))
            begin = None
        if inside and begin is None and marked.alone(position):
            begin = position
    return found


def _is_name(marked: MarkedText, position: int) -> bool:
    token = marked.tokens[position]
    return (
        marked.tags[position] in NAME_TAGS
        and token[0].isupper()
        and (token[-1].isalpha() or len(token) == 2)  # George W. Bush
        and token.lower() not in _TITLES
        # The tagger takes many a word for a name that only stands at the beginning.
        and (position not in marked.initial or not _is_common(token))
    )


def _is_common(token: str) -> bool:
    return bool(Lexicon.load().morphy(token, "v") or Lexicon.load().morphy(token, "r"))


def _name_class(marked: MarkedText, begin: int, end: int) -> str:
    last = marked.lowered[end - 1]
    if last in _DAYS:
        return "day"
    if last in _MONTHS:
        return "month"
    if last in NATIONS:
        return "nation"
    if begin > 0 and marked.lowered[begin - 1] == "the":
        return "article"  # the Bible, the United States
    if end - begin == 1 and marked.tokens[begin].isupper():
        return "initials"
    return "plural" if marked.tags[end - 1] == "NNPS" else "name"


def _by_class(found: Iterable[tuple[str, int, str, bool]]) -> Mapping[NameKey, Sequence[str]]:
    """Return names by number of words and class; those that often follow *in* or *from* are places."""
    occurrences = list(found)
    after_place: dict[str, list[bool]] = defaultdict(list)
    for name, _, _, place in occurrences:
        after_place[name].append(place)
    by_class: dict[NameKey, list[str]] = defaultdict(list)
    for name, length, kind, _ in occurrences:
        seen = after_place[name]
        by_class[length, "place" if kind == "name" and sum(seen) >= _LEAST_PLACES * len(seen) else kind].append(name)
    return by_class


_CLAUSE_STARTS = frozenset({"PRP", "PRP$", "DT", "NNP", "EX", "NNS"})


def _as_clause(marked: MarkedText) -> str | None:
    """Return a short statement as it would stand after *and*, or ``None`` if it is none."""
    if not 4 <= len(marked.words) <= 9 or marked.sentence_of[-1] != 0 or marked.words[0][0] != 0:
        return None
    begin, end = 0, marked.words[-1][1]
    statement = (
        marked.text[marked.tail :].strip() == "."
        and marked.tags[0] in _CLAUSE_STARTS
        and any(tag in ("VBD", "VBZ", "VBP", "MD") for tag in marked.tags)
        and marked.relations[0] in ("nsubj", "nsubj:pass", "expl", "det", "nmod:poss", "compound", "flat")
        and all(marked.wordlike[begin:end])
    )
    return marked.inside(begin, end) if statement else None


# The kinds


def _shuffled(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    words = [marked.surface(*word).lower() for word in marked.words]
    if len(set(words)) < 2:
        return None
    order = list(range(len(words)))
    while [words[number] for number in order] == words:
        random.shuffle(order)
    return _rearranged(marked, order)


def _rearranged(marked: MarkedText, order: Sequence[int]) -> str:
    """Return the text with word ``order[i]`` in place of word i; capitals and punctuation stay where they are."""
    return marked.apply(
        (marked.starts[begin], marked.ends[end - 1], marked.moved(*marked.words[number], begin))
        for (begin, end), number in zip(marked.words, order, strict=True)
        if marked.words[number] != (begin, end)
    )


_FUNCTION_TAGS = word_set("DT PDT IN TO CC MD PRP PRP$ EX WDT")
# Small words that a telegram would not save: the meaning hangs on them.
_KEPT = word_set("no neither nor without unless except all every each some any both either another against not n't")


def _function_words_dropped(marked: MarkedText, _: Random, __: _Pool) -> str | None:
    dropped = {
        position
        for position, tag in enumerate(marked.tags)
        if (tag in _FUNCTION_TAGS or marked.relations[position] in ("aux", "aux:pass", "cop"))
        and marked.wordlike[position]
        and marked.lowered[position] not in _KEPT
        and marked.relations[position] != "compound:prt"
    }
    words = [position for position in range(len(marked)) if marked.wordlike[position]]
    kept = [position for position in words if position not in dropped]
    if len(kept) < 2 or not any(position > kept[0] for position in dropped):
        return None  # what is left would be a fluent sentence, or none at all
    changed = {
        position: "not"
        for position in kept
        if marked.lowered[position] == "n't" and position - 1 in dropped and marked.glued(position)
    }
    return marked.without(dropped, changed)


def _negated(marked: MarkedText, _: Random, __: _Pool) -> str | None:
    return negated(marked)


_NUMBER = re.compile(r"(?P<clock>\d{1,2}:[0-5]\d(?!\d))|\d+(?:[.,]\d+)*(?P<ordinal>st|nd|rd|th)?", re.ASCII)
_NUMBER_WORDS: tuple[tuple[str, ...], ...] = (
    listed("two three four five six seven eight nine ten eleven twelve"),
    listed("thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
    listed("twenty thirty forty fifty sixty seventy eighty ninety"),
    listed("hundred thousand"),
    listed("million billion"),
    listed("hundreds thousands"),
    listed("millions billions"),
    listed("third fourth fifth sixth seventh eighth ninth tenth"),
    listed("twice thrice"),
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_BEFORE_DAY = re.compile(_MONTH + r"\s+$")
_AFTER_DAY = re.compile(r"\s+(?:of\s+)?" + _MONTH)
_GROUP_OF = {word: group for group in _NUMBER_WORDS for word in group}
_NUMBER_WORD = re.compile(r"(?<![^\W_])(?:" + "|".join(_GROUP_OF) + r")(?![^\W_])", re.I)


def _numbers_changed(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    found = [*_NUMBER.finditer(marked.text), *_NUMBER_WORD.finditer(marked.text)]
    present = {match[0].lower() for match in found}
    become: dict[str, str] = {}
    edits: list[Edit] = []
    starts = {start: position for position, start in enumerate(marked.starts)}
    for match in sorted(found, key=re.Match.start):
        old = match[0]
        key = old.lower()
        if key not in become:
            become[key] = _other_number(match, present | set(become.values()), random)
        new = with_case(become[key], old) if not old.isupper() or old.isdigit() else become[key].upper()
        position = starts.get(match.start())
        # An article before the number follows it; the edit of the number itself may cover part of a token.
        article = marked.replaced(position, become[key])[1:] if position is not None else []
        edits += [(*match.span(), new), *article]
    return marked.apply(edits) if edits else None


def _other_number(match: re.Match[str], taken: set[str], random: Random) -> str:
    """Return another number of the same form, if possible one that is not *taken*."""
    old = match[0].lower()
    group = _GROUP_OF.get(old)
    if group is not None:
        choices = [word for word in group if word not in taken] or [word for word in group if word != old]
        return random.choice(choices)
    new = old
    for _ in range(_TRIES):
        new = _other_digits(match, random)
        if new not in taken:
            break
    return new


def _other_digits(match: re.Match[str], random: Random) -> str:
    old = match[0].lower()
    if match["clock"]:
        hour, minute = old.split(":")
        return f"{hour}:{random.choice([tens for tens in '012345' if tens != minute[0]])}{minute[1]}"
    suffix = match["ordinal"] or ""
    digits = list(old.removesuffix(suffix))
    places = [place for place, character in enumerate(digits) if character.isdigit()]
    changing = _changing_places(match, places, digits)
    for place in random.sample(changing, min(len(changing), random.choice((1, 2)))):
        lowest = 1 if place == 0 else 0
        digits[place] = str(random.choice([digit for digit in range(lowest, 10) if str(digit) != digits[place]]))
    new = "".join(digits)
    return new + _ordinal_ending(new) if suffix else new


def _changing_places(match: re.Match[str], places: list[int], digits: list[str]) -> list[int]:
    """Return which digits may change such that a year or a day of a month stays one."""
    text, number = match.string, "".join(digits)
    if len(places) == 4 and number.isdigit() and number[:2] in ("17", "18", "19", "20"):
        if text[match.end() : match.end() + 1] == "s":
            return places[2:3]  # the 1990s
        return places[3:] if number[0] == "2" else places[2:]
    day = _BEFORE_DAY.search(text, 0, match.start()) or _AFTER_DAY.match(text, match.end())
    return places[1:] if day and len(places) == 2 and number[0] in "12" else places


def _ordinal_ending(number: str) -> str:
    if number[-2:] in ("11", "12", "13"):
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")


_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_BEFORE_NOUN = word_set("det det:predet amod compound nummod nmod:poss flat poss")
_NOT_SWAPPED = word_set("compound flat fixed conj det vocative obl:unmarked nmod:unmarked")
_TIMES = _DAYS | _MONTHS | word_set("time day week month year morning afternoon evening night hour minute")
_PLURAL_TAGS = frozenset({"NNS", "NNPS"})


def _roles_swapped(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    phrases = {
        position: _phrase(marked, position)
        for position, tag in enumerate(marked.tags)
        if tag in _NOUN_TAGS
        and marked.tokens[position][-1].isalpha()
        and marked.lowered[position] not in _FUNCTION_NOUNS | _TIMES
        and _is_head(marked, position)
    }
    heads = sorted(phrases)
    pairs = [
        (one, other)
        for number, one in enumerate(heads)
        for other in heads[number + 1 :]
        if _exchange_matters(marked, phrases, one, other)
    ]
    if not pairs:
        return None
    best = min(_pair_rank(marked, one, other) for one, other in pairs)
    one, other = random.choice([pair for pair in pairs if _pair_rank(marked, *pair) == best])
    (begin, end), (other_begin, other_end) = phrases[one], phrases[other]
    return marked.apply(
        [
            (marked.starts[begin], marked.ends[end - 1], marked.moved(other_begin, other_end, begin)),
            (marked.starts[other_begin], marked.ends[other_end - 1], marked.moved(begin, end, other_begin)),
        ]
    )


def _is_head(marked: MarkedText, position: int) -> bool:
    """Return whether a noun has a phrase of its own that is free to move: no enumeration, question or negation."""
    bound = any(
        marked.relations[child] == "conj" or marked.lowered[child] == "no" or marked.tags[child].startswith("W")
        for child in _below(marked, position)
    )
    return marked.relations[position] not in _NOT_SWAPPED and not bound


def _below(marked: MarkedText, position: int) -> list[int]:
    """Return what depends on a word, and what depends on that."""
    own = marked.children[position]
    return [*own, *(below for child in own if child < position for below in marked.children[child])]


def _phrase(marked: MarkedText, head: int) -> tuple[int, int]:
    """Return where the noun phrase begins and ends, without what follows the noun but the rest of its name."""
    begin, end = head, head + 1
    while begin > 0 and marked.wordlike[begin - 1] and _within(marked, begin - 1, head, _BEFORE_NOUN):
        begin -= 1
    while end < len(marked) and marked.wordlike[end] and _within(marked, end, head, frozenset({"flat", "compound"})):
        end += 1
    return begin, end


def _within(marked: MarkedText, position: int, head: int, relations: frozenset[str]) -> bool:
    """Return whether the token hangs on *head* with one of the relations at the end of the chain."""
    while position != ROOT and marked.heads[position] != head:
        position = marked.heads[position]
    return position != ROOT and marked.relations[position] in relations


def _exchange_matters(marked: MarkedText, phrases: Mapping[int, tuple[int, int]], one: int, other: int) -> bool:
    (begin, end), (other_begin, other_end) = phrases[one], phrases[other]
    if end > other_begin or marked.sentence_of[one] != marked.sentence_of[other]:
        return False
    if marked.lemmas[one].lower() == marked.lemmas[other].lower():
        return False
    if marked.surface(begin, end).lower() == marked.surface(other_begin, other_end).lower():
        return False
    if {marked.relations[one], marked.relations[other]} == {"iobj", "obj"}:
        return False  # "gave a book Tom" is no English
    if not _same_number(marked, one, other) and (_governs_form(marked, one) or _governs_form(marked, other)):
        return False  # the verb would not agree any more, which spoils more than the meaning
    # "Tom, my brother" and "Tom is my brother" say the same the other way round.
    return not any(
        marked.heads[position] == head
        and (
            marked.relations[position] in ("appos", "parataxis", "list")
            or any(marked.relations[child] == "cop" for child in marked.children[head])
        )
        for position, head in ((one, other), (other, one))
    )


def _pair_rank(marked: MarkedText, one: int, other: int) -> int:
    """Return how good a pair is to exchange, the best lowest."""
    same_verb = marked.heads[one] == marked.heads[other] != ROOT
    roles = {marked.relations[one], marked.relations[other]}
    if same_verb and roles == {"nsubj", "obj"}:
        return 0
    alike = (marked.tags[one] in NAME_TAGS) == (marked.tags[other] in NAME_TAGS)
    return 1 + 2 * (not _same_number(marked, one, other)) + (not alike)


def _same_number(marked: MarkedText, one: int, other: int) -> bool:
    return (marked.tags[one] in _PLURAL_TAGS) == (marked.tags[other] in _PLURAL_TAGS)


def _governs_form(marked: MarkedText, noun: int) -> bool:
    """Return whether the noun is the subject of a verb whose form shows the subject's number."""
    verb = marked.heads[noun]
    if verb == ROOT or not marked.relations[noun].startswith("nsubj"):
        return False
    helpers = [child for child in marked.children[verb] if marked.relations[child].startswith(("aux", "cop"))]
    finite = min([*helpers, verb])
    return marked.tags[finite] in ("VBZ", "VBP") or marked.lemmas[finite] == "be"


def _names_exchanged(marked: MarkedText, random: Random, pool: _Pool) -> str | None:
    names = _names(marked)
    random.shuffle(names)
    for begin, end in names:
        name = marked.surface(begin, end)
        new = _other_name(marked, begin, end, random, pool)
        if new is None:
            continue
        edits = []
        for first, last in names:
            if marked.surface(first, last) == name:
                _, *article = marked.replaced(first, new)
                edits += [(marked.starts[first], marked.ends[last - 1], new), *article]
        return marked.apply(edits)
    return None


def _other_name(marked: MarkedText, begin: int, end: int, random: Random, pool: _Pool) -> str | None:
    length, kind = end - begin, _name_class(marked, begin, end)
    name = marked.surface(begin, end)
    kinds = [kind]
    if kind == "name":
        looks_like = "place" if begin > 0 and marked.lowered[begin - 1] in _BEFORE_PLACES else "name"
        kinds = ["place", "name"] if pool.kind_of_name.get(name, looks_like) == "place" else ["name", "place"]
    lengths = sorted({length for length, _ in pool.names}, key=lambda other: (abs(other - length), other))
    present = set(marked.lowered)
    for other_length in lengths:
        for other_kind in kinds:
            choices = pool.names.get((other_length, other_kind), ())
            for _ in range(_TRIES if choices else 0):
                new = random.choice(choices)
                if present.isdisjoint(new.lower().split()):
                    return new
    return None


def _words_exchanged(count: int) -> Maker:
    def exchanged(marked: MarkedText, random: Random, pool: _Pool) -> str | None:
        places = _exchangeable(marked)
        random.shuffle(places)
        places.sort(key=lambda place: marked.tags[place][0] == "R")  # least of the meaning hangs on adverbs
        present = frozenset(marked.lowered) | frozenset(marked.lemmas)
        edits: list[Edit] = []
        done = 0
        for position in places:
            if done == count:
                break
            new = pool.word(_word_key(marked, position), marked.lemmas[position], present, random)
            if new is not None:
                edits += marked.replaced(position, new)
                present |= {new}
                done += 1
        return marked.apply(edits) if done == count else None

    return exchanged


def _quantifier_changed(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    changes = quantifier_changes(marked)
    return random.choice(random.choice(changes)) if changes else None


def _half_dropped(marked: MarkedText, _: Random, __: _Pool) -> str | None:
    if len(marked.words) < 8:
        return None
    last = marked.words[(len(marked.words) + 1) // 2 - 1][1]
    kept = marked.text[: marked.ends[last - 1]]
    return kept + _closing(kept, marked.text[marked.tail :])


_CLOSING = {")": "(", "]": "[", "”": "“", "’": "‘", '"': '"', "'": " '"}


def _closing(kept: str, ending: str) -> str:
    """Return the final punctuation without quotes and brackets that close what is not open."""
    return "".join(
        mark
        for mark in ending
        if mark not in _CLOSING
        or (kept.count(mark) % 2 == 1 if mark == '"' else (" " + kept).count(_CLOSING[mark]) > 0)
    )


def _clause_added(marked: MarkedText, random: Random, pool: _Pool) -> str | None:
    ending = marked.text[marked.tail :]
    if "?" in ending or not pool.clauses:
        return None
    for _ in range(_TRIES):
        clause = random.choice(pool.clauses)
        if clause.lower() not in marked.text.lower():
            # A text with spaces about its punctuation is tokenised.
            comma = " , and " if ending[:1].isspace() and ending.strip() else ", and "
            return marked.text[: marked.tail] + comma + clause + ending
    return None


_DOUBLED_ANYWAY = word_set("very really so no yes ha bye that had had never many much long too again")


def _words_repeated(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    words = [word for word in marked.words if marked.surface(*word).lower() not in _DOUBLED_ANYWAY]
    if len(words) < 2:
        return None
    return marked.apply(
        (marked.ends[end - 1], marked.ends[end - 1], " " + marked.inside(begin, end))
        for begin, end in random.sample(words, 2)
    )


def _neighbours_swapped(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    words = marked.words
    pairs = [
        number
        for number in range(len(words) - 1)
        if words[number][1] == words[number + 1][0]
        and marked.surface(*words[number]).lower() != marked.surface(*words[number + 1]).lower()
    ]
    choices = [(one, other) for one in pairs for other in pairs if other - one > 1]
    if not choices:
        return None
    order = list(range(len(words)))
    for number in random.choice(choices):
        order[number], order[number + 1] = number + 1, number
    return _rearranged(marked, order)


def _inflection_broken(marked: MarkedText, random: Random, _: _Pool) -> str | None:
    forms = broken_forms(marked)
    if not forms:
        return None
    places = random.sample(sorted(forms), random.randint(1, min(3, len(forms))))
    return marked.apply(
        (marked.starts[place], marked.ends[place], with_case(forms[place], marked.tokens[place])) for place in places
    )


def _punctuation_dropped(marked: MarkedText, _: Random, __: _Pool) -> str | None:
    inside = {position for begin, end in marked.words for position in range(begin, end)}
    changed = {
        position: token[:-1]
        for position, token in enumerate(marked.tokens)
        if position in inside and token.endswith(".") and token[:-1].isalnum()
    }
    return marked.without({position for position in range(len(marked)) if position not in inside}, changed)


def _lower_cased(marked: MarkedText, _: Random, __: _Pool) -> str | None:
    return marked.text.lower()


Maker: TypeAlias = Callable[[MarkedText, Random, _Pool], str | None]
_MAKERS: Mapping[str, Maker] = {
    "shuffled": _shuffled,
    "function-words-dropped": _function_words_dropped,
    "negated": _negated,
    "numbers-changed": _numbers_changed,
    "roles-swapped": _roles_swapped,
    "names-exchanged": _names_exchanged,
    "one-word-exchanged": _words_exchanged(1),
    "three-words-exchanged": _words_exchanged(3),
    "quantifier-changed": _quantifier_changed,
    "half-dropped": _half_dropped,
    "clause-added": _clause_added,
    "words-repeated": _words_repeated,
    "neighbours-swapped": _neighbours_swapped,
    "inflection-broken": _inflection_broken,
    "punctuation-dropped": _punctuation_dropped,
    "lower-cased": _lower_cased,
}
