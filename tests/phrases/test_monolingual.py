"""Monolingual SMT, phrase tables of one language as paraphrases, phrase pairs of single sentences."""

import pytest

from paragauge import ParaphraseTable, PhraseTable
from paragauge.errors import DataError, OptionError
from paragauge.matching.words import LinkRules, link_words
from paragauge.phrases.by_sentence import phrase_pairs_by_sentence
from paragauge.phrases.monolingual import all_pairs, monolingual_smt

GROUPS = [
    ["the big dog slept", "the large dog slept", "the huge dog slept"],
    ["a big man left", "a large man left"],
    ["one big house", "one large house", "one huge house"],
]


def test_all_pairs_of_each_group():
    source, target = all_pairs(GROUPS)
    assert len(source) == 3 + 1 + 3
    assert (source[1], target[1]) == ("the big dog slept", "the huge dog slept")


def test_paraphrases_go_both_ways():
    learned = monolingual_smt(GROUPS)
    table = learned.paraphrases(max_length=2)
    assert {each.text for each in table["big"]} == {"large", "huge"}
    # big is paired with large three times and with huge twice.
    assert table.score("big", "large") == pytest.approx(3 / 5)
    assert table.score("large", "big") == pytest.approx(3 / 5)
    assert table.score("big dog", "huge dog") == pytest.approx(1 / 2)
    assert "dog" not in table
    assert "big dog slept" not in table
    assert [each.text for each in learned.paraphrases(min_prob=0.5)["big"]] == ["large"]
    (links,) = learned.aligner.align(["a huge man"], ["a big man"])
    assert links.to_pharaoh() == "0-0 1-1 2-2"


def test_directions_may_be_trained_apart():
    learned = monolingual_smt(GROUPS, method="grow-diag-final-and")
    assert not learned.aligner.options.agreement
    assert learned.aligner.options.monolingual
    assert "large" in [each.text for each in learned.paraphrases()["big"]]


def test_no_pairs_to_learn_from():
    with pytest.raises(DataError, match="no group has two sentences"):
        monolingual_smt([["a", " "], []])


def test_phrase_table_of_one_language_as_paraphrases(tmp_path):
    counts = {("big", "large"): 1, ("big", "big"): 98, ("big", "huge"): 1, ("house", "house"): 2}
    table = PhraseTable.from_counts(counts)
    found = ParaphraseTable.from_phrase_table(table, min_prob=0.01, output=tmp_path / "table")
    assert {each.text: each.score for each in found["big"]} == {"large": 0.01, "huge": 0.01}
    assert len(found) == 2
    assert found.options["min_prob"] == 0.01
    assert len(ParaphraseTable.from_phrase_table(table, min_prob=0.02)) == 0


def test_phrase_pairs_of_each_sentence_pair():
    found = phrase_pairs_by_sentence(["a b", ["a"], ""], ["x b", "a", "y"], ["0-0 1-1", [(0, 0)], ""], max_length=1)
    assert list(found) == [{("a", "x"), ("b", "b")}, {("a", "a")}, set()]
    with pytest.raises(DataError, match="source has 1, target has 2"):
        next(phrase_pairs_by_sentence(["a"], ["a", "b"], [""]))
    with pytest.raises(DataError, match="alignment 2: link 1-0 points past the source sentence"):
        list(phrase_pairs_by_sentence(["a", "b"], ["a", "b"], ["0-0", "1-0"]))
    with pytest.raises(OptionError, match="max_length must be at least 1"):
        next(phrase_pairs_by_sentence(["a"], ["b"], ["0-0"], max_length=0))


def test_links_by_a_paraphrase_table():
    table = ParaphraseTable.from_rows([("died", "passed away", 0.5), ("he", "she", 0.001)])
    found = link_words([["he", "died"]] * 2, [["he", "passed", "away"], ["x"]], LinkRules(paraphrases=table))
    assert [each.to_pharaoh() for each in found.alignments()] == ["0-0 1-1 1-2", ""]
    loose, strict = (LinkRules(paraphrases=table, min_score=least) for least in (None, 0.01))
    assert [len(link_words([["he"]], [["she"]], rules).alignments()[0]) for rules in (loose, strict)] == [1, 0]
