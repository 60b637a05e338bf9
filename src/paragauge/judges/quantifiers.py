"""How many, how often, how surely: words of quantity, frequency and modality, and contrary ones for them."""

from __future__ import annotations

from collections.abc import Callable

from paragauge.judges.marked import ROOT, MarkedText, with_case, word_set

_ADVERBS = {
    "always": ("never", "sometimes"),
    "never": ("always", "sometimes"),
    "sometimes": ("always", "never"),
    "often": ("rarely", "never"),
    "frequently": ("rarely", "never"),
    "usually": ("rarely", "never"),
    "rarely": ("often", "always"),
    "seldom": ("often", "always"),
    "everywhere": ("nowhere",),
}
_PRONOUNS = {
    "everyone": ("no one", "someone"),
    "everybody": ("nobody", "somebody"),
    "everything": ("nothing", "something"),
    "someone": ("no one", "everyone"),
    "somebody": ("nobody", "everybody"),
    "something": ("nothing", "everything"),
    "nobody": ("everybody", "somebody"),
    "nothing": ("everything", "something"),
    "none": ("all", "some"),
}
_MODALS = {
    "must": ("may", "need not"),
    "can": ("cannot",),
    "should": ("need not",),
    "will": ("may",),
    "may": ("must", "will"),
    "might": ("must", "will"),
}
_NEGATED_MODALS = {"must": "need", "ca": "can", "can": "can"}
_NOT_AMOUNTS_AFTER = frozenset({"how", "as", "so", "too", "very", "a", "the", "not", "that"})
_NOT_ALL_AFTER = frozenset({"at", "after", "above", "in", "of", "not", "first"})
_TIMES = word_set("day week month year morning night evening time hour minute weekend summer winter monday sunday")
_POINTING = word_set("the my your his her its our their this that these those")
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "expl"})
_AFTER_QUANTIFIER = ("N", "J", "VBG", "VBN", "CD")


def quantifier_changes(marked: MarkedText) -> list[list[str]]:
    """Return, for each quantifier that can be changed, the texts with a contrary one."""
    found = []
    for position, word in enumerate(marked.lowered):
        for rule in (_simple, _modal, _determiner, _comparison):
            texts = rule(marked, position, word)
            if texts:
                found.append(texts)
                break
    return found


def _word(marked: MarkedText, position: int) -> str:
    return marked.lowered[position] if 0 <= position < len(marked) else ""


def _tag(marked: MarkedText, position: int) -> str:
    return marked.tags[position] if 0 <= position < len(marked) else ""


def _put(marked: MarkedText, position: int, *new: str) -> list[str]:
    start, end, old = marked.starts[position], marked.ends[position], marked.tokens[position]
    return [marked.apply([(start, end, with_case(word, old))]) for word in new]


def _simple(marked: MarkedText, position: int, word: str) -> list[str]:
    choices = _ADVERBS.get(word) or _PRONOUNS.get(word)
    if not choices or not marked.alone(position) or _word(marked, position + 1) == "else":
        return []
    # After a negation "nothing" or "never" would be a second one.
    negated = "not" in marked.lemmas[:position]
    return _put(marked, position, *(new for new in choices if not (negated and new.startswith(("no", "never")))))


def _modal(marked: MarkedText, position: int, word: str) -> list[str]:
    if marked.tags[position] != "MD" or _follows_subject(marked, position) is False:
        return []
    after = _word(marked, position + 1)
    if after in ("not", "n't"):
        if word not in _NEGATED_MODALS:
            return []
        if word == "must":
            return _put(marked, position, "need")
        return [marked.without({position + 1}, {position: with_case("can", marked.tokens[position])})]
    never = after in ("never", "hardly", "only", "have", "as") and word in ("can", "could", "must", "should")
    return [] if never or "'" in word else _put(marked, position, *_MODALS.get(word, ()))


def _follows_subject(marked: MarkedText, position: int) -> bool | None:
    head = marked.heads[position]
    if head == ROOT:
        return None
    subjects = [child for child in marked.children[head] if marked.relations[child] in _SUBJECTS]
    return min(subjects) < position if subjects else None


def _determiner(marked: MarkedText, position: int, word: str) -> list[str]:
    rule = _DETERMINERS.get(word)
    return rule(marked, position) if rule is not None and marked.alone(position) else []


def _all(marked: MarkedText, position: int) -> list[str]:
    after = _word(marked, position + 1)
    if _word(marked, position - 1) in _NOT_ALL_AFTER or after in _TIMES or after in ("right", "kinds", "sorts"):
        return []
    if after == "of":
        return _put(marked, position, "some", "none")
    if after in _POINTING and _tag(marked, position + 2).startswith(_AFTER_QUANTIFIER):
        return _put(marked, position, "some of", "none of")
    noun = position + 2 if _tag(marked, position + 1) == "JJ" else position + 1
    return _put(marked, position, "some", "no") if _tag(marked, noun) in ("NNS", "NN") else []


def _some(marked: MarkedText, position: int) -> list[str]:
    after = _word(marked, position + 1)
    if after == "of":
        return _put(marked, position, "none", "all")
    quantity = marked.tags[position] == "DT" and _tag(marked, position + 1) in ("NN", "NNS", "JJ")
    negated = "not" in marked.lemmas[:position]
    return _put(marked, position, "no") if quantity and not negated and after not in _TIMES else []


def _every(marked: MarkedText, position: int) -> list[str]:
    after = _word(marked, position + 1)
    if after in _TIMES:
        return [] if after == "time" else _put(marked, position, "every other")
    if after in ("other", "single", "now", "one") or _tag(marked, position + 1) == "CD":
        return []
    return _put(marked, position, "no") if "not" not in marked.lemmas[:position] else []


def _amount(*new: str) -> Callable[[MarkedText, int], list[str]]:
    def change(marked: MarkedText, position: int) -> list[str]:
        after = _word(marked, position + 1)
        noun_follows = _tag(marked, position + 1).startswith(_AFTER_QUANTIFIER) or after == "of"
        if _word(marked, position - 1) in _NOT_AMOUNTS_AFTER or not noun_follows:
            return []
        return _put(marked, position, *new) if marked.tags[position] in ("JJ", "JJS", "DT") else []

    return change


def _no(marked: MarkedText, position: int) -> list[str]:
    after = _tag(marked, position + 1)
    if marked.tags[position] != "DT" or _word(marked, position + 1) in ("one", "longer", "more", "other", "such"):
        return []
    return _put(marked, position, "some") if after in ("NN", "NNS", "JJ") else []


def _comparison(marked: MarkedText, position: int, word: str) -> list[str]:
    before, after = _word(marked, position - 1), _word(marked, position + 1)
    if before == "at" and word in ("least", "most"):
        return _put(marked, position, "most" if word == "least" else "least")
    number = _tag(marked, position + 2) == "CD"
    if after == "than" and number and word in ("more", "less", "fewer"):
        return _put(marked, position, "less" if word == "more" else "more")
    return []


_DETERMINERS: dict[str, Callable[[MarkedText, int], list[str]]] = {
    "all": _all,
    "some": _some,
    "every": _every,
    "each": lambda marked, position: (
        _put(marked, position, "none" if _word(marked, position + 1) == "of" else "no")
        if _word(marked, position + 1) != "other" and _tag(marked, position + 1).startswith(("N", "J", "IN"))
        else []
    ),
    "many": _amount("few", "no"),
    "few": _amount("many"),
    "most": _amount("few", "all"),
    "several": _amount("no"),
    "much": _amount("little", "no"),
    "no": _no,
}
