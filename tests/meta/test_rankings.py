import contextlib
import gzip
import json
import random

import pytest
from pytest import approx

from paragauge.errors import DataError, OptionError, ParagaugeError
from paragauge.meta.rankings import correlate_wins, ranking_tau, read_rankings
from paragauge.meta.scores import ScoreRow, ScoreTable, read_scores

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id," \
    "system3Number,system3Id,system1rank,system2rank,system3rank\n"  # fmt: skip


@pytest.fixture
def rankings(tmp_path):
    path = tmp_path / "rankings.csv"
    path.write_text(HEADER + "Czech,English,7,d,7,J1,1,a,2,b,3,c,1,2,2\nCzech,English,8,d,8,J1,1,a,2,b,3,c,3,-1,1\n")
    return path


def scores(values):
    return ScoreTable(tuple(ScoreRow("m", system, segment, score) for system, segment, score in values))


def test_rankings_become_pairs(rankings):
    found = read_rankings(rankings)
    pairs = [(each.segment, each.better, each.worse, each.tie) for each in found.comparisons]
    assert pairs == [("7", "a", "b", False), ("7", "a", "c", False), ("7", "b", "c", True), ("8", "c", "a", False)]
    assert found.blanks == 1
    assert found.system_scores() == {"a": 2 / 3, "b": 0.0, "c": 1 / 2}


@pytest.mark.parametrize(("ties", "tau"), [("discordant", (1 - 2) / 3), ("ignored", (1 - 1) / 2), ("neutral", 0 / 3)])
def test_tau_by_hand(rankings, ties, tau):
    # a beats b: concordant; a against c: tied by the metric; c beats a in segment 8: discordant
    table = scores([("a", "7", 3.0), ("b", "7", 1.0), ("c", "7", 3.0), ("a", "8", 2.0), ("c", "8", 1.0)])
    assert ranking_tau(table, "m", read_rankings(rankings), ties=ties).value == approx(tau)


def test_lower_is_better_turns_the_sign(rankings):
    table = scores([("a", "7", 3.0), ("b", "7", 1.0), ("c", "7", 2.0), ("a", "8", 2.0), ("c", "8", 1.0)])
    there = ranking_tau(table, "m", read_rankings(rankings), resamples=100)
    back = ranking_tau(table, "m", read_rankings(rankings), lower_is_better=True)
    assert there.value == approx(-back.value) == approx((2 - 1) / 3)
    assert there.interval.low <= there.value <= there.interval.high
    assert there.items == 3


def test_wins_correlate_with_system_scores(rankings):
    found = correlate_wins({"a": 2.0, "b": 0.0, "c": 1.5, "x": 9.0}, "m", read_rankings(rankings), resamples=50)
    assert (found.value, found.items) == (approx(1.0), 3)
    assert -1 <= found.interval.low <= found.interval.high <= 1
    with pytest.raises(
        DataError, match=r"have 1 system in common \(a\), expected at least two; scores have a; rankings have a, b, c"
    ):
        correlate_wins({"a": 1.0}, "m", read_rankings(rankings))


def test_wrong_ranking_files_are_explained(tmp_path, rankings):
    plain = tmp_path / "x.csv"
    plain.write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="is not a file of WMT rankings; expected the columns srclang"):
        read_rankings(plain)
    rankings.write_text(rankings.read_text() + "French,English,7,d,7,J1,1,a,2,b,3,c,1,2,3\n")
    with pytest.raises(DataError, match=r"several language pairs \(Czech-English, French-English\); choose one"):
        read_rankings(rankings)
    assert len(read_rankings(rankings, pair="French-English").comparisons) == 3
    with pytest.raises(OptionError, match="no language pair named 'German-English'"):
        read_rankings(rankings, pair="German-English")
    rankings.write_text(HEADER + "Czech,English,7,d,7,J1,1,a,2,b,3,c,first,2,2\n")
    with pytest.raises(
        DataError, match=r"rankings\.csv:2: the rank of system 1 \(a\) is 'first', expected a whole number"
    ):
        read_rankings(rankings)
    with pytest.raises(OptionError, match="ties must be one of"):
        ranking_tau(scores([("a", "7", 1.0)]), "m", read_rankings_of(tmp_path), ties="half")
    with pytest.raises(DataError, match="no system in common: scores have z; rankings have a, b, c"):
        ranking_tau(scores([("z", "7", 1.0)]), "m", read_rankings_of(tmp_path))


def read_rankings_of(folder):
    path = folder / "good.csv"
    path.write_text(HEADER + "Czech,English,7,d,7,J1,1,a,2,b,3,c,1,2,2\n")
    return read_rankings(path)


TSV = "metric\tsystem\tsegment\tscore\textra\nbleu\ta\t1\t0.5\t7\nbleu\ta\t2\t\t8\n"


def test_scores_are_read_in_all_shapes(tmp_path):
    expected = (ScoreRow("bleu", "a", "1", 0.5), ScoreRow("bleu", "a", "2", None))
    rows = [{"metric": "bleu", "system": "a", "segment": "1", "score": 0.5, "components": {"extra": 7}},
            {"metric": "bleu", "system": "a", "segment": 2, "score": None, "components": {"extra": 8}}]  # fmt: skip
    texts = {
        "x.tsv": TSV,
        "x.csv": TSV.replace("\t", ","),
        "x.json": json.dumps(rows),
        "x.jsonl": "".join(json.dumps({k: v for k, v in row.items() if k != "components"}) + "\n" for row in rows),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
        assert read_scores(tmp_path / name).rows == expected
    assert [row.score for row in read_scores(tmp_path / "x.tsv", column="extra")] == [7.0, 8.0]
    assert [row.score for row in read_scores(tmp_path / "x.json", column="extra")] == [7.0, 8.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system\tscore\na\t1\n", "2: lacks 'metric'; expected the columns metric, system, segment"),
        ("metric\tsystem\tvalue\na\tb\t1\n", "no column named 'score'; known: value"),
        ("metric\tsystem\tscore\na\tb\tx\n", "2: score is 'x', expected a number, or nothing for a missing score"),
        ("metric\tsystem\tscore\na\tb\tnan\n", "expected a number"),
        ("metric\tsystem\tscore\na\tb\t1\na\tb\t2\n", "rows 1 and 2 both score metric 'a', system 'b'"),
        ("[1]", "expected a list of objects"),
        ("[", "is not valid JSON"),
        ("[]", "has no scores"),
        ("", "empty"),
    ],
)
def test_wrong_score_files_are_explained(tmp_path, text, message):
    (tmp_path / "x").write_text(text)
    with pytest.raises(DataError, match=message):
        read_scores(tmp_path / "x")


def test_any_bytes_are_scores_rankings_or_our_error(tmp_path):
    rng = random.Random(6)
    seeds = [TSV.encode(), TSV.replace("\t", ",").encode(), (HEADER + "a,b,1,d,1,J,1,x,2,y,3,z,1,2,3\n").encode(),
             b'[{"metric": "m", "system": "s", "score": 1}]',
             b'{"metric": "m", "system": "s", "score": 1}\n']  # fmt: skip
    path = tmp_path / "x"
    for _ in range(2000):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data) + 1)
            data[place : place + rng.randint(0, 3)] = rng.choice(
                [b"", b"\xff", b"\t", b",", b"\n", b'"', b"{", b"1e999", b"\0"]
            )
        path.write_bytes(bytes(data))
        for reader in (read_scores, read_rankings):
            with contextlib.suppress(ParagaugeError):
                reader(path)
