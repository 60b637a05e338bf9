"""KenLM's lmplz on the same text: numbers of n-grams, perplexities, sentence scores (data folder rivals/lm)."""

import gzip

import pytest

from paragauge import train_lm
from paragauge.lm.arpa import write_arpa
from paragauge.text import TextPipeline

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def captions(data_folder):
    pipeline = TextPipeline(tokenizer="13a", lowercase=True)

    def read(name):
        with gzip.open(data_folder / "multi30k" / "task1" / name, "rt", encoding="utf-8", newline="\n") as file:
            return [pipeline(line.rstrip("\n")) for line in file]

    return read


@pytest.fixture(scope="module")
def model(captions):
    return train_lm(captions("train.en.gz"), order=4)


def test_numbers_of_ngrams_and_perplexities(model, captions):
    assert model.sizes == (10_362, 80_141, 174_738, 243_959)
    scores = model.scores(captions("val.en.gz"))
    assert (scores.tokens, scores.unknown.sum()) == (14_303, 172)
    assert scores.perplexity() == pytest.approx(36.238456, abs=1e-3)
    assert scores.perplexity(include_unknown=False) == pytest.approx(32.298827, abs=1e-3)


def test_sentence_scores(model, data_folder):
    lines = (data_folder / "rivals" / "lm" / "kenlm.val100.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == 100
    for line in lines:
        log10_p, sentence = line.split("\t")
        assert model.score(sentence.split(" ")) == pytest.approx(float(log10_p), abs=1e-4)


def test_kenlm_asks_our_arpa_file_and_answers_the_same(model, captions, tmp_path):
    from paragauge.lm import KenlmModel

    write_arpa(model, tmp_path / "m.arpa")
    sentences = captions("val.en.gz")
    theirs = KenlmModel(tmp_path / "m.arpa").scores(sentences)
    assert model.scores(sentences).log10_p == pytest.approx(theirs.log10_p, abs=1e-5)


def test_sums_to_one_after_real_contexts(captions):
    text = captions("train.en.gz")[:3000]
    for smoothing in ("kneser-ney", "katz"):
        model = train_lm(text, order=4, smoothing=smoothing)
        words = [word for word in model.vocabulary if word != "<s>"]
        for sentence in text[:12]:
            state = model.begin
            for word in sentence[:6]:
                assert sum(10 ** model.advance(state, w)[0].log10_p for w in words) == pytest.approx(1, abs=1e-5)
                _, state = model.advance(state, word)
