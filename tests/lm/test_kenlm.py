"""The same ARPA file, asked here and by KenLM (package ufal-kenlm)."""

import random

import kenlm
import pytest

from paragauge import ParagaugeError, train_lm
from paragauge.lm import KenlmModel, open_model
from paragauge.lm.arpa import read_arpa, write_arpa


def zipf_sentences(seed, count, words):
    rng = random.Random(seed)
    return [[f"w{min(words, int(rng.paretovariate(0.7)))}" for _ in range(rng.randrange(1, 15))] for _ in range(count)]


@pytest.fixture(scope="module", params=["kneser-ney", "katz", "pruned"])
def arpa(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("kenlm") / "m.arpa"
    smoothing = "katz" if request.param == "katz" else "kneser-ney"
    cutoffs = [1, 2, 3] if request.param == "pruned" else None
    text = zipf_sentences(1, 600, 80)
    write_arpa(train_lm(text, smoothing=smoothing, min_counts=cutoffs, discount_fallback=True), path)
    return path


def test_every_word_scores_as_in_kenlm(arpa):
    ours, theirs = read_arpa(arpa), KenlmModel(arpa)
    assert ours.order == theirs.order == 4
    for sentence in zipf_sentences(2, 300, 120):  # a third of the words is unknown
        for our, their in zip(ours.words(sentence), theirs.words(sentence), strict=True):
            assert our.log10_p == pytest.approx(their.log10_p, abs=1e-5)
            assert (our.word, our.order, our.unknown) == (their.word, their.order, their.unknown)


def test_sentences_and_perplexity_score_as_in_kenlm(arpa):
    ours, theirs = read_arpa(arpa), KenlmModel(arpa)
    sentences = [" ".join(sentence) for sentence in zipf_sentences(3, 200, 120)]
    our, their = ours.scores(sentences), theirs.scores(sentences)
    assert our.log10_p == pytest.approx(their.log10_p, abs=1e-5)
    assert our.unknown_log10_p == pytest.approx(their.unknown_log10_p, abs=1e-5)
    assert (our.words == their.words).all()
    assert (our.unknown == their.unknown).all()
    package = kenlm.Model(str(arpa), _quiet())
    for sentence, log10_p in zip(sentences, our.log10_p, strict=True):
        # The package adds in single precision.
        assert log10_p == pytest.approx(package.score(sentence), rel=1e-5)
    assert ours.perplexity(sentences[:1]) == pytest.approx(package.perplexity(sentences[0]), rel=1e-5)


def test_states_merge_where_those_of_kenlm_do(arpa):
    ours, theirs = read_arpa(arpa), KenlmModel(arpa)
    groups = {}
    for sentence in zipf_sentences(4, 400, 100):
        our, their = ours.empty, theirs.empty
        for word in sentence:
            our, their = ours.advance(our, word)[1], theirs.advance(their, word)[1]
        groups.setdefault(our, set()).add(their)
    assert all(len(states) == 1 for states in groups.values())
    assert 10 < len(groups) < 400


def _quiet():
    config = kenlm.Config()
    config.show_progress = False
    return config


def test_a_model_that_lacks_ngrams_scores_as_in_kenlm(arpa, tmp_path):
    # Take out some bigrams that longer n-grams end with, as pruning by entropy does.
    lines = arpa.read_text().splitlines()
    start = lines.index("\\2-grams:") + 1
    end = lines.index("\\3-grams:") - 1
    contexts = {line.split("\t")[1].rsplit(" ", 1)[0] for line in lines[end:] if "\t" in line}
    kept = [line for i, line in enumerate(lines[start:end]) if i % 5 or line.split("\t")[1] in contexts]
    assert len(kept) < end - start
    lines[2] = f"ngram 2={len(kept)}"
    path = tmp_path / "gaps.arpa"
    path.write_text("\n".join([*lines[:start], *kept, *lines[end:]]) + "\n")
    ours, theirs = read_arpa(path), KenlmModel(path)
    for sentence in zipf_sentences(5, 200, 100):
        assert ours.score(sentence) == pytest.approx(theirs.score(sentence), abs=1e-5)


def test_binary_files_are_recognised_and_errors_are_explained(tmp_path):
    (tmp_path / "m.binary").write_bytes(b"mmap lm http://kheafield.com/code format version 5\n" + bytes(200))
    with pytest.raises(ParagaugeError, match="binary: KenLM cannot open the file"):
        open_model(tmp_path / "m.binary")
    with pytest.raises(ParagaugeError, match="no such file"):
        KenlmModel(tmp_path / "none")


def test_without_the_package_the_extra_is_named(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(ParagaugeError, match=r"needs the package kenlm; .* pip install 'paragauge\[kenlm\]'"):
        KenlmModel(tmp_path / "m.binary")
