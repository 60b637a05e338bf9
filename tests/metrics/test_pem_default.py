"""The PEM model that ships, on sentences that nobody has trained on."""

from statistics import fmean

import numpy as np
import pytest

from paragauge import METRICS, PEM, PhraseTable
from paragauge.corpora.damaged_pairs import damaged_pairs
from paragauge.corpora.demo import demo_testset
from paragauge.corpora.judged_pairs import ADEQUACY, control_pairs
from paragauge.metrics.pem.model import PemModel, open_pem_model

FOLDER = open_pem_model.folder("default")

# An original and a good paraphrase of it, written for this test.
PAIRS = [
    ("The doctor told him to stop smoking at once.", "The physician said that he must quit smoking right away."),
    ("She could not find her keys this morning.", "This morning she was unable to find her keys."),
    ("Many people believe that the story is true.", "A lot of people think the story is true."),
    ("We have to finish the work before Friday.", "The work must be done before Friday."),
    ("He was too tired to continue the journey.", "He was so tired that he could not go on with the trip."),
    ("The children played in the garden when it began to rain.", "The kids played in the garden when the rain came."),
    ("I do not understand why she is so angry.", "I can't see why she is so mad."),
    ("The price of oil has gone up again.", "Oil has become more expensive again."),
    ("They decided to put off the meeting until next week.", "They chose to postpone the meeting until next week."),
    ("Nobody knows where the old man lives.", "No one knows where the old man lives."),
    ("My brother works for a big company in London.", "My brother has a job with a large firm in London."),
    ("It is hard to learn a foreign language.", "Learning a foreign language is difficult."),
]  # fmt: skip


# The same sentence in commoner and in rarer words.
SYNONYMS = [
    ("He put off the meeting.", "He postponed the meeting."),
    ("She bought a new house last year.", "She purchased a new house last year."),
    ("Let us start the ceremony.", "Let us commence the ceremony."),
    ("His car broke down on the way home.", "His automobile broke down on the way home."),
    ("The police caught the thief.", "The police apprehended the burglar."),
    ("He often lies to his parents.", "He frequently deceives his parents."),
    ("They stopped the fight.", "They halted the brawl."),
    ("She has enough food for the trip.", "She has sufficient provisions for the journey."),
    ("The soldiers left the town at dawn.", "The troops departed from the town at daybreak."),
    ("The new law will help poor families.", "The new legislation will aid low-income households."),
    ("The lawyer tried to hide the truth.", "The attorney attempted to conceal the truth."),
    ("Her answer made the teacher angry.", "Her reply infuriated the teacher."),
]


@pytest.fixture(scope="module")
def metric():
    return PEM.load("default")


# So that these, and not the words of a few sentences, are the most frequent words.
FUNCTION_WORDS = (
    "the a an of to in on at by for with from and or but so that this it he she they we you his her my their its is "
    "are was were be been has have had do does did not will would can could may must no as than when"
)


def _mean(metric, pairs):
    originals, candidates = zip(*pairs, strict=True)
    return fmean(score.value for score in metric.segment_scores(candidates, originals=originals))


def test_a_good_paraphrase_beats_a_copy_which_beats_an_unrelated_sentence_and_a_salad(metric):
    originals = [original for original, _ in PAIRS]
    controls = control_pairs(originals, np.random.default_rng(5)).mean_over_judges()
    by_system = {
        name: _mean(metric, [(row.original, row.candidate) for row in controls if row.system == name])
        for name in ("control-copy", "control-random", "control-salad")
    }
    assert by_system["control-copy"] == pytest.approx(2.0, abs=0.35)
    assert by_system["control-random"] == pytest.approx(1.0, abs=0.5)
    assert by_system["control-salad"] < by_system["control-copy"] - 0.5
    assert _mean(metric, PAIRS) > by_system["control-copy"] + 0.3


@pytest.mark.parametrize(("common", "rare"), SYNONYMS)
def test_rare_words_are_as_good_as_common_ones(metric, common, rare):
    there, back = metric.score(rare, original=common), metric.score(common, original=rare)
    assert min(there.value, back.value) > metric.score(common, original=common).value + 0.4
    assert there.value == pytest.approx(back.value, abs=1.0)


def test_every_good_paraphrase_beats_an_unrelated_sentence(metric):
    good = metric.segment_scores([good for _, good in PAIRS], originals=[original for original, _ in PAIRS])
    unrelated = metric.segment_scores([good for _, good in PAIRS], originals=[o for o, _ in PAIRS[1:] + PAIRS[:1]])
    assert all(one.value > other.value for one, other in zip(good, unrelated, strict=True))


def test_every_damaged_kind_scores_below_good_paraphrases(metric):
    good = dict(PAIRS)
    values = dict(zip(good, metric.segment_scores(list(good.values()), originals=list(good)), strict=True))
    wins: dict[str, list[bool]] = {}
    texts = [*good, " ".join([FUNCTION_WORDS] * 9)]
    for row in damaged_pairs(texts, np.random.default_rng(2)).mean_over_judges(ADEQUACY):
        if row.original not in good:
            continue
        score = metric.score(row.candidate, original=row.original)
        wins.setdefault(row.system, []).append(values[row.original].value > score.value)
    assert len(wins) >= 6
    for kind, won in wins.items():
        assert sum(won) >= 0.7 * len(won), kind


def test_it_answers_the_right_way_everywhere_between_these_sentences(metric):
    model = metric.opened
    rows = np.array([list(metric.score(p, original=o).components.values()) for o, p in PAIRS])
    for direction, place in ((1, 0), (1, 1), (-1, 2)):
        for row in rows:
            low, high = row.copy(), row.copy()
            low[place] -= 0.1
            high[place] += 0.1
            one, other = model.regressor.predict(np.array([low, high]))
            assert direction * (other - one) > -0.02, (place, row)


@pytest.mark.parametrize("name", ["pem", "pem+"])
def test_drift_loses_in_every_sentence_of_the_demo(name):
    testset = demo_testset()
    paraphrase, drift = (
        METRICS[name]().segment_scores(testset.candidates[system], originals=testset.originals)
        for system in ("paraphrase", "drift")
    )
    assert [one.value > other.value for one, other in zip(paraphrase, drift, strict=True)] == [True] * len(paraphrase)


def test_values_stay_on_the_scale_and_a_copy_without_punctuation_is_a_copy(metric):
    for original, paraphrase in PAIRS:
        assert 1.0 <= metric.score(paraphrase, original=original).value <= 5.0
        bare = metric.score(original.rstrip("."), original=original)
        assert bare.adequacy == bare.dissimilarity == 1.0
        assert metric.score("", original=original).value == 1.0


def test_the_model_is_whole_small_and_says_what_it_is():
    model = PemModel.open(FOLDER, verify=True)
    assert model.features == ("adequacy", "fluency", "dissimilarity")
    for expected in ("Tatoeba", "CC BY 2.0", "Apache-2.0", "Pearson", "no sentences"):
        assert expected in model.card
    size = sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file())
    assert size <= 22_000_000
    for pivot in model.resources.pivots:
        assert len(PhraseTable.open(FOLDER / f"pivot-{pivot}")) > 1000
