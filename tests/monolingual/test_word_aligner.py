"""Links by knowledge of words: what they are, why, and that the native core does what the formula says."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest

from paragauge import _core
from paragauge.align import Aligner, AlignerOptions
from paragauge.align.annotated import AlignedPairs
from paragauge.align.gold import GoldAlignment
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, OptionError
from paragauge.monolingual import WordAligner, training
from paragauge.monolingual.networks import LinkNetworks
from paragauge.monolingual.reasons import reasons
from paragauge.monolingual.training import GoldPairs, Schedule, train_networks
from paragauge.resource import SHIPPED

PAIRS = [
    ("The old man bought a car .", "A vehicle was purchased by the elderly man ."),
    ("He did n't postpone the meeting", "He did not put off the meeting"),
    ("Twelve people died in Jan. 1998", "12 people were killed in January 1998"),
    ("the decision of Shamarko", "Shamarco decided"),
    ("", "nothing to link"),
    ("it was hot", "it was cold"),
]


@pytest.fixture(scope="module")
def aligner():
    return WordAligner.load()


def links_of(aligner, number, **options):
    one, other = PAIRS[number]
    return {(link.words[0].lower(), link.words[1].lower()) for link in aligner.explain(one, other, **options)}


def test_words_that_say_the_same_are_linked(aligner):
    assert {("man", "man"), ("bought", "purchased"), ("old", "elderly"), (".", ".")} <= links_of(aligner, 0)
    assert {("n't", "not"), ("meeting", "meeting")} <= links_of(aligner, 1)
    assert {("twelve", "12"), ("jan.", "january"), ("1998", "1998"), ("people", "people")} <= links_of(aligner, 2)
    assert {("decision", "decided"), ("shamarko", "shamarco")} <= links_of(aligner, 3)
    assert links_of(aligner, 4) == set()


def test_reasons_name_the_evidence(aligner):
    reasons = {link.words: link.reasons for link in aligner.explain(*PAIRS[0])}
    assert reasons["man", "man"][0] == "same word"
    assert "synonyms" in reasons["bought", "purchased"]
    opposites = [link for link in aligner.explain(*PAIRS[5], threshold=0.01) if link.words == ("hot", "cold")]
    assert "opposites" in opposites[0].reasons
    assert json.dumps(opposites[0].to_dict())


def test_exchanging_the_sides_transposes_the_links(aligner):
    one, other = zip(*PAIRS, strict=True)
    forth = aligner.align_scored(one, other, threshold=0.05)
    back = aligner.align_scored(other, one, threshold=0.05)
    for number in range(len(PAIRS)):
        turned = {(j, i): score for (i, j), score in back.link_scores(number).items()}
        assert forth.link_scores(number) == pytest.approx(turned, abs=1e-5)


def test_words_without_evidence_are_linked_by_what_surrounds_them(aligner):
    verbs = ("frobbed", "zimpled")
    one, other = (f"the prime minister of Vlaskonia {verb} the new law" for verb in verbs)
    [link] = [link for link in aligner.explain(one, other) if link.words == verbs]
    assert link.reasons[:2] == ("words before linked", "words after linked")
    assert list(reasons({"gap_sides": 1.0})) == ["between linked words"]
    assert list(reasons({"gap_sides": 1.0, "gap_single": 1.0})) == ["alone between linked words"]
    assert list(reasons({"gap_sides": 0.5})) == []


def test_acronyms_are_linked_to_their_words(aligner):
    texts = "a report of VOA said so", "the Voice of America said so in a report"
    given = {link.words: link.reasons for link in aligner.explain(*texts, threshold=1e-6)}
    for word in ("Voice", "of", "America"):
        assert "an acronym and its words" in given["VOA", word]
    assert "an acronym and its words" not in given.get(("VOA", "said"), ())


def test_averaged_networks_have_the_mean_of_the_odds():
    """Several networks in one row, units side by side, give the mean of their logarithms of odds."""
    random = np.random.default_rng(5)
    rows = random.normal(size=(300, 6)).astype(np.float32)
    truth = (rows[:, 0] + rows[:, 1] > 0).astype(np.float32)
    schedule = Schedule(units=4, epochs=2, block=64, networks=3)

    def odds(row, units):
        layer, biases, top, bias = np.split(row, np.cumsum([units * 6, units, units]))
        return np.maximum(rows @ layer.reshape(6, units) + biases, 0) @ top + bias

    ones = np.ones(300, np.float32)
    joined = training._averaged(rows, truth, ones, schedule, seed=1)
    single = [training._fit(rows, truth, ones, schedule, seed=seed) for seed in (1, 101, 201)]
    assert odds(joined, 12) == pytest.approx(np.mean([odds(each, 4) for each in single], axis=0), abs=1e-4)


def test_threads_and_batches_change_nothing(aligner, monkeypatch):
    one, other = zip(*(PAIRS * 5), strict=True)
    whole = aligner.align_scored(one, other, threads=1)
    monkeypatch.setattr("paragauge.monolingual.aligner._BATCH", 7)
    parts = aligner.align_scored(iter(one), iter(other), threads=3)
    assert np.array_equal(whole.links, parts.links)
    assert np.array_equal(whole.scores, parts.scores)
    assert np.array_equal(whole.starts, parts.starts)


def test_a_long_sentence_is_aligned_in_windows(aligner):
    words = [f"word{number}" for number in range(450)]
    aligned = aligner.align_scored([words], [words])
    assert aligned.cut == 1
    assert aligned[0].links == {(number, number) for number in range(450)}


def test_the_native_network_is_the_formula(aligner):
    """A round in NumPy, from the evidence that the core gathers, gives the core's probabilities."""
    one, other = ([pair[side].split() for pair in PAIRS] for side in (0, 1))
    tagged = aligner.knowledge.tag([*one, *other], 1)
    batch = aligner.knowledge.book.batch(tagged[: len(one)], tagged[len(one) :])
    networks = aligner.networks.networks["english"]
    for number in range(len(networks)):
        before = aligner.run(batch, rounds=number, evidence=True)
        after = aligner.run(batch, rounds=number + 1)
        row = networks[number]
        units = (len(row) - 1) // (len(_core.LINK_EVIDENCE) + 2)
        layer, biases, top, bias = np.split(row, np.cumsum([units * len(_core.LINK_EVIDENCE), units, units]))
        sums = before.evidence @ layer.reshape(-1, units) + biases
        expected = 1 / (1 + np.exp(-(np.maximum(sums, 0) @ top + bias)))
        found, wanted = (
            {
                (pair, *cell): value
                for pair, (begin, end) in enumerate(pairwise(run.starts.tolist()))
                for cell, value in zip(run.cells[begin:end].tolist(), values[begin:end].tolist(), strict=True)
            }
            for run, values in ((after, after.probabilities), (before, expected))
        )
        # Between rounds, unlikely cells go and others come, on which no network has been asked.
        assert {cell: found[cell] for cell in wanted if cell in found} == pytest.approx(
            {cell: value for cell, value in wanted.items() if cell in found}, abs=1e-4
        )
        assert all(value < 0.0031 for cell, value in wanted.items() if cell not in found)
        assert all(value == 0 for cell, value in found.items() if cell not in wanted)
        assert len(wanted.keys() & found.keys()) > 20


def test_other_languages_are_linked_by_letters_and_numbers():
    german = WordAligner.load("de")
    [found] = german.align(["der alte Mann kaufte 3 Häuser ."], ["3 Häuser kaufte der alte Mann ."])
    assert {(2, 5), (4, 0), (5, 1), (6, 6)} <= found.links
    assert german.signature != WordAligner.load().signature


def test_a_statistical_aligner_adds_evidence(aligner):
    text = ["zyx abc", "zyx def", "ghi abc", "ghi def"] * 5
    other = ["qqq abc", "qqq def", "rrr abc", "rrr def"] * 5
    trained = Aligner.train(text, other, options=AlignerOptions(monolingual=True))
    alone = aligner.align_scored(text[:1], other[:1], threshold=0.001).link_scores(0)
    both = aligner.align_scored(text[:1], other[:1], threshold=0.001, statistical=trained).link_scores(0)
    assert both[0, 0] != alone.get((0, 0), 0.0)
    reasons = [link.reasons for link in aligner.explain(text[0], other[0], threshold=0.001, statistical=trained)]
    assert any("statistical aligner" in reason for found in reasons for reason in found)


def test_bad_input_is_explained(aligner):
    with pytest.raises(DataError, match="source has 2, target has 1 segments"):
        aligner.align(["a", "b"], ["a"])
    with pytest.raises(OptionError, match="threshold"):
        aligner.align(["a"], ["a"], threshold=2)
    with pytest.raises(DataError, match="which is no sentence"):
        aligner.align([["a"] * 100_001], ["a"])


def test_a_damaged_model_is_refused(tmp_path):
    folder = tmp_path / "links"
    shutil.copytree(SHIPPED / "links" / "default", folder)
    folder.chmod(0o755)
    (folder / "any.npy").write_bytes(b"nothing")
    with pytest.raises(DataError, match=r"any\.npy"):
        LinkNetworks.open(folder)


def test_networks_learn_what_annotators_link(aligner):
    """Annotators who link only content words teach just that."""
    pairs = [(f"he has {n} cats", f"{n} cats he has") for n in range(10, 40)]
    gold = tuple(GoldAlignment.from_pharaoh("2-0 3-1") for _ in pairs)
    sides = tuple(tuple(pair[side] for pair in pairs) for side in (0, 1))
    data = GoldPairs(AlignedPairs(ParaphrasePairs(*sides), gold), aligner.knowledge)
    networks = train_networks([data], Schedule(units=16, epochs=60, block=64), rounds=2)
    assert data.f1(networks) == (1.0, 1.0, 1.0)


def test_networks_believe_the_set_that_weighs_more(aligner):
    pairs = [(f"he has {n} cats", f"{n} cats he has") for n in range(10, 40)]
    sides = tuple(tuple(pair[side] for pair in pairs) for side in (0, 1))

    def annotated(links, weight):
        gold = tuple(GoldAlignment.from_pharaoh(links) for _ in pairs)
        return GoldPairs(AlignedPairs(ParaphrasePairs(*sides), gold), aligner.knowledge, weight=weight)

    for weights in ((4.0, 1.0), (1.0, 4.0)):
        sets = [annotated("0-2 1-3 2-0 3-1", weights[0]), annotated("2-0 3-1", weights[1])]
        networks = train_networks(sets, Schedule(units=16, epochs=60, block=64), rounds=1)
        assert [each.f1(networks)[2] == 1.0 for each in sets] == [weight == 4.0 for weight in weights]
