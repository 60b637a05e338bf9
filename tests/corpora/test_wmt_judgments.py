"""Judgments as WMT and others publish them."""

import gzip

import pytest
from pytest import approx

from paragauge.corpora import read_judgments
from paragauge.corpora.mqm import parse_weights
from paragauge.errors import DataError, OptionError
from paragauge.meta.rankings import read_people, read_rankings
from paragauge.meta.task_folder import read_task_documents, read_task_people, read_task_scores


@pytest.fixture
def put(tmp_path):
    def write(text, name="file"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return write


def rows(judgments):
    return [tuple(row) for row in judgments]


def test_direct_assessments_have_raw_and_z_scores(put):
    found = read_judgments(put("SYS SID RAW.SCR Z.SCR N \nA.7 177 100 0.62 1 \nB.1 178 75 -0.02 2 \n", "da.csv.gz"))
    assert rows(found) == [
        ("A.7", "177", "", "raw", 100.0), ("B.1", "178", "", "raw", 75.0),
        ("A.7", "177", "", "z", 0.62), ("B.1", "178", "", "z", -0.02),
    ]  # fmt: skip
    with pytest.raises(DataError, match=r":2: found 4 fields separated by spaces, expected 5 .*SYS SID"):
        read_judgments(put("SYS SID RAW.SCR Z.SCR N\nA 1 2 3\n"))


def test_direct_assessments_of_systems_need_no_segment(put):
    found = read_judgments(put("RAW.SCR Z.SCR N SYS N.ALL \n77.7 0.11 923 A 1275 \n"))
    assert rows(found) == [("A", "*", "", "raw", 77.7), ("A", "*", "", "z", 0.11)]
    found = read_people(put("LP DATA HUMAN SYSTEM\ncs-en newstest2018 0.3 A\nde-en newstest2018 0.1 B\n"), pair="cs-en")
    assert rows(found) == [("A", "*", "", "z", 0.3)]


def test_other_columns_are_ignored_and_pairs_are_chosen(put):
    path = put("year\tpair\tsystem\tsegment\tsource\thuman_z\n2017\tcs-en\tA\t3\tx\t0.5\n2017\tde-en\tB\t3\ty\t\n")
    assert rows(read_people(path, pair="cs-en")) == [("A", "3", "", "z", 0.5)]
    assert rows(read_people(path, pair="de-en")) == [("B", "3", "", "z", None)]
    with pytest.raises(DataError, match=r"several language pairs \(cs-en, de-en\); choose one with --pair"):
        read_people(path)
    with pytest.raises(OptionError, match="no language pair named 'fr-en'"):
        read_people(path, pair="fr-en")


MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def test_mqm_errors_become_scores_by_googles_weights(put):
    path = put(
        MQM
        + "A\td\t1\t1\tr1\ts\tt\tAccuracy/Mistranslation\tMajor\n"
        + "A\td\t1\t1\tr1\ts\tt\tFluency/Punctuation\tMinor\n"
        + "A\td\t1\t1\tr1\ts\tt\tFluency/Grammar\tMinor\n"
        + "A\td\t1\t1\tr2\ts\tt\tNo-error\tno-error\n"
        + "A\td\t2\t2\tr1\ts\tt\tNon-translation!\tMajor\n"
        + "B\td\t1\t1\tr1\ts\tt\tStyle/Awkward\tNeutral\n"
    )
    found = read_judgments(path)
    assert rows(found) == [
        ("A", "1", "r1", "mqm", approx(-(5 + 0.1 + 1))), ("A", "1", "r2", "mqm", 0.0), ("A", "2", "r1", "mqm", -25.0),
        ("B", "1", "r1", "mqm", 0.0),
    ]  # fmt: skip
    heavy = read_judgments(path, mqm_weights=parse_weights("major:10 minor:2 neutral:1"))
    assert heavy.scores == (approx(-14), 0.0, -10.0, -1.0)
    assert found.mean_over_judges().scores[0] == approx(-3.05)


def test_mqm_mistakes_are_explained(put):
    with pytest.raises(DataError, match=r":2: the severity is 'Huge', expected major, minor, neutral or no-error"):
        read_judgments(put(MQM + "A\td\t1\t1\tr1\ts\tt\tAccuracy\tHuge\n"))
    with pytest.raises(DataError, match="no column names the segment"):
        read_judgments(put("system\trater\tcategory\tseverity\nA\tr\tx\tMajor\n"))
    with pytest.raises(OptionError, match="'major' is not a weight; expected one such as major:5"):
        parse_weights("major")
    with pytest.raises(OptionError, match="'major:x' is not a weight"):
        parse_weights("major:x")


def test_relative_rankings_are_comparisons(put):
    text = "LP DATA SID BETTER WORSE\ncs-en newstest2018 7 A B\ncs-en newstest2018 8 B A\nde-en newstest2018 7 C A\n"
    path = put(text)
    found = read_rankings(path, pair="cs-en")
    assert [(each.segment, each.better, each.worse, each.tie) for each in found.comparisons] == [
        ("7", "A", "B", False), ("8", "B", "A", False),
    ]  # fmt: skip
    assert read_people(path, pair="cs-en") == found
    without_name = put(text.replace("LP DATA", "DATA"))  # as in WMT18
    assert read_people(without_name, pair="cs-en") == found
    with pytest.raises(DataError, match=r"several language pairs \(cs-en, de-en\); choose one with --pair"):
        read_people(path)
    with pytest.raises(DataError, match=":2: found 3 fields, expected the language pair"):
        read_rankings(put("LP DATA SID BETTER WORSE\ncs-en x y\n"))


@pytest.fixture
def folder(put, tmp_path):
    put("A\t1\nA\tNone\nB\t3\nB\t4\n", "set/human-scores/en-de.mqm.seg.score")
    put("A\t1\nB\t3.5\n", "set/human-scores/en-de.mqm.sys.score")
    put("A\t0.1\nB\t0.2\n", "set/human-scores/en-de.wmt.sys.score")
    put("A\t10\nA\t20\nB\t30\nB\t40\n", "set/metric-scores/en-de/BLEU-refA.seg.score")
    put("A\t15\nB\t36\n", "set/metric-scores/en-de/BLEU-refA.sys.score")
    put("news\tdoc1\nnews\tdoc2\n", "set/documents/en-de.docs")
    return tmp_path / "set"


def test_folders_of_mt_metrics_eval(folder, put):
    people = read_task_people(folder)
    assert rows(people) == [
        ("A", "1", "", "mqm", 1.0), ("A", "2", "", "mqm", None), ("B", "1", "", "mqm", 3.0),
        ("B", "2", "", "mqm", 4.0), ("A", "*", "", "wmt", 0.1), ("B", "*", "", "wmt", 0.2),
    ]  # fmt: skip
    scores = read_task_scores(folder)
    assert [(row.system, row.segment, row.score) for row in scores][-3:] == [
        ("B", "2", 40.0), ("A", None, 15.0), ("B", None, 36.0),
    ]  # fmt: skip
    assert read_task_documents(folder) == {"1": "doc1", "2": "doc2"}
    assert read_people(folder) == people
    put("A\t1\n", "set/human-scores/zh-en.mqm.seg.score")
    with pytest.raises(DataError, match=r"several language pairs \(en-de, zh-en\); choose one with --pair"):
        read_people(folder)
    with pytest.raises(DataError, match="has no metric scores for zh-en"):
        read_task_scores(folder, pair="zh-en")
    put("A\t1\nA\t2\nB\t3\n", "set/human-scores/en-de.mqm.seg.score")
    with pytest.raises(DataError, match="different numbers of segments: A 2, B 1"):
        read_people(folder, pair="en-de")
    put("A 1 2\n", "set/human-scores/en-de.mqm.seg.score")
    with pytest.raises(DataError, match=":1: found 'A 1 2', expected a system and a score"):
        read_people(folder, pair="en-de")


def test_folders_correlate(folder):
    import paragauge as pg

    found = pg.correlate(folder, folder, criterion="mqm", bootstrap=0, level="system", method="pairwise-accuracy")
    assert [each.correlation.value for each in found.correlations] == [1.0]
    whole = pg.correlate(folder, folder, criterion="wmt", bootstrap=0, level="system")
    assert whole.correlations[0].correlation.value == approx(1.0)


def test_judgments_without_a_segment_are_of_systems(put):
    assert rows(read_judgments(put("system\tscore\nA\t1\n"))) == [("A", "*", "", "overall", 1.0)]
    assert rows(read_judgments(put('{"system": "A", "score": 1}\n'))) == [("A", "*", "", "overall", 1.0)]
