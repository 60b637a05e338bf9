"""Word vectors from parallel text."""

import numpy as np
import pytest

from paragauge.corpora.bitext import Bitext
from paragauge.errors import DataError
from paragauge.judges.vector_training import count_translations, make_vectors
from paragauge.judges.vectors import WordVectors

WORDS = {
    "buy": "acheter", "purchase": "acheter", "sell": "vendre", "house": "maison", "home": "maison", "car": "voiture",
    "dog": "chien", "cat": "chat", "big": "grand", "large": "grand", "red": "rouge", "old": "vieux",
}  # fmt: skip


@pytest.fixture(scope="module")
def bitext():
    chance = np.random.default_rng(5)
    names = sorted(WORDS)
    lines = [[names[place] for place in chance.integers(0, len(names), size=5)] for _ in range(600)]
    return Bitext(tuple(map(" ".join, lines)), tuple(" ".join(WORDS[word] for word in line) for line in lines))


@pytest.fixture(scope="module")
def vectors(bitext):
    return make_vectors([count_translations(bitext, threads=1)], dimensions=7)


def test_words_with_the_same_translation_are_near(vectors):
    assert vectors.cosine("bui", "purchas") > 0.9
    assert vectors.cosine("hous", "home") > 0.9
    assert abs(vectors.cosine("dog", "cat")) < 0.4
    assert vectors.cosine("dog", "unheard-of") == 0


def test_rows_are_unit_vectors_and_unknown_words_have_none(vectors):
    every = range(len(vectors.stems))
    lengths = np.diag(vectors.cosines(every, every))
    # A word that shares no translation with the words of the seven dimensions has none either.
    assert lengths == pytest.approx(lengths.round(), abs=1e-5)
    assert set(lengths.round().tolist()) == {0.0, 1.0}
    assert not vectors.cosines([-1], every).any()
    assert vectors.look_up("unheard-of") == (-1, 0, 1.0)


def test_cosines_do_not_depend_on_the_order_of_additions():
    random = np.random.default_rng(1)
    codes = random.integers(-127, 128, size=(40, 100)).astype(np.int8)
    lengths = np.linalg.norm(codes.astype(float), axis=1)
    shuffled = random.permutation(100)
    found = [
        WordVectors(tuple(map(str, range(40))), np.ones(40, dtype=np.int64), each, (1 / lengths).astype(np.float32))
        for each in (codes, np.ascontiguousarray(codes[:, shuffled]))
    ]
    one, other = (vectors.cosines(range(40), range(40)) for vectors in found)
    assert (one == other).all()
    assert one == pytest.approx(codes.astype(float) @ codes.T.astype(float) / np.outer(lengths, lengths), abs=1e-6)


def test_any_number_of_threads_makes_the_same_vectors(bitext, vectors):
    again = make_vectors([count_translations(bitext, threads=2)], dimensions=7)
    assert again.stems == vectors.stems
    assert np.array_equal(again.codes, vectors.codes)
    assert np.array_equal(again.scales, vectors.scales)


def test_the_start_of_the_iteration_does_not_matter(bitext, vectors, monkeypatch):
    from scipy.sparse import linalg

    decompose = linalg.svds

    def begin_elsewhere(matrix, **options):
        start = np.random.default_rng(5).random(min(matrix.shape))
        return decompose(matrix, **{**options, "v0": start})

    monkeypatch.setattr(linalg, "svds", begin_elsewhere)
    again = make_vectors([count_translations(bitext, threads=1)], dimensions=7)
    assert np.array_equal(again.codes, vectors.codes)


def test_saved_vectors_open_as_they_were(vectors, tmp_path):
    vectors.save(tmp_path)
    opened = WordVectors.open(tmp_path)
    assert opened.stems == vectors.stems
    every = range(-1, len(vectors.stems))
    assert np.array_equal(opened.cosines(every, every), vectors.cosines(every, every))


def test_damaged_vectors_are_refused(vectors, tmp_path):
    vectors.save(tmp_path)
    np.save(tmp_path / "scales.npy", vectors.scales[:-1])
    with pytest.raises(DataError, match="damaged"):
        WordVectors.open(tmp_path)


@pytest.mark.parametrize("counts", [-1, 0, 2**62])
def test_impossible_counts_are_refused(vectors, tmp_path, counts):
    vectors.save(tmp_path)
    np.save(tmp_path / "counts.npy", np.full_like(vectors.counts, counts))
    with pytest.raises(DataError, match="impossible counts"):
        WordVectors.open(tmp_path)


def test_too_little_text_is_refused(bitext):
    counted = count_translations(Bitext(bitext.source[:50], bitext.target[:50]), threads=1)
    with pytest.raises(DataError, match="too few for vectors of 100 numbers"):
        make_vectors([counted])
    with pytest.raises(DataError, match="no sentences of up to 60 words"):
        count_translations(Bitext(("a " * 70,), ("b",)))
