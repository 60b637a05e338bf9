"""Tables in any format: recognised by content, written by name."""

import gzip

import pytest

from paragauge.errors import DataError, OptionError
from paragauge.phrases import ParaphraseTable, PhraseTable, write_moses, write_paraphrase_tsv, write_phrase_tsv
from paragauge.phrases.formats import read_paraphrase_table, read_phrase_table, write_phrase_text

PPDB = "[NN] ||| house ||| home ||| p(e|f)=0.5 AGigaSim=0.25 ||| 0-0 ||| Equivalence\n"


def counts(table):
    return [(pair.source, pair.target, pair.count) for pair in table]


@pytest.fixture
def table():
    return PhraseTable.from_counts({("house", "home"): 3, ("house", "building"): 1})


@pytest.mark.parametrize("pack", [False, True])
def test_phrase_tables_are_recognised(table, tmp_path, pack):
    table.save(tmp_path / "folder")
    write_moses(table, tmp_path / "moses")
    write_phrase_tsv(table, tmp_path / "tsv")
    if pack:
        for name in ("moses", "tsv"):
            (tmp_path / name).write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    for name in ("folder", "moses", "tsv"):
        assert counts(read_phrase_table(tmp_path / name)) == counts(table)
    assert counts(read_phrase_table(tmp_path / "moses", form="moses")) == counts(table)
    with pytest.raises(DataError):
        read_phrase_table(tmp_path / "moses", form="tsv")
    with pytest.raises(OptionError, match="format of standard input cannot be recognised"):
        read_phrase_table("-")


def test_paraphrase_tables_are_recognised(table, tmp_path):
    expected = ParaphraseTable.from_phrase_table(table)
    table.save(tmp_path / "phrases")
    expected.save(tmp_path / "folder")
    write_moses(table, tmp_path / "moses")
    write_phrase_tsv(table, tmp_path / "phrases.tsv")
    write_paraphrase_tsv(expected, tmp_path / "tsv")
    for name in ("phrases", "folder", "moses", "phrases.tsv", "tsv"):
        assert read_paraphrase_table(tmp_path / name) == expected
    (tmp_path / "ppdb").write_text(PPDB)
    assert read_paraphrase_table(tmp_path / "ppdb", feature="AGigaSim").score("house", "home") == 0.25
    (tmp_path / "several").mkdir()
    for name in ("a", "b"):
        table.save(tmp_path / "several" / name)
    with pytest.raises(DataError, match="the folder holds 2 tables; give one of them"):
        read_paraphrase_table(tmp_path / "several")


def test_text_is_written_in_the_format_that_is_asked_for(table, tmp_path):
    assert write_phrase_text(table, tmp_path / "one", "tsv") == write_phrase_text(table, tmp_path / "two", "moses") == 2
    assert (tmp_path / "one").read_text().startswith("source\ttarget\t")
    assert " ||| " in (tmp_path / "two").read_text()
