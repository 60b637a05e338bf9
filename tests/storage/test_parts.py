"""Tables that come in parts: what a cluster writes, opened here."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragauge import Grammar, ParaphraseTable, PhraseTable, extract_grammar, extract_phrases, pivot_paraphrases
from paragauge.errors import DataError
from paragauge.resource import write_resource
from paragauge.storage import parts

BITEXT = (
    ["the big house", "the large house", "a big dog", "a large dog"],
    ["das grosse Haus", "das grosse Haus", "ein grosser Hund", "ein grosser Hund"],
    ["0-0 1-1 2-2"] * 4,
)


def in_parts(folder, kind, rows, options, pieces=3):
    """Write rows as a cluster does."""
    with write_resource(folder, kind, format=parts.FORMAT, options=options) as made:
        (made / parts.FOLDER).mkdir()
        size = -(-rows.num_rows // pieces)
        for number in range(pieces):
            pq.write_table(rows.slice(number * size, size), made / parts.FOLDER / parts.part_name(number))
    return folder


@pytest.fixture
def table():
    return extract_phrases(*BITEXT)


@pytest.fixture
def phrase_parts(table, tmp_path):
    optional = table.optional_columns
    rows = pa.Table.from_batches(table.pair_batches(0, optional)).drop_columns(["part"])
    return in_parts(tmp_path / "phrases", "phrase-table", rows, table.options)


def test_a_phrase_table_in_parts_is_the_table(table, phrase_parts, tmp_path):
    opened = PhraseTable.open(phrase_parts, verify=True)
    assert opened == table
    assert opened.options == table.options
    assert opened.digest is not None
    opened.save(tmp_path / "columns")
    assert PhraseTable.open(tmp_path / "columns") == table


def test_paraphrases_and_grammars_in_parts_are_the_same(table, tmp_path):
    paraphrases = pivot_paraphrases(table)
    rows = [(phrase, found.text, found.score) for phrase in ("big", "large") for found in paraphrases[phrase]]
    assert rows
    named = [dict(zip(("phrase", "paraphrase", "p"), row, strict=True)) for row in rows]
    folder = in_parts(tmp_path / "paraphrases", "paraphrase-table", pa.Table.from_pylist(named), {}, pieces=2)
    assert ParaphraseTable.open(folder) == ParaphraseTable.from_rows(rows)

    grammar = extract_grammar(*BITEXT)
    folder = in_parts(tmp_path / "grammar", "grammar", pa.Table.from_batches(grammar.batches()), grammar.options)
    opened = Grammar.open(folder)
    assert list(opened) == list(grammar)
    assert len(opened) == len(grammar)
    assert opened.columns == grammar.columns
    assert list(opened.save(tmp_path / "indexed")) == list(grammar)


def test_damaged_parts_are_refused(table, phrase_parts, tmp_path):
    part = phrase_parts / parts.FOLDER / parts.part_name(1)
    data = part.read_bytes()
    part.write_bytes(data[:-4] + b"LOST")
    with pytest.raises(DataError, match=r"part-00001.parquet cannot be read"):
        PhraseTable.open(phrase_parts, verify=False)
    with pytest.raises(DataError, match="does not match; the file is damaged"):
        PhraseTable.open(phrase_parts)
    part.unlink()
    with pytest.raises(DataError, match=r"the file parts/part-00001.parquet is missing"):
        PhraseTable.open(phrase_parts)
    rows = pa.Table.from_batches(table.pair_batches(0)).drop_columns(["part", "count"])
    folder = in_parts(tmp_path / "lame", "phrase-table", rows, {})
    with pytest.raises(DataError, match="the column count is missing"):
        PhraseTable.open(folder)


def test_rows_that_contradict_one_another_are_refused(table, tmp_path):
    rows = pa.Table.from_batches(table.pair_batches(0)).drop_columns(["part"])
    folder = in_parts(tmp_path / "twice", "phrase-table", pa.concat_tables([rows, rows.slice(0, 1)]), {})
    with pytest.raises(DataError, match="occurs twice"):
        PhraseTable.open(folder)
