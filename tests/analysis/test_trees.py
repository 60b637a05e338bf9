"""Constituency trees and their brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.analysis import Span, Tree, read_trees, write_trees
from paragauge.analysis.evaluation import Agreement, bracket_agreement, brackets
from paragauge.errors import DataError

WORDS = st.text(st.characters(exclude_categories=("Cs", "Z", "Cc")), min_size=1, max_size=6).filter(
    lambda word: not any(character.isspace() for character in word) and "-L" not in word and "-R" not in word
)
LABELS = st.sampled_from(["NP", "VP", "S", "NP-SBJ", "X"])


@st.composite
def trees(draw):
    words = draw(st.lists(WORDS, max_size=8))
    spans = []

    def grow(begin, end, depth):
        while begin < end and depth < 4:
            stop = draw(st.integers(begin, end))
            if stop > begin:
                spans.append(Span(draw(LABELS), begin, stop))
                grow(begin, stop, depth + 1)
            begin = stop + draw(st.integers(0, 1)) if stop > begin else begin + 1

    grow(0, len(words), 0)
    return Tree(tuple(words), tuple(draw(LABELS) for _ in words), tuple(spans))


@given(trees())
def test_brackets_read_back(tree):
    assert Tree.from_penn(tree.to_penn()) == tree


def test_escaped_brackets_become_brackets_and_go_back():
    tree = Tree.from_penn("( (PRN (-LRB- -LRB-) (NP (CD 1)) (-RRB- -RRB-) (NFP :-RRB-)))")
    assert tree.words == ("(", "1", ")", ":)")
    assert tree.tags == ("-LRB-", "CD", "-RRB-", "NFP")
    assert tree.to_penn() == "(ROOT (PRN (-LRB- -LRB-) (NP (CD 1)) (-RRB- -RRB-) (NFP :-RRB-)))"


def test_empty_elements_and_what_holds_only_them_are_left_out():
    tree = Tree.from_penn("(S (NP-SBJ (-NONE- *PRO*)) (VP (VB go)))")
    assert tree.to_penn() == "(ROOT (S (VP (VB go))))"


def test_root_has_many_names_and_is_not_a_span():
    for root in ("ROOT ", "TOP ", "S1 ", ""):
        assert Tree.from_penn(f"({root}(S (NN a)))").spans == (Span("S", 0, 1),)
    assert Tree.from_penn("(ROOT)") == Tree((), (), ())


def test_trees_may_be_as_deep_as_long():
    depth = 20_000
    text = "(X " * depth + "(NN a)" + ")" * depth
    assert Tree.from_penn(text).to_penn() == f"(ROOT {text})"


def test_functions_can_be_taken_away():
    tree = Tree.from_penn("(S (NP-SBJ-1 (PRP it)) (PP=2 (IN in)) (VP|X (-RRB- -RRB-)))")
    assert [span.label for span in tree.without_functions().spans] == ["S", "NP", "PP", "VP"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a)", r"1 bracket\(s\) not closed"),
        ("(S (NN a)))", r"'\)' is outside any tree"),
        ("1\ta\ta\tNN", "this looks like CoNLL-U: 'paragauge parse --format penn' writes trees"),
        ("word", "'word' is outside"),
        ("(NP (DT the) dog)", r"'dog' is a word without its own bracket"),
        ("(NP the dog)", r"'dog' is a word without its own bracket"),
        ("(NP the (NN dog))", "a bracket opens after the word 'the'"),
        ("(S ((NN a)))", "has no label"),
        ("", "expected one bracketed tree, found 0"),
        ("(NN a) (NN b)", "found 2"),
    ],
)
def test_bad_brackets_say_what_is_wrong(text, message):
    with pytest.raises(DataError, match=message):
        Tree.from_penn(text)


def test_spans_must_nest():
    with pytest.raises(DataError, match="crosses"):
        Tree(("a", "b", "c"), ("X",) * 3, (Span("A", 0, 2), Span("B", 1, 3)))
    with pytest.raises(DataError, match="covers no words"):
        Tree(("a",), ("X",), (Span("A", 0, 2),))
    with pytest.raises(DataError, match="2 tags"):
        Tree(("a",), ("X", "Y"), ())
    with pytest.raises(DataError, match="contains a space"):
        Tree(("a b",), ("X",), ()).to_penn()


def test_files_of_trees(tmp_path):
    path = tmp_path / "trees.gz"
    some = [Tree.from_penn("(S (NP (NN a)) (VP (VB b)))"), Tree((), (), ())]
    assert write_trees(path, some) == 2
    assert list(read_trees(path)) == some
    (tmp_path / "lines").write_bytes(b"\xef\xbb\xbf(ROOT\r\n  (NN\r\n a))\r\n\r\n(NN b)")
    assert [tree.words for tree in read_trees(tmp_path / "lines")] == [("a",), ("b",)]
    (tmp_path / "bad").write_text("(NN a)\n(NN b\n")
    with pytest.raises(DataError, match=r"bad:2: 1 bracket"):
        list(read_trees(tmp_path / "bad"))


def test_brackets_count_as_evalb_counts_them():
    gold = Tree.from_penn("(ROOT (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (PRN (, ,) (ADVP (RB there)))) (. .)))")
    found = Tree.from_penn("(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (X (, ,)) (NP (RB there)) (. .)))")
    # S NP VP PRN ADVP against S NP VP NP: the comma's own bracket is empty; VP ends elsewhere, NP is no ADVP.
    assert bracket_agreement([found], [gold]) == Agreement(found=4, gold=5, shared=2)
    assert bracket_agreement([found], [gold]).f == pytest.approx(2 * 2 / (4 + 5))
    assert sum(brackets(Tree.from_penn("(NP (NP (NN a)))")).values()) == 2
    with pytest.raises(DataError, match="the words of sentence 1 differ"):
        bracket_agreement([found], [Tree.from_penn("(NN a)")])


@given(trees())
def test_a_tree_agrees_with_itself(tree):
    assert bracket_agreement([tree], [tree]).f == 1.0
