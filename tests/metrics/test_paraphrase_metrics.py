"""The metrics that look at the original: by hand, by oracle, by invariant."""

import math
import random

import pytest
from oracles.texts import levenshtein, ngram_counts, pinc, words
from pytest import approx

from paragauge import Bleu
from paragauge.errors import DataError
from paragauge.metrics import EditDissimilarity, IBleu, NgramF1, Pinc, Precis, SelfBleuOriginal, SelfBleuSet

RANDOM = random.Random(3)
PAIRS = [(words(RANDOM, 10), words(RANDOM, 10)) for _ in range(300)]


def test_pinc_by_hand():
    # candidate a b c d, original a b x d: unigrams share a b d, bigrams share "a b", no longer ones.
    score = Pinc().score("a b c d", original="a b x d")
    assert score.value == approx(((1 - 3 / 4) + (1 - 1 / 3) + 1 + 1) / 4)


def test_pinc_counts_each_n_gram_once():
    assert Pinc(max_order=1).score("a a a b", original="a").value == 1 - 1 / 2


def test_pinc_equals_the_oracle():
    for original, candidate in PAIRS:
        expected = pinc(original.split(), candidate.split(), 4)
        assert Pinc().score(candidate, original=original).value == approx(expected)


def test_pinc_of_copy_nothing_and_news():
    assert Pinc().score("the very same words", original="the very same words").value == 0
    assert Pinc().score("", original="words").value == 0
    assert Pinc().score("all new here", original="").value == 1


def test_ngram_f1_by_hand():
    # Bags of 3 + 2 + 1 = 6 and 2 + 1 = 3 n-grams; "he", "run" and "he run" match: F1 = 2 * 3 / (6 + 3).
    score = NgramF1().score("he runs fast", original="he run")
    assert score.value == approx(2 * 3 / (6 + 3))
    assert score.precision == approx(3 / 6)
    assert score.recall == approx(3 / 3)


def test_ngram_f1_equals_the_oracle():
    for original, candidate in PAIRS:
        bags = [sum((ngram_counts(text.split(), n) for n in range(1, 5)), start=ngram_counts([], 1)) for text in
                (candidate, original)]  # fmt: skip
        matched, sizes = (bags[0] & bags[1]).total(), bags[0].total() + bags[1].total()
        score = NgramF1(stem=False, tokenizer="none").score(candidate, original=original)
        assert score.value == approx(2 * matched / sizes if sizes else 0)


def test_ngram_f1_is_symmetric_in_value():
    for original, candidate in PAIRS[:50]:
        there = NgramF1().score(candidate, original=original)
        back = NgramF1().score(original, original=candidate)
        assert there.value == back.value
        assert there.precision == back.recall


def test_edit_dissimilarity_equals_the_oracle():
    for original, candidate in PAIRS:
        one, other = original.split(), candidate.split()
        expected = levenshtein(one, other) / max(len(one), len(other), 1)
        assert EditDissimilarity().score(candidate, original=original).value == approx(expected)


def test_edit_dissimilarity_in_characters():
    # kitten -> sitting takes three edits (Levenshtein's textbook pair); the longer has seven letters.
    assert EditDissimilarity(unit="char").score("sitting", original="kitten").value == approx(3 / 7)


def test_ibleu_is_the_weighted_difference_of_two_bleus():
    candidates, references, originals = ["a b c d e"], ["a b c d f"], ["a b x d e"]
    against = [Bleu().corpus_score(candidates, texts).value for texts in (references, originals)]
    score = IBleu(alpha=0.7).corpus_score(candidates, references, originals=originals)
    assert score.value == approx(0.7 * against[0] - 0.3 * against[1])
    assert (score.bleu_references, score.bleu_originals) == tuple(against)


def test_self_bleu_original_is_bleu_with_originals_as_references():
    candidates, originals = ["a b c d e", "x"], ["a b c d f", "x y"]
    assert SelfBleuOriginal().corpus_score(candidates, originals=originals).value == (
        Bleu().corpus_score(candidates, originals).value
    )


def test_self_bleu_set_is_sentence_bleu_against_all_others():
    rng = random.Random(9)
    candidates = [words(rng, 8) or "w0" for _ in range(25)]
    scores = SelfBleuSet(tokenizer="none").segment_scores(candidates)
    for i, score in enumerate(scores):
        others = candidates[:i] + candidates[i + 1 :]
        assert score.value == approx(Bleu(tokenizer="none").score(candidates[i], others).value)
    whole = SelfBleuSet(tokenizer="none").corpus_score(candidates)
    assert whole.value == approx(math.fsum(score.value for score in scores) / len(scores))


def test_self_bleu_set_needs_a_set():
    with pytest.raises(DataError, match="needs at least two; found one"):
        SelfBleuSet().corpus_score(["alone"])
    with pytest.raises(DataError, match="use corpus_score or segment_scores"):
        SelfBleuSet().score("alone")


def test_precis_is_bleu_for_candidates_short_enough():
    score = Precis().corpus_score(["a b c d"], ["a b c d"], originals=["a b c d e f g h"])
    assert score.value == approx(100)
    assert score.verbosity_penalty == 1
    assert score.compression_rate == 4 / 8


def test_precis_punishes_verbosity_exponentially():
    score = Precis(target_rate=0.5, weight=5).corpus_score(["a b c d"], ["a b c d"], originals=["a b c d e"])
    assert score.value == approx(100 * math.exp(5 * (0.5 - 4 / 5)))


def test_precis_of_an_empty_original():
    assert Precis().score("a b", "a b", original="").value == 0
    assert Precis().score("", "a b", original="").value == 0
    components = Precis().score("a b", "a b", original="").components
    assert all(map(math.isfinite, components.values()))
    assert components["compression_rate"] == 2


def test_metrics_name_what_is_missing():
    with pytest.raises(DataError, match="pinc needs originals, but none were given"):
        Pinc().corpus_score(["a"], ["a"])
    with pytest.raises(DataError, match="parallel texts differ in length: candidates has 1, originals has 2 segments"):
        Pinc().corpus_score(["a"], originals=["a", "b"])
    with pytest.raises(DataError, match="originals is one string"):
        Pinc().corpus_score(["a"], originals="a")
