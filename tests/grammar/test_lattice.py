"""Word lattices of merged trees: the paper's figure, merging, squeezing, paths against an oracle, drawings."""

import xml.etree.ElementTree as ET
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import Alignment
from paragauge.analysis import Tree
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError
from paragauge.grammar import lattice as module
from paragauge.grammar.lattice import (
    Lattice,
    build_lattice,
    build_lattices,
    syntactic_alignments,
    syntactic_paraphrases,
)
from paragauge.report.lattice import lattice_svg


def trees(*texts):
    return [Tree.from_penn(text) for text in texts]


KILLED = trees(
    "(S (NP (CD 12) (NNS persons)) (VP (AUX were) (VP (VB killed))))",
    "(S (NP (CD twelve) (NNS people)) (VP (VB died)))",
)


def test_figure_of_the_paper():
    lattice = build_lattice(KILLED)
    # NP and VP are merged, CD and NNS below NP; the two VPs expand in different ways.
    assert lattice.paths == ((0, 1, 2, 3, 4), (0, 1, 2, 4))
    found = {frozenset(phrases) for phrases in lattice.alternatives(5)}
    assert {"people were killed", "persons died", "persons were killed", "people died"} in found
    assert {"12", "twelve"} in found
    assert lattice.alignment(0, 1).to_pharaoh() == "0-0 1-1 2-2 3-2"
    own = {frozenset(phrases) for phrases in lattice.alternatives(5, mixed=False)}
    assert {"persons were killed", "people died"} in own
    assert all(len(phrases) == 2 for phrases in own)


def test_different_expansions_stay_alternatives():
    one, other = trees("(S (NP (DT the) (NN man)) (VP (VBD left)))", "(S (NP (PRP he)) (VP (VBD left)))")
    lattice = build_lattice([one, other])
    assert lattice.alignment(0, 1).to_pharaoh() == "0-0 1-0 2-1"
    (edge,) = [edge for edge in lattice.edges if edge.word == "left"]
    assert edge.sentences == (0, 1)


def test_keywords_that_change_places_prevent_a_merge():
    active, passive = trees(
        "(S (NP (NN police)) (VP (VBD arrested) (NP (NNS thieves))))",
        "(S (NP (NNS thieves)) (VP (VBD met) (NP (NN police))))",
    )
    assert build_lattice([active, passive], squeeze=False).alignment(0, 1).to_pharaoh() == " ".join(
        f"{i}-{j}" for i in range(3) for j in range(3)
    )
    assert build_lattice([active, passive], keywords=False).alignment(0, 1).to_pharaoh() == "0-0 1-1 2-2"


def test_function_words_are_no_keywords_and_function_tags_no_categories():
    one, other = trees(
        "(S (NP-SBJ (DT the) (NN dog)) (PP (IN on) (NP (DT a) (NN mat))))",
        "(S (NP (DT a) (NN cat)) (PP (IN on) (NP (DT the) (NN rug))))",
    )
    assert build_lattice([one, other]).alignment(0, 1).to_pharaoh() == "0-0 1-1 2-2 3-3 4-4"


def test_squeezing_joins_equal_prefixes_and_suffixes():
    texts = "(FRAG (DT the) (JJ old) (NN man) (VBD died) (RB today))", "(X (DT the) (NN boss) (VBD left) (RB today))"
    loose, tight = (build_lattice(trees(*texts), squeeze=squeeze) for squeeze in (False, True))
    assert loose.alignment(0, 1).to_pharaoh() == " ".join(f"{i}-{j}" for i in range(5) for j in range(4))
    assert tight.alignment(0, 1).to_pharaoh() == "0-0 1-1 1-2 2-1 2-2 3-1 3-2 4-3"


def test_squeezing_makes_no_circle():
    # "a" leads from the beginning to the end, and from the beginning to a state before the end.
    lattice = build_lattice(trees("(S (X a))", "(S (X a) (X a))"))
    assert lattice.paths == ((0, 2), (0, 1, 2))
    lattice = build_lattice(trees("(S (A he) (B said) (C he) (D left))", "(S (A he) (D left))"))
    assert [edge.word for edge in lattice.edges] == ["he", "said", "left", "he", "left"]


words = st.sampled_from("a b c d".split())
tags = st.sampled_from(["NN", "DT"])


def _penn(node):
    if isinstance(node, str):
        return f"(NN {node})"
    return f"({node[0]} {' '.join(map(_penn, node[1]))})"


nodes = st.recursive(
    words, lambda below: st.tuples(st.sampled_from(["NP", "VP"]), st.lists(below, min_size=1, max_size=3)), max_leaves=6
)
random_trees = st.tuples(st.just("S"), st.lists(nodes, min_size=1, max_size=3)).map(_penn).map(Tree.from_penn)


@given(st.lists(random_trees, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_every_sentence_is_a_path_and_no_edge_leads_back(group, keywords, squeeze):
    lattice = build_lattice(group, keywords=keywords, squeeze=squeeze)
    assert lattice.sentences == tuple(tree.words for tree in group)
    for words, path in zip(lattice.sentences, lattice.paths, strict=True):
        assert len(path) == len(words) + 1
        assert list(path) == sorted(set(path))
        assert (path[0], path[-1]) == (0, lattice.end)
    for one, other in permutations(range(len(group)), 2):
        links = lattice.alignment(one, other)
        assert links == lattice.alignment(other, one).inverted()
        assert {i for i, _ in links} == set(range(len(lattice.sentences[one])))


@given(st.lists(random_trees, min_size=2, max_size=3))
def test_alternatives_equal_the_oracle(group):
    lattice = build_lattice(group)
    leaving = {}
    for edge in lattice.edges:
        leaving.setdefault(edge.begin, []).append((edge.end, edge.word))
    between = {}

    def walk(start, at, phrase):
        if phrase:
            between.setdefault((start, at), set()).add(" ".join(phrase))
        for end, word in leaving.get(at, ()) if len(phrase) < 3 else ():
            walk(start, end, [*phrase, word])

    for state in range(lattice.end):
        walk(state, state, [])
    expected = sorted(sorted(phrases) for phrases in between.values() if len(phrases) > 1)
    assert sorted(sorted(phrases) for phrases in lattice.alternatives(3)) == expected


def test_equal_sentences_are_one_path():
    lattice = build_lattice([KILLED[0], KILLED[0]])
    assert lattice.paths[0] == lattice.paths[1] == (0, 1, 2, 3, 4)
    assert list(lattice.alternatives()) == []


def test_paraphrases_of_many_lattices():
    other = trees("(S (NP (CD 12)) (VP (VB died)))", "(S (NP (CD 12)) (VP (VB perished)))")
    table = syntactic_paraphrases([build_lattice(KILLED), build_lattice(other)])
    # died: once "were killed", once "perished".
    assert {each.text: each.score for each in table["died"]} == {"were killed": 0.5, "perished": 0.5}
    assert [each.text for each in table["twelve"]] == ["12"]
    assert max(len(phrase.split()) for phrase in table.phrases()) == 4


def test_too_many_paths_leave_the_sentences_own_phrases(monkeypatch):
    monkeypatch.setattr(module, "MAX_PATHS", 1)
    lattice = build_lattice(KILLED)
    assert {frozenset(each) for each in lattice.alternatives()} == {
        frozenset(each) for each in lattice.alternatives(mixed=False)
    }


def test_long_sentences_are_paths_of_their_own():
    long = Tree(("w",) * 100_000, ("NN",) * 100_000, ())
    lattice = build_lattice([*KILLED, long])
    assert len(set(lattice.paths[2]) & set(lattice.paths[0])) == 2
    assert {"12", "twelve"} in list(lattice.alternatives())
    assert lattice.alignment(0, 1).to_pharaoh() == "0-0 1-1 2-2 3-2"


def test_lattices_of_text_and_of_groups_of_pairs():
    sentences = ["He died yesterday", "", "he passed away yesterday"]
    (lattice,) = build_lattices([sentences], lowercase=True)
    assert lattice.sentences[0] == ("he", "died", "yesterday")
    assert lattice.alignment(0, 1).to_pharaoh() == "0-0 1-1 1-2 2-3"
    pairs = ParaphrasePairs(
        ("he died", "he died", "he died", " "), ("he passed away", "she died", "he died", "x"), ("1", "1", "2", "2")
    )
    seen = []

    def lattices(groups):
        seen.extend(groups)
        return build_lattices(groups)

    links = syntactic_alignments(pairs, lattices)
    assert seen == [["he died", "he passed away", "she died"], ["he died", "x"]]
    assert [each.to_pharaoh() for each in links] == ["0-0 1-1 1-2", "0-0 1-1", "0-0 1-1", ""]
    assert isinstance(links[3], Alignment)


def test_drawings():
    lattice = build_lattice(trees('(S (NN "a<b\\))', "(S (NN c) (NN d))"))
    assert lattice.to_text() == '0 -> 1  c  (2)\n0 -> 2  "a<b\\  (1)\n1 -> 2  d  (2)\n'
    assert '0 -> 2 [label="\\"a<b\\\\"];' in lattice.to_dot()
    root = ET.fromstring(lattice_svg(lattice))  # noqa: S314, we made it
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["c", '"a<b\\', "d", "0", "1", "2"]


def test_wrong_lattices_are_refused():
    with pytest.raises(DataError, match="sentence 2 of a group has no words"):
        build_lattice([KILLED[0], Tree((), (), ())])
    with pytest.raises(DataError, match="expected increasing ones"):
        Lattice((("a",),), ((1, 0),))
    with pytest.raises(DataError, match="1 sentences and 0 paths"):
        Lattice((("a",),), ())
    assert build_lattice([]).end == 0
