"""PEM's segmentation, against all segmentations with exact fractions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import phrases as phrase_oracles

import paragauge as pg
from paragauge.errors import OptionError
from paragauge.phrases import segment_sentences


def texts(table, sentence, **options):
    return [segment.text for segment in segment_sentences(table, [sentence], **options)[0]]


def table_of(counts):
    return pg.PhraseTable.from_counts({(phrase, "x"): count for phrase, count in counts.items()})


@given(
    st.dictionaries(
        st.sampled_from(["a", "b", "c", "a b", "b c", "a b c", "b a", "c c"]), st.integers(1, 4), min_size=1
    ),
    st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=8),
)
@settings(max_examples=60)
def test_segmentation_equals_all_segmentations(counts, sentences):
    found = segment_sentences(table_of(counts), sentences, threads=2)
    for words, segments in zip(sentences, found, strict=True):
        assert [segment.text for segment in segments] == phrase_oracles.best_segmentation(counts, words)
        assert [segment.known for segment in segments] == [segment.text in counts for segment in segments]
        assert sum(segment.length for segment in segments) == len(words)


def test_ties_go_to_fewer_phrases_then_to_the_longer_first():
    # N sums to 4. "a b" 1/4 against "a", "b" 1/2 * 1/2: equal, and one phrase is fewer than two.
    assert texts(table_of({"a b": 1, "a": 2, "z": 1}), "a b") == ["a b"]
    # "a b", "c" and "a", "b c" have the same product and the same number: the longer comes first.
    assert texts(table_of({"a b": 3, "c": 5, "a": 5, "b c": 3}), "a b c") == ["a b", "c"]


def test_a_probable_pair_of_words_beats_a_rare_phrase():
    assert texts(table_of({"a b": 1, "a": 60, "b": 60}), "a b") == ["a", "b"]


def test_unseen_words_stand_alone_and_count_one_half():
    table = table_of({"a b": 1, "a": 1})
    assert texts(table, "b a b c") == ["b", "a b", "c"]
    assert [segment.number for segment in segment_sentences(table, ["b"])[0]] == [-1]
    # An unseen word that counts 8 makes "a", "b" better: 1/2 * 8/2 against 1/2.
    assert texts(table, "a b", unseen=8) == ["a", "b"]
    assert segment_sentences(table, ["", "a"])[0] == []
    assert segment_sentences(pg.PhraseTable.from_counts({}), ["x y"])[0][1].text == "y"
    with pytest.raises(OptionError, match="unseen must be above 0"):
        segment_sentences(table, ["a"], unseen=0)
