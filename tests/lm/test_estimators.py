"""Both estimators: by hand, against oracles, and that probabilities are probabilities."""

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import lm as lm_oracles

from paragauge import ParagaugeError, train_lm
from paragauge.lm import katz, kneser_ney
from paragauge.lm.counts import NgramCounts

sentences_of_few_words = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=8).filter(any)


def zipf_text(seed, sentences=120, words=30):
    """Enough text, with enough repetition, for every count of counts."""
    rng = random.Random(seed)
    names = [f"w{i}" for i in range(words)]
    weights = [1 / (i + 1) for i in range(words)]
    return [rng.choices(names, weights, k=rng.randrange(0, 9)) for _ in range(sentences)]


def contexts_of(sentences, order):
    """All contexts of up to order - 1 words that occur, and some that do not."""
    seen = {()}
    for sentence in sentences:
        words = ("<s>", *sentence)
        seen.update(words[i : i + n] for n in range(1, order) for i in range(len(words) - n + 1))
    return [*sorted(seen), ("nowhere",), ("<unk>", "a"), ("<s>", "nowhere")]


def p(model, word, context):
    """p(word | context) through states."""
    state = model.begin if context[:1] == ("<s>",) else model.empty
    for before in context[1:] if context[:1] == ("<s>",) else context:
        _, state = model.advance(state, before)
    return 10 ** model.advance(state, word)[0].log10_p


def assert_sums_to_one(model, contexts):
    predictable = [word for word in model.vocabulary if word != "<s>"]
    for context in contexts:
        assert sum(p(model, word, context) for word in predictable) == pytest.approx(1, abs=2e-6), context


def assert_equals(model, oracle, contexts):
    for context in contexts:
        for word in oracle.words:
            assert p(model, word, context) == pytest.approx(oracle.p(word, context), rel=2e-6), (word, context)


# By hand.


def test_discounts_of_chen_and_goodman_by_hand():
    # Y = 10 / (10 + 2 * 5) = 1/2; D1 = 1 - 2 Y 5/10, D2 = 2 - 3 Y 4/5, D3 = 3 - 4 Y 3/4
    assert kneser_ney.modified_discounts([10, 5, 4, 3]) == pytest.approx((1 - 0.5, 2 - 1.2, 3 - 1.5))


def test_good_turing_coefficients_by_hand():
    # k = 3: common = 4 * 1 / 12 = 1/3.  r = 1: 2 * 5 / 12 = 5/6 -> (5/6 - 1/3) / (2/3) = 3/4
    # r = 2: 3 * 3 / (2 * 5) = 9/10 -> (9/10 - 1/3) / (2/3) = 17/20;  r = 3: 4 * 1 / (3 * 3) = 4/9 -> 1/6
    assert katz.good_turing_coefficients([12, 5, 3, 1]) == pytest.approx([3 / 4, 17 / 20, 1 / 6])


@pytest.mark.parametrize(
    ("counts_of_counts", "coefficients"),
    [
        ([0, 5, 5, 5], []),  # no singletons: no discounting
        ([5, 0, 0, 0], []),  # k is lowered to 0
        ([4, 4, 4, 4], [1.0, 1.0, 1.0]),  # ratios above 1 are out of range
        ([2, 1], [1.0]),  # common = 1: nothing to divide by
    ],
)
def test_good_turing_coefficients_out_of_range_become_one(counts_of_counts, coefficients):
    assert katz.good_turing_coefficients(counts_of_counts) == coefficients


def test_katz_by_hand():
    # Three sentences whose SRILM model others have published (ngram-count -order 2; its output p(học|<s>) = 0.02777779
    # and p(</s>|chơi) = 0.5), where it has no <unk>.
    # Counts without <s>: tôi 3, </s> 3, đi 2, học 1, rất 1, vui 1, chơi 1; 12.
    model = train_lm(["tôi đi học", "tôi rất vui", "tôi đi chơi"], order=2, smoothing="katz", tokenizer="none")
    # Unigrams: the coefficient of 1 is out of range, nothing would be left for <unk>, so 12 becomes 13.
    assert p(model, "học", ()) == pytest.approx(1 / 13)
    assert p(model, "tôi", ()) == pytest.approx(3 / 13)
    assert p(model, "<unk>", ()) == pytest.approx(1 / 13)
    # Bigrams: n1 = 7, n2 = 1, n3 = 1, n4 = 0, so k = 2, common = 3/7.
    # d1 = (2/7 - 3/7) / (4/7) < 0 and d2 = (3/2 - 3/7) / (4/7) > 1: both become 1.
    assert model.options["coefficients"] == [[1.0], [1.0, 1.0]]
    # After <s>, tôi came 3 times of 3; the denominator becomes 4. alpha = (1 - 3/4) / (1 - 3/13) = 13/40.
    assert p(model, "tôi", ("<s>",)) == pytest.approx(3 / 4)
    assert p(model, "học", ("<s>",)) == pytest.approx(13 / 40 * 1 / 13)
    # After chơi, the end came once of once: 1/2, as SRILM says.
    assert p(model, "</s>", ("chơi",)) == pytest.approx(1 / 2)
    # After tôi: đi 2, rất 1 of 3, nothing left, so of 4. alpha = (1/4) / (1 - 2/13 - 1/13) = 13/40.
    assert p(model, "đi", ("tôi",)) == pytest.approx(2 / 4)
    assert p(model, "vui", ("tôi",)) == pytest.approx(13 / 40 * 1 / 13)
    # With SRILM's 12 in the place of 13 this is its number: (1/4) / (1 - 3/12) * 1/12.
    srilm = (1 / 4) / (1 - 3 / 12) * 1 / 12
    assert srilm == pytest.approx(0.02777779, abs=1e-7)


def test_katz_cuts_off_long_ngrams_that_occur_once():
    model = train_lm(["a b c", "a b c", "a b d"], order=3, smoothing="katz", tokenizer="none")
    assert model.options["min_counts"] == [1, 1, 2]
    state = model.begin
    for word in "ab":
        _, state = model.advance(state, word)
    assert [model.advance(state, word)[0].order for word in "cd"] == [3, 2]


def test_kneser_ney_by_hand():
    # Bigrams: <s> a 2, a b 1, a </s> 1, b </s> 1. Different words to the left: a 1, b 1, </s> 2; in all 4.
    model = train_lm([["a", "b"], ["a"]], order=2, discount_fallback=True)
    discounts = (0.5, 1.0, 1.5)
    everywhere = (0.5 + 0.5 + 1.0) / 4 / 4  # gamma over a, b, </s> and <unk>
    unigram = {"a": 0.5 / 4 + everywhere, "b": 0.5 / 4 + everywhere, "</s>": 1 / 4 + everywhere, "<unk>": everywhere}
    assert [p(model, word, ()) for word in unigram] == pytest.approx(list(unigram.values()))
    # After a: b once and </s> once, so gamma = (0.5 + 0.5) / 2.
    assert p(model, "b", ("a",)) == pytest.approx((1 - discounts[0]) / 2 + 0.5 * unigram["b"])
    assert p(model, "<unk>", ("a",)) == pytest.approx(0.5 * unigram["<unk>"])
    # After <s>: a twice, D(2) = 1, so gamma = 1/2.
    assert p(model, "a", ("<s>",)) == pytest.approx((2 - discounts[1]) / 2 + 0.5 * unigram["a"])


# Against the oracles.


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_kneser_ney_equals_oracle(seed, order):
    text = zipf_text(seed)
    model = train_lm(text, order=order, discount_fallback=True)
    adjusted = lm_oracles.adjusted_counts(text, order)
    for n, discounts in enumerate(model.options["discounts"], 1):
        k = [sum(1 for g, c in adjusted.items() if len(g) == n and c == count) for count in (1, 2, 3, 4)]
        if all(k):
            y = k[0] / (k[0] + 2 * k[1])
            expected = [i - (i + 1) * y * k[i] / k[i - 1] for i in (1, 2, 3)]
            if all(0 <= d <= i for i, d in enumerate(expected, 1)):
                assert discounts == pytest.approx(expected)
    oracle = lm_oracles.KneserNey(text, order, model.options["discounts"], [1] * order)
    assert_equals(model, oracle, contexts_of(text, order)[:: 7 if order > 2 else 1])


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_katz_equals_oracle(seed, order):
    text = zipf_text(seed)
    model = train_lm(text, order=order, smoothing="katz")
    raw = lm_oracles.raw_counts(text, order)
    for n, coefficients in enumerate(model.options["coefficients"], 1):
        counts_of_counts = {r: sum(1 for g, c in raw.items() if len(g) == n and c == r) for r in range(1, 9)}
        assert coefficients == pytest.approx(lm_oracles.good_turing(counts_of_counts, 1 if n == 1 else 7))
    oracle = lm_oracles.Katz(text, order, model.options["coefficients"], katz.default_min_counts(order))
    assert_equals(model, oracle, contexts_of(text, order)[:: 7 if order > 2 else 1])


def test_minimum_counts_equal_oracles():
    text = zipf_text(3)
    contexts = contexts_of(text, 3)[::5]
    pruned = train_lm(text, order=3, min_counts=[1, 2, 3], discount_fallback=True)
    assert pruned.sizes < train_lm(text, order=3, discount_fallback=True).sizes
    assert_equals(pruned, lm_oracles.KneserNey(text, 3, pruned.options["discounts"], [1, 2, 3]), contexts)
    assert_sums_to_one(pruned, contexts)
    cut = train_lm(text, order=3, smoothing="katz", min_counts=[1, 3])
    assert_equals(cut, lm_oracles.Katz(text, 3, cut.options["coefficients"], [1, 3, 3]), contexts)
    assert_sums_to_one(cut, contexts)


@given(sentences_of_few_words, st.integers(1, 4))
@settings(max_examples=120)
def test_counts_equal_oracle(sentences, order):
    counts = NgramCounts(sentences, order=order, threads=2)
    raw, adjusted = lm_oracles.raw_counts(sentences, order), lm_oracles.adjusted_counts(sentences, order)
    words = ("<s>", "a", "b", "c", "d", "</s>")
    for n in range(1, order + 1):
        known = [ngram for ngram in raw if len(ngram) == n]
        assert counts.sizes[n - 1] == len(known) + (2 if n == 1 else 0)  # <unk> and <s>
        for ngram in known if n > 2 else itertools.product(words, repeat=n):
            if ngram != ("<s>",):
                assert (counts[ngram], counts.adjusted(ngram)) == (raw[ngram], adjusted.get(ngram, 0))
        expected = [sum(1 for ngram in known if raw[ngram] == r) for r in (1, 2, 3)]
        assert list(counts.counts_of_counts(n, 3)) == expected


# Probabilities are probabilities.


@given(sentences_of_few_words, st.integers(1, 5), st.sampled_from(["kneser-ney", "katz"]))
@settings(max_examples=150)
def test_probabilities_sum_to_one(sentences, order, smoothing):
    model = train_lm(sentences, order=order, smoothing=smoothing, discount_fallback=True, threads=1)
    assert_sums_to_one(model, contexts_of(sentences, order)[:40])


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_probabilities_sum_to_one_in_every_context_of_a_text(smoothing):
    text = zipf_text(5)
    assert_sums_to_one(train_lm(text, order=3, smoothing=smoothing, discount_fallback=True), contexts_of(text, 3))


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_threads_change_nothing(smoothing):
    text = zipf_text(7, sentences=2000, words=500)
    models = [train_lm(text, smoothing=smoothing, discount_fallback=True, threads=n) for n in (1, 2, 7)]
    for other in models[1:]:
        assert other.sizes == models[0].sizes
        for ours, theirs in zip(models[0].arrays.tables, other.arrays.tables, strict=True):
            assert (ours == theirs).all()
        assert (models[0].scores(text, threads=1).log10_p == other.scores(text, threads=3).log10_p).all()


def test_empty_sentences_count_as_lmplz_counts_them():
    counts = NgramCounts([["a"], [], []], order=2)
    assert counts["<s>", "</s>"] == 2


def test_any_order_works():
    text = [["a"] * 80]
    model = train_lm(text, order=64, smoothing="katz")
    assert model.order == 64
    assert math.isfinite(model.score(text[0]))
    assert_sums_to_one(model, [("a",) * 63, ("<s>", *"a" * 40)])


# Mistakes.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sentences": []}, r"there are no words to train on \(found 0 empty sentences\)"),
        ({"sentences": ["", " "]}, r"there are no words to train on \(found 2 empty sentences\)"),
        ({"sentences": [["a"], ["b", "<s>"]]}, "sentence 2 contains <s>, which is reserved"),
        ({"sentences": ["a b", "<unk> b"], "tokenizer": "none"}, "sentence 2 contains <unk>, which is reserved"),
        (
            {"sentences": ["a b"]},
            r"of 1-grams: no n-gram has the adjusted count 2 \(n1=3, n2=0, n3=0, n4=0\)",
        ),
        ({"sentences": ["a b"]}, "Use more text, a lower order, Katz smoothing .*--discount-fallback: 0.5, 1, 1.5"),
        ({"sentences": ["a"], "order": 0}, "order of a language model must be between 1 and 64, got 0"),
        ({"sentences": ["a"], "order": 65}, "between 1 and 64, got 65"),
        ({"sentences": ["a"], "smoothing": "kats"}, "no smoothing named 'kats'; did you mean 'katz'?"),
        ({"sentences": ["a"], "threads": 0}, "number of threads must be between 1 and 1024; got 0"),
        ({"sentences": ["a"], "min_counts": [2]}, "must start with 1, .* got 2"),
        ({"sentences": ["a"], "min_counts": [1, 3, 2]}, "must not decrease with the order, .* got 1, 3, 2"),
        ({"sentences": ["a"], "min_counts": []}, "expected 1 to 4 numbers"),
        ({"sentences": ["a"], "discount_fallback": [1, 2]}, "must be three numbers, .* got 2"),
        ({"sentences": ["a"], "discount_fallback": [0.5, 1, 4]}, "at most 1, 2 and 3, .*got 0.5, 1, 4"),
        ({"sentences": ["a"], "tokenizer": "pen"}, "no tokeniser named 'pen'; did you mean 'penn'?"),
        ({"sentences": [["\ud800"]], "smoothing": "katz"}, "half a character"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    with pytest.raises(ParagaugeError, match=message):
        train_lm(**arguments)


def test_strings_are_split_at_white_space():
    mixed = NgramCounts(["a b", ["a b", "c"]], order=2)
    assert (mixed["a", "b"], mixed["a b", "c"], mixed["nowhere"]) == (1, 1, 0)


def test_only_counted_orders_can_be_asked_for():
    with pytest.raises(ParagaugeError, match="n-grams of 1 to 2 words were counted; got one of 3"):
        _ = NgramCounts([["a"]], order=2)["a", "b", "c"]
