"""chrF against sacreBLEU's, to the last digit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from paragauge.corpora import Segments
from paragauge.errors import DataError
from paragauge.metrics import Chrf
from paragauge.text.tokenize import native_tokenizer

# Of few characters, so that n-grams recur, with white space, marks and characters of any script.
texts = st.text(alphabet=st.one_of(st.sampled_from("aab .,!('é我\u3000\u00a0İA"), st.characters()), max_size=25)
options = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 3),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    }
)


def _streams(references):
    """References as sacreBLEU takes them; an empty one is a blank."""
    groups = [[text or " " for text in group] for group in references]
    width = max(map(len, groups))
    return [[group[k] if k < len(group) else None for group in groups] for k in range(width)]


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4), options)
def test_scores_equal_sacrebleus(pairs, given_options):
    candidates, references = zip(*pairs, strict=True)
    references = Segments.of(candidates, references).references  # without empty ones beside others
    theirs, ours = CHRF(**given_options), Chrf(**given_options)
    assert (
        ours.corpus_score(candidates, references).value == theirs.corpus_score(candidates, _streams(references)).score
    )
    for candidate, group in zip(candidates, references, strict=True):
        expected = theirs.sentence_score(candidate, [text or " " for text in group]).score
        assert ours.score(candidate, group).value == expected


@given(texts, texts, options)
def test_rows_equal_sacrebleus(candidate, reference, given_options):
    theirs = CHRF(**given_options)._extract_corpus_statistics([candidate], [[reference or " "]])
    assert Chrf(**given_options).statistics(Segments.of([candidate], [reference])).tolist() == theirs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(hi)", ["(hi", ")"]),
        ("(hi", ["(", "hi"]),
        ("- a. .", ["-", "a", ".", "."]),
        ("..", [".", "."]),
        ("é!", ["é", "!"]),
    ],
)
def test_words_of_chrf_plus_plus(text, words):
    assert native_tokenizer("chrf").tokens(text) == words == CHRF()._remove_punctuation(text)


def test_no_references_are_an_error():
    with pytest.raises(DataError, match="needs references"):
        Chrf().score("a")
