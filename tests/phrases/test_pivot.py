"""Pivoted paraphrases, paraphrase tables, paraphrase sets, PPDB."""

import gzip
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import phrases as phrase_oracles
from pytest import approx

import paragauge as pg
from paragauge.errors import DataError, OptionError, ParagaugeError
from paragauge.phrases import (
    ParaphraseSets,
    paraphrase_probability,
    read_paraphrase_tsv,
    read_ppdb,
    write_paraphrase_tsv,
)
from paragauge.storage.engine import EngineOptions


def row(table, phrase):
    return {paraphrase.text: paraphrase.score for paraphrase in table[phrase]}


def test_pivot_rows_sum_to_one_when_every_pivot_is_known():
    e_to_f = pg.PhraseTable.from_counts({("a", "x"): 1, ("a", "y"): 1})
    f_to_e = pg.PhraseTable.from_counts({("x", "a"): 2, ("x", "b"): 3, ("y", "b"): 1})
    found = row(pg.pivot_paraphrases([(e_to_f, f_to_e)], identity=True), "a")
    assert found == approx({"a": 0.5 * 0.4, "b": 0.5 * 0.6 + 0.5 * 1.0})
    assert sum(found.values()) == approx(1.0)
    assert row(pg.pivot_paraphrases([(e_to_f, f_to_e)]), "a") == approx({"b": 0.5 * 0.6 + 0.5 * 1.0})


def test_a_pivot_that_leads_nowhere_is_lost():
    e_to_f = pg.PhraseTable.from_counts({("a", "x"): 1, ("a", "y"): 3})
    f_to_e = pg.PhraseTable.from_counts({("x", "a"): 1, ("x", "b"): 1, ("z", "c"): 1})
    assert row(pg.pivot_paraphrases([(e_to_f, f_to_e)], identity=True), "a") == approx({"a": 0.125, "b": 0.125})


def test_several_corpora_are_averaged_over_those_that_know_the_phrase():
    french = pg.PhraseTable.from_counts({("a", "x"): 1, ("b", "x"): 1})
    german = pg.PhraseTable.from_counts({("a", "u"): 1, ("c", "u"): 3, ("d", "v"): 1, ("c", "v"): 1})
    table = pg.pivot_paraphrases([french, german])
    assert row(table, "a") == approx({"b": (1 * 1 / 2) / 2, "c": (1 * 3 / 4) / 2})
    assert row(table, "b") == approx({"a": 1 * 1 / 2})  # only French knows b
    assert row(table, "d") == approx({"c": 1 * 1 / 2})


_COUNTS = st.dictionaries(
    st.tuples(st.sampled_from(["a", "b", "c", "a b"]), st.sampled_from("xyz")),
    st.integers(1, 4),
    min_size=1,
    max_size=8,
)


@given(st.lists(_COUNTS, min_size=1, max_size=3))
@settings(max_examples=40)
def test_pivoting_equals_exact_arithmetic(tables):
    expected = phrase_oracles.pivot(tables)
    made = [pg.PhraseTable.from_counts(counts) for counts in tables]
    found = pg.pivot_paraphrases(made, min_prob=0, identity=True, engine=EngineOptions(threads=1))
    assert {(phrase, one.text): one.score for phrase, one in found} == approx(
        {pair: float(p) for pair, p in expected.items()}
    )
    for phrase in found.phrases():
        assert sum(one.score for one in found[phrase]) == approx(1.0)
    for phrase in "abc":
        for other in "abc":
            known = any(phrase == e for counts in tables for e, _ in counts)
            single = paraphrase_probability(made, phrase, other)
            assert single == (approx(float(expected.get((phrase, other), 0))) if known else None)
    others = pg.pivot_paraphrases(made, min_prob=0)
    assert all(phrase != one.text for phrase, one in others)
    assert all(sum(one.score for one in others[phrase]) <= 1 + 1e-12 for phrase in others.phrases())


def test_pruning_and_order():
    counts = {("a", "x"): 90, ("b", "x"): 8, ("c", "x"): 8, ("d", "x"): 1}
    table = pg.pivot_paraphrases(pg.PhraseTable.from_counts(counts))
    assert list(row(table, "a")) == ["b", "c"]  # equal scores by text; d is below 0.01
    assert row(table, "d") == approx({"a": 90 / 107, "b": 8 / 107, "c": 8 / 107})
    best = pg.pivot_paraphrases(pg.PhraseTable.from_counts(counts), top=1)
    assert [len(best[phrase]) for phrase in "abcd"] == [1, 1, 1, 1]
    assert [one.text for one in table.paraphrases("a", top=1)] == ["b"]
    assert table.paraphrases("d", min_score=0.5) == table["d"][:1]


def test_the_same_table_whatever_the_threads_and_the_memory(tmp_path):
    counts = {(f"e{i % 83}", f"f{(i * i) % 61}"): i % 7 + 1 for i in range(4000)}
    table = pg.PhraseTable.from_counts(counts)
    tables = [
        pg.pivot_paraphrases(table, min_prob=0, engine=EngineOptions(threads=threads, memory_limit=limit))
        for threads, limit in ((1, None), (3, None), (2, "60MB"))
    ]
    assert tables[0] == tables[1] == tables[2]


def test_paraphrase_table_there_and_back(tmp_path):
    table = pg.ParaphraseTable.from_rows(
        [("big", "large", 0.5), ("big", "great", 0.25), ("big", "large", 0.4), ("put forth", "proposed", 1 / 3)]
    )
    assert row(table, "big") == {"large": 0.5, "great": 0.25}
    assert row(table, ("put", "forth")) == {"proposed": 1 / 3}
    assert table["large"] == table["unknown"] == []
    assert "large" not in table
    assert "big" in table
    assert (table.score("big", "large"), table.score("big", "big"), table.score("x", "y")) == (0.5, None, None)
    table.save(tmp_path / "table")
    assert pg.ParaphraseTable.open(tmp_path / "table", verify=True) == table
    write_paraphrase_tsv(table, tmp_path / "t.tsv.gz")
    assert read_paraphrase_tsv(tmp_path / "t.tsv.gz") == table
    empty = pg.ParaphraseTable.from_rows([])
    empty.save(tmp_path / "empty")
    assert pg.ParaphraseTable.open(tmp_path / "empty") == empty


def test_sets_share_a_translation():
    table = pg.PhraseTable.from_counts(
        {
            ("blown up", "f"): 1,
            ("bombing", "f"): 8,
            ("explosion", "f"): 1,
            ("explosion", "g"): 9,
            ("loud noise", "g"): 1,
        }
    )
    sets = ParaphraseSets(table)
    assert sets.members("f") == ("bombing", "blown up", "explosion")
    assert sets.share("blown up", "bombing")
    assert not sets.share("bombing", "loud noise")
    assert sets.paraphrases("explosion") == ("blown up", "bombing", "loud noise")
    assert ParaphraseSets(table, min_length=2).members("f") == ("blown up",)
    assert ParaphraseSets(table, min_prob=0.5).members("f") == ("bombing", "blown up")
    assert ParaphraseSets(table, min_inverse_prob=0.5).members("f") == ("bombing",)
    assert ParaphraseSets(table, min_prob=0.5).sets("explosion") == sets.sets("loud noise")
    assert sets.members("unknown") == ()
    assert sets.sets("unknown") == frozenset()


PPDB_ROWS = """\
[NP] ||| the house ||| the home ||| PPDB2.0Score=4.5 PPDB1.0Score=2 p(e|f)=0.5 p(f|e)=1 ||| 0-0 1-1 ||| Equivalence
[NN] ||| the house ||| the home ||| PPDB2.0Score=3.5 PPDB1.0Score=2 p(e|f)=0.25 p(f|e)=1 ||| 0-0 1-1 ||| Equivalence
[NP] ||| [NN,1] of it ||| its [NN,1] ||| PPDB2.0Score=1 p(e|f)=1 p(f|e)=1 ||| 0-1 ||| OtherRelated
[VB] ||| buy ||| purchase ||| p(e|f)=-0.0 p(f|e)=2 PPDB2.0Score=5
"""


def test_ppdb_rows_by_hand(tmp_path):
    with gzip.open(tmp_path / "ppdb.gz", "wt") as file:
        file.write(PPDB_ROWS)
    table = read_ppdb(tmp_path / "ppdb.gz")
    assert row(table, "the house") == approx({"the home": math.exp(-0.25)})  # the better of two left-hand sides
    assert row(table, "buy") == {"purchase": 1.0}
    assert table.options["skipped_rules"] == 1
    assert row(read_ppdb(tmp_path / "ppdb.gz", feature="PPDB2.0Score"), "the house") == {"the home": 4.5}
    saved = read_ppdb(tmp_path / "ppdb.gz", output=tmp_path / "table")
    assert pg.ParaphraseTable.open(tmp_path / "table") == saved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, expected rows of"),
        ("a ||| b\n", "p:1: not a row of a PPDB file"),
        ("[X] ||| a ||| b ||| q=1\n", r"p:1: there is no feature 'p\(e\|f\)'; pass --feature with one of: q"),
        ("[X] ||| a ||| b ||| p(e|f)=z\n", "is 'z', expected a number"),
        ("[X] ||| a ||| b ||| p(e|f)=inf\n", "expected a finite number"),
        ("[X] ||| a |||  ||| p(e|f)=1\n", "p:1: a phrase is empty"),
    ],
)
def test_mistakes_in_ppdb_files_are_named(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p").write_text(text)
    with pytest.raises(DataError, match=message):
        read_ppdb("p")


@given(st.text(alphabet="[]X,1ap(e|f)= \t\n\u00e9", max_size=60), st.sampled_from(["ppdb", "tsv"]))
@settings(max_examples=150)
def test_readers_give_data_or_say_why_not(tmp_path_factory, text, form):
    path = tmp_path_factory.mktemp("fuzz") / "p"
    path.write_text(
        ("" if form == "ppdb" else "phrase\tparaphrase\tprobability\n") + text, encoding="utf-8", newline=""
    )
    try:
        table = read_ppdb(path) if form == "ppdb" else read_paraphrase_tsv(path)
    except ParagaugeError:
        return
    assert all(math.isfinite(one.score) for _, one in table)


def test_wrong_options_are_named():
    table = pg.PhraseTable.from_counts({("a", "x"): 1})
    for options, message in (({"min_prob": -1}, "min_prob must be between"), ({"top": 0}, "top must be")):
        with pytest.raises(OptionError, match=message):
            pg.pivot_paraphrases(table, **options)
    with pytest.raises(DataError, match="no tables to pivot through"):
        pg.pivot_paraphrases([])


@pytest.mark.data
def test_ppdb_subset(data_folder):
    (path,) = (data_folder / "ppdb_subset").glob("*.txt.gz")
    table = read_ppdb(path)
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.split(" ||| ") for line in file]
    assert len(rows) == 5878
    assert len(table) == len({(fields[1], fields[2]) for fields in rows})  # pairs come with several left-hand sides
    assert table.options["skipped_rules"] == 0
    costs = [
        float(feature.removeprefix("p(e|f)="))
        for _, source, target, features in rows
        for feature in features.split()
        if (source, target) == ("increase in", "an increase in") and feature.startswith("p(e|f)=")
    ]
    assert row(table, "increase in")["an increase in"] == approx(math.exp(-min(costs)))
    assert all(0 <= one.score <= 1 for _, one in table)
