"""Test sets from sacreBLEU's folder, and plain files to test sets and back."""

from pathlib import Path

import pytest
from sacrebleu.dataset import DATASETS

from paragauge.cli.main import main
from paragauge.corpora import read_testset
from paragauge.corpora.testset import TestSet
from paragauge.errors import FileError


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "wmt21"
    folder.mkdir(parents=True)
    columns = {
        "src": "Ahoj světe.\nAno, prší.\n", "ref-A": "Hello world.\nYes, it rains.\n",
        "ref-B": "Hi world.\nYes.\n", "docid": "d\nd\n", "origlang": "cs\ncs\n", "online-A": "Hello.\nRain.\n",
    }  # fmt: skip
    for field, text in columns.items():
        (folder / f"wmt21.cs-en.{field}").write_text(text, encoding="utf-8")
    Path("sys.txt").write_text("Hello world.\nYes.\n")
    return folder


def test_it_reads_what_sacrebleu_would_use(cache):
    testset = read_testset("wmt21:cs-en")
    assert testset.originals == ("Ahoj světe.", "Ano, prší.")
    assert (testset.source_language, testset.target_language) == ("cs", "en")
    assert testset.systems == ("online-A",)
    # sacreBLEU's own table of test sets says which translators count.
    assert set(testset.references) == set(DATASETS["wmt21"].kwargs["refs"])


def test_systems_are_scored_against_it(cache, capfd):
    assert main(["score", "-m", "chrf", "--testset", "wmt21:cs-en", "sys.txt", "-b"]) == 0
    named = capfd.readouterr().out
    references = [
        f for name in read_testset("wmt21:cs-en").references for f in ("--ref", str(cache / f"wmt21.cs-en.ref-{name}"))
    ]
    assert main(["score", "-m", "chrf", *references, "sys.txt", "-b"]) == 0
    assert capfd.readouterr().out == named


def test_what_is_not_on_disk_is_not_downloaded(cache, capfd):
    with pytest.raises(FileError, match=r"sacrebleu -t wmt20 -l de-en --echo src .* on disk: wmt21:cs-en"):
        read_testset("wmt20:de-en")
    assert main(["score", "-m", "bleu", "--testset", "wmt20:de-en", "sys.txt"]) == 1
    assert "get it once with" in capfd.readouterr().err


def test_plain_files_become_a_test_set_and_come_back(cache, capfd):
    Path("o.txt").write_text("Original one.\nOriginal two.\n")
    Path("r.txt").write_text("Reference one.\nReference two.\n")
    assert main(["convert", "--original", "o.txt", "--ref", "r.txt", "sys.txt", "-o", "set.tsv"]) == 0
    testset = read_testset("set.tsv")
    assert testset == TestSet(
        ids=["1", "2"], originals=["Original one.", "Original two."],
        references={"1": ["Reference one.", "Reference two."]}, candidates={"sys": ["Hello world.", "Yes."]},
    )  # fmt: skip
    assert main(["convert", "set.tsv", "--to", "plain", "-o", "plain"]) == 0
    assert {path.name: path.read_text() for path in Path("plain").iterdir()} == {
        "original.txt": "Original one.\nOriginal two.\n",
        "reference.txt": "Reference one.\nReference two.\n",
        "sys.txt": "Hello world.\nYes.\n",
    }
    assert main(["convert", "set.tsv", "--to", "plain", "-o", "plain"]) == 1
    assert "exists already" in capfd.readouterr().err


def test_a_segment_of_a_test_set_is_explained(cache, capfd):
    Path("set.tsv").write_text("id\toriginal\tcandidate.a\tcandidate.b\nx7\tIt rains.\tIt is raining.\tRain falls.\n")
    assert main(["explain", "-m", "pinc", "--testset", "set.tsv", "--system", "b", "--segment", "x7"]) == 0
    from_set = capfd.readouterr().out
    assert main(["explain", "-m", "pinc", "--original", "It rains.", "Rain falls."]) == 0
    assert capfd.readouterr().out == from_set
    assert main(["explain", "-m", "pinc", "--testset", "set.tsv", "--segment", "x7"]) == 2
    assert "the test set has 2 systems; name one: a, b" in capfd.readouterr().err
    assert main(["explain", "-m", "pinc", "--testset", "set.tsv", "--system", "a", "--segment", "9"]) == 2
    assert "no segment '9'" in capfd.readouterr().err
    assert main(["explain", "-m", "pinc", "--original", "It rains.", "sys.txt"]) == 2
    assert "CANDIDATE is a sentence, but 'sys.txt' is a file" in capfd.readouterr().err
