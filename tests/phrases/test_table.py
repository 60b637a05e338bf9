"""Phrase tables: look-up, pruning, merging, every format there and back, several processes."""

import gzip
import logging
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.resources import sign_again

import paragauge as pg
from paragauge import _core
from paragauge.errors import DataError, FileError, ParagaugeError
from paragauge.phrases import (
    ParaphraseTable,
    merge_tables,
    read_moses,
    read_phrase_tsv,
    write_moses,
    write_paraphrase_tsv,
    write_phrase_tsv,
)
from paragauge.storage.engine import EngineOptions

COUNTS = {
    ("house", "maison"): 6, ("house", "chambre"): 2, ("the house", "la maison"): 3, ("home", "maison"): 2,
    ("home", "foyer"): 1, ("été", "summer"): 1, ("a\u00e9\U0001f600", "x"): 1,
}  # fmt: skip


@pytest.fixture
def extracted():
    return pg.extract_phrases(
        ["the house is big", "the home is big", "a house"],
        ["la maison est grande", "le foyer est grand", "une maison"],
        ["0-0 1-1 2-2 3-3", "0-0 1-1 2-2 3-3", "0-0 1-1"],
    )  # fmt: skip


def test_look_up_by_either_side():
    table = pg.PhraseTable.from_counts(COUNTS)
    assert len(table) == 7
    assert table.total == sum(COUNTS.values())
    assert table.count("house") == 6 + 2
    assert table.probabilities("house") == {"maison": 6 / 8, "chambre": 2 / 8}
    assert table.probabilities(("the", "house")) == {"la maison": 1.0}
    assert table.probabilities("  the   house ") == {"la maison": 1.0}
    assert table.probabilities("unknown") == table["unknown"] == {}
    assert table.count("unknown") == 0
    assert "house" in table
    assert "hous" not in table
    assert "house " in table
    assert table["house"]["maison"].inverse_probability == 6 / 8
    inverted = table.inverted()
    assert inverted.probabilities("maison") == {"house": 6 / 8, "home": 2 / 8}
    assert [pair.inverted() for pair in inverted.lookup("maison")] == [
        table["house"]["maison"], table["home"]["maison"],
    ]  # fmt: skip
    assert inverted.inverted() == table
    assert sorted(pair.inverted().source for pair in inverted) == sorted(pair.source for pair in table)


@given(
    st.dictionaries(
        st.tuples(st.text("ab é\x01", min_size=1).filter(str.strip), st.sampled_from(["x", "y", "x y"])),
        st.integers(1, 5),
        max_size=20,
    )
)
@settings(max_examples=40)
def test_every_phrase_is_found(counts):
    joined = {}
    for (source, target), count in counts.items():
        joined[" ".join(source.split()), target] = count
    table = pg.PhraseTable.from_counts(joined)
    assert {(pair.source, pair.target): pair.count for pair in table} == joined
    for source, target in joined:
        assert table[source][target].count == joined[source, target]
    assert "zzz" not in table


def test_folder_there_and_back(tmp_path, extracted):
    extracted.save(tmp_path / "table")
    table = pg.PhraseTable.open(tmp_path / "table", verify=True)
    assert table == extracted
    assert list(table) == list(extracted)
    assert table.options["max_length"] == 4
    table.save(tmp_path / "again")
    assert pg.PhraseTable.open(tmp_path / "again").digest == table.digest
    extracted.inverted().save(tmp_path / "inverted")
    inverted = pg.PhraseTable.open(tmp_path / "inverted")
    assert list(inverted) == list(extracted.inverted())
    assert inverted.inverted() == extracted


@pytest.mark.parametrize("name", ["table.gz", "table.txt"])
def test_moses_there_and_back(tmp_path, extracted, name):
    assert write_moses(extracted, tmp_path / name) == len(extracted)
    assert read_moses(tmp_path / name) == extracted
    pruned = extracted.prune(top=1)
    write_moses(pruned, tmp_path / name)
    assert read_moses(tmp_path / name, engine=EngineOptions(threads=1)) == pruned


def test_moses_line_in_moses_order(tmp_path):
    # source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| alignment ||| N(t) N(s) N(s, t)
    path = tmp_path / "moses.gz"
    with gzip.open(path, "wt") as file:
        file.write("the house ||| la maison ||| 0.5 0.25 0.4 0.125 ||| 0-0 1-1 ||| 4 5 2\n")
        file.write("the house ||| le foyer ||| 1 0.25 0.2 0.125 2.718 ||| 0-0 1-1 ||| 1 5 1 ||| |||\n")
    pair = read_moses(path)["the house"]["la maison"]
    assert (pair.inverse_probability, pair.probability) == (2 / 4, 2 / 5)
    assert (pair.inverse_lexical, pair.direct_lexical) == (0.25, 0.125)
    assert (pair.target_count, pair.source_count, pair.count) == (4, 5, 2)


def test_smoothed_moses_scores_are_counted(tmp_path, caplog):
    (tmp_path / "t").write_text("a ||| x ||| 0.3 1 0.3 1 ||| 0-0 ||| 1 1 1\n")
    with caplog.at_level(logging.WARNING, logger="paragauge"):
        assert read_moses(tmp_path / "t").probabilities("a") == {"x": 1.0}
    assert "1 pair(s) have probabilities that differ from their counts" in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t: the file is empty, expected lines of 'source"),
        ("a b c\n", r"t:1: found 1 field, expected 'source \|\|\| target"),
        ("a ||| x ||| 1 1 1 1 ||| 0-0\n", r"t:1: the counts \(the fifth field\) are missing"),
        (
            "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\nb ||| x ||| 1 1 ||| 0-0 ||| 1 1 1\n",
            "t:2: found 2 scores, expected at",
        ),
        ("a ||| x ||| 1 1 z 1 ||| 0-0 ||| 1 1 1\n", "t:1: '1 1 z 1' is not a list of numbers"),
        ("a ||| x ||| 1 1 nan 1 ||| 0-0 ||| 1 1 1\n", "are out of range, expected finite numbers"),
        ("a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1\n", "t:1: found 2 counts, expected 3"),
        ("a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1.5 1 1\n", "are not integers"),
        ("a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 2\n", "are inconsistent"),
        ("a ||| x ||| 1 1 1 1 ||| 0:0 ||| 1 1 1\n", "t:1: '0:0' is not an alignment link"),
        ("a |||  ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n", "t:1: a phrase is empty"),
        ("a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n" * 2, "the pair 'a', 'x' occurs twice"),
        (
            "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 2 1\na ||| y ||| 1 1 1 1 ||| 0-0 ||| 1 3 1\n",
            "the counts of the source phrase 'a' are inconsistent: found 2 and 3",
        ),
        (
            "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\na ||| y ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n",
            "found 1, and pairs that add up to 2",
        ),
    ],
)
def test_mistakes_in_moses_tables_are_named(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t").write_text(text)
    with pytest.raises(DataError, match=message):
        read_moses("t")


def test_a_phrase_with_bars_cannot_be_written_as_moses(tmp_path):
    table = pg.PhraseTable.from_counts({("a ||| b", "x"): 1})
    with pytest.raises(DataError, match=r"contains '\|\|\|' and cannot be written to a Moses table; write TSV"):
        write_moses(table, tmp_path / "t")
    write_phrase_tsv(table, tmp_path / "t.tsv")
    assert read_phrase_tsv(tmp_path / "t.tsv") == table


def test_tsv_there_and_back(tmp_path, extracted):
    for number, table in enumerate((extracted, extracted.prune(min_prob=0.6), pg.PhraseTable.from_counts(COUNTS))):
        path = tmp_path / f"{number}.tsv.gz"
        assert write_phrase_tsv(table, path) == len(table)
        assert read_phrase_tsv(path) == table
    (tmp_path / "short.tsv").write_text("target\tsource\tcount\nx\ta\t2\ny\ta\t2\n")
    assert read_phrase_tsv(tmp_path / "short.tsv").probabilities("a") == {"x": 0.5, "y": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, expected a header"),
        ("source\ttarget\n", "t:1: there is no column 'count'"),
        ("source\ttarget\tcount\tother\n", "t:1: unknown column 'other'; known: source, target"),
        ("source\ttarget\tcount\tcount\n", "the column 'count' occurs twice"),
        ("source\ttarget\tcount\tsource_count\n", "expected both or none"),
        ("source\ttarget\tcount\na\tx\n", "t:2: found 2 cells, expected 3"),
        ("source\ttarget\tcount\na\tx\tz\n", "t:2: the count is 'z', expected a whole number"),
        ("source\ttarget\tcount\na\tx\t0\n", "t:2: the count 0 is out of range"),
        ("source\ttarget\tcount\na\tx\t1_0\n", "t:2: the count is '1_0'"),
        ("source\ttarget\tcount\n \tx\t1\n", "t:2: the source is empty"),
    ],
)
def test_mistakes_in_tsv_tables_are_named(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t").write_text(text)
    with pytest.raises(DataError, match=message):
        read_phrase_tsv("t")


@given(st.text(alphabet="a|x 0-1\t\n.\u00e9\x00", max_size=60), st.sampled_from(["moses", "tsv"]))
@settings(max_examples=150)
def test_readers_give_data_or_say_why_not(tmp_path_factory, text, form):
    path = tmp_path_factory.mktemp("fuzz") / "t"
    head = "" if form == "moses" else "source\ttarget\tcount\n"
    path.write_text(head + text, encoding="utf-8", newline="")
    try:
        table = read_moses(path) if form == "moses" else read_phrase_tsv(path)
    except ParagaugeError:
        return
    assert all(pair.count >= 1 for pair in table)


def test_pruning_keeps_probabilities():
    table = pg.PhraseTable.from_counts({("a", "x"): 5, ("a", "y"): 3, ("a", "z"): 2, ("b", "x"): 1})
    assert {(p.source, p.target) for p in table.prune(min_count=2)} == {("a", "x"), ("a", "y"), ("a", "z")}
    assert table.prune(min_prob=0.3).probabilities("a") == {"x": 5 / 10, "y": 3 / 10}
    best = table.prune(top=1)
    assert best.probabilities("a") == {"x": 5 / 10}
    assert best["b"]["x"].inverse_probability == 1 / 6
    assert best.prune(min_count=5).count("a") == 10
    assert "b" not in best.prune(min_count=5)
    assert table.prune() == table


def test_ties_at_the_top_go_by_text():
    table = pg.PhraseTable.from_counts({("a", "z"): 1, ("a", "y"): 1, ("a", "x"): 1})
    assert list(table.prune(top=2).probabilities("a")) == ["x", "y"]


def test_merging_adds_counts(extracted):
    one = pg.PhraseTable.from_counts({("a", "x"): 2, ("b", "y"): 1})
    two = pg.PhraseTable.from_counts({("a", "x"): 3, ("a", "z"): 5})
    merged = merge_tables([one, two])
    assert {(p.source, p.target): p.count for p in merged} == {("a", "x"): 5, ("a", "z"): 5, ("b", "y"): 1}
    assert merged["a"]["x"].source_count == 10
    assert merged == merge_tables([two, one])
    # What was pruned from a part still counts in the totals.
    assert merge_tables([one, two.prune(top=1)])["a"]["z"].source_count == 10
    halves = [
        pg.extract_phrases(["a b", "a"], ["x y", "x"], ["0-0 1-1", "0-0"]),
        pg.extract_phrases(["a b"], ["x y"], ["0-0"]),
    ]
    whole = pg.extract_phrases(["a b", "a", "a b"], ["x y", "x", "x y"], ["0-0 1-1", "0-0", "0-0"])
    assert {(p.source, p.target): p.count for p in merge_tables(halves)} == {
        (p.source, p.target): p.count for p in whole
    }
    assert merge_tables([extracted, extracted])["house"]["maison"].direct_lexical == (
        extracted["house"]["maison"].direct_lexical
    )
    assert merge_tables([extracted, one]).optional_columns == ()
    with pytest.raises(DataError, match="no tables to merge"):
        merge_tables([])


def _probabilities(path):
    return pg.PhraseTable.open(path).probabilities("house")


def test_several_processes_read_one_table(tmp_path):
    pg.PhraseTable.from_counts(COUNTS).save(tmp_path / "table")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        answers = list(pool.map(_probabilities_elsewhere, [str(tmp_path / "table")] * 4))
    assert answers == [_probabilities(tmp_path / "table")] * 4


def _probabilities_elsewhere(path):
    code = f"import paragauge; print(paragauge.PhraseTable.open({path!r}).probabilities('house'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return eval(done.stdout)  # noqa: S307 - our own output


def test_opening_what_is_no_phrase_table_says_so(tmp_path):
    with pytest.raises(FileError, match=r"no such folder, expected a folder made by paragauge \(phrase-table\)"):
        pg.PhraseTable.open(tmp_path / "nothing")
    pg.ParaphraseTable.from_rows([("a", "b", 0.5)]).save(tmp_path / "paraphrases")
    with pytest.raises(DataError, match="is a resource of kind paraphrase-table, expected phrase-table"):
        pg.PhraseTable.open(tmp_path / "paraphrases")
    pg.PhraseTable.from_counts(COUNTS).save(tmp_path / "table")
    path = tmp_path / "table" / "pairs.counts.npy"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DataError, match=r"pairs\.counts\.npy has .* bytes, expected"):
        pg.PhraseTable.open(tmp_path / "table")
    with pytest.raises(FileError, match=r"exists already \(paraphrase-table, expected phrase-table\)"):
        pg.PhraseTable.from_counts(COUNTS).save(tmp_path / "paraphrases")
    with pytest.raises(DataError, match="expected at least 1"):
        pg.PhraseTable.from_counts({("a", "x"): 0})


def test_a_damaged_column_is_refused(tmp_path):
    import numpy as np

    pg.PhraseTable.from_counts(COUNTS).save(tmp_path / "table")
    path = tmp_path / "table" / "pairs.counts.npy"
    for array, message in (
        (np.zeros(3, "<i8"), r"pairs\.source\.npy has 7 entries, expected 3"),
        (np.zeros(7, "<f8"), r"pairs\.counts\.npy: is not an array .*holds <f8 in 1 dimension.s., expected <i8"),
        (np.array([{}], dtype=object), r"pairs\.counts\.npy: is not an array"),
    ):
        np.save(path, array, allow_pickle=True)
        sign_again(path.parent)
        with pytest.raises(DataError, match=message):
            pg.PhraseTable.open(tmp_path / "table")


def test_an_empty_table_is_a_table(tmp_path):
    empty = pg.PhraseTable.from_counts({})
    empty.save(tmp_path / "table")
    table = pg.PhraseTable.open(tmp_path / "table")
    assert table == empty
    assert (len(table), list(table), table.probabilities("a"), table.total) == (0, [], {}, 0)
    assert len(table.inverted()) == 0
    write_phrase_tsv(table, tmp_path / "t.tsv")
    assert read_phrase_tsv(tmp_path / "t.tsv") == table


def test_compact_folders_lack_nothing(tmp_path):
    rng = random.Random(3)
    counts = {(f"s{rng.randrange(40)} t", f"f{rng.randrange(30)}"): rng.randrange(1, 9) for _ in range(300)}
    table = pg.PhraseTable.from_counts(counts)
    table.save(tmp_path / "full")
    table.save(tmp_path / "compact", compact=True)
    assert {file.name for file in (tmp_path / "full").iterdir()} - {
        file.name for file in (tmp_path / "compact").iterdir()
    } == {"pairs.source.npy", "target.rows.npy", "pairs.by_target.npy"}
    compact = pg.PhraseTable.open(tmp_path / "compact")
    assert compact == pg.PhraseTable.open(tmp_path / "full") == table
    assert list(compact.inverted()) == list(table.inverted())
    assert compact.prune(min_count=3) == table.prune(min_count=3)
    compact.save(tmp_path / "back")
    for file in (tmp_path / "full").iterdir():
        assert file.read_bytes() == (tmp_path / "back" / file.name).read_bytes()


def test_damage_in_a_compact_folder_is_found(tmp_path):
    pg.PhraseTable.from_counts({("a", "x"): 1, ("b", "y"): 2}).save(tmp_path / "t", compact=True)
    rows = np.array([0, 2, 1], dtype=np.int64)
    with (tmp_path / "t" / "source.rows.npy").open("r+b") as file:
        file.seek(128)
        file.write(rows.tobytes())
    sign_again(tmp_path / "t")
    with pytest.raises(DataError, match=r"source\.rows\.npy: the offsets do not fit"):
        pg.PhraseTable.open(tmp_path / "t")


def _moses_line(pair):
    """A line of Moses text, written from a pair."""
    weights = [1.0 if weight is None else weight for weight in (pair.inverse_lexical, pair.direct_lexical)]
    scores = (pair.inverse_probability, weights[0], pair.probability, weights[1])
    counts = (pair.target_count, pair.source_count, pair.count)
    fields = [pair.source, pair.target, " ".join(map(repr, scores)), pair.alignment or "", " ".join(map(str, counts))]
    return " ||| ".join(fields)


def test_blocks_of_text_are_the_lines_of_all_pairs(tmp_path, extracted, monkeypatch):
    monkeypatch.setattr("paragauge.phrases.table.PAIRS_IN_BLOCK", 7)
    monkeypatch.setattr("paragauge.phrases.tsv.PAIRS_IN_BLOCK", 7)
    for table in (extracted, extracted.inverted(), pg.PhraseTable.from_counts(COUNTS), pg.PhraseTable.from_counts({})):
        write_moses(table, tmp_path / "moses")
        assert (tmp_path / "moses").read_text(encoding="utf-8").splitlines() == [_moses_line(pair) for pair in table]
        write_phrase_tsv(table, tmp_path / "tsv")
        header, *lines = (tmp_path / "tsv").read_text(encoding="utf-8").splitlines()
        names = header.split("\t")
        cells = [[getattr(pair, name) for name in names] for pair in table]
        assert lines == ["\t".join(one if isinstance(one, str) else repr(one) for one in row) for row in cells]
    paraphrases = ParaphraseTable.from_phrase_table(extracted)
    write_paraphrase_tsv(paraphrases, tmp_path / "tsv")
    expected = [f"{phrase}\t{found.text}\t{found.score!r}" for phrase, found in paraphrases]
    assert (tmp_path / "tsv").read_text(encoding="utf-8").splitlines()[1:] == expected


@given(st.lists(st.tuples(st.floats(), st.integers(-(2**63), 2**63 - 1)), max_size=20))
def test_numbers_are_written_as_repr_writes_them(rows):
    floats = np.array([value for value, _ in rows], dtype=np.float64)
    integers = np.array([value for _, value in rows], dtype=np.int64)
    text = _core.write_rows([floats, integers], separators=["", " "], threads=2).decode()
    assert text == "".join(f"{value!r} {number!r}\n" for value, number in rows)


@pytest.mark.parametrize(
    ("columns", "separators", "message"),
    [
        ([], [], "separators: needs one for each column"),
        ([np.zeros(2), np.zeros(3)], ["", " "], "all must have as many rows"),
        ([(np.zeros(1, np.uint8), np.array([0, 1]), np.array([1], np.int32))], [""], "out of range"),
        ([(np.zeros(1, np.uint8), np.array([0, 2]))], [""], "must end with 1"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, separators, message):
    with pytest.raises(ValueError, match=message):
        _core.write_rows(columns, separators=separators, threads=1)
