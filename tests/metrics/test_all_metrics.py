"""What every sentence metric must do, ours and those to come."""

import gc
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from paragauge import METRICS
from paragauge.corpora import Segments
from paragauge.errors import DataError
from paragauge.metrics import Chrf, SentenceMetric, Signature, Ter, parse_metric
from paragauge.metrics.base import sum_rows

SENTENCE_METRICS = [name for name, cls in METRICS.items() if issubclass(cls, SentenceMetric) and cls().available]

sentences = st.lists(st.sampled_from("the a cat dog sat ran on mat , . don't".split()), max_size=8).map(" ".join)
corpora = st.lists(st.tuples(sentences, sentences, sentences), min_size=2, max_size=5)


@pytest.mark.parametrize("name", SENTENCE_METRICS)
@given(corpora, st.randoms(use_true_random=False))
def test_score_does_not_depend_on_the_order_of_segments(name, corpus, chance):
    metric = METRICS[name]()
    shuffled = list(corpus)
    chance.shuffle(shuffled)
    assert _corpus(metric, corpus).value == _corpus(metric, shuffled).value


def _corpus(metric, corpus):
    candidates, references, originals = zip(*corpus, strict=True)
    return metric.corpus_score(candidates, references, originals=originals)


@pytest.mark.parametrize("name", SENTENCE_METRICS)
def test_statistics_in_blocks_are_the_statistics(name):
    rng = random.Random(1)
    texts = [[" ".join(rng.choices("a b c d e f g".split(), k=rng.randint(0, 6))) for _ in range(601)] for _ in "123"]
    segments = Segments.of(texts[0], texts[1], texts[2])
    metric = METRICS[name]()
    steps: list[int] = []
    assert (metric.statistics_in_blocks(segments, steps.append) == metric.statistics(segments)).all()
    assert sum(steps) == 601


@pytest.mark.parametrize(
    "name", [*SENTENCE_METRICS, "bleu(tokenizer=char)", "bleu(lowercase=yes)", "chrf(word_order=2)"]
)
@pytest.mark.parametrize("references", [1, 2])
def test_totals_are_the_sums_of_the_statistics(name, references):
    rng = random.Random(2)
    texts = [[" ".join(rng.choices("A b c d É f".split(), k=rng.randint(0, 6))) for _ in range(40)] for _ in "1234"]
    groups = list(zip(*texts[1 : 1 + references], strict=True))
    segments = Segments.of(texts[0], groups, texts[3])
    metric = parse_metric(name)
    assert list(metric.totals(segments)) == sum_rows(metric.statistics(segments))
    if metric.adds_up:
        assert metric.totals_in_blocks(segments, lambda done: None) == metric.totals(segments)


@pytest.mark.parametrize("name", SENTENCE_METRICS)
def test_score_carries_a_signature_that_parses_back(name):
    score = _corpus(METRICS[name](), [("a b", "a c", "a d"), ("e f", "e f", "g")])
    assert Signature.parse(str(score.signature)) == score.signature
    assert score.signature.metric == score.metric == name
    assert score.signature.items[-1][0] == "version"
    assert str(score).startswith(f"{name}  ")
    assert score.to_dict()["signature"] == str(score.signature)


@pytest.mark.parametrize("name", SENTENCE_METRICS)
def test_one_segment_alone_scores_as_among_others(name):
    metric = METRICS[name]()
    if not metric.segmentwise:
        with pytest.raises(ValueError, match="at least two"):
            metric.segment_scores(["a"])
        return
    many = metric.segment_scores(["a b c", "d"], ["a b", "d e"], originals=["a c", "d"])
    assert many[0] == metric.score("a b c", "a b", original="a c")


@pytest.mark.parametrize("name", SENTENCE_METRICS)
def test_pairwise_scores_are_those_of_each_pair(name):
    metric = METRICS[name]()
    candidates, others = ["a b c d", "", "b c d a b"], ["a b c e", "b c d", "x", "a b c d"]
    if len(metric.needs) != 1:
        with pytest.raises(DataError, match="has no pairwise scores"):
            metric.pairwise(candidates, others)
        return
    scores = metric.pairwise(candidates, others)
    assert scores.shape == (3, 4)
    for i, candidate in enumerate(candidates):
        for j, other in enumerate(others):
            assert scores[i, j] == metric.score(candidate, other, original=other).value
    assert metric.signature_of_pairs().metric == name
    with pytest.raises(DataError, match="at least one candidate and one text"):
        metric.pairwise([], others)


def test_inputs_may_be_any_iterables():
    lists = Chrf().corpus_score(["a b", "c"], [["a c", "d"], ["c"]])
    assert Chrf().corpus_score(iter(["a b", "c"]), (iter(group) for group in [["a c", "d"], ["c"]])) == lists


def test_scores_can_be_pickled_and_hashed():
    score = Ter().score("a b", "a c")
    assert pickle.loads(pickle.dumps(score)) == score  # noqa: S301, we made it
    assert hash(score) == hash(Ter().score("a b", "a c"))


def test_unknown_component_names_the_known_ones():
    score = Ter().score("a b", "a c")
    assert score.edits == 1
    with pytest.raises(AttributeError, match="score of ter has no 'errors'; known: edits, reference_length"):
        _ = score.errors


def test_chrf_and_ter_are_sacrebleus():
    rng = random.Random(2)
    vocabulary = "the cats are sitting on mats and , . Don't".split()
    candidates = [" ".join(rng.choices(vocabulary, k=rng.randint(1, 9))) for _ in range(40)]
    references = [[" ".join(rng.choices(vocabulary, k=rng.randint(1, 9))) for _ in "12"] for _ in candidates]
    streams = list(zip(*references, strict=True))
    assert Chrf().corpus_score(candidates, references).value == CHRF().corpus_score(candidates, streams).score
    plus = Chrf(word_order=2).corpus_score(candidates, references)
    assert plus.value == CHRF(word_order=2).corpus_score(candidates, streams).score
    assert Ter().corpus_score(candidates, references).value == TER().corpus_score(candidates, streams).score


@pytest.mark.parametrize("metric", [Chrf(), Ter()])
def test_segments_without_reference_text_do_not_stop_the_run(metric):
    assert metric.corpus_score(["a b", "c"], [["", "a b"], [""]]).signature.get("nrefs") == "1"


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "pem", "pinc"])
def test_calls_in_a_loop_keep_nothing(name):
    """Objects that a call leaves behind would add up over a hundred thousand calls."""
    rng = random.Random(6)
    metric = parse_metric(name)

    def call():
        one, other = (" ".join(rng.choices("a b c d e f g h".split(), k=9)) for _ in "12")
        return metric.score(one, [other]) if "references" in metric.needs else metric.score(one, original=other)

    def objects():
        gc.collect()
        return len(gc.get_objects())

    for _ in range(50):
        call()
    before = objects()
    for _ in range(1000):
        call()
    assert objects() - before < 50


def test_what_is_remembered_is_bounded(monkeypatch):
    """Readings and synsets are kept for texts that recur, up to a limit."""
    from paragauge.analysis import lexicon as module

    lexicon = module.Lexicon.open(module.SHIPPED / "wordnet", verify=False)
    monkeypatch.setattr(module, "_MOST_KNOWN", 100)
    for number in range(300):
        synsets, offsets = lexicon.word_synsets([f"a{number}", "dogs", f"b{number}", "dogs"])
        assert offsets[1] == 0
        assert synsets[: offsets[2]].tolist() == synsets[offsets[3] :].tolist() == sorted(lexicon.synset_numbers("dog"))
    assert len(lexicon._synsets) <= 100
    reader = parse_metric("pem+").opened.reader
    monkeypatch.setattr(reader, "_remembered", 20)
    for number in range(60):
        reader.read([f"He has {number} cats.", f"{number} cats are his."])
        assert len(reader._readings) <= 20
