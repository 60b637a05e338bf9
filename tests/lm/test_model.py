"""Queries: scores, states, perplexity, threads; model folders, whole and damaged."""

import json
import math
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.resources import sign_again

from paragauge import LanguageModel, ParagaugeError, train_lm
from paragauge.lm import State, open_model
from paragauge.resource import read_manifest

TEXT = ["the cat sat on the mat", "the dog sat on the rug", "a cat ran", "the cat ran on the mat", "a dog sat"]


@pytest.fixture(scope="module")
def model():
    return train_lm(TEXT, order=3, smoothing="katz", tokenizer="none")


def test_score_is_the_sum_over_words_and_the_end(model):
    words = model.words("the cat flew")
    assert [word.word for word in words] == ["the", "cat", "flew", "</s>"]
    assert [word.unknown for word in words] == [False, False, True, False]
    assert model.score("the cat flew") == pytest.approx(sum(word.log10_p for word in words))
    assert model.normalised("the cat flew") == pytest.approx(model.score("the cat flew") / 3)


def test_arrays_of_words_say_what_single_words_do(model):
    sentences = [["the", "cat", "flew"], [], ["a", "dog", "sat"]]
    numbers, log10_p, orders = model.word_arrays(sentences)
    words = [word for sentence in sentences for word in model.words(sentence)]
    names = list(model.vocabulary)
    assert [names[number] for number in numbers] == ["<unk>" if word.unknown else word.word for word in words]
    assert log10_p.tolist() == pytest.approx([word.log10_p for word in words], abs=1e-6)
    assert orders.tolist() == [word.order for word in words]
    with pytest.raises(ParagaugeError, match="surrogate"):
        model.word_arrays([["\ud800"]])


def test_log_odds_compare_words_in_their_places_with_words_anywhere(model):
    sentences = [["mat", "flew", "the", "cat"], [], ["flew"]]  # flew is unknown

    def expected(sentence, rare):
        odds = []
        for word in model.words(sentence):
            anywhere = model.advance(model.empty, word.word)[0].log10_p
            if not word.unknown:
                odds.append(word.log10_p - anywhere if anywhere >= rare else max(0.0, word.log10_p - anywhere))
        return sum(odds) / len(odds)

    for rare in (-math.inf, -0.8, 0.0):
        found = model.log_odds(sentences, rare=rare).tolist()
        assert found == pytest.approx([expected(sentence, rare) for sentence in sentences], abs=1e-6)
    assert model.log_odds(sentences)[0] < model.log_odds(sentences, rare=0.0)[0]
    assert model.log_odds(sentences[:1])[0] == model.log_odds(sentences)[0]  # whatever stands beside it


def test_an_empty_sentence_has_a_written_answer(model):
    assert [word.word for word in model.words("")] == ["</s>"]
    assert model.normalised("") == model.score("") == model.score([])


def test_strings_go_through_the_pipeline_and_words_do_not():
    lowercased = train_lm(TEXT, order=2, smoothing="katz", lowercase=True)
    assert lowercased.score("The cat!") == lowercased.score(["the", "cat", "!"])
    assert lowercased.score(["The"]) < lowercased.score(["the"])


def test_perplexity_with_and_without_unknown_words(model):
    sentences = ["the cat flew", "a dog sat"]
    words = [word for sentence in sentences for word in model.words(sentence)]
    known = [word for word in words if not word.unknown]
    assert (len(words), len(known)) == (8, 7)
    assert model.perplexity(sentences) == pytest.approx(10 ** (-sum(word.log10_p for word in words) / 8))
    assert model.perplexity(sentences, include_unknown=False) == pytest.approx(
        10 ** (-sum(word.log10_p for word in known) / 7)
    )
    scores = model.scores(sentences)
    assert scores.perplexities() == pytest.approx([model.perplexity([sentence]) for sentence in sentences])
    assert scores.perplexities(include_unknown=False)[0] == pytest.approx(
        model.perplexity(sentences[:1], include_unknown=False)
    )
    assert scores.tokens == 8


def test_states_are_small_values(model):
    _, after_the_cat = model.advance(model.advance(model.begin, "the")[1], "cat")
    _, elsewhere = model.advance(model.advance(model.advance(model.begin, "sat")[1], "the")[1], "cat")
    assert after_the_cat != model.begin
    assert len({after_the_cat, elsewhere, after_the_cat}) == 1 + (after_the_cat != elsewhere)
    assert model.advance(model.begin, "unheard")[1] == State() == model.empty
    assert model.advance(model.begin, "</s>")[1] == model.empty  # nothing follows an end
    with pytest.raises(AttributeError):
        after_the_cat.nodes = ()


def test_a_state_keeps_only_what_can_matter():
    # "b" was never seen inside a longer n-gram than "a b </s>": after "x b", only "b" can matter.
    model = train_lm([["a", "b", "c"], ["x", "b"]], order=3, discount_fallback=True)
    _, state = model.advance(model.advance(model.empty, "a")[1], "c")
    assert len(state.nodes) <= 1


def test_a_state_of_another_model_is_refused(model):
    with pytest.raises(ValueError, match="belongs to another model"):
        model.advance(State((10_000,)), "the")
    with pytest.raises(ValueError, match="belongs to another model"):
        model.advance(State((1, 1, 1, 1)), "the")


def test_the_vocabulary_is_known(model):
    assert list(model.vocabulary)[:5] == ["<unk>", "<s>", "</s>", "the", "cat"]
    assert len(model.vocabulary) == model.sizes[0] == 12
    assert "cat" in model
    assert "flew" not in model
    assert "" not in model


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8"), max_size=12), max_size=6))
def test_white_space_is_what_python_says_it_is(sentences):
    model = train_lm(TEXT, order=2, smoothing="katz", tokenizer="none")
    texts, tokens = model.scores(sentences), model.scores([sentence.split() for sentence in sentences])
    assert (texts.words == [len(sentence.split()) for sentence in sentences]).all()
    assert (texts.log10_p == tokens.log10_p).all()


def test_every_white_space_character_splits(model):
    spaces = [chr(code) for code in range(0x3001) if chr(code).isspace()]
    assert len(spaces) > 25
    for space in spaces:
        assert model.score(f"{space}the{space}{space}cat{space}") == model.score(["the", "cat"]), hex(ord(space))
    assert model.scores(["the\u200bcat"]).words[0] == 1  # a zero-width space is none


def test_batches_threads_and_mixtures_give_the_same(model):
    sentences = TEXT * 40_000  # more than one batch
    scores = model.scores(iter(sentences), threads=2)
    assert len(scores.log10_p) == 200_000
    assert (scores.log10_p[:5] == [model.score(sentence) for sentence in TEXT]).all()
    assert (scores.log10_p.reshape(-1, 5) == scores.log10_p[:5]).all()
    mixed = model.scores([TEXT[0], TEXT[1].split(), tuple(TEXT[2].split())])
    assert (mixed.log10_p == scores.log10_p[:3]).all()
    assert len(model.scores([]).log10_p) == 0


def test_several_python_threads_may_ask_at_once(model):
    expected, results = model.scores(TEXT * 200).log10_p, []

    def ask():
        results.append(model.scores(TEXT * 200, threads=2).log10_p)

    workers = [threading.Thread(target=ask) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 6
    assert all((result == expected).all() for result in results)


def test_no_sentence_has_no_perplexity(model):
    with pytest.raises(ParagaugeError, match="perplexity needs at least one sentence"):
        model.perplexity([])


def test_half_a_character_is_no_text(model):
    for sentence in ("a \ud800", ["\udc00"]):
        with pytest.raises(ParagaugeError, match="half a character"):
            model.scores([sentence])


# Folders.


def test_save_and_load(model, tmp_path):
    model.save(tmp_path / "m.lm", inputs={"text": "0123"}, licence="CC0-1.0")
    loaded = LanguageModel.load(tmp_path / "m.lm", verify=True)
    assert not loaded.arrays.tables[0].flags.writeable
    assert (loaded.sizes, loaded.order, loaded.options) == (model.sizes, model.order, model.options)
    assert loaded.pipeline == model.pipeline
    assert list(loaded.vocabulary) == list(model.vocabulary)
    assert loaded.words("the dog flew") == model.words("the dog flew")
    assert loaded.manifest.licence == "CC0-1.0"
    assert loaded.manifest.inputs == {"text": "0123"}
    assert loaded.signature == loaded.manifest.digest()
    assert repr(loaded) == repr(model) == "<LanguageModel of order 3, 12/18/4 n-grams, katz>"


def test_the_same_text_gives_the_same_bytes(tmp_path):
    for name, threads in (("a", 1), ("b", 2)):
        train_lm(TEXT, order=3, smoothing="katz", threads=threads).save(tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b").iterdir())
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_pipeline_is_kept(tmp_path):
    train_lm(TEXT, order=2, smoothing="katz", tokenizer="penn", lowercase=True, stem=True).save(tmp_path / "m")
    loaded = LanguageModel.load(tmp_path / "m")
    assert (loaded.pipeline.tokenizer, loaded.pipeline.lowercase, loaded.pipeline.stem) == ("penn", True, True)
    assert loaded.score("The CATS sat.") == loaded.score(["the", "cat", "sat", "."])


def test_several_processes_read_one_model(model, tmp_path):
    model.save(tmp_path / "m")
    code = "import sys; from paragauge import LanguageModel; print(LanguageModel.load(sys.argv[1]).score('a cat sat'))"
    running = [subprocess.Popen([sys.executable, "-c", code, tmp_path / "m"], stdout=subprocess.PIPE) for _ in range(2)]
    assert [float(process.communicate()[0]) for process in running] == [model.score("a cat sat")] * 2


def test_a_model_without_a_folder_has_no_digest(model):
    with pytest.raises(ParagaugeError, match="save and open it first"):
        _ = model.signature


def _damaged(model, folder, change):
    model.save(folder / "m")
    change(folder / "m")
    with pytest.raises(ParagaugeError) as caught:
        LanguageModel.load(folder / "m")
    return str(caught.value)


def _replace_array(name, array):
    """Put another array into a model, its manifest made to fit: what a hostile file would do."""

    def change(folder):
        np.save(folder / name, array, allow_pickle=array.dtype == object)
        sign_again(folder)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda folder: (folder / "ngrams.2.npy").unlink(),
            "the file ngrams.2.npy is missing; the copy may be incomplete",
        ),
        (lambda folder: (folder / "ngrams.2.npy").write_bytes(b"x"), "ngrams.2.npy has 1 bytes, expected"),
        (_replace_array("ngrams.2.npy", np.zeros((4, 2), dtype=np.int32)), "holds <i4 in 2 dimension.s., expected <u8"),
        (_replace_array("ngrams.2.npy", np.array([{}])), "ngrams.2.npy: is not an array"),
        (_replace_array("ngrams.2.npy", np.zeros((4, 3), dtype=np.uint64)), "needs two columns"),
        (
            _replace_array("ngrams.2.npy", np.zeros((0, 2), dtype=np.uint64)),
            "two columns",
        ),
        (_replace_array("ngrams.1.npy", np.zeros((1, 2), dtype=np.float32)), "needs between 3 and"),
        (_replace_array("word_offsets.npy", np.zeros(3, dtype=np.int64)), "one entry more than there are unigrams"),
    ],
)
def test_damaged_folders_are_explained(model, tmp_path, change, message):
    import re

    assert re.search(message, _damaged(model, tmp_path, change))


def test_a_damaged_manifest_is_explained(model, tmp_path):
    def change(folder):
        manifest = json.loads((folder / "manifest.json").read_text())
        del manifest["options"]["text"]
        sign_again(folder, options=manifest["options"])

    assert "manifest.json is damaged ('text')" in _damaged(model, tmp_path, change)


def test_hostile_arrays_do_no_harm(model, tmp_path):
    rng = np.random.default_rng(1)
    model.save(tmp_path / "m")
    for name in [path.name for path in (tmp_path / "m").glob("*.npy")]:
        for _ in range(10):
            shutil.copytree(tmp_path / "m", tmp_path / "hostile")
            array = np.load(tmp_path / "m" / name)
            noise = rng.integers(0, 256, array.nbytes, dtype=np.uint8).view(array.dtype).reshape(array.shape)
            _replace_array(name, noise)(tmp_path / "hostile")
            hostile = LanguageModel.load(tmp_path / "hostile")
            hostile.scores([*TEXT, "x y z"])
            hostile.words("the cat flew")
            list(hostile.vocabulary)
            try:
                from paragauge.lm.arpa import write_arpa

                write_arpa(hostile, tmp_path / "out.arpa")
            except (ParagaugeError, RuntimeError):
                pass
            shutil.rmtree(tmp_path / "hostile")


def test_open_model_recognises_files_and_explains_others(model, tmp_path):
    from paragauge.lm.arpa import write_arpa

    model.save(tmp_path / "m.lm")
    write_arpa(model, tmp_path / "m.arpa")
    assert open_model(tmp_path / "m.lm").score("a cat") == open_model(tmp_path / "m.arpa").score("a cat")
    assert read_manifest(tmp_path / "m.lm", "language-model", newest_format=1).options["smoothing"] == "katz"
    with pytest.raises(ParagaugeError, match="no such folder, expected a folder made by paragauge"):
        open_model(tmp_path / "nothing")
    (tmp_path / "m.txt").write_text("the cat\n")
    with pytest.raises(ParagaugeError, match=r"m.txt:1: found 'the cat', expected '\\data\\'"):
        open_model(tmp_path / "m.txt")
    assert math.isfinite(LanguageModel.load(tmp_path / "m.arpa").score("a cat"))
