"""PEM: components by hand, models that come back as they were, training that repeats itself."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pem_models import FRENCH, OPTIONS, judgments, small_model
from pytest import approx

import paragauge as pg
from paragauge import PEM, LanguageModel, PEMPlus, PhraseTable
from paragauge.errors import DataError, FileError, OptionError
from paragauge.matching.pivot import PivotBags
from paragauge.metrics.pem_features import check_features, known_features
from paragauge.metrics.pem_model import PemModel, open_pem_model
from paragauge.metrics.pem_plus import plus_features
from paragauge.metrics.pem_train import build_pivot_table, build_resources, prune_for_pem, train_pem

ORIGINAL, GOOD = "The man buys the house.", "The man purchases the house."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return small_model(tmp_path_factory.mktemp("pem") / "small")


@pytest.fixture(scope="module")
def pem(folder):
    return PEM.load(folder)


def test_components_are_the_formulas(pem):
    score = pem.score(ORIGINAL, GOOD)
    resources = pem.opened.resources
    bags = resources.pivots["fr"]
    one, other = "the man bui the hous .", "the man purchas the hous ."
    assert score.adequacy == bags.overlap([one], [other]).f1()[0]
    assert score.dissimilarity == pg.NgramF1().score(GOOD, original=ORIGINAL).value
    words = ["the", "man", "purchases", "the", "house", "."]
    assert score.fluency == approx(resources.language_model.score(words) / 6)
    variant = pem.variant
    assert variant.features == ("adequacy", "fluency", "dissimilarity")
    row = np.array([[score.components[name] for name in variant.features]])
    assert score.value == variant.regressor.predict(row)[0]


def test_pivot_sees_what_words_do_not(pem):
    good, bad = pem.score(ORIGINAL, GOOD), pem.score(ORIGINAL, "The man sells the house.")
    assert good.adequacy > bad.adequacy
    assert good.dissimilarity == bad.dissimilarity  # one word differs in both
    assert good.value > bad.value + 1


def test_copies_random_sentences_and_salad(pem):
    assert pem.score(ORIGINAL, ORIGINAL).adequacy == 1.0
    assert pem.score(ORIGINAL, ORIGINAL).dissimilarity == 1.0
    assert pem.score(ORIGINAL, ORIGINAL).value == approx(2.0, abs=0.4)
    assert pem.score(ORIGINAL, "A kid sees a book.").value < 2.0
    assert pem.score(ORIGINAL, "house house sees the").value < 2.0
    assert pem.score(ORIGINAL, GOOD).value > 3.5


def test_original_comes_first_or_by_name(pem):
    assert pem.score(ORIGINAL, GOOD) == pem.score(GOOD, original=ORIGINAL)
    assert pem.score(ORIGINAL, GOOD) == pem.segment_scores([GOOD], originals=[ORIGINAL])[0]
    with pytest.raises(DataError, match="pem needs originals"):
        pem.score(GOOD)


def test_a_system_scores_the_mean_of_its_sentences(pem):
    candidates = [GOOD, ORIGINAL, ""]
    originals = [ORIGINAL] * 3
    corpus = pem.corpus_score(candidates, originals=originals)
    single = pem.segment_scores(candidates, originals=originals)
    assert corpus.value == approx(sum(score.value for score in single) / 3)
    assert corpus.adequacy == approx(sum(score.adequacy for score in single) / 3)
    assert corpus.signature.get("model") == pem.opened.digest


@pytest.mark.parametrize(("original", "candidate"), [("", ""), ("", GOOD), (ORIGINAL, ""), (ORIGINAL, "  ")])
def test_empty_sentences_have_an_answer(pem, original, candidate):
    score = pem.score(original, candidate)
    assert score.adequacy == score.dissimilarity == 0.0
    assert np.isfinite(score.value)


def test_text_of_any_kind_is_scored(pem):
    for text in ("\x00\x01", "مرحبا 你好 🎉", "a" * 10_000, "word " * 1000, "\u2028 \u00a0 x"):
        assert np.isfinite(pem.score(ORIGINAL, text).value)
    with pytest.raises(DataError, match="half a character"):
        pem.score(ORIGINAL, "\ud800")


def test_the_richer_variant_looks_at_more(folder):
    plus = PEMPlus.load(folder)
    score = plus.score(ORIGINAL, GOOD)
    assert {"adequacy", "fluency", "dissimilarity", *plus_features(("fr",))} == set(score.components)
    assert score.signature.metric == "pem+"
    assert score.subsequence_recall == 5 / 6
    # "_the_man_buys_the_house_._" and "_the_man_purchases_the_house_._": trigrams by hand.
    ours, theirs = (
        Counter(spelled[k : k + 3] for k in range(len(spelled) - 2))
        for spelled in ("_the_man_buys_the_house_._", "_the_man_purchases_the_house_._")
    )
    assert score.character_recall_3 == approx((ours & theirs).total() / ours.total())
    assert plus.score(ORIGINAL, ORIGINAL).copy == 1.0
    assert score.copy == 0.0


def test_rare_words_count_more(folder):
    plus = PEMPlus.load(folder)
    information = plus.opened.resources.words.information
    assert information("hous") > information("the")
    kept, lost = plus.score("the house", "a house"), plus.score("the house", "the garden")
    expected = information("hous") / (information("hous") + information("the"))
    assert kept.rare_word_recall == approx(expected)
    assert lost.rare_word_recall == approx(1 - expected)
    assert kept.rare_character_f1 > lost.rare_character_f1


def test_words_are_compared_through_their_translations(folder):
    words = PEMPlus.load(folder).opened.resources.words
    table = PhraseTable.open(Path(folder) / "pivot-fr")
    one, other = table.probabilities("bui"), table.probabilities("purchas")
    by_hand = sum((one[pivot] * other[pivot]) ** 0.5 for pivot in one.keys() & other.keys())
    assert words.similarity("bui", "purchas") == words.similarity("purchas", "bui") == approx(by_hand)
    assert by_hand > words.similarity("bui", "sell")
    assert words.similarity("querrien", "querrienn") > 0.8 > words.similarity("querrien", "tom")
    assert words.shared(["bui", "hous"], ["bui", "hous"]) == (1.0, 1.0)
    assert words.shared([], ["hous"]) == (0.0, 0.0)


def test_sentences_too_long_to_compare_are_refused(folder):
    plus = PEMPlus.load(folder)
    long = " ".join(f"word{k}" for k in range(6000))
    with pytest.raises(DataError, match="6,000 and 6,000 different words, too many"):
        plus.score(long, long)


def test_metric_can_be_written_as_text(folder):
    assert pg.parse_metric(f"pem(model={folder})") == PEM(model=folder)
    assert pg.parse_metric(f"pem+(model='{folder}')") == PEMPlus(model=folder)
    assert str(PEM(model="x")) == "pem(model='x')"
    with pytest.raises(OptionError, match="must be 'default' or a folder"):
        PEM(model=3)


def test_several_pivots_have_a_feature_each_and_their_mean(tmp_path):
    pem = PEM.load(small_model(tmp_path / "two", pivots=("fr", "de")))
    assert pem.variant.features == ("adequacy:fr", "adequacy:de", "adequacy", "fluency", "dissimilarity")
    components = pem.score(ORIGINAL, GOOD).components
    assert components["adequacy"] == (components["adequacy:fr"] + components["adequacy:de"]) / 2
    explanation = pem.explain(pg.Segments.of([GOOD], None, [ORIGINAL]))
    titles = [part.title for part in explanation.parts if hasattr(part, "title")]
    assert "candidate in de" in titles


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


def test_lean_tables_give_the_same_scores():
    rng = np.random.default_rng(5)
    phrases = [" ".join(rng.choice(list("abcd"), size=rng.integers(1, 4))) for _ in range(400)]
    targets = [" ".join(rng.choice(list("wxyz"), size=rng.integers(1, 3))) for _ in range(400)]
    table = PhraseTable.from_counts({pair: 1 + k % 3 for k, pair in enumerate(zip(phrases, targets, strict=True))})
    lean, all_of_it = (PivotBags(prune_for_pem(table, replace(OPTIONS, lean=choice))) for choice in (True, False))
    assert len(lean.table) < len(all_of_it.table) == len(table)
    lines = [" ".join(rng.choice(list("abcde"), size=9)) for _ in range(200)]
    one, other = (bags.overlap(lines, lines[::-1]) for bags in (lean, all_of_it))
    assert (one.shared == other.shared).all()


def test_rare_phrases_can_be_left_out_but_words_stay():
    table = build_pivot_table(FRENCH, OPTIONS)
    pruned = prune_for_pem(table, replace(OPTIONS, min_phrase_count=5))
    counts = {pair.source: pair.source_count for pair in pruned}
    assert all(count >= 5 for phrase, count in counts.items() if " " in phrase)
    assert {pair.source for pair in table if " " not in pair.source} == {p for p in counts if " " not in p}


def test_ready_made_parts_are_taken(folder):
    parts = Path(folder)
    resources = build_resources(
        {"fr": PhraseTable.open(parts / "pivot-fr")}, LanguageModel.load(parts / "language-model"), OPTIONS
    )
    model, reports = train_pem(resources, judgments(), OPTIONS)
    stored = open_pem_model(folder)
    for name in ("pem", "pem+"):
        assert (model.variants[name].regressor.vectors == stored.variants[name].regressor.vectors).all()
    assert reports["pem"].pearson > 0.8
    other = pg.train_lm(FRENCH.source, smoothing="katz", order=2)
    with pytest.raises(DataError, match="mixed-case words by the tokeniser 13a, expected lower-cased ones by penn"):
        build_resources({"fr": FRENCH}, other, OPTIONS)
    stems = pg.train_lm(FRENCH.source, smoothing="katz", order=2, tokenizer="penn", lowercase=True, stem=True)
    assert build_resources({"fr": FRENCH}, stems, OPTIONS).lm_stems
    with pytest.raises(DataError, match="a ready-made language model beside them"):
        build_resources({"fr": PhraseTable.open(parts / "pivot-fr")}, None, OPTIONS)
    with pytest.raises(DataError, match="at least one pivot"):
        build_resources({}, None, OPTIONS)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("model.json", "{", "PEM model is damaged"),
        ("model.json", "{}", "PEM model is damaged"),
        ("pem.vectors.npy", "", "PEM model is damaged"),
        ("pivot-fr/manifest.json", "{}", "manifest.json is damaged"),
    ],
)
def test_damaged_models_are_refused(folder, tmp_path, file, text, message):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / file).write_text(text)
    manifest = json.loads((copy / "manifest.json").read_text())
    with pytest.raises(DataError, match=r"bytes, expected|damaged"):
        PemModel.open(copy)
    manifest["files"][file]["bytes"] = len(text)
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError, match=message):
        PemModel.open(copy)
    with pytest.raises(DataError, match="is not what was written"):
        PemModel.open(copy, verify=True)


def test_pickled_arrays_are_not_loaded(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    np.save(copy / "pem.vectors.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["files"]["pem.vectors.npy"]["bytes"] = (copy / "pem.vectors.npy").stat().st_size
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError, match="PEM model is damaged"):
        PemModel.open(copy)


def test_absent_models_and_features_are_named(folder, tmp_path):
    with pytest.raises(FileError, match="no such folder, expected a folder made by paragauge"):
        PEM.load(str(tmp_path / "nothing"))
    only = small_model(tmp_path / "only", options=replace(OPTIONS, variants=("pem",)))
    with pytest.raises(OptionError, match=r"no regressor in the model named 'pem\+'"):
        PEMPlus.load(only)
    assert "adequacy:fr" in known_features(["fr"])
    with pytest.raises(OptionError, match="no feature of PEM named 'adequacy:xx'"):
        check_features(["adequacy:xx"], ["fr"])
    with pytest.raises(OptionError, match="no variant of PEM named 'pem-'"):
        replace(OPTIONS, variants=("pem-",))


def test_explanation_shows_segmentations_networks_ngrams_and_effects(pem):
    from paragauge.report.explain import explanation_html, explanation_json, explanation_text

    explanation = pem.explain(pg.Segments.of([GOOD], None, [ORIGINAL]))
    text = explanation_text([explanation])
    for expected in ("|||", "original in fr", "candidate in fr", "matched fr n-grams", "training mean", "effect"):
        assert expected in text
    html = explanation_html([explanation])
    assert html.count("<svg") == 2
    assert "achète" in html
    kinds = {part["kind"] for part in json.loads(explanation_json([explanation]))[0]["parts"]}
    assert kinds == {"text", "grid", "network"}
    regressor, values = pem.variant.regressor, explanation.score.components
    grid = next(part for part in explanation.parts if getattr(part, "columns", ())[-1:] == ("effect",))
    without = np.array([[regressor.mean[0], values["fluency"], values["dissimilarity"]]])
    assert grid.rows[0][3] == approx(explanation.score.value - regressor.predict(without)[0])


def test_markup_in_a_sentence_stays_text(pem):
    from paragauge.report.explain import explanation_html

    html = explanation_html([pem.explain(pg.Segments.of(["<script>alert(1)</script>"], None, ["<b>"]))])
    assert "<script>" not in html
    assert "<b>" not in html
