"""Progress: the one shape in which long work reports it."""

import pytest

import paragauge as pg
from paragauge.grammar import Grammar, Rule, extract_grammar
from paragauge.grammar.parse import parse_pairs
from paragauge.phrases import PhraseTable, write_moses, write_phrase_tsv
from paragauge.progress import Counter, watched


@pytest.fixture
def seen():
    return []


@pytest.fixture
def progress(seen):
    return lambda *report: seen.append(report)


def test_a_counter_counts_and_says_what(seen, progress):
    counter = Counter(progress, 3, "pairs")
    counter.advance()
    counter.now("rules")
    counter.advance(2)
    assert seen == [(1, 3, "pairs"), (1, 3, "rules"), (3, 3, "rules")]
    Counter(None).advance()  # nobody to tell


def test_items_are_reported_now_and_then(seen, progress):
    assert list(watched(range(2500), progress, what="lines")) == list(range(2500))
    assert seen == [(1024, None, "lines"), (2048, None, "lines"), (2500, None, "lines")]
    assert list(watched("ab", None)) == ["a", "b"]
    seen.clear()
    assert list(watched("ab", progress, total=2, what="slow letters", every=1)) == ["a", "b"]
    assert seen == [(1, 2, "slow letters"), (2, 2, "slow letters")]


def test_extraction_reports_two_steps(seen, progress):
    bitext = ["a b"] * 3, ["x y"] * 3, ["0-0 1-1"] * 3
    pg.extract_phrases(*bitext, progress=progress)
    expected = [(3, None, "sentence pairs read"), (3, 3, "sentence pairs extracted")]
    assert seen == expected
    seen.clear()
    extract_grammar(*bitext, progress=progress)
    assert seen == expected


def test_writing_and_parsing_are_reported(seen, progress, tmp_path):
    table = PhraseTable.from_counts({("a", "x"): 1, ("b", "y"): 1})
    write_moses(table, tmp_path / "moses", progress=progress)
    write_phrase_tsv(table, tmp_path / "tsv", progress=progress)
    grammar = Grammar.from_rules([Rule.parse("[X] ||| a ||| b")])
    grammar.save(tmp_path / "grammar", progress=progress)
    grammar.write_text(tmp_path / "rules", progress=progress)
    parse_pairs(grammar, ["a"], ["b"], progress=progress)
    assert seen == [
        (2, 2, "pairs written"), (2, 2, "pairs written"), (1, None, "rules"), (1, None, "rules"), (1, 1, "pairs"),
    ]  # fmt: skip
