"""The contrary of an English sentence: *not* put in, with *do* where English wants it, or a negation taken out."""

from __future__ import annotations

from paragauge.judges.marked import ROOT, MarkedText, with_case, word_set

_FINITE = frozenset({"MD", "VBD", "VBP", "VBZ"})
_FULL_FORM = {"ca": "can", "wo": "will", "sha": "shall"}  # what n't leaves behind, and the word it is
_NOT_NEGATING_BEFORE = frozenset({"or", "why", "if", "than", "whether", "hope", "guess"})  # "or not", "if not", ...
_NOT_NEGATING_AFTER = frozenset({"only", "just", "necessarily"})
_POSITIVE = {
    "no": "some",
    "nobody": "somebody",
    "nothing": "something",
    "none": "some",
    "nowhere": "somewhere",
    "never": "",
}
_OTHER_NEGATIONS = frozenset({"neither", "nor", "hardly", "scarcely", "barely", "few", "little", "without"})
_AFTER_NEGATION = {
    "any": "some",
    "anyone": "someone",
    "anybody": "somebody",
    "anything": "something",
    "anywhere": "somewhere",
}
_CONTRACTED = {("'ll", "MD"): "won't", ("'d", "MD"): "wouldn't", ("'d", "VBD"): "hadn't", ("'ve", "VBP"): "haven't"}
_NEGATIVE_QUESTION = {
    **{word: f"{word}n't" for word in word_set("is are was were has have had do does did would could should")},
    "can": "can't",
    "will": "won't",
}
_AFTER_DO = word_set("always often really ever usually even quite fully actually")  # "does not always come"
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj", "expl"})
_DO = {"VBZ": "does not", "VBP": "do not", "VBD": "did not"}


def negated(marked: MarkedText) -> str | None:
    """Return *marked* with the contrary meaning, or ``None`` where no verb and no negation is found."""
    for remove in (_without_not, _without_negative_word):
        found = remove(marked)
        if found is not None:
            return found
    if any(lemma in _OTHER_NEGATIONS or lemma in _POSITIVE or lemma == "not" for lemma in marked.lowered):
        return None  # a second negation would be no English, or no contrary
    verb = _finite_verb(marked)
    return None if verb is None else _with_not(marked, verb)


def _without_not(marked: MarkedText) -> str | None:
    for position, lemma in enumerate(marked.lemmas):
        if lemma != "not" or marked.tags[position] != "RB":
            continue
        before = marked.lowered[position - 1] if position else ""
        after = marked.lowered[position + 1] if position + 1 < len(marked) else ""
        if before in _NOT_NEGATING_BEFORE or after in _NOT_NEGATING_AFTER or before == "ai":
            continue
        changed = _positive_after(marked, position)
        if before in _FULL_FORM and marked.glued(position):
            changed[position - 1] = with_case(_FULL_FORM[before], marked.tokens[position - 1])
        elif before == "do" and position - 1 in marked.initial and _is_base(marked, position + 1):
            return marked.without({position - 1, position}, changed)  # "Don't go" -> "Go"
        return marked.without({position}, changed)
    return None


def _is_base(marked: MarkedText, position: int) -> bool:
    return position < len(marked) and marked.tags[position] == "VB"


def _positive_after(marked: MarkedText, negation: int) -> dict[int, str]:
    """Return what *any* and its kin become once the negation before them is gone."""
    return {
        position: with_case(_AFTER_NEGATION[marked.lowered[position]], marked.tokens[position])
        for position in range(negation + 1, len(marked))
        if marked.lowered[position] in _AFTER_NEGATION and marked.sentence_of[position] == marked.sentence_of[negation]
    }


def _without_negative_word(marked: MarkedText) -> str | None:
    for position, word in enumerate(marked.lowered):
        if word not in _POSITIVE or not marked.alone(position):
            continue
        after = marked.lowered[position + 1] if position + 1 < len(marked) else ""
        changed = _positive_after(marked, position)
        if word == "never":
            return marked.without({position}, changed)
        if word == "no":
            if after == "longer":
                return marked.without({position + 1}, {position: with_case("still", marked.tokens[position])} | changed)
            if after == "one":
                return marked.without(
                    {position + 1}, {position: with_case("someone", marked.tokens[position])} | changed
                )
            if marked.tags[position] != "DT" or not marked.wordlike[min(position + 1, len(marked) - 1)]:
                continue
        return marked.without(set(), {position: with_case(_POSITIVE[word], marked.tokens[position])} | changed)
    return None


def _finite_verb(marked: MarkedText) -> int | None:
    """Return the verb that takes *not*: of the first main clause that has one, else the first finite verb at all."""
    for root in (position for position, head in enumerate(marked.heads) if head == ROOT):
        helpers = [child for child in marked.children[root] if marked.relations[child].startswith(("aux", "cop"))]
        verb = min([*helpers, root] if marked.tags[root].startswith("V") else helpers, default=root)
        if marked.tags[verb] in _FINITE or _is_command(marked, verb) or _is_past(marked, verb):
            return verb
    return next((position for position, tag in enumerate(marked.tags) if tag in _FINITE), None)


def _has_subject(marked: MarkedText, verb: int) -> bool:
    return any(marked.relations[child] in _SUBJECTS for child in marked.children[verb])


def _is_command(marked: MarkedText, verb: int) -> bool:
    head = verb if marked.heads[verb] == ROOT else marked.heads[verb]
    if marked.tags[verb] != "VB" or _has_subject(marked, head):
        return False
    return verb in marked.initial or (verb > 0 and marked.lowered[verb - 1] in ("please", ","))


def _is_past(marked: MarkedText, verb: int) -> bool:
    """Return whether a verb tagged as a participle must be a past tense: it has a subject and no auxiliary."""
    return marked.tags[verb] == "VBN" and _has_subject(marked, verb) and marked.lemmas[verb] != marked.lowered[verb]


def _with_not(marked: MarkedText, verb: int) -> str | None:
    word, tag, lemma = marked.lowered[verb], marked.tags[verb], marked.lemmas[verb]
    start, end = marked.starts[verb], marked.ends[verb]
    after = marked.lowered[verb + 1] if verb + 1 < len(marked) else ""
    if lemma == "let" and after in ("'s", "us"):
        return marked.apply([(marked.ends[verb + 1], marked.ends[verb + 1], " not")])
    if after == "better" and word in ("had", "'d"):
        return marked.apply([(marked.ends[verb + 1], marked.ends[verb + 1], " not")])
    if _is_command(marked, verb):
        return marked.apply([(start, end, with_case("do not ", marked.tokens[verb]) + marked.inside(verb, verb + 1))])
    helps = marked.relations[verb].startswith(("aux", "cop")) or tag == "MD"
    if not helps and lemma != "be":
        return _with_do(marked, verb)
    if _asks(marked, verb):
        if word not in _NEGATIVE_QUESTION:
            return None
        return marked.apply([(start, end, with_case(_NEGATIVE_QUESTION[word], marked.tokens[verb]))])
    if (word, tag) in _CONTRACTED:
        return marked.apply([(start, end, " " + _CONTRACTED[word, tag])])
    return marked.apply([(end, end, "not" if word == "can" else " not")])


def _asks(marked: MarkedText, verb: int) -> bool:
    """Return whether the subject follows the auxiliary, as in a question."""
    heads = (verb, marked.heads[verb])
    subjects = [
        child
        for head in heads
        if head != ROOT
        for child in marked.children[head]
        if marked.relations[child] in _SUBJECTS
    ]
    return bool(subjects) and min(subjects) > verb


def _with_do(marked: MarkedText, verb: int) -> str | None:
    tag = "VBD" if marked.tags[verb] == "VBN" else "VBP" if marked.tags[verb] == "VB" else marked.tags[verb]
    base = marked.lemmas[verb] if tag != "VBP" else marked.lowered[verb]
    unknown = base == marked.lowered[verb] and (tag == "VBZ" or (tag == "VBD" and base.endswith("ed")))
    if tag not in _DO or unknown or not marked.alone(verb):
        return None
    adverb = verb - 1
    place = adverb if adverb > 0 and marked.lowered[adverb] in _AFTER_DO else verb
    first = marked.tokens[place]
    if place == verb:
        return marked.apply([(marked.starts[verb], marked.ends[verb], f"{with_case(_DO[tag], first)} {base}")])
    return marked.apply(
        [(marked.starts[place],) * 2 + (_DO[tag] + " ",), (marked.starts[verb], marked.ends[verb], base)]
    )
