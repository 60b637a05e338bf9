"""METEOR: its formulas by hand, its settings, its limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from paragauge import ParaphraseTable
from paragauge.corpora import Segments
from paragauge.errors import DataError, FileError, OptionError
from paragauge.metrics import Meteor
from paragauge.metrics.f_score import f_score
from paragauge.metrics.meteor import FUNCTION_WORDS
from paragauge.monolingual import WordAligner

sentences = st.lists(st.sampled_from("the cat cats sat on mat car auto".split()), min_size=1, max_size=8).map(" ".join)


def test_the_example_of_the_2005_formula_by_hand():
    # "the cat sat on the mat" against "on the mat sat the cat": all six words are linked. With the fewest crossings,
    # mat-sat-cat have to cross; no two links are neighbours: six chunks.
    score = Meteor(preset="2005").score("the cat sat on the mat", "on the mat sat the cat")
    assert (score.precision, score.recall, score.chunks, score.matches) == (1, 1, 6, 6)
    assert score.value == approx(1 - 0.5 * (6 / 6) ** 3)
    # Half of the candidate in one piece: P = 3/4, R = 3/6.
    score = Meteor(preset="2005").score("the cat sat yesterday", "the cat sat on the mat")
    assert score.value == approx((1 - 0.5 * (1 / 3) ** 3) * (0.75 * 0.5) / (0.9 * 0.75 + 0.1 * 0.5))
    score = Meteor(preset="2007").score("the cat sat yesterday", "the cat sat on the mat")
    assert score.value == approx((1 - 0.28 * (1 / 3) ** 0.83) * (0.75 * 0.5) / (0.81 * 0.75 + 0.19 * 0.5))


def test_version_1_5_by_hand():
    # Links: the (function, exact), car - automobile (synonym), stopped - stops (stem). Weights 1, 0.8, 0.6.
    score = Meteor().score("the car stopped here", "the automobile stops")
    matched = 0.25 * 1 + 0.75 * 0.8 + 0.75 * 0.6
    precision, recall = matched / (0.25 + 3 * 0.75), matched / (0.25 + 2 * 0.75)
    assert score.precision == approx(precision)
    assert score.recall == approx(recall)
    assert (score.chunks, score.matches) == (1, 3)
    f_mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert score.value == approx((1 - 0.6 * (1 / 3) ** 0.2) * f_mean)


def test_the_jar_gives_the_same_where_it_was_asked():
    # METEOR 1.5's own program, stages exact, stem and synonym, our list of function words.
    assert Meteor(tokenizer="none").score("the cat is on the mat", "the cat is on the mat").value == 1
    assert Meteor(tokenizer="none").score("pictures", "photos").value == approx(0.8)
    assert Meteor(tokenizer="none").score("ran", "running").value == approx(0.8)


def test_identical_sentences():
    assert Meteor().score("A cat sat .", "A cat sat .").value == 1
    # The formula of 2005 punishes even one chunk, a little.
    assert Meteor(preset="2005").score("a b c d", "a b c d").value == approx(1 - 0.5 / 4**3)


@given(sentences, sentences)
def test_scores_lie_between_0_and_1_and_matches_are_symmetric(candidate, reference):
    for preset in ("2005", "2007", "1.5"):
        score = Meteor(preset=preset).score(candidate, reference)
        turned = Meteor(preset=preset).score(reference, candidate)
        assert 0 <= score.value <= 1
        assert score.matches == turned.matches
        assert score.precision == approx(turned.recall) or preset == "1.5"


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0, 1), st.floats(0, 1))
def test_f_goes_from_precision_to_recall(precision, recall, one, other):
    low, high = sorted((one, other))
    values = [f_score(precision, recall, alpha) for alpha in (0, low, high, 1)]
    assert values[0] == approx(precision)
    assert values[3] == approx(recall)
    assert values == approx(sorted(values, reverse=precision > recall))
    assert f_score(0, recall, 0.5) == f_score(precision, 0, 0.5) == 0


def test_the_best_reference_counts_and_corpora_sum():
    metric = Meteor(preset="2005")
    both = metric.score("a b c", ["x y", "a b c"])
    assert both.value == metric.score("a b c", "a b c").value
    corpus = metric.corpus_score(["a b", "c"], ["a b", "d"])
    assert (corpus.precision, corpus.chunks, corpus.matches) == (approx(2 / 3), 1, 2)


def test_options_change_what_is_linked():
    assert Meteor(stem=False, synonyms=False, paraphrases=False).score("cats", "cat").value == 0
    assert Meteor(synonyms=False, paraphrases=False).score("auto", "car").value == 0
    assert Meteor(synonyms=False).score("auto", "car").signature.get("stages") == "exact+english+paraphrase"
    assert Meteor().score("AUTO", "car").value > 0
    assert Meteor(lowercase=False).score("Word", "word").value == 0
    assert Meteor(punctuation=False).tokens("Hello, world!") == ("hello", "world")
    assert Meteor(preset=1.5) == Meteor(preset="1.5")
    assert Meteor(preset="2005", alpha=0.5).score("a b", "a").f_mean == approx(2 / 3)


def test_paraphrase_stage(tmp_path):
    table = ParaphraseTable.from_rows([("in spite of", "despite", 0.5)])
    table.save(tmp_path / "table")
    metric = Meteor(paraphrases=str(tmp_path / "table"))
    plain, with_table = (each.score("in spite of rain", "despite rain") for each in (Meteor(paraphrases=False), metric))
    assert with_table.value > plain.value
    assert with_table.matches == (4 + 2) / 2
    # Weight 0.6, in the candidate two function words and one content word.
    assert with_table.precision == approx((0.6 * (0.25 + 0.75 + 0.25) + 0.75) / (0.25 + 0.75 + 0.25 + 0.75))
    assert with_table.signature.get("stages") == "exact+english+synonym+paraphrase"
    assert len(with_table.signature.get("table")) == 12
    with pytest.raises(FileError, match="no such folder"):
        Meteor(paraphrases=str(tmp_path / "nothing")).score("a", "b")


def test_the_aligner_links_what_no_stage_knows():
    texts = "The report of the Voice of America was long .", "The VOA report was long ."
    plain, aligned = (Meteor(aligner=each).score(*texts) for each in (False, True))
    assert aligned.matches > plain.matches
    assert plain.signature.get("aligner") is None
    assert aligned.signature.get("aligner") == WordAligner.load().signature
    assert aligned.signature.get("stages") == "exact+english+synonym+paraphrase+aligner"
    rows = Meteor(aligner=True).statistics(Segments.of(*([text] for text in texts)))
    assert Meteor(aligner=True).row(Segments.of(*([text] for text in texts))) == approx(rows[0].tolist())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "1.6"}, "must be one of '2005', '2007', '1.5'"),
        ({"alpha": 2}, "a number from 0 to 1"),
        ({"gamma": "x"}, "a number from 0 to 1"),
        ({"aligner": "words"}, "must be one of True, False"),
        ({"stem": 1}, "must be one of True, False"),
        ({"paraphrases": 3}, "must be 'default', 'no' or a folder"),
        ({"tokenizer": "nothing"}, "no tokeniser named 'nothing'"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        Meteor(**options)


def test_empty_texts_and_endless_ones():
    assert Meteor().score("", "a").value == Meteor().score("a", "").value == Meteor().score("", "").value == 0
    with pytest.raises(DataError, match=r"1,000,000 words; the running time of meteor grows"):
        Meteor().score("a " * 1_000_000, "a")


def test_explanation_draws_the_best_reference():
    explanation = Meteor().explain(Segments.of(["a car"], [["nothing", "an automobile"]]))
    drawing = explanation.details[1].parts[0]
    assert explanation.verdict.startswith("1 of 2 words is linked to the reference; 'car' = 'automobile' (synonyms).")
    assert drawing.right_label == "reference 2 (the best of 2)"
    assert [(link.left, link.right, link.kind, link.weight) for link in drawing.links] == [
        ((1, 2), (1, 2), "synonym", 0.8)
    ]
    assert explanation.score.matches == 1


def test_function_words_are_frequent_ones():
    assert {"the", "of", ".", "-"} <= FUNCTION_WORDS
    assert len(FUNCTION_WORDS) == 37


@pytest.mark.data
def test_agrees_with_people_on_news(data_folder):
    import numpy as np

    folder = data_folder / "mt_daseg" / "newstest2015"
    candidates, references, human = (
        (folder / f"DAseg.newstest2015.{kind}.de-en").read_text(encoding="utf-8").splitlines()
        for kind in ("mt-system", "reference", "human")
    )
    scores = [score.value for score in Meteor().segment_scores(candidates, references)]
    assert np.corrcoef(scores, list(map(float, human)))[0, 1] > 0.5
