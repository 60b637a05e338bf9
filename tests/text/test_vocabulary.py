"""Words and their numbers."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import DataError
from paragauge.text import TextVocabulary, Vocabulary

SENTENCES = st.lists(st.text(alphabet="ab\u00e9\u65e5 \t\u00a0\u2003\u3000", max_size=12), max_size=8)


@given(SENTENCES, SENTENCES)
def test_both_vocabularies_give_the_same_numbers(first, second):
    tokens, texts = Vocabulary(), TextVocabulary()
    for sentences in (first, second):
        one = tokens.encode(sentence.split() for sentence in sentences)
        other = texts.encode(sentences)
        assert one.ids.tolist() == other.ids.tolist()
        assert one.offsets.tolist() == other.offsets.tolist()
        assert len(one) == len(sentences)
        assert one.lengths.tolist() == [len(sentence.split()) for sentence in sentences]
    data, offsets = texts.strings()
    found = [data[begin:end].tobytes().decode() for begin, end in itertools.pairwise(offsets)]
    assert found == list(tokens)
    assert len(texts) == len(tokens)


def test_known_words_keep_their_numbers():
    vocabulary = Vocabulary.of(["b", "a"])
    assert vocabulary.encode([["a", "c"], [], ["b"]]).ids.tolist() == [1, 2, 0]


def test_what_is_no_text_is_named():
    with pytest.raises(DataError, match="target: sentence 12 has half a character"):
        TextVocabulary().encode(["a", "b\ud800"], name="target", before=10)
    for token in ("", "a b", 5):
        with pytest.raises(DataError, match="is empty, contains white space or is not a string"):
            TextVocabulary().encode([["a", token]])
