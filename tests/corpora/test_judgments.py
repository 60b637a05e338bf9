from __future__ import annotations

import gzip

import pytest

from paragauge.corpora import Judgments, read_judgments, write_judgments
from paragauge.errors import DataError, OptionError

HEADER = "system\tsegment\tjudge\tcriterion\tscore\n"


@pytest.fixture
def put(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(content):
        path = tmp_path / "j"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_tsv_keeps_missing_scores_missing(put):
    judgments = read_judgments(put(HEADER + "a\t1\tann\tadequacy\t4\na\t2\tann\tadequacy\t\n"))
    assert judgments.scores == (4.0, None)
    assert judgments.missing == 1
    assert judgments.without_missing().segments == ("1",)


def test_judge_and_criterion_may_be_absent(put):
    judgments = read_judgments(put("segment\tscore\tsystem\n1\t-.5e1\ta\n"))
    assert list(judgments) == [("a", "1", "", "overall", -5.0)]


def test_csv_and_jsonl_are_recognised_by_content(put):
    expected = Judgments.from_rows([("a,b", "1", "ann", "overall", 0.25), ("a,b", "2", "ann", "overall", None)])
    csv = 'system,segment,judge,score\n"a,b",1,ann,0.25\n"a,b",2,ann,\n'
    assert read_judgments(put(csv)) == expected
    jsonl = (
        '{"system": "a,b", "segment": 1, "judge": "ann", "score": 0.25}\n'
        '{"system": "a,b", "segment": "2", "judge": "ann", "criterion": null, "score": null}\n'
    )
    assert read_judgments(put(gzip.compress(b"\xef\xbb\xbf" + jsonl.replace("\n", "\r\n").encode()))) == expected


def test_filter_takes_rows_that_have_all_values():
    rows = [("a", "1", "ann", "adequacy", 1), ("a", "1", "ann", "fluency", 2), ("b", "1", "", "fluency", 3)]
    judgments = Judgments.from_rows(rows)
    assert judgments.where(system="a", criterion="fluency").scores == (2.0,)
    assert judgments.where(judge="").scores == (3.0,)
    assert len(judgments.where(segment="9")) == 0
    assert judgments.where() == judgments


def test_mean_over_judges_ignores_missing_scores():
    judgments = Judgments.from_rows(
        [
            ("a", "1", "ann", "overall", 1),
            ("a", "1", "bob", "overall", None),
            ("a", "1", "eve", "overall", 4),
            ("a", "2", "ann", "overall", None),
        ]
    )
    means = judgments.mean_over_judges()
    assert list(means) == [("a", "1", "", "overall", (1 + 4) / 2), ("a", "2", "", "overall", None)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty, expected a table of judgments"),
        ("hello\n", ":1: the file begins with 'hello', expected judgments"),
        ("system;segment;score\n", "separates columns with semicolons"),
        (HEADER, "found only a header"),
        (
            HEADER + "a\t1\tann\toverall\tNA\n",
            ":2: the score 'NA' is not a finite number up to 1e100; leave the field empty",
        ),
        (HEADER + "a\t1\tann\toverall\tnan\n", ":2: the score 'nan'"),
        (HEADER + "a\t1\tann\toverall\t1e999\n", ":2: the score '1e999'"),
        (HEADER + "a\t1\tann\toverall\t1_0\n", ":2: the score '1_0'"),
        (HEADER + "a\t1\tann\toverall\t٣\n", ":2: the score '٣'"),
        (HEADER + "a\t1\tann\toverall\t3,5\n", "write a decimal point"),
        (HEADER + "\t1\tann\toverall\t3\n", ":2: the column 'system' is empty here"),
        (HEADER + "a\t1\tann\t\t3\n", ":2: the column 'criterion' is empty here"),
        (
            HEADER + "a\t1\tx\ty\t3\nb\t1\tx\ty\t3\na\t1\tx\ty\t4\n",
            ":4: lines 2 and 4 are judgments of the same thing: system 'a'",
        ),
        ("system\tsegment\n1\t2\n", ":1: there is no column 'score'"),
        ("system\tsegment\tscore\tcomment\n1\t2\t3\tx\n", ":1: unknown column 'comment'; known: system"),
        ('{"system": "a", "segment": "1"}', ":1: 'score' is missing; expected a number, or null"),
        ('{"segment": "a", "score": 1}', ":1: 'system' is missing"),
        ('{"system": "a", "segment": "1", "score": "1"}', "'score' is a string, expected a number"),
        ('{"system": "a", "segment": "1", "score": true}', "'score' is a Boolean"),
        ('{"system": "a", "segment": "1", "score": NaN}', "NaN is not JSON"),
        ('{"system": "a", "segment": "1", "score": 1e999}', "'score' is too large"),
        ('{"system": "a", "segment": "1", "score": 1' + "0" * 400 + "}", "'score' is too large"),
        (
            '{"system": "a", "segment": "1", "judge": [], "score": 1}',
            "'judge' is an array, expected a string",
        ),
        ('{"system": "a", "segment": "1", "score": 1, "x": 1}', "unknown key 'x'"),
    ],
)
def test_mistakes_are_named_with_their_line(put, content, message):
    with pytest.raises(DataError, match=message):
        read_judgments(put(content))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((["a"], ["1"], [""], ["c"], [float("nan")]), "row 1 has nan, expected a finite number"),
        ((["a"], ["1"], [""], ["c"], [True]), "row 1 has bool, expected a number or None"),
        ((["a"], ["1"], [""], [""], [1]), "criteria: row 1 has '', expected a string that is not empty"),
        (
            (["a"], ["1"], [""], ["c"], []),
            "differ in length: systems 1, segments 1, judges 1, criteria 1, scores 0",
        ),
        ((["a"] * 2, ["1"] * 2, [""] * 2, ["c"] * 2, [1, 2]), "rows 1 and 2 are judgments of the same thing"),
    ],
)
def test_judgments_check_their_columns(columns, message):
    with pytest.raises(DataError, match=message):
        Judgments(*columns)


def test_whole_numbers_are_written_without_a_fraction(tmp_path):
    judgments = Judgments.from_rows([("a", "1", "", "overall", 4.0), ("a", "2", "", "overall", None)])
    write_judgments(judgments, tmp_path / "j.tsv")
    assert (tmp_path / "j.tsv").read_text() == HEADER + "a\t1\t\toverall\t4\na\t2\t\toverall\t\n"


def test_nothing_to_write_is_refused(tmp_path):
    with pytest.raises(DataError, match="no judgments to write"):
        write_judgments(Judgments.from_rows([]), tmp_path / "j.tsv")
    with pytest.raises(OptionError, match="give one of tsv, csv, jsonl"):
        write_judgments(Judgments.from_rows([("a", "1", "", "c", 1)]), tmp_path / "j.xml")
