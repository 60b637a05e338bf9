"""Metrics over embeddings, on vectors that can be worked out by hand, and what every sentence metric must do."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from support.embedding_models import WORDS, static_model

import paragauge as pg
from paragauge.corpora import Segments
from paragauge.embeddings import embedder
from paragauge.errors import DataError, OptionError
from paragauge.metrics import BertScore, ParaScore, SentenceEmbedding, Signature, parse_metric
from paragauge.metrics.bertscore import unrelated_score, words_of_pieces
from paragauge.metrics.explanation import Drawing, MarkedText

pytest.importorskip("tokenizers", reason="needs the extra 'static': pip install 'paragauge[static]'")
safetensors_numpy = pytest.importorskip("safetensors.numpy")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Vectors in the plane: cat and dog at 60 degrees, the and a equal, house opposite to cat."""
    folder = static_model(tmp_path_factory.mktemp("models") / "model")
    angles = {"the": 90, "a": 90, "cat": 0, "dog": 60, "house": 180, "sat": 30, "ran": 90, "mat": 0, "on": 90}
    table = np.zeros((len(WORDS), 2), dtype=np.float32)
    for word, angle in angles.items():
        table[WORDS.index(word)] = [np.cos(np.radians(angle)), np.sin(np.radians(angle))]
    safetensors_numpy.save_file({"embeddings": table}, folder / "model.safetensors")
    return str(folder)


def test_embedding_is_a_cosine(model):
    metric = SentenceEmbedding(model=model)
    assert metric.score("cat", "dog").value == 0.5
    assert metric.score("cat", "house").value == -1
    assert metric.score("the cat", "a cat").value == 1
    assert metric.score("the cat", "cat").value == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert metric.score("", "cat").value == 0
    assert metric.score("cat", ["house", "dog"]).value == 0.5  # the closest reference


def test_a_system_has_the_mean_of_its_sentences(model):
    metric = SentenceEmbedding(model=model)
    assert metric.corpus_score(["cat", "the cat"], ["dog", "a cat"]).value == 0.75


def test_bertscore_matches_each_token_with_the_nearest(model):
    score = BertScore(model=model).score("the cat", "dog")
    # the: 30 degrees from dog; cat: 60 degrees.
    precision, recall = (np.sqrt(0.75) + 0.5) / 2, np.sqrt(0.75)
    assert score.precision == pytest.approx(precision, abs=1e-6)
    assert score.recall == pytest.approx(recall, abs=1e-6)
    assert score.value == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)
    assert BertScore(model=model).score("the cat", ["house", "the cat"]).value == 1
    assert BertScore(model=model).score("", "cat").value == 0
    assert BertScore(model=model).score("cat", "house").value == 0  # F of negative cosines means nothing


def test_a_baseline_moves_the_scores_of_unrelated_texts_to_zero(model):
    plain, scaled = BertScore(model=model), BertScore(model=model, baseline=0.5)
    assert plain.score("cat", "dog").value == 0.5
    assert scaled.score("cat", "dog").value == 0
    assert scaled.score("cat", "mat").value == 1
    assert scaled.score("cat", "dog").signature.get("baseline") == "0.5"
    assert unrelated_score(embedder(model), ["cat", "dog", "mat"]) == pytest.approx((0.5 + 0.5 + 1) / 3)
    with pytest.raises(OptionError, match="at least two texts"):
        unrelated_score(embedder(model), ["cat"])


def test_parascore_is_similarity_and_a_reward(model):
    metric = ParaScore(model=model)
    copy = metric.score("the cat", original="the cat")
    assert (copy.similarity, copy.difference) == (1, -1)
    assert copy.value == pytest.approx(1 - 0.05)
    # "a cat" is three characters of seven away from "the cat": more than gamma.
    other = metric.score("a cat", original="the cat")
    assert other.similarity == 1
    assert other.difference == 0.35
    assert other.value == pytest.approx(1 + 0.05 * 0.35)
    # One character of seven: below gamma, on the line from -1.
    near = metric.score("the mat", original="the cat")
    assert near.difference == pytest.approx(1 / 7 * 1.35 / 0.35 - 1)


def test_parascore_takes_the_better_of_original_and_reference(model):
    both = ParaScore(model=model, references=True)
    score = both.score("dog", "dog", original="house")
    assert score.similarity == 1
    assert score.difference == ParaScore(model=model).score("dog", original="house").difference
    with pytest.raises(DataError, match="parascore needs references"):
        both.score("dog", original="house")
    sentence = ParaScore(model=model, similarity="embedding").score("the cat", original="cat")
    assert sentence.similarity == pytest.approx(np.sqrt(0.5), abs=1e-6)


def test_candidates_are_compared_with_originals_if_asked(model):
    metric = parse_metric(f"embedding(model='{model}', against=originals)")
    assert metric.score("cat", original="dog").value == 0.5
    assert metric.needs == {"originals"}
    assert parse_metric(str(metric)) == metric
    with pytest.raises(DataError, match="embedding needs originals"):
        metric.score("cat", "dog")
    with pytest.raises(DataError, match="embedding needs references"):
        SentenceEmbedding(model=model).score("cat", original="dog")


METRICS = [
    lambda model: SentenceEmbedding(model=model),
    lambda model: SentenceEmbedding(model=model, against="originals"),
    lambda model: BertScore(model=model, baseline=0.2),
    lambda model: ParaScore(model=model),
]


@pytest.mark.parametrize("make", METRICS)
def test_they_do_what_every_metric_must(model, make):
    metric = make(model)
    rng = random.Random(5)
    texts = [[" ".join(rng.choices(WORDS[4:], k=rng.randint(0, 6))) for _ in range(101)] for _ in "123"]
    segments = Segments.of(*texts)
    steps: list[int] = []
    rows = metric.statistics_in_blocks(segments, steps.append)
    assert (rows == metric.statistics(segments)).all()
    assert sum(steps) == 101
    score = metric.score_corpus(segments)
    assert Signature.parse(str(score.signature)) == score.signature
    assert score.signature.get("model") == embedder(model).signature
    assert score.value == pytest.approx(np.mean([each.value for each in metric.score_segments(segments)]))
    others = texts[1][:3]
    pairwise = metric.pairwise(texts[0][:2], others)
    for i, candidate in enumerate(texts[0][:2]):
        for j, other in enumerate(others):
            assert pairwise[i, j] == metric.score(candidate, other, original=other).value


def test_intervals_and_frames_work(model):
    metric = BertScore(model=model)
    result = pg.score({"a": ["the cat", "dog"]}, ["a cat", "cat"], metrics=[metric], bootstrap=20)
    [system] = result.scores
    assert system.score.interval is not None
    assert system.resources == {"model": embedder(model).signature}
    assert {"precision", "recall"} <= set(result.segments.rows()[0])


def test_the_explanation_shows_the_nearest_tokens(model):
    explanation = BertScore(model=model).explain(Segments.of(["the cat sat"], [["a dog", "a mat"]]))
    drawing = explanation.details[1].parts[0]
    assert isinstance(drawing, Drawing)
    assert drawing.right_label == "reference 2 (the best of 2)"
    links = {drawing.left[link.left[0]]: (drawing.right[link.right[0]], link.kind) for link in drawing.links}
    assert links["cat"] == ("mat", "mutual")
    assert links["the"] == ("a", "mutual")
    assert links["sat"] == ("mat", "one way")
    assert ParaScore(model=model).explain(Segments.of(["cat"], None, ["dog"])).score.metric == "parascore"


def test_words_are_marked_by_how_close_they_are(model):
    segments = Segments.of(["the cat house"], [["a dog"]], ["a dog"])
    for metric in (BertScore(model=model), ParaScore(model=model)):
        texts = [part for part in metric.explain(segments).parts if isinstance(part, MarkedText)]
        # cat is at 60 degrees to dog, house at 90 to a
        assert [word.mark for word in texts[-1].tokens] == ["match", "partial", "none"], metric.name
        assert [word.mark for word in texts[-2].tokens] == ["match", "match"], metric.name  # dog is at 30 to the


def test_words_are_marked_by_what_they_do_to_the_cosine(model):
    explanation = SentenceEmbedding(model=model).explain(Segments.of(["cat house"], [["cat"]]))
    assert [word.mark for word in explanation.parts[-2].tokens] == ["match", "partial"]
    assert set(explanation.legend) == {"match", "partial", "none"}


def test_pieces_find_their_words():
    words = ["Zoë's", "ﬁlms", "日本", "cafés."]
    pieces = ["zo", "##e", "'", "s", "▁fil", "ms", "[UNK]", "Ġcafes", "."]
    assert words_of_pieces(words, pieces) == [0, 0, 0, 0, 1, 1, None, 3, 3]


def test_a_model_must_be_named():
    assert not SentenceEmbedding().available
    assert not SentenceEmbedding(model="no-such-package").available
    with pytest.raises(OptionError, match=r"embedding needs a model: embedding\(model=PATH\).*paragauge\[static\]"):
        SentenceEmbedding().score("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("embedding(model=3)", "must be a folder or a package"),
        ("embedding(model=x, against=sources)", "'against' of embedding must be one of"),
        ("bertscore(model=x, baseline=1)", "must be below 1"),
        ("bertscore(model=x, layer=0)", "'layer' of bertscore must be a whole number"),
        ("parascore(model=x, gamma=0)", "must be above 0"),
        ("parascore(model=x, similarity=words)", "must be one of 'bertscore', 'embedding'"),
    ],
)
def test_bad_options_are_refused(text, message):
    with pytest.raises(OptionError, match=message):
        parse_metric(text)


def test_a_folder_that_is_no_model_ends_a_command_with_an_error(tmp_path, capsys, monkeypatch):
    from paragauge.cli.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.txt").write_text("a\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "folder" / "pytorch_model.bin").write_bytes(b"x")
    assert main(["score", "-m", "embedding(model=./folder)", "--ref", "texts.txt", "texts.txt"]) == 1
    assert "which can run code when it is loaded" in capsys.readouterr().err
