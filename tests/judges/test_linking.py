"""The native links between words, against a slow and plain definition of them."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge._core import letter_f1
from paragauge.judges.closed_words import negated_forms
from paragauge.judges.likeness import Likeness, spelled_alike
from paragauge.judges.model import open_judges
from paragauge.judges.settings import JudgeSettings

SENTENCES = [
    "The committee postponed the vote until next week .",
    "The panel put off the ballot until the following week , Reuters said .",
    "She could not explain why the engine had stopped .",
    "She was unable to say why the motor did n't run , unhappy and unstaffed .",
    "Three men were arrested in Paris on Monday , 12 May , for 3 crimes .",
    "3 males have been taken into custody in Pariss on Tuesday .",
    "Shamarko Thomas decided to buy a harmless dog and a wet coat .",
    "Shamarco took the decision : he sold an animal , harmful and arid , the # nfldraft .",
    "Few people must see the draft before most of them may leave .",
    "Many persons should look at it after some of them could go .",
    "A dog is an animal ; happy cats quickly ran from staffed houses .",
    "”“ … ?",
    "",
]
LOOSE = JudgeSettings(unrelated=0.2, related=0.7, synonym=0.0, derived=0.0, phrase=0.1, noun_steps=0.0, contained=0.0)


@pytest.fixture(scope="module")
def model():
    return open_judges()


class SlowLikeness:
    """The evidence for links word by word, from the lexicon and the vectors themselves."""

    def __init__(self, likeness):
        self.lexicon, self.vectors, self.settings = likeness.lexicon, likeness.vectors, likeness.settings

    def alike(self, one, other):
        ours, theirs = [word.vector for word in one.words], [word.vector for word in other.words]
        trust = self.vectors.trust(self.settings.trusted)
        cosines = np.maximum(self.vectors.cosines(ours, theirs), 0)
        return cosines * cosines * np.minimum(trust[ours][:, None], trust[theirs][None, :])

    def compare(self, word, their, translated):
        if word.is_mark:
            return None
        if word.text == their.text:
            return 1.0, "same"
        if their.is_mark:
            return None
        if word.lemma == their.lemma:
            return 0.95, "form"
        if word.number is not None or their.number is not None:
            return (1.0, "number") if word.number == their.number else None
        if word.is_content and their.is_content:
            return self.compare_content(word, their, translated)
        alike = (word.group and word.group == their.group) or (word.is_negation and their.is_negation)
        return (0.7, "group") if alike else None

    def compare_content(self, one, other, translated):
        chosen = self.settings
        if one.is_date or other.is_date:
            return None
        if one.stem == other.stem:
            found = 0.95, "form"
        elif one.group and one.group == other.group:
            found = 0.7, "group"
        elif chosen.synonym and not one.synsets.isdisjoint(other.synsets):
            found = 1 - (1 - chosen.synonym) * (1 - translated), "synonym"
        elif chosen.derived and (self.derived(one, other) or self.derived(other, one)):
            found = max(chosen.derived, translated), "derived"
        elif translated < chosen.related and self.related(one, other):
            found = chosen.related, "kind"
        elif translated and not (one.is_name and other.is_name):
            found = translated, "translation"
        elif one.vector < 0 or other.vector < 0 or one.is_name or other.is_name:
            alike = spelled_alike(one.text, other.text, contained=chosen.contained)
            if not alike:
                return None
            found = alike, "spelling"
        else:
            return None
        return (0.0, "opposite") if self.opposite(one, other) else found

    def derived(self, one, other):
        return not one.is_name and other.lemma in self.lexicon.derivations(one.lemma)

    def related(self, one, other):
        if one.part != other.part or one.is_name or other.is_name:
            return False
        if one.part == "a":
            return self.lexicon.similar(one.lemma, other.lemma)
        steps = int({"n": self.settings.noun_steps, "v": self.settings.verb_steps}.get(one.part, 0))
        pairs = ((one.lemma, other.lemma), (other.lemma, one.lemma))
        return steps > 0 and any(self.lexicon.is_kind_of(*pair, steps) for pair in pairs)

    def opposite(self, one, other):
        if one.part != "n" and other.part != "n" and one.stem != other.stem:
            short, long = sorted((other.text, one.text), key=len)
            if long.endswith(short) and short in negated_forms(long):
                return True
        if one.lemma in negated_forms(other.lemma) or other.lemma in negated_forms(one.lemma):
            return True
        return self.lexicon.are_antonyms(one.lemma, other.lemma, indirect=True)

    def phrases(self, one, other):
        spans = [[(p.begin, p.end, p.synsets) for p in each.phrases] for each in (one, other)]
        words = [[(place, place + 1, each.words[place].synsets) for place in each.content] for each in (one, other)]
        for ours, theirs in (spans, (spans[0], words[1]), (words[0], spans[1])):
            for begin, end, synsets in ours:
                for their_begin, their_end, their_synsets in theirs:
                    if not synsets.isdisjoint(their_synsets):
                        yield from ((i, j) for i in range(begin, end) for j in range(their_begin, their_end))

    def link(self, one, other):
        alike = self.alike(one, other)
        squares, near = alike.tolist(), (alike > self.settings.unrelated**2).tolist()
        found = []
        for i, word in enumerate(one.words):
            for j, their in enumerate(other.words):
                evidence = self.compare(word, their, squares[i][j] if near[i][j] else 0.0)
                if evidence is not None:
                    found.append((i, j, *evidence))
        if self.settings.phrase:
            found += [(i, j, self.settings.phrase, "phrase") for i, j in self.phrases(one, other)]
        options = []
        for i, j, score, kind in found:
            alike[i, j] = max(alike[i, j], score) if score else 0.0
            if score >= self.settings.least:
                options.append((-(score + self.context(one, other, i, j)), i, j, score, kind))
        taken, their_taken, links = set(), set(), []
        for _, i, j, score, kind in sorted(options, key=lambda option: option[:3]):
            if i not in taken and j not in their_taken:
                taken.add(i)
                their_taken.add(j)
                links.append((i, j, (score, kind)))
        said = [alike[i].max(initial=0.0) for i in range(len(one.words))]
        supported = [alike[:, j].max(initial=0.0) for j in range(len(other.words))]
        return sorted(links), said, supported, {each[3] for each in found}

    @staticmethod
    def context(one, other, i, j):
        ours, theirs = one.words, other.words
        bonus = 0.0
        if i and j:
            bonus += 0.06 * (ours[i - 1].text == theirs[j - 1].text)
        elif i == j:
            bonus += 0.06
        if i + 1 < len(ours) and j + 1 < len(theirs):
            bonus += 0.06 * (ours[i + 1].text == theirs[j + 1].text)
        if one.heads[i] >= 0 and other.heads[j] >= 0:
            bonus += 0.06 * (ours[one.heads[i]].lemma == theirs[other.heads[j]].lemma)
        return bonus - 0.05 * abs(i / len(ours) - j / len(theirs))


def assert_same_links(likeness, one, other):
    found = likeness.link(one, other)
    links, said, supported, kinds = SlowLikeness(likeness).link(one, other)
    assert [(link.original, link.candidate, tuple(link.evidence)) for link in found.links] == links
    assert list(found.said) == said
    assert list(found.supported) == supported
    assert found.kinds == kinds
    assert found.to_candidate == tuple({a: b for a, b, _ in links}.get(i, -1) for i in range(len(one.words)))
    assert found.to_original == tuple({b: a for a, b, _ in links}.get(j, -1) for j in range(len(other.words)))
    return found


@pytest.mark.parametrize("chosen", [None, LOOSE], ids=["shipped", "loose"])
def test_links_are_those_of_the_plain_definition(model, chosen):
    likeness = model.likeness if chosen is None else Likeness(model.likeness.lexicon, model.vectors, chosen)
    readings = model.reader.read(SENTENCES)
    kinds = set()
    for one in readings:
        for other in readings:
            kinds |= assert_same_links(likeness, one, other).kinds
    if chosen is None:
        everything = "same form number group opposite synonym derived kind translation spelling phrase"
        assert kinds == set(everything.split())


WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()} | {"İstanbul", "naïve", "K", "\ud800x"})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=9), st.lists(st.sampled_from(WORDS), max_size=9))
def test_links_of_any_words(model, one, other):
    assert_same_links(model.likeness, *model.reader.read([" ".join(one), " ".join(other)]))


def test_opposites_are_those_of_the_plain_definition(model):
    words = [word for reading in model.reader.read(SENTENCES) for word in reading.words if word.is_content]
    slow = SlowLikeness(model.likeness)
    found = [(one.text, other.text) for one in words for other in words if model.likeness.opposite(one, other)]
    assert found == [(one.text, other.text) for one in words for other in words if slow.opposite(one, other)]
    assert ("wet", "arid") in found
    assert ("harmless", "harmful") in found


def test_letters_in_common(model):
    readings = model.reader.read(SENTENCES)

    def letters(reading):
        return Counter(
            "".join(pair) for word in reading.words if not word.is_mark for pair in pairwise(f"<{word.text}>")
        )

    for one in readings:
        for other in random.Random(1).sample(readings, 4):
            ours, theirs = letters(one), letters(other)
            total = ours.total() + theirs.total()
            expected = 2 * (ours & theirs).total() / total if total else 1.0
            assert letter_f1(one.compared, other.compared) == expected


def test_phrases_are_lemmas_of_wordnet(model):
    for reading in model.reader.read(SENTENCES):
        words = reading.words
        expected = []
        for begin in range(len(words)):
            for end in range(begin + 2, min(begin + 3, len(words)) + 1):
                lemma = "_".join(word.lemma for word in words[begin:end])
                synsets = model.likeness.lexicon.synset_numbers(lemma)
                if synsets and not any(word.is_mark for word in words[begin:end]):
                    expected.append((begin, end, synsets))
        assert list(reading.phrases) == expected
    assert any(reading.phrases for reading in model.reader.read(SENTENCES))
