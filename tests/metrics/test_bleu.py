"""BLEU: the paper's examples, sacreBLEU's numbers, and edge cases."""

import gzip
import math
import random

import pytest
from oracles.texts import clipped_matches, words
from pytest import approx
from sacrebleu.metrics.bleu import BLEU

from paragauge import Bleu
from paragauge.corpora import Segments
from paragauge.errors import DataError
from paragauge.metrics.bleu import bleu


def test_clipping_example_of_the_paper():
    # Papineni et al. (2002), section 2.1: "the" seven times, clipped at 2: modified unigram precision 2/7.
    score = Bleu(max_order=1, brevity_penalty=False, tokenizer="none").corpus_score(
        ["the the the the the the the"], [["the cat is on the mat", "there is a cat on the mat"]]
    )
    assert score.value == approx(100 * 2 / 7)


def test_candidates_of_the_paper():
    # Papineni et al. (2002), examples 1 and 2: unigram precisions 17/18 and 8/14, bigram precisions 10/17 and 1/13.
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    one = "It is a guide to action which ensures that the military always obeys the commands of the party"
    two = "It is to insure the troops forever hearing the activity guidebook that party direct"
    first = Bleu(lowercase=True).score(one, references)
    second = Bleu(lowercase=True).score(two, references)
    assert (first.precision_1, first.precision_2) == (approx(100 * 17 / 18), approx(100 * 10 / 17))
    assert (second.precision_1, second.precision_2) == (approx(100 * 8 / 14), approx(100 * 1 / 13))


def test_pieces_multiply_to_the_whole():
    pieces = bleu([9, 10, 6, 4, 2, 1, 9, 8, 7, 6])
    assert pieces.brevity_penalty == math.exp(1 - 10 / 9)
    assert pieces.geometric_mean == approx(100 * (6 / 9 * 4 / 8 * 2 / 7 * 1 / 6) ** 0.25)
    assert pieces.score == pieces.brevity_penalty * pieces.geometric_mean


@pytest.mark.parametrize("smooth", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("effective_order", [True, False])
@pytest.mark.parametrize("max_order", [1, 2, 4])
def test_bleu_equals_sacrebleu_on_random_text(smooth, effective_order, max_order):
    rng = random.Random(f"{smooth}{effective_order}{max_order}")
    theirs = BLEU(
        smooth_method=smooth, effective_order=effective_order, max_ngram_order=max_order, tokenize="none", force=True
    )
    ours = Bleu(smooth=smooth, effective_order=effective_order, max_order=max_order, tokenizer="none")
    for _ in range(30):
        candidates = [words(rng, 9) for _ in range(4)]
        references = [[words(rng, 9) or "w1" for _ in range(2)] for _ in candidates]
        expected = theirs.corpus_score(candidates, list(zip(*references, strict=True)))
        score = ours.corpus_score(candidates, references)
        assert score.value == expected.score
        assert [score.components[f"precision_{n}"] for n in range(1, max_order + 1)] == expected.precisions
        assert score.brevity_penalty == expected.bp


def test_different_numbers_of_references_equal_sacrebleu():
    rng = random.Random(5)
    candidates = [words(rng, 12) for _ in range(20)]
    references = [[words(rng, 12) or "w2" for _ in range(rng.randint(1, 4))] for _ in candidates]
    streams = [[group[k] if k < len(group) else None for group in references] for k in range(4)]
    score = Bleu().corpus_score(candidates, references)
    assert score.value == BLEU().corpus_score(candidates, streams).score
    assert score.signature.get("nrefs") == "var"


def test_native_matches_equal_the_oracle():
    rng = random.Random(11)
    candidates = [words(rng, 30) for _ in range(200)]
    references = [[words(rng, 30) for _ in range(rng.randint(1, 3))] for _ in candidates]
    statistics = Bleu(tokenizer="none").statistics(Segments(tuple(candidates), tuple(map(tuple, references))))
    for candidate, group, row in zip(candidates, references, statistics, strict=True):
        tokens = candidate.split()
        split = [text.split() for text in group]
        assert row[2:6].tolist() == [clipped_matches(tokens, split, n) for n in range(1, 5)]
        assert row[6:].tolist() == [max(0, len(tokens) - n + 1) for n in range(1, 5)]


@pytest.mark.data
@pytest.mark.parametrize("pair", ["cs-en", "fr-en"])
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "char", "none", "zh"])
def test_bleu_equals_sacrebleu_on_newstest2012(data_folder, pair, tokenizer):
    folder = data_folder / "wmt12_toen"
    references = _lines(folder / "references/newstest2012-ref.en.gz")
    theirs = BLEU(tokenize=tokenizer, force=True)
    by_sentence = BLEU(tokenize=tokenizer, force=True, effective_order=True)
    for path in sorted((folder / "system-outputs" / pair).iterdir())[: 2 if tokenizer != "13a" else None]:
        candidates = _lines(path)
        assert Bleu(tokenizer=tokenizer).corpus_score(candidates, references).value == (
            theirs.corpus_score(candidates, [references]).score
        )
        scores = Bleu(tokenizer=tokenizer).segment_scores(candidates[:500], references[:500])
        assert [score.value for score in scores] == [
            by_sentence.sentence_score(candidate, [reference]).score
            for candidate, reference in zip(candidates[:500], references[:500], strict=True)
        ]


@pytest.mark.data
def test_bleu_equals_sacrebleu_with_two_references(data_folder):
    folder = data_folder / "wmt21_toen"
    streams = [_lines(path) for path in sorted((folder / "references").iterdir())]
    candidates = _lines(sorted((folder / "system-outputs").iterdir())[0])
    score = Bleu().corpus_score(candidates, list(zip(*streams, strict=True)))
    assert score.value == BLEU().corpus_score(candidates, streams).score
    assert str(score.signature).startswith("bleu|nrefs:2|case:mixed|tok:13a|eff:no|smooth:exp|version:")


def _lines(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def test_empty_candidate_scores_zero():
    assert Bleu().score("", "a reference").value == 0.0
    assert Bleu().corpus_score(["", "a b c d"], ["x", "a b c d"]).value > 0


def test_identical_text_scores_hundred():
    assert Bleu().score("the same four words", "the same four words").value == approx(100)


def test_empty_reference_beside_another_is_left_out():
    alone = Bleu().corpus_score(["a b c d"], [["a b c e"]])
    assert Bleu().corpus_score(["a b c d"], [["", "a b c e", " "]]) == alone
    assert Bleu().corpus_score(["a b c d"], [[""]]).value == 0.0


def test_million_tokens_in_one_segment():
    text = " ".join(str(i % 1000) for i in range(1_000_000))
    assert Bleu(tokenizer="none").score(text, text).value == approx(100)


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (["a", "b"], ["a"], "candidates has 2, references has 1 segments; the first segment without a partner is 2"),
        (
            ["a", "b", "c"],
            [["a", "b", "c"], ["d", "e", "f"]],
            r"references look transposed.*list\(zip\(\*references\)\)",
        ),
        ([], [], "there are no candidates"),
        ("text", ["text"], "candidates is one string"),
        (["text"], "text", "references is one string"),
        (["a"], [[]], "segment 1 has no reference"),
        (["a", None], ["a", "b"], "candidates: segment 2 is NoneType, expected a string"),
        (["a"], [["b", 3]], "a reference of segment 1 is int, expected a string"),
        (["a"], [3], "references of segment 1 are int, expected one string or several"),
        (["a"], None, "bleu needs references, but none were given"),
    ],
)
def test_wrong_shapes_are_explained(candidates, references, message):
    with pytest.raises(DataError, match=message):
        Bleu().corpus_score(candidates, references)
