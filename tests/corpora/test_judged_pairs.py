"""Judged paraphrases: reading, scales, means, and control candidates."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from paragauge.corpora.judged_pairs import CONTROLS, JudgedPair, JudgedPairs, control_pairs, read_judged_pairs
from paragauge.errors import DataError, OptionError


@pytest.fixture
def put(tmp_path):
    def write(data, name="judged.tsv"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def test_columns_in_any_order_and_absent_ones(put):
    found = read_judged_pairs(put('score\tparaphrase\toriginal\n3.5\tb "c\ta\n\te\td\n'))
    assert found.rows == (JudgedPair("a", 'b "c', 3.5), JudgedPair("d", "e", None))
    assert found.rows[0].system == "candidate"
    assert found.rows[0].criterion == "overall"


def test_all_columns_and_formats(put):
    expected = (JudgedPair("a", "b", 4.0, "s", "ann", "adequacy"),)
    header = "original,candidate,score,system,judge,criterion"
    assert read_judged_pairs(put(header + "\r\na,b,4,s,ann,adequacy\r\n")).rows == expected
    tsv = header.replace(",", "\t") + "\na\tb\t4\ts\tann\tadequacy\n"
    assert read_judged_pairs(put(gzip.compress(tsv.encode()), "x.gz")).rows == expected
    record = '{"original": "a", "candidate": "b", "score": 4, "system": "s", "judge": "ann", "criterion": "adequacy"}\n'
    assert read_judged_pairs(put(record)).rows == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("hello world\n", "expected a TSV or CSV header with the columns original, candidate"),
        ("original\tcandidate\n a\tb\n", "there is no column 'score'"),
        ("original\tscore\na\t1\n", "there is no column 'candidate'"),
        ("original\tcandidate\tscore\tmood\na\tb\t1\tc\n", "unknown column 'mood'"),
        ("original\tcandidate\tparaphrase\tscore\na\tb\tc\t1\n", "mean the same"),
        ("original\tcandidate\tscore\na\tb\tmany\n", r":2: the score 'many' is not a finite number"),
        ("original\tcandidate\tscore\na\tb\n", ":2: found 2 tab-separated fields, expected 3"),
        ("original\tcandidate\tscore\n", "found only a header"),
        ('{"original": "a", "score": 1}\n', "a key is missing"),
        (b"original\tcandidate\tscore\n\xff\tb\t1\n", "not UTF-8"),
        (b"\xff\xfeo\x00", "UTF-16"),
    ],
)
def test_what_is_wrong_is_said(put, text, message):
    with pytest.raises(DataError, match=message):
        read_judged_pairs(put(text))


def test_scales_are_mapped_to_one_to_five():
    pairs = JudgedPairs((JudgedPair("a", "b", 0.0), JudgedPair("a", "c", 25.0), JudgedPair("a", "d", None)))
    assert [row.score for row in pairs.rescaled(0, 100)] == [1.0, 2.0, None]
    with pytest.raises(DataError, match="25 of 'c' is outside the scale 0 to 10"):
        pairs.rescaled(0, 10)
    with pytest.raises(OptionError, match="from a lower to a higher number"):
        pairs.rescaled(5, 5)


def test_mean_over_judges_leaves_missing_ones_out():
    rows = (
        JudgedPair("a", "b", 2.0, "s", "ann"),
        JudgedPair("a", "b", 5.0, "s", "bob"),
        JudgedPair("a", "b", None, "s", "eve"),
        JudgedPair("a", "c", None, "s", "ann"),
        JudgedPair("a", "b", 1.0, "s", "ann", "fluency"),
    )
    assert JudgedPairs(rows).mean_over_judges().rows == (JudgedPair("a", "b", 3.5, "s"),)
    assert JudgedPairs(rows).mean_over_judges("fluency").rows[0].score == 1.0


def test_controls_are_those_of_the_paper():
    originals = ["one two three", "four five", "six"]
    rows = list(control_pairs(originals, np.random.default_rng(1)))
    assert len(rows) == 3 * 3 * 4
    overall = [row for row in rows if row.criterion == "overall"]
    assert [row.score for row in overall[:3]] == [2.0, 1.0, 1.0]
    assert {row.system for row in overall} == set(CONTROLS)
    words = set(" ".join(originals).split())
    for row in overall:
        if row.system == "control-copy":
            assert row.candidate == row.original
        elif row.system == "control-random":
            assert row.candidate in originals
            assert row.candidate != row.original
        else:
            assert set(row.candidate.split()) <= words
    assert rows == list(control_pairs(originals, np.random.default_rng(1)))
    with pytest.raises(DataError, match="at least two different originals"):
        control_pairs(["a", "a"], np.random.default_rng(1))


def test_salad_follows_the_frequency_of_words():
    originals = [f"common common common rare{k}" for k in range(500)]
    rows = control_pairs(originals, np.random.default_rng(2))
    salad = [
        w for row in rows if row.system == "control-salad" and row.criterion == "overall" for w in row.candidate.split()
    ]
    assert salad.count("common") / len(salad) == approx(0.75, abs=0.05)


@given(st.lists(st.text(alphabet="ab ", min_size=1, max_size=5), min_size=1, max_size=6), st.integers(0, 5))
def test_controls_take_any_originals_or_refuse(originals, seed):
    try:
        rows = control_pairs(originals, np.random.default_rng(seed))
    except DataError:
        assert len(set(originals)) < 2 or not "".join(originals).split()
        return
    assert len(rows) == 12 * len(set(originals))
