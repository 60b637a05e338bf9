"""Bags of pivot n-grams: the paper's example, all paths one by one, and what must hold for any sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pem import bag, f1, network
from pytest import approx

from paragauge import PhraseTable
from paragauge.errors import DataError, OptionError
from paragauge.matching.pivot import BagOptions, PivotBags

# Liu, Dahlmeier and Ng (2010), section 4.3; nothing is pruned there.
PAPER = {
    ("Morning , sir .", "Bonjour , monsieur ."): 10,
    ("Hello ,", "Bonjour ,"): 9,
    ("Hello ,", "Salut ,"): 1,
    (".", "."): 10,
}
HELLO, MORNING = "Hello , Querrien .", "Morning , sir ."


@pytest.fixture(scope="module")
def paper():
    return PivotBags(PhraseTable.from_counts(PAPER), BagOptions(max_order=4, min_edge=0.0, min_weight=0.0, unknown=1.0))


def test_paper_segmentation_and_network(paper):
    phrases = paper.network(HELLO)
    assert [phrase.text for phrase in phrases] == ["Hello ,", "Querrien", "."]
    assert [phrase.known for phrase in phrases] == [True, False, True]
    assert phrases[0].edges == (("Bonjour ,", 0.9), ("Salut ,", 0.1))
    assert phrases[1].edges == (("Querrien", 1.0),)
    assert [phrase.edges for phrase in paper.network(MORNING)] == [(("Bonjour , monsieur .", 1.0),)]


def test_paper_bags_ngram_by_ngram(paper):
    found = {ngram.text: (ngram.original, ngram.candidate) for ngram in paper.bags(HELLO, MORNING)}
    hello = {
        "Bonjour": 0.9, "Salut": 0.1, ",": 1.0, "Querrien": 1.0, ".": 1.0,
        "Bonjour ,": 0.9, "Salut ,": 0.1, ", Querrien": 1.0, "Querrien .": 1.0,
        "Bonjour , Querrien": 0.9, "Salut , Querrien": 0.1, ", Querrien .": 1.0,
        "Bonjour , Querrien .": 0.9, "Salut , Querrien .": 0.1,
    }  # fmt: skip
    morning = dict.fromkeys(
        [
            "Bonjour", ",", "monsieur", ".", "Bonjour ,", ", monsieur", "monsieur .", "Bonjour , monsieur",
            ", monsieur .", "Bonjour , monsieur .",
        ],
        1.0,
    )  # fmt: skip
    assert set(found) == set(hello) | set(morning)
    for text, (original, candidate) in found.items():
        assert original == approx(hello.get(text, 0.0)), text
        assert candidate == approx(morning.get(text, 0.0)), text


def test_paper_f1_both_ways(paper):
    overlap = paper.overlap([HELLO, MORNING], [MORNING, HELLO])
    assert overlap.original.sum(axis=1) == approx([10.0, 10.0])
    assert overlap.candidate.sum(axis=1) == approx([10.0, 10.0])
    assert overlap.shared.sum(axis=1) == approx([0.9 + 1 + 1 + 0.9] * 2)
    for value in (overlap.f1(), overlap.precision(), overlap.recall()):
        assert value == approx([0.38, 0.38])
    assert overlap.shared[0] == approx([2.9, 0.9, 0.0, 0.0])
    assert overlap.order(2).f1() == approx([0.9 / ((3.0 + 3.0) / 2)] * 2)


def test_only_edges_above_the_threshold_stay_and_the_best_if_none_is():
    counts = {("a", f"x{k}"): 1 for k in range(10)} | {("b", "y"): 9, ("b", "z"): 1}
    bags = PivotBags(
        PhraseTable.from_counts(counts), BagOptions.paper()
    )  # every edge of a has exactly 0.1, and so has z
    a, b = bags.network("a b")
    assert a.edges == (("x0", 0.1),)
    assert b.edges == (("y", 0.9),)


def test_ngrams_of_the_least_weight_are_dropped():
    counts = {("a", "x"): 2, ("a", "u"): 8, ("b", "y"): 2, ("b", "v"): 8, ("c", "z"): 2, ("c", "w"): 8}
    table = PhraseTable.from_counts(counts)
    kept = {g.text for g in PivotBags(table, BagOptions(max_order=4)).bags("a b c", "")}
    assert "x y" in kept  # 0.04
    assert "x y z" not in kept  # 0.008
    everything = PivotBags(table, BagOptions(max_order=4, min_weight=0.0))
    assert "x y z" in {g.text for g in everything.bags("a b c", "")}


words = st.sampled_from("a b c d e".split())
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
pivots = st.lists(st.sampled_from("u v w x".split()), min_size=1, max_size=3).map(" ".join)
tables = st.dictionaries(st.tuples(phrases, pivots), st.integers(1, 5), min_size=1, max_size=12)
texts = st.lists(st.sampled_from("a b c d e q".split()), max_size=6).map(" ".join)


@given(tables, texts, texts, st.sampled_from([0.0, 0.1, 0.3]), st.sampled_from([0.0, 0.0101]), st.integers(1, 5),
       st.sampled_from([1.0, 0.4, 0.0]))  # fmt: skip
def test_bags_are_those_of_all_paths(counts, original, candidate, min_edge, min_weight, max_order, unknown):
    totals: dict[str, int] = {}
    for (source, _), count in counts.items():
        totals[source] = totals.get(source, 0) + count
    probabilities: dict[str, dict[str, float]] = {}
    for (source, target), count in counts.items():
        probabilities.setdefault(source, {})[target] = count / totals[source]
    bags = PivotBags(
        PhraseTable.from_counts(counts),
        BagOptions(min_edge=min_edge, min_weight=min_weight, max_order=max_order, unknown=unknown),
    )
    expected = [
        bag(network(text, (totals, probabilities), min_edge=min_edge, unknown=unknown), max_order, min_weight)
        for text in (original, candidate)
    ]
    found = bags.bags(original, candidate)
    for side, wanted in zip(("original", "candidate"), expected, strict=True):
        weights = {tuple(g.text.split(" ")): getattr(g, side) for g in found if getattr(g, side) > 0}
        assert weights == {ngram: approx(weight) for ngram, weight in wanted.items()}
    assert bags.overlap([original], [candidate]).f1()[0] == approx(f1(*expected))


@given(tables, st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_copies_are_alike_and_sides_can_be_swapped(counts, pairs):
    bags = PivotBags(PhraseTable.from_counts(counts))
    originals, candidates = (list(side) for side in zip(*pairs, strict=True))
    assert bags.overlap(originals, originals).f1().tolist() == [float(bool(text)) for text in originals]
    there, back = bags.overlap(originals, candidates), bags.overlap(candidates, originals)
    assert there.f1() == approx(back.f1())
    assert there.precision() == approx(back.recall())
    assert ((there.f1() >= 0) & (there.f1() <= 1 + 1e-12)).all()


def test_threads_and_neighbours_change_nothing():
    rng = np.random.default_rng(1)
    counts = {(a, b): int(rng.integers(1, 9)) for a in ("a", "b", "a b", "c d") for b in ("x", "y", "x y", "z x")}
    bags = PivotBags(PhraseTable.from_counts(counts))
    texts = [" ".join(rng.choice(list("abcde"), size=rng.integers(0, 12))) for _ in range(300)]
    one = bags.overlap(texts, texts[::-1], threads=1)
    assert (one.shared == bags.overlap(texts, texts[::-1], threads=7).shared).all()
    alone = [bags.overlap([a], [b]).shared[0] for a, b in zip(texts, texts[::-1], strict=True)]
    assert (one.shared == np.array(alone)).all()


def test_without_a_table_bags_are_those_of_the_sentences():
    overlap = PivotBags(None, BagOptions.paper()).overlap(["a b c a"], ["a b d a"])
    assert overlap.shared.tolist() == [[3.0, 1.0, 0.0, 0.0]]
    assert overlap.original.tolist() == [[4.0, 3.0, 2.0, 1.0]]


def test_an_inverted_table_serves_as_it_is_seen():
    table = PhraseTable.from_counts({("a", "x"): 1, ("b", "x"): 3})
    assert PivotBags(table.inverted()).network("x")[0].edges == (("b", 0.75), ("a", 0.25))


def test_a_million_words_are_read():
    table = PhraseTable.from_counts({("a", "x"): 1, ("a", "y"): 1, ("b", "z w"): 1, ("a b", "v"): 2})
    line = "a b c d " * 250_000
    bags = PivotBags(table, BagOptions(max_order=4, unknown=0.4))
    assert bags.overlap([line], [line.replace("d", "e")]).f1()[0] == approx(0.4, abs=0.2)


def test_nonsense_is_refused():
    table = PhraseTable.from_counts({("a", "x"): 1})
    with pytest.raises(OptionError, match="min_edge must be between 0 and 1, got 2"):
        BagOptions(min_edge=2)
    with pytest.raises(OptionError, match="max_order must be between 1 and 100, got 0"):
        BagOptions(max_order=0)
    with pytest.raises(OptionError, match="unknown must be between 0 and 1, got 2"):
        BagOptions(unknown=2)
    with pytest.raises(DataError, match="lone surrogate"):
        PivotBags(table).overlap(["\ud800"], ["a"])
    with pytest.raises(DataError, match="as many"):
        PivotBags(table).overlap(["a", "b"], ["a"])
