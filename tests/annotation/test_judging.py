"""Judgments of rewritten sentences: what is saved is what was rated, and controls tell who judges with care."""

import contextlib
import sqlite3

import pytest

from paragauge.annotation.database import row_checksum
from paragauge.annotation.judging import CRITERIA, HUMAN, RANDOM, JudgingStore, Rating
from paragauge.annotation.store import AnnotationStore
from paragauge.cli.main import main
from paragauge.corpora import TestSet, read_judgments
from paragauge.corpora.formats import write_testset
from paragauge.corpora.pairs import ParaphrasePairs
from paragauge.errors import DataError, FileError, OptionError

TESTSET = TestSet(
    ids=["10", "20"],
    originals=["the old man went home", "she sings very well"],
    candidates={
        "a": ["the man went home", "she sings well"],
        "b": ["old man home", "she sings well"],
        "c": ["the man", "she very"],
        HUMAN: ["he went home", "she sings well"],
        RANDOM: ["old the", "very she"],
    },
)
_TOKENS = iter(range(10**9))


def rating(place, criterion, score, **more):
    return Rating(place, criterion, score, f"token-{next(_TOKENS):09}", **more)


@pytest.fixture
def store(tmp_path):
    with JudgingStore.create(tmp_path / "store.sqlite", TESTSET) as made:
        yield made


def rate_all(store, judge, quality):
    """Give every text a score by its system."""
    for number, item in enumerate(store.items, start=1):
        for system, place in item.places.items():
            for criterion in CRITERIA:
                store.record(judge, number, rating(place, criterion, quality(system)))


def careful(system):
    return {HUMAN: 5, RANDOM: 1, "a": 4, "b": 3, "c": 2}[system]


def test_texts_that_systems_share_are_judged_once_and_count_for_each(store):
    assert store.item(2).texts == ("she sings well", "she very", "very she")
    store.record("ann", 2, rating(0, "meaning", 4))
    store.record("ann", 2, rating(0, "meaning", 5))  # the latest counts
    rows = [(row.system, row.segment, row.judge, row.criterion, row.score) for row in store.judgments()]
    assert rows == [(name, "20", "ann", "meaning", 5.0) for name in ("a", "b", HUMAN)]


def test_the_order_differs_between_judges_and_stays_the_same(store):
    orders = {judge: store.order(judge, 1) for judge in "abcdefgh"}
    assert len(set(map(tuple, orders.values()))) > 1
    with JudgingStore.open(store.path) as again:
        assert {judge: again.order(judge, 1) for judge in "abcdefgh"} == orders
    assert sorted(orders["a"]) == [0, 1, 2, 3, 4]


def test_a_rating_sent_twice_counts_once_and_another_with_its_token_is_refused(store):
    one = rating(0, "grammar", 3, seconds=2)
    store.record("ann", 1, one)
    store.record("ann", 1, one)
    assert store.progress("ann").seconds == 2
    with pytest.raises(DataError, match="belongs to another rating"):
        store.record("bob", 1, one)


def test_progress_counts_sentences_that_are_judged_whole(store):
    assert store.finished("ann") == []
    rate_all(store, "ann", careful)
    assert store.finished("ann") == [1, 2]
    assert (store.progress("ann").done, store.progress("bob").done) == (2, 0)


def test_judges_who_do_not_tell_the_controls_apart_are_left_out(store):
    rate_all(store, "ann", careful)
    rate_all(store, "bob", lambda system: 3)
    margins = {(each.judge, each.criterion): each.margin for each in store.controls()}
    assert margins == {("ann", "meaning"): 4.0, ("ann", "grammar"): 4.0, ("bob", "meaning"): 0, ("bob", "grammar"): 0}
    assert set(store.judgments().judges) == {"ann", "bob"}
    assert set(store.judgments(margin=1).judges) == {"ann"}
    with pytest.raises(DataError, match="no judge rates"):
        store.judgments(margin=4.5)


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"criterion": "style"}, "style"), ({"score": 6}, "1 to 5"), ({"score": True}, "1 to 5"), ({"score": 0}, "1 to 5"),
     ({"token": "x"}, "token"), ({"seconds": -1.0}, "seconds")],
)  # fmt: skip
def test_invalid_ratings_are_refused(changed, message):
    with pytest.raises((DataError, OptionError), match=message):
        Rating(**{"place": 0, "criterion": "meaning", "score": 3, "token": "token-000", **changed})


def test_unknown_sentences_texts_and_systems_are_refused(store, tmp_path):
    with pytest.raises(DataError, match="no sentence 3"):
        store.record("ann", 3, rating(0, "meaning", 1))
    with pytest.raises(DataError, match="no text 9"):
        store.record("ann", 1, rating(9, "meaning", 1))
    with pytest.raises(OptionError, match="nobody"):
        JudgingStore.create(tmp_path / "new.sqlite", TESTSET, ["nobody"])
    with pytest.raises(DataError, match="no originals"):
        JudgingStore.create(tmp_path / "new.sqlite", TestSet(ids=["1"], candidates={"a": ["b"]}))
    assert not (tmp_path / "new.sqlite").exists()
    with pytest.raises(DataError, match="other sentences or systems"):
        JudgingStore.create(store.path, TESTSET, ["a"])


def test_other_files_and_damage_are_refused(store, tmp_path, capsys):
    with pytest.raises(FileError, match="annotate judge"):
        JudgingStore.open(tmp_path / "missing.sqlite")
    links = tmp_path / "links.sqlite"
    AnnotationStore.create(links, ParaphrasePairs(("a",), ("b",))).close()
    with pytest.raises(DataError, match="expected a file of judgments"):
        JudgingStore.open(links)
    rate_all(store, "ann", careful)
    assert main(["verify", str(store.path)]) == 0
    connection = sqlite3.connect(store.path)
    connection.execute("UPDATE judgment SET score = 1 WHERE score = 5")
    connection.commit()
    connection.close()
    with pytest.raises(DataError, match="table judgment was changed"):
        JudgingStore.open(store.path)
    assert main(["verify", str(store.path)]) == 1


def test_table_7_comes_from_the_file_in_one_command(store, tmp_path, capsys):
    rate_all(store, "ann", careful)
    rate_all(store, "bob", lambda system: 6 - careful(system))
    scores = tmp_path / "grammars.tsv"
    scores.write_text("grammar\tprecision\trecall\na\t.3\t.1\nb\t.2\t.2\nc\t.1\t.3\n")
    command = ["paradigm", "correlate", str(scores), "--judgments", str(store.path), "--format", "tsv"]
    assert main([*command, "--control-margin", "1"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    table = {row["score"]: row for row in (dict(zip(lines[0], line, strict=True)) for line in lines[1:])}
    # "she sings well" counts for a, b and the human: a has 4 and 5, b 3 and 5, c 2 and 2.
    assert float(table["precision"]["meaning"]) == 1
    assert float(table["recall"]["grammar"]) == -1
    exported = tmp_path / "judgments.tsv"
    assert main(["annotate", "judgments", str(store.path), "--control-margin", "1", "-o", str(exported)]) == 0
    assert read_judgments(exported) == store.judgments(margin=1)
    assert main(["annotate", "controls", str(store.path), "--format", "tsv"]) == 0
    assert "\t-4" in capsys.readouterr().out  # bob, who turned the scale round
    assert main(["paradigm", "correlate", str(scores), "--judgments", str(exported), "--control-margin", "1"]) == 2
    assert "annotate judge" in capsys.readouterr().err


def test_the_command_opens_the_page_for_a_test_set(tmp_path, monkeypatch, capsys):
    calls = []
    monkeypatch.setattr("paragauge.web.server.run_server", lambda *args, **options: calls.append(args))
    write_testset(TESTSET, tmp_path / "outputs.tsv")
    assert main(["annotate", "judge", str(tmp_path / "outputs.tsv"), "--annotator", "ann", "--system", "a"]) == 0
    assert [area.path for area in calls[0][0]] == ["/judge/ann", "/judge"]
    with JudgingStore.open(tmp_path / "outputs.tsv.judgments.sqlite") as made:
        assert made.systems == ("a",)
    assert main(["annotate", "judge", str(tmp_path / "outputs.tsv"), "--annotator", "ann"]) == 1
    assert "--store" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("output", "item = 99"), ("output", "item = 'x'"), ("output", "place = 7"), ("output", "system = 'unknown'"),
        ("output", "text = x'ff'"), ("judgment", "score = 1.5"), ("judgment", "item = -1"), ("item", "id = 50"),
        ("project", "name = '0' || name"),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_are_refused_whatever_their_checksums(store, table, change):
    rate_all(store, "ann", lambda system: 3)
    store.close()
    with contextlib.closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {change} WHERE rowid = 1")  # noqa: S608
        if table != "project":
            for row in connection.execute(f"SELECT * FROM {table}").fetchall():  # noqa: S608
                connection.execute(
                    f"UPDATE {table} SET checksum = ? WHERE id = ?",  # noqa: S608
                    (row_checksum(row[:-1]), row[0]),
                )
    with pytest.raises(DataError, match="is damaged"):
        JudgingStore.open(store.path)
    assert main(["verify", str(store.path), "-q"]) == 1


def test_files_of_the_first_version_have_no_checksum_of_their_name(store):
    store.close()
    with contextlib.closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE project SET name = '0123456789abcdef'")
    assert JudgingStore.open(store.path).project == "0123456789abcdef"
