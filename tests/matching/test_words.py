"""Links between words: hand-made cases, and all possible links of small sentences one by one."""

import logging
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragauge import ParaphraseTable
from paragauge.align.alignment import Alignment
from paragauge.analysis import Lexicon
from paragauge.matching import words as module
from paragauge.matching.words import STAGES, LinkRules, link_words
from paragauge.text.normalize import porter_stem

JOINT = LinkRules(joint=True)
small = st.lists(st.sampled_from("abc"), max_size=6)


def links_of(candidate, reference, rules):
    found = link_words([candidate], [reference], rules)
    return [(i, j, STAGES[stage]) for i, j, _, _, stage in found.rows.tolist()]


def matchings(allowed):
    """All ways to give each word of the candidate one of its allowed partners, or none, no partner twice."""
    for choice in product(*[[None, *partners] for partners in allowed]):
        used = [j for j in choice if j is not None]
        if len(set(used)) == len(used):
            yield [(i, j) for i, j in enumerate(choice) if j is not None]


def crossings(links):
    return sum((a < c) != (b < d) for a, b in links for c, d in links if a < c)


def chunks(links):
    return len(links) - sum((i + 1, j + 1) in links for i, j in links)


def distance(links):
    return sum(abs(i - j) for i, j in links)


@given(small, small)
@example(list("aab"), list("aba"))
@settings(max_examples=300)
def test_most_links_then_fewest_crossings_then_fewest_chunks(candidate, reference):
    allowed = [[j for j, other in enumerate(reference) if other == word] for word in candidate]
    best = min((-len(links), crossings(links), chunks(links)) for links in matchings(allowed))
    found = [link[:2] for link in links_of(candidate, reference, LinkRules())]
    assert (-len(found), crossings(found), chunks(found)) == best
    assert link_words([candidate], [reference], LinkRules()).chunks.tolist() == [best[2]]


@given(small, small)
@example(list("abcab"), list("cabab"))
@settings(max_examples=300)
def test_joint_links_are_in_the_fewest_chunks_and_then_nearest(candidate, reference):
    allowed = [[j for j, other in enumerate(reference) if other == word] for word in candidate]
    best = min((-len(links), chunks(links), distance(links)) for links in matchings(allowed))
    found = [link[:2] for link in links_of(candidate, reference, JOINT)]
    assert (-len(found), chunks(found), distance(found)) == best


# Stems that make a graph that is not a set of equal words: the exact words compete with others of the same stem.
forms = st.lists(st.sampled_from(["run", "runs", "jump", "jumps", "car", "auto", "machine"]), max_size=5)


@given(forms, forms)
@settings(max_examples=200)
def test_joint_stages_compete_for_coverage(candidate, reference):
    lexicon = Lexicon.load()

    def alike(one, other):
        shared = {lemma for form in lexicon.morphy(one) for lemma in lexicon.morphy(other) if form == lemma}
        synsets, offsets = lexicon.word_synsets([one, other])
        both = set(synsets[: offsets[1]]) & set(synsets[offsets[1] :])
        return bool(one == other or porter_stem(one) == porter_stem(other) or shared or both)

    allowed = [[j for j, other in enumerate(reference) if alike(word, other)] for word in candidate]
    best = min((-len(links), chunks(links), distance(links)) for links in matchings(allowed))
    rules = LinkRules(stem=porter_stem, lexicon=lexicon, joint=True)
    found = [link[:2] for link in links_of(candidate, reference, rules)]
    assert (-len(found), chunks(found), distance(found)) == best


@given(small, small)
def test_swapped_sentences_have_as_many_links(candidate, reference):
    for rules in (LinkRules(), JOINT):
        assert len(links_of(candidate, reference, rules)) == len(links_of(reference, candidate, rules))


def test_stages_see_only_what_is_left():
    rules = LinkRules(stem=porter_stem, lexicon=Lexicon.load())
    candidate, reference = "cars stopped car fast".split(), "the car stops automobile".split()
    assert links_of(candidate, reference, rules) == [(0, 3, "synonym"), (1, 2, "stem"), (2, 1, "exact")]
    assert links_of(candidate, reference, LinkRules()) == [(2, 1, "exact")]
    assert links_of(candidate, reference, LinkRules(stem=porter_stem)) == [(1, 2, "stem"), (2, 1, "exact")]


def test_later_stages_count_crossings_with_earlier_ones():
    # "runs" may go to either end; only one of them crosses no link.
    found = links_of("x runs".split(), "run x run".split(), LinkRules(stem=porter_stem))
    assert found == [(0, 1, "exact"), (1, 2, "stem")]


def test_paraphrases_link_phrases():
    table = ParaphraseTable.from_rows([("in spite of", "despite", 0.5), ("big", "large", 0.4), ("x", "x", 1.0)])
    found = link_words(
        ["in spite of the big house".split()], ["despite a large house".split()], LinkRules(paraphrases=table)
    )
    assert found.rows.tolist() == [[0, 0, 3, 1, 3], [4, 2, 1, 1, 3], [5, 3, 1, 1, 0]]
    assert found.chunks.tolist() == [2]


some_words = st.lists(st.sampled_from(["a", "b", "c", "d", "\ud800", ""]), max_size=7)


@given(st.lists(st.tuples(some_words, some_words), min_size=1, max_size=4), st.sampled_from([None, 0.3, 0.6]))
@settings(max_examples=200)
def test_paraphrases_are_found_wherever_they_stand(pairs, least):
    rows = [
        ("a", "b", 0.5),
        ("a", "c d", 0.25),
        ("a b", "d", 0.75),
        ("c d", "a", 0.5),
        ("b", "b", 1.0),
        ("d", "a b", 0.1),
    ]
    table = ParaphraseTable.from_rows(rows)
    candidates, references = zip(*pairs, strict=True)
    found, starts = table.links(candidates, references, max_length=2, min_score=least, threads=2)
    expected = []
    for candidate, reference in pairs:
        spans = [
            [(" ".join(words[k : k + length]), k, length) for length in (1, 2) for k in range(len(words) - length + 1)]
            for words in (
                # What is no word ends a phrase.
                [word if word.isalpha() and word.isascii() else "?" for word in side]
                for side in (candidate, reference)
            )
        ]
        expected.append(
            sorted(
                (i, j, i_length, j_length)
                for phrase, i, i_length in spans[0]
                for other, j, j_length in spans[1]
                if phrase != other and any(
                    one.text == other and (least is None or one.score >= least) for one in table[phrase]
                )
            )
        )  # fmt: skip
    links = found.reshape(-1, 4).tolist()
    assert [sorted(map(tuple, links[begin:end])) for begin, end in pairwise(starts.tolist())] == expected


def test_many_pairs_and_threads_give_what_each_pair_gives():
    rng = np.random.default_rng(3)
    texts = [["".join(rng.choice(list("abcde"))) for _ in range(rng.integers(0, 12))] for _ in range(400)]
    candidates, references = texts[:200], texts[200:]
    for rules in (LinkRules(), JOINT):
        many = link_words(candidates, references, rules, threads=3)
        alone = [
            link_words([one], [other], rules, threads=1) for one, other in zip(candidates, references, strict=True)
        ]
        assert many.rows.tolist() == [row for each in alone for row in each.rows.tolist()]
        assert many.chunks.tolist() == [each.chunks[0] for each in alone]


def test_a_search_that_is_cut_short_says_so(caplog, monkeypatch):
    rng = np.random.default_rng(1)
    candidate, reference = (list(rng.choice(list("abcd"), size=size)) for size in (80, 60))
    with caplog.at_level(logging.WARNING):
        for rules in (LinkRules(), JOINT):
            found = link_words([candidate, ["a"]], [reference, ["a"]], rules)
            assert found.unproven == 1
            # A valid choice all the same, with as many links as there can be.
            most = sum(min(candidate.count(word), reference.count(word)) for word in "abcd")
            assert [len(set(found.rows[found.pairs == 0, side].tolist())) for side in (0, 1)] == [most, most]
    assert "1 pair(s) of texts repeat their words so often" in caplog.text
    monkeypatch.setattr(module, "MAX_STEPS", 1)
    assert link_words([["a"]], [["a"]], JOINT).unproven == 0


def test_nothing_links_to_nothing():
    assert len(link_words([[], ["a"], []], [["a"], [], []], JOINT).rows) == 0
    with pytest.raises(ValueError, match="every candidate needs one reference"):
        link_words([["a"]], [], LinkRules())


def test_what_an_aligner_links_is_linked_last():
    table = ParaphraseTable.from_rows([("x", "y", 0.5)])
    known = {"a b c x": "0-0 1-2 2-1 2-2 3-3 3-4", "a a": "0-0 1-1"}

    def aligner(candidates, references):
        return [Alignment.from_pharaoh(known[" ".join(each)]) for each in candidates]

    rules = LinkRules(paraphrases=table, aligner=aligner)
    texts = ["a b c x".split(), ["a", "a"]], ["a q r y z".split(), ["a", "a"]]
    found = link_words(*texts, rules)
    # b and c compete for r, so their links stay single; x is linked to both y and z, as a phrase.
    rows = [found.rows[begin:end].tolist() for begin, end in pairwise(found.starts.tolist())]
    assert rows[0] == [[0, 0, 1, 1, 0], [1, 2, 1, 1, 3], [2, 1, 1, 1, 3], [3, 3, 1, 2, 3]]
    assert rows[1] == [[0, 0, 1, 1, 0], [1, 1, 1, 1, 0]]
    without = link_words(*texts, LinkRules(paraphrases=table))
    assert without.rows.tolist() == [[0, 0, 1, 1, 0], [3, 3, 1, 1, 3], [0, 0, 1, 1, 0], [1, 1, 1, 1, 0]]
