"""People's paraphrases against damaged originals: every kind of damage loses in at least the share that is documented.

The sentences are ours; `benchmarks/judges.py` does the same with pairs of news, captions and requests.
"""

import numpy as np
import pytest

from paragauge.corpora.demo import demo_testset
from paragauge.judges.damage import DAMAGES, Damager
from paragauge.judges.model import open_judges

# Original and paraphrase, ordinary sentences of several kinds.
PAIRS = [
    ("The committee postponed the vote until next week because three members were ill.",
     "Since three members were sick, the panel put off the vote until the following week."),
    ("Two men were arrested in Boston on Friday after they tried to sell stolen paintings.",
     "On Friday, police in Boston arrested two men who had attempted to sell paintings that were stolen."),
    ("The company said it would cut 500 jobs in France to reduce its costs.",
     "To lower its costs, the company will get rid of 500 jobs in France, it said."),
    ("All students must hand in the form before the end of May.",
     "The form has to be submitted by every student before May is over."),
    ("The old bridge was closed after a truck hit one of its pillars.",
     "After one of its pillars was struck by a lorry, the old bridge was shut."),
    ("Heavy rain destroyed many houses in the north of the country.",
     "Many homes in the country's north were destroyed by heavy rain."),
    ("Maria gave her brother a new bicycle for his birthday.",
     "Maria's brother got a new bike from her for his birthday."),
    ("The film tells the story of a young doctor who works in a small village.",
     "It is a movie about a young physician working in a little village."),
    ("He never understood why his neighbours had moved to London.",
     "Why the people next door had moved to London was something he never understood."),
    ("The museum buys about 40 paintings from local artists every year.",
     "Each year around 40 paintings by artists of the region are purchased by the museum."),
    ("Scientists have found a new species of frog in the forests of Peru.",
     "A new kind of frog has been discovered in Peru's forests by researchers."),
    ("The minister refused to answer questions about the price of gas.",
     "Questions about gas prices were not answered by the minister."),
]  # fmt: skip

KINDS = [name for name in DAMAGES if name != "lower-cased"]


@pytest.fixture(scope="module")
def damager():
    clauses = ["He was a doctor.", "The shop was closed.", "They sold their boat last summer.", "It was too late."]
    return Damager([*clauses, *(text for pair in PAIRS for text in pair)], seed=3)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_loses(kind, damager):
    model = open_judges()
    damaged = damager.damage(kind, [original for original, _ in PAIRS])
    rows = [(*pair, text) for pair, text in zip(PAIRS, damaged, strict=True) if text is not None]
    originals = [row[0] for row in rows]
    good = model.judge([row[1] for row in rows], originals=originals).values
    bad = model.judge([row[2] for row in rows], originals=originals).values
    assert len(rows) >= 2
    assert np.mean(good > bad) >= 0.85, [row for row, one, other in zip(rows, good, bad, strict=True) if one <= other]


@pytest.mark.parametrize("kind", ["punctuation-dropped", "lower-cased"])
def test_a_copy_is_a_copy(kind, damager):
    originals = [original for original, _ in PAIRS]
    copies = damager.damage(kind, originals)
    judged = open_judges().judge(
        [copy or original for copy, original in zip(copies, originals, strict=True)], originals=originals
    )
    assert judged.difference.max() < 0.1
    assert judged.values == pytest.approx(2, abs=0.15)


def test_drift_loses_in_every_sentence_of_the_demo():
    testset = demo_testset()
    originals = list(testset.originals)
    good, drift = (
        open_judges().judge(list(testset.candidates[name]), originals=originals).values
        for name in ("paraphrase", "drift")
    )
    assert (good > drift).all()


def test_a_denied_copy_is_worth_less_than_a_copy():
    original = "He bought the house because he liked the garden."
    judged = open_judges().judge(
        [original, "He did not buy the house because he liked the garden."], originals=[original] * 2
    )
    assert judged.values[0] > judged.values[1]
