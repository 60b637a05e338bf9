"""PEM: components by hand, models that come back as they were, training that repeats itself."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytest import approx
from support.pem_models import FRENCH, OPTIONS, judgments, small_model
from support.resources import sign_again

import paragauge as pg
from paragauge import PEM, LanguageModel, PhraseTable
from paragauge.corpora import Segments
from paragauge.corpora.judged_pairs import ADEQUACY, FLUENCY, JudgedPair, JudgedPairs
from paragauge.errors import DataError, FileError, OptionError
from paragauge.matching.pivot import BagOptions, PivotBags
from paragauge.metrics import NgramF1
from paragauge.metrics.pem.features import ORDINARY_LOG_ODDS, RARE
from paragauge.metrics.pem.model import PemModel, open_pem_model
from paragauge.metrics.pem.training import TrainingOptions, build_pivot_table, build_resources, prune_for_pem, train_pem

ORIGINAL, GOOD = "The man buys the house.", "The man purchases the house."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_model(tmp_path_factory.mktemp("pem") / "small")


@pytest.fixture(scope="module")
def pem(folder):
    return PEM.load(folder)


def test_components_are_the_formulas(pem):
    score = pem.score(GOOD, original=ORIGINAL)
    model = pem.opened
    resources = model.resources
    one, other = "the man bui the hous", "the man purchas the hous"  # no full stop
    assert score.adequacy == resources.pivots["fr"].overlap([one], [other]).f1()[0]
    # Unigrams 4 of 5, bigrams 2 of 4, trigrams 0 of 3, 4-grams 0 of 2.
    assert score.dissimilarity == approx((4 + 2) / (5 + 4 + 3 + 2))
    words = [["the", "man", verb, "the", "house", "."] for verb in ("buys", "purchases")]
    one, other = resources.language_model.log_odds(words, rare=RARE)
    assert score.fluency == approx(min(other - min(one, ORDINARY_LOG_ODDS), 0.0))
    back = pem.score(ORIGINAL, original=GOOD)
    assert back.fluency == approx(min(one - min(other, ORDINARY_LOG_ODDS), 0.0))
    assert max(score.fluency, back.fluency) == 0.0  # text that is better known is not better English
    assert model.features == ("adequacy", "fluency", "dissimilarity")
    row = np.array([[score.components[name] for name in model.features]])
    assert score.value == model.regressor.predict(row)[0]


def test_components_of_the_papers_preset(tmp_path):
    options = TrainingOptions.paper(controls=True, folds=3, svr=OPTIONS.svr, seed=7)
    pem = PEM.load(small_model(tmp_path / "paper", options=options))
    resources = pem.opened.resources
    assert resources.pivots["fr"].options == BagOptions.paper()
    assert any(" " in pair.source for pair in resources.pivots["fr"].table)
    score = pem.score(GOOD, original=ORIGINAL)
    one, other = "the man bui the hous .", "the man purchas the hous ."
    assert score.adequacy == resources.pivots["fr"].overlap([one], [other]).f1()[0]
    assert score.dissimilarity == NgramF1().score(GOOD, original=ORIGINAL).value
    words = ["the", "man", "purchases", "the", "house", "."]
    assert score.fluency == approx(resources.language_model.score(words) / 6)


def test_unknown_words_do_not_rule_fluency(pem):
    shuffled = pem.score("house the buys man the.", original=ORIGINAL)
    known, unknown = (pem.score(f"The man buys the {word}.", original=ORIGINAL) for word in ("house", "querrien"))
    assert known.fluency == 0.0
    assert shuffled.fluency < unknown.fluency


def test_a_copy_without_punctuation_is_a_copy(pem):
    score = pem.score("the man buys the house", original=ORIGINAL)
    assert score.adequacy == score.dissimilarity == 1.0


def test_pivot_sees_what_words_do_not(pem):
    good, bad = pem.score(GOOD, original=ORIGINAL), pem.score("The man sells the house.", original=ORIGINAL)
    assert good.adequacy > bad.adequacy
    assert good.dissimilarity == bad.dissimilarity  # one word differs in both
    assert good.value > bad.value + 1


def test_copies_random_sentences_and_salad(pem):
    assert pem.score(ORIGINAL, original=ORIGINAL).adequacy == 1.0
    assert pem.score(ORIGINAL, original=ORIGINAL).dissimilarity == 1.0
    assert pem.score(ORIGINAL, original=ORIGINAL).value == approx(2.0, abs=0.4)
    assert pem.score("A kid sees a book.", original=ORIGINAL).value < 2.0
    assert pem.score("house house sees the", original=ORIGINAL).value < 2.0
    assert pem.score(GOOD, original=ORIGINAL).value > 3.5


def test_the_candidate_comes_first_and_the_original_by_name(pem):
    assert pem.score(GOOD, original=ORIGINAL) == pem.segment_scores([GOOD], originals=[ORIGINAL])[0]
    with pytest.raises(DataError, match="pem needs originals"):
        pem.score(GOOD)
    with pytest.raises(DataError, match=r"pass the original by name: score\(candidate, original=...\)"):
        pem.score(ORIGINAL, GOOD)
    with pytest.raises(DataError, match="takes no references"):
        pem.score(GOOD, [ORIGINAL])
    with pytest.raises(DataError, match="the candidate comes first"):
        pem.segment_scores([ORIGINAL], [GOOD])
    with pytest.raises(DataError, match="the candidate comes first"):
        pem.corpus_score([ORIGINAL], [GOOD])
    assert pem.score(original=ORIGINAL, candidate=GOOD) == pem.score(GOOD, original=ORIGINAL)
    assert pem.score(GOOD, ["not looked at"], original=ORIGINAL) == pem.score(GOOD, original=ORIGINAL)


def test_a_system_scores_the_mean_of_its_sentences(pem):
    candidates = [GOOD, ORIGINAL, ""]
    originals = [ORIGINAL] * 3
    corpus = pem.corpus_score(candidates, originals=originals)
    single = pem.segment_scores(candidates, originals=originals)
    assert corpus.value == approx(sum(score.value for score in single) / 3)
    assert corpus.adequacy == approx(sum(score.adequacy for score in single) / 3)
    assert corpus.signature.get("model") == pem.opened.digest


@pytest.mark.parametrize(
    ("original", "candidate"), [("", ""), ("", GOOD), (ORIGINAL, ""), (ORIGINAL, "  "), (ORIGINAL, "...")]
)
def test_empty_sentences_have_an_answer(pem, original, candidate):
    score = pem.score(candidate, original=original)
    assert score.adequacy == score.dissimilarity == 0.0
    assert 1.0 <= score.value <= 5.0
    if candidate != GOOD:
        assert score.value == 1.0


def test_text_of_any_kind_is_scored(pem):
    for text in ("\x00\x01", "مرحبا 你好 🎉", "a" * 10_000, "word " * 1000, "\u2028 \u00a0 x"):
        assert 1.0 <= pem.score(text, original=ORIGINAL).value <= 5.0
    with pytest.raises(DataError, match="lone surrogate"):
        pem.score("\ud800", original=ORIGINAL)


def test_metric_can_be_written_as_text(folder):
    assert pg.parse_metric(f"pem(model={folder})") == PEM(model=folder)
    assert str(PEM(model="x")) == "pem(model='x')"
    with pytest.raises(OptionError, match="must be 'default' or a folder"):
        PEM(model=3)


def test_several_pivots_have_a_feature_each_and_their_mean(tmp_path):
    pem = PEM.load(small_model(tmp_path / "two", pivots=("fr", "de")))
    assert pem.opened.features == ("adequacy:fr", "adequacy:de", "adequacy", "fluency", "dissimilarity")
    components = pem.score(GOOD, original=ORIGINAL).components
    assert components["adequacy"] == (components["adequacy:fr"] + components["adequacy:de"]) / 2
    explanation = pem.explain(Segments.of([GOOD], None, [ORIGINAL]))
    titles = [part.title for detail in explanation.details for part in detail.parts]
    assert "candidate in German" in titles


def test_training_repeats_itself_byte_for_byte(folder, tmp_path):
    again = Path(small_model(tmp_path / "again", threads=1))
    first = Path(folder)
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    for name in files:
        assert (first / name).read_bytes() == (again / name).read_bytes(), name


def test_tables_and_language_model_open_by_themselves(folder):
    table = PhraseTable.open(Path(folder) / "pivot-fr")
    assert "achète" in table.probabilities("purchas")
    assert LanguageModel.load(Path(folder) / "language-model").order == 4


@pytest.mark.parametrize("min_edge", [0.1, 0.25])
def test_lean_tables_give_the_same_scores(min_edge):
    rng = np.random.default_rng(5)
    phrases = [" ".join(rng.choice(list("abcd"), size=rng.integers(1, 4))) for _ in range(400)]
    targets = [" ".join(rng.choice(list("wxyz"), size=rng.integers(1, 3))) for _ in range(400)]
    table = PhraseTable.from_counts({pair: 1 + k % 3 for k, pair in enumerate(zip(phrases, targets, strict=True))})
    options = replace(OPTIONS, max_phrase=4, bags=BagOptions(min_edge=min_edge))
    lean, all_of_it = (
        PivotBags(prune_for_pem(table, replace(options, lean=choice)), options.bags) for choice in (True, False)
    )
    assert len(lean.table) < len(all_of_it.table) == len(table)
    lines = [" ".join(rng.choice(list("abcde"), size=9)) for _ in range(200)]
    one, other = (bags.overlap(lines, lines[::-1]) for bags in (lean, all_of_it))
    assert (one.shared == other.shared).all()


def test_rare_phrases_can_be_left_out_but_words_stay():
    table = build_pivot_table(FRENCH, OPTIONS)
    pruned = prune_for_pem(table, replace(OPTIONS, max_phrase=4, min_phrase_count=5))
    counts = {pair.source: pair.source_count for pair in pruned}
    assert all(count >= 5 for phrase, count in counts.items() if " " in phrase)
    assert {pair.source for pair in table if " " not in pair.source} == {p for p in counts if " " not in p}


def test_ready_made_parts_are_taken(folder):
    parts = Path(folder)
    resources = build_resources(
        {"fr": PhraseTable.open(parts / "pivot-fr")}, LanguageModel.load(parts / "language-model"), OPTIONS
    )
    model, report = train_pem(resources, judgments(), OPTIONS)
    assert (model.regressor.vectors == open_pem_model(folder).regressor.vectors).all()
    assert report.pearson > 0.8
    other = pg.train_lm(FRENCH.source, smoothing="katz", order=2)
    with pytest.raises(DataError, match="mixed-case words by the tokeniser 13a, expected lower-cased ones by penn"):
        build_resources({"fr": FRENCH}, other, OPTIONS)
    stems = pg.train_lm(FRENCH.source, smoothing="katz", order=2, tokenizer="penn", lowercase=True, stem=True)
    assert build_resources({"fr": FRENCH}, stems, OPTIONS).lm_stems
    with pytest.raises(DataError, match="phrase tables need an existing language model"):
        build_resources({"fr": PhraseTable.open(parts / "pivot-fr")}, None, OPTIONS)
    with pytest.raises(DataError, match="at least one pivot"):
        build_resources({}, None, OPTIONS)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("model.json", "{", "PEM model is damaged"),
        ("model.json", "{}", "PEM model is damaged"),
        ("vectors.npy", "", "is not an array"),
        ("pivot-fr/manifest.json", "{}", "manifest.json is damaged"),
    ],
)
def test_damaged_models_are_refused(folder, tmp_path, file, text, message):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / file).write_text(text)
    with pytest.raises(DataError, match=r"bytes, expected|damaged"):
        PemModel.open(copy)
    sign_again(copy)
    with pytest.raises(DataError, match=message):
        PemModel.open(copy)


def test_pickled_arrays_are_not_loaded(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    np.save(copy / "vectors.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    sign_again(copy)
    with pytest.raises(DataError, match="is not an array"):
        PemModel.open(copy)


def test_absent_models_are_named(tmp_path):
    with pytest.raises(FileError, match="no such folder, expected a folder made by paragauge"):
        PEM.load(str(tmp_path / "nothing"))


def test_models_of_an_older_format_are_refused(folder, tmp_path):
    copy = tmp_path / "old"
    shutil.copytree(folder, copy)
    sign_again(copy, format=1)
    with pytest.raises(DataError, match=r"has format 1, .* this version reads format 2: train the model again"):
        PemModel.open(copy)


def test_the_stemmer_is_kept_and_signed(tmp_path):
    options = replace(OPTIONS, stemmer="english", tokenizer="intl")
    pem = PEM.load(small_model(tmp_path / "stems", options=options))
    assert json.loads((tmp_path / "stems" / "model.json").read_text())["stemmer"] == "english"
    score = pem.score(GOOD, original=ORIGINAL)
    assert score.signature.get("stem") == "english"
    with pytest.raises(OptionError, match=r"no stemmer named 'klingon'; known: .*french"):
        replace(OPTIONS, stemmer="klingon")
    stems = pg.train_lm(FRENCH.source, smoothing="katz", order=2, tokenizer="intl", lowercase=True, stem=True)
    with pytest.raises(DataError, match="stems by porter, expected words or stems by english"):
        build_resources({"fr": FRENCH}, stems, options)


def _parts(adequacy, fluency=None):
    rows = []
    for k, (original, candidate) in enumerate(zip(FRENCH.source, FRENCH.source[1:], strict=False)):
        rows.append(JudgedPair(original, candidate, adequacy[k % len(adequacy)], criterion=ADEQUACY))
        if fluency is not None:
            rows.append(JudgedPair(original, candidate, fluency, criterion=FLUENCY))
    return JudgedPairs(tuple(rows))


def test_adequacy_and_fluency_make_the_overall_score_where_nobody_judged_it():
    resources = build_resources({"fr": FRENCH}, None, OPTIONS)
    _, report = train_pem(resources, _parts([1.0, 5.0]), OPTIONS)
    assert report.by_rule
    assert report.judged == len(FRENCH.source) - 1
    predictions = report.validation.predictions
    # Nothing is worth more than 1 if it is not fluent.
    _, broken = train_pem(resources, _parts([2.0, 5.0], fluency=1.0), replace(OPTIONS, controls=False))
    assert broken.validation.predictions == approx(np.ones(report.judged), abs=0.11)
    assert predictions[: report.judged].max() > 1.5


def test_judgments_that_teach_nothing_are_refused():
    resources = build_resources({"fr": FRENCH}, None, OPTIONS)
    same = JudgedPairs(tuple(row._replace(score=3.0) for row in judgments()))
    with pytest.raises(DataError, match=r"all 36 judged candidates have the same score \(3 on the scale"):
        train_pem(resources, same, OPTIONS)
    dissimilar = JudgedPairs(tuple(row._replace(criterion="dissimilarity") for row in judgments()))
    with pytest.raises(DataError, match="no score to learn from; expected the criterion 'overall'"):
        train_pem(resources, dissimilar, OPTIONS)


def test_judgments_of_another_language_are_refused_or_doubted(caplog):
    resources = build_resources({"fr": FRENCH}, None, OPTIONS)
    pairs = list(zip(FRENCH.target[:-1], FRENCH.target[1:], strict=True))
    french = tuple(JudgedPair(*pair, 1.0 + k % 5) for k, pair in enumerate(pairs))
    with pytest.raises(DataError, match=r"0% of the words .* are the judgments in another language"):
        train_pem(resources, JudgedPairs(french), OPTIONS)
    rare = JudgedPairs(
        tuple(row._replace(candidate="querrien ploumoguer kerlouan plouguin house", original=row.original)
              for row in judgments())
    )  # fmt: skip
    rare = JudgedPairs(tuple(row._replace(original=f"{row.original} a b c d e") for row in rare))
    train_pem(resources, rare, OPTIONS)
    assert "adequacy will be unreliable" in caplog.text


def test_a_regressor_that_answers_the_wrong_way_is_named(caplog):
    resources = build_resources({"fr": FRENCH}, None, OPTIONS)
    upside_down = JudgedPairs(tuple(row._replace(score=6.0 - row.score) for row in judgments()))
    _, report = train_pem(resources, upside_down, replace(OPTIONS, controls=False))
    assert any("the score falls from" in text and "while adequacy grows from" in text for text in report.complaints())
    assert "the model responds the wrong way: the score falls" in caplog.text
    _, right = train_pem(resources, judgments(), replace(OPTIONS, controls=False))
    assert not any("adequacy grows" in text for text in right.complaints())


def test_explanation_shows_segmentations_networks_ngrams_and_effects(pem):
    from paragauge.report.explain import explanation_html, explanation_json, explanation_text

    explanation = pem.explain(Segments.of([GOOD], None, [ORIGINAL]))
    text = explanation_text([explanation], details=True)
    for expected in ("original in French", "candidate in French", "French n-grams of both", "training mean", "effect"):
        assert expected in text
    html = explanation_html([explanation])
    assert html.count("<svg") == sum(
        len(part.segments) for detail in explanation.details for part in detail.parts if hasattr(part, "segments")
    )
    assert "achète" in html
    data = json.loads(explanation_json([explanation]))[0]
    parts = [*data["parts"], *(part for detail in data["details"] for part in detail["parts"])]
    assert {part["kind"] for part in parts} == {"text", "grid", "network", "formula"}
    grid = next(part for part in explanation.parts if getattr(part, "columns", ())[-1:] == ("effect",))
    means = pem.opened.scores(pem.opened.regressor.mean[None], np.zeros(1, dtype=bool))[0]
    assert means + sum(row[3] for row in grid.rows) == approx(explanation.score.value)


def test_markup_in_a_sentence_stays_text(pem):
    from paragauge.report.explain import explanation_html

    html = explanation_html([pem.explain(Segments.of(["<script>alert(1)</script>"], None, ["<b>"]))])
    assert "<script>" not in html
    assert "<b>" not in html
