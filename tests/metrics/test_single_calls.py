"""One call is a short way to the numbers of many: the same row, whatever the metric and its options."""

import json
import threading
import tracemalloc

import pytest

import paragauge as pg
from paragauge.corpora.segments import Segments
from paragauge.errors import DataError
from paragauge.judges import fluency, likeness, reading
from paragauge.matching import words

METRICS = [
    "bleu", "bleu(tokenizer=none)", "bleu(tokenizer=moses-en)", "bleu(lowercase=True, smooth=floor, max_order=6)",
    "chrf", "meteor", "meteor(preset=2005)", "meteor(preset=1.5, paraphrases=no)", "meteor(stem=False, synonyms=False)",
    "meteor(punctuation=False, delta=0.6)", "maxsim", "maxsim(dependencies=True)", "maxsim(max_order=9)",
    "maxsim(similarity=words, distance=0.3)", "maxsim(paraphrases=default)", "paraeval", "ter", "pem", "pem+",
]  # fmt: skip
PAIRS = [
    ("The committee put off the vote until next week.", "The panel postponed the ballot to the following week."),
    ("The same words.", "The same words."),
    ("A well-known dog, a cat, a dog and the dog barked.", "The dog barked; a dog and a well-known cat, the dog."),
    ("", "Nothing is said."),
    ("Something is said.", ""),
    ("naïve İstanbul \ud800x", "naïve Istanbul \ud800x"),
    ("...", "!"),
]


def segments(metric, candidate, *others):
    if metric.needs == {"originals"}:
        return Segments((candidate,), None, (others[0],))
    return Segments((candidate,), (others,))


@pytest.mark.parametrize("name", METRICS)
def test_one_row_is_that_of_many(name):
    metric = pg.parse_metric(name).for_segments()
    texts = [*PAIRS, ("A dog barked at the cat.", "The dogs bark.", "A dog barks at cats.", "A dog barked.")]
    for candidate, *others in texts:
        one = segments(metric, candidate, *others)
        try:
            expected = metric.statistics(one)[0].tolist()
        except (DataError, UnicodeEncodeError) as refused:  # half a character is not text for every metric
            with pytest.raises(type(refused)):
                metric.row(one)
        else:
            assert list(metric.row(one)) == expected


@pytest.mark.parametrize("name", ["bleu", "meteor"])
def test_scores_of_one_call_are_json(name):
    score = pg.parse_metric(name).score("A dog barks.", ["The dog barked."])
    assert json.loads(json.dumps(score.to_dict())) == score.to_dict()


def test_single_segments_are_checked():
    assert Segments.single("a", ["b", " "], "c") == Segments.of(["a"], [["b", " "]], ["c"])
    assert Segments.single("a", "b") == Segments.of(["a"], ["b"])
    for wrong in ({"candidate": 1}, {"candidate": "a", "references": 1}, {"candidate": "a", "references": []},
                  {"candidate": "a", "references": [1]}, {"candidate": "a", "original": 1}):  # fmt: skip
        with pytest.raises(DataError):
            Segments.single(**wrong)


def test_known_words_are_bounded(monkeypatch):
    monkeypatch.setattr(words, "_MOST_WORDS", 50)
    metric = pg.parse_metric("meteor")
    first = [metric.score(f"word{k} dogs bark", [f"word{k} dog barked"]).value for k in range(200)]
    assert len(metric._books[0]) <= 60
    assert first == [first[0]] * 200


def test_what_the_judges_know_of_words_is_bounded(monkeypatch):
    metric = pg.parse_metric("pem+")
    nouns = "dog cat house river teacher idea market law song ship".split()
    texts = [
        (f"The {one} near the {other} was old.", f"An ancient {one} was by the {other}.")
        for one in nouns
        for other in nouns
    ]
    expected = [metric.score(one, original=other).value for one, other in texts]
    monkeypatch.setattr(reading, "_MOST_WORDS", 10)
    monkeypatch.setattr(fluency, "_MOST_TOKENS", 10)
    monkeypatch.setattr(likeness, "_REMEMBERED", 5)
    reader = metric.opened.reader
    for name in ("_readings", "_words", "_written"):  # what was read before is read again
        monkeypatch.setattr(reader, name, {})
    metric.opened.fluency._tokens.clear()
    monkeypatch.setattr(reader, "_remembered", 8)
    assert [metric.score(one, original=other).value for one, other in texts] == expected
    assert max(map(len, (reader._words, reader._written, metric.opened.fluency._tokens))) <= 10
    assert len(reader._readings) <= 8


def test_known_words_are_shared_by_threads():
    metric, alone = pg.parse_metric("meteor"), pg.parse_metric("meteor")
    texts = [(f"word{k % 97} the dogs of number{k} bark", f"the dog{k % 7} barked at word{k % 89}") for k in range(400)]
    expected = [alone.score(one, [other]).value for one, other in texts]
    found = {}

    def score(number):
        found[number] = [metric.score(one, [other]).value for one, other in texts]

    workers = [threading.Thread(target=score, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [found[number] for number in range(4)] == [expected] * 4


def test_memory_of_many_calls_is_flat():
    metric = pg.parse_metric("bleu")
    metric.score("a b", ["a c"])
    tracemalloc.start()
    try:
        for k in range(2000):
            metric.score(f"text number {k} here", [f"text {k} is here"])
        before = tracemalloc.get_traced_memory()[0]
        for k in range(2000, 12000):
            metric.score(f"text number {k} here", [f"text {k} is here"])
        assert tracemalloc.get_traced_memory()[0] - before < 50_000
    finally:
        tracemalloc.stop()
