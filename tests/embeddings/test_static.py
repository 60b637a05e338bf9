"""Static embeddings: a table made by the test against sums worked out here, and wordllama's own program."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import numpy as np
import pytest
from support.embedding_models import WORDS, static_model

from paragauge.embeddings import embedder
from paragauge.embeddings.embedder import Embedder, Embedding
from paragauge.errors import DataError, FileError, OptionError

pytest.importorskip("tokenizers", reason="needs the extra 'static': pip install 'paragauge[static]'")
safetensors_numpy = pytest.importorskip("safetensors.numpy")


@pytest.fixture
def model(tmp_path):
    return static_model(tmp_path / "model")


def test_sentence_is_the_mean_of_its_tokens(model):
    table = safetensors_numpy.load_file(model / "model.safetensors")["embeddings"]
    [embedding] = embedder(str(model)).embed(["The cat sat."])
    vectors = table[[WORDS.index(word) for word in ("the", "cat", "sat", ".")]]
    mean = vectors.mean(axis=0)
    assert embedding.sentence == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert embedding.tokens == pytest.approx(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), abs=1e-6)
    assert embedding.pieces == ("the", "cat", "sat", ".")
    assert embedding.content.all()


def test_a_text_without_tokens_has_the_vector_zero(model):
    [embedding] = embedder(str(model)).embed([""])
    assert not embedding.sentence.any()
    assert embedding.tokens.shape == (0, 8)


def test_no_text_is_encoded_twice(model):
    opened = embedder(str(model))
    opened.embed(["the cat", "the dog", "the cat"])
    opened.embed(["the dog", "a house"])
    assert embedder(str(model)) is opened
    assert opened.texts_encoded == 3


def test_the_cache_forgets_the_oldest_texts():
    class Counting(Embedder):
        def encode(self, texts):
            self.seen = [*getattr(self, "seen", []), *texts]
            vector = np.ones(1000, dtype=np.float32)
            return [Embedding(vector, vector[None], np.ones(1, dtype=bool), ("x",)) for _ in texts]

    opened = Counting("test", cache_bytes=20_000)  # two texts
    for text in ("a", "b", "a", "c", "a", "b"):
        opened.embed([text])
    assert opened.seen == ["a", "b", "c", "b"]


def test_vectors_that_are_not_finite_are_refused():
    class Broken(Embedder):
        def encode(self, texts):
            return [Embedding(np.full(2, np.nan, dtype=np.float32), np.ones((1, 2)), np.ones(1, dtype=bool), ("x",))]

    with pytest.raises(DataError, match="vectors that are not finite"):
        Broken("test").embed(["x"])


def test_a_changed_model_is_opened_again_and_has_another_signature(model):
    before = embedder(str(model))
    table = safetensors_numpy.load_file(model / "model.safetensors")["embeddings"]
    safetensors_numpy.save_file({"embeddings": np.concatenate([table, table])}, model / "model.safetensors")
    after = embedder(str(model))
    assert after is not before
    assert after.signature.startswith("static-")
    assert after.signature != before.signature


def test_the_signature_does_not_depend_on_the_place(model, tmp_path):
    assert embedder(str(static_model(tmp_path / "copy"))).signature == embedder(str(model)).signature


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.pkl"])
def test_pickled_weights_are_refused_unread(model, name):
    (model / "model.safetensors").unlink()
    (model / name).write_bytes(b"cos\nsystem\n(S'touch owned'\ntR.")
    with pytest.raises(DataError, match=rf"has its weights in {name}, which can run code when it is loaded"):
        embedder(str(model))


def test_a_model_with_code_of_its_own_is_refused(model):
    (model / "config.json").write_text(json.dumps({"model_type": "bert", "auto_map": {"AutoModel": "m.Model"}}))
    with pytest.raises(DataError, match="needs code of its own"):
        embedder(str(model))


def test_wrong_folders_say_what_is_wrong(model, tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        embedder(str(tmp_path / "absent"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"is not the folder of a model; expected tokenizer.json"):
        embedder(str(tmp_path / "empty"))
    with pytest.raises(OptionError, match="no folder and no installed package named 'no-such-package'"):
        embedder("no-such-package")
    with pytest.raises(OptionError, match="has no layers"):
        embedder(str(model), layer=2)
    (model / "config.json").write_text("{")
    with pytest.raises(DataError, match=r"config.json cannot be read"):
        embedder(str(model))


@pytest.mark.parametrize(
    ("file", "contents", "message"),
    [
        ("model.safetensors", b"nothing", "the weights cannot be read"),
        ("tokenizer.json", b"{}", "is not a tokeniser"),
    ],
)
def test_damaged_files_say_what_is_wrong(model, file, contents, message):
    (model / file).write_bytes(contents)
    with pytest.raises(DataError, match=message):
        embedder(str(model))


def test_a_table_that_is_too_small_for_its_tokeniser_is_refused(model):
    safetensors_numpy.save_file({"embeddings": np.ones((4, 8), dtype=np.float32)}, model / "model.safetensors")
    with pytest.raises(DataError, match="more tokens than there are vectors"):
        embedder(str(model)).embed(["the cat"])


def test_finding_a_package_does_not_import_it():
    pytest.importorskip("wordllama", reason="needs wordllama: pip install 'paragauge[static]'")
    code = (
        "import sys; from paragauge.embeddings import embedder; embedder('wordllama').embed(['a']); "
        "print([name for name in ('wordllama', 'torch', 'requests') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_wordllama_has_its_own_cosines():
    wordllama = pytest.importorskip("wordllama", reason="needs wordllama: pip install 'paragauge[static]'")
    logging.getLogger().handlers.clear()  # it installs one
    from pathlib import Path

    from paragauge.metrics import SentenceEmbedding

    theirs = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    pairs = [
        ("He put off the vote.", "He postponed the vote."),
        ("The cat sat on the mat.", "Stocks fell sharply on Monday."),
        ("Naïve café 東京!", "naive cafe Tokyo"),
    ]
    for candidate, reference in pairs:
        score = SentenceEmbedding(model="wordllama").score(candidate, reference)
        assert score.value == pytest.approx(theirs.similarity(candidate, reference), abs=2e-6)
