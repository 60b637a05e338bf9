"""Wrong forms of verbs and nouns: *he go*, *they goes*, *a dogs*, *two dog*."""

from __future__ import annotations

from paragauge.judges.marked import ROOT, MarkedText, word_set

_OF_BE = {"is": "are", "are": "is", "was": "were", "were": "was", "am": "is"}
_OF_HELPERS = {"has": "have", "have": "has", "does": "do", "do": "does"}
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "expl"})
_NOT_THIRD_PERSON = frozenset({"i", "you", "we", "they", "these", "those"})
_ONE = word_set("a an one this that each every another")
_SEVERAL = word_set("these those many several few both most all some two three four five six seven eight nine ten")


def broken_forms(marked: MarkedText) -> dict[int, str]:
    """Return a wrong form, in lower case, for each token that has one which no reader could take for right."""
    found = {}
    for position, tag in enumerate(marked.tags):
        form = _wrong_verb(marked, position) if tag.startswith("V") else _wrong_noun(marked, position)
        if form is not None and form != marked.lowered[position]:
            found[position] = form
    return found


def _wrong_verb(marked: MarkedText, position: int) -> str | None:
    word, tag, lemma = marked.lowered[position], marked.tags[position], marked.lemmas[position]
    if not word.isalpha():
        return None
    if word in _OF_BE:
        return _OF_BE[word]
    if tag in ("VBZ", "VBP") and word in _OF_HELPERS:
        return _OF_HELPERS[word]
    if not marked.alone(position) or not lemma.isalpha() or lemma in ("be", "do", "have"):
        return None
    before = marked.tags[position - 1] if position else ""
    if tag == "VBZ":
        return lemma
    if tag == "VBP":
        return third_person(word)
    if tag == "VBD":
        singular = _third_person_subject(marked, position)
        return None if singular is None or lemma == word else lemma if singular else third_person(lemma)
    if tag == "VB":
        return third_person(word) if before in ("MD", "TO") else None
    helped = any(marked.relations[child].startswith("aux") and child < position for child in marked.children[position])
    return lemma if tag in ("VBN", "VBG") and helped else None


def _third_person_subject(marked: MarkedText, verb: int) -> bool | None:
    """Return whether the subject is a third person singular; ``None`` if there is none to be seen."""
    for child in marked.children[verb]:
        if marked.relations[child] in _SUBJECTS:
            plural = marked.tags[child] in ("NNS", "NNPS") or marked.lowered[child] in _NOT_THIRD_PERSON
            joined = any(marked.relations[other] == "conj" for other in marked.children[child])
            return not plural and not joined
    return None


def _wrong_noun(marked: MarkedText, position: int) -> str | None:
    tag, word, lemma = marked.tags[position], marked.lowered[position], marked.lemmas[position]
    if (
        tag not in ("NN", "NNS")
        or not word.isalpha()
        or marked.heads[position] == position
        or not marked.alone(position)
    ):
        return None
    before = {marked.lowered[child] for child in marked.children[position] if ROOT < child < position}
    if tag == "NN":
        return plural(word) if before & _ONE and len(word) > 2 else None
    several = bool(before & _SEVERAL) or any(
        marked.tags[child] == "CD" and marked.lowered[child] not in ("1", "one")
        for child in marked.children[position]
        if child < position
    )
    return lemma if several and lemma.isalpha() else None


def third_person(base: str) -> str:
    """Return the form of a regular verb after *he*.

    >>> third_person("go"), third_person("try"), third_person("play")
    ('goes', 'tries', 'plays')
    """
    return base + "es" if base.endswith("o") else plural(base)


def plural(noun: str) -> str:
    """Return the regular plural.

    >>> plural("dog"), plural("box"), plural("city"), plural("day")
    ('dogs', 'boxes', 'cities', 'days')
    """
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"
